// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Up to 4096 immutable values of a curve: 4 bytes each if all of them are exactly representable as floats (as in event
// files), else 8, and 0.42 bytes for blocks of extremes. Finding the extremes of any range reads about a hundred
// contiguous values and few other places in memory, which is what matters for long curves. Values that are not finite
// are ignored.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trainyard::widgets {

/// The indices of the extremes of a range (the first of equal values) and their values; `found` is false if the range
/// has no finite value.
struct Extremes {
    std::size_t lowest = 0;
    std::size_t highest = 0;
    bool found = false;
    double low = 0, high = 0;

    /// Merges the extremes of a later range, whose indices count from `start`.
    void add(const Extremes& later, std::size_t start) {
        if (!later.found)
            return;
        if (!found || later.low < low) {
            lowest = start + later.lowest;
            low = later.low;
        }
        if (!found || later.high > high) {
            highest = start + later.highest;
            high = later.high;
        }
        found = true;
    }
};

class PackedValues {
  public:
    static constexpr std::size_t kMost = 4096;

    PackedValues() = default;
    explicit PackedValues(std::span<const double> values);  ///< at most kMost

    std::size_t size() const { return size_; }
    double operator[](std::size_t index) const {
        return narrow_.empty() ? wide_[index] : static_cast<double>(narrow_[index]);
    }
    /// Extremes of [first, last).
    Extremes extremes(std::size_t first, std::size_t last) const;
    const Extremes& extremes() const { return all_; }
    /// Returns the smallest value above zero in [first, last), or HUGE_VAL if there is none.
    double lowestAboveZero(std::size_t first, std::size_t last) const;
    double lowestAboveZero() const { return lowest_above_zero_; }
    std::size_t bytes() const;  ///< on the heap

  private:
    /// A block of values. In a block without finite values, `low` is above `high`.
    struct Block {
        double low = 0, high = 0;
        std::uint16_t lowest = 0, highest = 0;
    };
    static constexpr std::size_t kSmall = 64, kLarge = 512;  // values of a block

    template <class Value>
    void makeBlocks(const std::vector<Value>& values);
    template <class Value>
    Extremes scan(const std::vector<Value>& values, std::size_t first, std::size_t last) const;

    std::size_t size_ = 0;
    std::vector<float> narrow_;
    std::vector<double> wide_;
    std::vector<Block> small_;  ///< complete blocks of kSmall values
    std::vector<Block> large_;  ///< complete blocks of kLarge values
    Extremes all_;
    double lowest_above_zero_ = 0;
};

/// Computes extremes by reading every value; `value(i)` for i in [first, last).
template <class Value>
Extremes plain_extremes(std::size_t first, std::size_t last, Value value) {
    Extremes found;
    for (std::size_t index = first; index < last; ++index) {
        const double at = value(index);
        if (!(at - at == 0))  // not finite
            continue;
        if (!found.found) {
            found = {index, index, true, at, at};
        } else if (at < found.low) {
            found.lowest = index;
            found.low = at;
        } else if (at > found.high) {
            found.highest = index;
            found.high = at;
        }
    }
    return found;
}

}  // namespace trainyard::widgets
