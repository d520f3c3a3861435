// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_layout.h"

#include <algorithm>

namespace trainyard::widgets {

void TimelineLayout::layOut(const QVector<TimelineGroup>& groups, const QVector<int>& order, const QSet<int>& folded,
                            const QSet<int>& pinned) {
    lines_.clear();
    shown_ = order;
    std::stable_partition(shown_.begin(), shown_.end(), [&](int group) { return pinned.contains(group); });
    int y = 0;
    for (const int group : std::as_const(shown_)) {
        const bool is_folded = folded.contains(group);
        lines_.push_back({TimelineLine::Kind::Head, group, -1, -1, y, kHead, is_folded});
        y += kHead + 1;
        if (is_folded)
            continue;
        y += kGap;
        for (int lane = 0; lane < groups[group].lanes.size(); ++lane) {
            const int rows = groups[group].lanes[lane].rows;
            if (rows == 0) {
                lines_.push_back({TimelineLine::Kind::Curve, group, lane, -1, y, kCurve, false});
                y += kCurve + kGap;
                continue;
            }
            for (int row = 0; row < rows; ++row) {
                lines_.push_back({TimelineLine::Kind::Row, group, lane, row, y, kRow, false});
                y += kRow;
            }
            y += kGap;
        }
    }
    height_ = y;
}

int TimelineLayout::lineAt(int y) const {
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), y,
                                        [](int at, const TimelineLine& line) { return at < line.top; });
    if (after == lines_.begin())
        return -1;
    const auto line = after - 1;
    return y < line->top + line->height ? static_cast<int>(line - lines_.begin()) : -1;
}

int TimelineLayout::lineOf(int group, int lane, int row) const {
    for (int i = 0; i < lines_.size(); ++i) {
        const TimelineLine& line = lines_[i];
        if (line.group == group && (line.folded || (line.lane == lane && line.row == row)))
            return i;
    }
    return -1;
}

}  // namespace trainyard::widgets
