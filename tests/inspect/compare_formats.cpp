// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of a model with its GGUF file, under llama.cpp's names and orders of rows (which golden.export and
// gguf_export.cpp check against llama.cpp's converter): by value, in any type.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "formats/weights/elements.h"
#include "formats/weights/quantization/float8.h"
#include "formats/weights/safetensors.h"
#include "observe/inspect/compare.h"
#include "observe/inspect/conversion.h"
#include "observe/inspect/quantized_values.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

class CompareFormats : public ::testing::Test {
  protected:
    fs::path gguf_of(const std::string& model, const std::string& type) {
        Conversion conversion;
        conversion.sources = {test::own_golden("models") / model};
        conversion.output = folder_.path() / (model + "-" + type + ".gguf");
        conversion.program = Conversion::Program::llama_cpp;
        conversion.gguf_type = type;
        Progress progress;
        convert(conversion, progress);
        return conversion.output;
    }
    static Comparison compared(const fs::path& before, const fs::path& after) {
        const Contents a = read_contents(before), b = read_contents(after);
        Progress progress;
        return compare(Reader(a), Reader(b), progress);
    }
    /// The model with one matrix twice as large.
    fs::path doubled(const std::string& model, const std::string& matrix) {
        const fs::path from = test::own_golden("models") / model, to = folder_.path() / "doubled";
        fs::create_directories(to);
        fs::copy_file(from / "config.json", to / "config.json", fs::copy_options::overwrite_existing);
        const weights::SafetensorsFile stored(from / "model.safetensors");
        std::vector<weights::TensorToWrite> tensors;
        std::vector<float> values;
        for (const weights::TensorInfo& tensor : stored.tensors()) {
            std::span<const std::byte> bytes = stored.bytes(tensor);
            if (tensor.name == matrix) {
                values.resize(bytes.size() / sizeof(float));
                std::memcpy(values.data(), bytes.data(), bytes.size());
                for (float& value : values)
                    value *= 2;
                bytes = std::as_bytes(std::span(values));
            }
            tensors.push_back({tensor.name, tensor.dtype, tensor.shape, bytes});
        }
        weights::write_safetensors(to / "model.safetensors", tensors);
        return to;
    }
    test::TemporaryFolder folder_;
};

TEST_F(CompareFormats, AModelAndItsGgufFileAreTheSame) {
    for (const char* model : {"llama_gqa", "gpt2", "mixtral_aux", "gpt_neox"}) {
        SCOPED_TRACE(model);
        const fs::path files = test::own_golden("models") / model / "model.safetensors";
        if (!fs::exists(files))
            FAIL() << "no such golden model";
        const fs::path gguf = gguf_of(model, "f32");
        for (const Comparison& both : {compared(files, gguf), compared(gguf, files)}) {
            EXPECT_TRUE(both.problems.empty());
            EXPECT_FALSE(both.rows.empty());
            for (const TensorChange& row : both.rows)
                EXPECT_EQ(row.kind, TensorChange::Kind::same) << row.before << " " << row.after;
        }
        const Comparison coarse = compared(files, gguf_of(model, "q8_0"));
        EXPECT_EQ(coarse.count(TensorChange::Kind::added) + coarse.count(TensorChange::Kind::removed), 0u);
        EXPECT_GT(coarse.relative(), 0);
        EXPECT_LT(coarse.relative(), 0.01);
    }
}

TEST_F(CompareFormats, TheChangedMatrixIsFirst) {
    // Queries, whose rows llama.cpp has in another order.
    const std::string matrix = "model.layers.1.self_attn.q_proj.weight";
    const fs::path changed = doubled("llama_gqa", matrix);
    const Contents before = read_contents(gguf_of("llama_gqa", "q8_0")), after = read_contents(changed);
    Progress progress;
    const Comparison both = compare(Reader(before), Reader(after), progress);
    const TensorChange& first = both.rows[both.by_change().front()];
    EXPECT_EQ(after.tensors[first.after].name, matrix);
    EXPECT_EQ(before.tensors[first.before].name, "blk.1.attn_q.weight");
    EXPECT_NEAR(first.relative, 1, 0.02);
    EXPECT_NEAR(first.norm(), std::sqrt(first.base), 0.02 * std::sqrt(first.base));
    const std::vector<std::size_t> order = both.by_change();
    for (std::size_t i = 1; i < order.size(); ++i)
        EXPECT_GE(both.rows[order[i - 1]].relative, both.rows[order[i]].relative);
}

