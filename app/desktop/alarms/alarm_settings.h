// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which notices are wanted and how loudly, with the limits of the rules: a part of the settings, or of one run. Each
// change applies at once.

#include <QWidget>

#include "desktop/alarms/alarm_rules.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

/// The rules of one run, in a dialog that applies each change at once.
void show_alarms_of(const QString& runPath, const QString& name, QWidget* parent);

class AlarmSettings : public QWidget {
    Q_OBJECT
  public:
    explicit AlarmSettings(const AlarmRules& rules, QWidget* parent = nullptr);
    const AlarmRules& rules() const { return rules_; }

  signals:
    void changed(const trainyard::desktop::AlarmRules& rules);

  private:
    QWidget* row(NoticeKind kind);
    QWidget* makeMetrics(QLabel* problem);
    AlarmRules rules_;
};

}  // namespace trainyard::desktop
