// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The smoothed twin of a series: exponential moving average without the bias of its start, as TensorBoard draws it
// (tensorboard/webapp/widgets/line_chart_v2 and vz_line_chart2: `resmoothDataset`):
//     last = last * w + (1 - w) * x;  smoothed = last / (1 - w^n)
// Values that are not finite pass through and do not count; a series of one repeated value stays as it is.

#include <cstddef>
#include <vector>

#include "widgets/plot/packed_values.h"
#include "widgets/plot/series.h"

namespace trainyard::widgets {

/// The plain formula over a whole column; `weight` in [0, 1).
std::vector<double> smoothed(const std::vector<double>& values, double weight);

/// Kept up to date with a series that grows: only new points are computed. Computed in double precision, kept as floats: 4.3 bytes a
/// point.
class SmoothedColumn {
  public:
    /// Brings the column up to `series`, at most `most` points a call; starts over when the weight changed or points were dropped. False
    /// when more remain.
    bool follow(const Series& series, double weight, std::size_t most = SIZE_MAX);

    std::size_t size() const { return blocks_.size() * PackedValues::kMost + open_.size(); }
    double value(std::size_t index) const {
        const std::size_t block = index / PackedValues::kMost;
        return block < blocks_.size() ? blocks_[block][index % PackedValues::kMost]
                                      : open_[index % PackedValues::kMost];
    }
    Extremes extremes(std::size_t first, std::size_t last) const;
    /// Smallest value above zero in [first, last); HUGE_VAL when there is none.
    double lowestAboveZero(std::size_t first, std::size_t last) const;

  private:
    void beginAgain();
    void push(double value);

    std::vector<PackedValues> blocks_;  ///< of kMost values each
    std::vector<double> open_;          ///< what fills no block yet; floats, too
    double weight_ = -1;
    int cuts_ = -1;
    double last_ = 0;
    double first_ = 0;  ///< of the series
    std::size_t counted_ = 0;
    bool constant_ = true;
};

}  // namespace trainyard::widgets
