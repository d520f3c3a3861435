// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/saver.h"

#include <atomic>
#include <fstream>
#include <thread>

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/content.h"
#include "checkpoint/files/manifest.h"
#include "checkpoint/files/staging.h"
#include "support/ranks.h"
#include "support/resident_peak.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

using test::says;
using testing::_;
using ::testing::ElementsAre;
using testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string error_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const UserError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

class SaverTest : public ::testing::Test {
  protected:
    SaveRequest request(std::int64_t number, double value) {
        SaveRequest request;
        request.folder = checkpoints_ / ("checkpoint_" + std::to_string(number));
        request.number = number;
        tensor_ = at::full({1000}, value);
        request.files = {{"model.safetensors", WeightsFile{{{"w", tensor_}, {"tied", tensor_}}}},
                         {"optimizer.bin", Tree::dict({{"lr", value}})}};
        return request;
    }
    float stored(std::int64_t number) {
        NamedTensors weights = read_weights(checkpoints_ / ("checkpoint_" + std::to_string(number)));
        EXPECT_EQ(weights.size(), 1u) << "memory that two names share is written once";
        return weights.at(0).second[999].item<float>();
    }

    test::TemporaryFolder folder_;
    fs::path checkpoints_ = folder_.path() / "checkpoints";
    at::Tensor tensor_;
};

TEST_F(SaverTest, KeepsWhatTheTensorsWereWhenItWasCalled) {
    Saver saver;
    for (int i = 0; i < 5; ++i) {
        saver.save(request(i, i));
        tensor_.fill_(-1);
    }
    auto result = saver.flush();
    EXPECT_TRUE(result->ok());
    EXPECT_EQ(result->number, 4);
    EXPECT_GT(result->bytes, 4000u);
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(stored(i), static_cast<float>(i));
        EXPECT_THAT(names_in(checkpoints_ / ("checkpoint_" + std::to_string(i))),
                    ElementsAre("manifest.json", "model.safetensors", "optimizer.bin"));
    }
}

TEST_F(SaverTest, ASaveThatIsWaitedForTakesNoMemoryAndGivesItBack) {
    constexpr std::size_t kBytes = 64u << 20;
    Content content = make_content(1, 1);
    content.weights.push_back(LogicalTensor::of_whole("large", at::ones({kBytes / 4}, at::kFloat)));
    content.trainer = Tree::dict({{"strided", at::ones({4, 6}).t()}, {"part", at::ones({6}).slice(0, 2)}});
    Saver saver;
    // The thread sanitizer's own memory grows with the memory that is accessed.
#if defined(__SANITIZE_THREAD__)
    constexpr std::size_t kMostWithoutBuffer = 16 * kBytes;
#else
    constexpr std::size_t kMostWithoutBuffer = kBytes / 2;
#endif
    EXPECT_LT(test::rise_of_peak([&] { saver.save(checkpoints_, content, {}, true); }), kMostWithoutBuffer);
    EXPECT_FALSE(saver.busy());
    EXPECT_TRUE(saver.last_result()->ok());
    EXPECT_EQ(saver.last_result()->pause_seconds, saver.last_result()->write_seconds);
    EXPECT_GE(test::rise_of_peak([&] {
                  saver.prepare(files_of(content));
                  saver.flush();
              }),
              kBytes - (1u << 20));
    content.position.step = 2;
    EXPECT_LT(test::rise_of_peak([&] {
                  saver.save(checkpoints_, content);
                  saver.flush();
              }),
              kMostWithoutBuffer);
    content.position.step = 3;
    [[maybe_unused]] std::size_t with_buffer = test::status_bytes("VmRSS:");
    saver.save(checkpoints_, content, {}, true);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which delay the release of freed memory
    EXPECT_LT(test::status_bytes("VmRSS:") + kBytes / 2, with_buffer);
#endif
    for (int step = 1; step <= 3; ++step) {
        Content loaded = content;
        for (LogicalTensor& tensor : loaded.weights)
            tensor.local = at::full(tensor.local.sizes(), 7.0);
        fs::path folder = checkpoints_ / ("checkpoint_" + std::to_string(step));
        EXPECT_EQ(load(folder, loaded).position.step, step);
        EXPECT_TRUE(at::equal(loaded.weights.back().local, content.weights.back().local));
        EXPECT_TRUE(at::equal(load_trainer(folder).at("strided").as_tensor(), at::ones({4, 6}).t()));
        EXPECT_EQ(load_trainer(folder).at("part").as_tensor().numel(), 4);
    }
}

TEST_F(SaverTest, WaitsWhenItEnds) {
    { Saver().save(request(1, 1)); }
    EXPECT_EQ(stored(1), 1);
}

TEST_F(SaverTest, OneSaveAtATimeSkipsTheNextIfAsked) {
    std::atomic<bool> go{false};
    SaverOptions options;
    options.when_busy = SaverOptions::WhenBusy::skip;
    options.on_result = [&](const SaveResult&) {
        while (!go)
            std::this_thread::yield();
    };
    Saver saver(options);
    saver.save(request(1, 1));
    auto second = saver.save(request(2, 2));
    go = true;
    ASSERT_TRUE(second.has_value());
    EXPECT_TRUE(second->skipped);
    saver.flush();
    EXPECT_THAT(names_in(checkpoints_), ElementsAre("checkpoint_1"));
}

