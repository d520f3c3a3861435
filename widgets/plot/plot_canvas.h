#pragma once
// The frame of a plot: axes, grid and ticks, drawn by QCustomPlot onto the owner's picture; on paper, between grid and axes, what the owner
// paints. It is never shown itself: its own buffers would be three more pictures of the size of the chart. Included by few files, so
// that the plot library's large header stays there.

#include <functional>

#include <qcustomplot.h>

#include "widgets/plot/chart_view.h"
#include "widgets/plot/look.h"
#include "widgets/plot/plot_frame.h"

namespace trainyard::widgets {

class PlotCanvas : public QCustomPlot {
    Q_OBJECT
  public:
    /// `paint` draws what lies in the frame on paper.
    using Paint = std::function<void(QPainter& painter, const PlotFrame& frame)>;
    PlotCanvas(QWidget* parent, Paint paint);

    /// Ranges and ticks of the view; margins grow for long numbers. Draws nothing yet.
    const PlotFrame& setView(const ChartView& view);
    const PlotFrame& frame() const { return frame_; }
    /// Background, grid, axes.
    void paintFrame(QImage& image);
    void setLook(const Look& look);
    const Look& look() const { return look_; }
    void setDense(bool dense);  ///< small chart: fewer ticks, narrow margins
    bool isDense() const { return dense_; }
    /// Axes and contents, at the painter's origin, without background; `above` then paints on top, while frame() is that of the paper.
    void paintOn(QCPPainter& painter, const QSize& size, const std::function<void()>& above);

  private:
    void placeTicks(const ChartView& view, const QSize& size);

    Paint paint_;
    QSharedPointer<QCPAxisTickerText> x_ticks_;
    QSharedPointer<QCPAxisTickerText> y_ticks_;
    ChartView view_;
    PlotFrame frame_;
    Look look_;
    bool dense_ = false;
};

}  // namespace trainyard::widgets
