// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The data of a timeline: groups (ranks) of lanes (threads, streams) of rows (nesting levels) of spans, and lanes that
// are curves. The view only requests what it paints, so the spans are never copied, regardless of their number.

#include <cstdint>
#include <optional>
#include <span>

#include <QString>
#include <QVector>

namespace trainyard::widgets {

struct TimeSpan {
    std::int64_t begin = 0, end = 0;  ///< ns
    std::int64_t length() const { return end - begin; }
    bool operator==(const TimeSpan&) const = default;
};

struct TimelineLane {
    QString title, note;
    int rows = 0;  ///< 0: a curve
};

struct TimelineGroup {
    QString title, note;
    QVector<TimelineLane> lanes;
    QVector<int> dense;  ///< lanes whose first row is shown when the group is collapsed
};

struct TimelinePlace {
    int group = -1, lane = -1, row = -1;
    std::int64_t index = -1;
    bool isValid() const { return index >= 0; }
    bool operator==(const TimelinePlace&) const = default;
};

/// A summary of a row for low zoom: every kStride spans form a block.
struct TimelineBlocks {
    static constexpr std::int64_t kStride = 8;
    std::span<const std::int64_t> begins;  ///< of the first span of each block
    std::int64_t offset = 0;               ///< ns to add to them
    std::span<const std::uint8_t> colors;  ///< of the longest span of each block
    bool isEmpty() const { return begins.empty(); }
};

class TimelineData {
  public:
    virtual ~TimelineData() = default;
    virtual const QVector<TimelineGroup>& groups() const = 0;
    virtual TimeSpan whole() const = 0;
    virtual std::int64_t count(int group, int lane, int row) const = 0;
    /// The spans of a row are ordered by begin and do not overlap.
    virtual TimeSpan span(const TimelinePlace& place) const = 0;
    /// Allows painting without visiting every span; empty: not available.
    virtual TimelineBlocks blocks(int /*group*/, int /*lane*/, int /*row*/) const { return {}; }
    /// The planned times of the spans of a row, by begin, without overlap. Painted as outlines over them.
    virtual std::span<const TimeSpan> plan(int /*group*/, int /*lane*/, int /*row*/) const { return {}; }
    virtual QString name(const TimelinePlace& place) const = 0;
    /// A number that is equal for spans of the same name, so that the name is laid out once; 0: unknown.
    virtual std::uint64_t nameNumber(const TimelinePlace& /*place*/) const { return 0; }
    /// A run colour from 1; 0: neutral.
    virtual int color(const TimelinePlace& place) const = 0;
    /// The next (1) or previous (-1) span of the same name in the same lane; invalid if there is none.
    virtual TimelinePlace sameName(const TimelinePlace& place, int direction) const = 0;
    /// The spans at the other ends of arrows from or to this span.
    virtual QVector<TimelinePlace> linked(const TimelinePlace& place) const = 0;
    /// For a curve: the highest value within a time span, as a share of the curve's maximum (0..1); std::nullopt if it
    /// has no value there.
    virtual std::optional<double> level(int group, int lane, const TimeSpan& time) const = 0;
    /// Description of a span for screen readers and tool tips: name, duration, rank, place.
    virtual QString describe(const TimelinePlace& place) const = 0;
    /// The text left of the ruler for the time at its left edge.
    virtual QString clock(std::int64_t time) const = 0;
};

}  // namespace trainyard::widgets
