// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Paints what changes above the picture of a chart: crosshair with dots and table, pins, the curve under the pointer,
// markers, marks of values that are not finite, annotations, the range being selected, the focus frame. Repainting it
// does not redraw the curves below. Part of CurveChart; ignores the mouse.

#include <QVector>
#include <QWidget>

#include "widgets/pixels.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/look.h"

namespace trainyard::widgets {

class ChartOverlay : public QWidget {
    Q_OBJECT
  public:
    explicit ChartOverlay(CurveChart* chart);
    /// The marker whose icon is at `position`; nullptr: none.
    const Marker* markerAt(const QPoint& position) const;
    /// Texts of all markers at `position`, for the tool tip.
    QString markerWords(const QPoint& position) const;
    /// Paints markers, marks and annotations, which are also printed.
    void paintKept(QPainter& painter, const Look& look) const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    /// Overlapping markers, shown as one with a count.
    struct Stack {
        double x = 0;  ///< pixels
        QVector<const Marker*> markers;
        QRectF icon() const { return {x - 8.0_px, 4, 16.0_px, 16.0_px}; }
    };
    QVector<Stack> stacks() const;
    void paintMarkers(QPainter& painter, const Look& look) const;
    void paintNotFinite(QPainter& painter, const Look& look) const;
    void paintRemarks(QPainter& painter, const Look& look) const;
    void paintSelection(QPainter& painter) const;
    void paintPins(QPainter& painter) const;
    void paintMeasure(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;
    void paintTable(QPainter& painter) const;

    CurveChart* chart_;
};

}  // namespace trainyard::widgets
