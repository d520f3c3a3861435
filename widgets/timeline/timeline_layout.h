// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the lines of a timeline stand: heads of groups, rows of spans, curves. Pinned groups come first.

#include <QSet>
#include <QVector>

#include "widgets/pixels.h"
#include "widgets/timeline/timeline_data.h"

namespace trainyard::widgets {

struct TimelineLine {
    enum class Kind { Head, Row, Curve };
    Kind kind = Kind::Head;
    int group = -1, lane = -1, row = -1;
    int top = 0, height = 0;  ///< pixels, from the first line
    bool folded = false;      ///< of a head: its group is shown in it
};

class TimelineLayout {
  public:
    static inline const int &kHead = live_px(22), &kRow = live_px(16), &kCurve = live_px(32),
                            &kGap = live_px(5);  // pixels

    /// `order`: all groups. Folded, pinned: groups.
    void layOut(const QVector<TimelineGroup>& groups, const QVector<int>& order, const QSet<int>& folded,
                const QSet<int>& pinned);
    const QVector<TimelineLine>& lines() const { return lines_; }
    int height() const { return height_; }
    /// Index of the line at a height; -1: none.
    int lineAt(int y) const;
    /// The line of a row, or of the head of a folded group; -1: none.
    int lineOf(int group, int lane, int row) const;

  private:
    QVector<TimelineLine> lines_;
    QVector<int> shown_;  ///< groups in their order
    int height_ = 0;
};

}  // namespace trainyard::widgets
