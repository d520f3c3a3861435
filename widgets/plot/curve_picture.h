#pragma once
// The picture of a chart's curves, kept as an image: what does not change the curves (pointer, focus, markers) paints it again without
// looking at a point, and while a picture that is slow to draw is dragged or zoomed the old image is shown in its new place.
// Bands, then raw lines, then trends, later curves above earlier ones. Few points are painted antialiased; many as spans.

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
    /// Trends of series that stay are kept.
    void setCurves(const QVector<Curve>& curves);
    /// Brings trends up to date; false when one is not whole yet (draw again).
    bool follow(const QVector<Curve>& curves, const ChartView& view);
    /// The image of a chart of `size`, for the plot to draw itself into.
    QImage& blank(const QSize& size, double ratio);
    /// The curves into that image, between grid and axes; `painter` paints on it, too.
    void draw(QPainter& painter, const QVector<Curve>& curves, const ChartView& view, const PlotFrame& frame,
              const Look& look);
    /// Keeps what the image shows, before it is drawn anew with drawMoved().
    void hold();
    /// The curves as they were drawn last, moved to where they are in this frame.
    void drawMoved(QPainter& painter, const PlotFrame& frame);
    const QImage& image() const { return image_; }
    /// As lines instead of an image, for paper. The trends are those of the last render().
    void paintLines(QPainter& painter, const QVector<Curve>& curves, const ChartView& view, const PlotFrame& frame,
                    const Look& look) const;
    /// One curve, thick, over the image.
    void paintThick(QPainter& painter, const Curve& curve, const ChartView& view, const PlotFrame& frame,
                    const Look& look) const;

    const TrendColumn& trendOf(const Curve& curve) const { return *trends_.at(curve.series); }
    double milliseconds() const { return milliseconds_; }  ///< that the curves took the last time
    /// Share of the points that the trends cover, 0..1: less while a long one is being computed.
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
    QImage image_;  ///< over pixels_
    QImage old_;    ///< of the curves alone, while they are moved
    PlotFrame frame_;
    PlotFrame old_frame_;
    double milliseconds_ = 0;
};

}  // namespace trainyard::widgets
