#pragma once
// Why a run failed, in the place of the figures: the first failing rank, where, when, how it ended, the sentence of state.json as
// it stands there, the last lines of that rank's log, and what one can do now.

#include <QFrame>

#include "run/state.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace trainyard::desktop {

class FailurePanel : public QFrame {
    Q_OBJECT
  public:
    explicit FailurePanel(QWidget* parent = nullptr);
    void setFailure(const run::RunState& state, const QString& folder);
    QString sentence() const;
    QString report() const { return report_; }  ///< what Copy report puts on the clipboard
    void setCanRunAgain(bool can);

  signals:
    void logRequested(int rank);
    void runAgainRequested();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QLabel* picture_;
    QLabel* title_;
    QLabel* sentence_;
    QLabel* facts_;
    QPlainTextEdit* lines_;
    QPushButton* again_;
    QString report_;
    int rank_ = -1;
};

}  // namespace trainyard::desktop
