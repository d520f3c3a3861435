// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of kill -9 of the supervisor of a program: all processes that the ranks have started must end, including those
// in sessions of their own.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "fault/real_run.h"
#include "launch/supervisor/process_tree.h"

namespace trainyard {
namespace {

using run::Status;
using test::Program;
using test::RealRun;
using testing::HasSubstr;

/// Two ranks, each with a child and a daemon.
class Orphans : public testing::Test {
  protected:
    std::vector<std::string> command(std::vector<std::string> flags) const {
        flags.insert(flags.begin(), {TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--num_processes", "2"});
        std::string folder = run_.root().string();
        flags.insert(flags.end(), {"--no_python", "sh", "-c",
                                   "sleep 600 & echo $! >" + folder + "/child.$RANK; setsid sh -c 'echo $$ >" + folder +
                                       "/daemon.$RANK; exec sleep 600' & wait"});
        return flags;
    }
    /// Waits until all child processes of the ranks run, and returns them.
    std::vector<ProcessId> started() {
        std::vector<ProcessId> all;
        for (double deadline = monotonic_seconds() + 60; all.size() < 4 && monotonic_seconds() < deadline;) {
            all.clear();
            ::usleep(20'000);
            for (const char* name : {"child.0", "child.1", "daemon.0", "daemon.1"}) {
                pid_t pid = 0;
                std::ifstream(run_.root() / name) >> pid;
                if (std::uint64_t start = pid > 0 ? process_start_time(pid) : 0; start > 0)
                    all.push_back({pid, start});
            }
        }
        EXPECT_EQ(all.size(), 4u);
        if (auto runs = run::list_runs(run_.runs()); !runs.empty())
            run_.paths = runs.front().paths;
        return all;
    }
    static std::size_t left_of(const std::vector<ProcessId>& processes, double seconds) {
        std::size_t left = processes.size();
        for (double deadline = monotonic_seconds() + seconds; left > 0 && monotonic_seconds() < deadline;) {
            ::usleep(10'000);
            left = static_cast<std::size_t>(std::count_if(processes.begin(), processes.end(), is_alive));
        }
        return left;
    }
    run::RunState running() const {
        return run_.wait_for([](const run::RunState& s) { return s.status == Status::running; });
    }
    void TearDown() override {
        for (const ProcessId& process : mine_)
            if (is_alive(process))
                ::kill(process.pid, SIGKILL);
    }
    RealRun run_;
    std::vector<ProcessId> mine_;
};

TEST_F(Orphans, OfAKilledSupervisorInTheForegroundNoneIsLeft) {
    Program launcher(command({}));
    mine_ = started();
    run::RunState state = running();
    ::kill(state.supervisor.pid, SIGKILL);
    EXPECT_EQ(left_of(mine_, 20), 0u);
    EXPECT_LT(test::seconds_until_gone(state, 20), 20);
    EXPECT_EQ(launcher.wait(20).code, 128 + SIGKILL);
    EXPECT_THAT(launcher.said().err, HasSubstr("killed by signal 9 (SIGKILL)"));
}

TEST_F(Orphans, OfAKilledLauncherNoneIsLeft) {
    Program launcher(command({}));
    mine_ = started();
    run::RunState state = running();
    ::kill(launcher.pid(), SIGKILL);
    EXPECT_EQ(left_of(mine_, 20), 0u);
    EXPECT_LT(test::seconds_until_gone(state, 20), 20);
    run::RunState ended = run_.wait_until_over();
    EXPECT_EQ(ended.status, Status::stopped) << ended.message;
}

TEST_F(Orphans, OfAKilledSupervisorInTheBackgroundNoneIsLeft) {
    ASSERT_EQ(Program(command({"--detach"})).wait().code, 0);
    mine_ = started();
    run::RunState state = running();
    ::kill(state.supervisor.pid, SIGKILL);
    EXPECT_EQ(left_of(mine_, 20), 0u);
}

TEST_F(Orphans, WhereTheGuardIsKilledTooTheNextCommandEndsThem) {
    ASSERT_EQ(Program(command({"--detach"})).wait().code, 0);
    mine_ = started();
    run::RunState state = running();
    ProcessId bystander{::fork(), 0};
    // Has the folder of the run in its environment, but is not a descendant of a dead process.
    if (bystander.pid == 0) {
        ::setenv("TRAINYARD_RUN_DIR", run_.paths->root().c_str(), 1);
        ::execl("/bin/sleep", "sleep", "600", nullptr);
        ::_exit(1);
    }
    bystander.start_time = process_start_time(bystander.pid);
    fs::path checkpoints = run_.paths->checkpoints();
    for (const char* name : {".checkpoint_7.0123456789abcdef.tmp", ".checkpoint_6.0123456789abcdef.gone"})
        fs::create_directories(checkpoints / name);
    pid_t guard = launch::parent_of(state.supervisor.pid);
    ASSERT_GT(guard, 1);
    ::kill(guard, SIGKILL);
    ::kill(state.supervisor.pid, SIGKILL);
    EXPECT_LT(test::seconds_until_gone(state, 20), 20);
    // Until its heartbeat is too old the run counts as alive.
    for (double deadline = monotonic_seconds() + 30; monotonic_seconds() < deadline;) {
        if (run::is_lost(run::read_state(*run_.paths).value(), wall_seconds()))
            break;
        ::usleep(100'000);
    }
    EXPECT_EQ(left_of(mine_, 0.1), 4u) << "there was no supervisor to end them";
    test::Said said = test::trainyard({"runs", "list"});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.err, HasSubstr("ended what ranks of lost runs had left: 4 processes"));
    EXPECT_THAT(said.err, HasSubstr("2 half-written or half-removed checkpoints"));
    EXPECT_EQ(left_of(mine_, 20), 0u);
    EXPECT_TRUE(fs::is_empty(checkpoints));
    EXPECT_TRUE(is_alive(bystander));
    EXPECT_EQ(test::trainyard({"runs", "list"}).err, "") << "once is enough";
    ::kill(bystander.pid, SIGKILL);
    ::waitpid(bystander.pid, nullptr, 0);
}

}  // namespace
}  // namespace trainyard
