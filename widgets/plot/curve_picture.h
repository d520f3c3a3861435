// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The picture of a chart's curves, cached as an image. Changes that do not affect the curves (pointer, focus, markers)
// paint the image again without accessing the points. While a picture that is slow to draw is dragged or zoomed, the
// old image is shown at its new place. Bands are drawn first, then raw lines, then trends; later curves are above
// earlier ones. Few points are painted antialiased, many as spans.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <QImage>
#include <QPainter>

#include "widgets/plot/curve_lines.h"
#include "widgets/plot/look.h"
#include "widgets/plot/plot_frame.h"
#include "widgets/plot/trend_column.h"

namespace trainyard::widgets {

class CurvePicture {
  public:
    /// Sets the curves. Trends of unchanged series are kept.
    void setCurves(const QVector<Curve>& curves);
    /// Updates the trends. Returns false if one is incomplete; then draw again.
    bool follow(const QVector<Curve>& curves, const ChartView& view);
    /// Returns the empty image of a chart of `size`, for the plot to draw into.
    QImage& blank(const QSize& size, double ratio);
    /// Draws the curves into the image, between grid and axes, and onto `painter`.
    void draw(QPainter& painter, const QVector<Curve>& curves, const ChartView& view, const PlotFrame& frame,
              const Look& look);
    /// Stores the current image, before drawMoved() redraws it.
    void hold();
    /// Draws the curves of the last drawing, moved to their places in this frame.
    void drawMoved(QPainter& painter, const PlotFrame& frame);
    const QImage& image() const { return image_; }
    /// Paints lines instead of an image, for paper. The trends are those of the last drawing.
    void paintLines(QPainter& painter, const QVector<Curve>& curves, const ChartView& view, const PlotFrame& frame,
                    const Look& look) const;
    /// Paints one curve with a thick line over the image.
    void paintThick(QPainter& painter, const Curve& curve, const ChartView& view, const PlotFrame& frame,
                    const Look& look) const;

    const TrendColumn& trendOf(const Curve& curve) const { return *trends_.at(curve.series); }
    double milliseconds() const { return milliseconds_; }  ///< time taken by the last drawing of the curves
    /// Share of the points covered by the trends, 0..1; less than 1 while a long one is being computed.
    double trendsDone(const QVector<Curve>& curves, const ChartView& view) const;

  private:
    struct Layer {
        const Curve* curve = nullptr;
        CurveLines lines;
    };
    std::vector<Layer> layers(const QVector<Curve>& curves, const ChartView& view, int columns,
                              std::size_t& points) const;
    void paintLayers(QPainter& painter, const std::vector<Layer>& layers, const ChartView& view, const PlotFrame& frame,
                     const Look& look, bool dense_too) const;

    std::unordered_map<const Series*, std::unique_ptr<TrendColumn>> trends_;
    std::vector<std::uint32_t> pixels_;
    QImage image_;  ///< shares the memory of pixels_
    QImage old_;    ///< the curves alone, while they are moved
    PlotFrame frame_;
    PlotFrame old_frame_;
    double milliseconds_ = 0;
};

}  // namespace trainyard::widgets
