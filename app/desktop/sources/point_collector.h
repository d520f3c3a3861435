// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Collects points of many curves for a batch in a reading thread. Long sequences are sealed into chunks.

#include <functional>
#include <string>
#include <vector>

#include "desktop/sources/curve_batch.h"
#include "widgets/plot/series.h"

namespace trainyard::desktop {

class PointCollector {
  public:
    explicit PointCollector(widgets::EarlierStep earlier) : earlier_(earlier) {}

    /// `tag`: a small number; name_of() of flush() returns its name.
    void add(int tag, const widgets::SeriesPoint& point) {
        const auto place = static_cast<std::size_t>(tag);
        if (place >= points_.size())
            points_.resize(place + 1);
        if (points_[place].empty())
            waiting_.push_back(tag);
        points_[place].push_back(point);
    }
    bool empty() const { return waiting_.empty(); }
    /// Moves the collected points into `batch` as changes.
    void flush(CurveBatch& batch, const std::function<std::string(int)>& name_of);
    void drop();
    /// Releases unused memory when everything has been read. No points may be pending.
    void rest();

  private:
    widgets::EarlierStep earlier_;
    std::vector<std::vector<widgets::SeriesPoint>> points_;  ///< by tag
    std::vector<int> waiting_;                               ///< tags with pending points
};

}  // namespace trainyard::desktop
