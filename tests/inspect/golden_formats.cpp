// SPDX-License-Identifier: GPL-3.0-or-later
// Formats as the originals' own tools read them (tests/golden/checkpoint_formats, made by
// generate/checkpoint_formats.py): ZeRO folders against DeepSpeed's
// zero_to_fp32.py, GGUF against the gguf package, conversions of numbers and figures of tensors against torch.

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/filesystem.h"
#include "formats/weights/elements.h"
#include "formats/weights/safetensors.h"
#include "observe/inspect/conversion.h"
#include "observe/inspect/statistics.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using nlohmann::json;

fs::path input_of(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().stem() == "input")
            return entry.path();
    return {};
}

std::vector<std::byte> all_elements(const Reader& reader, const Tensor& tensor) {
    return reader.elements(tensor, 0, element_count(tensor));
}

TEST(CheckpointFormats, GiveWhatTheOriginalsGive) {
    int cases = 0;
    for (const auto& entry : fs::directory_iterator(test::golden("checkpoint_formats"))) {
        if (!entry.is_directory())
            continue;
        ++cases;
        SCOPED_TRACE(entry.path().filename().string());
        const fs::path input = input_of(entry.path());
        const weights::SafetensorsFile expected(entry.path() / "expected.safetensors");
        const Contents contents = read_contents(input);
        EXPECT_THAT(contents.problems, testing::IsEmpty());
        const Reader reader(contents);
        std::size_t found = 0;
        for (const Tensor& tensor : contents.tensors) {
            if (tensor.section != Section::weights)
                continue;
            const weights::TensorInfo* info = expected.find(tensor.name);
            ASSERT_NE(info, nullptr) << tensor.name;
            ++found;
            EXPECT_EQ(tensor.shape, info->shape) << tensor.name;
            if (!weights::is_numeric(tensor.dtype)) {
                // Packed: the numbers, a part from the middle of a block, and the figures.
                const std::vector<float> values = reader.values(tensor, 0, element_count(tensor));
                const auto wanted = expected.bytes(*info);
                ASSERT_EQ(values.size() * 4, wanted.size()) << tensor.name;
                EXPECT_EQ(std::memcmp(values.data(), wanted.data(), wanted.size()), 0) << tensor.name;
                const std::vector<float> part = reader.values(tensor, 45, 700);
                EXPECT_EQ(part, std::vector<float>(values.begin() + 45,
                                                   values.begin() + std::min<std::ptrdiff_t>(745, std::ssize(values))));
                Progress progress;
                const Statistics figures = statistics_of(reader, tensor, progress),
                                 plain = statistics_of("F32", std::as_bytes(std::span(values)));
                EXPECT_EQ(figures.elements, values.size()) << tensor.name;
                EXPECT_EQ(figures.max, plain.max) << tensor.name;
                EXPECT_NEAR(figures.norm(), plain.norm(), plain.norm() * 1e-6) << tensor.name;
                continue;
            }
            std::vector<std::byte> bytes;
            weights::convert_elements(tensor.dtype, all_elements(reader, tensor), info->dtype, bytes);
            EXPECT_TRUE(std::ranges::equal(bytes, expected.bytes(*info))) << tensor.name;
        }
        EXPECT_EQ(found, expected.tensors().size());
        test::TemporaryFolder out;
        Progress progress;
        const Conversion conversion{.sources = {input}, .output = out.path() / "merged"};
        convert(conversion, progress);
        const weights::SafetensorsFile merged(out.path() / "merged" / "model.safetensors");
        ASSERT_EQ(merged.tensors().size(), expected.tensors().size());
        for (const weights::TensorInfo& tensor : expected.tensors()) {
            const weights::TensorInfo* one = merged.find(tensor.name);
            ASSERT_NE(one, nullptr) << tensor.name;
            EXPECT_EQ(one->dtype, tensor.dtype);
            EXPECT_TRUE(std::ranges::equal(merged.bytes(*one), expected.bytes(tensor))) << tensor.name;
        }
    }
    EXPECT_GT(cases, 0);
}

