#include "widgets/plot/series.h"

#include <algorithm>
#include <cmath>

namespace trainyard::widgets {

double XScale::atStep(double step) const {
    switch (unit) {
        case XUnit::Tokens:
            return step * tokens_per_step + shift;
        case XUnit::Epoch:
            return step / steps_per_epoch + shift;
        default:
            return step + shift;
    }
}

double XScale::atTime(double wall_time) const {
    return (unit == XUnit::Wall ? wall_time : wall_time - start) + shift;
}

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
    return scale.isTime() ? scale.atTime(wall_times_[index]) : scale.atStep(static_cast<double>(steps_[index]));
}

std::size_t Series::lowerBound(double x, const XScale& scale) const {
    if (scale.isTime())
        return static_cast<std::size_t>(
            std::lower_bound(wall_times_.begin(), wall_times_.end(), x,
                             [&scale](double time, double at) { return scale.atTime(time) < at; }) -
            wall_times_.begin());
    const auto found = std::lower_bound(steps_.begin(), steps_.end(), x, [&scale](std::int64_t step, double at) {
        return scale.atStep(static_cast<double>(step)) < at;
    });
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
