// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of controls.

#include <algorithm>

#include <QApplication>
#include <QPainter>

#include "widgets/paint.h"
#include "widgets/plain_text.h"
#include "widgets/style_parts.h"
#include "widgets/theme.h"

namespace trainyard::widgets::style {

QColor ink(Token token) {
    return Theme::instance().color(token);
}

bool has_state(const QStyleOption& option, QStyle::StateFlag flag) {
    return option.state.testFlag(flag);
}

void draw_icon(QPainter& painter, const QRect& area, const QString& name, Token token, int size) {
    Theme::instance()
        .icon(name, token)
        .paint(&painter, QStyle::alignedRect(Qt::LeftToRight, Qt::AlignCenter, {size, size}, area));
}

void draw_button(QPainter& painter, const QStyleOptionButton& option, const QWidget* widget) {
    if (is_link(widget))
        return;  // its ring is around it (style_focus.cpp)
    const QLatin1String kind(kind_of(widget).name);
    const bool enabled = has_state(option, QStyle::State_Enabled), hover = has_state(option, QStyle::State_MouseOver),
               pressed = has_state(option, QStyle::State_Sunken), focus = has_state(option, QStyle::State_HasFocus),
               checked = has_state(option, QStyle::State_On);
    QColor fill = Qt::transparent, line = Qt::transparent;
    if (!enabled) {
        if (kind_of(widget).has_frame)
            line = ink(Token::Line);
    } else if (kind == QLatin1String("primary")) {
        fill = line = ink(hover ? Token::AccentFillHover : Token::AccentFill);
    } else if (kind == QLatin1String("dangerFill")) {
        fill = line = ink(Token::ErrorFill);
    } else if (kind == QLatin1String("ghost")) {
        fill = hover ? ink(Token::BgHover) : QColor(Qt::transparent);
    } else if (kind == QLatin1String("search")) {
        fill = hover ? ink(Token::BgHover) : QColor(Qt::transparent);
        line = ink(Token::Line);
    } else if (kind == QLatin1String("segment")) {
        if (checked) {
            fill = ink(Token::BgRaised);
            line = ink(Token::LineControl);
        }
    } else if (kind_of(widget).has_frame) {
        fill = ink(pressed || checked ? Token::BgSelected : hover ? Token::BgHover : Token::BgRaised);
        line = ink(Token::LineControl);
    }
    if (focus)
        line = ink(kind == QLatin1String("primary") ? Token::Text : Token::Accent);
    painter.setRenderHint(QPainter::Antialiasing);
    const double radius = kind == QLatin1String("segment") ? 5 : kind == QLatin1String("hint") ? 4 : kControlRadius;
    draw_box(painter, option.rect, radius, fill, line, focus ? 2 : 1);
    if (option.features.testFlag(QStyleOptionButton::HasMenu) && !option.text.isEmpty())
        draw_icon(painter,
                  QStyle::alignedRect(option.direction, Qt::AlignRight | Qt::AlignVCenter, {kHandle, kHandle},
                                      option.rect.adjusted(4, 0, -4, 0)),
                  QStringLiteral("control/chevron"), Token::TextMuted, kHandle);
}

void draw_button_label(QPainter& painter, const QStyleOptionButton& option, const QWidget* widget) {
    const ButtonKind& kind = kind_of(widget);
    const bool enabled = has_state(option, QStyle::State_Enabled), checked = has_state(option, QStyle::State_On);
    Token color = kind.text;
    if (!enabled)
        color = Token::TextMuted;
    else if (widget != nullptr && widget->property("tone") == QLatin1String("error"))
        color = Token::Error;
    else if (color == Token::TextSecondary && (has_state(option, QStyle::State_MouseOver) || checked))
        color = Token::Text;
    QFont font = painter.font();
    if (checked && QLatin1String(kind.name) == QLatin1String("segment"))
        font.setWeight(kChosenSegment);
    painter.setFont(font);
    painter.setPen(ink(color));
    const bool has_menu = option.features.testFlag(QStyleOptionButton::HasMenu) && !option.text.isEmpty();
    QRect area =
        option.rect.adjusted(kind.padding, 0, -(has_menu ? std::max(kind.padding, 13_px) + 6_px : kind.padding), 0);
    if (option.direction == Qt::RightToLeft)
        area = QStyle::visualRect(Qt::RightToLeft, option.rect, area);
    const int icon = option.icon.isNull() ? 0 : option.iconSize.width();
    const int between = icon > 0 && !option.text.isEmpty() ? 4 : 0;
    const QFontMetrics metrics(font);
    QString text = option.text;
    int width = metrics.size(Qt::TextShowMnemonic, text).width();
    if (const int room = area.width() - icon - between + 2; width > room) {
        const bool path = widget != nullptr && widget->property("path").toBool();
        text = elided_text(metrics, text, path ? Qt::ElideMiddle : Qt::ElideRight, room, Qt::TextShowMnemonic);
        width = metrics.size(Qt::TextShowMnemonic, text).width();
    }
    const auto alignment =
        (QLatin1String(kind.name) == QLatin1String("search") ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter;
    if (icon + between + width > area.width())
        area.adjust(-1, 0, 1, 0);
    const QRect content =
        QStyle::alignedRect(option.direction, alignment, {icon + between + width, area.height()}, area);
    if (icon > 0)
        option.icon.paint(
            &painter, QStyle::alignedRect(option.direction, Qt::AlignLeft | Qt::AlignVCenter, option.iconSize, content),
            Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled, checked ? QIcon::On : QIcon::Off);
    const bool underlined = QApplication::style()->styleHint(QStyle::SH_UnderlineShortcut, &option, widget) != 0;
    painter.drawText(QStyle::visualRect(option.direction, content, content.adjusted(icon + between, 0, 2, 0)),
                     static_cast<int>(QStyle::visualAlignment(option.direction, Qt::AlignLeft | Qt::AlignVCenter)) |
                         Qt::TextSingleLine | (underlined ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
                     text);
}

void draw_field(QPainter& painter, const QStyleOption& option, const QWidget* widget) {
    const bool focus = has_state(option, QStyle::State_HasFocus) && has_state(option, QStyle::State_Enabled);
    const bool invalid = widget != nullptr && widget->property("invalid").toBool();
    const Token line = invalid                                      ? Token::Error
                       : focus                                      ? Token::Accent
                       : !has_state(option, QStyle::State_Enabled)  ? Token::Line
                       : has_state(option, QStyle::State_MouseOver) ? Token::TextSecondary
                                                                    : Token::LineControl;
    painter.setRenderHint(QPainter::Antialiasing);
    draw_box(painter, option.rect, kControlRadius, ink(Token::BgRaised), ink(line), focus || invalid ? 2 : 1);
    if (invalid && focus) {
        painter.setPen(QPen(ink(Token::Accent), 2));
        painter.drawLine(option.rect.bottomLeft() + QPoint(kControlRadius, 0),
                         option.rect.bottomRight() + QPoint(1 - kControlRadius, 0));
    }
}

void draw_menu_item(QPainter& painter, const QStyleOptionMenuItem& option) {
    const QRect& rect = option.rect;
    if (option.menuItemType == QStyleOptionMenuItem::Separator) {
        painter.fillRect(QRect(rect.left() + 6, rect.center().y(), rect.width() - 12, 1), ink(Token::Line));
        return;
    }
    const bool enabled = has_state(option, QStyle::State_Enabled);
    if (enabled && has_state(option, QStyle::State_Selected))
        fill_box(painter, rect, 5, ink(Token::BgSelected));
    const auto placed = [&](const QRect& place) { return QStyle::visualRect(option.direction, rect, place); };
    const int icon_room = menu_icon_room(option);
    const QRect mark(rect.left() + kMenuLeft, rect.top(), kMenuIcon, rect.height());
    const bool is_checkable = option.checkType != QStyleOptionMenuItem::NotCheckable;
    if (is_checkable && option.checked)
        draw_icon(painter, placed(mark), QStringLiteral("check"), enabled ? Token::Accent : Token::TextMuted);
    else if (!option.icon.isNull())
        option.icon.paint(&painter, placed(mark), Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    painter.setFont(option.font);
    painter.setPen(ink(enabled ? Token::Text : Token::TextMuted));
    const QRect area = rect.adjusted(kMenuLeft + icon_room, 0, -kMenuRight, 0);
    const QString text = option.text.section(QLatin1Char('\t'), 0, 0), keys = option.text.section(QLatin1Char('\t'), 1);
    const int flags = Qt::TextShowMnemonic | Qt::TextSingleLine | Qt::TextDontClip;
    painter.drawText(
        placed(area),
        static_cast<int>(QStyle::visualAlignment(option.direction, Qt::AlignLeft | Qt::AlignVCenter)) | flags, text);
    if (!keys.isEmpty()) {
        painter.setPen(ink(Token::TextMuted));
        painter.drawText(
            placed(area.adjusted(0, 0, kMenuRight - kMenuLeft, 0)),
            static_cast<int>(QStyle::visualAlignment(option.direction, Qt::AlignRight | Qt::AlignVCenter)) | flags,
            keys);
    }
    if (option.menuItemType == QStyleOptionMenuItem::SubMenu)
        draw_icon(painter, placed(QRect(rect.right() - kMenuRight + 4, rect.top(), kMenuIcon, rect.height())),
                  option.direction == Qt::RightToLeft ? QStringLiteral("left") : QStringLiteral("right"),
                  Token::TextMuted, 14_px);
}

void draw_slider(QPainter& painter, const QStyleOptionSlider& option, const QRect& handle) {
    const QRect& rect = option.rect;
    const double middle = rect.center().y() + 0.5;
    const QRectF groove(rect.left(), middle - 2, rect.width(), 4);
    fill_box(painter, groove, 2, ink(Token::BgHover));
    QRectF done = groove;
    if (option.upsideDown)
        done.setLeft(handle.center().x());
    else
        done.setRight(handle.center().x());
    fill_box(painter, done, 2, ink(has_state(option, QStyle::State_Enabled) ? Token::AccentFill : Token::Line));
    const bool focus = has_state(option, QStyle::State_HasFocus);
    const QRectF disc(handle.center().x() + 0.5 - kHandle / 2.0, middle - kHandle / 2.0, kHandle, kHandle);
    draw_box(painter, disc, kHandle / 2.0,
             ink(has_state(option, QStyle::State_Enabled) ? Token::Text : Token::TextMuted),
             ink(focus ? Token::Accent : Token::LineControl), focus ? 2 : 1);
}

void draw_progress(QPainter& painter, const QStyleOptionProgressBar& option) {
    fill_box(painter, option.rect, 2, ink(Token::BgHover));
    const double span = option.maximum - option.minimum;
    // If the end is not known, a third of the bar is filled.
    const double share = span <= 0 ? 1.0 / 3 : std::clamp((option.progress - option.minimum) / span, 0.0, 1.0);
    QRectF done = option.rect;
    if (share * done.width() < 1)
        return;
    done.setWidth(share * done.width());
    if (option.direction == Qt::RightToLeft)
        done.moveRight(option.rect.right() + 1);
    fill_box(painter, done, 2, ink(Token::AccentFill));
}

}  // namespace trainyard::widgets::style
