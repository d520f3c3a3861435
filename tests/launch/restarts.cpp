// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of restarts of all ranks after a failure: the number of restarts, the checkpoint they resume from, and the
// exclusion of old ranks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "launch/fake_run.h"
#include "launch/supervisor/local_machine.h"
#include "launch/supervisor/supervisor.h"
#include "support/says.h"

namespace trainyard::launch {
namespace {

using run::Status;
using test::any_alive;
using test::FakeRun;
using test::says;
using test::says_only;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Restarts, AKilledRankAndAllStartAgain) {
    FakeRun run;
    run.adjust = [](run::LaunchSpec& launch) { launch.max_restarts = 2; };
    run.start(2, "1:signal:7:9:1", 40);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_EQ(state.restarts, 1);
    EXPECT_EQ(state.generation, 2);
    EXPECT_FALSE(state.first_failure) << "the restart must clear the failure";
    EXPECT_EQ(state.progress.step, 40);
    ASSERT_EQ(run.events("failure").size(), 1u);
    EXPECT_THAT(run.events("failure")[0].text, HasSubstr("rank 1 on "));
    ASSERT_EQ(run.events("restart").size(), 1u);
    EXPECT_THAT(run.events("restart")[0].text,
                AllOf(StartsWith("restart 1 of 2: all ranks start again"),
                      says("all ranks start again from the beginning, there is no checkpoint")));
    EXPECT_EQ(read_file(run.paths->generation()), "2\n");
    for (const run::RankState& rank : state.ranks)
        EXPECT_EQ(rank.state, "finished");
}

TEST(Restarts, WhenTheyAreUsedUpTheRunFails) {
    FakeRun run;
    run.options.backoff_s = 0.05;
    run.adjust = [](run::LaunchSpec& launch) { launch.max_restarts = 2; };
    run.start(2, "0:exit:7:3", 40);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_EQ(state.restarts, 2);
    EXPECT_EQ(state.generation, 3);
    EXPECT_THAT(state.message,
                says("rank {} on {} exited with code {} {}", _, _, 3, says("at step {} ({})", 7, _).at_start()));
    EXPECT_EQ(run.events("failure").size(), 3u);
    EXPECT_THAT(run.events("note").back().text, says("{} restarts are used up", 2).at_end());
    EXPECT_FALSE(any_alive(state));
}

TEST(Restarts, TwoFailuresBeforeTheFirstStepEndIt) {
    FakeRun run;
    run.options.backoff_s = 0.02;
    run.adjust = [](run::LaunchSpec& launch) { launch.max_restarts = 4; };
    run.start_shell(1, "exit 4");  // a program may fail as often as it is allowed to
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.restarts, 4);
    EXPECT_EQ(state.first_failure.value().exit_code, 4);
    ::setenv("TRAINYARD_WORKER", "/bin/false", 1);
    run.start(1, "");
    state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_EQ(state.restarts, 1);
    EXPECT_THAT(run.events("note").back().text, says("{} times in a row it failed before the first step", 2).at_end());
}

TEST(Restarts, MicroBatchesThatRunOutOfMemoryBecomeSmaller) {
    FakeRun run;
    std::ofstream(run.recipe(), std::ios::app)
        << "training: {batch_size: 16, gradient_accumulation_steps: 2, auto_find_batch_size: yes}\n";
    run.start(2, "1:memory:3:5", 20);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_EQ(state.batch_size, 4);
    EXPECT_EQ(state.generation, 3);
    EXPECT_EQ(state.restarts, 0) << "it is not one of those that the user allows";
    EXPECT_FALSE(state.first_failure);
    const std::vector<run::Event> events = run.events("oom");
    ASSERT_EQ(events.size(), 2u);
    EXPECT_THAT(events[0].text,
                says_only("all ranks start again with micro-batches of {} instead of {}, {} for an update: an update "
                          "has as many samples as before",
                          "8 samples", 16, 4));
    EXPECT_THAT(events[1].text,
                says_only("all ranks start again with micro-batches of {} instead of {}, {} for an update: an update "
                          "has as many samples as before",
                          "4 samples", 8, 8));
    EXPECT_EQ(events[0].rank, 1);
    EXPECT_EQ(events[0].step, 3);
}

TEST(Restarts, ARunWhoseSmallestMicroBatchRunsOutOfMemoryFails) {
    FakeRun run;
    run.adjust = [](run::LaunchSpec& launch) { launch.max_restarts = 5; };
    std::ofstream(run.recipe(), std::ios::app) << "training: {batch_size: 2, auto_find_batch_size: yes}\n";
    run.start(1, "0:memory:1:0", 20);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_EQ(state.generation, 2) << "2 samples, then 1";
    ASSERT_EQ(run.events("oom").size(), 2u);
    EXPECT_THAT(run.events("oom")[1].text, says_only("micro-batches of {} run out of memory, and there are no smaller "
                                                     "ones: the ranks are not started again",
                                                     "1 sample"));
    EXPECT_THAT(state.message, HasSubstr("no memory is left"));
}

