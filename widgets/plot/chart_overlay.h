#pragma once
// What moves above the picture of a chart: crosshair with dots and table, markers, marks of values that are not finite, the range
// being selected, the focus frame. Repainting it does not redraw the curves below. Part of CurveChart; takes no mouse.

#include <QVector>
#include <QWidget>

#include "widgets/plot/curve_chart.h"

namespace trainyard::widgets {

class ChartOverlay : public QWidget {
    Q_OBJECT
  public:
    explicit ChartOverlay(CurveChart* chart);
    /// The marker whose icon is there; nullptr when none is.
    const Marker* markerAt(const QPoint& position) const;
    /// Sentences of all markers that stand there, for the tool tip.
    QString markerWords(const QPoint& position) const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    /// Markers that would overlap stand as one with a count.
    struct Stack {
        double x = 0;  ///< pixels
        QVector<const Marker*> markers;
        QRectF icon() const { return {x - 8, 4, 16, 16}; }
    };
    QVector<Stack> stacks() const;
    void paintMarkers(QPainter& painter) const;
    void paintNotFinite(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;
    void paintTable(QPainter& painter, const QVector<CurveChart::Row>& rows) const;

    CurveChart* chart_;
};

}  // namespace trainyard::widgets
