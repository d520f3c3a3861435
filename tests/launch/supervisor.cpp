// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the supervisor with scripted ranks: how a run ends, which rank is reported as the cause, and that no
// processes or files are left.

#include "launch/supervisor/supervisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "launch/fake_machine.h"
#include "launch/fake_run.h"
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
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

TEST(Supervisor, ARunThatGoesWell) {
    FakeRun run;
    run.start(2, "1:print:3", 30);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_THAT(state.message,
                AllOf(says("finished {} in {}", "30 steps", _).at_start(), says("loss {:.4f}", StartsWith("0.1667"))));
    EXPECT_FALSE(state.first_failure);
    EXPECT_EQ(state.progress.step, 30);
    EXPECT_EQ(state.progress.of, 30);
    EXPECT_EQ(state.progress.tokens, 30 * 64);
    EXPECT_TRUE(state.ended && state.started > 0 && *state.ended >= state.started);
    ASSERT_EQ(state.ranks.size(), 2u);
    for (const run::RankState& rank : state.ranks) {
        EXPECT_EQ(rank.state, "finished");
        EXPECT_EQ(rank.exit_code, 0);
        EXPECT_EQ(rank.resident_bytes, 1'000'000u);
        EXPECT_FALSE(is_alive(rank.process));
    }
    EXPECT_EQ(read_file(run.paths->rank_log(1)), "rank 1 says hello at step 3\n");
    EXPECT_EQ(run.events("phase").back().text, state.message);
}

TEST(Supervisor, TheFinalStateIsReachedByNames) {
    FakeRun run;
    run.start(1, "", 1000, 10);
    run::RunState running = run.wait_for_step(25);
    EXPECT_EQ(running.status, Status::running);
    EXPECT_TRUE(running.progress.eta_s) << "20 steps are enough";
    EXPECT_TRUE(is_alive(running.supervisor));
    EXPECT_NE(running.supervisor.pid, ::getpid());
    EXPECT_EQ(running.supervisor, run.state()->supervisor);
}

TEST(Supervisor, AKilledRankIsNamedNotItsPeers) {
    FakeRun run;
    // Kills rank 0: these ranks do not wait for each other, so another one may be at an earlier step than rank 0
    // reported.
    run.start(3, "0:signal:7:9", 1000);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    ASSERT_TRUE(state.first_failure);
    EXPECT_EQ(state.first_failure->rank, 0);
    EXPECT_EQ(state.first_failure->signal, SIGKILL);
    EXPECT_FALSE(state.first_failure->exit_code);
    EXPECT_EQ(state.first_failure->step, 7);
    EXPECT_EQ(state.first_failure->phase, "backward");
    EXPECT_EQ(state.first_failure->last_collective, "all_reduce #7");
    EXPECT_THAT(state.first_failure->message,
                AllOf(StartsWith("rank 0 on "), HasSubstr(" was killed by signal 9 (SIGKILL) at step 7 (backward)")));
    EXPECT_EQ(state.message, state.first_failure->message);
    EXPECT_EQ(run.events("failure").size(), 1u);
    EXPECT_EQ(run.events("failure").front().text, state.message);
    EXPECT_EQ(run.events("phase").back().text, "failed") << "the journal must report a failure only once";
    EXPECT_FALSE(any_alive(state));
}

TEST(Supervisor, ARankThatSaysWhyIsQuoted) {
    FakeRun run;
    run.start(2, "0:print:4,0:fail:5", 1000);
    run::RunState state = run.wait_until_over();
    ASSERT_TRUE(state.first_failure);
    EXPECT_EQ(state.first_failure->rank, 0);
    EXPECT_EQ(state.first_failure->exit_code, 1);
    EXPECT_THAT(state.first_failure->message, EndsWith("failed at step 5 (forward): the loss is not a number"));
    EXPECT_THAT(state.first_failure->log, testing::ElementsAre("rank 0 says hello at step 4"));
}

TEST(Supervisor, AnExitWithoutAWordIsNamedWithItsCode) {
    FakeRun run;
    run.start(2, "0:exit:5:3", 1000);
    run::RunState state = run.wait_until_over();
    ASSERT_TRUE(state.first_failure);
    EXPECT_EQ(state.first_failure->rank, 0);
    EXPECT_EQ(state.first_failure->exit_code, 3);
    EXPECT_THAT(state.message, test::says("rank {} on {} exited with code {} {}", testing::_, testing::_, "3",
                                          testing::StartsWith("at step 5")));
}