TEST(Restarts, BadInputIsNotTriedAgain) {
    FakeRun run;
    run.adjust = [](run::LaunchSpec& launch) { launch.max_restarts = 3; };
    run.start(1, "0:exit:2:2", 40);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_EQ(state.restarts, 0);
}

TEST(Restarts, ARunThatStandsStillFailsAfterItsTimeOutAndStartsAgain) {
    FakeRun run;
    run.options.still_s = 0.3;
    run.adjust = [](run::LaunchSpec& launch) {
        launch.max_restarts = 1;
        launch.hang_timeout_s = 0.6;
    };
    run.start(2, "*:still:6::1", 30);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_EQ(state.restarts, 1);
    ASSERT_FALSE(run.events("warning").empty());
    EXPECT_THAT(run.events("warning")[0].text, says("no progress for {}", _).at_start());
    ASSERT_EQ(run.events("failure").size(), 1u);
    EXPECT_THAT(run.events("failure")[0].text, AllOf(says("it hangs, nothing has moved for {}: {}", _, _),
                                                     says("{}, after {}", _, StartsWith("all_reduce #7"))));
}

TEST(Restarts, AStoppedRankIsReplacedAfterTheTimeOut) {
    FakeRun run;
    run.options.heartbeat_s = 0.2;
    run.options.still_s = 0.5;
    run.adjust = [](run::LaunchSpec& launch) {
        launch.max_restarts = 1;
        launch.hang_timeout_s = 2;
    };
    // Rank 1 has several seconds of steps left, so that it makes progress until it is stopped; otherwise rank 0 would
    // be reported.
    run.start(2, "0:still:6::1", 400);
    run::RunState running =
        run.wait_for([](const run::RunState& s) { return s.ranks.size() == 2 && s.ranks[1].step >= 6; });
    ::kill(running.ranks.at(1).process.pid, SIGSTOP);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_EQ(state.restarts, 1);
    EXPECT_FALSE(is_alive(running.ranks.at(1).process));
    ASSERT_EQ(run.events("failure").size(), 1u);
    EXPECT_EQ(run.events("failure")[0].rank, 1);
    EXPECT_THAT(run.events("failure")[0].text, says("is stopped (SIGSTOP)"));
}

TEST(Restarts, AskedToStopWhileItWaitsItDoesNotStartAgain) {
    FakeRun run;
    run.options.backoff_s = 20;
    run.adjust = [](run::LaunchSpec& launch) { launch.max_restarts = 5; };
    run.start(1, "0:exit:3:9", 40);
    run::RunState waiting = run.wait_for([](const run::RunState& s) { return s.restarts == 2; });
    EXPECT_EQ(waiting.status, Status::starting);
    std::string id = run.ask("stop");
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::stopped) << state.message;
    EXPECT_EQ(run.wait_for_answer(id).outcome, "done");
}

/// Simulates the listener of agents with ranks of this machine: a machine that joins late, leaves, and joins again.
class LatePool final : public MachinePool {
  public:
    explicit LatePool(int looks) : looks_(looks), machine_(std::make_unique<LocalMachine>("late")) {}
    std::vector<Participant> participants() override {
        if (looks_-- > 0)
            return {};
        return {{machine_.get(), 2, {}}};
    }
    Message missing() const override { return "late"; }

  private:
    int looks_;
    std::unique_ptr<LocalMachine> machine_;
};

class Joining : public testing::Test {
  protected:
    run::RunState run_with(int looks, double join_timeout) {
        ::setenv("FAKE_DO", "", 1);
        ::setenv("FAKE_STEPS", "5", 1);
        LaunchOptions asked;
        asked.file = run_.recipe();
        asked.device.cpu = true;
        CheckedLaunch checked = check_launch(asked);
        checked.spec.launch.machines = {{"late", 2, ""}};
        checked.spec.launch.num_processes = 2;
        checked.spec.launch.join_timeout_s = join_timeout;
        PreparedRun prepared = create_run(std::move(checked));
        run_.paths = prepared.paths;
        start_detached(std::move(prepared), run_.options, std::make_unique<LatePool>(looks));
        return run_.wait_until_over();
    }
    FakeRun run_;
};

TEST_F(Joining, RanksStartWhenTheirMachineIsThere) {
    run::RunState state = run_with(3, 20);
    EXPECT_EQ(state.status, Status::finished) << state.message;
    ASSERT_EQ(state.machines.size(), 1u);
    EXPECT_EQ(state.machines[0].host, "late");
    EXPECT_EQ(state.machines[0].state, "ended");
    EXPECT_EQ(state.ranks.size(), 2u);
}

TEST_F(Joining, AMachineThatDoesNotComeIsNamed) {
    run::RunState state = run_with(100'000, 0.5);
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message, says_only("{} did not join within {}", "late", "500 ms"));
    EXPECT_EQ(state.first_failure.value().rank, -1);
}

}  // namespace
}  // namespace trainyard::launch
