// The pieces of the launcher that need no process.

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "launch/first_failure.h"
#include "launch/git_state.h"
#include "launch/messages.h"
#include "launch/oom.h"
#include "launch/progress_meter.h"
#include "launch/rank_log.h"
#include "launch/rank_process.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

run::Failure failure_of(int rank) {
    run::Failure failure;
    failure.rank = rank;
    failure.message = std::to_string(rank);
    return failure;
}

TEST(FirstFailure, ACauseIsNamedAtOnce) {
    FirstFailure first(1.0);
    EXPECT_FALSE(first.verdict(0, true));
    first.suspect(failure_of(2), Weight::cause, 10.0);
    first.suspect(failure_of(1), Weight::cause, 10.1);
    ASSERT_TRUE(first.verdict(10.1, false));
    EXPECT_EQ(first.verdict(10.1, false)->rank, 2);
}

TEST(FirstFailure, AConsequenceWaitsForItsCause) {
    FirstFailure first(1.0);
    first.suspect(failure_of(0), Weight::consequence, 10.0);
    EXPECT_FALSE(first.verdict(10.5, false));
    first.suspect(failure_of(1), Weight::unclear, 10.6);
    EXPECT_FALSE(first.verdict(10.7, false));
    first.suspect(failure_of(2), Weight::cause, 10.9);
    EXPECT_EQ(first.verdict(10.9, false)->rank, 2);
}

TEST(FirstFailure, WhatComesTooLateChangesNothing) {
    FirstFailure first(1.0);
    first.suspect(failure_of(0), Weight::consequence, 10.0);
    first.suspect(failure_of(1), Weight::cause, 11.5);
    EXPECT_EQ(first.verdict(11.5, false)->rank, 0);
}

TEST(FirstFailure, WithoutACauseTheEarliestIsNamed) {
    FirstFailure first(1.0);
    first.suspect(failure_of(3), Weight::consequence, 10.0);
    first.suspect(failure_of(1), Weight::consequence, 10.1);
    EXPECT_EQ(first.verdict(10.2, true)->rank, 3);
}

TEST(FirstFailure, AnExitCompletesWhatTheRankSaid) {
    FirstFailure first(1.0);
    first.suspect(failure_of(1), Weight::consequence, 10.0);
    run::Failure ended = failure_of(1);
    ended.exit_code = 1;
    ended.message = "exited";
    first.suspect(ended, Weight::unclear, 10.1);
    EXPECT_EQ(first.verdict(12, false)->message, "1");
    EXPECT_EQ(first.verdict(12, false)->exit_code, 1);
}

TEST(FirstFailure, TheSentence) {
    run::Failure failure = failure_of(1);
    failure.host = "gpu-b";
    failure.step = 123;
    failure.phase = "backward";
    failure.signal = 9;
    EXPECT_EQ(failure_sentence(failure, ""), "rank 1 on gpu-b was killed by signal 9 (SIGKILL) at step 123 (backward)");
    EXPECT_EQ(failure_sentence(failure, " by X"),
              "rank 1 on gpu-b was killed by signal 9 (SIGKILL) at step 123 (backward) by X");
    failure.signal.reset();
    failure.exit_code = 3;
    EXPECT_EQ(failure_sentence(failure, ""), "rank 1 on gpu-b exited with code 3 at step 123 (backward)");
    failure.phase = "init";
    failure.step = 0;
    EXPECT_EQ(failure_sentence(failure, "no data"), "rank 1 on gpu-b failed before the first step: no data");
}

TEST(ProgressMeter, NothingBeforeTwentySteps) {
    ProgressMeter meter;
    for (int step = 1; step < 20; ++step)
        meter.report(step, 0.5, step);
    EXPECT_FALSE(meter.eta(19, 100));
    meter.report(20, 0.5, 20);
    ASSERT_TRUE(meter.eta(20, 100));
    EXPECT_DOUBLE_EQ(*meter.eta(20, 100), 40.0);
}

TEST(ProgressMeter, AnEvaluationDoesNotMoveIt) {
    ProgressMeter meter;
    double now = 0;
    for (int step = 0; step <= 100; ++step) {
        meter.report(step, std::nullopt, now);
        now += step == 50 ? 500.0 : 0.25;
    }
    EXPECT_DOUBLE_EQ(*meter.eta(100, 200), 25.0);
}

