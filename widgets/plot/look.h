// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The colours a chart is painted with: those of the screen, or for paper those of the light theme whatever the screen shows.

#include "widgets/high_contrast.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

struct Look {
    bool dark = true;
    QColor color(Token token) const { return token_color(token, dark); }
    /// Lines behind curves. With high contrast they stay weaker than axes and frames, whose colour they share otherwise.
    QColor grid() const {
        const QColor line = color(Token::Line);
        return is_high_contrast() ? mixed(line, color(Token::BgPanel), 0.45) : line;
    }
    QColor run(int number) const { return run_color(number, dark); }
    bool operator==(const Look&) const = default;
};

inline Look screen_look() {
    return {Theme::instance().isDark()};
}

}  // namespace trainyard::widgets
