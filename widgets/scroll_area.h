// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Frameless scroll areas over content that is as wide as they are and may be higher; a page may also be wider. The Tab
// key does not stop at them but at the controls inside; page and arrow keys that a control does not use scroll the
// area.

#include <QScrollArea>

#include "widgets/forward.h"

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

/// Takes a page (of a stack: the shown one) over. A window that is smaller than the smallest size of the page's layout
/// scrolls the page in both directions. `enough`: room of this size does not scroll. The page gets a resize event also
/// when only the visible part of it has another size.
QScrollArea* make_page_scroll(QWidget* page, const QSize& enough);
/// The size of the part of a page that the page scroll around it can show at once.
QSize visible_size(const QWidget* page);

/// Once for the whole application: sliders, spin boxes and combo boxes under the pointer no longer react to the mouse
/// wheel, which scrolls the area around them. Scroll bars and open lists do.
void install_wheel_guard(QApplication& application);

}  // namespace trainyard::widgets
