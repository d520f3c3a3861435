// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tokens.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "widgets/high_contrast.h"

namespace trainyard::widgets {

const std::array<TokenRow, 20>& token_table() {
    static const std::array<TokenRow, 20> table{{
        {Token::BgApp, {0xFF0E1014, 0xFFF1F3F6}, {0xFF000000, 0xFFFFFFFF}},
        {Token::BgPage, {0xFF13161B, 0xFFF7F8FA}, {0xFF000000, 0xFFFFFFFF}},
        {Token::BgPanel, {0xFF191D23, 0xFFFFFFFF}, {0xFF000000, 0xFFFFFFFF}},
        {Token::BgRaised, {0xFF21262E, 0xFFFFFFFF}, {0xFF0A0C10, 0xFFFFFFFF}},
        {Token::BgHover, {0xFF272D36, 0xFFEDF0F4}, {0xFF1E232B, 0xFFE6EAF0}},
        {Token::BgSelected, {0xFF232C45, 0xFFE4E8FD}, {0xFF14234F, 0xFFDCE3FF}},
        {Token::Line, {0xFF272D36, 0xFFDFE3E9}, {0xFF8A96A6, 0xFF6A7582}},
        {Token::LineControl, {0xFF717C8C, 0xFF79838F}, {0xFFD5DCE6, 0xFF2B333D}},
        {Token::Text, {0xFFE7EAF0, 0xFF181C22}, {0xFFFFFFFF, 0xFF000000}},
        {Token::TextSecondary, {0xFFAAB3C0, 0xFF4A5462}, {0xFFF0F3F7, 0xFF14181D}},
        {Token::TextMuted, {0xFF939EAD, 0xFF5C6775}, {0xFFDDE3EB, 0xFF242B33}},
        {Token::Accent, {0xFF8FA3FF, 0xFF3B4FD0}, {0xFFBAC6FF, 0xFF1A2C9C}},
        {Token::AccentFill, {0xFF4F63E0, 0xFF4357DA}, {0xFF4F63E0, 0xFF4357DA}},
        {Token::AccentFillHover, {0xFF5869E6, 0xFF3648C4}, {0xFF5869E6, 0xFF3648C4}},
        {Token::OnAccent, {0xFFFFFFFF, 0xFFFFFFFF}, {0xFFFFFFFF, 0xFFFFFFFF}},
        {Token::Ok, {0xFF4CC38A, 0xFF13744A}, {0xFF7BE3B0, 0xFF064A2C}},
        {Token::Warn, {0xFFE8B04B, 0xFF8A5A00}, {0xFFFFD27A, 0xFF5A3A00}},
        {Token::Error, {0xFFFF7A85, 0xFFC02639}, {0xFFFFB3B9, 0xFF8C0E1F}},
        {Token::ErrorFill, {0xFFC9364A, 0xFFC02639}, {0xFFC9364A, 0xFFC02639}},
        {Token::Info, {0xFF63B3F4, 0xFF0B66B0}, {0xFF9AD1FC, 0xFF07437A}},
    }};
    return table;
}

namespace {

std::atomic<bool> high_contrast_on = false;  // painters of reports ask from other threads

}  // namespace

void set_high_contrast(bool high) {
    high_contrast_on = high;
}

bool is_high_contrast() {
    return high_contrast_on;
}

QColor token_color(Token token, bool dark) {
    const TokenRow& row = token_table()[static_cast<std::size_t>(token)];
    return (high_contrast_on ? row.strong : row.plain).color(dark);
}

QColor run_color(int number, bool dark) {
    static constexpr std::array<ColorPair, kRunColors> colors{{
        {0xFF469CFD, 0xFF236DDE},  // azure
        {0xFFF79F2D, 0xFFC97B1E},  // orange
        {0xFF51D1AD, 0xFF0D6357},  // mint
        {0xFFBF7DA8, 0xFFB2479F},  // mauve
        {0xFFEFE492, 0xFF7E6D00},  // straw
        {0xFF9C70C6, 0xFF672B89},  // violet
        {0xFFAEDFF9, 0xFF5299BA},  // ice
        {0xFFF2456F, 0xFFA7153A},  // raspberry
        {0xFF989701, 0xFF353905},  // olive
        {0xFF9EB4DC, 0xFF26335E},  // mist
    }};
    return colors[static_cast<std::size_t>((std::max(number, 1) - 1) % kRunColors)].color(dark);
}

namespace {
double luminance(const QColor& color) {
    auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}
}  // namespace

double contrast_ratio(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mixed(const QColor& top, const QColor& under, double share) {
    auto blend = [share](int t, int u) { return static_cast<int>(std::lround(t * share + u * (1 - share))); };
    return QColor(blend(top.red(), under.red()), blend(top.green(), under.green()), blend(top.blue(), under.blue()));
}

}  // namespace trainyard::widgets
