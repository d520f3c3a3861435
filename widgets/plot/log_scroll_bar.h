// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A scroll bar that shows where in the log the lines that were found lie, and where the crosshair of the charts stands.

#include <QScrollBar>

namespace trainyard::widgets {

class LogModel;

class LogScrollBar : public QScrollBar {
    Q_OBJECT
  public:
    explicit LogScrollBar(const LogModel* model, QWidget* parent = nullptr);
    /// -1: none.
    void setMark(int row);
    int mark() const { return mark_; }
    /// One pixel row of the bar each: those in which something was found. For tests, too.
    std::vector<bool> foundPixels() const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    const LogModel* model_;
    int mark_ = -1;
};

}  // namespace trainyard::widgets
