// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/chart_legend.h"

#include <algorithm>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyle>

#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/curve_sign.h"
#include "widgets/plot/look.h"
#include "widgets/plot/number_text.h"

namespace trainyard::widgets {

namespace {
const int& kLine = live_px(20);       // pixels
const int& kLinePiece = live_px(16);  // a piece of the line
const int& kEntryGap = live_px(14);
const int& kEdge = live_px(4);  // room for the ring of the focus
const int& kLongestEntry = live_px(260);
constexpr int kMostLines = 2;
const int& kRestRoom = live_px(110);  // for "and 488 more"
}  // namespace

ChartLegend::ChartLegend(CurveChart* chart, QWidget* parent) : QWidget(parent), chart_(chart) {
    setAccessibleName(tr("Curves of %1").arg(chart->accessibleName()));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(chart, &CurveChart::curvesShownChanged, this, [this] {
        chosen_ = std::clamp(chosen_, 0, std::max(0, static_cast<int>(chart_->curves().size()) - 1));
        fitHeight();
    });
    connect(chart, &CurveChart::hoveredCurveChanged, this, [this] { update(); });
    connect(chart, &CurveChart::crosshairMoved, this, [this] { update(); });
    connect(chart, &CurveChart::redrawn, this, [this] { update(); });
}

int ChartLegend::entryWidth(int curve) const {
    const Theme& theme = Theme::instance();
    const int name = std::min(
        kLongestEntry, QFontMetrics(theme.text(12, QFont::DemiBold)).horizontalAdvance(chart_->curves()[curve].name));
    // As wide whatever the value is, or the names would dance.
    const int value = QFontMetrics(theme.mono(12)).horizontalAdvance(QLatin1Char('0')) * 9 + 6;
    return kLinePiece + 6 + name + value;
}

QVector<ChartLegend::Entry> ChartLegend::entries(int width, int* rest) const {
    QVector<Entry> found;
    int x = kEdge, line = 0;
    const auto count = static_cast<int>(chart_->curves().size());
    for (int i = 0; i < count; ++i) {
        const int wide = entryWidth(i);
        const bool last_line = line + 1 == kMostLines;
        const int room = last_line && i + 1 < count ? width - kRestRoom : width;
        if (x > kEdge && x + wide > room) {
            if (last_line) {
                if (rest)
                    *rest = count - i;
                return found;
            }
            x = kEdge;
            ++line;
        }
        found.append({i, QStyle::visualRect(layoutDirection(), {0, 0, width, kLine}, {x, line * kLine, wide, kLine})});
        x += wide + kEntryGap;
    }
    if (rest)
        *rest = 0;
    return found;
}

QSize ChartLegend::sizeHint() const {
    int width = 0;
    for (int i = 0; i < chart_->curves().size() && width < 600_px; ++i)
        width += entryWidth(i) + kEntryGap;
    return {std::clamp(width, 80_px, 600_px), heightForWidth(std::clamp(width, 80_px, 600_px))};
}

int ChartLegend::heightForWidth(int width) const {
    const QVector<Entry> found = entries(width);
    return found.isEmpty() ? kLine : found.last().box.bottom() + 1;
}

int ChartLegend::curveAt(const QPoint& position) const {
    for (const Entry& entry : entries(width()))
        if (entry.box.contains(position))
            return entry.curve;
    return -1;
}

void ChartLegend::paintEvent(QPaintEvent*) {
    SmoothPainter painter(this);
    const Theme& theme = Theme::instance();
    const Look look = screen_look();
    int rest = 0;
    const QVector<Entry> found = entries(width(), &rest);
    for (const Entry& entry : found) {
        const Curve& curve = chart_->curves()[entry.curve];
        const bool hovered = entry.curve == chart_->hoveredCurve();
        const QColor color = curve.visible ? look.run(curve.color) : look.color(Token::TextMuted);
        const Qt::LayoutDirection direction = layoutDirection();
        const auto part = [&](const QRect& place) { return QStyle::visualRect(direction, entry.box, place); };
        paint_curve_sign(painter, curve, part({entry.box.left(), entry.box.top(), kLinePiece, kLine}), color);
        painter.setFont(theme.text(12, hovered ? QFont::DemiBold : QFont::Normal));
        painter.setPen(look.color(!curve.visible ? Token::TextMuted : hovered ? Token::Text : Token::TextSecondary));
        const int name_room =
            std::min(kLongestEntry, QFontMetrics(theme.text(12, QFont::DemiBold)).horizontalAdvance(curve.name));
        const QRect name = part({entry.box.left() + kLinePiece + 6_px, entry.box.top(), name_room + 2, kLine});
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                         elided_text(painter.fontMetrics(), curve.name, Qt::ElideMiddle, name_room + 2));
        if (!curve.visible)
            painter.drawLine(name.left(), name.center().y(), name.right() - 2, name.center().y());
        if (curve.visible && !curve.series->empty()) {
            draw_text(painter, theme.mono(12), look.color(Token::Text),
                      part(entry.box.adjusted(kLinePiece + 6_px + name_room + 6_px, 0, 0, 0)),
                      value_number(chart_->crosshair().value(entry.curve)));
        }
        if (hasFocus() && entry.curve == chosen_)
            draw_ring(painter, entry.box.adjusted(-4_px, 0, 4_px, 0), 4);
    }
    if (rest > 0 && !found.isEmpty()) {
        const QRect last = found.last().box;
        const QRect place = isRightToLeft() ? QRect(last.left() - kEntryGap - kRestRoom, last.top(), kRestRoom, kLine)
                                            : QRect(last.right() + kEntryGap, last.top(), kRestRoom, kLine);
        draw_text(painter, theme.text(12), look.color(Token::TextMuted), place, tr("and %Ln more", nullptr, rest));
    }
}

