// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A QCustomPlot for the charts of curves: axes, tickers, grid, margins, layers and legend are its own; the curves are a
// plottable (curve_plottable.h). It is never shown but paints onto the owner's picture: the buffers of its layers would
// be two more pictures of the size of the chart (1.8 MB each for a chart of 800 x 280 at a device pixel ratio of 2),
// and a replot draws them all within one event, while the owner's redraw.h only draws what is visible and no more than
// a turn of the event loop allows. Include it in few files, because the header of the plot library is large.

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

    /// Sets ranges and kinds of the axes. `right`: there are curves on the second vertical axis.
    void setView(const ChartView& view, bool right);
    const PlotFrame& frame() const { return frame_; }  ///< of the last painting
    void setLook(const Look& look);
    const Look& look() const { return look_; }
    bool isPainting() const { return painting_; }
    void setDense(bool dense);  ///< small chart: fewer ticks, narrow margins

    /// Paints everything into the image, which has the size of this widget.
    void paintInto(QImage& image);
    /// Paints on paper, at the painter's origin, below the name and the legend of `curves`. `above` then paints on top,
    /// while frame() is that of the paper.
    void paintOn(QCPPainter& painter, const QSize& size, const QString& name, const QVector<Curve>& curves,
                 const Look& look, const std::function<void()>& above);
    /// Height in pixels of name and legend on a paper of this width.
    static int headHeight(int width, const QVector<Curve>& curves);

  protected:
    void updateLayout() override;

  private:
    void paint(QCPPainter& painter, const QSize& size);

    PlotFrame frame_;
    Look look_;
    int head_ = 0;           ///< pixels above the plot on paper
    bool painting_ = false;  ///< the owner is painting; other replots, started by the hidden plot, are ignored
};

}  // namespace trainyard::widgets
