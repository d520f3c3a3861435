#pragma once
// Controls with what they look like and what a screen reader says of them, made in one expression.

#include <functional>

#include <QAbstractButton>
#include <QString>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Gives a control the name that screen readers say, and a tool tip where there is one; returns it.
template <class Control>
Control* named(Control* control, const QString& name, const QString& tip = {}) {
    control->setAccessibleName(name);
    if (!tip.isEmpty())
        control->setToolTip(tip);
    return control;
}

/// Frames a field whose value is wrong.
void set_invalid(QWidget* field, bool invalid);

struct ButtonLook {
    const char* kind = "";  ///< of the style sheet: primary, ghost, link, danger, ...; empty: an ordinary one
    const char* icon = "";  ///< of resources/icons, in the colour of the button's words
    QString tip = {};
    QString name = {};  ///< what screen readers say; a button without words is called what its tip says
};
void dress(QAbstractButton* button, const ButtonLook& look);
template <class Button>
Button* dressed(Button* button, const ButtonLook& look) {
    dress(button, look);
    return button;
}

/// A frame with a surface of the style sheet (panel, well, ...), and a widget without one.
QFrame* make_frame(const char* surface, QLayout* inside);
QWidget* make_holder(QLayout* inside);

/// A field to seek in, with a button that clears it: what it says while it is empty is its tool tip, too. `icon` stands in front of the words.
QLineEdit* make_search_field(const QString& name, const QString& placeholder, const char* icon = "");
/// A menu to pop up; it goes when it is closed.
QMenu* make_menu(QWidget* parent);

/// Where an event asks for a tool tip, shows what `words` says of the place (empty: none) and takes the event.
bool show_tip(QEvent* event, QWidget* widget, const std::function<QString(const QPoint&)>& words);

/// Puts it on the clipboard.
void copy_text(const QString& text);

}  // namespace trainyard::widgets
