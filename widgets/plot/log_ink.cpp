// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls.h"
#include "widgets/plot/log_ansi.h"
#include "widgets/plot/log_line_delegate.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {

constexpr double kContrast = 4.5;
constexpr double kDimmed = 0.6;

QColor named(std::uint32_t index) {
    const Theme& theme = Theme::instance();
    // Black, red, green, yellow, blue; then magenta and cyan, for which the theme has colours of runs only; white.
    static constexpr Token tokens[]{Token::TextMuted, Token::Error, Token::Ok, Token::Warn, Token::Info};
    if (const std::uint32_t hue = index % 8; hue < 5)
        return theme.color(tokens[hue]);
    else if (hue < 7)
        return theme.runColor(hue == 5 ? 4 : 3);
    return theme.color(index < 8 ? Token::TextSecondary : Token::Text);
}

/// xterm's table: a cube of 6 x 6 x 6, then 24 greys.
QColor of_table(std::uint32_t index) {
    if (index < 16)
        return named(index);
    if (index >= 232) {
        const int grey = 8 + 10 * static_cast<int>(index - 232);
        return QColor(grey, grey, grey);
    }
    const auto level = [](std::uint32_t step) { return step == 0 ? 0 : 55 + 40 * static_cast<int>(step); };
    const std::uint32_t cell = index - 16;
    return QColor(level(cell / 36), level(cell / 6 % 6), level(cell % 6));
}

/// Moved towards the theme's text until it can be read.
QColor readable(const QColor& color) {
    const Theme& theme = Theme::instance();
    const QColor ground = theme.color(Token::BgPanel);
    QColor shown = color;
    for (double share = 0.8; share > 0 && contrast_ratio(shown, ground) < kContrast; share -= 0.2)
        shown = mixed(color, theme.color(Token::Text), share);
    return contrast_ratio(shown, ground) < kContrast ? theme.color(Token::Text) : shown;
}

}  // namespace

QColor log_ink(const LogStyle& style, const QColor& base) {
    QColor ink = base;
    if (style.kind == LogStyle::Kind::Indexed)
        ink = readable(of_table(style.color));
    else if (style.kind == LogStyle::Kind::Rgb)
        ink = readable(QColor::fromRgb(style.color));
    if (style.dim)
        ink = readable(mixed(ink, Theme::instance().color(Token::BgPanel), kDimmed));
    return ink;
}

}  // namespace trainyard::widgets
