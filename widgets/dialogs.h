#pragma once
// What ends a dialog, and the question before something that cannot be undone.

#include <functional>

#include <QString>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Adds Cancel and the primary button with its verb below everything else of the dialog. `done` is called by the primary button, which accepts the
/// dialog where there is none. Returns the primary button.
QPushButton* add_dialog_buttons(QDialog* dialog, const QString& verb, std::function<void()> done = {});

/// Asks once; Cancel is the default. `then` belongs to `parent`.
struct Loss {
    QString title, question, words, verb;
};
void ask_before_loss(QWidget* parent, const Loss& loss, std::function<void()> then);

}  // namespace trainyard::widgets
