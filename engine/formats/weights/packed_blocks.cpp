// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/packed_blocks.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "formats/weights/block_codebooks.h"
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
constexpr std::array<std::int8_t, 16> kE2m1Steps{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

void unpack_mxfp4(BlockBytes block, float* out) {
    const std::uint32_t power = block[0];
    const auto scale = std::bit_cast<float>(power < 2 ? 0x00200000u << power : (power - 1) << 23);
    for (int i = 0; i < 16; ++i) {
        out[i] = times(scale, kE2m1Steps[block[1 + i] & 15]);
        out[i + 16] = times(scale, kE2m1Steps[block[1 + i] >> 4]);
    }
}

/// Powers of three in a byte: five elements, or four in the last four bytes. A code is its element's third of the byte.
void unpack_tq1_0(BlockBytes block, float* out) {
    static constexpr std::array<std::uint8_t, 5> kPowers{1, 3, 9, 27, 81};
    const float scale = half_at(block + 52);
    const auto element = [&](BlockBytes byte, std::size_t power) {
        const auto shifted = static_cast<std::uint8_t>(*byte * kPowers[power]);
        return times(scale, ((shifted * 3) >> 8) - 1);
    };
    struct Part {
        int first, count;
        std::size_t powers;
    };
    for (const auto& [first, count, powers] : {Part{0, 32, 5}, Part{32, 16, 5}, Part{48, 4, 4}})
        for (std::size_t power = 0; power < powers; ++power)
            for (int i = 0; i < count; ++i)
                *out++ = element(block + first + i, power);
}

/// E2M1 in groups of 16 with a scale in unsigned E4M3 each. The steps are twice the values, the scale a half.
void unpack_nvfp4(BlockBytes block, float* out) {
    for (int group = 0; group < 4; ++group) {
        const int code = block[group], exponent = (code >> 3) & 15, mantissa = code & 7;
        float scale = exponent == 0 ? static_cast<float>(mantissa) / 512
                                    : std::ldexp(1 + static_cast<float>(mantissa) / 8, exponent - 7);
        scale = code == 0x7f ? 0 : scale / 2;
        const BlockBytes quants = block + 4 + group * 8;
        for (int i = 0; i < 8; ++i) {
            out[group * 16 + i] = times(scale, kE2m1Steps[quants[i] & 15]);
            out[group * 16 + i + 8] = times(scale, kE2m1Steps[quants[i] >> 4]);
        }
    }
}

/// Seven signs; the eighth makes their number even.
int with_parity(std::uint32_t signs) {
    return static_cast<int>(signs | static_cast<std::uint32_t>(std::popcount(signs) & 1) << 7);
}

/// Elements of an entry of a codebook of 2-bit codes, with signs.
void eight_of(std::uint16_t entry, int signs, float scale, float* out) {
    static constexpr std::array<std::uint8_t, 4> kValues{8, 25, 43, 0};
    for (int i = 0; i < 8; ++i)
        out[i] = times(scale, kValues[(entry >> (2 * i)) & 3]) * ((signs >> i & 1) != 0 ? -1.0F : 1.0F);
}

float quarter_scale(float scale, int code) {
    return scale * (0.5F + static_cast<float>(code)) * 0.25F;
}

void unpack_iq2_xxs(BlockBytes block, float* out) {
    const float scale = half_at(block);
    for (int group = 0; group < 8; ++group) {
        const BlockBytes quants = block + 2 + group * 8;
        std::uint32_t rest;
        std::memcpy(&rest, quants + 4, sizeof rest);
        const float of_group = quarter_scale(scale, static_cast<int>(rest >> 28));
        for (int i = 0; i < 4; ++i)
            eight_of(kGrid2Xxs[quants[i]], with_parity(rest >> (7 * i) & 127), of_group, out + group * 32 + i * 8);
    }
}

std::uint16_t word_at(BlockBytes at) {
    return static_cast<std::uint16_t>(at[0] | at[1] << 8);
}

void unpack_iq2_xs(BlockBytes block, float* out) {
    const float scale = half_at(block);
    const BlockBytes scales = block + 66;
    for (int eight = 0; eight < 32; ++eight) {
        const int quant = word_at(block + 2 + 2 * eight), group = eight / 2;
        const float of_group = quarter_scale(scale, scales[group / 2] >> (4 * (group % 2)) & 15);
        eight_of(kGrid2Xs[quant & 511], with_parity(static_cast<std::uint32_t>(quant >> 9)), of_group, out + eight * 8);
    }
}

void unpack_iq2_s(BlockBytes block, float* out) {
    const float scale = half_at(block);
    const BlockBytes quants = block + 2, signs = block + 34, high = block + 66, scales = block + 74;
    for (int eight = 0; eight < 32; ++eight) {
        const int index = quants[eight] | (high[eight / 4] >> (2 * (eight % 4)) & 3) << 8, group = eight / 2;
        const float of_group = quarter_scale(scale, scales[group / 2] >> (4 * (group % 2)) & 15);
        eight_of(kGrid2S[index], signs[eight], of_group, out + eight * 8);
    }
}

/// Elements of an entry of a codebook of 4-bit codes, with signs.
void four_of(std::uint16_t entry, const std::array<std::uint8_t, 8>& values, int signs, float scale, float* out) {
    for (int i = 0; i < 4; ++i)
        out[i] = times(scale, values[(entry >> (4 * i)) & 7]) * ((signs >> i & 1) != 0 ? -1.0F : 1.0F);
}

void unpack_iq3_xxs(BlockBytes block, float* out) {
    static constexpr std::array<std::uint8_t, 8> kValues{4, 12, 20, 28, 36, 44, 52, 62};
    const float scale = half_at(block);
    for (int group = 0; group < 8; ++group) {
        std::uint32_t rest;
        std::memcpy(&rest, block + 66 + group * 4, sizeof rest);
        const float of_group = scale * (0.5F + static_cast<float>(rest >> 28)) * 0.5F;
        for (int i = 0; i < 8; ++i) {
            const int signs = with_parity(rest >> (7 * (i / 2)) & 127) >> (4 * (i % 2));
            four_of(kGrid3Xxs[block[2 + group * 8 + i]], kValues, signs, of_group, out + group * 32 + i * 4);
        }
    }
}

void unpack_iq3_s(BlockBytes block, float* out) {
    static constexpr std::array<std::uint8_t, 8> kValues{1, 3, 5, 7, 9, 11, 13, 15};
    const float scale = half_at(block);
    const BlockBytes quants = block + 2, high = block + 66, signs = block + 74, scales = block + 106;
    for (int four = 0; four < 64; ++four) {
        const int index = quants[four] | (high[four / 8] >> (four % 8) & 1) << 8, group = four / 8;
        const float of_group = times(scale, 1 + 2 * (scales[group / 2] >> (4 * (group % 2)) & 15));
        four_of(kGrid3S[index], kValues, signs[four / 2] >> (4 * (four % 2)), of_group, out + four * 4);
    }
}

/// Elements of an entry of the codebook of IQ1, moved by an eighth.
void eight_moved(std::uint16_t entry, bool down, float scale, float* out) {
    const float delta = down ? -0.125F : 0.125F;
    for (int i = 0; i < 8; ++i)
        out[i] = scale * (static_cast<float>((entry >> (2 * i) & 3) - 1) + delta);
}

void unpack_iq1_s(BlockBytes block, float* out) {
    const float scale = half_at(block);
    for (int group = 0; group < 8; ++group) {
        const int high = word_at(block + 34 + 2 * group);
        const float of_group = times(scale, 2 * (high >> 12 & 7) + 1);
        for (int i = 0; i < 4; ++i) {
            const int index = block[2 + group * 4 + i] | (high >> (3 * i) & 7) << 8;
            eight_moved(kGrid1[index], (high & 0x8000) != 0, of_group, out + group * 32 + i * 8);
        }
    }
}

/// The digits of the block's scale are the high bits of four words, which have the scales of its groups below them.
void unpack_iq1_m(BlockBytes block, float* out) {
    const BlockBytes quants = block, high = block + 32, scales = block + 48;
    std::uint16_t bits = 0;
    for (int i = 0; i < 4; ++i)
        bits = static_cast<std::uint16_t>(bits | (word_at(scales + 2 * i) >> 12) << (4 * i));
    const float scale = from_float16(bits);
    for (int eight = 0; eight < 32; ++eight) {
        const int group = eight / 2, digits = high[group] >> (4 * (eight % 2));
        const float of_group = times(scale, 2 * (word_at(scales + group / 4 * 2) >> (3 * (group % 4)) & 7) + 1);
        eight_moved(kGrid1[quants[eight] | (digits & 7) << 8], (digits & 8) != 0, of_group, out + eight * 8);
    }
}

constexpr PackedType kPackedTypes[] = {
    {"Q4_0", 32, 18, unpack_q4_0},       {"Q4_1", 32, 20, unpack_q4_1},    {"Q5_0", 32, 22, unpack_q5_0},
    {"Q5_1", 32, 24, unpack_q5_1},       {"Q8_0", 32, 34, unpack_q8_0},    {"Q2_K", 256, 84, unpack_q2_k},
    {"Q3_K", 256, 110, unpack_q3_k},     {"Q4_K", 256, 144, unpack_q4_k},  {"Q5_K", 256, 176, unpack_q5_k},
    {"Q6_K", 256, 210, unpack_q6_k},     {"Q8_K", 256, 292, unpack_q8_k},  {"IQ4_NL", 32, 18, unpack_iq4_nl},
    {"IQ4_XS", 256, 136, unpack_iq4_xs}, {"TQ2_0", 256, 66, unpack_tq2_0}, {"MXFP4", 32, 17, unpack_mxfp4},
    {"IQ1_S", 256, 50, unpack_iq1_s},    {"IQ1_M", 256, 56, unpack_iq1_m}, {"IQ2_XXS", 256, 66, unpack_iq2_xxs},
    {"IQ2_XS", 256, 74, unpack_iq2_xs},  {"IQ2_S", 256, 82, unpack_iq2_s}, {"IQ3_XXS", 256, 98, unpack_iq3_xxs},
    {"IQ3_S", 256, 110, unpack_iq3_s},   {"TQ1_0", 256, 54, unpack_tq1_0}, {"NVFP4", 64, 36, unpack_nvfp4},
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
