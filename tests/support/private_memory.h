// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Private memory of this process: Private_Clean + Private_Dirty of /proc/self/smaps_rollup.

#include <cstdint>
#include <fstream>
#include <string>

namespace trainyard::test {

inline std::uint64_t private_bytes() {
    std::ifstream rollup("/proc/self/smaps_rollup");
    std::uint64_t kilobytes = 0, value = 0;
    for (std::string word; rollup >> word;)
        if (word == "Private_Clean:" || word == "Private_Dirty:") {
            rollup >> value;
            kilobytes += value;
        }
    return kilobytes * 1024;
}

}  // namespace trainyard::test
