#pragma once
// One curve in memory: columns of step, wall time and value, with a pyramid of extremes over the values. All points are kept;
// what is drawn is a reduction of the visible part (reduction.h). 24.5 bytes a point.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "widgets/plot/min_max_pyramid.h"

namespace trainyard::widgets {

struct SeriesPoint {
    std::int64_t step = 0;
    double wall_time = 0;  ///< seconds
    double value = 0;
};

/// What the horizontal axis counts. Time is relative, seconds since `XScale::start`; Wall is seconds since 1970.
enum class XUnit { Step, Time, Tokens, Epoch, Wall };

/// From the columns of a series to positions on the horizontal axis. Curves of several runs in one chart have each their own.
struct XScale {
    XUnit unit = XUnit::Step;
    double start = 0;            ///< wall time that is zero seconds
    double tokens_per_step = 1;  ///< for Tokens
    double steps_per_epoch = 1;  ///< for Epoch
    double shift = 0;            ///< in units of the axis, added last: to lay a run beside another

    double atStep(double step) const;       ///< for Step, Tokens, Epoch
    double atTime(double wall_time) const;  ///< for Time, Wall
    bool isTime() const { return unit == XUnit::Time || unit == XUnit::Wall; }
    bool operator==(const XScale&) const = default;
};

class Series {
  public:
    /// A step below the last one means that the run went back to it: what lies at or after it is dropped first, as TensorBoard does.
    /// A wall time below the last one is raised to it, so that both columns ascend.
    void append(const SeriesPoint& point);
    void append(const std::vector<SeriesPoint>& points);
    /// Drops all points at `step` and after it.
    void dropFrom(std::int64_t step);
    void clear();

    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    std::int64_t step(std::size_t index) const { return steps_[index]; }
    double wallTime(std::size_t index) const { return wall_times_[index]; }
    double value(std::size_t index) const { return values_[index]; }
    const std::vector<double>& values() const { return values_; }
    const MinMaxPyramid& pyramid() const { return pyramid_; }
    Extremes extremes(std::size_t first, std::size_t last) const { return pyramid_.extremes(values_, first, last); }

    double x(std::size_t index, const XScale& scale) const;
    /// First point at or right of `x`; size() when there is none.
    std::size_t lowerBound(double x, const XScale& scale) const;
    /// Point nearest to `x`; the series is not empty.
    std::size_t nearest(double x, const XScale& scale) const;

    /// Indices of the points whose value is not finite, ascending.
    const std::vector<std::uint32_t>& notFinite() const { return not_finite_; }
    /// Grows when points were dropped: what was computed from the series is void.
    int cuts() const { return cuts_; }

  private:
    void cut(std::size_t size);
    void push(const SeriesPoint& point);

    std::vector<std::int64_t> steps_;
    std::vector<double> wall_times_;
    std::vector<double> values_;
    std::vector<std::uint32_t> not_finite_;
    MinMaxPyramid pyramid_;
    int cuts_ = 0;
};

}  // namespace trainyard::widgets
