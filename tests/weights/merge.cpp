// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the implementation of `trainyard merge-weights`: output folders, sizes, memory, and the state after an
// error.

#include "formats/weights/merge.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/weights/safetensors.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "weights/written.h"

namespace trainyard::weights {
namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;

class Merge : public testing::Test {
  protected:
    Merge() { test::write_dcp(checkpoint_, "w", {2, 3}, {{{0, 0}, {2, 3}, {1, 2, 3, 4, 5, 6}}}); }

    std::string refusal(const MergeOptions& options) {
        try {
            merge_weights(options);
            return "";
        } catch (const UserError& error) {
            return error.what();
        }
    }
    test::TemporaryFolder folder_;
    fs::path checkpoint_ = folder_.path() / "step" / "pytorch_model_fsdp_0";
    fs::path output_ = folder_.path() / "out";
};

TEST_F(Merge, RemovesTheCheckpointOnlyWhenAsked) {
    EXPECT_FALSE(merge_weights({.checkpoint = checkpoint_, .output = output_}).removed);
    EXPECT_TRUE(fs::exists(checkpoint_));
    EXPECT_TRUE(merge_weights({.checkpoint = checkpoint_, .output = output_, .remove_checkpoint = true}).removed);
    EXPECT_FALSE(fs::exists(checkpoint_));
    weights::SafetensorsFile file(output_ / "model.safetensors");
    ASSERT_NE(file.find("w"), nullptr);
    EXPECT_EQ(file.metadata().at("format"), "pt");
    EXPECT_EQ(std::distance(fs::directory_iterator(output_), fs::directory_iterator()), 1);
}

TEST_F(Merge, WrongFoldersAreExplained) {
    EXPECT_THAT(refusal({.checkpoint = folder_.path() / "nothing", .output = output_}),
                says("{} does not exist: name the folder of a checkpoint, or a file of weights", _));
    EXPECT_THAT(refusal({.checkpoint = checkpoint_.parent_path(), .output = output_}),
                AllOf(says("{} holds no weights itself: did you mean {}?", _, _), HasSubstr("pytorch_model_fsdp_0")));
    EXPECT_THAT(refusal({.checkpoint = checkpoint_ / ".metadata", .output = output_}),
                says("{} is a file: name its folder", _));
    fs::remove(checkpoint_ / ".metadata");
    EXPECT_THAT(refusal({.checkpoint = checkpoint_, .output = output_}),
                says("{} has shards, but its list '.metadata' is missing: the checkpoint was not saved to its end, or "
                     "was copied without hidden files",
                     _));
    EXPECT_FALSE(fs::exists(output_));
}

TEST_F(Merge, TheResultMayNotGoWithTheCheckpoint) {
    EXPECT_THAT(refusal({.checkpoint = checkpoint_, .output = checkpoint_ / "merged", .remove_checkpoint = true}),
                says("{} is inside the checkpoint that it is made from: name another folder", _));
    EXPECT_EQ(refusal({.checkpoint = checkpoint_, .output = checkpoint_.parent_path(), .remove_checkpoint = true}), "");
}

TEST_F(Merge, DamagedDataLeavesNoFolderBehind) {
    std::string file = read_file(checkpoint_ / "__0_0.distcp");
    file[file.find("archive/data/0") + 20] ^= 1;
    std::ofstream(checkpoint_ / "__0_0.distcp", std::ios::binary) << file;
    EXPECT_THAT(refusal({.checkpoint = checkpoint_, .output = output_, .remove_checkpoint = true}),
                says("{} is damaged: the checksum of its entry '{}' is wrong", _, _));
    EXPECT_FALSE(fs::exists(output_));
    EXPECT_TRUE(fs::exists(checkpoint_));
}

TEST_F(Merge, MemoryIsBoundedByTheLargestTensor) {
    constexpr std::size_t kTensors = 24, kElements = 2u << 20;  // 8 MiB each, 192 MiB together
    fs::path sharded = folder_.path() / "sharded";
    fs::create_directories(sharded);
    std::vector<float> values(kElements, 1.5f);
    nlohmann::json index;
    for (std::size_t i = 0; i < kTensors; ++i) {
        std::string name = "t" + std::to_string(i), file = name + ".safetensors";
        weights::write_safetensors(
            sharded / file, {{name, "F32", {static_cast<std::int64_t>(kElements)}, std::as_bytes(std::span(values))}});
        index["weight_map"][name] = file;
    }
    std::ofstream(sharded / "model.safetensors.index.json") << index;
    rusage before{};
    ::getrusage(RUSAGE_SELF, &before);
    ASSERT_EQ(refusal({.checkpoint = sharded, .output = output_}), "");
    rusage after{};
    ::getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 << 10) << "KiB";
    EXPECT_EQ(fs::file_size(output_ / "model.safetensors") / (kTensors * kElements * 4), 1u);
}

TEST(ParseSize, UnitsOfPeople) {
    EXPECT_EQ(parse_size("5GB"), 5'000'000'000u);
    EXPECT_EQ(parse_size("500 MiB"), 500u << 20);
    EXPECT_EQ(parse_size("1.5kb"), 1500u);
    EXPECT_EQ(parse_size("123456"), 123456u);
    for (const char* text : {"", "GB", "-1GB", "0", "5 parsecs", "1e40", "nan", "inf"})
        EXPECT_THROW(parse_size(text), UserError) << text;
}

}  // namespace
}  // namespace trainyard::weights
