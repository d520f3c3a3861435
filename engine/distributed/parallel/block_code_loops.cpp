// SPDX-License-Identifier: GPL-3.0-or-later
// Loops for one instruction set: the build defines TRAINYARD_ISA (generic, avx2, avx512) and sets the matching -m
// flags. Written for the compiler's vectoriser.

#include "distributed/parallel/block_code_loops.h"

#include <bit>

#include "base/isa_names.h"

namespace trainyard::parallel {

namespace {

/// The scale of a block; NaN if one of its numbers is not finite.
float scale_of(const float* __restrict__ x, float largest_code) {
    constexpr std::int32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000, kNan = 0x7fc00000;
    std::int32_t most = 0;  // magnitudes have the order of their bits
    for (std::int64_t i = 0; i < kCodeBlock; ++i) {
        const std::int32_t bits = std::bit_cast<std::int32_t>(x[i]) & kMagnitude;
        most = bits > most ? bits : most;
    }
    return most < kInfinity ? std::bit_cast<float>(most) / largest_code : std::bit_cast<float>(kNan);
}

/// Rounded to nearest, ties to even, within +-`largest_code`. 0 if `scale` is NaN.
void codes_of(const float* __restrict__ x, float scale, float largest_code, std::int32_t* __restrict__ codes) {
    // Adding 1.5 * 2^23 rounds to an integer, which is then in the low bits.
    constexpr float kRound = 12582912.0F;
    if (scale != scale) {
        for (std::int64_t i = 0; i < kCodeBlock; ++i)
            codes[i] = 0;
        return;
    }
    const float divisor = scale == 0.0F ? 1.0F : scale;
    for (std::int64_t i = 0; i < kCodeBlock; ++i) {
        float code = x[i] / divisor;
        code = code < -largest_code ? -largest_code : code;
        code = code > largest_code ? largest_code : code;
        codes[i] = std::bit_cast<std::int32_t>(code + kRound) - std::bit_cast<std::int32_t>(kRound);
    }
}

void encode8(const float* __restrict__ values, std::int64_t blocks, std::uint8_t* __restrict__ codes,
             float* __restrict__ scales) {
    alignas(64) std::int32_t whole[kCodeBlock];
    for (std::int64_t block = 0; block < blocks; ++block, values += kCodeBlock, codes += kCodeBlock) {
        scales[block] = scale_of(values, 127.0F);
        codes_of(values, scales[block], 127.0F, whole);
        for (std::int64_t i = 0; i < kCodeBlock; ++i)
            codes[i] = static_cast<std::uint8_t>(whole[i]);
    }
}

void encode4(const float* __restrict__ values, std::int64_t blocks, std::uint8_t* __restrict__ codes,
             float* __restrict__ scales) {
    alignas(64) std::int32_t whole[kCodeBlock];
    for (std::int64_t block = 0; block < blocks; ++block, values += kCodeBlock, codes += kCodeBlock / 2) {
        scales[block] = scale_of(values, 7.0F);
        codes_of(values, scales[block], 7.0F, whole);
        for (std::int64_t i = 0; i < kCodeBlock / 2; ++i)
            codes[i] = static_cast<std::uint8_t>((whole[2 * i] + 8) | (whole[2 * i + 1] + 8) << 4);
    }
}

template <bool kAdd>
void write(float* __restrict__ to, float value) {
    if constexpr (kAdd)
        *to += value;
    else
        *to = value;
}

template <bool kAdd>
void decode8_of(const std::uint8_t* __restrict__ codes, const float* __restrict__ scales, std::int64_t blocks,
                float* __restrict__ values) {
    for (std::int64_t block = 0; block < blocks; ++block, values += kCodeBlock, codes += kCodeBlock) {
        const float scale = scales[block];
        for (std::int64_t i = 0; i < kCodeBlock; ++i)
            write<kAdd>(values + i, static_cast<float>(static_cast<std::int8_t>(codes[i])) * scale);
    }
}

template <bool kAdd>
void decode4_of(const std::uint8_t* __restrict__ codes, const float* __restrict__ scales, std::int64_t blocks,
                float* __restrict__ values) {
    for (std::int64_t block = 0; block < blocks; ++block, values += kCodeBlock, codes += kCodeBlock / 2) {
        const float scale = scales[block];
        for (std::int64_t i = 0; i < kCodeBlock / 2; ++i) {
            const std::int32_t both = codes[i];
            write<kAdd>(values + 2 * i, static_cast<float>((both & 15) - 8) * scale);
            write<kAdd>(values + 2 * i + 1, static_cast<float>((both >> 4) - 8) * scale);
        }
    }
}

void decode8(const std::uint8_t* codes, const float* scales, std::int64_t blocks, bool add, float* values) {
    add ? decode8_of<true>(codes, scales, blocks, values) : decode8_of<false>(codes, scales, blocks, values);
}

void decode4(const std::uint8_t* codes, const float* scales, std::int64_t blocks, bool add, float* values) {
    add ? decode4_of<true>(codes, scales, blocks, values) : decode4_of<false>(codes, scales, blocks, values);
}

}  // namespace

extern const BlockCodeLoops TRAINYARD_FOR_ISA(block_code_loops);
const BlockCodeLoops TRAINYARD_FOR_ISA(block_code_loops){&encode8, &encode4, &decode8, &decode4};

}  // namespace trainyard::parallel
