#pragma once
// Up to 4096 points of a curve that change no more: the unit in which curves are stored and in which a reading thread hands them over.
// 8.3 bytes a point as event files have them: steps as an even stride (0 bytes; else 4 or 8), wall times in 4 bytes (to a microsecond,
// in a chunk of more than 71 minutes to 2^-32 of its length), values in 4 bytes when all of them are floats, blocks of extremes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "widgets/plot/packed_values.h"

namespace trainyard::widgets {

struct SeriesPoint {
    std::int64_t step = 0;
    double wall_time = 0;  ///< seconds
    double value = 0;
    bool operator==(const SeriesPoint&) const = default;
};

class SeriesChunk;
using SealedChunk = std::shared_ptr<const SeriesChunk>;

class SeriesChunk {
  public:
    static constexpr std::size_t kMost = PackedValues::kMost;

    /// 1 to kMost points with ascending steps (equal ones are allowed). A wall time below the one before, or that is no number, is raised
    /// to it.
    static SealedChunk seal(std::span<const SeriesPoint> points);

    std::size_t size() const { return values_.size(); }
    std::int64_t step(std::size_t index) const {
        if (!step_offsets_.empty())
            return stepAfter(first_step_, step_offsets_[index]);
        if (!steps_.empty())
            return steps_[index];
        return stepAfter(first_step_, stride_ * index);
    }
    double wallTime(std::size_t index) const {
        return time_offsets_.empty() ? first_time_ : first_time_ + time_unit_ * time_offsets_[index];
    }
    double value(std::size_t index) const { return values_[index]; }
    const PackedValues& values() const { return values_; }
    /// Whether step(i) is step(0) + stride() * i.
    bool isEven() const { return step_offsets_.empty() && steps_.empty(); }
    std::uint64_t stride() const { return stride_; }
    SeriesPoint point(std::size_t index) const { return {step(index), wallTime(index), value(index)}; }
    std::int64_t lastStep() const { return step(size() - 1); }
    double lastTime() const { return wallTime(size() - 1); }
    /// Indices of the points whose value is not finite, ascending.
    const std::vector<std::uint16_t>& notFinite() const { return not_finite_; }
    std::size_t bytes() const;

    /// Of any two steps, without overflow.
    static std::int64_t stepAfter(std::int64_t first, std::uint64_t distance) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + distance);
    }

  private:
    void packSteps(std::span<const SeriesPoint> points);
    void packTimes(std::span<const SeriesPoint> points);

    std::int64_t first_step_ = 0;
    std::uint64_t stride_ = 0;
    std::vector<std::uint32_t> step_offsets_;
    std::vector<std::int64_t> steps_;
    double first_time_ = 0;
    double time_unit_ = 0;  ///< seconds
    std::vector<std::uint32_t> time_offsets_;
    PackedValues values_;
    std::vector<std::uint16_t> not_finite_;
};

/// Points of one curve on their way from a reading thread: sealed chunks, then what is too little for one. Steps ascend.
struct SeriesPiece {
    static constexpr std::size_t kWorthSealing = 512;

    std::vector<SealedChunk> chunks;
    std::vector<SeriesPoint> points;

    bool takes(std::int64_t step) const {
        return points.empty() ? chunks.empty() || chunks.back()->lastStep() <= step : points.back().step <= step;
    }
    /// takes(point.step) holds.
    void add(const SeriesPoint& point);
    /// No more comes: a long rest is sealed, too.
    void finish();
    std::size_t size() const;
};

}  // namespace trainyard::widgets
