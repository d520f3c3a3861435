// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"

namespace trainyard {

namespace {

constexpr double kLeastInterval = 1;   ///< seconds between two readings
constexpr double kMostOfTime = 0.002;  ///< a thread that reads delays those that compute

/// 0 where the system does not tell it.
double proportional_bytes(const std::string& process) {
    std::ifstream file(process + "/smaps_rollup");
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');  // the range of addresses
    for (std::string name, unit; file >> name;) {
        double kilobytes = 0;
        file >> kilobytes >> unit;
        if (name == "Pss:")
            return kilobytes * 1024;
    }
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
        if (const double proportional = proportional_bytes(process); proportional > 0)
            share_ = std::clamp((proportional - (resident - shared)) / shared, 0.0, 1.0);
        const double end = monotonic_seconds();
        next_ = end + std::max(kLeastInterval, (end - begin) / kMostOfTime);
    }
    const double others = shared * (1 - share_);
    return {static_cast<std::uint64_t>(resident - others), static_cast<std::uint64_t>(others)};
}

std::uint64_t peak_memory_bytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const std::uint64_t peak = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return peak - std::min(peak, ProcessMemory(::getpid()).bytes_of_others());
}

}  // namespace trainyard
