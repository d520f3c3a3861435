// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The colours of the two themes. Every colour of the program comes from this table: style, palette, delegates and
// charts ask for a token, never for a literal. Contrast of each pair is proven in tests/widgets/theme.cpp.

#include <array>

#include <QColor>

#include "widgets/token.h"

namespace trainyard::widgets {

struct ColorPair {
    QRgb dark, light;
    QColor color(bool of_dark) const { return QColor::fromRgb(of_dark ? dark : light); }
};

struct TokenRow {
    Token token;
    ColorPair plain;
    ColorPair strong;  ///< with high contrast
};

/// All tokens in the order of the enumeration.
const std::array<TokenRow, 20>& token_table();
QColor token_color(Token token, bool dark);

/// Colour of the run with this number. Numbers count from 1; 11 and above repeat the ten (and differ in dash).
QColor run_color(int number, bool dark);

/// WCAG contrast ratio of two opaque colours, 1..21.
double contrast_ratio(const QColor& a, const QColor& b);
/// `top` with `share` (0..1) of its opacity laid over `under`.
QColor mixed(const QColor& top, const QColor& under, double share);

}  // namespace trainyard::widgets
