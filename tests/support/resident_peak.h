// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The peak of this process's resident memory during a piece of work. ru_maxrss never falls; the kernel's other mark can
// be set back.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace trainyard::test {

/// An entry of /proc/self/status, in bytes: "VmRSS:".
inline std::size_t status_bytes(std::string_view entry) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(entry))
            return std::stoull(line.substr(entry.size())) * 1024;
    return 0;
}

template <class Work>
std::size_t rise_of_peak(const Work& work) {
    std::ofstream("/proc/self/clear_refs") << 5 << std::flush;
    const std::size_t before = status_bytes("VmHWM:");
    work();
    return status_bytes("VmHWM:") - before;
}

}  // namespace trainyard::test
