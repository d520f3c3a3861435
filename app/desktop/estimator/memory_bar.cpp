// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/memory_bar.h"

#include <algorithm>
#include <numeric>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent) {
    setFixedHeight(16_px);
}

void MemoryBar::show(const MemoryGroups& parts, double limit, bool dim) {
    parts_ = parts;
    limit_ = limit;
    dim_ = dim;
    update();
}

void MemoryBar::paintEvent(QPaintEvent*) {
    Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    fill_box(painter, QRectF(rect()), 4, theme.color(Token::BgHover));
    const double total = std::accumulate(parts_.begin(), parts_.end(), 0.0);
    if (total == 0)
        return;
    constexpr double kRoomAfterMark = 1.03;
    const double whole = std::max(total, limit_) * (limit_ > 0 ? kRoomAfterMark : 1.0);
    const auto width_of = [&](double bytes) { return width() * bytes / whole; };
    painter.setOpacity(dim_ ? 0.4 : 1.0);
    painter.setRenderHint(QPainter::Antialiasing, false);
    double left = 0;
    for (int i = 0; i < kMemoryGroups; ++i) {
        const double width = width_of(parts_[static_cast<std::size_t>(i)]);
        painter.fillRect(QRectF(left, 0, std::max(0.0, width - 1), height()), memoryGroupColor(i));
        left += width;
    }
    if (limit_ <= 0)
        return;
    const double mark = width_of(limit_);
    if (left > mark) {
        painter.setOpacity(1);
        painter.fillRect(QRectF(mark, 0, left - mark, height()), QBrush(theme.color(Token::BgPanel), Qt::BDiagPattern));
    }
    painter.fillRect(QRectF(mark - 1, 0, 2, height()), theme.color(Token::Error));
}

}  // namespace trainyard::desktop
