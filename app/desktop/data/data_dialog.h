// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The data of a run: its first rows, and the tokens that the model was trained on. Reads the run's recipe and the
// files, of this machine or of the host that trains, in another thread.

#include <memory>

#include <QDialog>

#include "desktop/data/data_look.h"
#include "desktop/data/remote_data.h"
#include "run/paths.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class DataPanel;
class DialogAsker;

class DataDialog : public QDialog {
    Q_OBJECT
  public:
    /// `host`: where the run trains, if that is not this machine.
    DataDialog(const run::RunPaths& run, const QString& name, const QString& host, QWidget* parent = nullptr);
    ~DataDialog() override;
    DataPanel* panel() const { return panel_; }
    QLabel* message() const { return message_; }
    bool isReading() const { return job_.isRunning() || remote_.state() == RemoteData::State::Reading; }

  private:
    struct RunData {
        DataLook look;
        config::Recipe recipe;  ///< of a run on a host, whose files are looked at there
        bool hasPath = false;
        QString paths;    ///< as the recipe names them
        QString problem;  ///< why there is nothing to show
    };
    void showFound(const RunData& found);
    void showRemote();

    QString host_;
    QLabel* paths_;
    QLabel* message_;
    DataPanel* panel_;
    RemoteData remote_;
    std::shared_ptr<DialogAsker> asker_;
    widgets::Job job_;
};

/// Opens the dialog.
void show_data_of_run(const run::RunPaths& run, const QString& name, const QString& host, QWidget* parent);

}  // namespace trainyard::desktop
