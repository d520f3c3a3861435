// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard checkpoints export` with the arguments of transformers' checkpoint_reshaping_and_interoperability.py.

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text_file.h"
#include "cli/program.h"
#include "formats/weights/safetensors.h"
#include "formats/weights/weight_source.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using test::Said;

using testing::AllOf;
using testing::HasSubstr;

fs::path megatron_input() {
    return test::own_golden("megatron_folders") / "gpt2_tp2_pp2" / "in";
}

Said export_with(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"checkpoints", "export"});
    return test::trainyard(std::move(flags));
}

TEST(MegatronNames, AFolderOfFourRanksBecomesShardsOfTransformers) {
    const test::TemporaryFolder folder;
    const fs::path out = folder.path() / "out", tokenizer = test::own_golden("tokenizers") / "gpt2_bpe";
    // Dashes and underscores as in the script's own help.
    const Said said = export_with({"--convert_checkpoint_from_megatron_to_transformers", "--load_path",
                                   megatron_input().string(), "--save_path", out.string(), "--max_shard_size", "10KB",
                                   "--tokenizer_name", tokenizer.string(), "--print-checkpoint-structure"});
    ASSERT_EQ(said.code, 0) << said.out << said.err;
    EXPECT_TRUE(fs::exists(out / "model.safetensors.index.json"));
    EXPECT_GT(std::ranges::count_if(fs::directory_iterator(out),
                                    [](const auto& file) { return file.path().extension() == ".safetensors"; }),
              1);
    EXPECT_EQ(text::read_text_file(out / "tokenizer.json", 64 << 20),
              text::read_text_file(tokenizer / "tokenizer.json", 64 << 20));
    const weights::SafetensorsFile expected(megatron_input().parent_path() / "expected.safetensors");
    const std::unique_ptr<weights::WeightSource> written = weights::open_weights(out);
    ASSERT_EQ(written->tensors().size(), expected.tensors().size());
    for (std::size_t i = 0; i < written->tensors().size(); ++i) {
        const weights::SourceTensor& tensor = written->tensors()[i];
        const weights::TensorInfo* wanted = expected.find(tensor.name);
        ASSERT_NE(wanted, nullptr) << tensor.name;
        std::vector<std::byte> bytes;
        written->stream(
            i, [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
        EXPECT_TRUE(std::ranges::equal(bytes, expected.bytes(*wanted))) << tensor.name;
    }
    // The tree has every tensor with its shape.
    EXPECT_THAT(said.out, AllOf(HasSubstr("wte"), HasSubstr("24 × 8"), HasSubstr("c_attn")));
    EXPECT_GT(std::ranges::count(said.out, '\n'), std::ssize(expected.tensors()));

    const Said plain = export_with({megatron_input().string(), (folder.path() / "plain").string()});
    EXPECT_EQ(plain.code, 0) << plain.err;
    EXPECT_EQ(plain.out.find("c_attn"), std::string::npos);
}

TEST(MegatronNames, WhatIsNotDoneIsRefusedInOneMessage) {
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "out").string();
    const auto refused = [&](std::vector<std::string> flags) {
        flags.insert(flags.end(), {"--load_path", megatron_input().string(), "--save_path", out});
        const Said said = export_with(std::move(flags));
        EXPECT_EQ(said.code, 2) << said.out;
        EXPECT_FALSE(fs::exists(out));
        return said.err;
    };
    const std::string reverse =
        refused({"--target_tensor_model_parallel_size", "2", "--target_pipeline_model_parallel_size", "2",
                 "--target_data_parallel_size", "2", "--target_params_dtype", "bf16", "--make_vocab_size_divisible_by",
                 "128", "--use_distributed_optimizer", "--print-checkpoint-structure"});
    EXPECT_THAT(reverse,
                AllOf(HasSubstr("this version reads folders of Megatron-LM and writes none"),
                      HasSubstr("--target_tensor_model_parallel_size"),
                      HasSubstr("--target_pipeline_model_parallel_size"), HasSubstr("--target_data_parallel_size"),
                      HasSubstr("--target_params_dtype"), HasSubstr("--make_vocab_size_divisible_by"),
                      HasSubstr("--use_distributed_optimizer"), HasSubstr("leave them out")));
    EXPECT_THAT(refused({"--use_distributed_optimizer"}), HasSubstr("leave it out"));
    EXPECT_THAT(refused({"--tokenizer_name", megatron_input().string()}),
                HasSubstr("has no tokenizer: name a folder with tokenizer.json, or a model of the hub"));
    EXPECT_THAT(refused({"--to", "gguf", "--tokenizer_name", "x"}),
                HasSubstr("--tokenizer_name and --print_checkpoint_structure are of exports for transformers"));
    const Said other = export_with({"--convert_checkpoint_from_megatron_to_transformers", "--load_path",
                                    (test::own_golden("generation") / "gpt2").string(), "--save_path", out});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("is not a folder of Megatron-LM"));
}

}  // namespace
}  // namespace trainyard
