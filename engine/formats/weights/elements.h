// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Elements of tensors as numbers: the floating-point formats of files, and conversion between them as torch does it
// (round to nearest, ties to even).
// FP8: "FP8 Formats for Deep Learning" (arXiv 2209.05433), of which torch's float8_e4m3fn has no infinity.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace trainyard::weights {

/// True for F64, F32, F16, BF16 and the two 8-bit formats.
bool is_floating(std::string_view dtype);
/// True for everything whose elements are single real numbers: floating, whole numbers, BOOL. Not complex, not packed.
bool is_numeric(std::string_view dtype);

inline float from_bfloat16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
/// Converts float16 without branches, so that loops over it can be vectorised.
inline float from_float16(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16, rest = bits & 0x7fffu;
    // The exponent's bias grows from 15 to 127 by a multiplication, which also makes subnormal numbers normal.
    const float scaled = std::bit_cast<float>(rest << 13) * 0x1p112f;
    const std::uint32_t special = rest >= 0x7c00u ? 0x7f800000u : 0u;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
}
/// The power of two of an exponent of 8 bits (E8M0): OCP Microscaling Formats, 5.4.1.
inline float from_exponent8(std::byte exponent) {
    const auto bits = std::to_integer<std::uint32_t>(exponent);
    return std::bit_cast<float>(bits == 255 ? 0x7fc00000u : bits == 0 ? 0x00400000u : bits << 23);
}
std::uint16_t to_bfloat16(float value);
std::uint16_t to_float16(float value);
/// Of 8-bit formats: the value of each byte.
const std::array<float, 256>& values_of_float8(bool e5m2);

/// Calls `f(element)` with a function object that makes a number (float, double or an integer type) of the bytes at an
/// element's place.
/// False: the dtype is not numeric.
template <class F>
bool with_decoder(std::string_view dtype, F&& f) {
    const auto plain = [&]<class T>(T) {
        f([](const std::byte* at) {
            T value;
            std::memcpy(&value, at, sizeof value);
            return value;
        });
        return true;
    };
    const auto load16 = [](const std::byte* at) {
        std::uint16_t bits;
        std::memcpy(&bits, at, sizeof bits);
        return bits;
    };
    if (dtype == "F32")
        return plain(float{});
    if (dtype == "F64")
        return plain(double{});
    if (dtype == "BF16")
        return f([load16](const std::byte* at) { return from_bfloat16(load16(at)); }), true;
    if (dtype == "F16")
        return f([load16](const std::byte* at) { return from_float16(load16(at)); }), true;
    if (dtype == "F8_E4M3" || dtype == "F8_E5M2") {
        const auto& values = values_of_float8(dtype == "F8_E5M2");
        return f([&values](const std::byte* at) { return values[static_cast<std::size_t>(*at)]; }), true;
    }
    if (dtype == "F8_E8M0")
        return f([](const std::byte* at) { return from_exponent8(*at); }), true;
    if (dtype == "I64")
        return plain(std::int64_t{});
    if (dtype == "I32")
        return plain(std::int32_t{});
    if (dtype == "I16")
        return plain(std::int16_t{});
    if (dtype == "I8")
        return plain(std::int8_t{});
    if (dtype == "U64")
        return plain(std::uint64_t{});
    if (dtype == "U32")
        return plain(std::uint32_t{});
    if (dtype == "U16")
        return plain(std::uint16_t{});
    if (dtype == "U8" || dtype == "BOOL")
        return plain(std::uint8_t{});
    return false;
}

/// The elements as float (whole numbers and F64 are rounded). `out` has as many places as there are elements. The
/// dtype is numeric.
void decode_elements(std::string_view dtype, std::span<const std::byte> bytes, std::span<float> out);

/// Elements of one floating dtype as those of another, F64, F32, F16 or BF16: what torch's Tensor.to gives, bit for
/// bit, except for the payload of NaN.
void convert_elements(std::string_view from, std::span<const std::byte> bytes, std::string_view to,
                      std::vector<std::byte>& out);

}  // namespace trainyard::weights
