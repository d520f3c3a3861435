#pragma once
// The picture of a chart: axes, grid, bands and lines, drawn by QCustomPlot from reduced data. Takes no mouse and no keys: CurveChart
// does. Included by curve_chart.cpp alone, so that the plot library's large header stays in one place.

#include <memory>
#include <vector>

#include <qcustomplot.h>

#include "widgets/plot/chart_view.h"
#include "widgets/plot/smoothing.h"

namespace trainyard::widgets {

class PlotCanvas : public QCustomPlot {
    Q_OBJECT
  public:
    explicit PlotCanvas(QWidget* parent);

    void setCurves(const QVector<Curve>& curves);
    /// Brings smoothed columns up to date, reduces, paints. Colours are asked from the theme each time they change.
    void draw(const ChartView& view);
    void applyTheme();
    void setDense(bool dense);  ///< small chart: fewer ticks, narrow margins

    QRect plotArea() const;
    double xAt(double pixel) const;
    double pixelOfX(double x) const;
    double yAt(double pixel) const;
    double pixelOfY(double y) const;
    const SmoothedColumn& smoothedOf(int curve) const { return *lines_[static_cast<std::size_t>(curve)].smoothed; }
    void updateSmoothing(const ChartView& view);

  private:
    struct Line {
        Curve curve;
        QCPGraph* lower = nullptr;
        QCPGraph* upper = nullptr;
        QCPGraph* raw = nullptr;
        QCPGraph* smooth = nullptr;
        std::unique_ptr<SmoothedColumn> smoothed;
    };
    void drawLine(Line& line, const ChartView& view);
    void placeTicks(const ChartView& view);

    std::vector<Line> lines_;
    QSharedPointer<QCPAxisTickerText> x_ticks_;
    QSharedPointer<QCPAxisTickerText> y_ticks_;
    bool dense_ = false;
};

}  // namespace trainyard::widgets
