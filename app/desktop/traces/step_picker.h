// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The steps of a trace as bars: how long each took on its slowest rank, which part is seen. A click or the arrows go to
// a step.

#include <QVector>
#include <QWidget>

#include "desktop/traces/opened_trace.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

class StepPicker : public QWidget {
    Q_OBJECT
  public:
    struct Step {
        std::int64_t number = 0;
        widgets::TimeSpan range;   ///< over all ranks
        std::int64_t longest = 0;  ///< ns, of one rank
    };

    explicit StepPicker(QWidget* parent = nullptr);
    void setTrace(const OpenedTrace* trace);
    const QVector<Step>& steps() const { return steps_; }
    void setView(const widgets::TimeSpan& view);
    /// Goes to the step that is so many before or after the chosen one.
    void step(int by);
    /// Of the step with this number; false: there is none.
    bool choose(std::int64_t number);
    QSize sizeHint() const override { return {600_px, 44_px}; }
    QSize minimumSizeHint() const override { return {200_px, 44_px}; }

  signals:
    void stepChosen(const trainyard::widgets::TimeSpan& range);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    QRectF boxOf(int index) const;
    int stepAt(const QPoint& point) const;
    void chooseIndex(int index);
    QString words(const Step& step) const;

    QVector<Step> steps_;
    widgets::TimeSpan view_;
    std::int64_t longest_ = 0, median_ = 0;
    int chosen_ = -1;
};

}  // namespace trainyard::desktop