TEST(Supervisor, RanksThatHangAfterAFailureAreEnded) {
    FakeRun run;
    run.options.grace_s = 0.2;
    run.options.term_s = 2;  // a loaded machine may need long to end rank 1
    // They hang in their first step, because in a later one they might notice the loss of rank 0 and fail on their own.
    run.start(3, "0:signal:5:11,1:hang:1,2:hang:1,2:stubborn:0", 1000);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message, says("signal {} (SIG{})", 11, "SEGV"));
    EXPECT_EQ(state.ranks[1].state, "killed");
    EXPECT_EQ(state.ranks[1].signal, SIGTERM);
    EXPECT_EQ(state.ranks[2].state, "killed");
    EXPECT_EQ(state.ranks[2].signal, SIGKILL);
    EXPECT_FALSE(any_alive(state));
}

TEST(Supervisor, WhatARankLeftBehindGoesWithIt) {
    FakeRun run;
    run.start(1, "0:child:0", 5);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::finished);
    pid_t child = std::stoi(read_file(run.paths->root() / "child.pid"));
    double deadline = monotonic_seconds() + 10;
    while (process_start_time(child) != 0 && monotonic_seconds() < deadline)
        ::usleep(10'000);
    EXPECT_EQ(process_start_time(child), 0u) << "the child " << child << " lives";
}

