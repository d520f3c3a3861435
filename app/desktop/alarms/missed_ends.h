// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs that were live when a window was last open and ended while none was.

#include <QObject>
#include <QStringList>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

class RunStore;

class MissedEnds : public QObject {
    Q_OBJECT
  public:
    explicit MissedEnds(RunStore* store, QObject* parent = nullptr);

  signals:
    void ended(const trainyard::desktop::RunSummary& run);

  private:
    void look();
    RunStore* store_;
    QStringList live_;     ///< paths of live runs, as kept for the next window
    bool looked_ = false;  ///< at what the last window kept
};

}  // namespace trainyard::desktop
