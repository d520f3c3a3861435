// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/free_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace trainyard {

namespace fs = std::filesystem;

namespace {

/// Returns the number that a file consists of, or nullopt for "max" and for files that cannot be read.
std::optional<std::uint64_t> number_in(const fs::path& file) {
    std::ifstream in(file);
    std::uint64_t value = 0;
    if (!(in >> value))
        return std::nullopt;
    return value;
}

/// A value of a file of lines "name value".
std::uint64_t line_in(const fs::path& file, const std::string& wanted) {
    std::ifstream in(file);
    std::string name, rest;
    std::uint64_t value = 0;
    while (in >> name >> value) {
        if (name == wanted)
            return value;
        std::getline(in, rest);
    }
    return 0;
}

/// What a group and those above it leave. Pages of files count as used, but the system takes them back.
std::uint64_t left_in_groups(const fs::path& top, fs::path group, const char* limit, const char* used) {
    std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
    for (;;) {
        const fs::path folder = top / group.relative_path();
        if (const auto most = number_in(folder / limit)) {
            const std::uint64_t all = number_in(folder / used).value_or(0);
            const std::uint64_t files =
                line_in(folder / "memory.stat", "inactive_file") + line_in(folder / "memory.stat", "active_file");
            const std::uint64_t kept = all - std::min(all, files);
            left = std::min(left, *most - std::min(*most, kept));
        }
        if (!group.has_relative_path())
            return left;
        group = group.parent_path();
    }
}

}  // namespace

std::uint64_t available_memory(const fs::path& root) {
    std::uint64_t available = line_in(root / "proc/meminfo", "MemAvailable:") * 1024;
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos)
            continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const std::string group = line.substr(second + 1);
        if (controllers == ",,")
            available =
                std::min(available, left_in_groups(root / "sys/fs/cgroup", group, "memory.max", "memory.current"));
        else if (controllers.find(",memory,") != std::string::npos)
            available = std::min(available, left_in_groups(root / "sys/fs/cgroup/memory", group,
                                                           "memory.limit_in_bytes", "memory.usage_in_bytes"));
    }
    return available;
}

}  // namespace trainyard
