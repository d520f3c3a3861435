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
    EXPECT_THAT(
        texts_of(run, "warning", "batch"),
        ElementsAre(says_only("the global batch changes from {} samples a step, in {} ({}), to {} on {}, with the "
                              "learning rate as it was: to keep it, start with --set training.global_batch_size={}",
                              2, "checkpoint_10", "1 rank", 4, "dp_replicate 2", 2)));
    EXPECT_THAT(test::trainyard({"runs", "follow", run.paths->id()}).out,
                says("the global batch changes from {} samples a step, in {} ({}), to {} on {}, with the learning rate "
                     "as it was: to keep it, start with --set training.global_batch_size={}",
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
    EXPECT_THAT(said.err,
                AllOf(testing::HasSubstr("training.global_batch_size"),
                      says("{} samples cannot be shared evenly by {} ranks: make it a multiple of the ranks, or start "
                           "another number of them",
                           EndsWith("8"), 3)));
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
        before = train(run, ranks, steps + 10, before, settings);
        EXPECT_THAT(texts_of(run, "warning", "batch"), IsEmpty());
        const std::map<std::int64_t, double> losses = losses_of(run);
        for (int step = steps + 1; step <= steps + 10; ++step) {
            ASSERT_TRUE(losses.contains(step)) << step << " on " << ranks << " ranks";
            EXPECT_NEAR(losses.at(step), expected.at(step), 1e-4 * expected.at(step)) << step;
        }
        steps += 10;
    }
}

}  // namespace
}  // namespace trainyard
