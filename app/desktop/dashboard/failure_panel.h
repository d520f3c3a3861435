// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Explains why a run failed; shown instead of the metrics. Contains the first rank that failed, its host, the time, how
// it ended, the message of state.json, the known cause, the error line of that rank's log with the five lines before
// it, and what the user can do.

#include <QFrame>

#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class FailurePanel : public QFrame {
    Q_OBJECT
  public:
    explicit FailurePanel(QWidget* parent = nullptr);
    void showFailure(const RunRecord& run);
    QLabel* sentence() const { return sentence_; }
    QString report() const { return report_; }  ///< what Copy report puts on the clipboard

  signals:
    void logRequested(int rank);
    void editAgainRequested();
    void runAgainRequested();
    void resumeRequested();  ///< from the last checkpoint

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void markErrorLine();

    widgets::IconLabel* picture_;
    QLabel* title_;
    QLabel* sentence_;
    QLabel* facts_;
    QLabel* cause_;
    QPlainTextEdit* lines_;
    QPushButton* edit_;
    QPushButton* again_;
    QPushButton* resume_;
    QString report_;
    int rank_ = -1;
    int error_line_ = -1;  ///< of lines_; -1: none
};

}  // namespace trainyard::desktop
