// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/host_card.h"

#include <QKeyEvent>

#include "base/clock.h"
#include "desktop/hosts/host_words.h"
#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {
const int& kPlain = live_px(56);
const int& kWithBars = live_px(70);
const int& kCardPadding = live_px(12);
constexpr std::size_t kMostBars = 16;
constexpr int kLoadColor = 3;  // mint
}  // namespace

HostCard::HostCard(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HostCard::setRow(const HostRow& row) {
    name_ = row.name();
    title_ = row.title();
    line_ = cardLine(row);
    const widgets::Chip chip = stateChip(row.state());
    ink_ = chip.color;
    icon_ = chip.icon;
    word_ = row.asking ? tr("asking…") : chip.text;
    stale_ = row.facts.has_value() && !row.fresh;
    age_ = stale_ ? relativeTime(row.facts_time, wall_seconds()) : QString();
    bars_.clear();
    if (row.facts && row.answer && row.answer->result.facts && row.facts->gpus.size() <= kMostBars)
        for (const remote::GpuFacts& gpu : row.facts->gpus)
            bars_ << gpu.busy_percent.value_or(0) / 100;
    setAccessibleName(widgets::list_text({title_, word_}));
    setAccessibleDescription(line_);
    setToolTip(row.target + (age_.isEmpty() ? QString() : QLatin1Char('\n') + tr("last asked %1").arg(age_)));
    updateGeometry();
    update();
}

QSize HostCard::sizeHint() const {
    return {320, bars_.isEmpty() ? kPlain : kWithBars};
}

void HostCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        emit opened();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void HostCard::mouseDoubleClickEvent(QMouseEvent* event) {
    QAbstractButton::mouseDoubleClickEvent(event);
    emit opened();
}

void HostCard::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    const bool focus = hasFocus();
    QColor border = theme.color(isChecked() ? Token::Accent : underMouse() ? Token::LineControl : Token::Line);
    if (focus)
        border = theme.color(Token::Accent);
    draw_box(painter, rect(), 8, theme.color(isChecked() ? Token::BgSelected : Token::BgPanel), border, focus ? 2 : 1);

    const QRect area = rect().adjusted(kCardPadding, 9_px, -kCardPadding, -8_px);
    const qreal ratio = devicePixelRatioF();
    painter.drawPixmap(area.left(), area.top() + 1, theme.pixmap(icon_, ink_, 16_px, ratio));
    const QRect top(area.left(), area.top(), area.width(), 18_px);
    draw_text(painter, theme.text(12, QFont::Medium), ink_, top, word_, Qt::AlignRight | Qt::AlignVCenter);
    const int word = painter.fontMetrics().horizontalAdvance(word_);
    painter.setFont(theme.text(13, QFont::DemiBold));
    painter.setPen(theme.color(Token::Text));
    const QRect name = top.adjusted(22_px, 0, -word - 8_px, 0);
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     widgets::elided_text(painter.fontMetrics(), title_, Qt::ElideMiddle, name.width()));
    const Token quiet = stale_ ? Token::TextMuted : Token::TextSecondary;
    QRect line(area.left(), area.top() + 21_px, area.width(), 18_px);
    if (!age_.isEmpty()) {
        draw_text(painter, theme.text(12), quiet, line, age_, Qt::AlignRight | Qt::AlignVCenter);
        line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(age_) - 8);
    }
    draw_elided(painter, theme.text(12), quiet, line, line_);
    if (bars_.isEmpty())
        return;
    const double kGap = 6.0_px;
    const double width =
        (area.width() - kGap * static_cast<double>(bars_.size() - 1)) / static_cast<double>(bars_.size());
    const QColor color = stale_ ? theme.color(Token::TextMuted) : theme.runColor(kLoadColor);
    for (int i = 0; i < bars_.size(); ++i)
        widgets::paint_bar(painter, QRectF(area.left() + i * (width + kGap), area.bottom() - 4_px, width, 4_px),
                           bars_[i], color);
}

}  // namespace trainyard::desktop
