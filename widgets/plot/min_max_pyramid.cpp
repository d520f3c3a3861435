#include "widgets/plot/min_max_pyramid.h"

#include <algorithm>
#include <cmath>

namespace trainyard::widgets {

namespace {

void take(Extremes& so_far, const std::vector<double>& values, std::size_t index) {
    const double value = values[index];
    if (!std::isfinite(value))
        return;
    if (!so_far.found) {
        so_far = {index, index, true};
        return;
    }
    if (value < values[so_far.lowest])
        so_far.lowest = index;
    if (value > values[so_far.highest])
        so_far.highest = index;
}

}  // namespace

void MinMaxPyramid::grow(const std::vector<double>& values) {
    std::size_t span = kFan;
    for (std::size_t level = 0; values.size() / span > 0; ++level, span *= kFan) {
        if (level == levels_.size())
            levels_.emplace_back();
        std::vector<Block>& blocks = levels_[level];
        for (std::size_t block = blocks.size(); block < values.size() / span; ++block) {
            Extremes found;
            for (std::size_t part = block * kFan; part < (block + 1) * kFan; ++part) {
                if (level == 0) {
                    take(found, values, part);
                } else if (const Block& below = levels_[level - 1][part]; below.lowest != kNone) {
                    take(found, values, below.lowest);
                    take(found, values, below.highest);
                }
            }
            blocks.push_back(
                found.found ? Block{static_cast<std::uint32_t>(found.lowest), static_cast<std::uint32_t>(found.highest)}
                            : Block{});
        }
    }
}

void MinMaxPyramid::cut(std::size_t size) {
    std::size_t span = kFan;
    for (std::vector<Block>& blocks : levels_) {
        blocks.resize(std::min(blocks.size(), size / span));
        span *= kFan;
    }
}

Extremes MinMaxPyramid::extremes(const std::vector<double>& values, std::size_t first, std::size_t last) const {
    Extremes found;
    while (first < last) {
        // The largest block that begins here and ends within the stretch.
        std::size_t level = 0, span = 1;
        while (level < levels_.size() && first % (span * kFan) == 0 && first + span * kFan <= last) {
            span *= kFan;
            ++level;
        }
        if (level == 0) {
            take(found, values, first);
        } else if (const Block& block = levels_[level - 1][first / span]; block.lowest != kNone) {
            take(found, values, block.lowest);
            take(found, values, block.highest);
        }
        first += span;
    }
    return found;
}

}  // namespace trainyard::widgets
