#pragma once
// The smoothed twin of a series: exponential moving average without the bias of its start, as TensorBoard draws it
// (tensorboard/webapp/widgets/line_chart_v2 and vz_line_chart2: `resmoothDataset`):
//     last = last * w + (1 - w) * x;  smoothed = last / (1 - w^n)
// Values that are not finite pass through and do not count; a series of one repeated value stays as it is.

#include <vector>

#include "widgets/plot/min_max_pyramid.h"
#include "widgets/plot/series.h"

namespace trainyard::widgets {

/// The plain formula over a whole column; `weight` in [0, 1).
std::vector<double> smoothed(const std::vector<double>& values, double weight);

/// Kept up to date with a series that grows: only new points are computed.
class SmoothedColumn {
  public:
    /// Brings the column up to `series`; starts over when the weight changed or points were dropped.
    void follow(const Series& series, double weight);
    const std::vector<double>& values() const { return values_; }
    const MinMaxPyramid& pyramid() const { return pyramid_; }

  private:
    void beginAgain();

    std::vector<double> values_;
    MinMaxPyramid pyramid_;
    double weight_ = -1;
    int cuts_ = -1;
    double last_ = 0;
    std::size_t counted_ = 0;
    bool constant_ = true;
};

}  // namespace trainyard::widgets
