// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The mouse wheel scrolls; it does not change values of controls that happen to lie under the pointer.

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Installs an event filter for the whole application, once. Sliders, spin boxes and combo boxes no longer react to the
/// wheel: the event goes to the scroll area around them. Scroll bars and lists that are open do.
void install_wheel_guard(QApplication& application);

}  // namespace trainyard::widgets
