// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/code_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace trainyard::quantization {

namespace {

/// As torch.linspace in fp32, with one rounding of each value: the second half counts from the end.
std::vector<float> linspace(float first, float last, int count) {
    std::vector<float> values;
    const float step = (last - first) / static_cast<float>(count - 1);
    for (int i = 0; i < count; ++i)
        values.push_back(i < count / 2 ? std::fma(step, static_cast<float>(i), first)
                                       : std::fma(-step, static_cast<float>(count - i - 1), last));
    return values;
}

std::vector<float> dynamic_values(bool has_sign) {
    constexpr int kExponents = 7;
    std::vector<float> values{0.0F, 1.0F};
    for (int i = 0; i < kExponents; ++i) {
        const std::vector<float> edges = linspace(0.1F, 1.0F, (has_sign ? 1 << i : 2 << i) + 1);
        const auto power = static_cast<float>(std::pow(10.0, i - (kExponents - 1)));
        for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
            const float value = power * ((edges[k] + edges[k + 1]) / 2);
            values.push_back(value);
            if (has_sign)
                values.push_back(-value);
        }
    }
    std::ranges::sort(values);
    return values;
}

}  // namespace

CodeTable::CodeTable(std::vector<float> values) : values_(std::move(values)), codes_(values_.size()) {
    if (values_.size() != 16 && values_.size() != 256)
        throw std::invalid_argument("a code table has 16 or 256 values");
    std::iota(codes_.begin(), codes_.end(), std::uint8_t{0});
    std::ranges::stable_sort(codes_, {}, [&](std::uint8_t code) { return values_[code]; });
    for (std::size_t i = 0; i + 1 < codes_.size(); ++i)
        bounds_.push_back((values_[codes_[i]] + values_[codes_[i + 1]]) / 2);
}

const CodeTable& nf4_table() {
    static const CodeTable table({-1.0F, -0.6961928009986877F, -0.5250730514526367F, -0.39491748809814453F,
                                  -0.28444138169288635F, -0.18477343022823334F, -0.09105003625154495F, 0.0F,
                                  0.07958029955625534F, 0.16093020141124725F, 0.24611230194568634F,
                                  0.33791524171829224F, 0.44070982933044434F, 0.5626170039176941F, 0.7229568362236023F,
                                  1.0F});
    return table;
}

const CodeTable& fp4_table() {
    static const CodeTable table = [] {
        std::vector<float> values{0.0F, 0.0625F, 8.0F, 12.0F, 4.0F, 6.0F, 2.0F, 3.0F};
        for (std::size_t i = 0; i < 8; ++i)
            values.push_back(0.0F - values[i]);
        for (float& value : values)
            value /= 12.0F;
        return CodeTable(std::move(values));
    }();
    return table;
}

const CodeTable& dynamic_table(bool has_sign) {
    static const CodeTable with(dynamic_values(true)), without(dynamic_values(false));
    return has_sign ? with : without;
}

std::vector<float> linear_values(bool has_sign) {
    std::vector<float> values = has_sign ? linspace(-1.0F, 1.0F, 255) : linspace(0.0F, 1.0F, 256);
    if (has_sign)
        values.insert(values.begin() + 127, 0.0F);
    return values;
}

std::vector<float> small_float_values(bool has_sign, int exponent_bits, int precision_bits) {
    std::vector<double> values;
    const int bias = 1 << (exponent_bits - 1), fractions = 1 << precision_bits;
    for (int exponent = 0; exponent < 1 << exponent_bits; ++exponent)
        for (int fraction = 0; fraction < fractions; ++fraction) {
            const double mantissa = (exponent == 0 ? 0.0 : 1.0) + static_cast<double>(fraction) / fractions;
            const double value = std::ldexp(mantissa, exponent == 0 ? -bias : bias + 1 - exponent);
            values.push_back(value);
            if (has_sign)
                values.push_back(-value);
        }
    std::ranges::stable_sort(values);  // 0 before -0
    std::vector<float> narrow(values.begin(), values.end());
    const float largest = narrow.back();
    for (float& value : narrow)
        value /= largest;
    return narrow;
}

}  // namespace trainyard::quantization
