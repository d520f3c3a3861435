// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Applies the rules to observations of one active run and returns new notices. Every rule fires once, until the watch
// is created again for a run that is started again. Without clocks and files: observations and times are passed in.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "alarms/rules.h"
#include "run/journal.h"

namespace trainyard::alarms {

/// Observation of an active run at one time.
struct Sight {
    bool trains = false;  ///< running, neither paused nor stopping: it should make steps
    std::int64_t step = 0;
    std::optional<double> loss, tokens_per_s;
    std::optional<double> disk_free, memory_share;  ///< bytes of the fullest disk; 0..1 of the fullest machine
    std::map<std::string, double> metrics;          ///< newest values of the metrics that have a rule
    std::vector<run::Event> events;                 ///< that are new
};

class RuleWatch {
  public:
    /// `now`: monotonic time in seconds.
    std::vector<Notice> observe(const Sight& sight, const Rules& rules, double now);

  private:
    std::int64_t step_ = -1;
    double moved_ = 0;
    double weight_ = 0, sum_ = 0;  ///< debiased exponential average of the loss
    double lowest_ = 0;
    std::int64_t lowest_step_ = -1;
    std::deque<double> rates_;
    std::set<NoticeKind> fired_;
    std::set<std::string> fired_metrics_;
};

}  // namespace trainyard::alarms
