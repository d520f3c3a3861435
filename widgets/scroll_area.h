#pragma once
// A frameless window over content that is as wide as the window and may be higher. It is no stop of the Tab key: the controls in it are,
// and page and arrow keys they have no use for scroll it.

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Takes the content over; null: it comes later by setWidget().
QScrollArea* make_scroll_area(QWidget* content = nullptr);

}  // namespace trainyard::widgets
