// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads what alarms need of an active run besides its state: new events, how full its machines are, and metrics. Reads
// the run's folder; one call at a time.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alarms/rules.h"
#include "run/journal.h"
#include "run/paths.h"

namespace trainyard::alarms {

class RunLook {
  public:
    explicit RunLook(run::RunPaths run);
    ~RunLook();

    struct Signs {
        std::optional<double> disk_free;        ///< bytes, of the fullest disk
        std::optional<double> memory_share;     ///< 0..1, of the fullest machine
        std::vector<run::Event> events;         ///< since the previous call; empty after the first
        std::map<std::string, double> metrics;  ///< newest values of the metrics of the rules
    };
    /// `metrics`: the curves of the run are read only for these.
    Signs look(const std::vector<MetricRule>& metrics = {});

  private:
    struct Machines;
    struct Curves;
    run::RunPaths run_;
    run::JournalReader journal_;
    std::unique_ptr<Machines> machines_;
    std::unique_ptr<Curves> curves_;
    bool first_ = true;
};

}  // namespace trainyard::alarms
