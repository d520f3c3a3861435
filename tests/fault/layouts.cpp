// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of runs that are resumed with another number of ranks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/filesystem.h"
#include "fault/saves.h"
#include "support/says.h"

namespace trainyard {
namespace {

using run::Status;
using namespace test;
using test::says;
using test::says_only;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

/// Trains to step `steps` on `ranks` ranks, resumes from the run folder `before` unless it is empty, and returns the
/// folder of the new run.
fs::path train(RealRun& run, int ranks, int steps, const fs::path& before, std::vector<std::string> settings) {
    settings.insert(settings.end(), {"training.steps=" + std::to_string(steps), "schedule.name=constant"});
    if (!before.empty())
        settings.push_back("checkpoint.resume_from=" + before.string());
    EXPECT_EQ(run.start(with({"--num_processes", std::to_string(ranks)}, settings)).code, 0);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::finished) << state.message;
    return run.paths->root();
}

TEST(AnotherNumberOfRanks, ChangesTheGlobalBatchAndSaysSo) {
    RealRun run;
    fs::path before = train(run, 1, 10, {}, {});
    train(run, 2, 12, before, {});
    EXPECT_THAT(texts_of(run, "warning", "batch"),
                ElementsAre(says_only(
                    "the global batch changes from {} a step, in {} ({}), to {} on {}, with the learning rate "
                    "as it was: to keep it, start with --set training.global_batch_size={}",
                    "2 samples", "checkpoint_10", "1 rank", 4, "dp_replicate 2", 2)));
    EXPECT_THAT(test::trainyard({"runs", "follow", run.paths->id()}).out,
                says("the global batch changes from {} a step, in {} ({}), to {} on {}, with the learning rate as it "
                     "was: to keep it, start with --set training.global_batch_size={}",
                     _, _, _, _, _, StartsWith("2")));
    // As it says.
    train(run, 2, 12, before, {"training.global_batch_size=2"});
    EXPECT_THAT(texts_of(run, "warning", "batch"), IsEmpty());
    train(run, 1, 12, before, {});
    EXPECT_THAT(texts_of(run, "warning", "batch"), IsEmpty());
}

TEST(AnotherNumberOfRanks, ThatCannotShareTheGlobalBatchIsRefused) {
    RealRun run;
    Said said = run.start({"--num_processes", "3", "--set", "training.global_batch_size=8"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(
        said.err,
        AllOf(testing::HasSubstr("training.global_batch_size"),
              says("{} cannot be shared evenly by {}: make it a multiple of {}, or start another number of ranks",
                   EndsWith("8 samples"), "3 ranks", 3)));
    EXPECT_TRUE(run.has_no_runs());
}

TEST(AnotherNumberOfRanks, LeavesTheCurveAsItIs) {
    const std::vector<std::string> settings{"training.batch_size=3", "training.global_batch_size=8"};
    RealRun undisturbed;
    train(undisturbed, 1, 40, {}, settings);
    const std::map<std::int64_t, double> expected = losses_of(undisturbed);
    ASSERT_EQ(expected.size(), 40u);

    RealRun run;
    fs::path before;
    int steps = 0;
    for (int ranks : {1, 2, 4, 1}) {
        // On four ranks, whose checkpoint two and one have made, all of it is sharded.
        std::vector<std::string> own = settings;
        own.push_back(std::string("parallel.zero_stage=") + (ranks == 4 ? "3" : "0"));
        before = train(run, ranks, steps + 10, before, own);
        EXPECT_THAT(texts_of(run, "warning", "batch"), IsEmpty());
        const std::map<std::int64_t, double> losses = losses_of(run);
        for (int step = steps + 1; step <= steps + 10; ++step) {
            ASSERT_TRUE(losses.contains(step)) << step << " on " << ranks << " ranks";
            EXPECT_NEAR(losses.at(step), expected.at(step), 1e-4 * expected.at(step)) << step;
        }
        steps += 10;
    }
}

/// Ranks die in a step, or when they have written their parts of a checkpoint. All that was saved before is there.
TEST(AnotherNumberOfRanks, ContinuesAShardedRunThatLostARank) {
    const std::vector<std::string> settings{"training.batch_size=3", "training.global_batch_size=12",
                                            "parallel.zero_stage=3", "checkpoint.every=5", "checkpoint.keep_last=0"};
    RealRun undisturbed;
    train(undisturbed, 2, 30, {}, settings);
    const std::map<std::int64_t, double> expected = losses_of(undisturbed);
    ASSERT_EQ(expected.size(), 30u);
    for (const char* failpoint : {"phase.3.backward:kill@18", "checkpoint.part:kill@3"}) {
        SCOPED_TRACE(failpoint);
        RealRun run;
        {
            const Failpoint die(failpoint);
            std::vector<std::string> sharded = settings;
            sharded.insert(sharded.end(), {"training.steps=30", "schedule.name=constant"});
            ASSERT_EQ(run.start(with({"--num_processes", "4"}, sharded)).code, 0);
        }
        const run::RunState state = run.wait_until_over();
        ASSERT_EQ(state.status, Status::failed) << state.message;
        ASSERT_TRUE(state.first_failure);
        EXPECT_EQ(state.first_failure->signal, SIGKILL);
        const std::vector<std::int64_t> saved = saved_steps(run);
        ASSERT_FALSE(saved.empty());
        train(run, 3, 30, run.paths->root(), settings);
        const std::map<std::int64_t, double> losses = losses_of(run);
        ASSERT_EQ(losses.size(), static_cast<std::size_t>(30 - saved.back())) << "from the last checkpoint";
        for (const auto& [step, loss] : losses)
            EXPECT_NEAR(loss, expected.at(step), 1e-4 * expected.at(step)) << step;
    }
}

}  // namespace
}  // namespace trainyard