void ChartLegend::announce() {
    if (chosen_ >= chart_->curves().size())
        return;
    const Curve& curve = chart_->curves()[chosen_];
    setAccessibleDescription(curve.visible ? tr("%1, shown").arg(curve.name) : tr("%1, hidden").arg(curve.name));
    update();
}

void ChartLegend::mousePressEvent(QMouseEvent* event) {
    const int curve = curveAt(event->pos());
    if (curve < 0 || event->button() != Qt::LeftButton)
        return;
    chosen_ = curve;
    if (event->modifiers().testFlag(Qt::ControlModifier))
        chart_->isolate(curve);
    else
        chart_->setCurveVisible(curve, !chart_->curves()[curve].visible);
    announce();
}

void ChartLegend::mouseDoubleClickEvent(QMouseEvent* event) {
    // The first click of it has hidden or shown the curve.
    const int curve = curveAt(event->pos());
    if (curve < 0 || event->button() != Qt::LeftButton)
        return;
    chart_->setCurveVisible(curve, true);
    chart_->isolate(curve);
    announce();
}

void ChartLegend::mouseMoveEvent(QMouseEvent* event) {
    chart_->setHoveredCurve(curveAt(event->pos()));
}

void ChartLegend::leaveEvent(QEvent*) {
    chart_->setHoveredCurve(-1);
}

void ChartLegend::keyPressEvent(QKeyEvent* event) {
    const auto count = static_cast<int>(chart_->curves().size());
    if (count == 0 || event->modifiers() != Qt::NoModifier) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down: {
            const bool back =
                event->key() == Qt::Key_Up || event->key() == (isRightToLeft() ? Qt::Key_Right : Qt::Key_Left);
            const int last = std::max(0, static_cast<int>(entries(width()).size()) - 1);
            chosen_ = back ? std::max(0, chosen_ - 1) : std::min(last, chosen_ + 1);
            break;
        }
        case Qt::Key_Space:
            chart_->setCurveVisible(chosen_, !chart_->curves()[chosen_].visible);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            chart_->isolate(chosen_);
            break;
        default:
            QWidget::keyPressEvent(event);
            return;
    }
    announce();
}

/// As many lines as the names need at the width that it has: layouts ask for the height at one width and give another.
void ChartLegend::fitHeight() {
    setFixedHeight(heightForWidth(width()));
    update();
}

void ChartLegend::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    announce();
}

}  // namespace trainyard::widgets
