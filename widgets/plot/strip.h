// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A figure aligned with a chart of curves above it: the same horizontal axis, the same margin for numbers at the left,
// and a shared crosshair. Time runs from left to right in every language.

#include <QRect>
#include <QWidget>

#include "widgets/plot/reduction.h"

namespace trainyard::widgets {

class Strip : public QWidget {
    Q_OBJECT
  public:
    static constexpr int kCell = 4;         ///< width of a column in pixels
    static constexpr int kLeastWidth = 40;  ///< pixels

    void setView(const XScale& scale, const XRange& range);
    void setCrosshair(double x);  ///< NaN: none
    /// Sets the margin left of the plot, at least kLeastWidth, to keep it aligned with a chart above that needs more
    /// room for its numbers.
    void setAxisWidth(int pixels);
    virtual QRect area() const = 0;  ///< the plot area
    void dataChanged();

  signals:
    void crosshairMoved(double x);

  protected:
    explicit Strip(const QString& accessibleName, QWidget* parent);
    int columns() const;
    /// Returns whether the columns must be recomputed, and resets the flag.
    bool takeDirty() const;
    void paintCrosshair(QPainter& painter) const;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override { pointTo(kNoNumber); }
    void resizeEvent(QResizeEvent* event) override;

    static constexpr int kRight = 13;  // pixels right of the plot
    XScale scale_;
    XRange range_;
    double crosshair_ = kNoNumber;
    int axis_width_ = 50;

  private:
    void pointTo(double x);
    mutable bool dirty_ = true;
};

}  // namespace trainyard::widgets
