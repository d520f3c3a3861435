// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Curves computed from curves, kept up to date while those grow: median of the neighbours, best so far, and the difference of two.
// Steps and wall times are those of the (first) source.

#include <cstddef>
#include <optional>
#include <vector>

#include "widgets/plot/series.h"

namespace trainyard::widgets {

/// Odd number of points whose median stands for a smoothing weight: 2 / (1 - w) - 1, the span over which the moving average of that
/// weight looks back (its points have the same mean age), at most 401.
int median_span(double weight);

/// Median of the `span` points around each (fewer at both ends); values that are not finite pass through and do not count.
class MedianSeries {
  public:
    /// Brings it up to `source`, computing at most `most` points in this call; false when more remain.
    bool follow(const Series& source, int span, std::size_t most = SIZE_MAX);
    const Series& series() const { return out_; }

  private:
    Series out_;
    int span_ = 0;
    int cuts_ = -1;
    std::size_t settled_ = 0;  ///< points whose neighbours are all known
};

/// Lowest (or highest) finite value up to each point; points before the first finite one are left out.
class BestSeries {
  public:
    bool follow(const Series& source, bool lowest, std::size_t most = SIZE_MAX);
    const Series& series() const { return out_; }
    std::size_t skipped() const { return seen_ - out_.size(); }  ///< points left out before the first

  private:
    Series out_;
    bool lowest_ = true;
    int cuts_ = -1;
    std::size_t seen_ = 0;
    std::optional<double> best_;
};

/// a - b at the steps both have. Where a step occurs several times in one of them, its last value counts.
class DifferenceSeries {
  public:
    void follow(const Series& a, const Series& b);
    const Series& series() const { return out_; }

  private:
    Series out_;
    int cuts_a_ = -1, cuts_b_ = -1;
    std::size_t at_a_ = 0, at_b_ = 0;
};

/// Mean, lowest and highest of several curves at the steps that all of those which reach so far share: for a group of runs.
struct GroupSeries {
    Series mean, lowest, highest;
};
GroupSeries group_of(const std::vector<const Series*>& members);

}  // namespace trainyard::widgets
