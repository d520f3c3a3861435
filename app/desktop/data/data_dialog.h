// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The data of a run: its first rows, and the tokens that the model was trained on. Reads the run's recipe and the files
// in another thread.

#include <optional>

#include <QDialog>

#include "desktop/data/data_look.h"
#include "run/paths.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class DataPanel;

class DataDialog : public QDialog {
    Q_OBJECT
  public:
    /// `host`: where the run trains, if that is not this machine.
    DataDialog(const run::RunPaths& run, const QString& name, const QString& host, QWidget* parent = nullptr);
    DataPanel* panel() const { return panel_; }
    QLabel* message() const { return message_; }
    bool isReading() const { return job_.isRunning(); }

  private:
    struct RunData {
        DataLook look;
        bool hasPath = false;
        QString paths;    ///< as the recipe names them
        QString problem;  ///< why there is nothing to show
    };
    void showFound(const RunData& found);

    QString host_;
    QLabel* paths_;
    QLabel* message_;
    DataPanel* panel_;
    widgets::Job job_;
};

/// Opens the dialog.
void show_data_of_run(const run::RunPaths& run, const QString& name, const QString& host, QWidget* parent);

}  // namespace trainyard::desktop
