// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The wizard's pages at its left: number, tick or warning, and in one line what was answered. Pages that cannot change
// anything stand under "Skipped" with the reason; all can be shown.

#include <QVector>

#include "desktop/wizard/steps.h"
#include "widgets/forward.h"
#include "widgets/painted_button.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

/// One page: two lines beside its mark.
class StepButton : public widgets::PaintedButton {
    Q_OBJECT
  public:
    explicit StepButton(Step step, QWidget* parent = nullptr);
    void setState(const StepState& state, int number, bool visited);
    Step step() const { return step_; }
    QSize sizeHint() const override { return {140_px, 42_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    int textLeft() const;
    bool isFolded() const;
    void showTip();

    Step step_;
    StepState state_;
    int number_ = 0;
    bool visited_ = false;
};

class PageList : public QWidget {
    Q_OBJECT
  public:
    explicit PageList(QWidget* parent = nullptr);
    /// `visited`: pages that were seen, they get a tick.
    void setSteps(const QVector<StepState>& steps, Step current, const QVector<bool>& visited);
    void setShowsAll(bool all);
    /// Shows the marks only; the tool tips have the names.
    void setFolded(bool folded);
    /// Those that can be stepped through now.
    QVector<Step> shownSteps() const;
    StepButton* button(Step step) const { return buttons_.value(static_cast<int>(step)); }

  signals:
    void chosen(Step step);
    void showsAllChanged();

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QVector<StepButton*> buttons_;
    QVector<StepState> steps_;
    QLabel* skipped_head_;
    QVector<QLabel*> skipped_;  ///< by step
    QPushButton* show_all_;
    void showSkipped();

    bool all_ = false;
    bool folded_ = false;
};

}  // namespace trainyard::desktop
