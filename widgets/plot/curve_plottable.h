// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The curves of a chart as a plottable of QCustomPlot: their ranges, the curve nearest to a position, and their
// drawing: cached images on the screen (curve_picture.h), lines on paper. One plottable for all curves of a chart: 500
// dense curves drawn from front to back write each pixel once, in 35 ms; separate plottables, drawn from back to front,
// take 100 ms or more.

#include <qcustomplot.h>

#include "widgets/plot/curve_picture.h"
#include "widgets/plot/plot_canvas.h"

namespace trainyard::widgets {

class CurvePlottable : public QCPAbstractPlottable {
  public:
    /// The plot becomes the owner. Curves and view belong to the chart.
    CurvePlottable(PlotCanvas* canvas, const QVector<Curve>& curves, const ChartView& view);

    CurvePicture& picture() { return picture_; }
    const CurvePicture& picture() const { return picture_; }
    const QVector<Curve>& curves() const { return curves_; }
    const PlotFrame& frame() const { return canvas_->frame(); }
    /// Redraws the plot. `moved`: reuses the last drawing of the curves, moved to their new places.
    void replot(const QSize& size, double ratio, bool moved);

    /// The value at a place, of the trend if there is one; NaN: none.
    double valueAt(const Curve& curve, double x) const;
    /// Returns the vertical distance in pixels to the nearest visible curve, and its index in `details`; -1: none is
    /// near.
    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& keys = QCPRange()) const override;
    /// The values of the curves on one of the vertical axes.
    QCPRange valueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys, bool right) const;
    bool hasRight() const;  ///< visible curves on the second vertical axis

    static constexpr double kReach = 14;  ///< pixels within which a curve counts as near

  protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}  // the legend has an item for each curve

  private:
    PlotCanvas* canvas_;
    const QVector<Curve>& curves_;
    const ChartView& view_;
    CurvePicture picture_;
    bool moved_ = false;
};

}  // namespace trainyard::widgets
