// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/series_chunk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace trainyard::widgets {

namespace {

constexpr std::uint64_t kWidest = std::numeric_limits<std::uint32_t>::max();

std::uint64_t distance(std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

}  // namespace

SealedChunk SeriesChunk::seal(std::span<const SeriesPoint> points) {
    auto chunk = std::make_shared<SeriesChunk>();
    chunk->packSteps(points);
    chunk->packTimes(points);
    std::array<double, kMost> values;
    for (std::size_t i = 0; i < points.size(); ++i) {
        values[i] = points[i].value;
        if (!std::isfinite(values[i]))
            chunk->not_finite_.push_back(static_cast<std::uint16_t>(i));
    }
    chunk->values_ = PackedValues(std::span(values.data(), points.size()));
    return chunk;
}

void SeriesChunk::packSteps(std::span<const SeriesPoint> points) {
    first_step_ = points.front().step;
    stride_ = points.size() > 1 ? distance(first_step_, points[1].step) : 0;
    bool even = true;
    for (std::size_t i = 1; i < points.size() && even; ++i)
        even = distance(points[i - 1].step, points[i].step) == stride_;
    if (even)
        return;
    if (distance(first_step_, points.back().step) <= kWidest) {
        step_offsets_.reserve(points.size());
        for (const SeriesPoint& point : points)
            step_offsets_.push_back(static_cast<std::uint32_t>(distance(first_step_, point.step)));
    } else {
        steps_.reserve(points.size());
        for (const SeriesPoint& point : points)
            steps_.push_back(point.step);
    }
}

void SeriesChunk::packTimes(std::span<const SeriesPoint> points) {
    const auto first =
        std::find_if(points.begin(), points.end(), [](const SeriesPoint& p) { return std::isfinite(p.wall_time); });
    if (first == points.end())
        return;
    first_time_ = first->wall_time;
    double last = first_time_;
    for (const SeriesPoint& point : points)
        if (std::isfinite(point.wall_time))
            last = std::max(last, point.wall_time);
    if (last == first_time_)
        return;
    // A power of two: whole seconds are stored exactly.
    time_unit_ = std::exp2(std::ceil(std::log2((last - first_time_) / static_cast<double>(kWidest))));
    time_offsets_.reserve(points.size());
    std::uint32_t raised = 0;
    for (const SeriesPoint& point : points) {
        const double units = (point.wall_time - first_time_) / time_unit_;
        if (units > raised)  // false for NaN
            raised = static_cast<std::uint32_t>(std::min<double>(std::round(units), static_cast<double>(kWidest)));
        time_offsets_.push_back(raised);
    }
}

std::size_t SeriesChunk::bytes() const {
    return sizeof *this + step_offsets_.capacity() * 4 + steps_.capacity() * 8 + time_offsets_.capacity() * 4 +
           not_finite_.capacity() * 2 + values_.bytes();
}

void SeriesPiece::add(const SeriesPoint& point) {
    points.push_back(point);
    if (points.size() == SeriesChunk::kMost) {
        chunks.push_back(SeriesChunk::seal(points));
        points.clear();
    }
}

void SeriesPiece::finish() {
    if (points.size() < kWorthSealing)
        return;
    chunks.push_back(SeriesChunk::seal(points));
    points = {};
}

std::size_t SeriesPiece::size() const {
    std::size_t count = points.size();
    for (const SealedChunk& chunk : chunks)
        count += chunk->size();
    return count;
}

}  // namespace trainyard::widgets
