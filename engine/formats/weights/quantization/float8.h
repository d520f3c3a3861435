// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Casts to 8-bit floating-point formats, blocks with a common power of two, and stochastic rounding to bfloat16.
//
// Micikevicius et al., "FP8 formats for deep learning", 2022 (arXiv 2209.05433); "OCP Microscaling Formats (MX)
// Specification", version 1.0.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace trainyard::quantization {

enum class Float8 {
    e4m3,  ///< torch's float8_e4m3fn, without infinities
    e5m2,
};

inline constexpr float largest_value(Float8 format) {
    return format == Float8::e4m3 ? 448.0F : 57344.0F;
}

/// Rounds to the nearest value, ties to even, as torch casts: beyond the range e4m3 gives NaN, e5m2 an infinity.
inline std::uint8_t to_float8(float x, Float8 format) {
    const bool e5m2 = format == Float8::e5m2;
    const int shift = e5m2 ? 21 : 20;
    const std::uint32_t bias = e5m2 ? 127 - 15 : 127 - 7, nan = 0x7f, beyond = e5m2 ? 0x7c : 0x7f;
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffff;
    std::uint32_t code;
    if (magnitude > 0x7f800000) {
        code = nan;
    } else if (magnitude < (bias + 1) << 23) {
        // Below the smallest normal number: the addition moves the bits to their place and rounds them.
        const float magic = e5m2 ? 0x1p7F : 0x1p14F;
        code =
            std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + magic) - std::bit_cast<std::uint32_t>(magic);
    } else {
        const std::uint32_t half = (1U << (shift - 1)) - 1;
        code = (magnitude - (bias << 23) + half + (magnitude >> shift & 1)) >> shift;
        code = code < beyond ? code : beyond;
    }
    return static_cast<std::uint8_t>(sign | code);
}

/// The same with values beyond the range, infinities included, at its ends.
inline std::uint8_t to_float8_saturated(float x, Float8 format) {
    const float largest = largest_value(format);
    return to_float8(x > largest ? largest : x < -largest ? -largest : x, format);
}

/// The exponent of an 8-bit power of two (E8M0) that is nearest to x, without its sign. 255: x is not finite or too
/// large.
std::uint8_t to_e8m0(float x);
/// 2^(code - 127); 255: NaN.
float from_e8m0(std::uint8_t code);

/// The nearest bfloat16 towards zero, or the next one away from zero where `random` is less than the 16 bits that are
/// dropped.
std::uint16_t round_stochastically(float x, std::uint16_t random);

inline constexpr std::size_t kMxBlock = 32;

/// How the power of two of a block follows from its largest magnitude.
enum class MxMode {
    floor,   ///< the OCP specification's: large values of a block may saturate
    ceil,    ///< the next power of two
    even,    ///< rounds the magnitude to the format first
    rceil,   ///< the power of two not below magnitude / largest value
    engine,  ///< Transformer Engine's rule: as rceil, by a multiplication
};
/// "floor", "ceil", "even", "rceil", "engine"; throws std::invalid_argument for others.
MxMode mx_mode(std::string_view name);

/// `values` are whole blocks; one scale (E8M0) for each.
void encode_mx(std::span<const float> values, Float8 format, MxMode mode, std::span<std::uint8_t> scales,
               std::span<std::uint8_t> codes);
void decode_mx(std::span<const std::uint8_t> scales, std::span<const std::uint8_t> codes, Float8 format,
               std::span<float> values);

}  // namespace trainyard::quantization
