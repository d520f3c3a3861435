// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/oom.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace trainyard::launch {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostCounters = 64;
constexpr std::string_view kKilled = "by the kernel's out-of-memory killer";  // how all sentences begin

std::uint64_t oom_kills(const fs::path& file) {
    std::ifstream stream(file);
    std::string name;
    std::uint64_t value = 0;
    while (stream >> name >> value)
        if (name == "oom_kill")
            return value;
    return 0;
}
std::string content_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

OomWatch::OomWatch(const fs::path& proc, const fs::path& cgroups) : proc_(proc), cgroups_(cgroups) {
    counters_.push_back({proc / "vmstat", {}, oom_kills(proc / "vmstat")});
    add_groups(content_of(proc / "self" / "cgroup"));
}

void OomWatch::follow(pid_t pid) {
    std::string groups = content_of(proc_ / std::to_string(pid) / "cgroup");
    if (std::string& before = followed_[pid]; before != groups) {
        add_groups(groups);
        before = groups;
    }
}

void OomWatch::add_groups(const std::string& of_process) {
    std::istringstream groups(of_process);
    for (std::string line; std::getline(groups, line);) {
        std::istringstream fields(line);
        std::string id, controllers, path;
        std::getline(fields, id, ':');
        std::getline(fields, controllers, ':');
        std::getline(fields, path);
        bool second_version = id == "0" && controllers.empty();
        if (!second_version && controllers != "memory")
            continue;
        fs::path root = second_version ? cgroups_ : cgroups_ / "memory";
        const char* name = second_version ? "memory.events" : "memory.oom_control";
        // Inside a container the path may name a folder of the host's view, while our group is mounted at the top.
        fs::path folder = root / fs::path(path).relative_path();
        std::error_code error;
        if (!fs::exists(folder / name, error))
            folder = root;
        bool known = std::any_of(counters_.begin(), counters_.end(),
                                 [&](const Counter& counter) { return counter.file == folder / name; });
        if (!known && counters_.size() < kMostCounters && fs::exists(folder / name, error))
            counters_.insert(counters_.begin(),
                             {folder / name, folder / (second_version ? "memory.max" : "memory.limit_in_bytes"),
                              oom_kills(folder / name)});
    }
}

Message OomWatch::struck(std::uint64_t peak_bytes) {
    Message reason;
    for (Counter& counter : counters_) {
        std::uint64_t now = oom_kills(counter.file);
        bool grew = now > counter.last;
        counter.last = now;
        if (grew && reason.empty())
            reason = sentence(counter, peak_bytes);
    }
    return reason;
}

bool is_out_of_memory(const Message& reason) {
    return reason.form().starts_with(kKilled);
}

Message OomWatch::sentence(const Counter& counter, std::uint64_t peak_bytes) const {
    const std::string held = text::file_size(peak_bytes);
    std::uint64_t bytes = 0;
    if (!counter.limit.empty()) {
        std::ifstream(counter.limit) >> bytes;  // "max": no number, no limit of this group itself
        const Message limit = bytes > 0 ? Message("the memory limit of its control group is {}", text::file_size(bytes))
                                        : Message("the memory limit was reached");
        return peak_bytes > 0 ? Message("by the kernel's out-of-memory killer: it held {}, {}", held, limit)
                              : Message("by the kernel's out-of-memory killer: {}", limit);
    }
    std::ifstream memory(proc_ / "meminfo");
    std::string name;
    memory >> name >> bytes;
    if (name != "MemTotal:" || bytes == 0)
        return peak_bytes > 0
                   ? Message("by the kernel's out-of-memory killer: the machine ran out of memory; it held {}", held)
                   : Message("by the kernel's out-of-memory killer: the machine ran out of memory");
    const std::string has = text::file_size(bytes * 1024);
    return peak_bytes > 0
               ? Message(
                     "by the kernel's out-of-memory killer: the machine ran out of memory; it held {} and the "
                     "machine has {}",
                     held, has)
               : Message("by the kernel's out-of-memory killer: the machine ran out of memory; the machine has {}",
                         has);
}

}  // namespace trainyard::launch
