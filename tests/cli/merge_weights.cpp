// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the command `trainyard merge-weights`, and of the files that it leaves if it is killed or the disk fails.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "formats/weights/safetensors.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "weights/written.h"

namespace trainyard {
namespace {

using test::Program;
using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class MergeWeights : public testing::Test {
  protected:
    MergeWeights() { test::write_dcp(checkpoint_, "w", {2, 3}, {{{0, 0}, {2, 3}, {1, 2, 3, 4, 5, 6}}}); }

    Said merge(std::vector<std::string> flags = {}, const std::string& failpoint = "none") {
        std::vector<std::string> words{TRAINYARD_BIN_DIR "/trainyard", "merge-weights", checkpoint_.string(),
                                       output_.string()};
        words.insert(words.end(), flags.begin(), flags.end());
        Program program(words, [&] { ::setenv("TRAINYARD_FAILPOINT", failpoint.c_str(), 1); });
        return program.wait();
    }
    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(output_), fs::directory_iterator()); }

    test::TemporaryFolder folder_;
    fs::path checkpoint_ = folder_.path() / "pytorch_model_fsdp_0";
    fs::path output_ = folder_.path() / "out";
};

TEST_F(MergeWeights, SaysWhatItWrote) {
    Said said = merge({"--remove_checkpoint_dir"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(StartsWith("distributed checkpoint: 1 tensors, 24 B\n"),
                                HasSubstr((output_ / "model.safetensors").string()), HasSubstr("\nremoved ")));
    EXPECT_FALSE(fs::exists(checkpoint_));
    EXPECT_EQ(files(), 1);
}

TEST_F(MergeWeights, ForPrograms) {
    Said said = merge({"--json", "--max-shard-size", "1KB"});
    ASSERT_EQ(said.code, 0) << said.err;
    auto json = nlohmann::json::parse(said.out);
    EXPECT_EQ(json["tensors"], 1);
    EXPECT_EQ(json["bytes"], 24);
    EXPECT_EQ(json["removed"], false);
    EXPECT_EQ(json["files"].size(), 1u);
}

TEST_F(MergeWeights, AHeadThatDiffersFromTheTableOfTheFlagIsReported) {
    const fs::path around = folder_.path() / "config.json";
    const auto notes = [&](float second) {
        checkpoint_ = folder_.path() / "pieces";
        fs::remove_all(checkpoint_);
        fs::remove_all(output_);
        const std::vector<float> table{1, 2}, head{1, second};
        fs::create_directories(checkpoint_);
        weights::write_safetensors(checkpoint_ / "model.safetensors",
                                   {{"transformer.wte.weight", "F32", {2}, std::as_bytes(std::span(table))},
                                    {"lm_head.weight", "F32", {2}, std::as_bytes(std::span(head))}});
        const Said said = merge({"--json"});
        EXPECT_EQ(said.code, 0) << said.err;
        return nlohmann::json::parse(said.out)["notes"];
    };
    EXPECT_TRUE(notes(3).empty()) << "nothing is known of the model";
    write_file_atomically(around, R"({"model_type": "gpt2", "tie_word_embeddings": true})");
    ASSERT_EQ(notes(3).size(), 1u);
    EXPECT_THAT(notes(3)[0].get<std::string>(),
                AllOf(StartsWith(around.string()),
                      says("{} has tie_word_embeddings: true, and the weights have a head of their own, {}, which "
                           "differs from {}: both are written; set tie_word_embeddings to false in the config.json "
                           "that is used with the result",
                           _, EndsWith("lm_head.weight"), StartsWith("transformer.wte")),
                      says("{} has tie_word_embeddings: true, and the weights have a head of their own, {}, which "
                           "differs from {}: both are written; set tie_word_embeddings to false in the config.json "
                           "that is used with the result",
                           _, _, _)));
    EXPECT_TRUE(notes(2).empty());
    write_file_atomically(around, R"({"model_type": "gpt2", "tie_word_embeddings": false})");
    EXPECT_TRUE(notes(3).empty());
}

TEST_F(MergeWeights, AcceleratesFlagForPicklesIsRefused) {
    Said said = merge({"--unsafe_serialization"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err,
                says("--unsafe_serialization asks for a pickle, and Trainyard writes none, since reading one can run "
                     "code: leave it out and get model.safetensors, which Python's libraries read too"));
    EXPECT_FALSE(fs::exists(output_));
}

TEST_F(MergeWeights, WrongFolders) {
    checkpoint_ = checkpoint_.parent_path();
    Said said = merge();
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("{} holds no weights itself: did you mean {}?", _,
                               StartsWith((checkpoint_ / "pytorch_model_fsdp_0").string())));
    checkpoint_ = test::own_golden("checkpoints/fsdp2") / "ckpt" / "optimizer_0";
    EXPECT_THAT(merge().err, says("{} contains the state of an optimizer and no weights of a model ({}): give the "
                                  "folder or file of the model",
                                  _, _));
}

TEST_F(MergeWeights, NothingChangesWhenTheResultCannotBeTrusted) {
    ASSERT_EQ(merge().code, 0);
    std::string before = read_file(output_ / "model.safetensors");
    test::write_dcp(checkpoint_, "w", {2}, {{{0}, {2}, {8, 9}}});
    Said said = merge({"--remove_checkpoint_dir"}, "merge.verify:damage@1");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, EndsWith("nothing was changed\n"));
    said = merge({"--remove_checkpoint_dir"}, "file.write:enospc@1");
    EXPECT_THAT(
        said.err,
        says("cannot write {}: the disk is full ({} needed, {} free): make room or choose another folder", _, _, _));
    EXPECT_EQ(files(), 1);
    EXPECT_EQ(merge({"--remove_checkpoint_dir"}, "merge.publish:kill@1").code, -SIGKILL);
    EXPECT_TRUE(fs::exists(checkpoint_ / ".metadata"));
    EXPECT_TRUE(read_file(output_ / "model.safetensors") == before);
    // The killed merge has left only its temporary folder, and the next merge completes.
    EXPECT_EQ(merge({"--remove_checkpoint_dir"}).code, 0);
    EXPECT_FALSE(read_file(output_ / "model.safetensors") == before);
}

}  // namespace
}  // namespace trainyard
