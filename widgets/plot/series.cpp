#include "widgets/plot/series.h"

#include <algorithm>
#include <cmath>

namespace trainyard::widgets {

void Series::push(const SeriesPoint& point) {
    if (!steps_.empty() && point.step < steps_.back())
        dropFrom(point.step);
    if (!std::isfinite(point.value))
        not_finite_.push_back(static_cast<std::uint32_t>(values_.size()));
    wall_times_.push_back(wall_times_.empty() ? point.wall_time : std::max(wall_times_.back(), point.wall_time));
    steps_.push_back(point.step);
    values_.push_back(point.value);
}

void Series::append(const SeriesPoint& point) {
    push(point);
    pyramid_.grow(values_);
}

void Series::append(const std::vector<SeriesPoint>& points) {
    for (const SeriesPoint& point : points)
        push(point);
    pyramid_.grow(values_);
}

void Series::dropFrom(std::int64_t step) {
    const auto first = std::lower_bound(steps_.begin(), steps_.end(), step);
    if (first != steps_.end())
        cut(static_cast<std::size_t>(first - steps_.begin()));
}

void Series::clear() {
    if (!empty())
        cut(0);
}

void Series::cut(std::size_t size) {
    steps_.resize(size);
    wall_times_.resize(size);
    values_.resize(size);
    while (!not_finite_.empty() && not_finite_.back() >= size)
        not_finite_.pop_back();
    pyramid_.cut(size);
    ++cuts_;
}

double Series::x(std::size_t index, const XScale& scale) const {
    switch (scale.unit) {
        case XUnit::Time:
            return wall_times_[index] - scale.start;
        case XUnit::Tokens:
            return static_cast<double>(steps_[index]) * scale.tokens_per_step;
        case XUnit::Step:
            break;
    }
    return static_cast<double>(steps_[index]);
}

std::size_t Series::lowerBound(double x, const XScale& scale) const {
    if (scale.unit == XUnit::Time)
        return static_cast<std::size_t>(std::lower_bound(wall_times_.begin(), wall_times_.end(), x + scale.start) -
                                        wall_times_.begin());
    const double step = scale.unit == XUnit::Tokens ? x / scale.tokens_per_step : x;
    const auto found = std::lower_bound(steps_.begin(), steps_.end(), step,
                                        [](std::int64_t a, double b) { return static_cast<double>(a) < b; });
    return static_cast<std::size_t>(found - steps_.begin());
}

std::size_t Series::nearest(double at, const XScale& scale) const {
    const std::size_t right = lowerBound(at, scale);
    if (right == 0)
        return 0;
    if (right == size())
        return size() - 1;
    return at - x(right - 1, scale) <= x(right, scale) - at ? right - 1 : right;
}

}  // namespace trainyard::widgets
