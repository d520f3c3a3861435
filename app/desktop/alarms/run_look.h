// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads what alarms need of an active run and the list of runs does not have: new events, and how full its machines
// are. Reads the run's folder in a worker thread, one call at a time.

#include <memory>
#include <optional>
#include <vector>

#include "run/journal.h"
#include "run/paths.h"

namespace trainyard::desktop {

class RunLook {
  public:
    explicit RunLook(run::RunPaths run);
    ~RunLook();

    struct Signs {
        std::optional<double> disk_free;     ///< bytes, of the fullest disk
        std::optional<double> memory_share;  ///< 0..1, of the fullest machine
        std::vector<run::Event> events;      ///< since the previous call; empty after the first
    };
    Signs look();

  private:
    struct Machines;
    run::JournalReader journal_;
    std::unique_ptr<Machines> machines_;
    bool first_ = true;
};

}  // namespace trainyard::desktop
