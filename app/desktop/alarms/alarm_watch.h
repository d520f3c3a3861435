// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Applies the rules to observations of active runs and returns new notices. Every rule fires once for a run, until the
// run ends and is started again. Without widgets, clocks and files: observations and times are passed in.

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <QCoreApplication>
#include <QString>

#include "desktop/alarms/alarm_rules.h"
#include "run/journal.h"

namespace trainyard::desktop {

/// Observation of an active run at one time.
struct RunSight {
    QString path;
    QString name;
    bool trains = false;  ///< running, neither paused nor stopping: it should make steps
    std::int64_t step = 0;
    std::optional<double> loss, tokens_per_s;
    std::optional<double> disk_free, memory_share;  ///< bytes of the fullest disk; 0..1 of the fullest machine
    std::vector<run::Event> events;                 ///< that are new
};

struct Notice {
    NoticeKind kind = NoticeKind::Finished;
    QString path, name;  ///< of the run
    Message message;
    std::int64_t step = -1;
};

class AlarmWatch {
    Q_DECLARE_TR_FUNCTIONS(trainyard::desktop::AlarmWatch)
  public:
    /// `now`: monotonic time in seconds.
    std::vector<Notice> observe(const RunSight& sight, const AlarmRules& rules, double now);
    /// Call this when the run has ended: its rules may fire again after it is resumed.
    void forget(const QString& path) { runs_.erase(path); }

  private:
    struct Memory {
        std::int64_t step = -1;
        double moved = 0;
        double weight = 0, sum = 0;  ///< debiased exponential average of the loss
        double lowest = 0;
        std::int64_t lowest_step = -1;
        std::deque<double> rates;
        std::set<NoticeKind> fired;
    };
    std::map<QString, Memory> runs_;
};

}  // namespace trainyard::desktop
