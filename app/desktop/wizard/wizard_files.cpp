// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the wizard: choose one, recent ones, save.

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>

#include "base/error.h"
#include "config/accelerate/settings_file.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/recent_files.h"
#include "desktop/wizard/wizard_page.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {

/// `recipe.yaml  ·  ~/work/llama`
QString with_folder(const QString& file) {
    const QFileInfo info(file);
    QString folder = info.absolutePath();
    if (const QString home = QDir::homePath(); folder == home || folder.startsWith(home + QLatin1Char('/')))
        folder.replace(0, home.size(), QStringLiteral("~"));
    return info.fileName() + QStringLiteral("  ·  ") + folder;
}

}  // namespace

void WizardPage::rememberFile(const QString& file) {
    if (const QString absolute = QFileInfo(file).absoluteFilePath(); !is_internal_file(absolute))
        writing_.inOrder(
            recent_files_place().toStdString(), [absolute] { add_recent_file(absolute); }, [this] { showAll(); });
}

void WizardPage::openRecent() {
    QMenu* menu = make_menu(this);
    menu->addAction(tr("Choose a file…"), this, &WizardPage::chooseFile);
    menu->addSeparator();
    // Read synchronously: the file is small, and the menu needs its entries before it opens.
    for (const QString& file : recent_files()) {
        QAction* action = menu->addAction(with_folder(file), this, [this, file] { opener_->load(file); });
        action->setToolTip(file);
    }
    menu->setToolTipsVisible(true);
    menu->addAction(tr("The settings of accelerate"), this,
                    [this] { opener_->load(qt(settings::default_file().string())); });
    menu->popup(open_->mapToGlobal(QPoint(0, open_->height() + 4)));
}

void WizardPage::chooseFile() {
    widgets::ask_file(this, tr("Open settings, a recipe or a DeepSpeed file"),
                      tr("Settings and recipes (*.yaml *.yml *.json);;All files (*)"),
                      [this](const QString& file) { opener_->load(file); });
}

void WizardPage::save(const QString& file) {
    try {
        // A small file, written at once so that the form and what is compared with it stay one.
        draft_.model()->save(file.toStdString());
    } catch (const UserError& error) {
        messages_->say(InlineMessage::Kind::Error, tr("The settings were not saved"), qtSentence(message_of(error)));
        return;
    }
    rememberFile(file);
    tell(tr("Saved as %1").arg(file));
    opener_->setFrom(QFileInfo(file).fileName());
}

void WizardPage::saveAs() {
    const auto& original = draft_.draft().original();
    const QString suggested = original ? qt(original->file) : qt(settings::default_file().string());
    widgets::ask_save_file(this, tr("Save the settings"), suggested, tr("Settings (*.yaml *.yml *.json)"),
                           [this](const QString& file) { save(file); });
}

void WizardPage::saveAgain() {
    const auto& original = draft_.draft().original();
    if (original && QFileInfo(qt(original->file)).isWritable())
        save(qt(original->file));
    else
        saveAs();
}

}  // namespace trainyard::desktop
