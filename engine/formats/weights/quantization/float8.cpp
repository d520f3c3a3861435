// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/float8.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "formats/weights/elements.h"
#include "formats/weights/quantization/blocks.h"

namespace trainyard::quantization {

namespace {

constexpr std::uint8_t kNanScale = 255;
constexpr float kSmallestNormal = 0x1p-126F;

int exponent_of(float x) {
    return static_cast<int>(std::bit_cast<std::uint32_t>(x) >> 23 & 0xff) - 127;
}

bool has_fraction(float x) {
    return (std::bit_cast<std::uint32_t>(x) & 0x7fffff) != 0;
}

/// To the number of mantissa bits that the format has, a half away from zero.
float rounded_mantissa(float x, Float8 format) {
    const std::uint32_t half = 1U << (23 - (format == Float8::e4m3 ? 3 : 2) - 1);
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) + half) & 0xff800000);
}

std::uint8_t engine_scale(float largest, Float8 format) {
    const float share = largest * (1 / largest_value(format));
    if (std::isinf(share))
        return 254;
    if (share == 0)
        return 0;
    const auto bits = std::bit_cast<std::uint32_t>(share);
    const std::uint32_t exponent = bits >> 23, mantissa = bits & 0x7fffff;
    const bool up = mantissa > 0 && exponent != 254 && !(exponent == 0 && mantissa <= 0x400000);
    return static_cast<std::uint8_t>(exponent + (up ? 1 : 0));
}

std::uint8_t mx_scale(float largest, Float8 format, MxMode mode) {
    if (std::isnan(largest))
        return kNanScale;
    if (mode == MxMode::engine)
        return engine_scale(largest, format);
    if (mode == MxMode::rceil) {
        const double power =
            std::ceil(static_cast<float>(std::log2(static_cast<double>(largest / largest_value(format)))));
        return static_cast<std::uint8_t>(std::clamp(power, -127.0, 127.0) + 127);
    }
    if (mode == MxMode::even)
        largest = rounded_mantissa(largest, format);
    const int power = exponent_of(largest) + (mode == MxMode::ceil && has_fraction(largest) ? 1 : 0) -
                      (format == Float8::e4m3 ? 8 : 15);
    return static_cast<std::uint8_t>(std::clamp(power, -127, 128) + 127);
}

}  // namespace

std::uint8_t to_e8m0(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t exponent = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
    // 1.5 times a power of two is a tie between an odd and an even exponent, which torch rounds up; of subnormal
    // numbers the tie is 2^-127 itself.
    const bool up = exponent != 255 && (mantissa > 0x400000 || (mantissa == 0x400000 && exponent > 0));
    return static_cast<std::uint8_t>(exponent + (up ? 1 : 0));
}

float from_e8m0(std::uint8_t code) {
    return code == kNanScale ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0F, code - 127);
}

std::uint16_t round_stochastically(float x, std::uint16_t random) {
    if (std::isnan(x))
        return weights::to_bfloat16(x);
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return static_cast<std::uint16_t>((bits >> 16) + (random < (bits & 0xffff) ? 1 : 0));
}

MxMode mx_mode(std::string_view name) {
    constexpr std::string_view kNames[] = {"floor", "ceil", "even", "rceil", "engine"};
    for (std::size_t i = 0; i < std::size(kNames); ++i)
        if (kNames[i] == name)
            return static_cast<MxMode>(i);
    throw std::invalid_argument("unknown mode of MX scales " + std::string(name));
}

void encode_mx(std::span<const float> values, Float8 format, MxMode mode, std::span<std::uint8_t> scales,
               std::span<std::uint8_t> codes) {
    for (std::size_t block = 0; block < scales.size(); ++block) {
        const std::span<const float> of_block = values.subspan(block * kMxBlock, kMxBlock);
        const std::uint8_t scale = scales[block] = mx_scale(largest_magnitude(of_block), format, mode);
        // torchao's rules do not divide by 2^-127, which is subnormal.
        const float divisor = mode == MxMode::engine                ? from_e8m0(scale)
                              : mode == MxMode::rceil && scale == 0 ? 1.0F
                              : mode == MxMode::rceil               ? from_e8m0(scale)
                                                                    : std::max(from_e8m0(scale), kSmallestNormal);
        for (std::size_t i = 0; i < kMxBlock; ++i)
            codes[block * kMxBlock + i] = to_float8_saturated(of_block[i] / divisor, format);
    }
}

void decode_mx(std::span<const std::uint8_t> scales, std::span<const std::uint8_t> codes, Float8 format,
               std::span<float> values) {
    const auto& table = weights::values_of_float8(format == Float8::e5m2);
    for (std::size_t i = 0; i < codes.size(); ++i)
        values[i] = table[codes[i]] * from_e8m0(scales[i / kMxBlock]);
}

}  // namespace trainyard::quantization
