// Runs that start and stop, many times ($TRAINYARD_CYCLES, 50): nothing is left behind of any of them.

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "launch/fake_run.h"

namespace trainyard::launch {
namespace {

using run::Status;
using test::FakeRun;

std::set<std::string> entries(const fs::path& folder) {
    std::set<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        names.insert(entry->path().filename().string());
    return names;
}

std::size_t open_descriptors() {
    return entries("/proc/self/fd").size();
}

std::size_t own_children() {
    std::ifstream file("/proc/thread-self/children");
    std::size_t count = 0;
    for (std::string pid; file >> pid;)
        ++count;
    return count;
}

/// Starts and ends a run of two ranks so many times: half of them end by themselves, half are asked to.
void expect_no_leak(int cycles) {
    FakeRun run;
    std::set<std::string> memory = entries("/dev/shm");
    run.start_shell(2, "exit 0", true);  // what is made once is made now
    std::size_t descriptors = open_descriptors(), children = own_children();
    for (int cycle = 0; cycle < cycles; ++cycle) {
        if (cycle % 2 == 0) {
            ASSERT_EQ(run.start_shell(2, "exit 0", true), 0);
            fs::remove_all(run.paths->root());
            continue;
        }
        run.start_shell(2, "sleep 60 & wait");
        run::RunState state = run.state().value();
        ::kill(state.supervisor.pid, SIGTERM);
        double deadline = monotonic_seconds() + 20;
        while (is_alive(state.supervisor) && monotonic_seconds() < deadline)
            ::usleep(2'000);
        state = run.state().value();
        ASSERT_EQ(state.status, Status::stopped) << state.message;
        ASSERT_FALSE(test::any_alive(state));
        fs::remove_all(run.paths->root());
    }
    EXPECT_EQ(open_descriptors(), descriptors);
    EXPECT_EQ(own_children(), children);
    EXPECT_EQ(entries("/dev/shm"), memory);
    EXPECT_EQ(entries(run.runs()).size(), 1u) << "the first run's folder, and no other file";
}

TEST(Cycles, LeaveNothingBehind) {
    const char* count = std::getenv("TRAINYARD_CYCLES");
    expect_no_leak(count == nullptr ? 50 : std::atoi(count));
}

}  // namespace
}  // namespace trainyard::launch
