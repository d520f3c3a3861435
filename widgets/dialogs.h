#pragma once
// What ends a dialog, the question before something that cannot be undone, and questions for a text or a path. None is modal in code: an answer that comes
// when `receiver` is gone reaches nobody.

#include <functional>

#include <QFileDialog>
#include <QString>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Adds Cancel and the primary button with its verb below everything else of the dialog. `done` is called by the primary button, which accepts the
/// dialog where there is none. Returns the primary button.
QPushButton* add_dialog_buttons(QDialog* dialog, const QString& verb, std::function<void()> done = {});

/// Opens a dialog that goes when it is closed; returns it.
template <class Dialog>
Dialog* opened(Dialog* dialog) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return dialog;
}

/// Asks once; Cancel is the default. `then` belongs to `parent`.
struct Loss {
    QString title, question, words, verb;
};
void ask_before_loss(QWidget* parent, const Loss& loss, std::function<void()> then);

/// Asks for a text, which is `now` at first, in a window of at least `width` pixels.
void ask_text(QWidget* parent, const QString& title, const QString& words, const QString& now, int width,
              QObject* receiver, std::function<void(const QString&)> then);
/// A dialog for a path, to be opened by the caller, who may say first what else it offers.
QFileDialog* make_path_dialog(QWidget* parent, const QString& title, const QString& from, QFileDialog::FileMode mode,
                              QObject* receiver, std::function<void(const QString&)> then);

}  // namespace trainyard::widgets
