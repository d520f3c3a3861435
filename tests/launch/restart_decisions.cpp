// SPDX-License-Identifier: GPL-3.0-or-later
// When ranks start, start again and make room for a machine, at times that are made up.

#include <csignal>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "launch/supervisor/restarts.h"
#include "support/says.h"

namespace trainyard::launch {
namespace {

class RestartDecisions : public testing::Test {
  protected:
    RestartDecisions() { spec_.launch.max_restarts = 20; }

    /// A generation that lived for so long.
    Restarts::Decision fail_after(double seconds, int restarts = 0, std::int64_t newest_step = 5) {
        restarts_.begin(now_);
        now_ += seconds;
        return restarts_.after_failure(failure_, false, restarts, newest_step, now_);
    }

    SupervisorOptions options_;
    run::RunSpec spec_;
    run::Failure failure_;
    double now_ = 1000;
    Restarts restarts_{options_, spec_};
};

TEST_F(RestartDecisions, TheWaitDoublesUpTo30SecondsAfterShortGenerations) {
    for (double wait : {0, 1, 2, 4, 8, 16, 30, 30}) {
        const Restarts::Decision decision = fail_after(1);
        EXPECT_TRUE(decision.again);
        EXPECT_EQ(decision.wait_s, wait);
    }
    EXPECT_EQ(fail_after(10).wait_s, 0) << "this one was not short";
    EXPECT_EQ(fail_after(1).wait_s, 0);
    EXPECT_EQ(fail_after(1).wait_s, 1);
}

TEST_F(RestartDecisions, WhatEndsARunIsNamed) {
    EXPECT_EQ(fail_after(60, 19).why_not, "");
    EXPECT_THAT(fail_after(60, 20).why_not, test::says_only("{} restarts are used up", 20));
    EXPECT_THAT(restarts_.after_failure(failure_, true, 0, 5, now_).why_not,
                test::says_only("the run was asked to stop"));
    failure_.exit_code = kExitUsage;
    EXPECT_THAT(fail_after(60).why_not, test::says_only("it would fail again"));
    EXPECT_FALSE(fail_after(60).again);
    spec_.launch.max_restarts = 0;
    EXPECT_FALSE(fail_after(60).again);
    EXPECT_EQ(fail_after(60).why_not, "") << "as it was asked for";
}

TEST_F(RestartDecisions, TwoGenerationsWithoutAStepEndARecipe) {
    EXPECT_TRUE(fail_after(60, 0, 0).again);
    EXPECT_TRUE(fail_after(60, 1, 5).again) << "a step starts the count again";
    EXPECT_TRUE(fail_after(60, 2, -1).again);
    EXPECT_THAT(fail_after(60, 3, 0).why_not, test::says_only("{} times in a row it failed before the first step", 2));
    spec_.program.emplace();
    EXPECT_TRUE(fail_after(60, 4, 0).again) << "the steps of a program are not known";
}

TEST_F(RestartDecisions, MicroBatchesBecomeSmallerWhereMemoryRanOutInAStep) {
    spec_.recipe.training.batch_size = 12;
    spec_.recipe.training.auto_find_batch_size = true;
    failure_.out_of_memory = true;
    failure_.phase = "forward";
    std::vector<std::int64_t> sizes;
    for (std::int64_t limit = 0; sizes.empty() || limit > 0;)
        sizes.push_back(limit = restarts_.smaller_batch(failure_, 2, limit).value());
    EXPECT_EQ(sizes, (std::vector<std::int64_t>{6, 3, 1, 0}));
    failure_.phase = "init";
    EXPECT_FALSE(restarts_.smaller_batch(failure_, 2, 0)) << "the weights alone are too large";
    failure_.signal = SIGKILL;
    EXPECT_EQ(restarts_.smaller_batch(failure_, 2, 0), 6) << "what it did last was not reported";
    spec_.recipe.training.auto_find_batch_size = false;
    EXPECT_FALSE(restarts_.smaller_batch(failure_, 2, 0));
    spec_.recipe.training.auto_find_batch_size = true;
    failure_.out_of_memory = false;
    EXPECT_FALSE(restarts_.smaller_batch(failure_, 2, 0)) << "another failure";
    failure_.out_of_memory = true;
    spec_.program.emplace();
    EXPECT_FALSE(restarts_.smaller_batch(failure_, 2, 0));
}

TEST_F(RestartDecisions, FewerMachinesAreEnoughAfterALastCall) {
    spec_.launch.machines = {{"a", 1, ""}, {"b", 1, ""}, {"c", 1, ""}};
    restarts_.await_machines(1000, 4);
    EXPECT_EQ(restarts_.start_time(), 1004);
    EXPECT_FALSE(restarts_.are_enough(2, 1000));
    EXPECT_FALSE(restarts_.are_enough(2, 1100)) << "all are wanted";
    EXPECT_TRUE(restarts_.are_enough(3, 1100));
    spec_.launch.min_machines = 2;
    restarts_.await_machines(2000);
    EXPECT_FALSE(restarts_.are_enough(1, 2000));
    EXPECT_FALSE(restarts_.are_enough(2, 2050));
    EXPECT_FALSE(restarts_.are_enough(2, 2079));
    EXPECT_FALSE(restarts_.are_enough(1, 2080)) << "one has left";
    EXPECT_FALSE(restarts_.are_enough(2, 2081));
    EXPECT_TRUE(restarts_.are_enough(2, 2111));
    EXPECT_FALSE(restarts_.gives_up(2599));
    EXPECT_TRUE(restarts_.gives_up(2600));
}

TEST_F(RestartDecisions, RanksMakeRoomForAMachineOnceTheyHaveDoneAStep) {
    spec_.launch.machines = {{"a", 1, ""}, {"b", 1, ""}};
    restarts_.begin(1000);
    EXPECT_FALSE(restarts_.may_grow(1, 0, 1100));
    EXPECT_TRUE(restarts_.may_grow(1, 1, 1100));
    EXPECT_FALSE(restarts_.may_grow(2, 1, 1100)) << "all have joined";
    spec_.program.emplace();
    EXPECT_FALSE(restarts_.may_grow(1, -1, 1009));
    EXPECT_TRUE(restarts_.may_grow(1, -1, 1010)) << "a program has lived for a while";
}

}  // namespace
}  // namespace trainyard::launch
