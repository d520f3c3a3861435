// SPDX-License-Identifier: GPL-3.0-or-later
// Tests with memory limits and a freezer as set by a batch system or container: a kill by the kernel's out-of-memory
// killer is reported with the limit, and a process that cannot be killed with its location. Registered if control
// groups can be created (CMakeLists.txt).

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault/real_run.h"
#include "run/journal.h"
#include "support/control_group.h"
#include "support/says.h"

namespace trainyard {
namespace {

using run::Status;
using test::ControlGroup;
using test::Program;
using test::RealRun;
using test::says;
using testing::_;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> event_texts(const RealRun& run, const std::string& kind) {
    std::vector<std::string> texts;
    for (const run::Event& event : run::JournalReader(run.paths->journal()).poll())
        if (event.kind == kind)
            texts.push_back(event.text);
    return texts;
}

TEST(ControlGroups, ARankKilledForMemoryIsReportedWithThePeakAndTheLimit) {
    ControlGroup group("memory");
    group.limit_memory(400u << 20);
    RealRun run;
    // A step needs much more memory than the limit.
    std::ofstream(run.recipe(), std::ios::trunc)
        << "name: fault\nmodel: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 16, vocab_size: 256}\n"
           "data: {path: text.txt, sequence_length: 16}\n"
           "training: {steps: 5, batch_size: 30000}\n";
    std::string members = group.members().string();
    Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--detach", run.recipe()}, [&members] {
        int file = ::open(members.c_str(), O_WRONLY);
        if (::write(file, "0", 1) != 1)  // 0 means the process that writes it
            ::_exit(99);
    });
    ASSERT_EQ(program.wait().code, 0) << program.said().err;
    run.paths = run::list_runs(run.runs()).front().paths;
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message,
                AllOf(HasSubstr("rank 0 on "), says("by the kernel's out-of-memory killer: it held {}, {}", _, _),
                      says("the memory limit of its control group is {}", StartsWith("419.4 MB"))));
    EXPECT_LT(test::seconds_until_gone(state, 10), 10);
}

TEST(ControlGroups, TheGroupMayBeTheRanksOwn) {
    ControlGroup group("memory");
    group.limit_memory(64u << 20);
    RealRun run;
    std::string script =
        "[ $RANK = 0 ] && exec sleep 60; echo $$ >" + group.members().string() + "; sleep 1.5; exec tail /dev/zero";
    Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--detach", "--num_processes", "2",
                     "--no_python", "sh", "-c", script});
    ASSERT_EQ(program.wait().code, 0) << program.said().err;
    run.paths = run::list_runs(run.runs()).front().paths;
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message,
                AllOf(HasSubstr("rank 1 on "), says("by the kernel's out-of-memory killer: it held {}, {}", _, _),
                      says("the memory limit of its control group is {}", StartsWith("67.1 MB"))));
    EXPECT_LT(test::seconds_until_gone(state, 10), 10);
}

/// 82 million parameters: 16 bytes of each are four times the limit.
TEST(ControlGroups, WhatIsOnADiskTrainsWithinAQuarterOfItsSize) {
    ControlGroup group("memory");
    group.limit_memory(300u << 20);
    RealRun run;
    const std::string disk = (run.root() / "disk").string();
    std::filesystem::create_directories(disk);
    std::ofstream(run.recipe(), std::ios::trunc)
        << "name: fault\nmodel: {n_layer: 26, n_embd: 512, n_head: 8, n_positions: 16, vocab_size: 256}\n"
           "data: {path: text.txt, sequence_length: 16, validation_fraction: 0}\n"
           "training: {steps: 3, batch_size: 1}\n"
           "parallel: {zero_stage: 3, offload_param_device: nvme, offload_param_nvme_path: "
        << disk << ", offload_optimizer_device: nvme, offload_optimizer_nvme_path: " << disk << "}\n";
    std::string members = group.members().string();
    Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--detach", run.recipe()}, [&members] {
        int file = ::open(members.c_str(), O_WRONLY);
        if (::write(file, "0", 1) != 1)  // 0 means the process that writes it
            ::_exit(99);
    });
    ASSERT_EQ(program.wait().code, 0) << program.said().err;
    run.paths = run::list_runs(run.runs()).front().paths;
    const run::RunState state =
        run.wait_for([](const run::RunState& s) { return run::is_over(s.status); }, 270);  // a slow disk
    EXPECT_EQ(state.status, Status::finished) << state.message;
    EXPECT_TRUE(std::filesystem::is_empty(disk));
}

TEST(ControlGroups, AFrozenRankIsNamedAndTheRunEndsAlthoughItCannotBeKilled) {
    RealRun run;
    run.use_spec({{"hang_timeout_s", "3"}}, {"--num_processes", "2"});
    ASSERT_EQ(run.start({}).code, 0);
    run::RunState running = run.wait_for_step(20);
    ASSERT_EQ(running.status, Status::running) << running.message;
    ControlGroup group("freezer");
    group.take_in(running.ranks.at(1).process.pid);
    group.freeze(true);
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message, AllOf(HasSubstr("rank 1 on "), says("it hangs, nothing has moved for {}: {}", _, _),
                                     says("rank {} waits in {}", 0, StartsWith("all_reduce #"))));
    EXPECT_FALSE(is_alive(running.ranks.at(0).process));
    if (group.version_one()) {  // of version 2 frozen processes can be killed
        EXPECT_THAT(state.message,
                    says("rank {} on {} is in {} and {}", _, _, _, says("waits in the kernel ({})", _).at_start()));
        EXPECT_THAT(event_texts(run, "warning"),
                    Contains(AllOf(HasSubstr("rank 1 on "), says("but does not end: its process {} {}", _, _))));
        EXPECT_TRUE(is_alive(running.ranks.at(1).process));
    }
    for (int i = 0; i < 1000 && is_alive(state.supervisor); ++i)
        ::usleep(10'000);
    EXPECT_FALSE(is_alive(state.supervisor)) << "the supervisor must not wait for it forever";
    group.freeze(false);
    EXPECT_LT(test::seconds_until_gone(running, 10), 10) << "the signal reaches it now";
}

}  // namespace
}  // namespace trainyard
