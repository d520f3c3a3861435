#pragma once
// How fast a recipe would be trained here, by the runs that were: the newest with the same model, sequences, number format and ranks.

#include <optional>

#include <QMap>
#include <QString>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

struct KnownSpeed {
    double tokens_per_second = 0;  ///< of all ranks together
    QString run;                   ///< whose
};

/// `values`: of the recipe, by dotted key, with the number format of the settings.
std::optional<KnownSpeed> known_speed(const RunSummaries& runs, const QMap<QString, QString>& values, int ranks);

}  // namespace trainyard::desktop
