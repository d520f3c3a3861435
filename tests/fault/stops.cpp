// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is asked to stop: by several people, while a rank is stopped itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "fault/saves.h"
#include "run/request.h"
#include "support/says.h"

namespace trainyard {
namespace {

using run::Status;
using test::Program;
using test::RealRun;
using test::says;
using test::texts_of;
using testing::_;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> kStop{TRAINYARD_BIN_DIR "/trainyard", "runs", "stop", "fault"};

TEST(Stops, TwoWhoStopTheSameRunGetItsCheckpoint) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState running = run.wait_for_step(5);
    ASSERT_EQ(running.status, Status::running) << running.message;
    pid_t held = running.ranks.at(1).process.pid;
    ::kill(held, SIGSTOP);  // so that the second one comes while the first is under way
    Program first(kStop), second(kStop);
    run.wait_for(
        [&](const run::RunState& s) { return run::is_over(s.status) || texts_of(run, "request").size() == 2; });
    EXPECT_EQ(texts_of(run, "request").size(), 2u);
    ::usleep(500'000);
    ::kill(held, SIGCONT);
    EXPECT_EQ(first.wait(120).code, 0) << first.said().err;
    EXPECT_EQ(second.wait(120).code, 0) << second.said().err;
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::stopped);
    EXPECT_THAT(state.message, says("stopped at {} after a checkpoint", _));
    EXPECT_TRUE(run::has_checkpoint(*run.paths));
}

TEST(Stops, ARankThatIsStoppedItselfDoesNotHoldUpTheStop) {
    RealRun run;
    run.use_spec({{"stop_timeout_s", "8"}}, {"--num_processes", "2"});
    ASSERT_EQ(run.start({}).code, 0);
    run::RunState running = run.wait_for_step(20);
    ASSERT_EQ(running.status, Status::running) << running.message;
    ::kill(running.ranks.at(1).process.pid, SIGSTOP);
    double asked = monotonic_seconds();
    test::Said said = Program(kStop).wait(120);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_LT(monotonic_seconds() - asked, 60) << "8 s are allowed, the rest is a busy machine";
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::stopped);
    EXPECT_THAT(state.message, AllOf(says("killed at {}, no checkpoint", StartsWith("step ")),
                                     HasSubstr("no checkpoint: the ranks did not end within"), HasSubstr("rank 1 on "),
                                     says("is stopped (SIGSTOP)")));
    EXPECT_THAT(texts_of(run, "warning"),
                Contains(AllOf(HasSubstr("rank 1 on "), says("rank {} on {} has been silent for {}", _, _, _))))
        << "hangs are noticed while a run stops, too";
    EXPECT_LT(test::seconds_until_gone(running, 20), 20);
}

TEST(Stops, APausedRunIsWatchedToo) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState running = run.wait_for_step(5);
    ASSERT_EQ(running.status, Status::running) << running.message;
    ASSERT_EQ(test::trainyard({"runs", "pause", "fault"}).code, 0);
    ::kill(running.ranks.at(1).process.pid, SIGSTOP);
    run.wait_for([&](const run::RunState&) { return !texts_of(run, "warning").empty(); }, 60);
    EXPECT_THAT(texts_of(run, "warning"), Contains(AllOf(HasSubstr("rank 1 on "), says("is stopped (SIGSTOP)"))));
    ::kill(running.ranks.at(1).process.pid, SIGCONT);
    EXPECT_EQ(test::trainyard({"runs", "stop", "fault"}).code, 0);
    EXPECT_TRUE(run::has_checkpoint(*run.paths));
}

}  // namespace
}  // namespace trainyard