TEST(Supervisor, SilenceIsReportedWithThePlace) {
    FakeRun run;
    run.options.heartbeat_s = 0.1;
    run.options.silence_s = 0.4;
    run.start(2, "1:hang:6", 100'000);
    run.wait_for([&](const run::RunState&) { return !run.events("warning").empty(); });
    std::vector<run::Event> warnings = run.events("warning");
    ASSERT_FALSE(warnings.empty());
    EXPECT_EQ(warnings[0].rank, 1);
    EXPECT_THAT(warnings[0].text,
                AllOf(StartsWith("rank 1 on "), says("rank {} on {} has been silent for {}", _, _, _),
                      says("rank {} on {} is in {}", _, _,
                           says("{}, after {}", says_only("{} at step {}", "backward", 6), StartsWith("all_reduce #6"))
                               .at_start())));
    EXPECT_EQ(warnings[0].path, "logs/hang-1.json");
    EXPECT_THAT(read_file(run.paths->root() / warnings[0].path), HasSubstr("\"behind\":1"));
    EXPECT_EQ(run.state()->status, Status::running) << "a hang is reported, not ended";
    run.ask("kill");
    EXPECT_EQ(run.wait_until_over().status, Status::stopped);
}

TEST(Supervisor, AStoppedRankIsNamedWithinTwoHeartbeatsAndGoesOn) {
    FakeRun run;
    run.options.heartbeat_s = 0.3;
    run.start(2, "", 100'000);
    run::RunState running = run.wait_for_step(5);
    ::kill(running.ranks.at(1).process.pid, SIGSTOP);
    run.wait_for([&](const run::RunState&) { return !run.events("warning").empty(); });
    std::vector<run::Event> warnings = run.events("warning");
    ASSERT_FALSE(warnings.empty());
    EXPECT_EQ(warnings[0].rank, 1);
    EXPECT_THAT(warnings[0].text,
                says("rank {} on {} is in {} and {}", _, _, _, says_only("is stopped (SIGSTOP)")).at_end());
    ::kill(running.ranks.at(1).process.pid, SIGCONT);
    run.wait_for([&](const run::RunState&) { return !run.events("note").empty(); });
    ASSERT_FALSE(run.events("note").empty());
    EXPECT_THAT(run.events("note")[0].text, HasSubstr("rank 1 on "));
    EXPECT_THAT(run.events("note")[0].text, says("rank {} on {} is heard again after {}", _, _, _));
    EXPECT_EQ(run.state()->status, Status::running);
    EXPECT_EQ(run.state()->generation, 1);
}

TEST(Supervisor, NoNewStepIsReportedOnce) {
    FakeRun run;
    run.options.still_s = 0.4;
    run.start(2, "*:still:6", 1000);
    run.wait_for([&](const run::RunState&) { return !run.events("warning").empty(); });
    ::usleep(800'000);
    std::vector<run::Event> warnings = run.events("warning");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].rank, -1) << "all are at the same place";
    EXPECT_THAT(warnings[0].text,
                AllOf(says("no progress for {}", _).at_start(), says("{}, after {}", _, StartsWith("all_reduce #7"))));
}

TEST(Supervisor, StopLetsTheRanksSave) {
    FakeRun run;
    run.start(2, "", 100'000);
    run.wait_for_step(5);
    std::string id = run.ask("stop", {{"checkpoint", "true"}});
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::stopped);
    EXPECT_THAT(state.message, MatchesRegex("stopped at step [0-9,]+ of 100,000 after a checkpoint"));
    EXPECT_EQ(state.ranks[0].exit_code, 75);
    EXPECT_EQ(run.wait_for_answer(id).outcome, "done");
    EXPECT_EQ(run.events("request").size(), 1u);
}

TEST(Supervisor, ASecondStopRepeatsTheFirstAndKillDoesNot) {
    FakeRun run;
    run.start(2, "0:deaf:0", 100'000);
    run.wait_for_step(5);
    std::string first = run.ask("stop");
    run::RunState stopping = run.wait_for([](const run::RunState& state) { return state.status != Status::running; });
    EXPECT_EQ(stopping.status, Status::stopping);
    std::string second = run.ask("stop");
    run.wait_for([&](const run::RunState&) { return run.events("request").size() == 2; });
    ::kill(stopping.supervisor.pid, SIGTERM);
    ::usleep(1'000'000);
    EXPECT_EQ(run.state()->status, Status::stopping);
    EXPECT_TRUE(test::any_alive(stopping)) << "they may still save";
    std::string third = run.ask("kill");
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::stopped);
    EXPECT_THAT(state.message, says("killed at {}, no checkpoint", _).at_end());
    EXPECT_EQ(state.ranks[0].state, "killed");
    for (const std::string& id : {first, second, third})
        EXPECT_EQ(run.wait_for_answer(id).outcome, "done");
}

/// Ranks are killed one after the other: rank 1 reports that it misses rank 0 before its own signal comes.
TEST(Supervisor, ARankThatMissesAnotherWhileAllAreKilledHasNotFailed) {
    FakeRun run;
    run.options.foreground = true;
    LaunchOptions asked;
    asked.file = run.recipe();
    asked.num_processes = 2;
    asked.device.cpu = true;
    PreparedRun prepared = create_run(check_launch(asked));
    run.paths = prepared.paths;
    auto owned = std::make_unique<test::FakeMachine>("here");
    test::FakeMachine& machine = *owned;
    machine.on_start = [&] {
        machine.reports.push_back([&](RankListener& ranks) {
            for (int rank : {0, 1})
                ranks.said(rank,
                           rank_message_line(Heartbeat{.step = 1, .phase = {}, .collective = {}, .waits_for = {}}));
            run.ask("kill");
        });
    };
    machine.on_signal = [&](int) {
        machine.reports.push_back([](RankListener& ranks) {
            ranks.ended(0, SIGKILL, {});
            ranks.said(1, rank_message_line(FailureReport{"connection closed by peer", 1, "reduce", {}, true}));
            ranks.ended(1, SIGKILL, {});
        });
    };
    auto pool = std::make_unique<FixedPool>();
    pool->add(std::move(owned), 2);
    Supervisor supervisor(std::move(prepared), run.options, std::move(pool));
    supervisor.start();
    EXPECT_EQ(supervisor.watch(), kExitResumable);
    const run::RunState state = run.state().value();
    EXPECT_EQ(state.status, Status::stopped) << state.message;
    EXPECT_FALSE(state.first_failure);
    EXPECT_THAT(state.message, says("killed at {}, no checkpoint", StartsWith("step ")).at_start());
    for (const run::RankState& rank : state.ranks)
        EXPECT_EQ(rank.state, "killed");
}

TEST(Supervisor, RanksThatDoNotStopAreKilledAndNamed) {
    FakeRun run;
    run.adjust = [](run::LaunchSpec& launch) { launch.stop_timeout_s = 1; };
    run.start(2, "0:deaf:0", 100'000);
    run.wait_for_step(5);
    std::string stop = run.ask("stop", {{"checkpoint", "true"}});
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::stopped);
    EXPECT_THAT(state.message,
                AllOf(says("killed at {}, no checkpoint", StartsWith("step ")).at_start(),
                      HasSubstr("no checkpoint: the ranks did not end"),
                      says("the ranks did not end within {} after they were asked to and are killed", _)));
    EXPECT_EQ(run.wait_for_answer(stop).outcome, "failed") << "there is no checkpoint";
    EXPECT_FALSE(test::any_alive(state));
}

TEST(Supervisor, ASignalToTheSupervisorStopsTheRun) {
    FakeRun run;
    run.start(2, "", 100'000);
    run::RunState running = run.wait_for_step(5);
    ::kill(running.supervisor.pid, SIGTERM);
    EXPECT_EQ(run.wait_until_over().status, Status::stopped);
}

TEST(Supervisor, RequestsGetAnAnswer) {
    FakeRun run;
    run.start(1, "0:refuse:0", 100'000);
    run.wait_for_step(5);
    run::Request note = run.wait_for_answer(run.ask("note", {{"text", "look here"}, {"step", "3"}}));
    EXPECT_EQ(note.outcome, "done");
    ASSERT_EQ(run.events("note").size(), 1u);
    EXPECT_EQ(run.events("note")[0].text, "look here");
    EXPECT_EQ(run.events("note")[0].step, 3);
    EXPECT_EQ(run.wait_for_answer(run.ask("note")).outcome, "refused");

    run::Request unknown = run.wait_for_answer(run.ask("stopp"));
    EXPECT_EQ(unknown.outcome, "refused");
    EXPECT_THAT(unknown.text, AllOf(HasSubstr("'stopp'"), says(": did you mean '{}'?", "stop")));
    run::Request saved = run.wait_for_answer(run.ask("checkpoint"));
    EXPECT_EQ(saved.outcome, "done");
    EXPECT_EQ(saved.text, "checkpoint taken");
    run::Request profile = run.wait_for_answer(run.ask("profile", {{"steps", "10"}}));
    EXPECT_EQ(profile.outcome, "refused");
    EXPECT_EQ(profile.text, "this worker cannot profile");

    std::ofstream(run.paths->requests() / "broken.json") << "{";
    EXPECT_EQ(run.wait_for_answer("broken").outcome, "refused");
    std::string kill = run.ask("kill");
    EXPECT_EQ(run.wait_until_over().status, Status::stopped);
    EXPECT_EQ(run.wait_for_answer(kill).outcome, "done");
    EXPECT_TRUE(run::pending_requests(*run.paths).empty());
}

TEST(Supervisor, LogsAreBounded) {
    FakeRun run;
    ::setenv("TRAINYARD_LOG_LIMIT", "100000", 1);
    run.start(1, "0:loud:0:1000000", 5);
    ::unsetenv("TRAINYARD_LOG_LIMIT");
    EXPECT_EQ(run.wait_until_over().status, Status::finished);
    fs::path log = run.paths->rank_log(0);
    EXPECT_LE(fs::file_size(log), 100'000u);
    EXPECT_LE(fs::file_size(log.string() + ".1"), 100'000u);
    EXPECT_GT(fs::file_size(log.string() + ".1"), 0u);
}

TEST(Supervisor, AWorkerThatCannotRunLeavesNothingBehind) {
    FakeRun run;
    fs::path worker = run.recipe().parent_path() / "worker";
    std::ofstream(worker) << "\x7f"
                             "ELF, not really";
    ::chmod(worker.c_str(), 0700);
    ::setenv("TRAINYARD_WORKER", worker.c_str(), 1);
    try {
        run.start(2, "");
        FAIL() << "it started";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(),
                    AllOf(says("cannot start rank {}: {}: {}", StartsWith("0"), _, _), HasSubstr(worker.string())));
    }
    EXPECT_TRUE(fs::is_empty(run.runs()));
    run.paths.reset();
}

}  // namespace
}  // namespace trainyard::launch
