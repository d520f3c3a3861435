#pragma once
// The Tab key goes where eyes go: the controls of a window in the order in which they stand there now, whenever and by whom they were made.
// Rows come before columns: what can be cut by a horizontal line is read from top to bottom, the rest from left to right.

#include <QList>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Controls below `root` that take the keyboard by Tab and can be seen.
QList<QWidget*> reading_order(const QWidget* root);

/// For focusNextPrevChild() of a window: gives the keyboard to the next (or previous) control, from the last to the first. False: there is
/// none.
bool focus_by_reading(const QWidget* root, bool next);

}  // namespace trainyard::widgets
