// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <stdexcept>

#include "config/inputs/byte_corpus.h"

namespace trainyard::inputs {

namespace {

constexpr int kRounds = 6;

/// SplitMix64's output function.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

}  // namespace

Permutation::Permutation(std::uint64_t size, std::uint64_t seed, std::uint64_t epoch)
    : size_(size), key_{mix(seed), mix(mix(seed) ^ epoch)} {
    if (size == 0)
        throw std::invalid_argument("a permutation of nothing");
    int bits = size == 1 ? 1 : std::bit_width(size - 1);
    half_bits_ = (bits + 1) / 2;
}

std::uint64_t Permutation::operator()(std::uint64_t position) const {
    if (position >= size_)
        throw std::out_of_range("position in a permutation");
    std::uint64_t mask = (1ull << half_bits_) - 1;
    std::uint64_t x = position;
    // The network permutes the next power of four. Applying it again to values outside of the range keeps it a
    // permutation, and takes fewer than four rounds on average.
    do {
        std::uint64_t left = x >> half_bits_, right = x & mask;
        for (int round = 0; round < kRounds; ++round) {
            std::uint64_t next = left ^ (mix(right ^ key_[round % 2] ^ static_cast<std::uint64_t>(round) << 56) & mask);
            left = right;
            right = next;
        }
        x = left << half_bits_ | right;
    } while (x >= size_);
    return x;
}

}  // namespace trainyard::inputs
