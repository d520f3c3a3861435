#pragma once
// The colours a chart is painted with: those of the screen, or for paper those of the light theme whatever the screen shows.

#include "widgets/theme.h"

namespace trainyard::widgets {

struct Look {
    bool dark = true;
    QColor color(Token token) const { return token_color(token, dark); }
    QColor run(int number) const { return run_color(number, dark); }
    bool operator==(const Look&) const = default;
};

inline Look screen_look() {
    return {Theme::instance().isDark()};
}

}  // namespace trainyard::widgets
