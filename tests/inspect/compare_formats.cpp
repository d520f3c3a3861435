// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of a model with its GGUF file, under llama.cpp's names and orders of rows (which golden.export and
// gguf_export.cpp check against llama.cpp's converter): by value, in any type.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/weights/safetensors.h"
#include "observe/inspect/compare.h"
#include "observe/inspect/conversion.h"
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

}  // namespace
}  // namespace trainyard::inspect
