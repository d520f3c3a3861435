// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One curve in memory: step, wall time and value of every point, with extremes at every zoom. All points are stored;
// drawing uses a reduction of the visible part (reduction.h). Points are stored in sealed chunks (series_chunk.h: about
// 8 bytes per point), which a reading thread may have created, and an open end of about a thousand points at most.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "widgets/plot/series_chunk.h"

namespace trainyard::widgets {

/// Not a number: a missing value or position, or a gap in a line.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// The unit of the horizontal axis. Time is relative, seconds since `XScale::start`; Wall is seconds since 1970.
/// Value: the column of times holds the values of another quantity, ascending.
enum class XUnit { Step, Time, Tokens, Epoch, Wall, Value };

/// Ranges of wall time without progress (paused, waiting for a restart), as begin and end, ascending and disjoint.
using IdleTimes = std::vector<std::pair<double, double>>;

/// Maps the columns of a series to positions on the horizontal axis. Each curve of a chart has its own.
struct XScale {
    XUnit unit = XUnit::Step;
    double start = 0;            ///< wall time at zero seconds
    double tokens_per_step = 1;  ///< for Tokens
    double steps_per_epoch = 1;  ///< for Epoch
    double shift = 0;            ///< offset in units of the axis, added last, to align a run with another
    std::shared_ptr<const IdleTimes> idle = {};  ///< null: none
    bool idle_left_out = true;  ///< for Time; if false, idle times keep their length and no line crosses them

    double atStep(double step) const;       ///< for Step, Tokens, Epoch
    double atTime(double wall_time) const;  ///< for Time, Wall, Value
    double value(const SeriesPoint& point) const {
        return isTime() ? atTime(point.wall_time) : atStep(static_cast<double>(point.step));
    }
    /// Whether positions come from the column of times.
    bool isTime() const { return unit == XUnit::Time || unit == XUnit::Wall || unit == XUnit::Value; }
    bool operator==(const XScale&) const = default;
};

/// How to add a point whose step is not above the last one.
enum class EarlierStep {
    Overtakes,        ///< the run restarted there: points from that step on are dropped, as TensorBoard does
    RepeatOvertakes,  ///< as Overtakes for a step that is present (the run resumed there), else it is sorted in
};

class Series {
  public:
    explicit Series(EarlierStep earlier = EarlierStep::Overtakes) : earlier_(earlier) {}

    /// Appends a point. A wall time below the previous one is raised to it, so that both columns are ascending.
    void append(const SeriesPoint& point);
    void append(const std::vector<SeriesPoint>& points);
    void append(const SealedChunk& chunk);
    void append(const SeriesPiece& piece);
    /// Drops all points at or after `step`.
    void dropFrom(std::int64_t step);
    void clear();

    std::size_t size() const { return sealed_ + tail_.size(); }
    bool empty() const { return size() == 0; }
    std::int64_t step(std::size_t index) const;
    double wallTime(std::size_t index) const;
    double value(std::size_t index) const;
    SeriesPoint point(std::size_t index) const;
    /// Calls visit(index, const SeriesPoint&) for all points of [first, last) in order; several times faster than
    /// separate calls of point().
    template <class Visit>
    void forEach(std::size_t first, std::size_t last, Visit visit) const;

    Extremes extremes(std::size_t first, std::size_t last) const;
    /// Returns the smallest value above zero in [first, last), or HUGE_VAL if there is none.
    double lowestAboveZero(std::size_t first, std::size_t last) const;

    double x(std::size_t index, const XScale& scale) const {
        return scale.isTime() ? scale.atTime(wallTime(index)) : scale.atStep(static_cast<double>(step(index)));
    }
    /// Index of the first point at or right of `x`; size() if there is none.
    std::size_t lowerBound(double x, const XScale& scale) const;
    /// Index of the point nearest to `x`; the series must not be empty.
    std::size_t nearest(double x, const XScale& scale) const;

    /// Indices of the points whose value is not finite, ascending.
    const std::vector<std::uint32_t>& notFinite() const { return not_finite_; }
    /// Increases when points are dropped or inserted between others: results computed from the series are then invalid.
    int cuts() const { return cuts_; }
    std::size_t bytes() const;  ///< on the heap, including the chunks

  private:
    /// The fields that searches need, stored contiguously: a search only accesses the chunk that it ends in, or no
    /// chunk at all if steps are evenly spaced.
    struct Entry {
        SealedChunk chunk;
        std::size_t start = 0;  ///< index of its first point
        std::int64_t first_step = 0;
        std::uint64_t stride = 0;  ///< when `even`
        double first_time = 0;
        double low = 0, high = 0;  ///< when `any_finite`
        std::uint16_t lowest = 0, highest = 0;
        bool any_finite = false, even = false;

        std::int64_t step(std::size_t at) const {
            return even ? SeriesChunk::stepAfter(first_step, stride * at) : chunk->step(at);
        }
        Extremes extremes() const { return {lowest, highest, any_finite, low, high}; }
    };
    static constexpr std::size_t kOpenEnd = 1024;  ///< points

    void push(SeriesPoint point);
    void pushEntry(SealedChunk chunk);
    void sealTail();
    void sortIn(std::vector<SeriesPoint> points);
    void appendPassages(const std::vector<SeriesPoint>& points);
    std::size_t firstAt(std::int64_t step) const;
    void cut(std::size_t size);
    const Entry& entryOf(std::size_t index) const { return entries_[entryAt(index)]; }
    std::size_t entryAt(std::size_t index) const;
    double lastTime() const { return tail_.empty() ? entries_.back().chunk->lastTime() : tail_.back().wall_time; }
    std::int64_t lastStep() const { return tail_.empty() ? entries_.back().chunk->lastStep() : tail_.back().step; }

    EarlierStep earlier_;
    std::vector<Entry> entries_;
    std::size_t sealed_ = 0;  ///< number of points in the chunks
    std::vector<SeriesPoint> tail_;
    std::vector<std::uint32_t> not_finite_;
    int cuts_ = 0;
};

template <class Visit>
void Series::forEach(std::size_t first, std::size_t last, Visit visit) const {
    if (first < sealed_ && first < last)
        for (std::size_t at = entryAt(first); at < entries_.size() && entries_[at].start < last; ++at) {
            const Entry& entry = entries_[at];
            const std::size_t end = entry.start + entry.chunk->size();
            for (; first < end && first < last; ++first)
                visit(first, entry.chunk->point(first - entry.start));
        }
    for (; first < last; ++first)
        visit(first, tail_[first - sealed_]);
}

}  // namespace trainyard::widgets
