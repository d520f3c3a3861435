// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of other people under the supervisor: environment, exit codes, signals, output, and what they leave behind.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "launch/fake_run.h"
#include "launch/supervisor/rank_process.h"
#include "launch/supervisor/supervisor.h"
#include "support/says.h"

namespace trainyard::launch {
namespace {

using run::Status;
using test::FakeRun;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Programs, TheirEnvironmentFolderAndOutput) {
    FakeRun run;
    std::map<std::pair<int, bool>, std::string> shown;
    run.options.output = [&](int rank, int local_rank, std::string_view bytes, bool standard_error) {
        EXPECT_EQ(rank, local_rank);
        shown[{rank, standard_error}] += bytes;
    };
    EXPECT_EQ(run.start_shell(2,
                              "echo \"$RANK of $WORLD_SIZE at $MASTER_ADDR\"; pwd >&2; "
                              "test -n \"$TORCHELASTIC_RUN_ID\" && test -d \"$TRAINYARD_RUN_DIR\"",
                              true),
              0);
    EXPECT_EQ((shown[{1, false}]), "1 of 2 at 127.0.0.1\n");
    EXPECT_EQ((shown[{0, true}]), run.folder().string() + "\n");
    EXPECT_THAT(read_file(run.paths->rank_log(0)), AllOf(HasSubstr("0 of 2"), HasSubstr(run.folder().string())));
    run::RunState state = run.state().value();
    EXPECT_EQ(state.status, Status::finished);
    EXPECT_THAT(state.message, says("finished after {}", _).at_start());
    EXPECT_EQ(state.name, "shell");
}

TEST(Programs, TheirThreadsSpinAsBrieflyAsThoseOfARecipeUnlessTheUserSaysOtherwise) {
    const char* const words[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"};
    for (const char* word : words)
        ::unsetenv(word);
    EXPECT_EQ(FakeRun().start_shell(1, "test \"$GOMP_SPINCOUNT\" = 2000", true), 0);
    for (const char* word : words) {
        ::setenv(word, word == words[0] ? "active" : "77", 1);
        EXPECT_EQ(FakeRun().start_shell(1, "test \"${GOMP_SPINCOUNT-none}${OMP_WAIT_POLICY-none}\" != 2000none", true),
                  0)
            << word;
        EXPECT_EQ(FakeRun().start_shell(1, "test \"$GOMP_SPINCOUNT\" != 2000", true), 0) << word;
        ::unsetenv(word);
    }
}

TEST(Programs, TheSecretOfTheMachinesIsNotTheirs) {
    FakeRun run;
    ::setenv("TRAINYARD_RUN_SECRET", "of this test", 1);
    int code = run.start_shell(1, "sh -c 'test -z \"${TRAINYARD_RUN_SECRET+set}\"'", true);
    ::unsetenv("TRAINYARD_RUN_SECRET");
    EXPECT_EQ(code, 0) << "it is in the environment of what a rank starts";
}

TEST(Programs, TheirOwnExitCodeComesThrough) {
    FakeRun run;
    EXPECT_EQ(run.start_shell(2, "test $RANK = 0 || exit 37; sleep 60", true), 37);
    run::RunState state = run.state().value();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_EQ(state.first_failure.value().rank, 1);
    EXPECT_THAT(state.message, says("rank {} on {} exited with code {}", _, _, 37).at_end());
    EXPECT_EQ(state.ranks[0].state, "killed");
    EXPECT_EQ(run.start_shell(1, "kill -SEGV $$", true), 128 + SIGSEGV);
    EXPECT_EQ(run.start_shell(1, "exit 75", true), 75);
    EXPECT_EQ(run.state()->status, Status::stopped) << "it can be resumed";
}

TEST(Programs, ASignalIsHandedOnAndWaitedForNotForEver) {
    FakeRun run;
    run.adjust = [](run::LaunchSpec& launch) { launch.stop_timeout_s = 0.4; };
    // The first saves and ends, the second does not listen.
    run.start_shell(2,
                    "if test $RANK = 0; then trap 'echo saved; exit 0' TERM; else trap '' TERM; fi; "
                    "echo up; while :; do sleep 0.05; done");
    auto up = [&](int rank) { return read_file(run.paths->rank_log(rank)) == "up\n"; };
    run::RunState running =
        run.wait_for([&](const run::RunState& s) { return s.status == Status::running && up(0) && up(1); });
    ::kill(running.supervisor.pid, SIGTERM);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::stopped) << state.message;
    EXPECT_EQ(state.ranks[0].exit_code, 0);
    EXPECT_EQ(state.ranks[1].signal, SIGKILL);
    // In between the shell may have said that its sleep was ended, too.
    EXPECT_THAT(read_file(run.paths->rank_log(0)), AllOf(StartsWith("up\n"), HasSubstr("saved\n")));
    EXPECT_THAT(run.events("warning").at(0).text,
                says("the ranks did not end within {} after they were asked to and are killed", _));
}

TEST(Programs, ASecondSignalRepeatsTheFirst) {
    FakeRun run;
    run.start_shell(1, "trap 'echo told; sleep 2; echo saved; exit 0' TERM; echo up; while :; do sleep 0.05; done");
    run::RunState running = run.wait_for([&](const run::RunState& s) {
        return s.status == Status::running && read_file(run.paths->rank_log(0)) == "up\n";
    });
    ::kill(running.supervisor.pid, SIGTERM);
    run.wait_for(
        [&](const run::RunState&) { return read_file(run.paths->rank_log(0)).find("told") != std::string::npos; });
    ::kill(running.supervisor.pid, SIGTERM);
    EXPECT_EQ(run.wait_until_over().status, Status::stopped);
    EXPECT_THAT(read_file(run.paths->rank_log(0)), HasSubstr("saved\n"));
}

TEST(Programs, ANoticeIsHandedOnAndNothingElse) {
    FakeRun run;
    run.start_shell(1, "trap 'echo noticed; exit 0' USR1; echo up; while :; do sleep 0.05; done");
    run::RunState running = run.wait_for([&](const run::RunState& s) {
        return s.status == Status::running && read_file(run.paths->rank_log(0)) == "up\n";
    });
    ::kill(running.supervisor.pid, SIGUSR1);
    EXPECT_EQ(run.wait_until_over().status, Status::finished);
    EXPECT_THAT(read_file(run.paths->rank_log(0)), AllOf(StartsWith("up\n"), HasSubstr("noticed\n")));
}

TEST(Programs, EveryStartKnowsHowManyWereBefore) {
    FakeRun run;
    run.options.backoff_s = 0.02;
    run.adjust = [](run::LaunchSpec& launch) { launch.max_restarts = 3; };
    EXPECT_EQ(run.start_shell(2,
                              "echo $TORCHELASTIC_RESTART_COUNT of $TORCHELASTIC_MAX_RESTARTS; "
                              "test $TORCHELASTIC_RESTART_COUNT = 2 || exit $RANK",
                              true),
              0);
    EXPECT_EQ(read_file(run.paths->rank_log(0)), "0 of 3\n1 of 3\n2 of 3\n");
    EXPECT_EQ(run.state()->restarts, 2);
}

TEST(Programs, WhatCannotStartIsOneSentenceAndNoFolder) {
    FakeRun run;
    run::RunSpec spec;
    spec.program.emplace();
    spec.program->command = {"no-such-program-here"};
    spec.program->directory = "/no/such/folder";
    spec.launch.max_restarts = -1;
    try {
        check_spec(spec);
        FAIL() << "it was found";
    } catch (const InvalidInput& error) {
        ASSERT_EQ(error.problems().size(), 3u) << error.what();
        EXPECT_THAT(error.what(), AllOf(says("the program '{}' was not found: check its name, or give its path",
                                             "no-such-program-here"),
                                        HasSubstr("/no/such/folder"), HasSubstr("--max_restarts")));
    }
    EXPECT_FALSE(fs::exists(run.runs()));
}

TEST(Programs, GrandchildrenInSessionsOfTheirOwnGoToo) {
    FakeRun run;
    run.start_shell(
        1, "setsid sh -c 'echo $$ > daemon; while :; do sleep 1; done' & while ! test -s daemon; do sleep 0.02; done");
    EXPECT_EQ(run.wait_until_over().status, Status::finished);
    pid_t daemon = std::stoi(read_file(run.folder() / "daemon"));
    double deadline = monotonic_seconds() + 10;
    while (process_start_time(daemon) != 0 && monotonic_seconds() < deadline)
        ::usleep(10'000);
    EXPECT_EQ(process_start_time(daemon), 0u);
}

TEST(Programs, OneThatDoesNothingForLongIsMentionedNotEnded) {
    FakeRun run;
    run.options.idle_s = 0.1;
    run.start_shell(1, "echo up; kill -STOP $$; echo woken");
    run.wait_for([&](const run::RunState&) { return !run.events("warning").empty(); });
    ASSERT_FALSE(run.events("warning").empty());
    EXPECT_THAT(
        run.events("warning")[0].text,
        AllOf(HasSubstr("rank 0 on "), says("rank {} on {} may hang: it has written nothing for {} and {}", _, _, _, _),
              says("is stopped (SIGSTOP)")));
    ::kill(run.state()->ranks.at(0).process.pid, SIGCONT);
    EXPECT_EQ(run.wait_until_over().status, Status::finished);
}

TEST(Programs, RanksGetCoresOfTheirOwn) {
    if (usable_cores() < 2) {
        FakeRun run;
        run.adjust = [](run::LaunchSpec& launch) { launch.cpu_affinity = true; };
        EXPECT_EQ(run.start_shell(2, "exit 0", true), 0) << "one core is shared, not an error";
        return;
    }
    FakeRun run;
    run.adjust = [](run::LaunchSpec& launch) { launch.cpu_affinity = true; };
    EXPECT_EQ(run.start_shell(2, "grep Cpus_allowed_list /proc/self/status", true), 0);
    std::string first = read_file(run.paths->rank_log(0)), second = read_file(run.paths->rank_log(1));
    EXPECT_NE(first, second);
}

}  // namespace
}  // namespace trainyard::launch
