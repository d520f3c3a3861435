// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Buttons of dialogs, the confirmation of actions that cannot be undone, and dialogs for a text or a path. No dialog
// blocks its caller: results are delivered by callbacks, which are dropped if `receiver` has been deleted.

#include <functional>

#include <QFileDialog>
#include <QString>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Adds Cancel and the primary button with its verb below everything else in the dialog. The primary button calls
/// `done`, or accepts the dialog if `done` is empty. Returns the primary button.
QPushButton* add_dialog_buttons(QDialog* dialog, const QString& verb, std::function<void()> done = {});

/// Opens a dialog that is deleted when it is closed. Returns it.
template <class Dialog>
Dialog* opened(Dialog* dialog) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return dialog;
}

/// Asks for confirmation; Cancel is the default. `then` is called while `parent` exists. Returns the open dialog.
struct Loss {
    QString title, question, words, verb;
};
QMessageBox* ask_before_loss(QWidget* parent, const Loss& loss, std::function<void()> then);

/// Asks for a text, initially `now`, in a window of at least `width` pixels.
void ask_text(QWidget* parent, const QString& title, const QString& words, const QString& now, int width,
              QObject* receiver, std::function<void(const QString&)> then);
/// Creates a dialog for a path. The caller opens it and may configure it first.
QFileDialog* make_path_dialog(QWidget* parent, const QString& title, const QString& from, QFileDialog::FileMode mode,
                              QObject* receiver, std::function<void(const QString&)> then);

/// Opens a dialog for an existing file. `filter`: as of QFileDialog::setNameFilter(); empty: all files. `then` is
/// called while `parent` exists.
void ask_file(QWidget* parent, const QString& title, const QString& filter, std::function<void(const QString&)> then,
              const QString& from = {});
void ask_files(QWidget* parent, const QString& title, const QString& filter,
               std::function<void(const QStringList&)> then);
void ask_folder(QWidget* parent, const QString& title, std::function<void(const QString&)> then,
                const QString& from = {});
/// The same for a file to write, which may exist: the dialog asks before it is replaced. `suggested`: a name or a path.
void ask_save_file(QWidget* parent, const QString& title, const QString& suggested, const QString& filter,
                   std::function<void(const QString&)> then);

}  // namespace trainyard::widgets
