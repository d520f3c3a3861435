// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_groups.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QCollator>
#include <QRegularExpression>

#include "desktop/dashboard/other_runs.h"
#include "desktop/runs/run_details.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"

namespace trainyard::desktop {

namespace {

struct GroupWords {
    const char* key;
    const char* title;
    const char* none;  ///< title of the group of runs that are in no group
};
/// In the order of GroupKind.
constexpr std::array<GroupWords, 8> kGroupWords{{
    {"", QT_TRANSLATE_NOOP("trainyard::desktop", "No groups"), ""},
    {"name", QT_TRANSLATE_NOOP("trainyard::desktop", "Beginning of the name"), ""},
    {"tags", QT_TRANSLATE_NOOP("trainyard::desktop", "Tags"), QT_TRANSLATE_NOOP("trainyard::desktop", "No tags")},
    {"project", QT_TRANSLATE_NOOP("trainyard::desktop", "Project"),
     QT_TRANSLATE_NOOP("trainyard::desktop", "No project")},
    {"sweep", QT_TRANSLATE_NOOP("trainyard::desktop", "Sweep"), QT_TRANSLATE_NOOP("trainyard::desktop", "No sweep")},
    {"host", QT_TRANSLATE_NOOP("trainyard::desktop", "Host"), QT_TRANSLATE_NOOP("trainyard::desktop", "No host yet")},
    {"state", QT_TRANSLATE_NOOP("trainyard::desktop", "State"), ""},
    {"setting", "", QT_TRANSLATE_NOOP("trainyard::desktop", "Without this setting")},
}};
constexpr const char* kSettingPrefix = "setting:";

const GroupWords& words_of(GroupKind kind) {
    return kGroupWords[static_cast<std::size_t>(kind)];
}

QString setting_of(const RunSummary& run, const QString& name) {
    const ConfigEntry* entry = run.config ? run.config->find(name) : nullptr;
    return entry == nullptr ? QString() : entry->text;
}

}  // namespace

QString Grouping::title() const {
    return kind == GroupKind::Setting ? setting : tr(words_of(kind).title);
}

QString Grouping::key() const {
    return kind == GroupKind::Setting ? QLatin1String(kSettingPrefix) + setting : QLatin1String(words_of(kind).key);
}

Grouping Grouping::ofKey(const QString& key) {
    if (key.startsWith(QLatin1String(kSettingPrefix)))
        return {GroupKind::Setting, key.mid(QLatin1String(kSettingPrefix).size())};
    for (std::size_t kind = 1; kind + 1 < kGroupWords.size(); ++kind)
        if (key == QLatin1String(kGroupWords[kind].key))
            return {static_cast<GroupKind>(kind)};
    return {};
}

QString groupOf(const RunSummary& run, const Grouping& grouping) {
    switch (grouping.kind) {
        case GroupKind::None:
            return {};
        case GroupKind::Name:
            return qt(name_stem(run.name.toStdString()));
        case GroupKind::Tags: {
            QStringList tags = run.tags;  // runs with the same tags, in whatever order they were given
            tags.sort();
            return tags.join(QStringLiteral(", "));
        }
        case GroupKind::Project:
            for (const char* name : {"project_name", "project"})
                if (const QString project = setting_of(run, QLatin1String(name)); !project.isEmpty())
                    return project;
            return {};
        case GroupKind::Sweep: {
            // Trials are named after the folder of their sweep (sweep/sweep.h).
            static const QRegularExpression trial(QStringLiteral("^(.+-[0-9a-f]{4,8})-[0-9]{3,}(-[0-9]+)?$"));
            return run.tags.isEmpty() ? QString() : trial.match(run.ownName).captured(1);
        }
        case GroupKind::Host:
            return run.hosts.join(QStringLiteral(", "));
        case GroupKind::State:
            return phaseWord(run.phase);
        case GroupKind::Setting:
            return setting_of(run, grouping.setting);
    }
    return {};
}

std::optional<Spread> spreadOf(const QVector<double>& values) {
    Spread spread;
    double squares = 0;  // of the distances from the mean so far (Welford)
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        spread.least = spread.runs == 0 ? value : std::min(spread.least, value);
        spread.most = spread.runs == 0 ? value : std::max(spread.most, value);
        const double before = value - spread.mean;
        spread.mean += before / ++spread.runs;
        squares += before * (value - spread.mean);
    }
    if (spread.runs == 0)
        return std::nullopt;
    spread.deviation = spread.runs > 1 ? std::sqrt(squares / (spread.runs - 1)) : 0;
    return spread;
}

QVector<RunGroup> groupRuns(const QVector<const RunSummary*>& runs, const Grouping& grouping,
                            QHash<QString, QString>& keys) {
    keys.clear();
    if (grouping.kind == GroupKind::None)
        return {};
    QVector<RunGroup> groups;
    QHash<QString, qsizetype> places;
    for (const RunSummary* run : runs) {
        const QString key = groupOf(*run, grouping);
        keys.insert(run->path, key);
        auto place = places.find(key);
        if (place == places.end()) {
            place = places.insert(key, groups.size());
            const QString named =
                grouping.kind == GroupKind::Setting ? QStringLiteral("%1 = %2").arg(grouping.setting, key) : key;
            groups << RunGroup{key, key.isEmpty() ? tr(words_of(grouping.kind).none) : named, {}};
        }
        groups[*place].paths << run->path;
    }
    QCollator order;
    order.setNumericMode(true);
    order.setCaseSensitivity(Qt::CaseInsensitive);
    std::sort(groups.begin(), groups.end(), [&order](const RunGroup& a, const RunGroup& b) {
        if (a.key.isEmpty() != b.key.isEmpty())
            return b.key.isEmpty();
        const int way = order.compare(a.title, b.title);
        return way == 0 ? a.key < b.key : way < 0;
    });
    return groups;
}

}  // namespace trainyard::desktop
