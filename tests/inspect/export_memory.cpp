// SPDX-License-Identifier: GPL-3.0-or-later
// Exports read and write a model piece by piece: their memory is that of the largest tensor, not that of the model.

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "models/spec/config_file.h"
#include "models/spec/family.h"
#include "observe/inspect/conversion.h"
#include "support/resident_peak.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

constexpr std::size_t kBound = 56u << 20;  // bytes; the largest tensor has 25 MB, in fp32 49 MB

/// A Llama model in bf16 whose weights are a hole of the file. Returns its bytes.
std::uint64_t write_sparse_model(const fs::path& folder) {
    const std::string text =
        R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 1024,
            "intermediate_size": 2816, "num_hidden_layers": 4, "num_attention_heads": 16, "num_key_value_heads": 8,
            "vocab_size": 12000, "max_position_embeddings": 512, "rms_norm_eps": 1e-05, "hidden_act": "silu",
            "tie_word_embeddings": false, "dtype": "bfloat16"})";
    write_file_atomically(folder / "config.json", text, false);
    const families::ModelConfig config = families::read_config(text, "config.json").config;
    std::string header = "{";
    std::uint64_t at = 0;
    for (const families::TensorShape& tensor : families::family_of(config).tensors(config)) {
        std::uint64_t bytes = 2;
        std::string shape;
        for (const std::int64_t size : tensor.shape) {
            bytes *= static_cast<std::uint64_t>(size);
            shape += fmt::format("{}{}", shape.empty() ? "" : ",", size);
        }
        header += fmt::format(R"({}"{}":{{"dtype":"BF16","shape":[{}],"data_offsets":[{},{}]}})", at == 0 ? "" : ",",
                              tensor.name, shape, at, at + bytes);
        at += bytes;
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = header.size();
    std::ofstream file(folder / "model.safetensors", std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length) << header;
    file.close();
    fs::resize_file(folder / "model.safetensors", sizeof length + length + at);
    return at;
}

TEST(ExportMemory, IsThatOfTheLargestTensor) {
    const test::TemporaryFolder folder;
    const fs::path model = folder.path() / "model";
    fs::create_directories(model);
    const std::uint64_t bytes = write_sparse_model(model);
    ASSERT_GT(bytes, 2 * kBound);
    struct Case {
        const char* name;
        Conversion::Program program;
        const char* type;
    };
    for (const Case& one : {Case{"f16.gguf", Conversion::Program::llama_cpp, "f16"},
                            Case{"q8_0.gguf", Conversion::Program::llama_cpp, "q8_0"},
                            Case{"model.onnx", Conversion::Program::onnx, ""}}) {
        SCOPED_TRACE(one.name);
        Conversion conversion;
        conversion.sources = {model};
        conversion.output = folder.path() / one.name;
        conversion.program = one.program;
        if (*one.type != '\0')
            conversion.gguf_type = one.type;
        Progress progress;
        std::uint64_t written = 0;
        const std::size_t rise = test::rise_of_peak([&] { written = convert(conversion, progress).written.bytes; });
        EXPECT_GE(written, bytes / 2);
        EXPECT_LT(rise, kBound);
        RecordProperty(std::string(one.name) + " MiB", static_cast<int>(rise >> 20));
        fs::remove(conversion.output);
        fs::remove(conversion.output.string() + "_data");
    }
}

}  // namespace
}  // namespace trainyard::inspect