TEST_F(SaverTest, AFailureIsToldAtTheNextCallAndByFlush) {
    Saver saver;
    saver.save(request(1, 1));
    saver.flush();
    SaveRequest bad = request(2, 2);
    bad.files.push_back({"z.safetensors", WeightsFile{{{"complex", at::ones({2}, at::kComplexDouble)}}}});
    saver.save(bad);
    auto told = saver.save(request(3, 3));
    ASSERT_TRUE(told.has_value());
    EXPECT_THAT(
        told->error,
        says("'{}' has elements of type {}, which safetensors files cannot hold: save with safe_serialization off",
             "complex", StartsWith("complex128")));
    EXPECT_TRUE(saver.flush()->ok());
    saver.save(bad);
    EXPECT_THAT(error_of([&] { saver.flush(); }), HasSubstr("complex128"));
    EXPECT_THAT(names_in(checkpoints_), ElementsAre("checkpoint_1", "checkpoint_3"));
}

TEST_F(SaverTest, ASaveThatCannotBeginSaysSo) {
    std::ofstream(folder_.path() / "file") << "x";
    Saver saver;
    SaveRequest there = request(1, 1);
    there.folder = folder_.path() / "file";
    EXPECT_THAT(error_of([&] { saver.save(there); }), says("cannot save in {}: it is not a folder", _));
    SaveRequest outside = request(1, 1);
    outside.files[0].name = "../x";
    EXPECT_THAT(error_of([&] { saver.save(outside); }),
                says("'{}' is not a valid name for a file of a checkpoint", "../x"));
    EXPECT_FALSE(fs::exists(folder_.path() / "x"));
    EXPECT_THAT(names_in(checkpoints_), IsEmpty());
}

TEST_F(SaverTest, ReplacesACheckpointAndKeepsOtherPeoplesFiles) {
    Saver saver;
    saver.save(request(1, 1));
    saver.flush();
    fs::path folder = checkpoints_ / "checkpoint_1";
    std::ofstream(folder / "notes.txt") << "mine";
    fs::create_directories(folder / "plots" / "deep");
    std::ofstream(folder / "plots" / "deep" / "a.png") << "picture";
    std::ofstream(folder / "optimizer_1.bin") << "of an earlier save with two optimizers";
    saver.save(request(1, 5));
    saver.flush();
    EXPECT_EQ(stored(1), 5);
    EXPECT_EQ(read_file(folder / "notes.txt"), "mine");
    EXPECT_EQ(read_file(folder / "plots" / "deep" / "a.png"), "picture");
    EXPECT_FALSE(fs::exists(folder / "optimizer_1.bin"));
    EXPECT_THAT(names_in(checkpoints_), ElementsAre("checkpoint_1"));
}

TEST_F(SaverTest, PrunesOnlyAfterTheNewOneIsThere) {
    SaverOptions options;
    options.retention.total_limit = 1;
    Saver saver(options);
    saver.save(request(1, 1));
    saver.flush();
    SaveRequest bad = request(2, 2);
    bad.files.push_back({"z.safetensors", WeightsFile{{{"complex", at::ones({2}, at::kComplexDouble)}}}});
    saver.save(bad);
    EXPECT_THROW(saver.flush(), UserError);
    EXPECT_EQ(stored(1), 1) << "the only checkpoint there is";
    std::ofstream(checkpoints_ / "checkpoint_1" / "keep") << "";
    saver.save(request(3, 3));
    saver.save(request(4, 4));
    auto result = saver.flush();
    EXPECT_THAT(result->removed, ElementsAre(fs::absolute(checkpoints_ / "checkpoint_3")));
    EXPECT_THAT(names_in(checkpoints_), ElementsAre("checkpoint_1", "checkpoint_4"));
}

