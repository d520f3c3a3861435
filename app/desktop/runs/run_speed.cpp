// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_speed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "desktop/runs/run_details.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/text/words.h"
#include "models/spec/family.h"

namespace trainyard::desktop {

namespace {

/// Keys, besides the model, that determine the time per token. The batch size matters less and is only compared if two
/// runs are equally new.
constexpr std::array kDecisive{"data.sequence_length", "training.mixed_precision"};

/// Keys of a model that do not affect the time.
constexpr std::array kBeside{"model.weights", "model.freeze", "model.id2label", "model.initializer_range"};

bool trains_alike(const RunConfig& config, const QMap<QString, QString>& values) {
    auto is_one_of = [](const auto& keys, const QString& key) {
        return std::any_of(keys.begin(), keys.end(), [&](const char* each) { return key == QLatin1String(each); });
    };
    for (auto value = values.begin(); value != values.end(); ++value) {
        const bool decides = is_one_of(kDecisive, value.key()) ||
                             (value.key().startsWith(QLatin1String("model.")) && !is_one_of(kBeside, value.key()));
        const ConfigEntry* entry = decides ? config.find(value.key()) : nullptr;
        // Runs of earlier versions do not have all keys.
        if (entry != nullptr ? entry->text != value.value() : is_one_of(kDecisive, value.key()))
            return false;
    }
    return true;
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
        // A share above 1 means that the peak was measured on a busy machine.
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

std::optional<KnownSpeed> estimated_speed(const config::Recipe& recipe, int ranks, const estimate::KnownPeak& peak,
                                          const std::optional<ReachedShare>& reached) {
    const double share = reached ? reached->share : kUsualShare;
    const double per_token =
        families::family_of(recipe.model).flops_per_sample(recipe.model, config::sample_size(recipe)) /
        static_cast<double>(recipe.data.sequence_length);
    if (per_token == 0)
        return std::nullopt;
    KnownSpeed speed;
    speed.tokens_per_second = ranks * peak.flops_per_s * share / per_token;
    const auto quantity = [](double value) { return qtNumber(text::quantity(value)); };
    speed.how = tr("Estimated: a token takes %1FLOP, and each rank computes %2 % of the %3FLOP/s that were measured as "
                   "the peak (%4). %5")
                    .arg(quantity(per_token), QString::number(std::lround(100 * share)), quantity(peak.flops_per_s),
                         absoluteTime(peak.time),
                         reached ? tr("That share is the median of %Ln runs on this machine.", nullptr, reached->runs)
                                 : tr("That share is a default: no run has reported its own yet."));
    return speed;
}

}  // namespace trainyard::desktop
