// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Estimates how fast this machine would train a recipe: as the newest run with the same model, sequence length, number
// format and ranks; without such a run, from the operations of a step, the measured peak of the machine and the share
// of the peak that runs reach.

#include <optional>

#include <QMap>
#include <QString>

#include "config/recipe/recipe.h"
#include "desktop/runs/run_summary.h"
#include "estimate/known_peaks.h"

namespace trainyard::desktop {

struct KnownSpeed {
    double tokens_per_second = 0;  ///< of all ranks together
    QString run;                   ///< whose; empty: it was estimated
    QString how;                   ///< of an estimate: one sentence that says from what
};

/// The properties of a recipe that its speed depends on.
struct SpeedQuestion {
    QMap<QString, QString>
        values;     ///< of the recipe, as run::flat_keys() tells them, with the number format of the settings
    int ranks = 1;  ///< in all
    std::optional<config::Recipe>
        recipe{};     ///< nothing: it has errors, or is not trained on this machine's processors alone
    int threads = 1;  ///< of a rank
};

std::optional<KnownSpeed> known_speed(const RunSummaries& runs, const QMap<QString, QString>& values, int ranks);

/// The share of the peak that runs on this machine's processors reached: the median of their means, of those with this
/// number format if there are any. Returns nullopt if no run reported it.
struct ReachedShare {
    double share = 0;
    int runs = 0;
};
std::optional<ReachedShare> reached_share(const RunSummaries& runs, const QString& format);

/// Assumed share if no run reported it. On two cores the sample reached 0.6, smaller models on a busy machine 0.2.
inline constexpr double kUsualShare = 0.4;

/// `peak`: of one of the ranks. Nothing: the model's operations depend on the data.
std::optional<KnownSpeed> estimated_speed(const config::Recipe& recipe, int ranks, const estimate::KnownPeak& peak,
                                          const std::optional<ReachedShare>& reached);

}  // namespace trainyard::desktop
