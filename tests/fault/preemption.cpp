// SPDX-License-Identifier: GPL-3.0-or-later
// SIGTERM to a rank in every phase of a run, and to the supervisor: all save and stop, at most one step is lost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "fault/real_run.h"
#include "run/journal.h"

namespace trainyard {
namespace {

using run::Status;
using test::RealRun;
using testing::HasSubstr;

struct Case {
    const char* phase;
    int pass;   ///< of that phase
    int least;  ///< step of the checkpoint at least
    int most;
};

class Preemption : public testing::TestWithParam<Case> {};

TEST_P(Preemption, EndsResumableWithACheckpoint) {
    const Case& at = GetParam();
    RealRun run;
    ::setenv("TRAINYARD_FAILPOINT", ("phase.1." + std::string(at.phase) + ":term@" + std::to_string(at.pass)).c_str(),
             1);
    test::Said started = run.start({"--num_processes", "2", "--max_restarts", "2", "--set", "checkpoint.every=4"});
    ::unsetenv("TRAINYARD_FAILPOINT");
    ASSERT_EQ(started.code, 0) << started.err;
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::stopped) << state.message;
    EXPECT_FALSE(state.first_failure);
    EXPECT_EQ(state.restarts, 0) << "asked to go, it does not start again";
    for (const run::RankState& rank : state.ranks)
        EXPECT_EQ(rank.exit_code, kExitResumable);
    EXPECT_GE(state.progress.step, at.least);
    EXPECT_LE(state.progress.step, at.most);
    EXPECT_TRUE(
        fs::exists(run.paths->checkpoints() / ("checkpoint_" + std::to_string(state.progress.step)) / "manifest.json"));
    EXPECT_EQ(test::trainyard({"runs", "follow", "fault"}).code, kExitResumable);
    int told = 0;
    for (const run::Event& event : run::JournalReader(run.paths->journal()).poll())
        if (event.text == "rank 1 got SIGTERM: all ranks save a checkpoint and stop") {
            EXPECT_EQ(event.rank, 1);
            ++told;
        }
    EXPECT_EQ(told, 1);
}

// A signal in the step n is taken after it or after the next one, where the ranks agree on it.
INSTANTIATE_TEST_SUITE_P(Phases, Preemption,
                         testing::Values(Case{"init", 1, 1, 2}, Case{"data", 6, 6, 7}, Case{"forward", 6, 6, 7},
                                         Case{"backward", 6, 6, 7}, Case{"reduce", 6, 6, 7}, Case{"optimizer", 6, 6, 7},
                                         Case{"save", 1, 4, 5}),
                         [](const auto& given) { return std::string(given.param.phase); });

TEST(PreemptionOfTheSupervisor, SavesToo) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState running = run.wait_for_step(5);
    ASSERT_EQ(running.status, Status::running);
    ::kill(running.supervisor.pid, SIGUSR1);  // SLURM's warning
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::stopped) << state.message;
    EXPECT_TRUE(run::has_checkpoint(*run.paths));
}

TEST(PreemptionOfTheSupervisor, ARunGoesOnWhereItWasStopped) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2", "--set", "training.steps=40000"}).code, 0);
    run.wait_for_step(5);
    ::kill(run::read_state(*run.paths)->supervisor.pid, SIGTERM);
    run::RunState stopped = run.wait_until_over();
    ASSERT_EQ(stopped.status, Status::stopped) << stopped.message;
    std::string from = run.paths->root().string();
    ASSERT_EQ(run.start({"--num_processes", "1", "--set", "checkpoint.resume_from=" + from}).code, 0);
    run::RunState on = run.wait_for_step(stopped.progress.step + 1);
    EXPECT_GT(on.progress.step, stopped.progress.step);
    std::string journal = read_file(run.paths->journal());
    EXPECT_THAT(journal, HasSubstr("resumed from "));
    EXPECT_THAT(journal, HasSubstr("at step " + std::to_string(stopped.progress.step)));
}

}  // namespace
}  // namespace trainyard
