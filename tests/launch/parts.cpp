// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of the parts of the launcher that do not start processes.

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/file.h"
#include "launch/fake_run.h"
#include "launch/supervisor/connection_test.h"
#include "launch/supervisor/first_failure.h"
#include "launch/supervisor/git_state.h"
#include "launch/supervisor/hang.h"
#include "launch/supervisor/local_machine.h"
#include "launch/supervisor/messages.h"
#include "launch/supervisor/oom.h"
#include "launch/supervisor/progress_meter.h"
#include "launch/supervisor/rank_log.h"
#include "launch/supervisor/rank_orders.h"
#include "launch/supervisor/rank_output.h"
#include "launch/supervisor/rank_process.h"
#include "support/field_checks.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

run::Failure failure_of(int rank) {
    run::Failure failure;
    failure.rank = rank;
    failure.message = Message::verbatim(std::to_string(rank));
    return failure;
}

TEST(UseCpu, TheVariableOfAccelerateForcesTheCpuUnlessADeviceIsTyped) {
    const test::FakeRun run;
    const std::filesystem::path file = run.folder() / "spec.yaml";
    const auto device = [&](const char* in_file, const char* inherited, const DeviceChoice& typed = {}) {
        std::ofstream(file) << "recipe: {name: fake, data: {path: " << (run.folder() / "text.txt").string()
                            << "}}\nlaunch: {device: cuda, num_processes: 1" << in_file << "}\n";
        inherited == nullptr ? ::unsetenv(kEnvUseCpu) : ::setenv(kEnvUseCpu, inherited, 1);
        LaunchOptions asked;
        asked.file = file;
        asked.device = typed;
        std::string found;
        try {
            found = check_launch(asked).spec.launch.device;
        } catch (const UserError& error) {
            found = error.what();
        }
        ::unsetenv(kEnvUseCpu);
        return found;
    };
    for (const char* yes : {"1", "true", "yes"})
        EXPECT_EQ(device("", yes), "cpu");
    EXPECT_EQ(device(", environment: {ACCELERATE_USE_CPU: 'true'}", nullptr), "cpu");
    EXPECT_EQ(device(", environment: {ACCELERATE_USE_CPU: 'true'}", "0"), "cpu") << "ranks get that of the launch";
    EXPECT_EQ(device("", nullptr, {.cpu = true}), "cpu");
    EXPECT_NE(device("", "0"), "cpu");
    EXPECT_NE(device("", nullptr), "cpu");
    EXPECT_NE(device(", environment: {ACCELERATE_USE_CPU: 'no'}", "1"), "cpu");
    EXPECT_NE(device("", "1", {.device = "cuda"}), "cpu");
    EXPECT_THAT(device("", "maybe"), HasSubstr("ACCELERATE_USE_CPU: 'maybe' is neither true nor false"));
}

TEST(NumberFormats, AreThoseOfTheDeviceBeforeAnyRankStarts) {
    const test::FakeRun run;
    LaunchOptions asked;
    asked.file = run.folder() / "recipe.yaml";
    asked.overrides = {"quantization.method=nf4", "lora.r=4", "model.weights=" + run.folder().string()};
    const auto refused_keys = [&] {
        std::vector<std::string> keys;
        try {
            check_launch(asked);
        } catch (const InvalidInput& error) {
            for (const Problem& problem : error.problems())
                keys.push_back(problem.key);
        }
        return keys;
    };
    asked.device.device = "cuda";
    EXPECT_THAT(refused_keys(), Contains("quantization.method"));
    asked.device.device = "cpu";
    EXPECT_THAT(refused_keys(), Not(Contains("quantization.method")));
    asked.overrides = {"training.mixed_precision=fp8", "training.tf32=true"};
    EXPECT_THAT(check_launch(asked).notes,
                testing::ElementsAre(
                    says("{}: {} is emulated on {}: {}", "training.mixed_precision", "fp8", "the processor", _),
                    says("{}: has no effect on {}: {}", "training.tf32", "the processor", _)));
    asked.overrides = {};
    EXPECT_TRUE(check_launch(asked).notes.empty());
}

