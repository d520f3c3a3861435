// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/process_tree.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {

constexpr double kSampleSeconds = 2;
constexpr double kOrphanSeconds = 1;
constexpr std::size_t kMostDescendants = 512;

/// The fields of /proc/<pid>/stat that count here.
struct Stat {
    char state = '?';
    pid_t parent = 0;
    pid_t group = 0;
    std::uint64_t ticks = 0;  ///< user and system, its own and its reaped children's
};

std::optional<Stat> read_stat(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(file, line))
        return std::nullopt;
    std::size_t end = line.rfind(')');  // the name before it may hold blanks and parentheses
    if (end == std::string::npos)
        return std::nullopt;
    std::istringstream rest(line.substr(end + 2));
    Stat stat;
    rest >> stat.state >> stat.parent >> stat.group;
    std::string skipped;
    for (int field = 6; field <= 13; ++field)
        rest >> skipped;
    for (int field = 14; field <= 17; ++field) {
        std::uint64_t ticks = 0;
        rest >> ticks;
        stat.ticks += ticks;
    }
    return stat;
}

template <typename Visit>
void for_each_process(Visit visit) {
    DIR* folder = ::opendir("/proc");
    if (folder == nullptr)
        return;
    while (dirent* entry = ::readdir(folder))
        if (pid_t pid = std::atoi(entry->d_name); pid > 0)
            if (auto stat = read_stat(pid))
                visit(pid, *stat);
    ::closedir(folder);
}

std::vector<pid_t> own_children() {
    std::vector<pid_t> children;
    std::ifstream file("/proc/thread-self/children");
    if (file) {
        for (pid_t pid; file >> pid;)
            children.push_back(pid);
        return children;
    }
    for_each_process([&](pid_t pid, const Stat& stat) {
        if (stat.parent == ::getpid())
            children.push_back(pid);
    });
    return children;
}

}  // namespace

Message process_condition(pid_t pid) {
    auto stat = read_stat(pid);
    if (!stat)
        return "is gone";
    switch (stat->state) {
        case 'T':
            return "is stopped (SIGSTOP)";
        case 't':
            return "is held by a debugger";
        case 'Z':
        case 'X':
            return "is gone";
        case 'D': {
            std::ifstream file("/proc/" + std::to_string(pid) + "/wchan");
            std::string where;
            std::getline(file, where);
            return where.empty() || where == "0" ? Message("waits in the kernel")
                                                 : Message("waits in the kernel ({})", where);
        }
        default:
            return {};
    }
}

std::uint64_t group_cpu_ticks(pid_t group) {
    std::uint64_t ticks = 0;
    for_each_process([&](pid_t, const Stat& stat) {
        if (stat.group == group)
            ticks += stat.ticks;
    });
    return ticks;
}

double CpuWatch::idle_seconds(pid_t group, double monotonic) {
    if (looked_ < 0 || monotonic - looked_ >= kSampleSeconds) {
        std::uint64_t ticks = group_cpu_ticks(group);
        if (looked_ < 0 || ticks != ticks_)
            since_ = monotonic;
        ticks_ = ticks;
        looked_ = monotonic;
    }
    return monotonic - since_;
}

pid_t parent_of(pid_t pid) {
    auto stat = read_stat(pid);
    return stat ? stat->parent : 0;
}

std::vector<pid_t> all_processes() {
    std::vector<pid_t> all;
    for_each_process([&](pid_t pid, const Stat&) { all.push_back(pid); });
    return all;
}

std::vector<pid_t> with_descendants(std::vector<pid_t> processes) {
    for (std::size_t i = 0; i < processes.size() && processes.size() < kMostDescendants; ++i) {
        std::error_code error;
        const std::string tasks = "/proc/" + std::to_string(processes[i]) + "/task";
        std::filesystem::directory_iterator task(tasks, error), end;
        for (; !error && task != end; task.increment(error)) {
            std::ifstream children(task->path() / "children");
            for (pid_t child = 0; children >> child;)
                processes.push_back(child);
        }
    }
    return processes;
}

int end_orphans(const std::vector<pid_t>& spare) {
    double deadline = monotonic_seconds() + kOrphanSeconds;
    int killed = 0;
    for (;;) {
        bool any = false;
        for (pid_t child : own_children()) {
            if (std::find(spare.begin(), spare.end(), child) != spare.end())
                continue;
            any = true;
            ::kill(child, SIGKILL);
            killed += retry_interrupted([&] { return ::waitpid(child, nullptr, WNOHANG); }) == child ? 1 : 0;
        }
        if (!any || monotonic_seconds() > deadline)
            return killed;
        ::usleep(1000);
    }
}

}  // namespace trainyard::launch
