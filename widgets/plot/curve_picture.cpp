// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_picture.h"

#include <algorithm>
#include <cmath>

#include <QElapsedTimer>

#include "widgets/plot/curve_sign.h"
#include "widgets/plot/span_raster.h"

namespace trainyard::widgets {

namespace {

constexpr std::size_t kSmoothPoints = 12000;  // of all curves: more are not antialiased
constexpr int kMostBands = 24;                // curves; the bands of more would cover each other
constexpr double kTrendTime = 8;              // ms a picture that trends may be computed for
constexpr double kCalm = 2.5;                 // pixels up and down in each across
constexpr int kPhase = 4;         // pixels by which the dashes of one run are moved against those of the run before
constexpr double kBetween = 0.4;  // of the colour, between the dashes of a dense line

std::vector<QPointF> in_pixels(const std::vector<QPointF>& points, const PlotFrame& frame, const QPointF& origin,
                               double ratio) {
    std::vector<QPointF> pixels;
    pixels.reserve(points.size());
    if (!frame.log_x && !frame.log_y) {
        const double scale_x = frame.area.width() / frame.x.size() * ratio;
        const double scale_y = frame.area.height() / frame.y.size() * ratio;
        const double left = (frame.area.left() - origin.x()) * ratio;
        const double bottom = (frame.area.bottom() - origin.y()) * ratio;
        for (const QPointF& point : points)
            pixels.emplace_back(left + (point.x() - frame.x.lower) * scale_x,
                                bottom - (point.y() - frame.y.lower) * scale_y);
        return pixels;
    }
    for (const QPointF& point : points)
        pixels.push_back((frame.pixelOf(point) - origin) * ratio);
    return pixels;
}

/// Pixels a line goes up and down in all.
double travel(const std::vector<QPointF>& points, const PlotFrame& frame) {
    double sum = 0, before = std::numeric_limits<double>::quiet_NaN();
    for (const QPointF& point : points) {
        const double y = frame.pixelOfY(point.y());
        if (std::isfinite(y - before))
            sum += std::abs(y - before);
        before = y;
    }
    return sum;
}

bool is_drawn(const QPointF& point) {
    return std::isfinite(point.x()) && std::isfinite(point.y());
}

/// Far outside the painter's range of numbers lines wander; beyond the area it does not matter where they end.
QPointF held(const QPointF& point, const QRectF& area) {
    return {point.x(),
            std::clamp(point.y(), area.top() - 4 * area.height() - 100, area.bottom() + 4 * area.height() + 100)};
}

/// Stretches between gaps. A stretch of one point becomes a dot.
void draw_line(QPainter& painter, const std::vector<QPointF>& points, const QPen& pen, const QRectF& area) {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    QVector<QPointF> stretch;
    QVector<QLineF> pieces;
    const auto end = [&] {
        if (stretch.size() == 1) {
            painter.save();
            painter.setPen(Qt::NoPen);
            painter.setBrush(pen.color());
            const double radius = std::max(1.5, pen.widthF());
            painter.drawEllipse(stretch.first(), radius, radius);
            painter.restore();
        } else if (stretch.size() > 1 && pen.style() != Qt::SolidLine) {
            painter.drawPolyline(stretch.constData(), static_cast<int>(stretch.size()));
        } else if (stretch.size() > 1) {
            // Line by line: a joined polyline wider than a pixel costs many times as much.
            pieces.clear();
            for (qsizetype i = 1; i < stretch.size(); ++i)
                pieces.append({stretch[i - 1], stretch[i]});
            painter.drawLines(pieces);
        }
        stretch.clear();
    };
    for (const QPointF& point : points) {
        if (is_drawn(point))
            stretch.append(held(point, area));
        else
            end();
    }
    end();
}

QPen line_pen(const Curve& curve, const QColor& color, double width) {
    QPen pen(color, width, curve.dash, Qt::SquareCap, Qt::BevelJoin);
    if (curve.dash == Qt::SolidLine)
        return pen;
    pen.setCapStyle(Qt::FlatCap);
    const double unit = std::max(1.0, width);
    if (curve.dash == Qt::DashLine)
        pen.setDashPattern({7 / unit, 4 / unit});
    else if (curve.dash == Qt::DotLine)
        pen.setDashPattern({2 / unit, 3 / unit});
    else if (curve.dash == Qt::DashDotLine)
        pen.setDashPattern({7 / unit, 3 / unit, 2 / unit, 3 / unit});
    return pen;
}

QColor raw_color(const Curve& curve, const ChartView& view, const Look& look) {
    const QColor color = look.run(curve.color);
    return has_trend(curve, view) ? mixed(color, look.color(Token::BgPanel), look.dark ? 0.55 : 0.45) : color;
}

QColor band_color(const Curve& curve, const Look& look) {
    // Opaque mixtures instead of alpha: a long translucent polyline costs several times as much.
    const double usual = look.dark ? 0.30 : 0.24;
    return mixed(look.run(curve.color), look.color(Token::BgPanel), curve.fill > 0 ? curve.fill : usual);
}

}  // namespace

void CurvePicture::setCurves(const QVector<Curve>& curves) {
    std::unordered_map<const Series*, std::unique_ptr<TrendColumn>> kept;
    for (const Curve& curve : curves) {
        std::unique_ptr<TrendColumn>& trend = kept[curve.series];
        if (trend)
            continue;
        const auto found = trends_.find(curve.series);
        if (found != trends_.end() && found->second)
            trend = std::move(found->second);
        else
            trend = std::make_unique<TrendColumn>();
    }
    trends_ = std::move(kept);
}

double CurvePicture::trendsDone(const QVector<Curve>& curves, const ChartView& view) const {
    double least = 1;
    for (const Curve& curve : curves)
        if (curve.visible && has_trend(curve, view))
            least = std::min(least, trendOf(curve).done(*curve.series));
    return least;
}

std::vector<CurvePicture::Layer> CurvePicture::layers(const QVector<Curve>& curves, const ChartView& view, int columns,
                                                      std::size_t& points) const {
    std::vector<Layer> found;
    const auto shown = std::count_if(curves.begin(), curves.end(), [](const Curve& curve) { return curve.visible; });
    points = 0;
    for (const Curve& curve : curves) {
        if (!curve.visible || curve.series->empty())
            continue;
        found.push_back({&curve, lines_of(curve, trendOf(curve), view, columns,
                                          shown <= kMostBands && curve.strength == Strength::Normal)});
        const CurveLines& lines = found.back().lines;
        points += lines.trend.size() + (lines.dense ? 0 : lines.raw.size());
    }
    return found;
}

bool CurvePicture::follow(const QVector<Curve>& curves, const ChartView& view) {
    QElapsedTimer clock;
    clock.start();
    bool whole = true;
    for (const Curve& curve : curves)
        if (curve.visible && has_trend(curve, view)) {
            const double left = std::max(0.0, kTrendTime - static_cast<double>(clock.nsecsElapsed()) * 1e-6);
            whole = trends_.at(curve.series)->follow(*curve.series, view.trend, view.smoothing, left) && whole;
        }
    return whole;
}

QImage& CurvePicture::blank(const QSize& size, double ratio) {
    const QSize wanted = (QSizeF(size) * ratio).toSize().expandedTo({1, 1});
    if (image_.size() != wanted) {
        // An odd number of cache lines a row: pixels above each other do not share the same few places of the cache.
        static constexpr int kLine = 16;
        const int lines = ((wanted.width() + kLine - 1) / kLine) | 1;
        pixels_.assign(static_cast<std::size_t>(lines) * kLine * static_cast<std::size_t>(wanted.height()), 0);
        image_ = QImage(reinterpret_cast<uchar*>(pixels_.data()), wanted.width(), wanted.height(), lines * kLine * 4,
                        QImage::Format_RGB32);
    }
    image_.setDevicePixelRatio(ratio);
    return image_;
}

void CurvePicture::draw(QPainter& painter, const QVector<Curve>& curves, const ChartView& view, const PlotFrame& frame,
                        const Look& look) {
    QElapsedTimer clock;
    clock.start();
    frame_ = frame;
    old_ = {};
    const double ratio = image_.devicePixelRatio();
    const QRect area =
        QRectF(QPointF(frame.area.topLeft()) * ratio, QSizeF(frame.area.size()) * ratio).toAlignedRect() &
        image_.rect();
    if (area.isEmpty())
        return;
    const int width = area.width();
    std::size_t points = 0;
    std::vector<Layer> found = layers(curves, view, width, points);
    // A line that hardly moves up and down within a pixel is as smooth as one of few points.
    if (found.size() <= kMostBands)
        for (Layer& layer : found)
            if (layer.lines.dense &&
                travel(layer.lines.raw, frame.side(layer.curve->right)) < kCalm * frame.area.width()) {
                layer.lines.dense = false;
                points += layer.lines.raw.size();
            }
    const bool crowded = points > kSmoothPoints;
    const QPointF origin = frame.area.topLeft();
    SpanRaster raster(image_, area);
    const auto between = [&](const QColor& color) { return mixed(color, look.color(Token::BgPanel), kBetween).rgb(); };
    if (crowded)
        for (auto layer = found.rbegin(); layer != found.rend(); ++layer)
            if (!layer->lines.trend.empty())
                raster.addLine(in_pixels(layer->lines.trend, frame.side(layer->curve->right), origin, ratio),
                               look.run(layer->curve->color).rgb(), static_cast<int>(std::lround(2 * ratio)),
                               layer->curve->dash, between(look.run(layer->curve->color)),
                               kPhase * layer->curve->color);
    for (auto layer = found.rbegin(); layer != found.rend(); ++layer)
        if (crowded || layer->lines.dense)
            raster.addLine(in_pixels(layer->lines.raw, frame.side(layer->curve->right), origin, ratio),
                           raw_color(*layer->curve, view, look).rgb(),
                           std::max(1, static_cast<int>(std::lround(ratio))),
                           layer->lines.trend.empty() ? layer->curve->dash : Qt::SolidLine,
                           between(raw_color(*layer->curve, view, look)), kPhase * layer->curve->color);
    for (auto layer = found.rbegin(); layer != found.rend(); ++layer)
        if (!layer->lines.band.lower.empty())
            raster.addBand(in_pixels(layer->lines.band.lower, frame.side(layer->curve->right), origin, ratio),
                           in_pixels(layer->lines.band.upper, frame.side(layer->curve->right), origin, ratio),
                           band_color(*layer->curve, look).rgb());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(frame.area);
    if (!crowded)
        paintLayers(painter, found, view, frame, look, false);
    for (const Layer& layer : found)
        if (layer.curve->end != EndMarker::None) {
            const std::vector<QPointF>& line = layer.lines.trend.empty() ? layer.lines.raw : layer.lines.trend;
            for (auto point = line.rbegin(); point != line.rend(); ++point)
                if (const QPointF at = frame.side(layer.curve->right).pixelOf(*point);
                    is_drawn(at) && is_drawn(*point)) {
                    painter.setClipping(false);
                    if (frame.area.adjusted(-2, -2, 2, 2).contains(at.toPoint()))
                        paint_end_marker(painter, layer.curve->end, at, look.run(layer.curve->color));
                    break;
                }
        }
    milliseconds_ = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

void CurvePicture::paintLayers(QPainter& painter, const std::vector<Layer>& layers, const ChartView& view,
                               const PlotFrame& frame, const Look& look, bool dense_too) const {
    const QRectF area = frame.area;
    for (const Layer& layer : layers) {
        if (layer.lines.dense && !dense_too)
            continue;
        const bool thin = !layer.lines.trend.empty() || layer.curve->strength != Strength::Normal || layer.lines.dense;
        QPen pen = line_pen(*layer.curve, raw_color(*layer.curve, view, look), thin ? 1 : 1.5);
        if (!layer.lines.trend.empty())
            pen.setStyle(Qt::SolidLine);
        draw_line(painter, in_pixels(layer.lines.raw, frame.side(layer.curve->right), {}, 1), pen, area);
    }
    for (const Layer& layer : layers)
        if (!layer.lines.trend.empty())
            draw_line(
                painter, in_pixels(layer.lines.trend, frame.side(layer.curve->right), {}, 1),
                line_pen(*layer.curve, look.run(layer.curve->color), layer.curve->strength == Strength::Normal ? 2 : 1),
                area);
}

void CurvePicture::hold() {
    if (!old_.isNull() || image_.isNull())
        return;
    const double ratio = image_.devicePixelRatio();
    old_ =
        image_.copy(QRectF(QPointF(frame_.area.topLeft()) * ratio, QSizeF(frame_.area.size()) * ratio).toAlignedRect());
    old_frame_ = frame_;
}

void CurvePicture::drawMoved(QPainter& painter, const PlotFrame& frame) {
    frame_ = frame;
    // Where the old picture's corners lie now. Both logarithmic: shares of the axis move evenly, too.
    const QPointF from(frame.pixelOfX(old_frame_.x.lower), frame.pixelOfY(old_frame_.y.upper));
    const QPointF to(frame.pixelOfX(old_frame_.x.upper), frame.pixelOfY(old_frame_.y.lower));
    if (frame.log_x != old_frame_.log_x || frame.log_y != old_frame_.log_y || !is_drawn(from) || !is_drawn(to))
        return;
    painter.setClipRect(frame.area);
    const QSizeF size = old_.deviceIndependentSize();
    if (std::abs(to.x() - from.x() - size.width()) < 1 && std::abs(to.y() - from.y() - size.height()) < 1)
        painter.drawImage(QPointF(std::round(from.x()), std::round(from.y())), old_);  // moved only: pixels are copied
    else
        painter.drawImage(QRectF(from, to), old_, old_.rect());
}

void CurvePicture::paintLines(QPainter& painter, const QVector<Curve>& curves, const ChartView& view,
                              const PlotFrame& frame, const Look& look) const {
    std::size_t points = 0;
    const std::vector<Layer> found = layers(curves, view, frame.area.width() * 2, points);
    painter.save();
    painter.setClipRect(frame.area, Qt::IntersectClip);
    for (const Layer& layer : found) {
        if (layer.lines.band.lower.empty())
            continue;
        QPolygonF edge;
        const PlotFrame side = frame.side(layer.curve->right);
        for (const QPointF& point : layer.lines.band.lower)
            edge << held(side.pixelOf(point), frame.area);
        for (auto point = layer.lines.band.upper.rbegin(); point != layer.lines.band.upper.rend(); ++point)
            edge << held(side.pixelOf(*point), frame.area);
        painter.setPen(Qt::NoPen);
        painter.setBrush(band_color(*layer.curve, look));
        painter.drawPolygon(edge);
    }
    paintLayers(painter, found, view, frame, look, true);
    painter.restore();
    for (const Layer& layer : found) {
        const std::vector<QPointF>& line = layer.lines.trend.empty() ? layer.lines.raw : layer.lines.trend;
        const PlotFrame side = frame.side(layer.curve->right);
        if (layer.curve->end != EndMarker::None && !line.empty() &&
            frame.area.contains(side.pixelOf(line.back()).toPoint()))
            paint_end_marker(painter, layer.curve->end, side.pixelOf(line.back()), look.run(layer.curve->color));
    }
}

void CurvePicture::paintThick(QPainter& painter, const Curve& curve, const ChartView& view, const PlotFrame& frame,
                              const Look& look) const {
    const CurveLines lines = lines_of(curve, trendOf(curve), view, std::max(1, frame.area.width() / 2), false);
    Curve strong = curve;
    strong.strength = Strength::Normal;
    painter.save();
    painter.setClipRect(frame.area, Qt::IntersectClip);
    draw_line(painter, in_pixels(lines.trend.empty() ? lines.raw : lines.trend, frame.side(curve.right), {}, 1),
              line_pen(strong, look.run(strong.color), lines.dense && lines.trend.empty() ? 1.5 : 3), frame.area);
    painter.restore();
}

}  // namespace trainyard::widgets
