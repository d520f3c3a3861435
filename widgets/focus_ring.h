// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The focus ring of lists, tables, trees, and widgets with the property "focusRing": 2 px in the accent colour, around
// the current row or cell, or around the whole widget if no current item is visible. Buttons and fields get their ring
// from the style (style.h); painted widgets paint their own. The program has one ring, drawn on top of the widget with
// the keyboard focus.

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Follows the keyboard focus for the lifetime of the application. Call once per application.
void install_focus_ring(QApplication& application);

}  // namespace trainyard::widgets
