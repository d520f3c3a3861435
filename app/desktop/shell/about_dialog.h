// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Versions, and the parts of the program with the texts of their licences, which are read from the installed packages.

#include <QDialog>

#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class EngineLink;

class AboutDialog : public QDialog {
    Q_OBJECT
  public:
    explicit AboutDialog(EngineLink* engine, QWidget* parent = nullptr);
    /// The versions as text, also for reports.
    static QString environmentText(const EngineLink& engine);

  private:
    void showLicence(int part);

    QListWidget* parts_;
    QLabel* which_;
    QPlainTextEdit* licence_;
    widgets::Job reading_;
};

}  // namespace trainyard::desktop
