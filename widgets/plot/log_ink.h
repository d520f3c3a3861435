// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The colour in which a terminal's colour is shown here: the sixteen named ones as the theme's own, all others made readable on a panel
// (contrast of at least 4.5).

#include <QColor>

#include "widgets/plot/log_ansi.h"

namespace trainyard::widgets {

/// `base`: what unstyled text has.
QColor log_ink(const LogStyle& style, const QColor& base);

}  // namespace trainyard::widgets
