// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Creates controls with style and accessible name in one expression.

#include <functional>

#include <QAbstractButton>
#include <QString>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Sets the accessible name and, unless empty, the tool tip of a control. Returns the control.
template <class Control>
Control* named(Control* control, const QString& name, const QString& tip = {}) {
    control->setAccessibleName(name);
    if (!tip.isEmpty())
        control->setToolTip(tip);
    return control;
}

/// Shows a frame around a field with an invalid value.
void set_invalid(QWidget* field, bool invalid);

struct ButtonLook {
    const char* kind = "";  ///< of style.h: primary, ghost, link, danger, ...; empty: a normal button
    const char* icon = "";  ///< from resources/icons, in the colour of the button's text
    QString tip = {};
    QString name = {};  ///< accessible name; a button without text uses its tool tip
    /// The button may be narrower than its text, for lines of buttons in any language. The style elides the text, and
    /// the tool tip begins with it then (plain_text.h).
    bool elides = false;
};
void set_look(QAbstractButton* button, const ButtonLook& look);
template <class Button>
Button* with_look(Button* button, const ButtonLook& look) {
    set_look(button, look);
    return button;
}

/// Creates a frame with a surface of style.h (panel, well, ...); make_holder() creates a widget without one.
QFrame* make_frame(const char* surface, QLayout* inside);
QWidget* make_holder(QLayout* inside);

/// Creates a search field with a clear button. The placeholder is also its tool tip. `icon` is shown in front of the
/// text.
QLineEdit* make_search_field(const QString& name, const QString& placeholder, const char* icon = "");
/// Creates a pop-up menu that is deleted when it is closed.
QMenu* make_menu(QWidget* parent);

/// If the event requests a tool tip, shows the text that `words` returns for the position (empty: none) and accepts the
/// event.
bool show_tip(QEvent* event, QWidget* widget, const std::function<QString(const QPoint&)>& words);

/// Copies a text to the clipboard.
void copy_text(const QString& text);

}  // namespace trainyard::widgets
