// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of run folders that are deleted, moved, or replaced by another run during training: the run must notice it
// within seconds, report it, and stop.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "fault/real_run.h"
#include "run/journal.h"
#include "support/says.h"

namespace trainyard {
namespace {

using run::Status;
using test::Program;
using test::RealRun;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;

/// Waits until the run is over, and returns its state. The folder may be missing for a while.
run::RunState state_after_loss(const RealRun& run, double seconds = 120) {
    double deadline = monotonic_seconds() + seconds;
    std::optional<run::RunState> state;
    while (!(state && run::is_over(state->status)) && monotonic_seconds() < deadline) {
        ::usleep(20'000);
        state = run::read_state(*run.paths);
    }
    return state.value_or(run::RunState());
}

bool ends_within(const ProcessId& process, double seconds) {
    double deadline = monotonic_seconds() + seconds;
    while (is_alive(process) && monotonic_seconds() < deadline)
        ::usleep(10'000);
    return !is_alive(process);
}

TEST(LostFolder, DeletedTheRunStopsAndKeepsWhatItHasLearnt) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState running = run.wait_for_step(20);
    ASSERT_EQ(running.status, Status::running) << running.message;
    Program follower({TRAINYARD_BIN_DIR "/trainyard", "runs", "follow", "fault"});
    follower.read_until([](const test::Said& said) { return said.out.find("step") != std::string::npos; });
    std::error_code error;
    fs::remove_all(run.paths->root(), error);
    EXPECT_TRUE(ends_within(running.supervisor, 60));
    EXPECT_LT(test::seconds_until_gone(running, 20), 20);
    run::RunState state = state_after_loss(run, 10);
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message, AllOf(HasSubstr(run.paths->root().string()),
                                     test::says("the run's folder {} was deleted while it ran", testing::_),
                                     HasSubstr("it was stopped at step "),
                                     says("it was stopped at step {}, its checkpoint is in {}", _, _)));
    EXPECT_TRUE(run::has_checkpoint(*run.paths)) << "weights were all there";
    EXPECT_TRUE(fs::exists(run.paths->spec())) << "a whole folder, not half of one";
    EXPECT_EQ(follower.wait(60).code, 1) << follower.said().out;
    EXPECT_THAT(follower.said().err, test::says("the run's folder {} was deleted while it ran", testing::_));
    EXPECT_EQ(test::trainyard({"runs", "follow", "fault"}).code, 1);
}

TEST(LostFolder, AProgramIsEndedAndTheLauncherFails) {
    RealRun run;
    Program launcher({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--num_processes", "2", "--no_python", "sh",
                      "-c", "echo up; exec sleep 600"});
    launcher.read_until([](const test::Said& said) { return said.out.find("up\nup\n") != std::string::npos; });
    run.paths = run::list_runs(run.runs()).at(0).paths;
    run::RunState running = run.wait_for([](const run::RunState& s) { return s.status == Status::running; });
    std::error_code error;
    fs::remove_all(run.paths->root(), error);
    test::Said said = launcher.wait(60);
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.err, test::says("the run's folder {} was deleted while it ran", testing::_));
    EXPECT_LT(test::seconds_until_gone(running, 20), 20);
}

TEST(LostFolder, MovedItIsNamedWhereItIs) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState running = run.wait_for_step(20);
    ASSERT_EQ(running.status, Status::running) << running.message;
    fs::path elsewhere = run.root() / "elsewhere";
    fs::rename(run.paths->root(), elsewhere);
    run::RunState state = state_after_loss(run);
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message, says("the run's folder {} was moved to {} while it ran", _, elsewhere.string()));
    EXPECT_TRUE(run::has_checkpoint(*run.paths));
    EXPECT_TRUE(ends_within(running.supervisor, 60));
}

TEST(LostFolder, OfAnotherRunNothingIsWrittenInIt) {
    RealRun run;
    fs::path folder = run.root() / "out";
    const std::vector<std::string> flags{"--num_processes", "2", "--run_dir", folder.string()};
    ASSERT_EQ(run.start(flags).code, 0);
    run.paths = run::RunPaths(folder);
    run::RunState first = run.wait_for_step(20);
    ASSERT_EQ(first.status, Status::running) << first.message;
    ::kill(first.supervisor.pid, SIGSTOP);  // it sees the folder when the other run has it
    fs::rename(folder, run.root() / "before");
    ASSERT_EQ(run.start(flags).code, 0);
    run.paths = run::RunPaths(folder);
    run::RunState second = run.wait_for_step(20);
    EXPECT_EQ(second.status, Status::running) << second.message;
    ::kill(first.supervisor.pid, SIGCONT);
    EXPECT_TRUE(ends_within(first.supervisor, 60));
    EXPECT_LT(test::seconds_until_gone(first, 20), 20);
    ::usleep(500'000);
    run::RunState state = run::read_state(*run.paths).value();
    EXPECT_EQ(state.status, Status::running) << state.message;
    EXPECT_EQ(state.supervisor, second.supervisor);
    for (const run::Event& event : run::JournalReader(run.paths->journal()).poll())
        EXPECT_NE(event.kind, "failure") << event.text;
    ::kill(second.supervisor.pid, SIGTERM);
    EXPECT_EQ(run.wait_until_over().status, Status::stopped);
}

}  // namespace
}  // namespace trainyard
