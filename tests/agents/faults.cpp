// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks of another machine that do not get on: stopped, stuck in the kernel, in another collective than the rest.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cluster.h"
#include "base/file.h"
#include "support/says.h"

using namespace trainyard;
using test::Cluster;
using test::says;
using testing::_;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;

namespace {

class Faults : public testing::Test {
  protected:
    void TearDown() override {
        if (HasFailure())
            cluster.print_logs();
    }
    int remote_pid() { return cluster.agent_state(1).at("ranks").at(0).at("pid").get<int>(); }
    void wait_for_warning(const std::string& words, double seconds = 40) {
        cluster.wait_for(
            [&](const run::RunState& now) {
                for (const std::string& text : cluster.events("warning"))
                    if (text.find(words) != std::string::npos)
                        return true;
                return run::is_over(now.status);
            },
            seconds);
    }
    void stop() {
        cluster.kill(0, static_cast<int>(cluster.state().supervisor.pid), SIGTERM);
        run::RunState state = cluster.wait_until_over();
        EXPECT_EQ(state.status, run::Status::stopped) << state.message;
    }
    Cluster cluster{2};
};

TEST_F(Faults, AStoppedRankIsNamedGoesOnWhenWokenAndIsReplacedWhenNot) {
    cluster.start({.ranks = {1, 1}, .steps = 1000000, .save_every = 100, .max_restarts = 1, .hang_timeout_s = 4});
    ASSERT_GE(cluster.wait_for_step(120).progress.step, 120) << cluster.state().message;
    int pid = remote_pid();
    cluster.kill(1, pid, SIGSTOP);
    wait_for_warning("is stopped (SIGSTOP)");
    // It is stopped at any point of a step: the other one waits in the sum of losses, or where step times are gathered.
    EXPECT_THAT(cluster.events("warning"),
                Contains(AllOf(::testing::ContainsRegex("rank 0 waits in all_(reduce|gather) #[0-9]+ "),
                               HasSubstr("rank 1 on host2"), HasSubstr("is stopped (SIGSTOP)"))));
    cluster.kill(1, pid, SIGCONT);
    run::RunState woken = cluster.wait_for_step(cluster.state().progress.step + 20);
    ASSERT_EQ(woken.status, run::Status::running) << woken.message;
    EXPECT_EQ(woken.generation, 1);
    EXPECT_EQ(remote_pid(), pid);

    cluster.kill(1, pid, SIGSTOP);
    run::RunState next = cluster.wait_for([](const run::RunState& now) {
        return run::is_over(now.status) || (now.generation == 2 && now.status == run::Status::running);
    });
    ASSERT_EQ(next.generation, 2) << next.message;
    EXPECT_THAT(cluster.events("failure"),
                Contains(AllOf(HasSubstr("rank 1 on host2"), says("it hangs, nothing has moved for {}: {}", _, _))));
    EXPECT_THAT(cluster.events("restart"), Contains(HasSubstr("from the newest checkpoint")));
    EXPECT_NE(remote_pid(), pid);
    EXPECT_EQ(cluster.programs(1), "trainyard\ntrainyard-guard\ntrainyard-worker\n") << "what was stopped is gone";
    stop();
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(Faults, ARankThatHangsInTheKernelIsNamedWithItsPlace) {
    cluster.environment["TRAINYARD_FAILPOINT"] = "phase.1.data:block@5";
    cluster.start({.ranks = {1, 1}, .steps = 1000000, .save_every = 0, .hang_timeout_s = 4, .still_s = 2});
    wait_for_warning("waits in the kernel");
    EXPECT_THAT(cluster.events("warning"),
                Contains(AllOf(HasSubstr("rank 0 waits in all_reduce #"),
                               HasSubstr("rank 1 on host2 is in data at step"), HasSubstr("and waits in the kernel"))));
    run::RunState state = cluster.wait_until_over();
    EXPECT_EQ(state.status, run::Status::failed);
    EXPECT_THAT(state.message, AllOf(HasSubstr("rank 1 on host2"), HasSubstr("it hangs")));
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(Faults, RanksThatCallCollectivesInAnotherOrderAreNamedWithTheirCalls) {
    cluster.environment["TRAINYARD_FAILPOINT"] = "collective.1:other@20";
    cluster.start({.ranks = {1, 1}, .steps = 1000000, .save_every = 0, .hang_timeout_s = 4, .still_s = 2});
    run::RunState state = cluster.wait_until_over();
    EXPECT_EQ(state.status, run::Status::failed);
    ASSERT_TRUE(state.first_failure);
    EXPECT_THAT(
        cluster.events("warning"),
        Contains(AllOf(::testing::ContainsRegex("rank 1 waits in all_gather #[0-9]+ out of turn"),
                       ::testing::ContainsRegex("rank 0 waits in all_reduce #[0-9]+ "),
                       says("{}: these are different collectives, the ranks do not call them in the same order", _))));
    EXPECT_EQ(cluster.leftovers(), "");
}

}  // namespace
