// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Up to 4096 immutable points of a curve: the unit in which curves are stored and passed on by a reading thread. About
// 8.3 bytes per point for typical event files: steps as an even stride (0 bytes; else 4 or 8), wall times in 4 bytes
// (to 2^-31 of the chunk's length), values in 4 bytes if all of them are floats, and blocks of extremes.

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

    /// Builds a chunk of 1 to kMost points with ascending steps (equal ones are allowed). A wall time that is NaN or
    /// below the previous one is raised to the previous one.
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

    /// The step at a distance from another, without overflow.
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

/// Points of one curve from a reading thread: sealed chunks, then the rest. Steps are ascending.
struct SeriesPiece {
    static constexpr std::size_t kWorthSealing = 512;

    std::vector<SealedChunk> chunks;
    std::vector<SeriesPoint> points;

    bool takes(std::int64_t step) const {
        return points.empty() ? chunks.empty() || chunks.back()->lastStep() <= step : points.back().step <= step;
    }
    /// Requires takes(point.step).
    void add(const SeriesPoint& point);
    /// Ends the piece: a long rest is sealed, too.
    void finish();
    std::size_t size() const;
};

}  // namespace trainyard::widgets
