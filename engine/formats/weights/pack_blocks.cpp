// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/pack_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "formats/weights/elements.h"

namespace trainyard::weights {

namespace {

constexpr int kOfGroup = 32, kOfSmallGroup = 16, kOfSuperBlock = 256;
constexpr float kNoMagnitude = 1e-15F;  ///< below it a group counts as zero

void put_half(std::uint8_t* at, float value) {
    const std::uint16_t bits = to_float16(value);
    std::memcpy(at, &bits, sizeof bits);
}
float get_half(const std::uint8_t* at) {
    std::uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return from_float16(bits);
}

float inverse_of(float scale) {
    const float inverse = scale == 0 ? 0.0F : 1 / scale;
    return std::isfinite(inverse) ? inverse : 0.0F;
}

/// The nearest whole number, ties to even, of values up to 2^22: the sum's last 23 bits.
int nearest(float value) {
    return static_cast<int>(std::bit_cast<std::uint32_t>(value + 12582912.0F) & 0x7fffffU) - 0x400000;
}

using Codes = std::array<std::uint8_t, kOfSuperBlock>;

/// 4 bits of elements i and i + count in byte i.
void put_nibbles(const std::uint8_t* codes, int count, std::uint8_t* out) {
    for (int i = 0; i < count; ++i)
        out[i] = static_cast<std::uint8_t>((codes[i] & 15) | codes[i + count] << 4);
}
/// The fifth bits of 32 elements, one after the other.
void put_fifth_bits(const std::uint8_t* codes, std::uint8_t* out) {
    std::fill_n(out, 4, std::uint8_t{0});
    for (int i = 0; i < kOfGroup; ++i)
        out[i / 8] = static_cast<std::uint8_t>(out[i / 8] | (codes[i] >> 4 & 1) << (i % 8));
}

/// Codes around `middle`, which stands for zero. The element of the largest magnitude has the code 0.
float symmetric_codes(const float* x, int middle, std::uint8_t* codes) {
    const float* extreme =
        std::max_element(x, x + kOfGroup, [](float a, float b) { return std::fabs(a) < std::fabs(b); });
    const float scale = *extreme / static_cast<float>(-middle);
    const double inverse = inverse_of(scale);
    for (int i = 0; i < kOfGroup; ++i)
        codes[i] = static_cast<std::uint8_t>(
            std::clamp(static_cast<int>(static_cast<double>(x[i]) * inverse + (middle + 0.5)), 0, 2 * middle - 1));
    return scale;
}

/// Codes from the least element on. Returns it and the scale.
std::pair<float, float> affine_codes(const float* x, int most, std::uint8_t* codes) {
    const auto [least, largest] = std::minmax_element(x, x + kOfGroup);
    const float scale = (*largest - *least) / static_cast<float>(most), inverse = inverse_of(scale);
    for (int i = 0; i < kOfGroup; ++i)
        codes[i] = static_cast<std::uint8_t>(std::clamp(static_cast<int>((x[i] - *least) * inverse + 0.5F), 0, most));
    return {*least, scale};
}

void pack_q4_0(const float* x, std::uint8_t* block) {
    Codes codes;
    put_half(block, symmetric_codes(x, 8, codes.data()));
    put_nibbles(codes.data(), 16, block + 2);
}

void pack_q5_0(const float* x, std::uint8_t* block) {
    Codes codes;
    put_half(block, symmetric_codes(x, 16, codes.data()));
    put_fifth_bits(codes.data(), block + 2);
    put_nibbles(codes.data(), 16, block + 6);
}

void pack_q4_1(const float* x, std::uint8_t* block) {
    Codes codes;
    const auto [least, scale] = affine_codes(x, 15, codes.data());
    put_half(block, scale);
    put_half(block + 2, least);
    put_nibbles(codes.data(), 16, block + 4);
}

void pack_q5_1(const float* x, std::uint8_t* block) {
    Codes codes;
    const auto [least, scale] = affine_codes(x, 31, codes.data());
    put_half(block, scale);
    put_half(block + 2, least);
    put_fifth_bits(codes.data(), block + 4);
    put_nibbles(codes.data(), 16, block + 8);
}

void pack_q8_0(const float* x, std::uint8_t* block) {
    float most = 0;
    for (int i = 0; i < kOfGroup; ++i)
        most = std::max(most, std::fabs(x[i]));
    const float scale = most / 127, inverse = inverse_of(scale);
    put_half(block, scale);
    for (int i = 0; i < kOfGroup; ++i)
        block[2 + i] = static_cast<std::uint8_t>(static_cast<std::int8_t>(std::round(x[i] * inverse)));
}

/// How codes of a group stand for its elements: code * scale - minus_least.
struct GroupFit {
    float scale = 0, minus_least = 0;
};

/// Steps of the search for the scale of a group.
struct ScaleSearch {
    int most;     ///< largest code
    float first;  ///< of `most`, what is added to it in the first step
    int steps;
};

/// Chooses the scale and the least value of 32 elements, of which the weighted squares of what codes miss are least. A
/// scale is tried for each step of the search; its least value and its own correction are those of a linear regression.
GroupFit fit_group(const float* x, const float* weights, const ScaleSearch& search, std::uint8_t* codes) {
    float least = x[0], largest = x[0], weight_sum = weights[0], x_sum = weights[0] * x[0];
    for (int i = 1; i < kOfGroup; ++i) {
        least = std::min(least, x[i]);
        largest = std::max(largest, x[i]);
        weight_sum += weights[i];
        x_sum += weights[i] * x[i];
    }
    least = std::min(least, 0.0F);
    std::fill_n(codes, kOfGroup, std::uint8_t{0});
    if (largest == least)
        return {0, -least};
    const auto most = static_cast<float>(search.most);
    const auto encode = [&](float steps_per_unit, std::uint8_t* out) {
        for (int i = 0; i < kOfGroup; ++i)
            out[i] = static_cast<std::uint8_t>(std::clamp(nearest(steps_per_unit * (x[i] - least)), 0, search.most));
    };
    const auto error_of = [&](float scale, float from, const std::uint8_t* used) {
        float error = 0;
        for (int i = 0; i < kOfGroup; ++i) {
            const float missed = scale * static_cast<float>(used[i]) + from - x[i];
            error += weights[i] * (missed * missed);
        }
        return error;
    };
    // Codes are tried with the least value of the best ones so far, as ggml does.
    float steps_per_unit = most / (largest - least), scale = 1 / steps_per_unit;
    encode(steps_per_unit, codes);
    float best = error_of(scale, least, codes);
    for (int step = 0; step <= search.steps; ++step) {
        std::uint8_t tried[kOfGroup];
        steps_per_unit = (search.first + 0.1F * static_cast<float>(step) + most) / (largest - least);
        encode(steps_per_unit, tried);
        float code_sum = 0, square_sum = 0, product_sum = 0;
        for (int i = 0; i < kOfGroup; ++i) {
            const float code = tried[i], weighted = weights[i] * code;
            code_sum += weighted;
            square_sum += weighted * code;
            product_sum += weighted * x[i];
        }
        const float determinant = weight_sum * square_sum - code_sum * code_sum;
        if (!(determinant > 0))
            continue;
        float new_scale = (weight_sum * product_sum - x_sum * code_sum) / determinant;
        float new_least = (square_sum * x_sum - code_sum * product_sum) / determinant;
        if (new_least > 0) {
            new_least = 0;
            new_scale = product_sum / square_sum;
        }
        if (const float error = error_of(new_scale, new_least, tried); error < best) {
            std::copy_n(tried, kOfGroup, codes);
            best = error;
            scale = new_scale;
            least = new_least;
        }
    }
    return {scale, -least};
}

/// Writes the scales of Q4_K and Q5_K, two halves and 12 bytes for 8 groups of 32, and chooses the codes.
void encode_affine_groups(const float* x, const ScaleSearch& search, std::uint8_t* block, Codes& codes) {
    constexpr int kGroups = kOfSuperBlock / kOfGroup;
    std::array<GroupFit, kGroups> fits;
    float most_scale = 0, most_least = 0;
    for (int group = 0; group < kGroups; ++group) {
        const float* of_group = x + group * kOfGroup;
        float squares = 0, weights[kOfGroup];
        for (int i = 0; i < kOfGroup; ++i)
            squares += of_group[i] * of_group[i];
        const float typical = std::sqrt(squares / kOfGroup);
        for (int i = 0; i < kOfGroup; ++i)
            weights[i] = typical + std::fabs(of_group[i]);
        fits[group] = fit_group(of_group, weights, search, codes.data() + group * kOfGroup);
        most_scale = std::max(most_scale, fits[group].scale);
        most_least = std::max(most_least, fits[group].minus_least);
    }
    const float per_scale = most_scale > 0 ? 63 / most_scale : 0, per_least = most_least > 0 ? 63 / most_least : 0;
    put_half(block, most_scale / 63);
    put_half(block + 2, most_least / 63);
    std::uint8_t* packed = block + 4;
    const float scale_step = get_half(block), least_step = get_half(block + 2);
    for (int group = 0; group < kGroups; ++group) {
        const int scale =
            std::min(63, static_cast<int>(static_cast<std::uint8_t>(nearest(per_scale * fits[group].scale))));
        const int minus_least =
            std::min(63, static_cast<int>(static_cast<std::uint8_t>(nearest(per_least * fits[group].minus_least))));
        if (group < 4) {
            packed[group] = static_cast<std::uint8_t>(scale);
            packed[group + 4] = static_cast<std::uint8_t>(minus_least);
        } else {
            packed[group + 4] = static_cast<std::uint8_t>((scale & 15) | (minus_least & 15) << 4);
            packed[group - 4] = static_cast<std::uint8_t>(packed[group - 4] | scale >> 4 << 6);
            packed[group] = static_cast<std::uint8_t>(packed[group] | minus_least >> 4 << 6);
        }
        const float of_code = scale_step * static_cast<float>(scale);
        if (of_code == 0)
            continue;
        const float offset = least_step * static_cast<float>(minus_least);
        for (int i = group * kOfGroup; i < (group + 1) * kOfGroup; ++i)
            codes[i] = static_cast<std::uint8_t>(std::clamp(nearest((x[i] + offset) / of_code), 0, search.most));
    }
}

void pack_q4_k(const float* x, std::uint8_t* block) {
    Codes codes;
    encode_affine_groups(x, {15, -1, 20}, block, codes);
    for (int pair = 0; pair < 4; ++pair)
        put_nibbles(codes.data() + pair * 64, kOfGroup, block + 16 + pair * kOfGroup);
}

void pack_q5_k(const float* x, std::uint8_t* block) {
    Codes codes;
    encode_affine_groups(x, {31, -0.5F, 15}, block, codes);
    std::uint8_t *high = block + 16, *low = block + 48;
    std::fill_n(high, kOfGroup, std::uint8_t{0});
    for (int group = 0; group < 8; ++group)
        for (int i = 0; i < kOfGroup; ++i)
            high[i] = static_cast<std::uint8_t>(high[i] | codes[group * kOfGroup + i] >> 4 << group);
    for (int pair = 0; pair < 4; ++pair)
        put_nibbles(codes.data() + pair * 64, kOfGroup, low + pair * kOfGroup);
}

/// Chooses the scale with which codes from -32 to 31 miss least of 16 elements, in squares that are weighted with the
/// squares of the elements.
float fit_small_group(const float* x, std::uint8_t* codes) {
    const float extreme =
        *std::max_element(x, x + kOfSmallGroup, [](float a, float b) { return std::fabs(a) < std::fabs(b); });
    std::fill_n(codes, kOfSmallGroup, std::uint8_t{0});
    if (std::fabs(extreme) < kNoMagnitude)
        return 0;
    float scale = 0, best = -1;
    // The scale of the largest magnitude comes first, then those around it.
    for (const int step : {0, -9, -8, -7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
        const float steps_per_unit = -(32 + 0.1F * static_cast<float>(step)) / extreme;
        float products = 0, squares = 0;
        std::uint8_t tried[kOfSmallGroup];
        for (int i = 0; i < kOfSmallGroup; ++i) {
            const int code = std::clamp(nearest(steps_per_unit * x[i]), -32, 31);
            const float weight = x[i] * x[i], number = static_cast<float>(code);
            tried[i] = static_cast<std::uint8_t>(code + 32);
            products += weight * x[i] * number;
            squares += weight * number * number;
        }
        const bool improves = squares > 0 && products * products > best * squares;
        if (step != 0 && !improves)
            continue;
        std::copy_n(tried, kOfSmallGroup, codes);
        scale = squares > 0 ? products / squares : 0;
        best = scale * products;
    }
    return scale;
}

void pack_q6_k(const float* x, std::uint8_t* block) {
    constexpr int kGroups = kOfSuperBlock / kOfSmallGroup;
    std::uint8_t *low = block, *high = block + 128, *scales = block + 192, *step = block + 208;
    std::array<float, kGroups> fits;
    Codes codes;
    for (int group = 0; group < kGroups; ++group)
        fits[group] = fit_small_group(x + group * kOfSmallGroup, codes.data() + group * kOfSmallGroup);
    const float most = *std::ranges::max_element(fits, [](float a, float b) { return std::fabs(a) < std::fabs(b); });
    if (std::fabs(most) < kNoMagnitude) {
        std::fill_n(block, 210, std::uint8_t{0});
        return;
    }
    const float per_scale = -128 / most;
    put_half(step, 1 / per_scale);
    for (int group = 0; group < kGroups; ++group) {
        const int scale = std::min(127, nearest(per_scale * fits[group]));
        scales[group] = static_cast<std::uint8_t>(static_cast<std::int8_t>(scale));
        const float of_code = get_half(step) * static_cast<float>(scale);
        if (of_code == 0)
            continue;  // the group is zero whatever its codes are
        for (int i = group * kOfSmallGroup; i < (group + 1) * kOfSmallGroup; ++i)
            codes[i] = static_cast<std::uint8_t>(std::clamp(nearest(x[i] / of_code), -32, 31) + 32);
    }
    for (int half = 0; half < 2; ++half)
        for (int i = 0; i < kOfGroup; ++i) {
            const std::uint8_t* of = codes.data() + half * 128 + i;
            low[half * 64 + i] = static_cast<std::uint8_t>((of[0] & 15) | (of[64] & 15) << 4);
            low[half * 64 + 32 + i] = static_cast<std::uint8_t>((of[32] & 15) | (of[96] & 15) << 4);
            high[half * 32 + i] =
                static_cast<std::uint8_t>(of[0] >> 4 | of[32] >> 4 << 2 | of[64] >> 4 << 4 | of[96] >> 4 << 6);
        }
}

constexpr std::pair<std::string_view, PackBlock> kPackers[] = {
    {"Q4_0", pack_q4_0}, {"Q4_1", pack_q4_1}, {"Q5_0", pack_q5_0}, {"Q5_1", pack_q5_1},
    {"Q8_0", pack_q8_0}, {"Q4_K", pack_q4_k}, {"Q5_K", pack_q5_k}, {"Q6_K", pack_q6_k},
};

}  // namespace

PackBlock packer_of(std::string_view type) {
    for (const auto& [name, pack] : kPackers)
        if (name == type)
            return pack;
    return nullptr;
}

}  // namespace trainyard::weights
