// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Utilization of a machine as reported by its kernel: processors, memory, disks, network, free space on the disk of the
// run's folder; its GPUs by NVML. Rates are available from the second reading on. Values that the machine does not
// report are left out.
//
// Sources: proc(5) (stat, meminfo, net/dev), Documentation/admin-guide/iostats.rst (diskstats, sectors of 512 bytes), statvfs(3).
// Disks and network interfaces are those of a physical device, so that traffic through a bridge or a mapper counts
// once; where no interface has one (a container), all but the loopback count.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/nvml.h"

namespace trainyard::launch {

/// Values under their tags (engine/run/README.md).
using MachineReading = std::vector<std::pair<std::string, double>>;

class MachineMeter {
  public:
    /// `disk`: a folder on the disk whose free space is reported. The roots are for tests.
    explicit MachineMeter(std::filesystem::path disk, std::filesystem::path proc = "/proc",
                          std::filesystem::path sys = "/sys", const char* nvml = "libnvidia-ml.so.1");
    /// `now`: monotonic seconds.
    MachineReading read(double now);

  private:
    struct Counters {
        double at = 0;
        std::uint64_t busy = 0, total = 0;                                      ///< ticks of all processors
        std::uint64_t disk_read = 0, disk_written = 0, received = 0, sent = 0;  ///< bytes
        bool processors = false, disks = false, network = false;
    };
    Counters counters(double now) const;
    void read_memory(MachineReading& reading) const;
    void read_gpus(MachineReading& reading) const;
    bool has_device(const std::filesystem::path& of) const;

    std::filesystem::path disk_, proc_, sys_;
    Nvml nvml_;
    Counters last_;
};

}  // namespace trainyard::launch
