#include "desktop/sources/point_collector.h"

#include <algorithm>

namespace trainyard::desktop {

void PointCollector::flush(CurveBatch& batch, const std::function<std::string(int)>& name_of) {
    const auto earlier = [](const widgets::SeriesPoint& a, const widgets::SeriesPoint& b) { return a.step < b.step; };
    for (const int tag : waiting_) {
        std::vector<widgets::SeriesPoint> points = std::move(points_[static_cast<std::size_t>(tag)]);
        points_[static_cast<std::size_t>(tag)].clear();
        const std::string name = name_of(tag);
        if (earlier_ == widgets::EarlierStep::IsSortedIn && !std::is_sorted(points.begin(), points.end(), earlier))
            std::stable_sort(points.begin(), points.end(), earlier);
        if (points.size() < widgets::SeriesPiece::kWorthSealing) {
            batch.changes.push_back({CurveChange::Kind::Points, name, 0, std::move(points)});
            continue;
        }
        widgets::SeriesPiece piece;
        const auto hand_over = [&] {
            piece.finish();
            batch.changes.push_back(
                {CurveChange::Kind::Points, name, 0, std::move(piece.points), std::move(piece.chunks)});
            piece = {};
        };
        for (const widgets::SeriesPoint& point : points) {
            if (!piece.takes(point.step))
                hand_over();
            piece.add(point);
        }
        hand_over();
    }
    waiting_.clear();
}

void PointCollector::drop() {
    for (const int tag : waiting_)
        points_[static_cast<std::size_t>(tag)].clear();
    waiting_.clear();
}

}  // namespace trainyard::desktop
