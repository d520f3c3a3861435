#pragma once
// The curves of a chart as a plottable of QCustomPlot: what their ranges are, which of them is nearest to a place, and their drawing:
// pixels of the pyramid on the screen (curve_picture.h), lines on paper. One plottable for all curves of a chart, not one for each:
// 500 dense curves are laid from the front to the back and each pixel is written once, in 35 ms; drawn one after the other from
// the back, as plottables are, they take 100 ms and more.

#include <qcustomplot.h>

#include "widgets/plot/curve_picture.h"
#include "widgets/plot/plot_canvas.h"

namespace trainyard::widgets {

class CurvePlottable : public QCPAbstractPlottable {
  public:
    /// The plot owns it; curves and view are the chart's.
    CurvePlottable(PlotCanvas* canvas, const QVector<Curve>& curves, const ChartView& view);

    CurvePicture& picture() { return picture_; }
    const CurvePicture& picture() const { return picture_; }
    /// Draws the plot anew; `moved`: with the curves of the last picture in their new places.
    void replot(const QSize& size, double ratio, bool moved);

    /// The value at a place: of the trend when there is one; NaN: none.
    double valueAt(const Curve& curve, double x) const;
    /// Pixels up or down to the nearest visible curve, and its number in `details`; -1: none is near.
    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& keys = QCPRange()) const override;

    static constexpr double kReach = 14;  ///< pixels from a curve that are near

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
