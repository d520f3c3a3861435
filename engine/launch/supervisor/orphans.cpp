// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/orphans.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include <dirent.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/environment_names.h"
#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "base/number.h"
#include "launch/supervisor/process_tree.h"

namespace trainyard::launch {

namespace {

struct Mark {
    std::string folder, supervisor;
};

/// Reads the mark from /proc/<pid>/environ; empty if that file cannot be read.
std::optional<Mark> mark_of_process(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
    Mark mark;
    const std::string folder = std::string(kEnvRunDirectory) + "=", supervisor = std::string(kEnvSupervisor) + "=";
    for (std::string entry; std::getline(file, entry, '\0');) {
        if (entry.starts_with(folder))
            mark.folder = entry.substr(folder.size());
        if (entry.starts_with(supervisor))
            mark.supervisor = entry.substr(supervisor.size());
    }
    return mark.folder.empty() || mark.supervisor.empty() ? std::nullopt : std::optional(std::move(mark));
}

std::string process_namespace(const std::string& pid) {
    std::error_code error;
    return fs::read_symlink("/proc/" + pid + "/ns/pid", error).string();
}

bool is_orphan_of(const std::set<std::string>& run_folders, pid_t pid) {
    std::optional<Mark> mark = mark_of_process(pid);
    if (!mark || !run_folders.contains(mark->folder))
        return false;
    ProcessId supervisor = parse_supervisor_mark(mark->supervisor);
    if (supervisor.pid <= 0 || is_alive(supervisor))
        return false;
    // Numbers of another namespace say nothing of processes here.
    std::string own = process_namespace("self");
    return !own.empty() && process_namespace(std::to_string(pid)) == own &&
           process_start_time(pid) >= supervisor.start_time;
}

}  // namespace

std::string supervisor_mark() {
    ProcessId self = this_process();
    return fmt::format("{}:{}", self.pid, self.start_time);
}

ProcessId parse_supervisor_mark(const std::string& text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto pid = parse_number<pid_t>(std::string_view(text).substr(0, colon));
    const auto start_time =
        parse_number<decltype(ProcessId::start_time)>(std::string_view(text).substr(std::min(colon + 1, text.size())));
    return pid && start_time ? ProcessId{*pid, *start_time} : ProcessId{};
}

int end_processes_of_dead_runs(const std::set<std::string>& run_folders) {
    if (run_folders.empty())
        return 0;
    std::set<pid_t> spared;
    for (pid_t pid = ::getpid(); pid > 0 && spared.insert(pid).second;)
        pid = parent_of(pid);
    int killed = 0;
    for (pid_t pid : all_processes()) {
        if (spared.contains(pid) || !is_orphan_of(run_folders, pid))
            continue;
        // Held by the kernel from now on: the number cannot become another process's between the second look and the signal.
        FileDescriptor held(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
        if (held && is_orphan_of(run_folders, pid) &&
            ::syscall(SYS_pidfd_send_signal, held.get(), SIGKILL, nullptr, 0) == 0)
            ++killed;
    }
    return killed;
}

}  // namespace trainyard::launch
