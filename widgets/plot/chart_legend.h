// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The names of a chart's curves with swatch, dash and value (at the crosshair, else the last), in as many lines as fit.
// Click hides or shows a curve, Ctrl+click or double click leaves it alone in the chart; the pointer on a name makes
// its curve thick. Keys: arrows choose, Space hides, Enter isolates. What does not fit is counted ("and 488 more").

#include <QVector>
#include <QWidget>

#include "widgets/pixels.h"

namespace trainyard::widgets {

class CurveChart;

class ChartLegend : public QWidget {
    Q_OBJECT
  public:
    explicit ChartLegend(CurveChart* chart, QWidget* parent = nullptr);  ///< the chart lives as long

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80_px, 18_px}; }
    int heightForWidth(int width) const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent*) override { fitHeight(); }
    void focusInEvent(QFocusEvent* event) override;

  private:
    struct Entry {
        int curve = 0;
        QRect box;
    };
    QVector<Entry> entries(int width, int* rest = nullptr) const;
    int entryWidth(int curve) const;
    int curveAt(const QPoint& position) const;
    void fitHeight();
    void announce();

    CurveChart* chart_;
    int chosen_ = 0;
};

}  // namespace trainyard::widgets