/// A weight [rows, columns] in fp8 with a scale for each block, and the same values in fp32.
struct ScaledWeight {
    ScaledWeight(std::int64_t rows, std::int64_t columns, std::int64_t block_rows, std::int64_t block_columns)
        : shape{rows, columns},
          scale_shape{(rows + block_rows - 1) / block_rows, (columns + block_columns - 1) / block_columns} {
        for (std::int64_t i = 0; i < scale_shape[0] * scale_shape[1]; ++i)
            scales.push_back(0.25F + 0.125F * static_cast<float>(i % 7));
        for (std::int64_t i = 0; i < rows * columns; ++i)
            codes.push_back(static_cast<std::byte>((i * 37 + i / columns) % 0x78 | (i % 3 == 0 ? 0x80 : 0)));
        std::vector<float> plain(codes.size());
        weights::decode_elements("F8_E4M3", codes, plain);
        for (std::int64_t i = 0; i < rows * columns; ++i)
            values.push_back(plain[static_cast<std::size_t>(i)] *
                             scales[static_cast<std::size_t>(i / columns / block_rows * scale_shape[1] +
                                                             i % columns / block_columns)]);
    }
    void write(const fs::path& file, const std::string& ending) const {
        weights::write_safetensors(
            file, {{"model.proj.weight", "F8_E4M3", shape, codes},
                   {"model.proj.weight" + ending, "F32", scale_shape, std::as_bytes(std::span(scales))}});
    }
    std::vector<std::int64_t> shape, scale_shape;
    std::vector<std::byte> codes;
    std::vector<float> scales, values;
};

// Blocks of 128 x 128 that do not divide the matrix, a scale for each row, one for all.
TEST_F(CompareFormats, Fp8WithScalesIsComparedByValue) {
    const fs::path plain = folder_.path() / "plain.safetensors", scaled = folder_.path() / "scaled.safetensors";
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>(128, 128), {1, 300}, {200, 300}}) {
        SCOPED_TRACE(rows);
        ScaledWeight weight(200, 300, rows, columns);
        weights::write_safetensors(
            plain, {{"model.proj.weight", "F32", weight.shape, std::as_bytes(std::span(weight.values))}});
        weight.write(scaled, rows == 128 ? "_scale_inv" : "_scale");
        for (const Comparison& both : {compared(plain, scaled), compared(scaled, plain)}) {
            EXPECT_TRUE(both.problems.empty());
            ASSERT_EQ(both.rows.size(), 1u) << "the scales are a part of the weight";
            EXPECT_EQ(both.rows[0].kind, TensorChange::Kind::same);
        }
        const Contents contents = read_contents(scaled);
        const Reader reader(contents);
        const std::size_t number = contents.tensors[0].name == "model.proj.weight" ? 0 : 1;
        EXPECT_EQ(reader.quantized().method(number), "fp8");
        EXPECT_EQ(reader.values(contents.tensors[number], 40'123, 5),
                  std::vector<float>(weight.values.begin() + 40'123, weight.values.begin() + 40'128));
        // A scale twice as large changes its block alone.
        weight.scales.back() *= 2;
        weight.write(scaled, rows == 128 ? "_scale_inv" : "_scale");
        const Comparison changed = compared(plain, scaled);
        ASSERT_EQ(changed.rows.size(), 1u);
        EXPECT_EQ(changed.rows[0].kind, TensorChange::Kind::changed);
        EXPECT_LE(changed.rows[0].changed_elements, static_cast<std::uint64_t>(rows == 128 ? 72 * 44
                                                                               : rows == 1 ? 300
                                                                                           : 200 * 300));
        EXPECT_GT(changed.rows[0].relative, 0);
    }
    ScaledWeight wrong(200, 300, 128, 128);
    wrong.scale_shape = {3, 2};
    wrong.write(scaled, "_scale_inv");
    const Comparison as_stored = compared(plain, scaled);
    ASSERT_EQ(as_stored.problems.size(), 1u);
    EXPECT_THAT(as_stored.problems[0].text(),
                testing::HasSubstr("model.proj.weight_scale_inv [3, 2] does not fit the fp8 weight"));
}

