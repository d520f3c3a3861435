// SPDX-License-Identifier: GPL-3.0-or-later
// Fault 27: starts and stops the real command line, supervisor and ranks many times ($TRAINYARD_CYCLES, default 6). No
// process or file may be left. In turn, a run ends normally, is stopped after a checkpoint, or ends because a rank is
// killed.

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include <gtest/gtest.h>

#include "base/file.h"
#include "fault/real_run.h"
#include "support/leaked_resources.h"

namespace trainyard {
namespace {

using run::Status;
using test::RealRun;

/// Names that are new in a folder; those of other programs of this machine come and go.
std::set<std::string> lasting_news(const fs::path& folder, const std::set<std::string>& before, double seconds) {
    std::set<std::string> left;
    double deadline = monotonic_seconds() + seconds;
    do {
        std::set<std::string> now = test::entries(folder), news;
        std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::inserter(news, news.end()));
        left = std::move(news);
        if (!left.empty())
            ::usleep(100'000);
    } while (!left.empty() && monotonic_seconds() < deadline);
    return left;
}

std::size_t processes_of(const fs::path& folder) {
    std::size_t count = 0;
    for (const std::string& name : test::entries("/proc")) {
        std::ifstream environment("/proc/" + name + "/environ", std::ios::binary);
        for (std::string entry; std::getline(environment, entry, '\0');)
            count += entry == "TRAINYARD_RUNS=" + folder.string() ? 1 : 0;
    }
    return count;
}

void expect_no_leak_of_real_runs(int cycles) {
    RealRun run;
    test::TemporaryFolder temporary;  // TMPDIR of all processes
    ::setenv("TMPDIR", temporary.path().c_str(), 1);
    std::set<std::string> sockets, memory = test::entries("/dev/shm");
    std::size_t descriptors = test::open_descriptors(), children = test::own_children(),
                processes = processes_of(run.runs());
    for (int cycle = 0; cycle < cycles; ++cycle) {
        const bool ends = cycle % 3 == 0, asked = cycle % 3 == 1;
        test::Said said =
            run.start({"--num_processes", "2", "--set", ends ? "training.steps=5" : "training.steps=100000"});
        ASSERT_EQ(said.code, 0) << "cycle " << cycle << ": " << said.err;
        run::RunState state = run.wait_for_step(2);
        if (!ends) {
            ASSERT_EQ(state.status, Status::running) << "cycle " << cycle << ": " << state.message;
            for (pid_t pid : {state.supervisor.pid, state.ranks.at(0).process.pid})
                sockets.merge(test::listeners_of(pid));
            ::kill(asked ? state.supervisor.pid : state.ranks.at(1).process.pid, asked ? SIGTERM : SIGKILL);
        }
        for (double deadline = monotonic_seconds() + 60; is_alive(state.supervisor) && monotonic_seconds() < deadline;)
            ::usleep(2'000);
        state = run::read_state(*run.paths).value();
        ASSERT_EQ(state.status, ends    ? Status::finished
                                : asked ? Status::stopped
                                        : Status::failed)
            << "cycle " << cycle << ": " << state.message;
        if (!ends && asked) {
            ASSERT_TRUE(run::has_checkpoint(*run.paths)) << "cycle " << cycle;
        }
        ASSERT_LT(test::seconds_until_gone(state, 20), 20) << "cycle " << cycle;
        fs::remove_all(run.paths->root());
    }
    EXPECT_EQ(test::open_descriptors(), descriptors);
    EXPECT_EQ(test::own_children(), children);
    for (double deadline = monotonic_seconds() + 20;
         processes_of(run.runs()) > processes && monotonic_seconds() < deadline;)
        ::usleep(50'000);
    EXPECT_EQ(processes_of(run.runs()), processes);
    EXPECT_EQ(lasting_news("/dev/shm", memory, 30), std::set<std::string>{});
    EXPECT_EQ(test::entries(temporary.path()), std::set<std::string>{});
    ::unsetenv("TMPDIR");
    EXPECT_TRUE(cycles < 2 || !sockets.empty()) << "the ranks met somewhere";
    for (const auto& [socket, port] : test::listeners())
        EXPECT_FALSE(sockets.contains(socket)) << "port " << port << " is still listened at";
    EXPECT_TRUE(test::entries(run.runs()).empty()) << "a file of a run that is not in its folder";
}

TEST(Cycles, OfRealRunsLeaveNothingBehind) {
    const char* count = std::getenv("TRAINYARD_CYCLES");
    expect_no_leak_of_real_runs(count == nullptr ? 6 : std::atoi(count));
}

}  // namespace
}  // namespace trainyard
