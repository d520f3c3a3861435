#pragma once
// Points of many curves on their way into a batch, collected in a reading thread: sealed where they are many.

#include <functional>
#include <string>
#include <vector>

#include "desktop/sources/curve_batch.h"
#include "widgets/plot/series.h"

namespace trainyard::desktop {

class PointCollector {
  public:
    explicit PointCollector(widgets::EarlierStep earlier) : earlier_(earlier) {}

    /// `tag`: a small number, of which name_of() of flush() tells the name.
    void add(int tag, const widgets::SeriesPoint& point) {
        const auto place = static_cast<std::size_t>(tag);
        if (place >= points_.size())
            points_.resize(place + 1);
        if (points_[place].empty())
            waiting_.push_back(tag);
        points_[place].push_back(point);
    }
    bool empty() const { return waiting_.empty(); }
    /// What was collected, as changes.
    void flush(CurveBatch& batch, const std::function<std::string(int)>& name_of);
    void drop();
    /// All is read for now: memory that waits for more is given back. Nothing is collected yet.
    void rest();

  private:
    widgets::EarlierStep earlier_;
    std::vector<std::vector<widgets::SeriesPoint>> points_;  ///< by tag
    std::vector<int> waiting_;                               ///< tags that have some
};

}  // namespace trainyard::desktop
