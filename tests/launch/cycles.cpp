// SPDX-License-Identifier: GPL-3.0-or-later
// Starts and stops runs many times ($TRAINYARD_CYCLES, default 30): no process, file, socket or descriptor may be left.

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "base/filesystem.h"
#include "launch/fake_run.h"
#include "support/leaked_resources.h"

namespace trainyard::launch {
namespace {

using run::Status;
using test::FakeRun;

/// Starts and ends `cycles` runs of two ranks. In turn, a run ends normally, is asked to stop, or ends because a rank
/// is killed. Runs of the last two kinds hold a port.
void expect_no_leak(int cycles) {
    FakeRun run;
    test::TemporaryFolder temporary;  // TMPDIR of all processes
    ::setenv("TMPDIR", temporary.path().c_str(), 1);
    run.options.grace_s = run.options.term_s = 0.05;
    run.options.window_s = 0.1;
    std::set<std::string> sockets;
    std::set<std::string> memory = test::entries("/dev/shm");
    run.start_shell(2, "exit 0", true);  // creates everything that is created only once per process
    std::size_t descriptors = test::open_descriptors(), children = test::own_children();
    for (int cycle = 0; cycle < cycles; ++cycle) {
        if (cycle % 3 == 0) {
            ASSERT_EQ(run.start_shell(2, "exit 0", true), 0);
            fs::remove_all(run.paths->root());
            continue;
        }
        bool asked = cycle % 3 == 1;
        run.start(2, "", 100'000, 1);
        run::RunState state = run.wait_for_step(1);
        ASSERT_EQ(state.status, Status::running) << state.message;
        for (pid_t pid : {state.supervisor.pid, state.ranks.at(0).process.pid})
            sockets.merge(test::listeners_of(pid));
        ::kill(asked ? state.supervisor.pid : state.ranks.at(1).process.pid, asked ? SIGTERM : SIGKILL);
        double deadline = monotonic_seconds() + 20;
        while (is_alive(state.supervisor) && monotonic_seconds() < deadline)
            ::usleep(2'000);
        state = run.state().value();
        ASSERT_EQ(state.status, asked ? Status::stopped : Status::failed) << state.message;
        ASSERT_FALSE(test::any_alive(state));
        fs::remove_all(run.paths->root());
    }
    EXPECT_EQ(test::open_descriptors(), descriptors);
    EXPECT_EQ(test::own_children(), children);
    EXPECT_EQ(test::entries("/dev/shm"), memory);
    EXPECT_EQ(test::entries(temporary.path()), std::set<std::string>{});
    EXPECT_FALSE(sockets.empty()) << "the ranks met somewhere";
    for (const auto& [socket, port] : test::listeners())
        EXPECT_FALSE(sockets.contains(socket)) << "port " << port << " is still listened at";
    EXPECT_EQ(test::entries(run.runs()).size(), 1u) << "the first run's folder, and no other file";
}

TEST(Cycles, LeaveNothingBehind) {
    const char* count = std::getenv("TRAINYARD_CYCLES");
    expect_no_leak(count == nullptr ? 30 : std::atoi(count));
}

}  // namespace
}  // namespace trainyard::launch