TEST_F(SaverTest, RanksSaveTogether) {
    std::atomic<int> committed{0};
    test::run_ranks(3, [&](std::unique_ptr<parallel::World> world) {
        std::vector<int> all{0, 1, 2};
        auto together = world->group(all, "savers");
        Saver saver({}, together.get());
        for (int i = 0; i < 3; ++i) {
            TrainingState state;
            state.models = {{{"w", at::full({10}, i)}}};
            state.optimizers = {Tree::dict({{"lr", 0.1}})};
            state.loaders = {Tree::dict({{"rank", world->rank()}})};
            state.random = Tree::dict({{"step", i}});
            SaveRequest request;
            request.folder = checkpoints_ / ("checkpoint_" + std::to_string(i));
            request.number = i;
            request.files = files_of(state, WriteAs{world->rank(), world->rank() == 0, true});
            saver.save(std::move(request));
        }
        committed += saver.flush()->ok() ? 1 : 0;
    });
    EXPECT_EQ(committed, 3);
    fs::path last = checkpoints_ / "checkpoint_2";
    EXPECT_THAT(names_in(last), ElementsAre("dl_state_dict.bin", "dl_state_dict_rank1.bin", "dl_state_dict_rank2.bin",
                                            "manifest.json", "model.safetensors", "optimizer.bin",
                                            "random_states_0.pkl", "random_states_1.pkl", "random_states_2.pkl"));
    EXPECT_THAT(verify(last, read_manifest(last)), IsEmpty());
    EXPECT_EQ(read_manifest(last).world_size, 3);

    Expected expected;
    expected.models = expected.optimizers = expected.loaders = 1;
    expected.rank = 2;
    expected.world_size = 3;
    LoadedState loaded = load_state(last, expected);
    EXPECT_EQ(loaded.state.loaders[0].at("rank").as_integer(), 2);
    EXPECT_THAT(loaded.notes, IsEmpty());
    EXPECT_EQ(loaded.state.iteration, 2);

    expected.rank = 3;
    expected.world_size = 4;
    loaded = load_state(last, expected);
    EXPECT_EQ(loaded.state.loaders[0].at("rank").as_integer(), 0);
    EXPECT_THAT(loaded.notes,
                ElementsAre(says("data loader {} was saved on {} and continues on {} from the position of rank 0", _,
                                 "3 ranks", StartsWith("4 ranks")),
                            says("rank {} has no random state in {}, which is of {}: its generators begin with a seed "
                                 "derived from that of rank 0 and its own number",
                                 3, _, _)));
    EXPECT_NE(loaded.state.random.find("derived_seed"), nullptr);
}

TEST_F(SaverTest, AFailureOfOneRankIsToldOnAllAndNothingAppears) {
    std::atomic<int> failed{0};
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
        std::vector<int> all{0, 1};
        auto together = world->group(all, "savers");
        Saver saver({}, together.get());
        SaveRequest request;
        request.folder = checkpoints_ / "checkpoint_0";
        if (world->rank() == 1)
            request.files = {{"z.safetensors", WeightsFile{{{"complex", at::ones({2}, at::kComplexDouble)}}}}};
        saver.save(std::move(request));
        std::string error = error_of([&] { saver.flush(); });
        EXPECT_THAT(error, HasSubstr(world->rank() == 0 ? "rank 1: 'complex'" : "'complex'"));
        ++failed;
    });
    EXPECT_EQ(failed, 2);
    EXPECT_THAT(names_in(checkpoints_), IsEmpty());
}

TEST_F(SaverTest, LeftoversGoAndWhatASaveDiedOfReplacingComesBack) {
    Saver saver;
    saver.save(request(1, 1));
    saver.flush();
    fs::create_directories(checkpoints_ / ".checkpoint_9.0123456789abcdef.tmp");
    fs::create_directories(checkpoints_ / ".checkpoint_9.0123456789abcdef.gone");
    fs::create_directories(checkpoints_ / ".someone.elses.tmp");
    fs::rename(checkpoints_ / "checkpoint_1", checkpoints_ / ".checkpoint_1.0123456789abcdef.old");
    Staging living = Staging::create(checkpoints_ / "checkpoint_8");
    EXPECT_EQ(sweep_leftovers(checkpoints_).size(), 2u);
    EXPECT_THAT(names_in(checkpoints_),
                ElementsAre(".checkpoint_8." + living.attempt_text() + ".tmp", ".someone.elses.tmp", "checkpoint_1"));
    EXPECT_EQ(stored(1), 1);
}

TEST_F(SaverTest, TheNewestWholeCheckpointIsChosen) {
    Saver saver;
    for (int i : {2, 9, 10})
        saver.save(request(i, i));
    saver.flush();
    fs::path damaged = checkpoints_ / "checkpoint_10" / "model.safetensors";
    std::string bytes = read_file(damaged);
    bytes[bytes.size() - 1] ^= 1;
    std::ofstream(damaged, std::ios::binary) << bytes;
    fs::create_directories(checkpoints_ / "checkpoint_11");
    std::vector<Message> skipped;
    EXPECT_EQ(newest_checkpoint(checkpoints_, &skipped), checkpoints_ / "checkpoint_9");
    EXPECT_THAT(skipped, ElementsAre(says("{} was not written to its end", EndsWith("checkpoint_11")),
                                     says("{} is damaged (its checksum differs)", EndsWith("model.safetensors"))));
}

TEST_F(SaverTest, EverythingThatIsMissingIsToldAtOnce) {
    Saver saver;
    saver.save(request(1, 1));
    saver.flush();
    Expected expected;
    expected.models = 2;
    expected.optimizers = 2;
    expected.schedulers = 1;
    expected.custom = 1;
    std::string error = error_of([&] { load_state(checkpoints_ / "checkpoint_1", expected); });
    for (const char* part : {"model_1.safetensors is missing", "optimizer_1.bin is missing", "scheduler.bin is missing",
                             "it holds 0 custom objects, but 1 are registered"})
        EXPECT_THAT(error, HasSubstr(part));
}

}  // namespace
}  // namespace trainyard::checkpoint
