// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/point_collector.h"

#include <algorithm>

namespace trainyard::desktop {

namespace {
constexpr std::size_t kMostKept = 1u << 16;  // points
constexpr std::size_t kFew = 64;             // what a run that is watched brings at a time
}  // namespace

void PointCollector::flush(CurveBatch& batch, const std::function<std::string(int)>& name_of) {
    const auto earlier = [](const widgets::SeriesPoint& a, const widgets::SeriesPoint& b) { return a.step < b.step; };
    for (const int tag : waiting_) {
        std::vector<widgets::SeriesPoint>& points = points_[static_cast<std::size_t>(tag)];
        const std::string name = name_of(tag);
        // The curve finds the passages by the order in which they were written.
        const bool as_written =
            earlier_ == widgets::EarlierStep::RepeatOvertakes && !std::is_sorted(points.begin(), points.end(), earlier);
        if (as_written || points.size() < widgets::SeriesPiece::kWorthSealing) {
            batch.changes.push_back({CurveChange::Kind::Points, name, 0, std::move(points)});
            points.clear();
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
        points.clear();  // the memory stays for the next batch: a long log comes in many
        if (points.capacity() > kMostKept)
            points.shrink_to_fit();
    }
    waiting_.clear();
}

void PointCollector::rest() {
    for (std::vector<widgets::SeriesPoint>& points : points_)
        if (points.capacity() > kFew)
            points.shrink_to_fit();
}

void PointCollector::drop() {
    for (const int tag : waiting_)
        points_[static_cast<std::size_t>(tag)].clear();
    waiting_.clear();
}

}  // namespace trainyard::desktop
