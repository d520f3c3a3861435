#pragma once
// A frameless window over content that is as wide as the window and may be higher. It is no stop of the Tab key: the controls in it are,
// and page and arrow keys they have no use for scroll it.

#include <QScrollArea>

namespace trainyard::widgets {

/// Takes the content over; null: it comes later by setWidget().
QScrollArea* make_scroll_area(QWidget* content = nullptr);
/// The same over a content without a background, whose words wrap: nothing moves sideways.
QScrollArea* make_upright_scroll(QWidget* content);
QScrollArea* make_upright_scroll(QLayout* inside);

}  // namespace trainyard::widgets
