// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What can be done to sweeps: starts and continues them with `trainyard sweep`, as the command line does, asks their
// processes to end, and deletes them. Files are read and written in another thread.

#include <functional>
#include <string>

#include <QObject>

#include "sweep/sweep_folder.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class EngineLink;

class SweepCommands : public QObject {
    Q_OBJECT
  public:
    /// `page`: below the dialogs.
    SweepCommands(EngineLink* engine, QWidget* page);
    bool isBusy() const { return asking_.isRunning(); }

    /// Starts the sweep of a file, after a question if it names programs or libraries.
    void openFile(const QString& file);
    /// Starts the sweep of a file, and calls `started_it`, if any, or `failed_to` with the reason.
    void start(const QString& file, std::function<void()> started_it = {},
               std::function<void(const QString&)> failed_to = {});
    void proceed(const sweep::StoredSweep& sweep, const QStringList& flags = {});
    /// Asks for the number of trials in all, then continues.
    void askForMore(const sweep::StoredSweep& sweep);
    /// `stop_trials`: also ends the trials that run.
    void end(const sweep::StoredSweep& sweep, bool stop_trials);
    void askToStop(const sweep::StoredSweep& sweep);
    void askToDelete(const std::string& id);
    void editBest(const sweep::StoredSweep& sweep);

  signals:
    void begun();  ///< a command; the message of the one before is out of date
    void failed(const QString& title, const QString& words);
    void started(const QString& id);
    void changed();  ///< the folders of sweeps
    void proceeding(bool yes);
    /// The run.yaml of a trial.
    void editAgainRequested(const QString& file);

  private:
    /// Runs `work`, then emits changed(), or failed() with the title.
    void perform(std::function<void()> work, const QString& title);

    EngineLink* engine_;
    QWidget* page_;
    widgets::Job asking_;
};

}  // namespace trainyard::desktop
