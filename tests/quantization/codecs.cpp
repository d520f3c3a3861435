// SPDX-License-Identifier: GPL-3.0-or-later
// What the golden cases of low precision do not show: damaged tensors, and that values survive what is written.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "base/error.h"
#include "formats/weights/elements.h"
#include "formats/weights/quantization/blocks.h"
#include "formats/weights/quantization/float8.h"
#include "formats/weights/quantization/four_bit.h"
#include "formats/weights/quantization/int8_rows.h"
#include "formats/weights/quantization/packed_matrix.h"

namespace trainyard::quantization {
namespace {

std::vector<float> random_values(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values)
        value = normal(generator);
    return values;
}

using Stored = std::map<std::string, StoredTensor>;

Stored stored_of(const FourBitWeight& weight) {
    Stored all;
    for (StoredTensor& tensor : stored_four_bit("w", weight)) {
        const std::string name = tensor.name;
        all.emplace(name, std::move(tensor));
    }
    return all;
}

std::optional<FourBitWeight> read(const Stored& all) {
    return read_four_bit("w", [&](const std::string& name) -> std::optional<StoredTensor> {
        const auto found = all.find(name);
        return found == all.end() ? std::nullopt : std::optional(found->second);
    });
}

FourBitWeight weight_of(const std::string& type, bool double_quant, std::int64_t rows = 37, std::int64_t columns = 21) {
    return encode_four_bit(random_values(static_cast<std::size_t>(rows * columns), 3), {rows, columns},
                           {.type = type, .double_quant = double_quant});
}

TEST(Codecs, FourBitWeightsSurviveAFile) {
    for (const char* type : {"nf4", "fp4"})
        for (const bool double_quant : {false, true}) {
            const FourBitWeight weight = weight_of(type, double_quant);
            const std::optional<FourBitWeight> again = read(stored_of(weight));
            ASSERT_TRUE(again.has_value());
            EXPECT_EQ(again->shape, weight.shape);
            EXPECT_EQ(again->packed, weight.packed);
            EXPECT_EQ(again->absmax, weight.absmax);
            EXPECT_EQ(stored_of(*again).size(), stored_of(weight).size());
        }
}

/// A value is off by at most half of the widest gap of the table, of which a block has its magnitude.
TEST(Codecs, FourBitErrorsAreWithinHalfAGap) {
    const std::vector<float> values = random_values(999, 4);
    for (const char* type : {"nf4", "fp4"}) {
        const FourBitWeight weight = encode_four_bit(values, {999}, {.type = type});
        std::vector<float> decoded(values.size());
        decode_four_bit(weight, 0, decoded);
        const float half_gap = std::string(type) == "nf4" ? 0.152F : 0.168F;
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_LE(std::abs(decoded[i] - values[i]), half_gap * weight.absmax[i / 64]) << type << " " << i;
    }
}

TEST(Codecs, AnOrdinaryWeightHasNoQuantState) {
    EXPECT_FALSE(read({{"w", StoredTensor{"w", "F32", {1}, std::vector<std::byte>(4)}}}).has_value());
}

TEST(Codecs, DamagedFourBitWeightsAreRefused) {
    const Stored whole = stored_of(weight_of("nf4", true));
    std::size_t refused = 0;
    for (const auto& [name, tensor] : whole) {
        if (name.find("quant_state") != std::string::npos)
            continue;
        Stored without = whole, shorter = whole;
        without.erase(name);
        shorter.at(name).bytes.pop_back();
        EXPECT_THROW(read(without), UserError) << name;
        EXPECT_THROW(read(shorter), UserError) << name;
        ++refused;
    }
    EXPECT_EQ(refused, 5u);
    const std::string state = "w.quant_state.bitsandbytes__nf4";
    for (const std::string text :
         {"", "{", "[]", R"({"blocksize": 64})", R"({"blocksize": 0, "dtype": "float32", "shape": [37, 21]})",
          R"({"blocksize": 64, "dtype": "float32", "shape": [-37, 21]})",
          R"({"blocksize": 64, "dtype": "float32", "shape": [1099511627776, 1099511627776]})",
          R"({"blocksize": 64, "dtype": "float32", "shape": [37, 22]})",
          R"({"blocksize": 64, "dtype": "float32", "shape": [37, 21], "nested_blocksize": 256})"}) {
        Stored other = whole;
        const auto bytes = std::as_bytes(std::span(text));
        other.at(state).bytes = {bytes.begin(), bytes.end()};
        EXPECT_THROW(read(other), UserError) << text;
    }
}

TEST(Codecs, TheNearestCodeIsNearest) {
    for (const CodeTable* table : {&nf4_table(), &fp4_table(), &dynamic_table(true), &dynamic_table(false)})
        for (const float x : random_values(2000, 5)) {
            const float found = std::abs(table->values()[table->nearest(x)] - x);
            for (const float value : table->values())
                ASSERT_LE(found, std::abs(value - x) * (1 + 1e-6F) + 1e-9F) << x;
        }
}

/// Every pair of neighbours and what lies between them.
TEST(Codecs, Float8RoundsToTheNearestValue) {
    for (const Float8 format : {Float8::e4m3, Float8::e5m2}) {
        const auto& values = weights::values_of_float8(format == Float8::e5m2);
        for (std::size_t code = 0; code < 0x7f; ++code) {
            const float low = values[code], high = values[code + 1];
            if (!std::isfinite(high))
                break;
            EXPECT_EQ(to_float8(low, format), code);
            EXPECT_EQ(to_float8(-low, format), code | 0x80);
            const float middle = (low + high) / 2;
            EXPECT_EQ(to_float8(middle, format), code % 2 == 0 ? code : code + 1);
            EXPECT_EQ(to_float8(std::nextafter(middle, low), format), code);
            EXPECT_EQ(to_float8(std::nextafter(middle, high), format), code + 1);
        }
        EXPECT_TRUE(std::isnan(values[to_float8(std::numeric_limits<float>::quiet_NaN(), format)]));
        EXPECT_EQ(values[to_float8_saturated(-std::numeric_limits<float>::infinity(), format)], -largest_value(format));
    }
    EXPECT_TRUE(std::isnan(weights::values_of_float8(false)[to_float8(465, Float8::e4m3)]));
    EXPECT_TRUE(std::isinf(weights::values_of_float8(true)[to_float8(61440, Float8::e5m2)]));
}

TEST(Codecs, StochasticRoundingKeepsNaN) {
    const auto low_payload = std::bit_cast<float>(0x7f800001U);
    EXPECT_TRUE(std::isnan(weights::from_bfloat16(round_stochastically(low_payload, 0xffff))));
}

TEST(Codecs, Int8RowsOfValuesThatAreNotFinite) {
    const std::vector<float> values{1, std::numeric_limits<float>::quiet_NaN(), -2, 0, 0, 0};
    const Int8Rows rows = encode_int8_rows(values, 3);
    EXPECT_EQ(rows.codes, (std::vector<std::int8_t>{64, 0, -127, 0, 0, 0}));
    EXPECT_EQ(rows.magnitudes, (std::vector<float>{2, 0}));
}

/// Parts of rows and columns have the values of the whole matrix, bit for bit, wherever they begin.
TEST(PackedMatrix, PartsHaveTheValuesOfTheWhole) {
    for (const std::int64_t columns : {128, 96, 37}) {
        constexpr std::int64_t kRows = 21;
        const std::vector<float> values = random_values(static_cast<std::size_t>(kRows * columns), 9);
        for (const WeightQuantization& how : {WeightQuantization{.method = "nf4"},
                                              {.method = "nf4", .double_quant = true},
                                              {.method = "fp4"},
                                              {.method = "int8"}}) {
            const PackedMatrix whole = PackedMatrix::encode(values, columns, how);
            std::vector<float> decoded(values.size());
            whole.decode_rows(0, kRows, decoded);
            for (const auto& [dimension, intervals] : {std::pair{0, std::vector<PackedMatrix::Interval>{{7, 14}}},
                                                       {0, {{1, 4}, {9, 9}, {20, 21}}},
                                                       {1, {{0, columns / 2}}},
                                                       {1, {{columns / 2, columns}}},
                                                       {1, {{3, 8}, {9, 10}, {20, 33}}}}) {
                const PackedMatrix part = whole.part(dimension, intervals);
                std::vector<float> expected;
                const auto add = [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
                    expected.insert(expected.end(), decoded.begin() + row * columns + begin,
                                    decoded.begin() + row * columns + end);
                };
                if (dimension == 0)
                    for (const auto& [begin, end] : intervals)
                        for (std::int64_t row = begin; row < end; ++row)
                            add(row, 0, columns);
                else
                    for (std::int64_t row = 0; row < kRows; ++row)
                        for (const auto& [begin, end] : intervals)
                            add(row, begin, end);
                ASSERT_EQ(part.rows() * part.columns(), std::ssize(expected));
                std::vector<float> found(expected.size());
                part.decode_rows(0, part.rows(), found);
                EXPECT_EQ(found, expected) << how.method << " " << columns << " " << dimension;
                // Products, too, and files.
                const std::vector<float> x(static_cast<std::size_t>(part.columns()), 0.5F);
                std::vector<float> y(static_cast<std::size_t>(part.rows()));
                part.multiply(part.prepare(x), 0, part.rows(), y.data(), part.rows());
                for (std::int64_t row = 0; row < part.rows(); ++row)
                    EXPECT_NEAR(y[static_cast<std::size_t>(row)],
                                std::accumulate(expected.begin() + row * part.columns(),
                                                expected.begin() + (row + 1) * part.columns(), 0.0F) /
                                    2,
                                1e-3);
            }
        }
    }
}

}  // namespace
}  // namespace trainyard::quantization
