// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A report about the program that the user copies or saves. The program sends nothing.

#include <QDialog>

#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class ReportDialog : public QDialog {
    Q_OBJECT
  public:
    ReportDialog(const QString& title, const QString& text, QWidget* parent = nullptr);
    QPlainTextEdit* text() const { return text_; }

  private:
    void save(const QString& file);

    QPlainTextEdit* text_;
    QLabel* problem_;
    widgets::Job writing_;
};

}  // namespace trainyard::desktop
