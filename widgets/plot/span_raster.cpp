// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/span_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

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
      spans_(static_cast<std::size_t>(width_)),
      left_(width_),
      words_((height_ + 63) / 64),
      covered_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(words_), 0),
      pixels_(reinterpret_cast<std::uint32_t*>(image.bits()) + area.top() * (image.bytesPerLine() / 4) + area.left()),
      stride_(image.bytesPerLine() / 4) {}

/// Makes the span of a column so long that it reaches from `top` to `bottom`, too.
void SpanRaster::reach(int column, double top, double bottom, QRgb color) {
    if (!(bottom >= 0) || !(top < height_))
        return;
    const int first = top <= 0 ? 0 : static_cast<int>(top);
    const int last = bottom >= height_ ? height_ - 1 : static_cast<int>(bottom);
    Span& span = spans_[static_cast<std::size_t>(column)];
    if (span.last < span.first) {
        span = {first, last, color};
    } else {
        span.first = std::min(span.first, first);
        span.last = std::max(span.last, last);
    }
    left_ = std::min(left_, column);
    right_ = std::max(right_, column);
}

/// Writes the spans where nothing was written yet, and forgets them.
void SpanRaster::lay() {
    for (int column = left_ / kTile * kTile; column <= right_; column += kTile)
        layTile(column);
    if (left_ <= right_)
        std::fill(spans_.begin() + left_, spans_.begin() + right_ + 1, Span());
    left_ = width_;
    right_ = -1;
}

void SpanRaster::layTile(int column) {
    const int count = std::min(kTile, width_ - column);
    const Span* spans = spans_.data() + column;
    std::uint64_t* covered = covered_.data() + static_cast<std::ptrdiff_t>(column) * words_;
    int top = height_, bottom = -1;
    QRgb colors[kTile];
    for (int i = 0; i < count; ++i) {
        colors[i] = spans[i].color;
        if (spans[i].first <= spans[i].last) {
            top = std::min(top, spans[i].first);
            bottom = std::max(bottom, spans[i].last);
        }
    }
    for (int word = top / 64; word <= bottom / 64 && bottom >= 0; ++word) {
        std::uint64_t fresh[kTile];
        std::uint64_t all = count == kTile ? ~std::uint64_t{0} : 0;  // rows that are to be written in every column
        for (int i = 0; i < count; ++i) {
            const int first = std::max(spans[i].first - word * 64, 0), last = std::min(spans[i].last - word * 64, 63);
            fresh[i] = 0;
            if (first <= last) {
                const std::uint64_t mask = (~std::uint64_t{0} << first) & (~std::uint64_t{0} >> (63 - last));
                fresh[i] = mask & ~covered[i * words_ + word];
                covered[i * words_ + word] |= mask;
            }
            all &= fresh[i];
        }
        std::uint32_t* at = pixels_ + static_cast<std::ptrdiff_t>(word) * 64 * stride_ + column;
        for (std::uint64_t rows = all; rows != 0; rows &= rows - 1)
            std::memcpy(at + std::countr_zero(rows) * stride_, colors, sizeof colors);
        for (int i = 0; i < count; ++i)
            for (std::uint64_t rows = fresh[i] & ~all; rows != 0; rows &= rows - 1)
                at[std::countr_zero(rows) * stride_ + i] = colors[i];
    }
}

void SpanRaster::addLine(const std::vector<QPointF>& points, QRgb color, int thickness, Qt::PenStyle dash, QRgb between,
                         int phase) {
    const double above = (thickness - 1) / 2.0, below = thickness - 1 - above;
    const auto reach_to = [&](int at, double y0, double y1) {
        reach(at, std::min(y0, y1) - above, std::max(y0, y1) + below,
              dash == Qt::SolidLine || dash_covers(dash, at + phase) ? color : between);
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
                reach_to(end, y1, y1);
        } else {
            const double x0 = before->x(), y0 = before->y();
            const int begin = static_cast<int>(std::clamp(std::floor(x0), -1.0, static_cast<double>(width_)));
            if (begin == end) {
                if (end >= 0 && end < width_)
                    reach_to(end, y0, y1);
            } else {
                const double slope = (y1 - y0) / (x1 - x0);
                for (int at = std::max(begin, 0); at <= std::min(end, width_ - 1); ++at)
                    reach_to(at, at <= begin ? y0 : y0 + (at - x0) * slope,
                             at >= end ? y1 : y0 + (at + 1 - x0) * slope);
            }
        }
        before = &point;
    }
    lay();
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
            reach(at, upper[i - 1].y() + (upper[i].y() - upper[i - 1].y()) * share,
                  lower[i - 1].y() + (lower[i].y() - lower[i - 1].y()) * share, color);
        }
    }
    lay();
}

}  // namespace trainyard::widgets
