// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/axis_paint.h"

#include <algorithm>
#include <cmath>

#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::widgets {

namespace {
const double& kAway = live_px(6.0);  // pixels between the words of a left axis and its lines
}  // namespace

void paint_axis(QPainter& painter, AxisEdge edge, const QRectF& area, const std::vector<AxisTick>& ticks,
                const std::function<double(double)>& pixel, const Look& look, double room) {
    painter.save();
    painter.setFont(Theme::instance().mono(11));
    const QFontMetricsF letters(painter.font());
    const double high = std::ceil(letters.height());
    for (const AxisTick& tick : ticks) {
        const double at = pixel(tick.at);
        painter.setPen(QPen(look.grid(), 1));
        if (edge == AxisEdge::Left)
            painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
        else
            painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
        painter.setPen(look.color(Token::TextMuted));
        if (edge == AxisEdge::Left) {
            const double most = (room > 0 ? room : area.left()) - kAway;
            painter.drawText(
                QRectF(area.left() - kAway - most, at - high / 2, most, high),
                Qt::AlignRight | Qt::AlignAbsolute | Qt::AlignVCenter,
                letters.elidedText(visible_text(bounded_line(tick.text, Qt::ElideMiddle)), Qt::ElideMiddle, most));
        } else {
            const double wide = letters.horizontalAdvance(tick.text) + 2;
            const double left = std::clamp(at - wide / 2, area.left(), std::max(area.left(), area.right() - wide));
            painter.drawText(QRectF(left, area.bottom() + 4, wide, high), Qt::AlignCenter, tick.text);
        }
    }
    painter.restore();
}

}  // namespace trainyard::widgets
