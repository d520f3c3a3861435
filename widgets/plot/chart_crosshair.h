// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The crosshair and the pins of a chart, and the values of the curves at them. Part of CurveChart; chart_overlay.h
// paints them.

#include <QObject>
#include <QVector>

#include "widgets/plot/chart_view.h"

namespace trainyard::widgets {

class CurvePlottable;

class ChartCrosshair : public QObject {
    Q_OBJECT
  public:
    /// Writes the crosshair of `view`, which belongs to the chart like the plottable.
    ChartCrosshair(const CurvePlottable* plottable, ChartView& view, QObject* parent);

    void set(double x);   ///< NaN: none
    void move(double x);  ///< also emits moved()
    void step(int sign);  ///< to the next point of the first visible curve, at least one pixel
    bool isShown() const;
    /// Moves to the pointer; none outside of the plot.
    void follow(const QPoint& pointer);
    void leave();  ///< the pointer is elsewhere

    void setPins(const QVector<double>& pins);  ///< of more than two the last ones
    const QVector<double>& pins() const { return pins_; }
    void pin(double x);
    void removePins();

    /// Value of a curve nearest to the crosshair, or its last one; NaN without points.
    double value(int curve) const;
    /// Lines of the table at the crosshair.
    struct Row {
        int curve = 0;
        int color = 0;
        QString name;
        QString value;
        double y = 0;  ///< where a dot goes; NaN: nowhere
        double x = 0;  ///< of the point whose value it is: the nearest one, which may be far from the crosshair
    };
    /// At most `most` rows, of the curves nearest to the pointer; `rest` counts the curves left out.
    QVector<Row> rows(int most = 14, int* rest = nullptr) const;
    /// From the first pin to the second: distance in words, and the change of each curve.
    struct Measure {
        QString distance;
        QVector<Row> rows;
    };
    Measure measure(int most = 6) const;

  signals:
    void changed();
    void moved(double x);
    void pinned(const QVector<double>& pins);  ///< the user changed the pins

  private:
    /// Visible curves with points, at most `most`, those nearest to the pointer in the order of their values.
    QVector<int> nearestCurves(int most) const;

    const CurvePlottable* plottable_;
    const QVector<Curve>& curves_;
    ChartView& view_;
    QVector<double> pins_;          ///< in x units
    double pointer_y_ = kNoNumber;  ///< pixels; NaN: the pointer is elsewhere
};

}  // namespace trainyard::widgets
