// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process_memory.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"

namespace trainyard {

namespace {

constexpr double kLeastInterval = 1;   ///< seconds between two readings
constexpr double kMostOfTime = 0.002;  ///< a thread that reads delays those that compute

/// Fields of smaps_rollup in bytes; empty where the system does not tell them.
std::map<std::string, double> mapped_bytes(const std::string& process) {
    std::map<std::string, double> fields;
    std::ifstream file(process + "/smaps_rollup");
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');  // the range of addresses
    for (std::string name, unit; file >> name;) {
        double kilobytes = 0;
        file >> kilobytes >> unit;
        fields[name] = kilobytes * 1024;
    }
    return fields;
}

/// Resident pages of files; 0 where the system does not tell it.
double file_bytes(const std::string& process) {
    std::ifstream status(process + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssFile:"))
            return std::strtod(line.c_str() + sizeof("RssFile:") - 1, nullptr) * 1024;
    return 0;
}

}  // namespace

ProcessMemory::Bytes ProcessMemory::measure() {
    const std::string process = "/proc/" + std::to_string(pid_);
    const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    double total = 0, resident = 0, shared = 0;
    std::ifstream(process + "/statm") >> total >> resident >> shared;
    resident *= page;
    shared *= page;
    if (const double begin = monotonic_seconds(); begin >= next_ && shared > 0) {
        if (const double proportional = mapped_bytes(process)["Pss:"]; proportional > 0)
            share_ = std::clamp((proportional - (resident - shared)) / shared, 0.0, 1.0);
        const double end = monotonic_seconds();
        next_ = end + std::max(kLeastInterval, (end - begin) / kMostOfTime);
    }
    const double others = shared * (1 - share_);
    return {static_cast<std::uint64_t>(resident - others), static_cast<std::uint64_t>(others)};
}

std::uint64_t peak_memory_bytes(std::int64_t processes) {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const double peak = static_cast<double>(usage.ru_maxrss) * 1024;
    std::map<std::string, double> now = mapped_bytes("/proc/self");
    const double files = file_bytes("/proc/self");
    // Other shared pages count in parts, one for each process that has them.
    const double others = now["Rss:"] - now["Pss:"] - (files - std::min(files, now["Pss_File:"])),
                 of_others = std::max(0.0, others) + files * (1 - 1 / static_cast<double>(processes));
    return static_cast<std::uint64_t>(std::max(0.0, peak - of_others));
}

}  // namespace trainyard
