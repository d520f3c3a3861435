// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What this machine has, as one line. Read from /proc and sysconf, so call it outside the GUI thread.

#include <cstdint>

#include <QString>

namespace trainyard::desktop {

struct MachineFacts {
    int cores = 0;
    std::uint64_t memoryBytes = 0;
    int gpus = 0;
    QString gpuName;  ///< of the first
};

MachineFacts readMachine();
/// `16 cores · 64.0 GiB · no GPU`
QString machineLine(const MachineFacts& facts);

}  // namespace trainyard::desktop
