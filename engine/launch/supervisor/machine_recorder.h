// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keeps the figures of this machine (machine_meter.h) while a run lasts: every 2 s a point in metrics/host-<host>/events.out.tfevents.*,
// in a thread of its own, since neither a disk nor a GPU's driver may hold up the supervisor. When a file has 8 MB the next one begins
// and the one before goes: the last nine hours are there at least. Trouble is silent: nothing depends on these figures.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "launch/supervisor/machine_meter.h"

namespace trainyard::launch {

struct RecorderLimits {
    double interval_s = 2;
    std::uint64_t file_bytes = 8u << 20;
};

class MachineRecorder {
  public:
    MachineRecorder(const std::filesystem::path& metrics_folder, const std::string& host, RecorderLimits limits = {});
    /// Does not wait for a driver that does not answer.
    ~MachineRecorder();

    /// The step that points are put at: the newest of any rank.
    void set_step(std::int64_t step);

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

}  // namespace trainyard::launch
