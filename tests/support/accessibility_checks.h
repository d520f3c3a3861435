#pragma once
// What eyes and a screen reader would find fault with in the widgets of a window: text that does not fit, controls without a name, a
// Tab order that jumps, a focus nobody can see. Each function returns one sentence for each fault.

#include <QStringList>

class QWidget;

namespace trainyard::test {

/// Text of labels, buttons, fields, choices and headers that is cut off without a tooltip that has it whole, and controls that stand
/// partly outside of what holds them. Item views elide by themselves and are not looked into.
QStringList clipped_texts(const QWidget* window);

/// Controls that a screen reader can only call "button".
QStringList nameless_controls(const QWidget* window);

/// Tab, pressed until it comes back, goes from one control to another that stands before it: above it and not in a column further right,
/// or left of it in a row. Or it never comes back. The window must be active.
QStringList jumping_focus(QWidget* window);

/// Controls below `page` that look the same with the keyboard in them. The window must be active.
QStringList unseen_focus(QWidget* page);

}  // namespace trainyard::test
