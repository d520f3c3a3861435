// SPDX-License-Identifier: GPL-3.0-or-later
// Golden topic megatron_folders: checkpoints of Megatron-LM of any version and layout have the weights of the model of
// transformers that they were made from, bit for bit, and its config.json.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/filesystem.h"
#include "config/inputs/start_weights.h"
#include "formats/weights/megatron_folder.h"
#include "formats/weights/merge.h"
#include "formats/weights/safetensors.h"
#include "observe/inspect/conversion.h"
#include "support/fix_checksums.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using nlohmann::json;
using test::says;
using testing::_;
using testing::HasSubstr;

json megatron_case(const fs::path& folder) {
    return json::parse(std::ifstream(folder / "case.json"));
}

void expect_same_weights(const weights::WeightSource& source, const fs::path& folder) {
    const weights::SafetensorsFile expected(folder / "expected.safetensors");
    EXPECT_EQ(source.tensors().size(), expected.tensors().size());
    for (std::size_t i = 0; i < source.tensors().size(); ++i) {
        const weights::SourceTensor& tensor = source.tensors()[i];
        const weights::TensorInfo* wanted = expected.find(tensor.name);
        ASSERT_NE(wanted, nullptr) << tensor.name;
        EXPECT_EQ(tensor.dtype, wanted->dtype) << tensor.name;
        EXPECT_EQ(tensor.shape, wanted->shape) << tensor.name;
        std::vector<std::byte> bytes;
        source.stream(i,
                      [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
        EXPECT_TRUE(std::ranges::equal(bytes, expected.bytes(*wanted))) << tensor.name;
        const std::span<const std::byte> mapped = source.mapped(i, false);
        EXPECT_TRUE(mapped.empty() || std::ranges::equal(mapped, bytes)) << tensor.name;
    }
}

std::vector<fs::path> megatron_folders() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(test::own_golden("megatron_folders")))
        found.push_back(entry.path());
    return found;
}

TEST(MegatronFolders, AreTheModelsThatTheyWereMadeFrom) {
    EXPECT_GE(megatron_folders().size(), 8u);
    for (const fs::path& folder : megatron_folders()) {
        SCOPED_TRACE(folder.filename());
        const json wanted = megatron_case(folder);
        const auto source = weights::open_weights(folder / "in");
        expect_same_weights(*source, folder);
        EXPECT_EQ(source->kind(), Message("Megatron-LM, tensor parallel {}, pipeline parallel {}",
                                          wanted["tensor_ranks"].get<int>(), wanted["stages"].get<int>())
                                      .text());
        const json config = json::parse(weights::megatron_config(folder / "in"));
        for (const auto& [key, value] : wanted["config"].items())
            EXPECT_EQ(config.value(key, json()), value) << key;
        config::ModelRecipe recipe;
        recipe.weights = (folder / "in").string();
        const inputs::SettledModel settled = inputs::settle_model(recipe);
        EXPECT_TRUE(settled.problems.empty());
        EXPECT_EQ(settled.model.model_type, wanted["config"]["model_type"].get<std::string>());
        EXPECT_TRUE(inputs::check_start_weights(settled.model).empty());
    }
}

TEST(MegatronFolders, AreExportedMergedAndListed) {
    for (const fs::path& folder : megatron_folders()) {
        SCOPED_TRACE(folder.filename());
        const test::TemporaryFolder output;
        Conversion conversion{.sources = {folder / "in"}, .output = output.path() / "exported"};
        conversion.hugging_face = true;
        Progress progress;
        convert(conversion, progress);
        expect_same_weights(*weights::open_weights(conversion.output), folder);
        EXPECT_EQ(json::parse(std::ifstream(conversion.output / "config.json")),
                  json::parse(weights::megatron_config(folder / "in")));
        weights::MergeOptions merge;
        merge.checkpoint = folder / "in";
        merge.output = output.path() / "merged";
        weights::merge_weights(merge);
        expect_same_weights(*weights::open_weights(merge.output), folder);
        const Contents contents = read_contents(weights::megatron_folder(folder / "in"));
        EXPECT_EQ(contents.state, CheckpointState::whole);
        std::size_t files = 0;
        for (const File& file : contents.files)
            files += file.name.ends_with("model_optim_rng.pt") ? 1 : 0;
        const json wanted = megatron_case(folder);
        EXPECT_EQ(files, wanted["tensor_ranks"].get<std::size_t>() * wanted["stages"].get<std::size_t>());
        EXPECT_GT(contents.tensors.size(), 4u);
    }
}

class BrokenMegatronFolder : public testing::Test {
  protected:
    explicit BrokenMegatronFolder() {
        fs::copy(test::own_golden("megatron_folders/gpt2_tp2_pp2/in"), folder_.path() / "in",
                 fs::copy_options::recursive);
    }
    fs::path step() const { return folder_.path() / "in" / "iter_0000012"; }
    Message refusal() const {
        try {
            (void)weights::open_weights(folder_.path() / "in");
        } catch (const UserError& error) {
            return error.message();
        }
        return {};
    }
    /// Changes bytes of every rank's file that have the same length.
    void replace(const std::string& from, const std::string& to) const {
        for (const auto& rank : fs::directory_iterator(step())) {
            const fs::path file = rank.path() / "model_optim_rng.pt";
            std::ifstream in(file, std::ios::binary);
            std::string bytes{std::istreambuf_iterator<char>(in), {}};
            ASSERT_EQ(from.size(), to.size());
            for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + to.size()))
                bytes.replace(at, from.size(), to);
            test::fix_zip_checksums(bytes);
            std::ofstream(file, std::ios::binary) << bytes;
        }
    }
    test::TemporaryFolder folder_;
};

TEST_F(BrokenMegatronFolder, ARankThatWasNotCopied) {
    fs::remove_all(step() / "mp_rank_01_001");
    EXPECT_THAT(refusal(), says("{} was saved by {} tensor ranks x {} pipeline ranks, and it has {} folders mp_rank_*: "
                                "copy those of all ranks",
                                step().string(), 2, 2, 3));
    fs::create_directory(step() / "mp_rank_01_001");
    EXPECT_THAT(refusal(), says("{} has no {}: the checkpoint was not copied to its end",
                                (step() / "mp_rank_01_001").string(), "model_optim_rng.pt"));
}

TEST_F(BrokenMegatronFolder, AFileThatWouldRunCode) {
    replace("argparse\nNamespace", "posixxxx\nsystemxxx");
    EXPECT_THAT(refusal().text(), HasSubstr("posixxxx"));
}

TEST_F(BrokenMegatronFolder, AModelThatIsNoGpt) {
    replace("post_attention_layernorm", "post_inter_attention_lay");
    EXPECT_THAT(refusal(),
                says("GPT-2 and Llama have no counterpart of its {}", HasSubstr("post_inter_attention_lay")));
}

TEST_F(BrokenMegatronFolder, ArgumentsThatAreMissing) {
    replace("num_attention_heads", "num_attention_hands");
    EXPECT_THAT(refusal(),
                says("{}: args.{} is {}: it must be a positive number", _, "num_attention_heads", "missing"));
}

}  // namespace
}  // namespace trainyard::inspect
