// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Applies the rules to the active runs of the list (alarms/rule_watch.h), each by its own.

#include <map>
#include <vector>

#include <QString>

#include "alarms/rule_watch.h"
#include "desktop/alarms/alarm_rules.h"

namespace trainyard::desktop {

struct RunSight : alarms::Sight {
    QString path;
    QString name;
};

struct Notice {
    NoticeKind kind = NoticeKind::Finished;
    QString path, name;  ///< of the run
    Message message;
    std::int64_t step = -1;
};

class AlarmWatch {
  public:
    /// `now`: monotonic time in seconds.
    std::vector<Notice> observe(const RunSight& sight, const AlarmRules& rules, double now) {
        std::vector<Notice> notices;
        for (alarms::Notice& one : runs_[sight.path].observe(sight, rules.shown(), now))
            notices.push_back({one.kind, sight.path, sight.name, std::move(one.message), one.step});
        return notices;
    }
    /// Call this when the run has ended: its rules may fire again after it is resumed.
    void forget(const QString& path) { runs_.erase(path); }

  private:
    std::map<QString, alarms::RuleWatch> runs_;
};

}  // namespace trainyard::desktop
