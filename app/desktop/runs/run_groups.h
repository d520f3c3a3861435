// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Groups of runs in the list: which group a run is in, and the mean and spread of the numbers of a group.

#include <optional>

#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

enum class GroupKind { None, Name, Tags, Project, Sweep, Host, State, Setting };

struct Grouping {
    GroupKind kind = GroupKind::None;
    QString setting = {};  ///< of GroupKind::Setting: a key of the recipe, such as `optimizer.lr`
    bool operator==(const Grouping&) const = default;

    /// Title in menus: "Tags", or the key of the setting.
    QString title() const;
    /// For saved views: "tags", "setting:optimizer.lr"; empty: not grouped.
    QString key() const;
    static Grouping ofKey(const QString& key);
};

/// The group of a run; empty: it has no tag, project, sweep, host or setting, so it is in the group of such runs.
QString groupOf(const RunSummary& run, const Grouping& grouping);

/// Statistics of a number over the runs of a group that have it.
struct Spread {
    int runs = 0;
    double mean = 0;
    double deviation = 0;  ///< standard deviation of the sample (divided by n - 1); 0 for one run
    double least = 0, most = 0;
    bool operator==(const Spread&) const = default;
};
/// Returns nullopt if no value is finite. Values that are not finite are not counted.
std::optional<Spread> spreadOf(const QVector<double>& values);

struct RunGroup {
    QString key;
    QString title;
    QStringList paths;  ///< of its runs, as they are in the list
    bool collapsed = false;
    bool operator==(const RunGroup&) const = default;
};

/// The groups of these runs by title, numbers in titles by value; runs without a group come last. `keys`: set to the
/// group of each run by path.
QVector<RunGroup> groupRuns(const QVector<const RunSummary*>& runs, const Grouping& grouping,
                            QHash<QString, QString>& keys);

}  // namespace trainyard::desktop
