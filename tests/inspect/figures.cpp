// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of tensors and differences of checkpoints, against plain loops.

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "base/instruction_set.h"
#include "formats/weights/elements.h"
#include "formats/weights/quantization/quantized_source.h"
#include "formats/weights/weight_source.h"
#include "inspect/saved.h"
#include "observe/inspect/compare.h"
#include "observe/inspect/statistics.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

std::vector<float> normal(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution;
    std::vector<float> values(count);
    for (float& value : values)
        value = distribution(random);
    return values;
}

class Figures : public testing::Test {
  protected:
    test::TemporaryFolder folder_;
};

TEST_F(Figures, OfEveryTensorInOnePass) {
    test::Floats tensors{{"big", normal(700'001, 1)}, {"small", normal(3, 2)}, {"empty", {}}};
    tensors["big"][5] = NAN;
    tensors["big"][600'000] = INFINITY;
    tensors["big"][7] = 0;
    test::write_floats(folder_.path() / "model.safetensors", tensors);
    const Contents contents = read_contents(folder_.path());
    const Reader reader(contents);
    for (int threads : {1, 3}) {
        std::map<std::string, Statistics> found;
        Progress progress;
        const auto result = statistics_pass(
            reader, {}, [&](std::size_t i, const Statistics& one) { found[contents.tensors[i].name] = one; }, progress,
            threads);
        EXPECT_TRUE(result.problems.empty());
        ASSERT_EQ(found.size(), 3u);
        double squares = 0, sum = 0;
        for (float value : tensors["big"])
            if (std::isfinite(value)) {
                squares += static_cast<double>(value) * static_cast<double>(value);
                sum += static_cast<double>(value);
            }
        const Statistics& big = found["big"];
        EXPECT_EQ(big.elements, 700'001u);
        EXPECT_EQ(big.nan, 1u);
        EXPECT_EQ(big.infinite, 1u);
        EXPECT_GE(big.zeros, 1u);
        EXPECT_NEAR(big.norm(), std::sqrt(squares), std::sqrt(squares) * 1e-6);
        EXPECT_NEAR(big.mean(), sum / 699'999.0, 1e-7);
        std::uint64_t counted = 0;
        for (std::uint32_t bin : big.bins)
            counted += bin;
        EXPECT_GT(counted, kHistogramSample / 2);
        EXPECT_LE(counted, kHistogramSample);
        EXPECT_EQ(found["empty"].elements, 0u);
    }
}

/// Every loop of every instruction set that this processor has, beside sums in double.
TEST_F(Figures, AreTheSameWithEveryInstructionSet) {
    for (const InstructionSet set : kInstructionSets) {
        if (set > best_instruction_set())
            break;
        const UseInstructionSet used(set);
        for (const char* dtype : {"F32", "BF16", "F16"})
            for (const std::size_t count : {std::size_t{1}, std::size_t{63}, std::size_t{8192}, std::size_t{20'011}})
                for (const int kind : {0, 1, 2}) {
                    SCOPED_TRACE(std::string(to_string(set)) + " " + dtype + " " + std::to_string(count) + " " +
                                 std::to_string(kind));
                    std::vector<float> values = normal(count, 7);
                    if (kind == 1 && count > 100) {
                        values[3] = NAN;
                        values[64] = -INFINITY;
                        values[count - 1] = INFINITY;
                    }
                    for (std::size_t i = 0; i < count; i += 17)
                        values[i] = i % 2 == 0 ? 0.0f : -0.0f;
                    if (kind == 2)  // sums of floats would lose these
                        for (float& value : values)
                            value *= std::string(dtype) == "F16" ? 1e-6f : 1e-25f;
                    std::vector<std::byte> bytes;
                    weights::convert_elements("F32", std::as_bytes(std::span(values)), dtype, bytes);
                    weights::decode_elements(dtype, bytes, values);
                    double squares = 0, sum = 0, min = INFINITY, max = -INFINITY;
                    std::uint64_t zeros = 0, nan = 0, infinite = 0;
                    for (float value : values) {
                        nan += std::isnan(value) ? 1 : 0;
                        infinite += std::isinf(value) ? 1 : 0;
                        if (!std::isfinite(value))
                            continue;
                        zeros += value == 0 ? 1 : 0;
                        const auto wide = static_cast<double>(value);
                        squares += wide * wide;
                        sum += wide;
                        min = std::min(min, wide);
                        max = std::max(max, wide);
                    }
                    const Statistics found = statistics_of(dtype, bytes);
                    EXPECT_EQ(found.elements, count);
                    EXPECT_EQ(found.zeros, zeros);
                    EXPECT_EQ(found.nan, nan);
                    EXPECT_EQ(found.infinite, infinite);
                    EXPECT_EQ(found.min, min);
                    EXPECT_EQ(found.max, max);
                    EXPECT_NEAR(found.norm(), std::sqrt(squares), std::sqrt(squares) * 2e-6);
                    EXPECT_NEAR(found.sum, sum, std::sqrt(squares * static_cast<double>(count)) * 1e-6);
                }
    }
}

TEST_F(Figures, EndWhenSomebodyCancels) {
    test::write_floats(folder_.path() / "model.safetensors", {{"a", normal(2'000'000, 3)}});
    const Contents contents = read_contents(folder_.path());
    const Reader reader(contents);
    Progress progress([](std::uint64_t done, std::uint64_t) { return done < 1'000'000; });
    EXPECT_THROW(statistics_pass(
                     reader, {}, [](std::size_t, const Statistics&) { FAIL(); }, progress),
                 Cancelled);
}

TEST_F(Figures, OfAFileThatShrankAreAProblem) {
    test::write_floats(folder_.path() / "model.safetensors", {{"a", normal(2'000'000, 3)}});
    const Contents contents = read_contents(folder_.path());
    fs::resize_file(folder_.path() / "model.safetensors", 4'000'000);
    const Reader reader(contents);
    Progress progress;
    EXPECT_THAT(statistics_pass(
                    reader, {}, [](std::size_t, const Statistics&) { FAIL(); }, progress)
                    .problems,
                testing::ElementsAre(
                    test::says("{} became shorter while it was read: it ends at byte {}", testing::_, testing::_)));
}

TEST_F(Figures, DifferencesPairNamesAndContents) {
    const std::vector<float> a = normal(100'000, 4), moved = normal(50, 5);
    std::vector<float> b = a;
    b[99'999] += 1;
    test::write_floats(folder_.path() / "1" / "model.safetensors",
                       {{"same", a}, {"w", a}, {"old", moved}, {"gone", {1}}, {"cut", {1, 2}}});
    test::write_floats(folder_.path() / "2" / "model.safetensors",
                       {{"same", a}, {"w", b}, {"new", moved}, {"fresh", {2, 3, 4}}, {"cut", {1, 2, 3}}});
    const Contents before = read_contents(folder_.path() / "1"), after = read_contents(folder_.path() / "2");
    const Reader x(before), y(after);
    Progress progress;
    const Comparison comparison = compare(x, y, progress);
    EXPECT_TRUE(comparison.problems.empty());
    std::map<std::string, TensorChange> rows;
    for (const TensorChange& row : comparison.rows)
        rows[row.after != TensorChange::kNone ? after.tensors[row.after].name : before.tensors[row.before].name] = row;
    using Kind = TensorChange::Kind;
    EXPECT_EQ(rows.size(), 6u);
    EXPECT_EQ(rows["same"].kind, Kind::same);
    EXPECT_EQ(rows["same"].relative, 0);
    EXPECT_EQ(rows["w"].kind, Kind::changed);
    EXPECT_EQ(rows["w"].changed_elements, 1u);
    EXPECT_NEAR(rows["w"].largest, 1, 1e-6);
    EXPECT_NEAR(rows["w"].relative, 1 / std::sqrt(1e5), 1e-4);
    EXPECT_EQ(rows["new"].kind, Kind::renamed);
    EXPECT_EQ(before.tensors[rows["new"].before].name, "old");
    EXPECT_EQ(rows["gone"].kind, Kind::removed);
    EXPECT_EQ(rows["fresh"].kind, Kind::added);
    EXPECT_EQ(rows["cut"].kind, Kind::reshaped);
}

TEST_F(Figures, QuantizedWeightsAreComparedByValue) {
    const std::vector<float> matrix = normal(128 * 64, 6), bias = normal(64, 7);
    const auto write = [this](const char* name, const std::vector<weights::TensorToWrite>& tensors) {
        fs::create_directories(folder_.path() / name);
        weights::write_safetensors(folder_.path() / name / "model.safetensors", tensors);
    };
    write("plain", {{"bert.fc.weight", "F32", {128, 64}, std::as_bytes(std::span(matrix))},
                    {"bert.fc.bias", "F32", {64}, std::as_bytes(std::span(bias))},
                    {"classifier.bias", "F32", {3}, std::as_bytes(std::span(bias).first(3))}});
    write("base", {{"fc.weight", "F32", {128, 64}, std::as_bytes(std::span(matrix))},
                   {"fc.bias", "F32", {64}, std::as_bytes(std::span(bias))}});
    const Contents plain = read_contents(folder_.path() / "plain");
    const auto rows_of = [](const Contents& before, const Contents& after) {
        const Reader x(before), y(after);
        Progress progress;
        std::map<std::string, TensorChange> rows;
        for (const TensorChange& row : compare(x, y, progress).rows)
            rows[row.after != TensorChange::kNone ? after.tensors[row.after].name : before.tensors[row.before].name] =
                row;
        return rows;
    };
    using Kind = TensorChange::Kind;
    // Names of a model with a head begin with the name of its body.
    const Contents base = read_contents(folder_.path() / "base");
    auto rows = rows_of(base, plain);
    EXPECT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows["bert.fc.weight"].kind, Kind::same);
    EXPECT_EQ(rows["bert.fc.bias"].kind, Kind::same);
    EXPECT_EQ(rows["classifier.bias"].kind, Kind::added);
    std::map<std::string, Contents> quantized;
    for (const auto& [method, most] : {std::pair("nf4", 0.15), {"int8", 0.02}}) {
        SCOPED_TRACE(method);
        const auto source = quantization::quantized(weights::open_weights(folder_.path() / "plain"), {"bert.fc.weight"},
                                                    {.method = method, .double_quant = false});
        std::vector<std::vector<std::byte>> bytes(source->tensors().size());
        std::vector<weights::TensorToWrite> tensors;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            source->stream(i, [&](std::span<const std::byte> piece) {
                bytes[i].insert(bytes[i].end(), piece.begin(), piece.end());
            });
            tensors.push_back({source->tensors()[i].name, source->tensors()[i].dtype, source->tensors()[i].shape,
                               std::span<const std::byte>(bytes[i])});
        }
        write(method, tensors);
        const Contents& packed = quantized.emplace(method, read_contents(folder_.path() / method)).first->second;
        ASSERT_GT(packed.tensors.size(), plain.tensors.size());
        for (const bool back : {false, true}) {
            rows = back ? rows_of(packed, plain) : rows_of(plain, packed);
            EXPECT_EQ(rows.size(), 3u) << "its scales are not tensors of the model";
            const TensorChange& weight = rows["bert.fc.weight"];
            EXPECT_EQ(weight.kind, Kind::changed);
            EXPECT_TRUE(weight.compared);
            EXPECT_GT(weight.relative, 0);
            EXPECT_LT(weight.relative, most);
            EXPECT_EQ(rows["bert.fc.bias"].kind, Kind::same);
        }
    }
    rows = rows_of(quantized["nf4"], quantized["int8"]);
    EXPECT_EQ(rows.size(), 3u);
    EXPECT_LT(rows["bert.fc.weight"].relative, 0.15);
    // Blocks of GGUF and the same numbers in fp32.
    const Contents blocks = read_contents(test::own_golden("checkpoint_formats/gguf_packed/input.gguf"));
    const Reader reader(blocks);
    std::vector<std::vector<float>> values;
    std::vector<weights::TensorToWrite> tensors;
    values.reserve(blocks.tensors.size());
    for (const Tensor& tensor : blocks.tensors)
        if (is_readable(tensor)) {
            values.push_back(reader.values(tensor, 0, element_count(tensor)));
            tensors.push_back({tensor.name, "F32", tensor.shape, std::as_bytes(std::span(values.back()))});
        }
    write("unpacked", tensors);
    const Contents unpacked = read_contents(folder_.path() / "unpacked");
    ASSERT_FALSE(tensors.empty());
    for (const auto& [name, row] : rows_of(blocks, unpacked))
        if (row.after != TensorChange::kNone) {
            EXPECT_TRUE(row.compared) << name;
            EXPECT_EQ(row.kind, Kind::same) << name;
        }
}

}  // namespace
}  // namespace trainyard::inspect
