#include "widgets/plot/span_raster.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace trainyard::widgets {

bool dash_covers(Qt::PenStyle dash, int column) {
    switch (dash) {
        case Qt::DashLine:
            return column % 11 < 7;
        case Qt::DotLine:
            return column % 5 < 2;
        case Qt::DashDotLine:
            return column % 15 < 7 || (column % 15 >= 10 && column % 15 < 12);
        case Qt::NoPen:
            return false;
        default:
            return true;
    }
}

SpanRaster::SpanRaster(QImage& image, const QRect& area)
    : width_(area.width()),
      height_(area.height()),
      words_((height_ + 63) / 64),
      covered_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(words_), 0),
      pixels_(reinterpret_cast<std::uint32_t*>(image.bits()) + area.top() * (image.bytesPerLine() / 4) + area.left()),
      stride_(image.bytesPerLine() / 4) {}

void SpanRaster::span(int column, double top, double bottom, QRgb color) {
    if (bottom < 0 || top >= height_)
        return;
    const int first = top <= 0 ? 0 : static_cast<int>(top);
    const int last = bottom >= height_ ? height_ - 1 : static_cast<int>(bottom);
    std::uint64_t* covered = covered_.data() + static_cast<std::ptrdiff_t>(column) * words_;
    for (int word = first / 64; word <= last / 64; ++word) {
        std::uint64_t mask = ~std::uint64_t{0};
        if (word == first / 64)
            mask &= ~std::uint64_t{0} << (first % 64);
        if (word == last / 64)
            mask &= ~std::uint64_t{0} >> (63 - last % 64);
        std::uint64_t fresh = mask & ~covered[word];
        covered[word] |= mask;
        std::uint32_t* at = pixels_ + static_cast<std::ptrdiff_t>(word) * 64 * stride_ + column;
        while (fresh != 0) {
            const int bit = std::countr_zero(fresh);
            at[bit * stride_] = color;
            fresh &= fresh - 1;
        }
    }
}

void SpanRaster::addLine(const std::vector<QPointF>& points, QRgb color, int thickness, Qt::PenStyle dash, QRgb between,
                         int phase) {
    const double above = (thickness - 1) / 2.0, below = thickness - 1 - above;
    int column = -1;
    double top = 0, bottom = 0;
    const auto flush = [&] {
        if (column >= 0 && column < width_)
            span(column, top - above, bottom + below,
                 dash == Qt::SolidLine || dash_covers(dash, column + phase) ? color : between);
        column = -1;
    };
    const auto reach = [&](int at, double y0, double y1) {
        if (y0 > y1)
            std::swap(y0, y1);
        if (at != column) {
            flush();
            column = at;
            top = y0;
            bottom = y1;
        } else {
            top = std::min(top, y0);
            bottom = std::max(bottom, y1);
        }
    };
    const QPointF* before = nullptr;
    for (const QPointF& point : points) {
        if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
            before = nullptr;
            continue;
        }
        const double x1 = point.x(), y1 = point.y();
        const int end = static_cast<int>(std::clamp(std::floor(x1), -1.0, static_cast<double>(width_)));
        if (!before) {
            if (end >= 0 && end < width_)
                reach(end, y1, y1);
        } else {
            const double x0 = before->x(), y0 = before->y();
            const int begin = static_cast<int>(std::clamp(std::floor(x0), -1.0, static_cast<double>(width_)));
            if (begin == end) {
                if (end >= 0 && end < width_)
                    reach(end, y0, y1);
            } else {
                const double slope = (y1 - y0) / (x1 - x0);
                for (int at = std::max(begin, 0); at <= std::min(end, width_ - 1); ++at)
                    reach(at, at <= begin ? y0 : y0 + (at - x0) * slope, at >= end ? y1 : y0 + (at + 1 - x0) * slope);
            }
        }
        before = &point;
    }
    flush();
}

void SpanRaster::addBand(const std::vector<QPointF>& lower, const std::vector<QPointF>& upper, QRgb color) {
    const std::size_t count = std::min(lower.size(), upper.size());
    for (std::size_t i = 1; i < count; ++i) {
        const double x0 = lower[i - 1].x(), x1 = lower[i].x();
        if (!(x1 > x0) || !std::isfinite(lower[i].y() + upper[i].y() + lower[i - 1].y() + upper[i - 1].y()))
            continue;
        const int begin = static_cast<int>(std::clamp(std::floor(x0), 0.0, static_cast<double>(width_)));
        const int end = static_cast<int>(std::clamp(std::floor(x1), -1.0, static_cast<double>(width_ - 1)));
        for (int at = begin; at <= end; ++at) {
            const double share = std::clamp((at + 0.5 - x0) / (x1 - x0), 0.0, 1.0);
            span(at, upper[i - 1].y() + (upper[i].y() - upper[i - 1].y()) * share,
                 lower[i - 1].y() + (lower[i].y() - lower[i - 1].y()) * share, color);
        }
    }
}

}  // namespace trainyard::widgets
