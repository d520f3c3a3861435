// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process.h"

#include <cstdio>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "base/host_name.h"

namespace trainyard {

std::uint64_t process_start_time(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(file, line))
        return 0;
    // The name in parentheses may contain spaces and parentheses, so fields are counted from the last parenthesis.
    std::size_t end = line.rfind(')');
    if (end == std::string::npos)
        return 0;
    std::istringstream rest(line.substr(end + 2));
    std::string field;
    std::uint64_t start = 0;
    for (int number = 3; number <= 22 && rest >> field; ++number) {
        if (number == 3 && (field == "Z" || field == "X"))
            return 0;
        if (number == 22)
            start = std::stoull(field);
    }
    return start;
}

ProcessId this_process() {
    return {::getpid(), process_start_time(::getpid())};
}

bool is_alive(const ProcessId& process) {
    return process.pid > 0 && process.start_time != 0 && process_start_time(process.pid) == process.start_time;
}

std::string host_name() {
    const std::string name = full_host_name();
    return name.substr(0, name.find('.'));
}

}  // namespace trainyard
