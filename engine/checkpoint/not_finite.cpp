// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/not_finite.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace trainyard::checkpoint {

namespace {

/// As many copies of a pattern as eight bytes hold.
template <class Bits>
constexpr std::uint64_t in_each_lane(Bits pattern) {
    std::uint64_t word = 0;
    for (std::size_t lane = 0; lane < sizeof word / sizeof(Bits); ++lane)
        word |= static_cast<std::uint64_t>(pattern) << (lane * 8 * sizeof(Bits));
    return word;
}

/// An element whose exponent bits are all set is infinite, or NaN when its other bits below the sign are not all zero. `exponent` and its lowest
/// bit make the sign's bit then, and only then: several elements are added in one word, and no carry leaves its lane.
template <class Bits>
void look_for_not_finite(const weights::TensorToWrite& tensor, Bits exponent, NotFinite& found) {
    constexpr std::size_t kBytes = 4096;
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    const std::uint64_t exponents = in_each_lane(exponent),
                        lowest = in_each_lane(static_cast<Bits>(exponent & (~exponent + 1))),
                        signs = in_each_lane(kSign);
    std::array<std::uint64_t, kBytes / sizeof(std::uint64_t)> words{};
    std::array<Bits, kBytes / sizeof(Bits)> elements;
    for (std::size_t begin = 0; begin < tensor.bytes.size(); begin += kBytes) {
        const std::size_t size = std::min(kBytes, tensor.bytes.size() - begin);
        if (size < kBytes)
            words.fill(0);
        std::memcpy(words.data(), tensor.bytes.data() + begin, size);
        std::uint64_t any = 0;
        for (std::size_t i = 0; i < words.size(); ++i)  // of constant length, so that it is vectorised
            any |= (words[i] & exponents) + lowest;
        if ((any & signs) == 0)
            continue;
        std::memcpy(elements.data(), words.data(), kBytes);
        for (const Bits element : elements) {
            if ((element & exponent) != exponent)
                continue;
            const bool nan = static_cast<Bits>(element & ~kSign) != exponent;
            std::string& first = nan ? found.nan : found.infinite;
            if (first.empty())
                first = tensor.name;
        }
        if (!found.nan.empty() && !found.infinite.empty())
            return;
    }
}

}  // namespace

void add_not_finite(const weights::TensorToWrite& piece, NotFinite& found) {
    if (!found.nan.empty() && !found.infinite.empty())
        return;
    if (piece.dtype == "F32")
        look_for_not_finite<std::uint32_t>(piece, 0x7f80'0000U, found);
    else if (piece.dtype == "F64")
        look_for_not_finite<std::uint64_t>(piece, 0x7ff0'0000'0000'0000U, found);
    else if (piece.dtype == "BF16")
        look_for_not_finite<std::uint16_t>(piece, 0x7f80U, found);
    else if (piece.dtype == "F16")
        look_for_not_finite<std::uint16_t>(piece, 0x7c00U, found);
}

}  // namespace trainyard::checkpoint
