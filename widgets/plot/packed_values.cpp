#include "widgets/plot/packed_values.h"

#include <algorithm>
#include <cmath>

namespace trainyard::widgets {

PackedValues::PackedValues(std::span<const double> values) : size_(values.size()) {
    const bool narrow = std::all_of(values.begin(), values.end(), [](double value) {
        return !std::isfinite(value) || static_cast<double>(static_cast<float>(value)) == value;
    });
    if (narrow)
        narrow_.assign(values.begin(), values.end());
    else
        wide_.assign(values.begin(), values.end());
    const auto block_of = [&](std::size_t first, std::size_t count) {
        const Extremes found = plain_extremes(first, first + count, [&](std::size_t i) { return values[i]; });
        return found.found ? Block{static_cast<std::uint16_t>(found.lowest), static_cast<std::uint16_t>(found.highest)}
                           : Block{};
    };
    sixteens_.reserve(size_ / kFan);
    for (std::size_t first = 0; first + kFan <= size_; first += kFan)
        sixteens_.push_back(block_of(first, kFan));
    large_.reserve(size_ / (kFan * kFan));
    for (std::size_t first = 0; first + kFan * kFan <= size_; first += kFan * kFan)
        large_.push_back(block_of(first, kFan * kFan));
    lowest_above_zero_ = HUGE_VAL;
    for (const double value : values)
        if (value > 0 && value < lowest_above_zero_)
            lowest_above_zero_ = value;
    all_ = extremes(0, size_);
}

template <class Value>
Extremes PackedValues::scan(const std::vector<Value>& values, std::size_t first, std::size_t last) const {
    std::uint16_t lowest = kNone, highest = kNone;
    Value low{}, high{};
    const auto take = [&](std::uint16_t its_lowest, std::uint16_t its_highest) {
        const Value bottom = values[its_lowest], top = values[its_highest];
        if (lowest == kNone || bottom < low) {
            lowest = its_lowest;
            low = bottom;
        }
        if (highest == kNone || top > high) {
            highest = its_highest;
            high = top;
        }
    };
    while (first < last) {
        if (first % (kFan * kFan) == 0 && first + kFan * kFan <= last) {
            if (const Block& block = large_[first / (kFan * kFan)]; block.lowest != kNone)
                take(block.lowest, block.highest);
            first += kFan * kFan;
        } else if (first % kFan == 0 && first + kFan <= last) {
            if (const Block& block = sixteens_[first / kFan]; block.lowest != kNone)
                take(block.lowest, block.highest);
            first += kFan;
        } else {
            if (std::isfinite(values[first]))
                take(static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(first));
            ++first;
        }
    }
    return lowest == kNone ? Extremes{} : Extremes{lowest, highest, true};
}

Extremes PackedValues::extremes(std::size_t first, std::size_t last) const {
    if (first == 0 && last == size_ && all_.found)
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
           (sixteens_.capacity() + large_.capacity()) * sizeof(Block);
}

}  // namespace trainyard::widgets
