// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The names of the theme's colours. Models return them, and widgets translate them into colours when painting
// (tokens.h, theme.h), so models do not need QtGui.

#include <Qt>

namespace trainyard::widgets {

enum class Token {
    BgApp,            ///< rail, status bar
    BgPage,           ///< page behind panels
    BgPanel,          ///< panels, tables, charts
    BgRaised,         ///< inputs, buttons, menus, tooltips
    BgHover,          ///< hover, group header, empty part of a bar
    BgSelected,       ///< selected row, current place
    Line,             ///< separators, grid: decoration only
    LineControl,      ///< border of controls that can be edited or checked
    Text,             ///< values, titles
    TextSecondary,    ///< labels
    TextMuted,        ///< hints, axes, units
    Accent,           ///< links, focus ring, current place
    AccentFill,       ///< primary button, progress, slider
    AccentFillHover,  ///< AccentFill under the mouse
    OnAccent,         ///< text on AccentFill and ErrorFill
    Ok,               ///< pass, running
    Warn,             ///< warning, paused, stale
    Error,            ///< failure, limit line, invalid field
    ErrorFill,        ///< destructive confirm button
    Info,             ///< note, queued
};

/// Runs have colours by number, from 1; from 11 on the ten colours repeat with another dash.
inline constexpr int kRunColors = 10;
/// Solid for runs 1..10, dashed for 11..20, dotted for 21..30, dash-dot for 31..40, then from the start.
constexpr Qt::PenStyle run_dash(int number) {
    constexpr Qt::PenStyle styles[]{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return styles[(number < 1 ? 0 : number - 1) / kRunColors % 4];
}

/// Colour of a label's text (label.h).
enum class Tone { Text, Secondary, Muted, Accent, Ok, Warn, Error };

enum class ThemeChoice { System, Light, Dark };

}  // namespace trainyard::widgets
