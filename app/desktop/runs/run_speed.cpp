#include "desktop/runs/run_speed.h"

#include <algorithm>
#include <array>

#include "desktop/runs/run_details.h"

namespace trainyard::desktop {

namespace {

/// What the time of a token depends on. The batch matters less, and is told apart only where two runs are equally new.
constexpr std::array kDecisive{"model.n_layer",    "model.n_head",         "model.n_embd",
                               "model.vocab_size", "data.sequence_length", "training.mixed_precision"};

bool trains_alike(const RunConfig& config, const QMap<QString, QString>& values) {
    return std::all_of(kDecisive.begin(), kDecisive.end(), [&](const char* key) {
        const ConfigEntry* entry = config.find(QLatin1String(key));
        return entry != nullptr && entry->text == values.value(QLatin1String(key));
    });
}

}  // namespace

std::optional<KnownSpeed> known_speed(const RunSummaries& runs, const QMap<QString, QString>& values, int ranks) {
    const RunSummary* newest = nullptr;
    for (const RunSummary& run : runs)
        if (run.config && run.ranks == ranks && run.tokensPerSecond.value_or(0) > 0 &&
            (newest == nullptr || run.created > newest->created) && trains_alike(*run.config, values))
            newest = &run;
    if (newest == nullptr)
        return std::nullopt;
    return KnownSpeed{*newest->tokensPerSecond, newest->name};
}

}  // namespace trainyard::desktop
