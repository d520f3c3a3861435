// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cores.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <unistd.h>

namespace trainyard {

std::string sysfs_line(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

int physical_cores() {
    std::set<std::string> cores;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/sys/devices/system/cpu", error)) {
        std::string name = entry.path().filename();
        if (name.size() <= 3 || !name.starts_with("cpu") ||
            name.find_first_not_of("0123456789", 3) != std::string::npos)
            continue;
        std::string package = sysfs_line(entry.path() / "topology/physical_package_id");
        std::string core = sysfs_line(entry.path() / "topology/core_id");
        if (!package.empty() || !core.empty())
            cores.insert(package + " " + core);
    }
    if (!cores.empty())
        return static_cast<int>(cores.size());
    return std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace trainyard
