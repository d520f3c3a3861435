// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chip.h"

#include <QFontMetrics>

#include "widgets/local_text.h"
#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
const int& kChipPadding = live_px(6);
const int& kIcon = live_px(12);
const int& kGap = live_px(4);

QFont chip_font() {
    return Theme::instance().text(12, QFont::DemiBold);
}
}  // namespace

QSize chip_size(const Chip& chip) {
    int width = 2 * kChipPadding + QFontMetrics(chip_font()).horizontalAdvance(chip.text);
    if (!chip.icon.isEmpty())
        width += kIcon + kGap;
    return {width, kChipHeight};
}

void paint_chip(QPainter& painter, const QRect& area, const Chip& chip) {
    if (chip.text.isEmpty())
        return;
    Theme& theme = Theme::instance();
    QRect rect(area.topLeft(), chip_size(chip));
    rect.setWidth(std::min(rect.width(), area.width()));
    rect.moveTop(area.top() + (area.height() - rect.height()) / 2);
    const bool neutral = chip.color == Token::TextSecondary;
    const QColor ink = theme.color(chip.color);
    painter.save();
    fill_box(painter, rect, 4, neutral ? theme.color(Token::BgHover) : theme.tint(ink));
    QRect inner = rect.adjusted(kChipPadding, 0, -kChipPadding, 0);
    if (!chip.icon.isEmpty()) {
        const QPixmap picture =
            theme.pixmap(chip.icon, ink, kIcon, painter.device() ? painter.device()->devicePixelRatioF() : 1);
        painter.drawPixmap(inner.left(), rect.top() + (rect.height() - kIcon) / 2, picture);
        inner.setLeft(inner.left() + kIcon + kGap);
    }
    painter.setPen(ink);
    painter.setFont(chip_font());
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter,
                     elided_text(painter.fontMetrics(), chip.text, Qt::ElideRight, inner.width() + 1));
    painter.restore();
}

namespace {
const int &kAroundTag = live_px(13), &kBetweenTags = live_px(7);

int tag_width(const QFontMetrics& metrics, const QString& word) {
    return metrics.horizontalAdvance(word) + kAroundTag;
}
}  // namespace

void paint_tags(QPainter& painter, QRect area, const QStringList& tags) {
    Theme& theme = Theme::instance();
    painter.setFont(theme.text(12));
    const QFontMetrics metrics = painter.fontMetrics();
    const auto paint = [&](const QString& tag) {
        const QString word = visible_text(tag);
        const QRectF frame(area.left() + 0.5, area.center().y() - kChipHeight / 2 + 0.5, tag_width(metrics, word),
                           kChipHeight);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.color(Token::LineControl), 1));
        painter.setOpacity(0.5);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(frame, 4, 4);
        painter.setOpacity(1);
        painter.setPen(theme.color(Token::TextSecondary));
        painter.drawText(frame, Qt::AlignCenter, word);
        area.setLeft(area.left() + static_cast<int>(frame.width()) + kBetweenTags);
    };
    for (int i = 0; i < tags.size(); ++i) {
        const int left = static_cast<int>(tags.size()) - i - 1;
        const QString rest = QStringLiteral("+%1").arg(left + 1);
        const int reserve = left > 0 ? tag_width(metrics, rest) + kBetweenTags : 0;
        if (tag_width(metrics, tags[i]) + reserve > area.width()) {
            if (tag_width(metrics, rest) <= area.width())
                paint(rest);
            return;
        }
        paint(tags[i]);
    }
}

TagLine::TagLine(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
}

void TagLine::setTags(const QStringList& tags) {
    tags_ = tags;
    const QString all = list_text(tags);
    setAccessibleName(all);
    setToolTip(all);
    setVisible(!tags.isEmpty());
    updateGeometry();
    update();
}

QSize TagLine::sizeHint() const {
    const QFontMetrics metrics(Theme::instance().text(12));
    int width = 1;  // of the last frame
    for (const QString& tag : tags_)
        width += tag_width(metrics, visible_text(tag)) + (width > 1 ? kBetweenTags : 0);
    return {width, kChipHeight + 1};
}

void TagLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint_tags(painter, rect(), tags_);
}

StateChip::StateChip(Chip chip, QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setChip(chip);
}

void StateChip::setChip(const Chip& chip) {
    if (chip == chip_ && testAttribute(Qt::WA_WState_ExplicitShowHide) && isHidden() == chip.text.isEmpty())
        return;
    chip_ = chip;
    setAccessibleName(chip.text);
    // Showing a widget that has no parent yet would open a window of its own.
    if (chip.text.isEmpty())
        hide();
    else if (parentWidget() != nullptr)
        show();
    updateGeometry();
    update();
}

void StateChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint_chip(painter, rect(), chip_);
}

}  // namespace trainyard::widgets
