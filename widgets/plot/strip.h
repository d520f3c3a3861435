#pragma once
// A figure in line with a chart of curves above it: the same horizontal axis, the same room for numbers at its left, a crosshair that
// the pointer moves in both. Time goes from left to right in every language.

#include <QRect>
#include <QWidget>

#include "widgets/plot/reduction.h"

namespace trainyard::widgets {

class Strip : public QWidget {
    Q_OBJECT
  public:
    static constexpr int kCell = 4;         ///< pixels of a column
    static constexpr int kLeastWidth = 40;  ///< pixels

    void setView(const XScale& scale, const XRange& range);
    void setCrosshair(double x);  ///< NaN: none
    /// Room left of the plot, at least kLeastWidth: a chart above that needs more for its numbers stays in line.
    void setAxisWidth(int pixels);
    virtual QRect area() const = 0;  ///< of the plot
    void dataChanged();

  signals:
    void crosshairMoved(double x);

  protected:
    explicit Strip(const QString& accessibleName, QWidget* parent);
    int columns() const;
    /// Whether the columns are to be computed anew; asked once.
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
