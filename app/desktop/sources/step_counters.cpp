// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/step_counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace trainyard::desktop {

namespace {

constexpr std::array<std::string_view, 9> kTokens{"tokens",          "num_tokens",      "total_tokens",
                                                  "tokens_seen",     "num_tokens_seen", "consumed_tokens",
                                                  "tokens_consumed", "n_tokens",        "num_input_tokens_seen"};
constexpr std::array<std::string_view, 2> kEpochs{"epoch", "epochs"};

template <std::size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Counted in a step, by the newest point; 0: it counts nothing.
double in_a_step(const CurveStore& store, const std::string& tag) {
    if (tag.empty())
        return 0;
    const widgets::Series& series = store.series(tag);
    if (series.empty())
        return 0;
    const widgets::SeriesPoint last = series.point(series.size() - 1);
    return last.step > 0 && std::isfinite(last.value) && last.value > 0 && last.value >= series.value(0)
               ? last.value / static_cast<double>(last.step)
               : 0;
}

}  // namespace

void StepCounters::look(const CurveStore& store) {
    const std::vector<TagInfo>& tags = store.tags();
    if (tags.size() < seen_)
        *this = {};
    for (; seen_ < tags.size(); ++seen_) {
        const TagInfo& info = tags[seen_];
        if (info.kind != TagKind::Scalar)
            continue;
        const std::string_view name = std::string_view(info.tag).substr(info.tag.rfind('/') + 1);
        if (tokens_.empty() && is_one_of(kTokens, name))
            tokens_ = info.tag;
        if (epochs_.empty() && is_one_of(kEpochs, name))
            epochs_ = info.tag;
    }
}

void StepCounters::fill(widgets::XScale& scale, const CurveStore& store) const {
    if (const double tokens = in_a_step(store, tokens_); tokens > 0 && scale.unit == widgets::XUnit::Tokens)
        scale.tokens_per_step = tokens;
    if (const double epochs = in_a_step(store, epochs_); epochs > 0 && scale.unit == widgets::XUnit::Epoch)
        scale.steps_per_epoch = 1 / epochs;
}

}  // namespace trainyard::desktop
