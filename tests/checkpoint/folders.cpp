// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <limits>

#include <ATen/ops/full.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/content.h"
#include "checkpoint/files/retention.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

using test::says;
using test::says_only;
using testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::EndsWith;
using testing::StartsWith;

class Folders : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    fs::path checkpoints_ = folder_.path() / "checkpoints";

    std::string load_error(const fs::path& path, const Content& content = make_content(0, 0)) {
        try {
            load(path, content);
        } catch (const UserError& error) {
            return error.what();
        }
        return "loaded";
    }
};

TEST_F(Folders, GiveBackWhatWasSaved) {
    Saved saved = save(checkpoints_, make_content(40, 2.5));
    EXPECT_EQ(saved.folder, checkpoints_ / "checkpoint_40");
    EXPECT_GT(saved.bytes, 100u);
    Content target = make_content(0, 0);
    Position position = load(find(folder_.path()), target).position;
    EXPECT_EQ(position.step, 40);
    EXPECT_EQ(position.samples, 480);
    EXPECT_EQ(position.seed, 1234u);
    EXPECT_EQ(target.weights[0].local.sum().item<float>(), 50.0f);
    EXPECT_EQ(target.optimizer[0].local.sum().item<float>(), 90.0f);
}

TEST_F(Folders, TheSameStepAgainTakesThePlaceOfTheOld) {
    save(checkpoints_, make_content(40, 1));
    save(checkpoints_, make_content(40, 3));
    Content target = make_content(0, 0);
    load(find(checkpoints_), target);
    EXPECT_EQ(target.weights[0].local[0][0].item<float>(), 3.0f);
}

TEST_F(Folders, KeepTheNewest) {
    for (int step : {5, 10, 100, 20})
        save(checkpoints_, make_content(step, step));
    prune(checkpoints_, 2);
    EXPECT_EQ(list(checkpoints_),
              (std::vector<fs::path>{checkpoints_ / "checkpoint_20", checkpoints_ / "checkpoint_100"}));
    prune(checkpoints_, 0);
    EXPECT_EQ(list(checkpoints_).size(), 2u);
}

TEST_F(Folders, AFlippedByteIsFoundAndTheFileNamed) {
    for (const char* optimizer : {"lion", "nadam"}) {  // of a parameter: no numbers, two numbers
        fs::path place = save(checkpoints_, make_content(1, 1, optimizer)).folder / "optimizer.bin";
        std::string bytes = read_file(place);
        const float moment = 3;  // of make_content()
        bytes[bytes.find(std::string(reinterpret_cast<const char*>(&moment), sizeof moment)) + 1] ^= 1;
        std::ofstream(place, std::ios::binary) << bytes;
        EXPECT_THAT(load_error(checkpoints_ / "checkpoint_1"),
                    test::says("{} is damaged (its checksum differs)", testing::EndsWith("optimizer.bin"))
                        .before(" in tensor exp_avg.transformer.wte.weight"))
            << optimizer;
        EXPECT_THROW(find(checkpoints_), UserError);
    }
}

TEST_F(Folders, WithoutAManifestTheOneBeforeIsTakenAndTold) {
    save(checkpoints_, make_content(10, 1));
    fs::path newest = save(checkpoints_, make_content(20, 1)).folder;
    fs::remove(newest / "manifest.json");
    std::vector<Message> notes;
    EXPECT_EQ(find(folder_.path(), &notes), checkpoints_ / "checkpoint_10");
    EXPECT_THAT(
        notes, ElementsAre(says("{} is passed over: {}", EndsWith("checkpoint_20"),
                                says_only("{} is missing, so its files cannot be verified", EndsWith("manifest.json"))),
                           says_only("training continues from {}: the {} steps from there to {} are lost",
                                     "checkpoint_10", 10, "checkpoint_20")));
    EXPECT_THROW(find(newest), UserError) << "named itself";
}

TEST_F(Folders, WhatIsNotGoodIsPassedOverUnlessItIsNamed) {
    save(checkpoints_, make_content(10, 1));
    fs::path marked = save(checkpoints_, make_content(20, std::numeric_limits<double>::quiet_NaN())).folder;
    std::vector<Message> notes;
    EXPECT_EQ(find(checkpoints_, &notes), checkpoints_ / "checkpoint_10");
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_THAT(notes[0], says_only("{} is passed over: {}", "checkpoint_20",
                                    says_only("{} in {} holds NaN", "transformer.wte.weight", "model.safetensors")));
    notes.clear();
    EXPECT_EQ(find(marked, &notes), marked);
    EXPECT_THAT(notes,
                ElementsAre(says("{} was marked as not good when it was saved: {}", EndsWith("checkpoint_20"), _)));
    // Infinite numbers may be a mask's; NaN is nobody's.
    save(checkpoints_, make_content(30, std::numeric_limits<double>::infinity()));
    EXPECT_EQ(find(checkpoints_), checkpoints_ / "checkpoint_30");
}

TEST_F(Folders, OnesWithAHigherNumberDoNotPushANewOneOut) {
    save(checkpoints_, make_content(90, 1));
    for (int step : {10, 20}) {
        save(checkpoints_, make_content(step, 1));
        prune(checkpoints_, {.keep_last = 1}, step);
    }
    EXPECT_EQ(list(checkpoints_),
              (std::vector<fs::path>{checkpoints_ / "checkpoint_20", checkpoints_ / "checkpoint_90"}));
}

TEST_F(Folders, ATruncatedFileIsFound) {
    fs::path place = save(checkpoints_, make_content(1, 1)).folder / "model.safetensors";
    fs::resize_file(place, 50);
    EXPECT_THAT(load_error(checkpoints_ / "checkpoint_1"),
                says("{} has {} bytes instead of {}", EndsWith("model.safetensors"), 50, _));
}

TEST_F(Folders, AnotherModelIsNamedTensorByTensor) {
    fs::path place = save(checkpoints_, make_content(1, 1)).folder;
    Content other = make_content(0, 0);
    other.weights[0] = LogicalTensor::of_whole("transformer.wte.weight", at::full({6, 4}, 0.0));
    other.weights.push_back(LogicalTensor::of_whole("transformer.h.9.ln_1.bias", at::full({4}, 0.0)));
    std::string message = load_error(place, other);
    EXPECT_THAT(message, says("tensor {} has shape {} instead of {}", EndsWith("transformer.wte.weight"), "[5, 4]",
                              StartsWith("[6, 4]")));
    EXPECT_THAT(message, says("tensor {} is missing", EndsWith("transformer.h.9.ln_1.bias")));
}

TEST_F(Folders, NothingToResumeFromIsSaid) {
    EXPECT_THROW(find(folder_.path() / "nowhere"), UserError);
    fs::create_directories(checkpoints_ / "checkpoint_3");  // no manifest: not whole
    EXPECT_THROW(find(checkpoints_), UserError);
}

}  // namespace
}  // namespace trainyard::checkpoint
