#pragma once
// A run in the rail's LIVE list: colour, name, progress bar, time left. A failed run stays there in red until opened.

#include <QAbstractButton>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

class LiveRow : public QAbstractButton {
    Q_OBJECT
  public:
    explicit LiveRow(const RunSummary& run, QWidget* parent = nullptr);
    void setRun(const RunSummary& run);
    const RunSummary& run() const { return run_; }
    void setFolded(bool folded);
    QSize sizeHint() const override;

  signals:
    void requested(const QString& runPath, const QString& kind);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    QString rightText() const;
    RunSummary run_;
    bool folded_ = false;
};

}  // namespace trainyard::desktop
