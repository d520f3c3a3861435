// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of runs whose weights are on a disk, or in memory that the ranks share, when ranks are killed or the disk is
// full: nothing is left, a resumed run equals one that was not disturbed, and the cause is named.

#include <filesystem>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "fault/real_run.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using run::Status;
using test::RealRun;
using testing::AllOf;
using testing::HasSubstr;

constexpr int kLastStep = 300, kEvery = 50;

void write_recipe(const RealRun& run, const std::string& parallel, const std::string& more = {}) {
    std::ofstream(run.recipe(), std::ios::trunc) << "name: fault\n"
                                                    "model: {n_layer: 2, n_embd: 96, n_head: 2, n_positions: 32}\n"
                                                    "data: {path: text.txt, sequence_length: 32}\n"
                                                    "training: {steps: "
                                                 << kLastStep << ", batch_size: 2}\ncheckpoint: {every: " << kEvery
                                                 << more << "}\nparallel: {zero_stage: 3" << parallel << "}\n";
}

std::string on_disk(const fs::path& folder) {
    const std::string path = folder.string();
    return ", offload_param_device: nvme, offload_param_nvme_path: " + path +
           ", offload_optimizer_device: nvme, offload_optimizer_nvme_path: " + path;
}

std::map<std::string, std::string> weights_of(const RealRun& run) {
    std::map<std::string, std::string> files;
    for (const auto& entry :
         fs::directory_iterator(run.paths->checkpoints() / ("checkpoint_" + std::to_string(kLastStep))))
        if (entry.path().extension() == ".safetensors")
            files[entry.path().filename().string()] = read_file(entry.path(), 64U << 20);
    return files;
}

void kill_all(const run::RunState& state) {
    for (const run::RankState& rank : state.ranks)
        ::kill(rank.process.pid, SIGKILL);
    ::kill(state.supervisor.pid, SIGKILL);
    EXPECT_LT(test::seconds_until_gone(state, 20), 20);
}

TEST(Offload, AKilledRunLeavesNothingAndContinuesAsIfNothingHadHappened) {
    RealRun undisturbed;
    write_recipe(undisturbed, "");
    ASSERT_EQ(undisturbed.start({"--num_processes", "2"}).code, 0);
    ASSERT_EQ(undisturbed.wait_until_over().status, Status::finished);
    const auto expected = weights_of(undisturbed);
    EXPECT_EQ(expected.size(), 4U) << "of each rank weights and state";
    for (const bool disk : {true, false}) {
        RealRun run;
        const fs::path folder = run.root() / "disk";
        fs::create_directories(folder);
        write_recipe(run, disk ? on_disk(folder) : "");
        ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
        const run::RunState running = run.wait_for_step(kEvery + 2);
        ASSERT_EQ(running.status, Status::running) << running.message;
        kill_all(running);
        EXPECT_TRUE(fs::is_empty(folder));
        for (const auto& entry : fs::directory_iterator("/dev/shm"))
            EXPECT_THAT(entry.path().filename().string(), testing::Not(HasSubstr("trainyard")));
        const fs::path killed = run.paths->root();
        write_recipe(run, disk ? on_disk(folder) : "", ", resume_from: " + killed.string());
        ASSERT_EQ(run.start({"--num_processes", "2", "--run_dir", (run.root() / "again").string()}).code, 0);
        run.paths = run::RunPaths(run.root() / "again");
        const run::RunState again = run.wait_until_over();
        ASSERT_EQ(again.status, Status::finished) << again.message;
        EXPECT_TRUE(weights_of(run) == expected) << (disk ? "on a disk" : "in shared memory");
        EXPECT_TRUE(fs::is_empty(folder));
    }
}

TEST(Offload, AKilledRankEndsTheOthersAndIsNamed) {
    RealRun run;
    write_recipe(run, "");
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    const run::RunState running = run.wait_for_step(3);
    ASSERT_EQ(running.status, Status::running) << running.message;
    ::kill(running.ranks.at(1).process.pid, SIGKILL);
    EXPECT_LT(test::seconds_until_gone(running, 20), 2.0);
    const run::RunState state = run.wait_until_over();
    ASSERT_TRUE(state.first_failure);
    EXPECT_EQ(state.first_failure->rank, 1);
}

TEST(Offload, ADiskThatIsFullWhenRanksStartIsNamed) {
    RealRun run;
    const fs::path folder = run.root() / "disk";
    fs::create_directories(folder);
    write_recipe(run, on_disk(folder));
    ::setenv("TRAINYARD_FAILPOINT", "scratch.file:enospc", 1);
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    ::unsetenv("TRAINYARD_FAILPOINT");
    const run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message.text(),
                AllOf(HasSubstr("the disk of " + folder.string() + " has no room for the weights"),
                      HasSubstr("name another folder")));
    EXPECT_TRUE(fs::is_empty(folder));
}

}  // namespace
}  // namespace trainyard
