// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/sparkline.h"

#include <cmath>

#include <QPainterPath>

#include "widgets/paint.h"
#include "widgets/plot/reduction.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

Sparkline::Sparkline(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void Sparkline::setSeries(const Series* series, int color) {
    series_ = series;
    color_ = color;
    update();
}

void Sparkline::paintEvent(QPaintEvent*) {
    if (series_ == nullptr || series_->size() < 2)
        return;
    const XScale scale;
    const XRange range{series_->x(0, scale), series_->x(series_->size() - 1, scale)};
    double low = 0, high = 0;
    if (!(range.size() > 0) || !value_range(raw(*series_), scale, range, false, low, high))
        return;
    if (!(high > low)) {
        low -= 1;
        high += 1;
    }
    const QRectF area = QRectF(rect()).adjusted(1, 2, -1, -2);
    QPainterPath line;
    QPainterPath fill;
    bool drawing = false;
    double last_x = 0;
    for (const QPointF& point : reduced(raw(*series_), scale, range, std::max(2, width() / 2))) {
        if (point.x() < range.lower || !std::isfinite(point.y())) {
            drawing = false;
            continue;
        }
        const QPointF at(area.left() + (point.x() - range.lower) / range.size() * area.width(),
                         area.bottom() - (point.y() - low) / (high - low) * area.height());
        if (drawing) {
            line.lineTo(at);
            fill.lineTo(at);
        } else {
            if (!fill.isEmpty()) {
                fill.lineTo(last_x, area.bottom());
                fill.closeSubpath();
            }
            line.moveTo(at);
            fill.moveTo(at.x(), area.bottom());
            fill.lineTo(at);
        }
        drawing = true;
        last_x = at.x();
    }
    fill.lineTo(last_x, area.bottom());
    fill.closeSubpath();
    SmoothPainter painter(this);
    const Theme& theme = Theme::instance();
    const QColor color = theme.runColor(color_);
    painter.fillPath(fill, mixed(color, theme.color(Token::BgPanel), 0.16));
    painter.setPen(QPen(color, 1.5));
    painter.drawPath(line);
}

}  // namespace trainyard::widgets
