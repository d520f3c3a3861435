#pragma once
// One curve in memory: step, wall time and value of every point, with extremes at every zoom. All points are kept; what is drawn is a
// reduction of the visible part (reduction.h). Points lie in sealed chunks (series_chunk.h: some 8 bytes a point) that a reading thread
// may have made, and an open end of at most a thousand or so.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "widgets/plot/series_chunk.h"

namespace trainyard::widgets {

/// A value that is not there, a place that is nowhere, a gap in a line: NaN.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// What the horizontal axis counts. Time is relative, seconds since `XScale::start`; Wall is seconds since 1970.
enum class XUnit { Step, Time, Tokens, Epoch, Wall };

/// Stretches of wall time in which nothing was done (paused, waiting to start again), from and to, ascending and apart.
using IdleTimes = std::vector<std::pair<double, double>>;

/// From the columns of a series to positions on the horizontal axis. Curves of several runs in one chart have each their own.
struct XScale {
    XUnit unit = XUnit::Step;
    double start = 0;                            ///< wall time that is zero seconds
    double tokens_per_step = 1;                  ///< for Tokens
    double steps_per_epoch = 1;                  ///< for Epoch
    double shift = 0;                            ///< in units of the axis, added last: to lay a run beside another
    std::shared_ptr<const IdleTimes> idle = {};  ///< null: there are none
    bool idle_left_out = true;  ///< of Time; else they are as long as they were, and no line leads through them

    double atStep(double step) const;       ///< for Step, Tokens, Epoch
    double atTime(double wall_time) const;  ///< for Time, Wall
    double of(const SeriesPoint& point) const {
        return isTime() ? atTime(point.wall_time) : atStep(static_cast<double>(point.step));
    }
    bool isTime() const { return unit == XUnit::Time || unit == XUnit::Wall; }
    bool operator==(const XScale&) const = default;
};

/// How a point is added whose step is not above the last one.
enum class EarlierStep {
    Overtakes,        ///< the run restarted there: points from that step on are dropped, as TensorBoard does
    RepeatOvertakes,  ///< as Overtakes for a step that is present (the run resumed there), else it is sorted in
};

class Series {
  public:
    explicit Series(EarlierStep earlier = EarlierStep::Overtakes) : earlier_(earlier) {}

    /// A wall time below the one before is raised to it, so that both columns ascend.
    void append(const SeriesPoint& point);
    void append(const std::vector<SeriesPoint>& points);
    void append(const SealedChunk& chunk);
    void append(const SeriesPiece& piece);
    /// Drops all points at `step` and after it.
    void dropFrom(std::int64_t step);
    void clear();

    std::size_t size() const { return sealed_ + tail_.size(); }
    bool empty() const { return size() == 0; }
    std::int64_t step(std::size_t index) const;
    double wallTime(std::size_t index) const;
    double value(std::size_t index) const;
    SeriesPoint point(std::size_t index) const;
    /// Calls visit(index, const SeriesPoint&) for all points of [first, last) in order: several times as fast as asking for each.
    template <class Visit>
    void forEach(std::size_t first, std::size_t last, Visit visit) const;

    Extremes extremes(std::size_t first, std::size_t last) const;
    /// Smallest value above zero in [first, last); HUGE_VAL when there is none.
    double lowestAboveZero(std::size_t first, std::size_t last) const;

    double x(std::size_t index, const XScale& scale) const {
        return scale.isTime() ? scale.atTime(wallTime(index)) : scale.atStep(static_cast<double>(step(index)));
    }
    /// First point at or right of `x`; size() when there is none.
    std::size_t lowerBound(double x, const XScale& scale) const;
    /// Point nearest to `x`; the series is not empty.
    std::size_t nearest(double x, const XScale& scale) const;

    /// Indices of the points whose value is not finite, ascending.
    const std::vector<std::uint32_t>& notFinite() const { return not_finite_; }
    /// Grows when points were dropped or came between others: what was computed from the series is void.
    int cuts() const { return cuts_; }
    std::size_t bytes() const;  ///< on the heap, chunks counted as its own

  private:
    /// What searches look at lies in one place: they touch no chunk but the one that they end in, and not even that where steps are even.
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
    std::size_t sealed_ = 0;  ///< points in them
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
