// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Menus and panels that open over a window stay inside it, and dialogs on the screen.

#include <QPoint>
#include <QRect>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Installs an event filter for the whole application, once: menus, submenus and popups with the surface "palette" are
/// moved into their window when they are shown. Lists of combo boxes are not moved. A dialog is not larger than the
/// screen: the content above its buttons scrolls if it must.
void install_popup_place(QApplication& application);

/// The submenu, moved to the other side of its menu where it does not fit, and into the window.
QRect place_of_submenu(QRect popup, const QRect& menu, const QRect& window);

/// The popup, moved into the window as far as it fits, and not under the pointer.
QRect place_of_popup(QRect popup, const QRect& window, const QPoint& pointer);

}  // namespace trainyard::widgets
