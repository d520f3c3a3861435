// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/packed_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace trainyard::widgets {

namespace {

/// The least and the greatest finite value; without any, infinity and its opposite. Several at a time.
template <class Value>
std::pair<Value, Value> limits_of(const Value* values, std::size_t count) {
    typedef Value Pack __attribute__((vector_size(16)));
    constexpr std::size_t kLanes = sizeof(Pack) / sizeof(Value);
    constexpr Value kEndless = std::numeric_limits<Value>::infinity();
    const Pack endless = Pack{} + kEndless;
    Pack low = endless, high = -endless;
    const auto take = [&](const Pack& pack) {
        const auto finite = pack - pack == 0;
        const Pack bottom = finite ? pack : endless, top = finite ? pack : -endless;
        low = bottom < low ? bottom : low;
        high = top > high ? top : high;
    };
    Pack pack;
    for (; count >= kLanes; count -= kLanes, values += kLanes) {
        std::memcpy(&pack, values, sizeof pack);
        take(pack);
    }
    if (count > 0) {
        pack = endless;
        std::memcpy(&pack, values, count * sizeof(Value));
        take(pack);
    }
    Value least = low[0], greatest = high[0];
    for (std::size_t lane = 1; lane < kLanes; ++lane) {
        least = std::min<Value>(least, low[lane]);
        greatest = std::max<Value>(greatest, high[lane]);
    }
    return {least, greatest};
}

/// Extremes of stretches that follow each other. Where in a stretch they lie is looked up at the end, in two of them.
template <class Value>
class Finder {
  public:
    explicit Finder(const Value* values) : values_(values) {}
    /// [first, last), extremes unknown.
    void look(std::size_t first, std::size_t last) {
        const auto [low, high] = limits_of(values_ + first, last - first);
        take(low, high, first, first);
    }
    /// A block of PackedValues.
    template <class Block>
    void take(const Block& block) {
        take(static_cast<Value>(block.low), static_cast<Value>(block.high), block.lowest, block.highest);
    }
    void take(Value low, Value high, std::size_t lowest, std::size_t highest) {
        if (low < low_) {
            low_ = low;
            lowest_ = lowest;
        }
        if (high > high_) {
            high_ = high;
            highest_ = highest;
        }
    }
    Extremes found() const {
        if (low_ > high_)
            return {};
        const auto at = [&](std::size_t from, Value value) {
            while (values_[from] != value)
                ++from;
            return from;
        };
        return {at(lowest_, low_), at(highest_, high_), true, static_cast<double>(low_), static_cast<double>(high_)};
    }

  private:
    const Value* values_;
    Value low_ = std::numeric_limits<Value>::infinity(), high_ = -std::numeric_limits<Value>::infinity();
    std::size_t lowest_ = 0, highest_ = 0;  ///< at them, or before them in the stretch that holds them
};

}  // namespace

PackedValues::PackedValues(std::span<const double> values) : size_(values.size()) {
    const bool narrow = std::all_of(values.begin(), values.end(), [](double value) {
        return !std::isfinite(value) || static_cast<double>(static_cast<float>(value)) == value;
    });
    if (narrow) {
        narrow_.assign(values.begin(), values.end());
        makeBlocks(narrow_);
    } else {
        wide_.assign(values.begin(), values.end());
        makeBlocks(wide_);
    }
    lowest_above_zero_ = HUGE_VAL;
    for (const double value : values)
        if (value > 0 && value < lowest_above_zero_)
            lowest_above_zero_ = value;
}

template <class Value>
void PackedValues::makeBlocks(const std::vector<Value>& values) {
    const auto block_of = [](const Extremes& found) {
        return found.found ? Block{found.low, found.high, static_cast<std::uint16_t>(found.lowest),
                                   static_cast<std::uint16_t>(found.highest)}
                           : Block{HUGE_VAL, -HUGE_VAL};
    };
    small_.reserve(size_ / kSmall);
    for (std::size_t first = 0; first + kSmall <= size_; first += kSmall) {
        Finder<Value> finder(values.data());
        finder.look(first, first + kSmall);
        small_.push_back(block_of(finder.found()));
    }
    large_.reserve(size_ / kLarge);
    for (std::size_t first = 0; first + kLarge <= size_; first += kLarge) {
        Finder<Value> finder(values.data());
        for (std::size_t at = first / kSmall; at < (first + kLarge) / kSmall; ++at)
            finder.take(small_[at]);
        large_.push_back(block_of(finder.found()));
    }
    all_ = scan(values, 0, size_);
}

template <class Value>
Extremes PackedValues::scan(const std::vector<Value>& values, std::size_t first, std::size_t last) const {
    Finder<Value> finder(values.data());
    while (first < last) {
        if (first % kLarge == 0 && first + kLarge <= last) {
            finder.take(large_[first / kLarge]);
            first += kLarge;
        } else if (first % kSmall == 0 && first + kSmall <= last) {
            finder.take(small_[first / kSmall]);
            first += kSmall;
        } else {
            const std::size_t end = std::min(last, (first / kSmall + 1) * kSmall);
            finder.look(first, end);
            first = end;
        }
    }
    return finder.found();
}

Extremes PackedValues::extremes(std::size_t first, std::size_t last) const {
    if (first == 0 && last == size_)
        return all_;
    return narrow_.empty() ? scan(wide_, first, last) : scan(narrow_, first, last);
}

double PackedValues::lowestAboveZero(std::size_t first, std::size_t last) const {
    if (first == 0 && last == size_)
        return lowest_above_zero_;
    double lowest = HUGE_VAL;
    for (std::size_t index = first; index < last; ++index)
        if (const double value = (*this)[index]; value > 0 && value < lowest)
            lowest = value;
    return lowest;
}

std::size_t PackedValues::bytes() const {
    return narrow_.capacity() * sizeof(float) + wide_.capacity() * sizeof(double) +
           (small_.capacity() + large_.capacity()) * sizeof(Block);
}

}  // namespace trainyard::widgets
