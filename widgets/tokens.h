#pragma once
// The colours of the two themes. Every colour of the program comes from this table: style sheet, palette, delegates and
// charts ask for a token, never for a literal. Contrast of each pair is proven in tests/widgets/theme.cpp.

#include <array>

#include <QColor>
#include <QLatin1String>

namespace trainyard::widgets {

enum class Token {
    BgApp,            ///< rail, status bar
    BgPage,           ///< page behind panels
    BgPanel,          ///< panels, tables, charts
    BgRaised,         ///< inputs, buttons, menus, tooltips
    BgHover,          ///< hover, group header, empty part of a bar
    BgSelected,       ///< selected row, current place
    Line,             ///< separators, grid: decoration only
    LineControl,      ///< border of all that can be typed in or ticked
    Text,             ///< values, titles
    TextSecondary,    ///< labels
    TextMuted,        ///< hints, axes, units
    Accent,           ///< links, focus ring, current place
    AccentFill,       ///< primary button, progress, slider
    AccentFillHover,  ///< the same under the mouse
    OnAccent,         ///< text on AccentFill and ErrorFill
    Ok,               ///< pass, running
    Warn,             ///< warning, paused, stale
    Error,            ///< failure, limit line, bad field
    ErrorFill,        ///< destructive confirm button
    Info,             ///< note, queued
};

struct TokenRow {
    Token token;
    QLatin1String name;  ///< as written in the style sheet, without the @
    QRgb dark;
    QRgb light;
};

/// All tokens in the order of the enumeration.
const std::array<TokenRow, 20>& token_table();
QColor token_color(Token token, bool dark);

inline constexpr int kRunColors = 10;
/// Colour of the run with this number. Numbers count from 1; 11 and above repeat the ten (and differ in dash).
QColor run_color(int number, bool dark);
/// Solid for runs 1..10, dashed for 11..20, dotted for 21..30, dash-dot for 31..40, then from the start.
Qt::PenStyle run_dash(int number);

/// WCAG contrast ratio of two opaque colours, 1..21.
double contrast_ratio(const QColor& a, const QColor& b);
/// `top` with `share` (0..1) of its opacity laid over `under`.
QColor mixed(const QColor& top, const QColor& under, double share);

}  // namespace trainyard::widgets
