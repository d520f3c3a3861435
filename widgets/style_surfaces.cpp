// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces of frames and pages, and the palettes of the theme.

#include <algorithm>
#include <utility>

#include <QAbstractItemView>
#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QTextEdit>
#include <QToolTip>

#include "widgets/label.h"
#include "widgets/paint.h"
#include "widgets/style_parts.h"
#include "widgets/tokens.h"

namespace trainyard::widgets::style {

namespace {

constexpr Surface kSurfaces[] = {
    {"page", Token::BgPage, false, Token::Line, 0},
    {"rail", Token::BgApp, false, Token::Line, 0, Qt::RightEdge},
    {"status", Token::BgApp, false, Token::Line, 0, Qt::TopEdge},
    {"header", Token::BgPage, false, Token::Line, 0, Qt::BottomEdge},
    {"panel", Token::BgPanel, true, Token::Line, kPanelRadius},
    {"well", Token::BgPage, true, Token::Line, 6},
    {"fact", Token::BgPage, false, Token::Line, 4},
    {"palette", Token::BgRaised, true, Token::LineControl, kPanelRadius},
    {"line", Token::Line, false, Token::Line, 0},
    {"seg", Token::BgHover, false, Token::Line, 6},
};

QPalette make_palette(bool dark) {
    auto color = [dark](Token token) { return token_color(token, dark); };
    QPalette palette;
    palette.setColor(QPalette::Window, color(Token::BgPage));
    palette.setColor(QPalette::Base, color(Token::BgPanel));
    palette.setColor(QPalette::AlternateBase, color(Token::BgHover));
    palette.setColor(QPalette::Text, color(Token::Text));
    palette.setColor(QPalette::Button, color(Token::BgRaised));
    palette.setColor(QPalette::ButtonText, color(Token::Text));
    palette.setColor(QPalette::Highlight, color(Token::AccentFill));
    palette.setColor(QPalette::HighlightedText, color(Token::OnAccent));
    palette.setColor(QPalette::ToolTipBase, color(Token::BgRaised));
    palette.setColor(QPalette::ToolTipText, color(Token::Text));
    palette.setColor(QPalette::Light, color(Token::BgHover));
    palette.setColor(QPalette::Mid, color(Token::Line));
    palette.setColor(QPalette::Dark, color(Token::LineControl));
    static constexpr std::pair<Tone, Token> tones[] = {
        {Tone::Text, Token::Text},       {Tone::Secondary, Token::TextSecondary},
        {Tone::Muted, Token::TextMuted}, {Tone::Accent, Token::Accent},
        {Tone::Ok, Token::Ok},           {Tone::Warn, Token::Warn},
        {Tone::Error, Token::Error}};
    for (const auto& [tone, token] : tones)
        palette.setColor(tone_role(tone), color(token));
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, color(Token::TextMuted));
    return palette;
}

}  // namespace

QString surface_of(const QWidget* widget) {
    return widget == nullptr ? QString() : widget->property("surface").toString();
}

const Surface* find_surface(const QWidget* widget) {
    const QString name = surface_of(widget);
    const auto* found =
        std::ranges::find_if(kSurfaces, [&](const Surface& one) { return name == QLatin1String(one.name); });
    return found == std::end(kSurfaces) ? nullptr : found;
}

void draw_surface(QPainter& painter, const Surface& surface, const QStyleOption& option) {
    const QRect& rect = option.rect;
    if (surface.framed || surface.radius > 0) {
        painter.setRenderHint(QPainter::Antialiasing);
        if (surface.framed)
            draw_box(painter, rect, surface.radius, ink(surface.fill), ink(surface.line));
        else
            fill_box(painter, rect, surface.radius, ink(surface.fill));
        return;
    }
    painter.fillRect(rect, ink(surface.fill));
    switch (surface.edge) {
        case Qt::RightEdge:
            painter.fillRect(
                QStyle::visualRect(option.direction, rect, QRect(rect.right(), rect.top(), 1, rect.height())),
                ink(surface.line));
            break;
        case Qt::TopEdge:
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), ink(surface.line));
            break;
        case Qt::BottomEdge:
            painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), ink(surface.line));
            break;
        default:
            break;
    }
}

QMargins lines_of(const Surface& surface, Qt::LayoutDirection direction) {
    if (surface.framed)
        return {1, 1, 1, 1};
    const bool mirrored = direction == Qt::RightToLeft;
    return {surface.edge == Qt::RightEdge && mirrored ? 1 : 0, surface.edge == Qt::TopEdge ? 1 : 0,
            surface.edge == Qt::RightEdge && !mirrored ? 1 : 0, surface.edge == Qt::BottomEdge ? 1 : 0};
}

bool is_text_edit(const QWidget* widget) {
    return qobject_cast<const QPlainTextEdit*>(widget) != nullptr || qobject_cast<const QTextEdit*>(widget) != nullptr;
}

bool is_frameless(const QWidget* widget) {
    return qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
           qobject_cast<const QScrollArea*>(widget) != nullptr;
}

void set_palettes(bool dark) {
    const QPalette usual = make_palette(dark);
    QApplication::setPalette(usual);
    QPalette views = usual;
    views.setColor(QPalette::Highlight, token_color(Token::BgSelected, dark));
    views.setColor(QPalette::HighlightedText, token_color(Token::Text, dark));
    QApplication::setPalette(views, "QAbstractItemView");
    views.setColor(QPalette::Base, token_color(Token::BgRaised, dark));
    QApplication::setPalette(views, "QComboBoxListView");
    QPalette panels = usual;
    panels.setColor(QPalette::Button, token_color(Token::BgPanel, dark));
    QApplication::setPalette(panels, "QHeaderView");
    panels = usual;
    panels.setColor(QPalette::Window, token_color(Token::BgPanel, dark));
    QApplication::setPalette(panels, "QDialog");
    QToolTip::setPalette(usual);
}

}  // namespace trainyard::widgets::style
