// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/smoothing.h"

#include <algorithm>
#include <cmath>

namespace trainyard::widgets {

namespace {

/// 1 - w^n. The power is below half a unit in the last place of 1 long before n gets large: no pow() for most of a long column.
double debias(double weight, std::size_t count) {
    static constexpr double kNegligible = -38.0;  // log of 3e-17
    if (weight <= 0 || static_cast<double>(count) * std::log(weight) < kNegligible)
        return 1;
    return 1 - std::pow(weight, static_cast<double>(count));
}

}  // namespace

std::vector<double> smoothed(const std::vector<double>& values, double weight) {
    if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); }))
        return values;
    std::vector<double> result;
    result.reserve(values.size());
    double last = 0;
    std::size_t counted = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) {
            result.push_back(value);
            continue;
        }
        last = last * weight + (1 - weight) * value;
        result.push_back(last / debias(weight, ++counted));
    }
    return result;
}

void SmoothedColumn::beginAgain() {
    blocks_.clear();
    open_.clear();
    last_ = 0;
    counted_ = 0;
}

void SmoothedColumn::push(double value) {
    open_.push_back(static_cast<float>(value));
    if (open_.size() == PackedValues::kMost) {
        blocks_.emplace_back(open_);
        open_.clear();
    }
}

bool SmoothedColumn::follow(const Series& series, double weight, std::size_t most) {
    if (weight != weight_ || series.cuts() != cuts_ || series.size() < size()) {
        beginAgain();
        weight_ = weight;
        cuts_ = series.cuts();
        constant_ = true;
    }
    if (size() == series.size())
        return true;
    if (size() == 0)
        first_ = series.value(0);
    const std::size_t end = most < series.size() - size() ? size() + most : series.size();
    if (constant_) {
        bool differs = false;
        series.forEach(size(), end,
                       [&](std::size_t, const SeriesPoint& point) { differs = differs || point.value != first_; });
        if (differs) {
            // The values so far were given back as they are; smoothing them differs in the last digit.
            constant_ = false;
            beginAgain();
        }
    }
    bool settled = false;
    series.forEach(size(), end, [&](std::size_t, const SeriesPoint& point) {
        if (!std::isfinite(point.value)) {
            push(point.value);
            return;
        }
        last_ = last_ * weight + (1 - weight) * point.value;
        ++counted_;
        const double correction = settled ? 1 : debias(weight, counted_);
        settled = correction == 1;
        push(constant_ ? point.value : last_ / correction);
    });
    return end == series.size();
}

Extremes SmoothedColumn::extremes(std::size_t first, std::size_t last) const {
    Extremes found;
    const std::size_t open = blocks_.size() * PackedValues::kMost;
    for (std::size_t at = first; at < std::min(last, open);) {
        const std::size_t block = at / PackedValues::kMost, start = block * PackedValues::kMost;
        found.add(blocks_[block].extremes(at - start, std::min(PackedValues::kMost, last - start)), start);
        at = start + PackedValues::kMost;
    }
    if (last > open)
        found.add(plain_extremes(std::max(first, open) - open, last - open, [&](std::size_t i) { return open_[i]; }),
                  open);
    return found;
}

double SmoothedColumn::lowestAboveZero(std::size_t first, std::size_t last) const {
    double lowest = HUGE_VAL;
    const std::size_t open = blocks_.size() * PackedValues::kMost;
    for (std::size_t at = first; at < std::min(last, open);) {
        const std::size_t block = at / PackedValues::kMost, start = block * PackedValues::kMost;
        lowest =
            std::min(lowest, blocks_[block].lowestAboveZero(at - start, std::min(PackedValues::kMost, last - start)));
        at = start + PackedValues::kMost;
    }
    for (std::size_t at = std::max(first, open); at < last; ++at)
        if (value(at) > 0)
            lowest = std::min(lowest, value(at));
    return lowest;
}

}  // namespace trainyard::widgets