// MXFP8, and the scales of DeepSeek-V3.1: exponents of powers of two, as a type of their own or as bytes.
TEST_F(CompareFormats, Fp8WithExponentsAsScales) {
    const fs::path plain = folder_.path() / "plain.safetensors", scaled = folder_.path() / "scaled.safetensors";
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>(1, 32), {128, 128}})
        for (const char* dtype : {"F8_E8M0", "U8"}) {
            SCOPED_TRACE(dtype);
            ScaledWeight weight(200, 320, rows, columns);
            std::vector<std::byte> exponents;
            for (std::size_t i = 0; i < weight.scales.size(); ++i)
                exponents.push_back(static_cast<std::byte>(124 + i % 7));
            for (std::size_t i = 0; i < weight.values.size(); ++i) {
                const auto row = static_cast<std::int64_t>(i) / 320, column = static_cast<std::int64_t>(i) % 320;
                const auto block = static_cast<std::size_t>(row / rows * weight.scale_shape[1] + column / columns);
                weight.values[i] = std::ldexp(weight.values[i] / weight.scales[block], static_cast<int>(block % 7) - 3);
            }
            weights::write_safetensors(
                plain, {{"model.proj.weight", "F32", weight.shape, std::as_bytes(std::span(weight.values))}});
            weights::write_safetensors(scaled, {{"model.proj.weight", "F8_E4M3", weight.shape, weight.codes},
                                                {"model.proj.weight_scale_inv", dtype, weight.scale_shape, exponents}});
            const Comparison both = compared(scaled, plain);
            EXPECT_TRUE(both.problems.empty());
            ASSERT_EQ(both.rows.size(), 1u);
            EXPECT_LT(both.rows[0].relative, 1e-6);
        }
}

// ggml-org/llama.cpp issues 11991, 15173 and 22346: scales of weights, and of activations, are not tensors of the
// model.
TEST_F(CompareFormats, AFolderInFp8BecomesAGgufFileByValue) {
    const fs::path from = test::own_golden("models") / "llama_gqa", to = folder_.path() / "fp8";
    fs::create_directories(to);
    nlohmann::json config = nlohmann::json::parse(read_file(from / "config.json"));
    config["quantization_config"] = {{"quant_method", "fp8"},
                                     {"activation_scheme", "dynamic"},
                                     {"weight_block_size", {32, 32}},
                                     {"modules_to_not_convert", {"lm_head"}}};
    std::ofstream(to / "config.json") << config;
    const weights::SafetensorsFile stored(from / "model.safetensors");
    std::list<std::vector<std::byte>> codes;
    std::list<std::vector<float>> scales;
    const std::vector<float> one{1};
    std::vector<weights::TensorToWrite> tensors;
    for (const weights::TensorInfo& tensor : stored.tensors()) {
        const std::span<const std::byte> bytes = stored.bytes(tensor);
        if (!tensor.name.ends_with("_proj.weight")) {
            tensors.push_back({tensor.name, tensor.dtype, tensor.shape, bytes});
            continue;
        }
        std::vector<float> values(bytes.size() / sizeof(float));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        const std::int64_t rows = (tensor.shape[0] + 31) / 32, columns = (tensor.shape[1] + 31) / 32;
        std::vector<float>& scale = scales.emplace_back(rows * columns, 0.0009765625F);
        for (std::size_t i = 0; i < scale.size(); ++i)
            scale[i] *= static_cast<float>(1 + i % 3);
        std::vector<std::byte>& code = codes.emplace_back();
        for (std::int64_t i = 0; i < std::ssize(values); ++i)
            code.push_back(static_cast<std::byte>(quantization::to_float8(
                values[static_cast<std::size_t>(i)] /
                    scale[static_cast<std::size_t>(i / tensor.shape[1] / 32 * columns + i % tensor.shape[1] / 32)],
                quantization::Float8::e4m3)));
        tensors.push_back({tensor.name, "F8_E4M3", tensor.shape, code});
        tensors.push_back({tensor.name + "_scale_inv", "F32", {rows, columns}, std::as_bytes(std::span(scale))});
        tensors.push_back(
            {tensor.name.substr(0, tensor.name.size() - 6) + "input_scale", "F32", {1}, std::as_bytes(std::span(one))});
    }
    weights::write_safetensors(to / "model.safetensors", tensors);
    Conversion conversion;
    conversion.sources = {to};
    conversion.output = folder_.path() / "fp8.gguf";
    conversion.program = Conversion::Program::llama_cpp;
    conversion.gguf_type = "f32";
    Progress progress;
    convert(conversion, progress);
    const Contents before = read_contents(to), after = read_contents(conversion.output);
    const Comparison both = compare(Reader(before), Reader(after), progress);
    EXPECT_TRUE(both.problems.empty()) << both.problems.front().text();
    for (const TensorChange& row : both.rows)
        if (row.kind != TensorChange::Kind::same) {
            EXPECT_THAT(before.tensors[row.before].name, testing::EndsWith(".input_scale"));
        }
    EXPECT_LT(compared(from / "model.safetensors", to / "model.safetensors").relative(), 0.05);
}

}  // namespace
}  // namespace trainyard::inspect
