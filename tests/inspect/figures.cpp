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
#include "inspect/saved.h"
#include "observe/inspect/compare.h"
#include "observe/inspect/statistics.h"
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

}  // namespace
}  // namespace trainyard::inspect
