// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Number and mean progress of the active runs at the icon of the task bar: the signal of
// com.canonical.Unity.LauncherEntry, which KDE Plasma, Dash to Dock, Plank and others show. Without a session bus it
// does nothing.

#include <QObject>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

class TaskbarProgress : public QObject {
    Q_OBJECT
  public:
    explicit TaskbarProgress(QObject* parent = nullptr);
    ~TaskbarProgress() override;  ///< removes number and progress
    void setRuns(const QVector<RunSummary>& runs);

  private:
    /// `share`: below 0: unknown.
    void send(qsizetype count, double share);

    qsizetype count_ = -1;  ///< -1: nothing was sent; some task bars still show what a former program sent
    int permille_ = -1;     ///< -1: not shown
};

}  // namespace trainyard::desktop
