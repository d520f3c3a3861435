// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/packed_blocks.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "formats/weights/elements.h"

namespace trainyard::weights {

namespace {

using BlockBytes = const std::uint8_t*;

float half_at(BlockBytes at) {
    std::uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return from_float16(bits);
}

/// A small whole number times a scale.
float times(float scale, int value) {
    return scale * static_cast<float>(value);
}

void unpack_q4_0(BlockBytes block, float* out) {
    const float scale = half_at(block);
    for (int i = 0; i < 16; ++i) {
        out[i] = times(scale, (block[2 + i] & 15) - 8);
        out[i + 16] = times(scale, (block[2 + i] >> 4) - 8);
    }
}

void unpack_q4_1(BlockBytes block, float* out) {
    const float scale = half_at(block), least = half_at(block + 2);
    for (int i = 0; i < 16; ++i) {
        out[i] = times(scale, block[4 + i] & 15) + least;
        out[i + 16] = times(scale, block[4 + i] >> 4) + least;
    }
}

/// The fifth bits of the 32 elements, one after the other.
int fifth_bit(BlockBytes bits, int element) {
    return ((bits[element / 8] >> (element % 8)) & 1) << 4;
}

void unpack_q5_0(BlockBytes block, float* out) {
    const float scale = half_at(block);
    for (int i = 0; i < 16; ++i) {
        out[i] = times(scale, ((block[6 + i] & 15) | fifth_bit(block + 2, i)) - 16);
        out[i + 16] = times(scale, ((block[6 + i] >> 4) | fifth_bit(block + 2, i + 16)) - 16);
    }
}

void unpack_q5_1(BlockBytes block, float* out) {
    const float scale = half_at(block), least = half_at(block + 2);
    for (int i = 0; i < 16; ++i) {
        out[i] = times(scale, (block[8 + i] & 15) | fifth_bit(block + 4, i)) + least;
        out[i + 16] = times(scale, (block[8 + i] >> 4) | fifth_bit(block + 4, i + 16)) + least;
    }
}

void unpack_q8_0(BlockBytes block, float* out) {
    const float scale = half_at(block);
    for (int i = 0; i < 32; ++i)
        out[i] = times(scale, static_cast<std::int8_t>(block[2 + i]));
}

/// Scales and minima of 4 bits for 16 elements each, 2 bits for an element.
void unpack_q2_k(BlockBytes block, float* out) {
    const BlockBytes scales = block, quants = block + 16;
    const float scale = half_at(block + 80), least = half_at(block + 82);
    for (int group = 0; group < 16; ++group) {
        const float of_group = times(scale, scales[group] & 15), minimum = times(least, scales[group] >> 4);
        const int half = group / 8, shift = group % 8 / 2 * 2, first = half * 32 + group % 2 * 16;
        for (int i = 0; i < 16; ++i)
            out[group * 16 + i] = times(of_group, (quants[first + i] >> shift) & 3) - minimum;
    }
}

/// Scales of 6 bits: the low 4 of each in the first 8 bytes, the high 2 in the last 4.
void unpack_q3_k(BlockBytes block, float* out) {
    const BlockBytes masks = block, quants = block + 32, scales = block + 96;
    const float scale = half_at(block + 108);
    for (int group = 0; group < 16; ++group) {
        const int low = group < 8 ? scales[group] & 15 : scales[group - 8] >> 4;
        const int high = (scales[8 + group % 4] >> (group / 4 * 2)) & 3;
        const float of_group = times(scale, (low | (high << 4)) - 32);
        const int half = group / 8, shift = group % 8 / 2 * 2, first = half * 32 + group % 2 * 16,
                  bit = half * 4 + group % 8 / 2;
        for (int i = 0; i < 16; ++i) {
            const bool high_bit = ((masks[group % 2 * 16 + i] >> bit) & 1) != 0;
            out[group * 16 + i] = times(of_group, ((quants[first + i] >> shift) & 3) - (high_bit ? 0 : 4));
        }
    }
}

/// Scale and minimum of 6 bits of one of 8 groups, packed in 12 bytes.
std::pair<int, int> scale_and_least(BlockBytes packed, int group) {
    if (group < 4)
        return {packed[group] & 63, packed[group + 4] & 63};
    return {(packed[group + 4] & 15) | ((packed[group - 4] >> 6) << 4),
            (packed[group + 4] >> 4) | ((packed[group] >> 6) << 4)};
}

void unpack_q4_k(BlockBytes block, float* out) {
    const float scale = half_at(block), least = half_at(block + 2);
    for (int group = 0; group < 8; ++group) {
        const auto [multiple, minimum] = scale_and_least(block + 4, group);
        const float of_group = times(scale, multiple), below = times(least, minimum);
        const BlockBytes quants = block + 16 + group / 2 * 32;
        for (int i = 0; i < 32; ++i)
            out[group * 32 + i] = times(of_group, group % 2 == 0 ? quants[i] & 15 : quants[i] >> 4) - below;
    }
}

void unpack_q5_k(BlockBytes block, float* out) {
    const float scale = half_at(block), least = half_at(block + 2);
    const BlockBytes high = block + 16;
    for (int group = 0; group < 8; ++group) {
        const auto [multiple, minimum] = scale_and_least(block + 4, group);
        const float of_group = times(scale, multiple), below = times(least, minimum);
        const BlockBytes quants = block + 48 + group / 2 * 32;
        for (int i = 0; i < 32; ++i) {
            const int low = group % 2 == 0 ? quants[i] & 15 : quants[i] >> 4;
            out[group * 32 + i] = times(of_group, low | (((high[i] >> group) & 1) << 4)) - below;
        }
    }
}

void unpack_q6_k(BlockBytes block, float* out) {
    const float scale = half_at(block + 208);
    for (int half = 0; half < 2; ++half) {
        const BlockBytes low = block + half * 64, high = block + 128 + half * 32, scales = block + 192 + half * 8;
        for (int part = 0; part < 4; ++part)
            for (int i = 0; i < 32; ++i) {
                const int four = part < 2 ? low[part * 32 + i] & 15 : low[(part - 2) * 32 + i] >> 4;
                const int value = (four | (((high[i] >> (2 * part)) & 3) << 4)) - 32;
                const float of_group = times(scale, static_cast<std::int8_t>(scales[part * 2 + i / 16]));
                out[half * 128 + part * 32 + i] = times(of_group, value);
            }
    }
}

void unpack_q8_k(BlockBytes block, float* out) {
    float scale;
    std::memcpy(&scale, block, sizeof scale);
    for (int i = 0; i < 256; ++i)
        out[i] = times(scale, static_cast<std::int8_t>(block[4 + i]));
}

constexpr std::array<std::int8_t, 16> kUnevenSteps{-127, -104, -83, -65, -49, -35, -22, -10,
                                                   1,    13,   25,  38,  53,  69,  89,  113};

void unpack_iq4_nl(BlockBytes block, float* out) {
    const float scale = half_at(block);
    for (int i = 0; i < 16; ++i) {
        out[i] = times(scale, kUnevenSteps[block[2 + i] & 15]);
        out[i + 16] = times(scale, kUnevenSteps[block[2 + i] >> 4]);
    }
}

void unpack_iq4_xs(BlockBytes block, float* out) {
    const float scale = half_at(block);
    const int high = block[2] | (block[3] << 8);
    for (int group = 0; group < 8; ++group) {
        const int low = (block[4 + group / 2] >> (4 * (group % 2))) & 15;
        const float of_group = times(scale, (low | (((high >> (2 * group)) & 3) << 4)) - 32);
        const BlockBytes quants = block + 8 + group * 16;
        for (int i = 0; i < 16; ++i) {
            out[group * 32 + i] = times(of_group, kUnevenSteps[quants[i] & 15]);
            out[group * 32 + i + 16] = times(of_group, kUnevenSteps[quants[i] >> 4]);
        }
    }
}

void unpack_tq2_0(BlockBytes block, float* out) {
    const float scale = half_at(block + 64);
    for (int half = 0; half < 2; ++half)
        for (int part = 0; part < 4; ++part)
            for (int i = 0; i < 32; ++i)
                out[half * 128 + part * 32 + i] = times(scale, ((block[half * 32 + i] >> (2 * part)) & 3) - 1);
}

/// "OCP Microscaling Formats (MX) Specification", version 1.0: E2M1 with a common power of two. The steps are twice the values,
/// the scale a half.
void unpack_mxfp4(BlockBytes block, float* out) {
    static constexpr std::array<std::int8_t, 16> kSteps{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    const std::uint32_t power = block[0];
    const auto scale = std::bit_cast<float>(power < 2 ? 0x00200000u << power : (power - 1) << 23);
    for (int i = 0; i < 16; ++i) {
        out[i] = times(scale, kSteps[block[1 + i] & 15]);
        out[i + 16] = times(scale, kSteps[block[1 + i] >> 4]);
    }
}

constexpr PackedType kPackedTypes[] = {
    {"Q4_0", 32, 18, unpack_q4_0},       {"Q4_1", 32, 20, unpack_q4_1},    {"Q5_0", 32, 22, unpack_q5_0},
    {"Q5_1", 32, 24, unpack_q5_1},       {"Q8_0", 32, 34, unpack_q8_0},    {"Q2_K", 256, 84, unpack_q2_k},
    {"Q3_K", 256, 110, unpack_q3_k},     {"Q4_K", 256, 144, unpack_q4_k},  {"Q5_K", 256, 176, unpack_q5_k},
    {"Q6_K", 256, 210, unpack_q6_k},     {"Q8_K", 256, 292, unpack_q8_k},  {"IQ4_NL", 32, 18, unpack_iq4_nl},
    {"IQ4_XS", 256, 136, unpack_iq4_xs}, {"TQ2_0", 256, 66, unpack_tq2_0}, {"MXFP4", 32, 17, unpack_mxfp4},
};

}  // namespace

const PackedType* packed_type(std::string_view name) {
    for (const PackedType& type : kPackedTypes)
        if (type.name == name)
            return &type;
    return nullptr;
}

void unpack_blocks(const PackedType& type, std::span<const std::byte> blocks, std::span<float> out) {
    float* to = out.data();
    for (std::size_t at = 0; at + type.bytes <= blocks.size(); at += type.bytes, to += type.elements)
        type.unpack(reinterpret_cast<BlockBytes>(blocks.data()) + at, to);
}

}  // namespace trainyard::weights
