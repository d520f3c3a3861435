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
    Series series;
    std::vector<SeriesPoint> points;
    points.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        points.push_back({static_cast<std::int64_t>(i), 0, values[i]});
    series.append(points);
    SmoothedColumn column;
    column.follow(series, weight);
    return column.values();
}

void SmoothedColumn::beginAgain() {
    values_.clear();
    pyramid_.cut(0);
    last_ = 0;
    counted_ = 0;
}

void SmoothedColumn::follow(const Series& series, double weight) {
    if (weight != weight_ || series.cuts() != cuts_ || series.size() < values_.size()) {
        beginAgain();
        weight_ = weight;
        cuts_ = series.cuts();
        constant_ = true;
    }
    const std::vector<double>& raw = series.values();
    if (values_.size() == raw.size())
        return;
    if (constant_ && std::any_of(raw.begin() + static_cast<std::ptrdiff_t>(values_.size()), raw.end(),
                                 [&](double value) { return value != raw.front(); })) {
        // The values so far were given back as they are; smoothing them differs in the last digit.
        constant_ = false;
        beginAgain();
    }
    values_.reserve(raw.size());
    bool settled = false;
    for (std::size_t i = values_.size(); i < raw.size(); ++i) {
        const double value = raw[i];
        if (!std::isfinite(value)) {
            values_.push_back(value);
            continue;
        }
        last_ = last_ * weight + (1 - weight) * value;
        ++counted_;
        const double correction = settled ? 1 : debias(weight, counted_);
        settled = correction == 1;
        values_.push_back(constant_ ? value : last_ / correction);
    }
    pyramid_.grow(values_);
}

}  // namespace trainyard::widgets
