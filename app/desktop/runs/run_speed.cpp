#include "desktop/runs/run_speed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "desktop/runs/run_details.h"
#include "desktop/translate.h"
#include "desktop/words.h"
#include "families/family.h"

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
    return KnownSpeed{*newest->tokensPerSecond, newest->name, {}};
}

std::optional<ReachedShare> reached_share(const RunSummaries& runs, const QString& format) {
    std::vector<double> alike, all;
    for (const RunSummary& run : runs) {
        const MetricEntry* share = run.metrics ? run.metrics->find(QStringLiteral("train/mfu")) : nullptr;
        // Above the peak nothing computes: such a peak was measured on a busy machine.
        if (share == nullptr || run.gpus > 0 || run.hosts != QStringList{tr("this machine")} || !(share->mean > 0) ||
            share->mean > 1)
            continue;
        all.push_back(share->mean);
        const ConfigEntry* precision =
            run.config ? run.config->find(QStringLiteral("training.mixed_precision")) : nullptr;
        if (precision != nullptr && precision->text == format)
            alike.push_back(share->mean);
    }
    std::vector<double>& counted = alike.empty() ? all : alike;
    if (counted.empty())
        return std::nullopt;
    const auto middle = counted.begin() + static_cast<std::ptrdiff_t>(counted.size() / 2);
    std::nth_element(counted.begin(), middle, counted.end());
    return ReachedShare{*middle, static_cast<int>(counted.size())};
}

KnownSpeed estimated_speed(const config::Recipe& recipe, int ranks, const estimate::KnownPeak& peak,
                           const std::optional<ReachedShare>& reached) {
    const double share = reached ? reached->share : kUsualShare;
    const double per_token =
        families::family_of(recipe.model).flops_per_token(recipe.model, recipe.data.sequence_length);
    KnownSpeed speed;
    speed.tokens_per_second = ranks * peak.flops_per_s * share / per_token;
    const auto quantity = [](double value) { return QString::fromStdString(text::quantity(value)); };
    speed.how = tr("Estimated: a token takes %1FLOP, and each rank computes %2 % of the %3FLOP/s that were measured as "
                   "the peak (%4). %5")
                    .arg(quantity(per_token), QString::number(std::lround(100 * share)), quantity(peak.flops_per_s),
                         absoluteTime(peak.time),
                         reached ? tr("That share is the median of %n runs on this machine.", nullptr, reached->runs)
                                 : tr("That share is a usual one: no run has told its own yet."));
    return speed;
}

}  // namespace trainyard::desktop