TEST(ProgressMeter, OnlyTheLastTwoHundredStepsCount) {
    ProgressMeter meter;
    for (int step = 1; step <= 1000; ++step)
        meter.report(step, 9.0, 0);
    for (int step = 1001; step <= 1200; ++step)
        meter.report(step, 1.0, 0);
    EXPECT_DOUBLE_EQ(*meter.eta(1200, 1210), 10.0);
}

TEST(ProgressMeter, AResumedRunStartsAnew) {
    ProgressMeter meter;
    meter.report(5000, 1.0, 0);
    EXPECT_FALSE(meter.eta(5000, 6000)) << "one step was seen, not 5000";
}

TEST(Messages, TheLinesOfTheProtocol) {
    auto heartbeat = std::get<Heartbeat>(parse_rank_message(
        R"({"kind":"heartbeat","step":12,"phase":"forward","collective":"all_reduce #31","resident_bytes":1})"));
    EXPECT_EQ(heartbeat.step, 12);
    EXPECT_EQ(heartbeat.collective, "all_reduce #31");
    auto report = std::get<ProgressReport>(
        parse_rank_message(R"({"kind":"progress","step":3,"of":9,"loss":"nan","step_s":0.5,"validation_loss":null})"));
    EXPECT_TRUE(std::isnan(*report.progress.loss));
    EXPECT_FALSE(report.progress.validation_loss);
    EXPECT_DOUBLE_EQ(*report.step_s, 0.5);
    auto failure = std::get<FailureReport>(parse_rank_message(R"({"kind":"failure","message":"m","secondary":true})"));
    EXPECT_TRUE(failure.secondary);
    auto event = std::get<EventReport>(parse_rank_message(R"({"kind":"event","event":{"kind":"nan","text":"t"}})"));
    EXPECT_EQ(event.event.kind, "nan");
    for (const char* line :
         {"", "{", "[]", R"({"kind":"dance"})", R"({"kind":"event"})", R"({"kind":"heartbeat","step":"x"})"})
        EXPECT_THROW(parse_rank_message(line), UserError) << line;
}

TEST(RankLog, LastLinesOfABusyLog) {
    test::TemporaryFolder folder;
    RankLog log(folder.path() / "log");
    for (int i = 0; i < 100; ++i)
        log.write("line " + std::to_string(i) + "\n");
    log.write("half a ");
    log.write("line");
    EXPECT_THAT(log.last_lines(3), testing::ElementsAre("line 98", "line 99", "half a line"));
    EXPECT_EQ(log.last_lines(500).size(), 21u);
    EXPECT_EQ(log.lost_bytes(), 0u);
}

TEST(RankLog, AFullDiskIsCountedNotThrown) {
    RankLog log("/dev/full");
    log.write("nobody will read this\n");
    EXPECT_EQ(log.lost_bytes(), 22u);
    EXPECT_THAT(log.last_lines(1), testing::ElementsAre("nobody will read this"));
}

TEST(RankEnvironment, TorchrunsAndAcceleratesVariables) {
    ::setenv("RANK", "77", 1);
    ::setenv("TRAINYARD_STORE_FD", "5", 1);
    run::RunSpec spec;
    spec.launch.num_processes = 2;
    spec.recipe.training.mixed_precision = "bf16";
    RankStart start{.rank = 1, .generation = 4, .port = 29511, .threads = 3, .worker = "/w"};
    std::vector<std::string> variables = rank_environment(run::RunPaths("/runs/r"), spec, start, 9);
    for (const char* expected :
         {"RANK=1", "LOCAL_RANK=1", "WORLD_SIZE=2", "LOCAL_WORLD_SIZE=2", "GROUP_RANK=0", "MASTER_ADDR=127.0.0.1",
          "MASTER_PORT=29511", "OMP_NUM_THREADS=3", "ACCELERATE_USE_CPU=True", "ACCELERATE_MIXED_PRECISION=bf16",
          "TRAINYARD_RUN_DIR=/runs/r", "TRAINYARD_CONTROL_FD=9", "TRAINYARD_GENERATION=4"})
        EXPECT_THAT(variables, Contains(expected));
    EXPECT_THAT(variables, Not(Contains("RANK=77")));
    EXPECT_THAT(variables, Not(Contains(StartsWith("TRAINYARD_STORE_FD"))));
    start.rank = 0;
    start.store_socket = 8;
    EXPECT_THAT(rank_environment(run::RunPaths("/runs/r"), spec, start, 9), Contains("TRAINYARD_STORE_FD=8"));
}

TEST(RankEnvironment, ThreadsAreTheUsersOrAShareOfTheCores) {
    run::LaunchSpec launch;
    launch.num_processes = 1;
    ::unsetenv("OMP_NUM_THREADS");
    EXPECT_EQ(threads_per_rank(launch), usable_cores());
    launch.num_processes = 10'000;
    EXPECT_EQ(threads_per_rank(launch), 1);
    ::setenv("OMP_NUM_THREADS", "6", 1);
    EXPECT_EQ(threads_per_rank(launch), 6);
    launch.num_cpu_threads_per_process = 2;
    EXPECT_EQ(threads_per_rank(launch), 2);
}

class Oom : public testing::Test {
  protected:
    void write(const std::string& name, const std::string& text) {
        fs::create_directories((folder_.path() / name).parent_path());
        std::ofstream(folder_.path() / name, std::ios::trunc) << text;
    }
    OomWatch watch() { return OomWatch(folder_.path() / "proc", folder_.path() / "cg"); }
    test::TemporaryFolder folder_;
};

TEST_F(Oom, VersionTwo) {
    write("proc/self/cgroup", "0::/user.slice/run\n");
    write("cg/user.slice/run/memory.events", "low 0\noom 3\noom_kill 2\n");
    OomWatch watched = watch();
    EXPECT_EQ(watched.struck(), "");
    write("cg/user.slice/run/memory.events", "low 0\noom 4\noom_kill 3\n");
    EXPECT_THAT(watched.struck(), HasSubstr("memory limit"));
    EXPECT_EQ(watched.struck(), "") << "told once";
}

TEST_F(Oom, VersionOneInAContainer) {
    write("proc/self/cgroup", "9:name=systemd:/\n4:memory:/host/path\n0::/\n");
    write("cg/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
    OomWatch watched = watch();
    write("cg/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    EXPECT_THAT(watched.struck(), HasSubstr("memory limit"));
}

TEST_F(Oom, TheWholeMachine) {
    write("proc/vmstat", "nr_free_pages 12\noom_kill 5\n");
    OomWatch watched = watch();
    write("proc/vmstat", "nr_free_pages 12\noom_kill 6\n");
    EXPECT_THAT(watched.struck(), HasSubstr("the machine ran out of memory"));
}

TEST(GitState, CommitOfBranchPackedAndDetached) {
    test::TemporaryFolder folder;
    const std::string commit(40, 'a'), other(40, 'b');
    EXPECT_EQ(git_commit(folder.path()), "");
    fs::path git = folder.path() / ".git";
    fs::create_directories(git / "refs" / "heads");
    fs::create_directories(folder.path() / "deep" / "er");
    std::ofstream(git / "HEAD") << "ref: refs/heads/main\n";
    EXPECT_EQ(git_commit(folder.path()), "") << "no commit yet";
    std::ofstream(git / "packed-refs") << "# pack-refs\n"
                                       << other << " refs/heads/mainline\n"
                                       << commit << " refs/heads/main\n";
    EXPECT_EQ(git_commit(folder.path() / "deep" / "er"), commit);
    std::ofstream(git / "refs" / "heads" / "main") << other << "\n";
    EXPECT_EQ(git_commit(folder.path()), other);
    std::ofstream(git / "HEAD", std::ios::trunc) << commit << "\n";
    EXPECT_EQ(git_commit(folder.path()), commit);
    // git itself refuses this folder, and the launch goes on without its word.
    EXPECT_EQ(GitStatus(folder.path()).result(10).at("dirty"), "unknown");
}

}  // namespace
}  // namespace trainyard::launch