TEST(OldKernel, IsReportedBelowLinux55Alone) {
    for (const char* release :
         {"5.4.0-216-generic", "4.18.0-553.el8_10.x86_64", "3.10.0-1160.el7.x86_64", "5.4", "2.6.32"})
        EXPECT_THAT(
            old_kernel_warning(release, "node1"),
            says_only("the kernel of {} is {}: ranks may hang on kernels before 5.5, upgrade it", "node1", release));
    for (const char* release : {"5.5.0", "5.10.0-32-amd64", "5.15.167.4-microsoft-standard-WSL2", "6.1.0-18-amd64",
                                "10.0.1", "", "unknown", "5"})
        EXPECT_EQ(old_kernel_warning(release, "node1"), "") << release;
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
    EXPECT_EQ(failure_sentence(failure, "by X"),
              "rank 1 on gpu-b was killed by signal 9 (SIGKILL) at step 123 (backward), by X");
    run::RankState killed;
    killed.rank = 1;
    killed.host = "gpu-b";
    EXPECT_THAT(killed_rank_sentence(killed, "by X"), says_only("rank {} on {} was killed, {}", 1, "gpu-b", "by X"));
    // A rank of a mesh is named with its coordinates.
    run::Failure placed = failure;
    placed.place = killed.place = "pp 1, tp 0";
    EXPECT_EQ(failure_sentence(placed, ""),
              "rank 1 (pp 1, tp 0) on gpu-b was killed by signal 9 (SIGKILL) at step 123 (backward)");
    EXPECT_THAT(killed_rank_sentence(killed, "by X"),
                says_only("rank {} on {} was killed, {}", "1 (pp 1, tp 0)", "gpu-b", "by X"));
    failure.signal.reset();
    failure.exit_code = 3;
    EXPECT_THAT(failure_sentence(failure, ""), says_only("rank {} on {} exited with code {} {}", 1, "gpu-b", 3,
                                                         says_only("at step {} ({})", 123, "backward")));
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

TEST(RankMessages, AreThoseOfEarlierVersionsByteForByte) {
    Heartbeat heartbeat{12, "reduce", "all_reduce #31", "all_reduce #31", 0.02, 1};
    EXPECT_EQ(rank_message_line(heartbeat),
              R"({"collective":"all_reduce #31","kind":"heartbeat","own_step_s":0.02,"phase":"reduce",)"
              R"("resident_bytes":1,"step":12,"waits_for":"all_reduce #31"})");
    ProgressReport report;
    report.progress = {.step = 12, .of = 600, .epoch = 0.1, .tokens = 9216, .samples = 144, .tokens_per_s = 23000.0};
    report.step_s = 0.031;
    EXPECT_EQ(rank_message_line(report),
              R"({"epoch":0.1,"kind":"progress","of":600,"samples":144,"step":12,"step_s":0.031,"tokens":9216,)"
              R"("tokens_per_s":23000.0})");
    report.progress.loss = std::nan("");
    report.progress.validation_loss = 4.1;
    EXPECT_EQ(rank_message_line(report),
              R"({"epoch":0.1,"kind":"progress","loss":"nan","of":600,"samples":144,"step":12,"step_s":0.031,)"
              R"("tokens":9216,"tokens_per_s":23000.0,"validation_loss":4.1})");
    EXPECT_EQ(rank_message_line(StoppingReport{"why"}),
              R"({"kind":"stopping","reason":"why","reason_message":{"form":"why"}})");
    EXPECT_EQ(rank_message_line(RequestOutcome{"a", "done", "text"}),
              R"({"id":"a","kind":"outcome","outcome":"done","text":"text","text_message":{"form":"text"}})");
    EXPECT_EQ(rank_message_line(FailureReport{"no", 3, "data", "", true}),
              R"({"collective":"","kind":"failure","message":"no","message_message":{"form":"no"},"phase":"data",)"
              R"("secondary":true,"step":3})");
    run::Event event;
    event.time = 1795250000.5;
    event.kind = "note";
    EXPECT_EQ(rank_message_line(EventReport{event}),
              R"({"event":{"kind":"note","rank":null,"step":null,"text":"","time":"2026-11-21T08:33:20.500Z"},)"
              R"("kind":"event"})");
    run::Request request;
    request.id = "abc";
    request.kind = "note";
    request.values = {{"text", "look"}, {"step", "12"}};
    request.time = 1795250000.5;
    request.from = "desktop";
    EXPECT_EQ(request_line(request), R"({"kind":"request","request":{"from":"desktop","id":"abc","kind":"note",)"
                                     R"("time":"2026-11-21T08:33:20.500Z","values":{"step":"12","text":"look"}}})");
    EXPECT_EQ(run::to_json(*request_in(request_line(request))), run::to_json(request));
    EXPECT_FALSE(request_in(R"({"kind":"dance"})"));
    EXPECT_THROW(request_in(R"({"kind":"request","request":{}})"), UserError);
    EXPECT_THROW(request_in(R"({"kind":"request"})"), UserError);
}

TEST(RankMessages, EveryFieldSurvivesAndIsChecked) {
    test::check_described<Heartbeat, ProgressReport, EventReport, StoppingReport, RequestOutcome, FailureReport,
                          RankStatus, ConnectionTest, ConnectionTarget>();
}

TEST(FlightRecord, IsThatOfEarlierVersionsByteForByte) {
    std::vector<RankStatus> ranks(1);
    ranks[0].rank = 1;
    ranks[0].host = "h";
    ranks[0].step = 5;
    ranks[0].phase = "reduce";
    ranks[0].still_s = 2.5;
    EXPECT_EQ(flight_record(ranks, 1, Message::verbatim("text"), 3, 1795250000.5),
              R"({"behind":1,"generation":3,"ranks":[{"condition":"","host":"h","last_collective":"",)"
              R"("phase":"reduce","rank":1,"silent_s":0.0,"step":5,"unchanged_s":2.5,"waits_for":""}],"text":"text",)"
              R"("time":"2026-11-21T08:33:20.500Z"})"
              "\n");
}

TEST(Reaches, AreThoseOfEarlierVersionsByteForByte) {
    EXPECT_EQ(to_json(ConnectionTarget{"h", "t", {{"10.0.0.1", 5}, {"::1", 6}}}),
              R"({"addresses":[{"address":"10.0.0.1","port":5},{"address":"::1","port":6}],"host":"h","token":"t"})");
    ConnectionTest reach;
    reach.from = "a";
    reach.to = "b";
    reach.ok = true;
    reach.address = "10.0.0.1";
    reach.round_trip_s = 1e-5;
    EXPECT_EQ(to_json(std::vector<ConnectionTest>{reach}),
              R"([{"address":"10.0.0.1","from":"a","interface":"","local_address":"","ok":true,"problem":"",)"
              R"("round_trip_s":1e-05,"to":"b"}])");
    EXPECT_THROW(parse_connection_tests(R"([{"address":"gpu-a"}])"), UserError);
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

TEST(RankOrders, TorchrunsAndAcceleratesVariablesOnTwoMachines) {
    run::RunSpec spec;
    spec.recipe.training.mixed_precision = Precision::bf16;
    spec.launch.num_cpu_threads_per_process = 3;
    spec.launch.main_process_ip = "10.0.0.1";
    spec.launch.max_restarts = 5;
    std::vector<run::MachineSpec> machines{{"a", 1, "10.0.0.1"}, {"b", 2, "10.0.0.2"}};
    std::vector<MachineOrder> orders =
        rank_orders(run::RunPaths("/runs/r"), spec, machines, {.number = 4, .restarts = 3, .port = 29511}, "/w");
    ASSERT_EQ(orders.size(), 2u);
    EXPECT_EQ(orders[1].command, std::vector<std::string>{"/w"});
    EXPECT_EQ(orders[1].generation, 4);
    EXPECT_TRUE(orders[1].share_cores);
    using Variable = std::pair<const std::string, std::string>;
    for (const Variable& expected :
         {Variable("WORLD_SIZE", "3"), Variable("LOCAL_WORLD_SIZE", "2"), Variable("GROUP_RANK", "1"),
          Variable("GROUP_WORLD_SIZE", "2"), Variable("MASTER_ADDR", "10.0.0.1"), Variable("MASTER_PORT", "29511"),
          Variable("OMP_NUM_THREADS", "3"), Variable("ACCELERATE_USE_CPU", "True"),
          Variable("TRAINYARD_RUN_DIR", "/runs/r"), Variable("TRAINYARD_GENERATION", "4"),
          Variable("TRAINYARD_ADDRESS", "10.0.0.2"), Variable("TORCHELASTIC_RESTART_COUNT", "3"),
          Variable("TORCHELASTIC_MAX_RESTARTS", "5")})
        EXPECT_THAT(orders[1].environment, Contains(expected));
    EXPECT_FALSE(orders[1].environment.contains("ACCELERATE_MIXED_PRECISION")) << "the worker reads its recipe's";
    ASSERT_EQ(orders[1].ranks.size(), 2u);
    EXPECT_EQ(orders[1].ranks[1].rank, 2);
    EXPECT_EQ(orders[1].ranks[1].local_rank, 1);
    EXPECT_THAT(orders[1].ranks[1].environment,
                testing::ElementsAre(Variable("LOCAL_RANK", "1"), Variable("RANK", "2")));
}

/// The environment that a rank is started with, which --dry-run also prints.
TEST(RankOrders, ARanksEnvironmentIsItsOrdersAndItsShareOfTheCores) {
    for (const char* name : {"OMP_NUM_THREADS", "OMP_WAIT_POLICY", "GOMP_SPINCOUNT"})
        ::unsetenv(name);
    using Variable = std::pair<const std::string, std::string>;
    MachineOrder order;
    order.environment = {{"WORLD_SIZE", "2"}, {"RANK", "of the machine"}};
    order.ranks = {{.rank = 0, .local_rank = 0, .environment = {{"RANK", "0"}}},
                   {.rank = 1, .local_rank = 1, .environment = {{"RANK", "1"}}}};
    order.share_cores = false;
    EXPECT_THAT(
        rank_environment(order, order.ranks[1]),
        testing::ElementsAre(Variable("GOMP_SPINCOUNT", "2000"), Variable("RANK", "1"), Variable("WORLD_SIZE", "2")));
    order.share_cores = true;
    const std::string share = std::to_string(std::max(1, usable_cores() / 2));
    EXPECT_THAT(rank_environment(order, order.ranks[0]),
                testing::ElementsAre(Variable("GOMP_SPINCOUNT", "2000"), Variable("OMP_NUM_THREADS", share),
                                     Variable("RANK", "0"), Variable("WORLD_SIZE", "2")));
    order.environment["OMP_NUM_THREADS"] = "7";
    EXPECT_EQ(rank_environment(order, order.ranks[0]).at("OMP_NUM_THREADS"), "7") << "the settings' number";
    order.environment.erase("OMP_NUM_THREADS");
    ::setenv("OMP_NUM_THREADS", "6", 1);
    ::setenv("OMP_WAIT_POLICY", "passive", 1);
    EXPECT_EQ(rank_environment(order, order.ranks[0]).size(), 2u) << "the user's own are inherited";
    ::unsetenv("OMP_NUM_THREADS");
    ::unsetenv("OMP_WAIT_POLICY");
}

TEST(RankOrders, AProgramGetsItsOwnVariablesAndTorchrunsWhereItWantsThem) {
    run::RunSpec spec;
    spec.program.emplace();
    spec.program->command = {"python3", "train.py"};
    spec.program->environment = {{"ACCELERATE_MIXED_PRECISION", "fp8"}, {"RANK", "77"}};
    spec.program->directory = "/code";
    std::vector<run::MachineSpec> machines{{"a", 1, ""}};
    MachineOrder order = rank_orders(run::RunPaths("/runs/r"), spec, machines, {.port = 7}, {}).front();
    EXPECT_EQ(order.command.back(), "train.py");
    EXPECT_EQ(order.directory, "/code");
    EXPECT_FALSE(order.share_cores) << "the plan sets the number of threads of a program";
    EXPECT_EQ(order.environment["ACCELERATE_MIXED_PRECISION"], "fp8");
    EXPECT_EQ(order.environment["TORCHELASTIC_USE_AGENT_STORE"], "False");
    EXPECT_FALSE(order.environment.contains("ACCELERATE_USE_CPU"));
    EXPECT_EQ(order.ranks[0].environment["RANK"], "0");
    spec.program->rendezvous = false;
    order = rank_orders(run::RunPaths("/runs/r"), spec, machines, {}, {}).front();
    EXPECT_FALSE(order.environment.contains("MASTER_PORT"));
    EXPECT_TRUE(order.ranks[0].environment.empty());
}

TEST(RankOrders, ThreadsAreTheUsersOrAShareOfTheCores) {
    run::LaunchSpec launch;
    ::unsetenv("OMP_NUM_THREADS");
    EXPECT_EQ(threads_per_rank(launch, 1), usable_cores());
    EXPECT_EQ(threads_per_rank(launch, 10'000), 1);
    ::setenv("OMP_NUM_THREADS", "6", 1);
    EXPECT_EQ(threads_per_rank(launch, 1), 6);
    launch.num_cpu_threads_per_process = 2;
    EXPECT_EQ(threads_per_rank(launch, 1), 2);
    ::unsetenv("OMP_NUM_THREADS");
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
    EXPECT_THAT(watched.struck(1'500'000'000), says("by the kernel's out-of-memory killer: it held {}, {}", "1.5 GB",
                                                    says_only("the memory limit was reached"))
                                                   .at_end());
    EXPECT_EQ(watched.struck(), "") << "must be reported only once";
    write("cg/user.slice/run/memory.max", "1000000000\n");
    write("cg/user.slice/run/memory.events", "low 0\noom 5\noom_kill 4\n");
    EXPECT_THAT(watched.struck(950'000'000),
                says_only("by the kernel's out-of-memory killer: it held {}, {}", "950.0 MB",
                          says_only("the memory limit of its control group is {}", "1.0 GB")));
}

TEST_F(Oom, VersionOneInAContainer) {
    write("proc/self/cgroup", "9:name=systemd:/\n4:memory:/host/path\n0::/\n");
    write("cg/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
    OomWatch watched = watch();
    write("cg/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    write("cg/memory/memory.limit_in_bytes", "512000000\n");
    EXPECT_THAT(watched.struck(), says("the memory limit of its control group is {}", StartsWith("512.0 MB")));
}

TEST_F(Oom, AGroupOfARanksOwnSaysMoreThanTheMachine) {
    write("proc/self/cgroup", "4:memory:/job\n");
    write("proc/vmstat", "oom_kill 5\n");
    write("cg/memory/job/memory.oom_control", "oom_kill 0\n");
    write("cg/memory/job/rank1/memory.oom_control", "oom_kill 7\n");
    write("cg/memory/job/rank1/memory.limit_in_bytes", "64000000\n");
    OomWatch watched = watch();
    write("proc/4711/cgroup", "4:memory:/job\n");
    watched.follow(4711);
    write("proc/4711/cgroup", "4:memory:/job/rank1\n");  // it was moved
    watched.follow(4711);
    watched.follow(4712);  // is gone
    EXPECT_EQ(watched.struck(), "") << "earlier kills must not be counted";
    write("cg/memory/job/rank1/memory.oom_control", "oom_kill 8\n");
    write("proc/vmstat", "oom_kill 6\n");
    EXPECT_THAT(watched.struck(), says("the memory limit of its control group is {}", StartsWith("64.0 MB")));
    EXPECT_EQ(watched.struck(), "");
}

TEST_F(Oom, TheWholeMachine) {
    write("proc/vmstat", "nr_free_pages 12\noom_kill 5\n");
    OomWatch watched = watch();
    write("proc/vmstat", "nr_free_pages 12\noom_kill 6\n");
    write("proc/meminfo", "MemTotal:       16000000 kB\n");
    EXPECT_THAT(
        watched.struck(7'000'000'000),
        says("by the kernel's out-of-memory killer: the machine ran out of memory; it held {} and the machine has {}",
             "7.0 GB", "16.4 GB")
            .at_end());
}

RankStatus rank_status(int rank, std::int64_t step, const std::string& phase, const std::string& waits_for) {
    RankStatus made;
    made.rank = rank;
    made.host = "gpu-b";
    made.step = step;
    made.phase = phase;
    made.collective = waits_for.empty() ? "all_reduce #30 grads" : waits_for;
    made.waits_for = waits_for;
    return made;
}

TEST(Hang, TheRankThatOthersWaitFor) {
    const std::string reduce = "all_reduce #31 grads";
    std::vector<RankStatus> ranks{rank_status(0, 12, "reduce", reduce), rank_status(1, 12, "data", ""),
                                  rank_status(2, 12, "reduce", reduce)};
    EXPECT_EQ(rank_behind(ranks, 2), 1);
    EXPECT_EQ(hang_sentence(ranks, 1),
              "ranks 0 and 2 wait in all_reduce #31 grads; rank 1 on gpu-b is in data at step 12, "
              "after all_reduce #30 grads");
    ranks[2].silent_s = 3;
    ranks[2].condition = "is stopped (SIGSTOP)";
    EXPECT_EQ(rank_behind(ranks, 2), 2) << "a stopped process explains more";
    EXPECT_THAT(hang_sentence(ranks, 2),
                says("rank {} on {} is in {} and {}", _, _, _, says_only("is stopped (SIGSTOP)")).at_end());
    nlohmann::json record = nlohmann::json::parse(flight_record(ranks, 2, "so it is", 4, 0));
    EXPECT_EQ(record["behind"], 2);
    EXPECT_EQ(record["generation"], 4);
    EXPECT_EQ(record["ranks"][0]["waits_for"], reduce);
    EXPECT_THAT(record["ranks"][2]["condition"].get<std::string>(), says_only("is stopped (SIGSTOP)"));
}

TEST(Hang, WhereAllWaitTheOneFurthestBack) {
    std::vector<RankStatus> ranks{rank_status(0, 12, "reduce", "all_reduce #31 a"),
                                  rank_status(1, 12, "reduce", "all_reduce #29 b")};
    EXPECT_EQ(rank_behind(ranks, 2), 1);
    ranks[1].waits_for = ranks[1].collective = "all_reduce #31 a";
    EXPECT_FALSE(rank_behind(ranks, 2)) << "no rank is behind";
    EXPECT_FALSE(rank_behind({}, 2));
    EXPECT_EQ(collective_number("all_gather #1204 x"), 1204);
    EXPECT_EQ(collective_number(""), -1);
}

TEST(Hang, ASlowRankIsToldAfterTwoSteps) {
    SlowRanks slow;
    for (std::int64_t step = 1; step <= 3; ++step) {
        EXPECT_FALSE(slow.step(0, step, 0.02, 3));
        EXPECT_FALSE(slow.step(2, step, 0.03, 3));
        auto told = slow.step(1, step, 5.0, 3);
        EXPECT_EQ(told.value_or(""),
                  step == 2 ? "rank 1 holds up the others: it takes 5.00 s for a step, the others 30 ms" : "");
        EXPECT_FALSE(slow.step(1, step, 5.0, 3)) << "the same step once more";
    }
    EXPECT_FALSE(SlowRanks().step(0, 1, 5.0, 1)) << "a single rank does not delay others";
}

const run::ProgramSpec kProgramWithDebug{
    .command = {"program"}, .environment = {{"NCCL_DEBUG", "WARN"}}, .directory = {}};

template <class Output>
void let_ranks_write(Output& output) {
    output.write(4, 0, "one\nhalf", false);
    output.write(5, 1, "two\n", false);
    output.write(5, 1, "trouble\n", true);
    output.write(4, 0, " line\nrest", false);
}

std::string output_of(const run::OutputSpec& spec, RankOutput::Options options = {}) {
    std::string shown;
    options.sink = [&](std::string_view bytes, bool standard_error) { shown += standard_error ? "" : bytes; };
    RankOutput output(spec, std::move(options));
    let_ranks_write(output);
    output.finish();
    return shown;
}

run::OutputSpec output_spec(std::string redirects, std::string tee, std::string filter, std::string log_dir = {}) {
    return {.redirects = std::move(redirects),
            .tee = std::move(tee),
            .local_ranks_filter = std::move(filter),
            .log_dir = std::move(log_dir)};
}

TEST(RankOutput, TeeRedirectsAndFilters) {
    EXPECT_EQ(output_of({}), "one\nhalftwo\n line\nrest");
    EXPECT_EQ(output_of(output_spec("0", "3", ""), {.role = "r"}), "[r4]:one\n[r5]:two\n[r4]:half line\n[r4]:rest\n");
    EXPECT_EQ(output_of(output_spec("0:1", "0", "")), "two\n");
    EXPECT_EQ(output_of(output_spec("0", "0:1", "1")), "two\n");
    EXPECT_EQ(output_of(output_spec("0", "1:1", ""), {.teed_only = true}), "[default5]:two\n");
    for (const char* wrong : {"4", "", "x", "0:9"})
        EXPECT_THROW(StreamRules(output_spec("0", wrong, "")), UserError) << wrong;
    EXPECT_THROW(StreamRules(output_spec("0", "0", "0,x")), UserError);
    EXPECT_TRUE(StreamRules(output_spec("0", "1:2", "")).tees_anything());
    EXPECT_FALSE(StreamRules(output_spec("3", "1:0", "")).tees_anything());
}

TEST(RankFiles, StreamsOfTheRanksOfThisMachine) {
    test::TemporaryFolder folder;
    const fs::path place = folder.path() / "logs" / "here";
    RankFiles files(output_spec("0:1", "1:2", "", place.string()));
    let_ranks_write(files);
    EXPECT_EQ(read_file(place / "0" / "stdout.log"), "one\nhalf line\nrest");
    EXPECT_EQ(read_file(place / "1" / "stderr.log"), "trouble\n");
    EXPECT_FALSE(fs::exists(place / "1" / "stdout.log"));
    RankFiles head(output_spec("3", "0", "", (folder.path() / "head").string()), 5);
    let_ranks_write(head);
    EXPECT_TRUE(fs::exists(folder.path() / "head" / "0" / "stdout.log"));
    EXPECT_FALSE(fs::exists(folder.path() / "head" / "1")) << "rank 5 is of another machine";
    std::ofstream(folder.path() / "file") << "";
    EXPECT_THROW(RankFiles(output_spec("3", "0", "", (folder.path() / "file" / "in").string())), UserError);
}

TEST(RunSpecOutput, ComesBackFromItsFile) {
    run::RunSpec spec;
    spec.recipe.name = "x";
    spec.launch.output = output_spec("0:1", "3", "0,2", "/logs of mine");
    spec.launch.environment = {{"NCCL_DEBUG", "INFO"}, {"NCCL_P2P_DISABLE", "1"}};
    const run::LaunchSpec back = run::parse_spec(run::to_yaml(spec), "run.yaml").launch;
    EXPECT_EQ(back.output, spec.launch.output);
    EXPECT_EQ(back.environment, spec.launch.environment);
    for (const run::ProgramSpec* program : {static_cast<const run::ProgramSpec*>(nullptr), &kProgramWithDebug}) {
        if (program != nullptr)
            spec.program = *program;
        spec.launch.machines = {{"a", 1, "10.0.0.1"}, {"b", 2, "10.0.0.2"}};
        for (const MachineOrder& order :
             rank_orders(run::RunPaths("/run"), spec, run::machines_of(spec.launch), {}, "worker")) {
            EXPECT_EQ(order.environment.at("NCCL_P2P_DISABLE"), "1") << "on every machine";
            EXPECT_EQ(order.environment.at("NCCL_DEBUG"), program == nullptr ? "INFO" : "WARN")
                << "a variable of the program must take precedence";
        }
    }
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
    // git itself refuses this folder; the launch continues without the state of the working tree.
    EXPECT_EQ(GitStatus(folder.path()).result(10).at("dirty"), "unknown");
}

}  // namespace
}  // namespace trainyard::launch
