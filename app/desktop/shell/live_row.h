// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run in the rail's LIVE list: colour, name, progress bar, time left. A failed run stays there in red until opened.

#include "desktop/runs/run_summary.h"
#include "run/request_body.h"
#include "widgets/painted_button.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

class LiveRow : public widgets::PaintedButton {
    Q_OBJECT
  public:
    explicit LiveRow(const RunSummary& run, QWidget* parent = nullptr);
    void setRun(const RunSummary& run);
    const RunSummary& run() const { return run_; }
    void setFolded(bool folded);
    QSize sizeHint() const override { return {192_px, 46_px}; }
    QString rightText() const;  ///< time left, the share done, or the state

  signals:
    void requested(const QString& runPath, const trainyard::run::RequestBody& request);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    RunSummary run_;
    bool folded_ = false;
};

}  // namespace trainyard::desktop
