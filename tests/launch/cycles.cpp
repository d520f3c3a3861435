// Runs that start and stop, many times ($TRAINYARD_CYCLES, 30): nothing is left behind of any of them.

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

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

/// Ports of this machine that somebody listens at, by the number of the socket.
std::map<std::string, int> listeners() {
    std::map<std::string, int> ports;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream lines(table);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream fields(line);
            std::string number, place, peer, state, skipped, socket;
            fields >> number >> place >> peer >> state;
            for (int i = 0; i < 5; ++i)
                fields >> skipped;
            fields >> socket;
            if (state == "0A")
                ports["socket:[" + socket + "]"] = std::stoi(place.substr(place.rfind(':') + 1), nullptr, 16);
        }
    }
    return ports;
}

/// Those that a process holds.
std::set<std::string> listeners_of(pid_t pid) {
    std::map<std::string, int> all = listeners();
    std::set<std::string> held;
    std::error_code error;
    fs::directory_iterator entry("/proc/" + std::to_string(pid) + "/fd", error), end;
    for (; !error && entry != end; entry.increment(error)) {
        std::error_code gone;
        std::string socket = fs::read_symlink(entry->path(), gone).string();
        if (!gone && all.contains(socket))
            held.insert(socket);
    }
    return held;
}

/// Starts and ends a run of two ranks so many times: a third ends by itself, a third is asked to, of a third a rank is killed. The last two
/// hold a port.
void expect_no_leak(int cycles) {
    FakeRun run;
    test::TemporaryFolder temporary;  // where all of them put what is of the moment
    ::setenv("TMPDIR", temporary.path().c_str(), 1);
    run.options.grace_s = run.options.term_s = 0.05;
    run.options.window_s = 0.1;
    std::set<std::string> sockets;
    std::set<std::string> memory = entries("/dev/shm");
    run.start_shell(2, "exit 0", true);  // what is made once is made now
    std::size_t descriptors = open_descriptors(), children = own_children();
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
            sockets.merge(listeners_of(pid));
        ::kill(asked ? state.supervisor.pid : state.ranks.at(1).process.pid, asked ? SIGTERM : SIGKILL);
        double deadline = monotonic_seconds() + 20;
        while (is_alive(state.supervisor) && monotonic_seconds() < deadline)
            ::usleep(2'000);
        state = run.state().value();
        ASSERT_EQ(state.status, asked ? Status::stopped : Status::failed) << state.message;
        ASSERT_FALSE(test::any_alive(state));
        fs::remove_all(run.paths->root());
    }
    EXPECT_EQ(open_descriptors(), descriptors);
    EXPECT_EQ(own_children(), children);
    EXPECT_EQ(entries("/dev/shm"), memory);
    EXPECT_EQ(entries(temporary.path()), std::set<std::string>{});
    EXPECT_FALSE(sockets.empty()) << "the ranks met somewhere";
    for (const auto& [socket, port] : listeners())
        EXPECT_FALSE(sockets.contains(socket)) << "port " << port << " is still listened at";
    EXPECT_EQ(entries(run.runs()).size(), 1u) << "the first run's folder, and no other file";
}

TEST(Cycles, LeaveNothingBehind) {
    const char* count = std::getenv("TRAINYARD_CYCLES");
    expect_no_leak(count == nullptr ? 30 : std::atoi(count));
}

}  // namespace
}  // namespace trainyard::launch
