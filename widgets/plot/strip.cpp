// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/strip.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QMouseEvent>
#include <QPainter>

#include "widgets/theme.h"

namespace trainyard::widgets {

Strip::Strip(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessibleName);
    setMouseTracking(true);
}

void Strip::setView(const XScale& scale, const XRange& range) {
    if (scale == scale_ && range == range_)
        return;
    scale_ = scale;
    range_ = range;
    dataChanged();
}

void Strip::setCrosshair(double x) {
    if (x == crosshair_ || (std::isnan(x) && std::isnan(crosshair_)))
        return;
    crosshair_ = x;
    update();
}

void Strip::setAxisWidth(int pixels) {
    if (const int width = std::max(pixels, kLeastWidth); width != std::exchange(axis_width_, width))
        dataChanged();
}

void Strip::dataChanged() {
    dirty_ = true;
    update();
}

bool Strip::takeDirty() const {
    return std::exchange(dirty_, false);
}

int Strip::columns() const {
    return std::max(1, area().width() / kCell);
}

void Strip::paintCrosshair(QPainter& painter) const {
    if (!(crosshair_ >= range_.lower && crosshair_ <= range_.upper))
        return;
    const QRect all = area();
    const double x = all.left() + (crosshair_ - range_.lower) / range_.size() * all.width();
    painter.setPen(Theme::instance().color(Token::Text));
    painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom()));
}

void Strip::pointTo(double x) {
    setCrosshair(x);
    emit crosshairMoved(x);
}

void Strip::mouseMoveEvent(QMouseEvent* event) {
    const QRect all = area();
    if (const int x = event->pos().x(); x >= all.left() && x <= all.right())
        pointTo(range_.lower + static_cast<double>(x - all.left()) / all.width() * range_.size());
}

void Strip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    dataChanged();
}

}  // namespace trainyard::widgets
