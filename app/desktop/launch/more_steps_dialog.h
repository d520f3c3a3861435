// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Asks how many more steps a run that is over shall train, and starts a new run from its last checkpoint. Says before
// the start how the learning rates differ from those of an uninterrupted run.

#include <QDialog>
#include <QTimer>

#include "launch/supervisor/continuation.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class AppContext;

class MoreStepsDialog : public QDialog {
    Q_OBJECT
  public:
    MoreStepsDialog(const launch::Continuation& from, const QString& name, QWidget* parent);

  signals:
    /// `key=value` for --set.
    void startRequested(const QStringList& settings);

  private:
    void changed();
    std::vector<std::string> settings() const;

    launch::Continuation from_;
    QSpinBox* steps_;
    widgets::SegmentedControl* schedule_ = nullptr;  ///< null: the rate does not depend on the number of steps
    QLabel* note_;
    QPushButton* start_;
    QTimer typed_;
    widgets::Job look_;
};

/// Opens the dialog for a run, or says why it cannot continue.
void ask_more_steps(AppContext* app, const QString& folder, const QString& name);

}  // namespace trainyard::desktop
