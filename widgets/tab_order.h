// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tab order in reading order: the controls of a window in the order of their current positions, regardless of when they
// were created. Rows come before columns: parts that a horizontal line can separate are read from top to bottom, the
// rest from left to right.

#include <QList>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// The visible controls below `root` that accept the keyboard focus by Tab.
QList<QWidget*> reading_order(const QWidget* root);

/// For focusNextPrevChild() of a window: focuses the next (or previous) control, with wrap-around. Returns false if
/// there are no controls.
bool focus_by_reading(const QWidget* root, bool next);
/// Focuses the first control of the next (or previous) panel, with wrap-around; the sidebar, the header of a page
/// and parts with the property "region" count as panels. Returns false if there is one panel at most.
bool focus_panel(const QWidget* root, bool next);

}  // namespace trainyard::widgets