class CheckpointNumbers : public testing::Test {
  protected:
    void SetUp() override {
        std::ifstream stream(test::golden("checkpoint_formats") / "numbers.json");
        ASSERT_TRUE(stream) << "the topic has its numbers.json";
        numbers_ = json::parse(stream);
    }
    json numbers_;
};

TEST_F(CheckpointNumbers, AreConvertedAsTorchDoes) {
    const json& conversions = numbers_["conversions"];
    const auto bits = conversions["F32"].get<std::vector<std::uint32_t>>();
    const auto bf16 = conversions["BF16"].get<std::vector<std::uint16_t>>(),
               f16 = conversions["F16"].get<std::vector<std::uint16_t>>();
    for (std::size_t i = 0; i < bits.size(); ++i) {
        const auto value = std::bit_cast<float>(bits[i]);
        EXPECT_EQ(weights::to_bfloat16(value), bf16[i]) << std::hex << bits[i];
        EXPECT_EQ(weights::to_float16(value), f16[i]) << std::hex << bits[i];
    }
    for (std::uint32_t i = 0; i < 65'536; i += 7) {
        const float half = weights::from_float16(static_cast<std::uint16_t>(i)),
                    brain = weights::from_bfloat16(static_cast<std::uint16_t>(i));
        EXPECT_EQ(std::isnan(half) ? 0 : std::bit_cast<std::uint32_t>(half),
                  conversions["F16_as_F32"][i / 7].get<std::uint32_t>())
            << i;
        EXPECT_EQ(std::isnan(brain) ? 0 : std::bit_cast<std::uint32_t>(brain),
                  conversions["BF16_as_F32"][i / 7].get<std::uint32_t>())
            << i;
    }
    for (const auto& [name, e5m2] : {std::pair("F8_E4M3", false), std::pair("F8_E5M2", true)})
        for (std::size_t i = 0; i < 256; ++i) {
            const json& expected = conversions[name][i];
            const float value = weights::values_of_float8(e5m2)[i];
            if (expected.is_null()) {
                EXPECT_TRUE(std::isnan(value)) << name << i;
            } else if (expected.is_string()) {
                EXPECT_EQ(value, expected == "inf" ? INFINITY : -INFINITY) << name << i;
            } else {
                EXPECT_EQ(value, expected.get<float>()) << name << i;
            }
        }
}

TEST_F(CheckpointNumbers, HaveTheFiguresOfTorch) {
    const Contents contents = read_contents(test::golden("checkpoint_formats") / "figures.safetensors");
    const Reader reader(contents);
    Progress progress;
    std::map<std::string, Statistics> found;
    statistics_pass(
        reader, {}, [&](std::size_t i, const Statistics& figures) { found[contents.tensors[i].name] = figures; },
        progress);
    ASSERT_EQ(found.size(), numbers_.at("figures").size());
    ASSERT_FALSE(found.empty());
    for (const auto& [name, expected] : numbers_["figures"].items()) {
        SCOPED_TRACE(name);
        const Statistics& one = found.at(name);
        const auto near = [](double value, double wanted, double scale) { EXPECT_NEAR(value, wanted, 1e-6 * scale); };
        EXPECT_EQ(one.min, expected["min"].get<double>());
        EXPECT_EQ(one.max, expected["max"].get<double>());
        near(one.norm(), expected["norm"], expected["norm"]);
        near(one.deviation(), expected["std"], expected["std"]);
        near(one.mean(), expected["mean"], expected["std"]);
        EXPECT_EQ(one.zeros, expected["zeros"].get<std::uint64_t>());
        EXPECT_EQ(one.nan, expected["nan"].get<std::uint64_t>());
        EXPECT_EQ(one.infinite, expected["inf"].get<std::uint64_t>());
    }
}

}  // namespace
}  // namespace trainyard::inspect
