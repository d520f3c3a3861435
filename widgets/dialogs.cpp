// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs.h"

#include <utility>

#include <QDialog>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QLayout>
#include <QMessageBox>
#include <QPushButton>

namespace trainyard::widgets {

QPushButton* add_dialog_buttons(QDialog* dialog, const QString& verb, std::function<void()> done) {
    auto* buttons = new QDialogButtonBox;
    // Before it has buttons: if it sorts them without a window, Qt 6.4 loses one of them in the order of Tab.
    dialog->layout()->addWidget(buttons);
    QPushButton* go = buttons->addButton(verb, QDialogButtonBox::AcceptRole);
    go->setProperty("kind", QStringLiteral("primary"));
    buttons->addButton(QDialogButtonBox::Cancel);
    go->setDefault(true);  // the dialog hears of it only now
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    if (done)
        QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, std::move(done));
    else
        QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    return go;
}

QMessageBox* ask_before_loss(QWidget* parent, const Loss& loss, std::function<void()> then) {
    auto* box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Warning);
    box->setWindowTitle(loss.title);
    box->setText(loss.question);
    box->setInformativeText(loss.words);
    QPushButton* go = box->addButton(loss.verb, QMessageBox::AcceptRole);
    go->setProperty("kind", QStringLiteral("dangerFill"));
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    QObject::connect(go, &QPushButton::clicked, parent, std::move(then));
    box->open();
    return box;
}

void ask_text(QWidget* parent, const QString& title, const QString& words, const QString& now, int width,
              QObject* receiver, std::function<void(const QString&)> then) {
    auto* dialog = new QInputDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(words);
    dialog->setTextValue(now);
    dialog->setMinimumWidth(width);
    QObject::connect(dialog, &QInputDialog::textValueSelected, receiver, std::move(then));
    dialog->open();
}

QFileDialog* make_path_dialog(QWidget* parent, const QString& title, const QString& from, QFileDialog::FileMode mode,
                              QObject* receiver, std::function<void(const QString&)> then) {
    auto* dialog = new QFileDialog(parent, title, from);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(mode);
    if (then)
        QObject::connect(dialog, &QFileDialog::fileSelected, receiver, std::move(then));
    return dialog;
}

void ask_file(QWidget* parent, const QString& title, const QString& filter, std::function<void(const QString&)> then,
              const QString& from) {
    QFileDialog* dialog = make_path_dialog(parent, title, from, QFileDialog::ExistingFile, parent, std::move(then));
    dialog->setNameFilter(filter);
    dialog->open();
}

void ask_files(QWidget* parent, const QString& title, const QString& filter,
               std::function<void(const QStringList&)> then) {
    QFileDialog* dialog = make_path_dialog(parent, title, {}, QFileDialog::ExistingFiles, parent, {});
    QObject::connect(dialog, &QFileDialog::filesSelected, parent, std::move(then));
    dialog->setNameFilter(filter);
    dialog->open();
}

void ask_folder(QWidget* parent, const QString& title, std::function<void(const QString&)> then, const QString& from) {
    make_path_dialog(parent, title, from, QFileDialog::Directory, parent, std::move(then))->open();
}

void ask_save_file(QWidget* parent, const QString& title, const QString& suggested, const QString& filter,
                   std::function<void(const QString&)> then) {
    QFileDialog* dialog = make_path_dialog(parent, title, {}, QFileDialog::AnyFile, parent, std::move(then));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(filter);
    dialog->selectFile(suggested);
    dialog->open();
}

}  // namespace trainyard::widgets
