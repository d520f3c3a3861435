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
/// A column of panels that share the height of the window. They shrink to the minimum height of their layouts at this
/// width, wrapped text included; below that the column scrolls, so that no panel is squeezed. Without `panels`,
/// widget()->setLayout() takes them later.
QScrollArea* make_panel_scroll(QLayout* panels = nullptr, QWidget* parent = nullptr);

}  // namespace trainyard::widgets
