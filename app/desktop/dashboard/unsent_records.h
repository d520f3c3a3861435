// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Records that the trackers of a run could not send before it ended (observe/track/unsent.h): a message on the run's
// page offers to send them, and shows what became of them.

#include <vector>

#include <QObject>

#include "desktop/dashboard/run_record.h"
#include "observe/track/unsent.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class UnsentRecords : public QObject {
    Q_OBJECT
  public:
    /// Both outlive this.
    UnsentRecords(const RunRecord* run, widgets::InlineMessage* message, QObject* parent);
    /// Looks for records once the run has ended. To be called when its state changes.
    void refresh();
    /// Sends the records, or stops sending them.
    QPushButton* button() const { return button_; }

  private:
    void send();
    void showResults(const std::vector<track::SentRecords>& results);

    const RunRecord* run_;
    widgets::InlineMessage* message_;
    QPushButton* button_;
    bool looked_ = false;  ///< since the run ended
    widgets::Job looking_;
    widgets::Job sending_{nullptr, widgets::Executor::Kind::Waits};
};

}  // namespace trainyard::desktop
