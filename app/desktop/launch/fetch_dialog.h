// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Copies a checkpoint of a run on another host into its mirror, so that a run on this machine can continue from it.
// Shows the progress and can be cancelled, which removes what was copied.

#include <memory>

#include <QDialog>

#include "remote/host_key.h"
#include "run/paths.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class DialogAsker;

class FetchDialog : public QDialog {
    Q_OBJECT
  public:
    /// `run`: the mirror (run::mirror_source). `checkpoint`: its name; empty: the newest. `acceptedOnce`: host keys
    /// that the user accepted for this session only.
    FetchDialog(const run::RunPaths& run, const std::string& checkpoint, const remote::AcceptedKeys& acceptedOnce,
                QWidget* parent = nullptr);
    ~FetchDialog() override;
    QPushButton* cancelButton() const { return cancel_button_; }
    QLabel* words() const { return words_; }

  signals:
    /// The checkpoint's folder here; the dialog has gone then.
    void fetched(const QString& folder);

  protected:
    void reject() override;

  private:
    void begin(const std::string& checkpoint, const remote::AcceptedKeys& acceptedOnce);
    void show(std::uint64_t done, std::uint64_t total);
    run::RunPaths run_;
    QLabel* words_;
    QProgressBar* bar_;
    QPushButton* cancel_button_;
    bool over_ = false;  ///< it failed: Cancel is Close
    std::shared_ptr<DialogAsker> asker_;
    widgets::Job work_{nullptr, widgets::Executor::Kind::Waits};
};

}  // namespace trainyard::desktop
