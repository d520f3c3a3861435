#pragma once
// The focus ring of lists, tables and trees, and of whatever asks for it by the property "focusRing": 2 px in the accent, around the
// current row or cell, or around the whole where there is none in sight. Buttons and fields get theirs from the style sheet, painted widgets
// paint their own. One ring for the program: it lies over the widget that has the keyboard.

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Follows the keyboard from now on, as long as the application lives; once for each application.
void install_focus_ring(QApplication& application);

}  // namespace trainyard::widgets
