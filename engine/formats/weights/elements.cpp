// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/elements.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "formats/weights/safetensors.h"

namespace trainyard::weights {

namespace {

float value_of_float8(unsigned byte, bool e5m2) {
    const unsigned mantissa_bits = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7;
    const unsigned exponent = (byte & 0x7f) >> mantissa_bits, mantissa = byte & ((1u << mantissa_bits) - 1);
    const float sign = (byte & 0x80) != 0 ? -1.0f : 1.0f;
    if (e5m2 && exponent == 31)
        return mantissa == 0 ? sign * std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    if (!e5m2 && (byte & 0x7f) == 0x7f)
        return std::numeric_limits<float>::quiet_NaN();
    const auto steps = static_cast<float>(1u << mantissa_bits);
    const int power = static_cast<int>(exponent == 0 ? 1 : exponent) - static_cast<int>(bias);
    return sign * std::ldexp((exponent == 0 ? 0.0f : 1.0f) + static_cast<float>(mantissa) / steps, power);
}

std::array<float, 256> table_of_float8(bool e5m2) {
    std::array<float, 256> values{};
    for (unsigned byte = 0; byte < 256; ++byte)
        values[byte] = value_of_float8(byte, e5m2);
    return values;
}

template <class T>
void store(std::byte* to, T value) {
    std::memcpy(to, &value, sizeof value);
}

}  // namespace

bool is_floating(std::string_view dtype) {
    return dtype == "F32" || dtype == "BF16" || dtype == "F16" || dtype == "F64" || dtype == "F8_E4M3" ||
           dtype == "F8_E5M2";
}

bool is_numeric(std::string_view dtype) {
    return with_decoder(dtype, [](auto&&) {});
}

std::uint16_t to_bfloat16(float value) {
    if (std::isnan(value))
        return 0x7fc0;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

std::uint16_t to_float16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    const std::uint32_t rest = bits & 0x7fffffff;
    if (rest > 0x7f800000)
        return static_cast<std::uint16_t>(sign | 0x7e00);
    if (rest >= 0x47800000)  // 65536 and more
        return static_cast<std::uint16_t>(sign | 0x7c00);
    if (rest < 0x38800000) {
        // Below the smallest normal number: an addition moves the bits to their place and rounds them.
        const float moved = std::bit_cast<float>(rest) + 0.5f;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(moved) - 0x3f000000));
    }
    return static_cast<std::uint16_t>(sign | ((rest - 0x38000000 + 0xfff + (rest >> 13 & 1)) >> 13));
}

const std::array<float, 256>& values_of_float8(bool e5m2) {
    static const std::array<float, 256> tables[] = {table_of_float8(false), table_of_float8(true)};
    return tables[e5m2 ? 1 : 0];
}

void decode_elements(std::string_view dtype, std::span<const std::byte> bytes, std::span<float> out) {
    if (dtype == "F32") {
        std::memcpy(out.data(), bytes.data(), out.size_bytes());
        return;
    }
    const std::size_t size = dtype_size(std::string(dtype));
    with_decoder(dtype, [&](auto&& element) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = static_cast<float>(element(bytes.data() + i * size));
    });
}

void convert_elements(std::string_view from, std::span<const std::byte> bytes, std::string_view to,
                      std::vector<std::byte>& out) {
    const std::size_t size = dtype_size(std::string(from)), target = dtype_size(std::string(to)),
                      count = bytes.size() / size;
    out.resize(count * target);
    if (from == to) {
        std::memcpy(out.data(), bytes.data(), out.size());
        return;
    }
    const bool known = is_floating(from) && with_decoder(from, [&](auto&& element) {
                           const auto write = [&](auto&& converted) {
                               for (std::size_t i = 0; i < count; ++i)
                                   store(out.data() + i * target, converted(element(bytes.data() + i * size)));
                           };
                           if (to == "F64")
                               write([](auto value) { return static_cast<double>(value); });
                           else if (to == "F32")
                               write([](auto value) { return static_cast<float>(value); });
                           else if (to == "BF16")
                               write([](auto value) { return to_bfloat16(static_cast<float>(value)); });
                           else if (to == "F16")
                               write([](auto value) { return to_float16(static_cast<float>(value)); });
                           else
                               throw std::invalid_argument("elements cannot be converted to " + std::string(to));
                       });
    if (!known)
        throw std::invalid_argument("elements of " + std::string(from) + " are not floating-point numbers");
}

}  // namespace trainyard::weights
