// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/early_stopping.h"

#include <algorithm>
#include <cmath>

namespace trainyard::sweep {

namespace {

bool is_better(double a, double b, Direction direction) {
    return direction == Direction::minimize ? a < b : a > b;
}

double median_of(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace

std::optional<CurveValue> best_of(const Curve& curve, Direction direction, std::optional<std::int64_t> last) {
    std::optional<CurveValue> best;
    for (const CurveValue& one : curve) {
        if (last && one.step > *last)
            break;
        if (!std::isnan(one.value) && (!best || is_better(one.value, best->value, direction)))
            best = one;
    }
    return best;
}

std::optional<std::int64_t> step_to_stop(const EarlyStopping& rule, Direction direction, const Curve& trial,
                                         std::span<const Curve* const> others) {
    if (rule.method == EarlyRule::none || std::ssize(others) < rule.startup_trials)
        return std::nullopt;
    for (const CurveValue& at : trial) {
        if (at.step < rule.warmup_steps)
            continue;
        const std::optional<CurveValue> best = best_of(trial, direction, at.step);
        if (!best)
            return at.step;  // it diverged
        std::vector<double> values;
        for (const Curve* other : others)
            if (const auto same = std::ranges::find(*other, at.step, &CurveValue::step);
                same != other->end() && !std::isnan(same->value))
                values.push_back(same->value);
        if (!values.empty() && is_better(median_of(std::move(values)), best->value, direction))
            return at.step;
    }
    return std::nullopt;
}

}  // namespace trainyard::sweep
