#pragma once
// A QCustomPlot as the charts of curves use it: axes, tickers, grid, margins, layers and legend are its own, the curves are a plottable
// (curve_plottable.h). It is never shown itself but paints onto the owner's picture: the buffers of its layers would be two more
// pictures of the size of the chart (1.8 MB each for a chart of 800 x 280 on a screen of twice the pixels), and a replot draws them all
// within one event, while the owner's redraw.h draws what is in sight and no more than a turn of the event loop allows. Included by few
// files, so that the plot library's large header stays there.

#include <functional>

#include <qcustomplot.h>

#include "widgets/plot/chart_view.h"
#include "widgets/plot/look.h"
#include "widgets/plot/plot_frame.h"

namespace trainyard::widgets {

class PlotCanvas : public QCustomPlot {
    Q_OBJECT
  public:
    explicit PlotCanvas(QWidget* parent);

    void setView(const ChartView& view);               ///< ranges and kinds of the axes
    const PlotFrame& frame() const { return frame_; }  ///< of what was painted last
    void setLook(const Look& look);
    const Look& look() const { return look_; }
    bool isPainting() const { return painting_; }
    void setDense(bool dense);  ///< small chart: fewer ticks, narrow margins

    /// All of it into the image, as large as this widget.
    void paintInto(QImage& image);
    /// On paper, at the painter's origin, under the name and the legend of `curves`; `above` then paints on top, while frame() is that of
    /// the paper.
    void paintOn(QCPPainter& painter, const QSize& size, const QString& name, const QVector<Curve>& curves,
                 const Look& look, const std::function<void()>& above);
    /// Pixels that name and legend take on a paper as wide as this.
    static int headHeight(int width, const QVector<Curve>& curves);

  protected:
    void updateLayout() override;

  private:
    void paint(QCPPainter& painter, const QSize& size);

    PlotFrame frame_;
    Look look_;
    int head_ = 0;           ///< pixels above the plot on paper
    bool painting_ = false;  ///< for the owner; the plot's own replots, of a widget that nobody sees, are none
};

}  // namespace trainyard::widgets
