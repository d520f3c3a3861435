// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the wizard: open, continue with data or a checkpoint, recent files, save.

#include <utility>

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>

#include "base/error.h"
#include "config/accelerate/settings_file.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/opened_file.h"
#include "desktop/wizard/recent_files.h"
#include "desktop/wizard/recipe_page.h"
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

void WizardPage::setDataPath(const QString& path) {
    if (draft_.purpose() != Purpose::Engine)
        draft_.setPurpose(Purpose::Engine);
    showStep(Step::Data);
    // A file that is still being read would overwrite the path, so it is set afterwards.
    if (loading_.isRunning() || !draft_read_)
        data_wanted_ = path;
    if (loading_.isRunning())
        return;
    if (!path.isEmpty())
        DataPage::setPath(&draft_, path);
}

void WizardPage::offerData(const QString& path) {
    if (!draft_read_) {
        waiting_ = [this, path] { offerData(path); };
    } else if (!holdsWork()) {
        setDataPath(path);
    } else {
        const QString now = draft_.recipeValue(QStringLiteral("data.path"));
        ask(tr("Train the draft on %1?").arg(path),
            now.isEmpty() ? tr("The draft has no data yet. The rest of the draft does not change.")
                          : tr("The draft has %1. The rest of the draft does not change.").arg(now),
            tr("Use as training data"), [this, path] { setDataPath(path); });
    }
}

void WizardPage::offerFile(const QString& file) {
    if (!draft_read_) {
        waiting_ = [this, file] { offerFile(file); };
        return;
    }
    loading_.submit(
        [file] { return openFile(file); },
        [this](const OpenedFile& read) {
            if (!holdsWork() || !read.holdsSomething())
                return opened(read, {});
            const QString name = QFileInfo(read.file).fileName();
            const bool model = read.kind == OpenedFile::Kind::Model;
            ask(model ? tr("Use the model of %1 in the draft?").arg(name) : tr("Replace the draft by %1?").arg(name),
                model ? tr("The other settings of the draft stay.")
                      : tr("The draft “%1” is replaced.").arg(draft_.recipeValue(QStringLiteral("name"))),
                model ? tr("Use the model") : tr("Replace the draft"), [this, read, model] {
                    if (!model)
                        setAside();
                    opened(read, {});
                });
        });
}

/// Opens a file that was requested while the saved draft was being read; the file replaces the draft.
void WizardPage::takeWaiting() {
    if (const auto waiting = std::exchange(waiting_, {}))
        waiting();
    if (const auto open_file = std::exchange(file_waiting_, {}))
        open_file();
    if (loading_.isRunning() || data_wanted_.isEmpty())
        return;
    const QString path = std::exchange(data_wanted_, {});
    const QString before = draft_.recipeValue(QStringLiteral("data.path"));
    draft_.beginStep();
    if (draft_.purpose() != Purpose::Engine)
        draft_.setPurpose(Purpose::Engine);
    DataPage::setPath(&draft_, path);
    draft_.endStep();
    if (draft_restored_ && !before.isEmpty() && before != path)
        say(InlineMessage::Kind::Note, tr("The data of the saved draft was replaced"),
            tr("The data was changed from %1 to %2; the rest of the draft is unchanged. Undo restores the data, Start "
               "over begins a new draft.")
                .arg(before, path));
}

void WizardPage::load(const QString& file, const AfterOpening& after) {
    if (draft_read_)
        loading_.submit([file] { return openFile(file); },
                        [this, after](const OpenedFile& read) { opened(read, after); });
    else
        file_waiting_ = [this, file, after] { load(file, after); };
}

void WizardPage::loadToResume(const QString& file, const QString& checkpoint) {
    AfterOpening after{.resume_from = checkpoint};
    if (draft_read_) {
        after.set_aside = setAside();
        launched_ = draft_restored_ = false;
    }
    load(file, after);
}

void WizardPage::loadRun(const QString& recipe, const QString& settings, const QString& unsaid, bool fits) {
    if (!draft_read_) {
        waiting_ = [this, recipe, settings, unsaid, fits] { loadRun(recipe, settings, unsaid, fits); };
        return;
    }
    const auto begin = [this, recipe, settings, unsaid, fits] {
        setAside();
        // The estimate must not inherit anything from the previous draft.
        draft_.reset(config::Recipe{});
        load(recipe.isEmpty() ? settings : recipe,
             {.settings = recipe.isEmpty() ? QString() : settings, .unsaid = unsaid, .fits = fits});
    };
    if (holdsWork())
        ask(tr("Begin a draft with the estimate?"),
            tr("The draft “%1” is replaced.").arg(draft_.recipeValue(QStringLiteral("name"))), tr("Replace the draft"),
            begin);
    else
        begin();
}

void WizardPage::opened(const OpenedFile& read, const AfterOpening& after) {
    const QString name = QFileInfo(read.file).fileName();
    const std::vector<Problem>& problems =
        read.kind == OpenedFile::Kind::Settings || read.kind == OpenedFile::Kind::DeepSpeed ? read.settings.problems
                                                                                            : read.problems;
    const QString details = problemLines(problems);
    question_->dismiss();
    if (!read.holdsSomething()) {
        // The form keeps the last valid state.
        say(InlineMessage::Kind::Error,
            problems.size() > 1 ? tr("%1 cannot be read: %2 problems").arg(name).arg(problems.size())
                                : tr("%1 cannot be read").arg(name),
            details);
        draft_.checkNow();
        return;
    }
    message_->dismiss();
    if (!after.set_aside.isEmpty())
        tell(tr("The draft “%1” was saved").arg(after.set_aside),
             tr("Continue draft on the first page opens it again."));
    if (read.model) {
        draft_.setModel(*read.model);
        showStep(Step::Model);
        if (!problems.empty())
            say(InlineMessage::Kind::Error, tr("The engine does not train this model as it is"), details);
        keepPlace();
        return;
    }
    if (read.recipe) {
        draft_.openRecipe(*read.recipe, read.ranks);
        if (read.program) {
            draft_.beginStep();
            draft_.setPurpose(Purpose::Script);
            draft_.setScript(script_choice_of(*read.program));
            draft_.endStep();
            showStep(Step::Script);
        } else if (!after.resume_from.isEmpty()) {
            draft_.setRecipeValue(QStringLiteral("checkpoint.resume_from"), after.resume_from);
            showStep(Step::Hardware);
        }
    } else {
        draft_.model()->open(read.settings);
        if (!problems.empty())
            say(InlineMessage::Kind::Error,
                problems.size() == 1
                    ? tr("%1 has a problem; the form shows what could be read").arg(name)
                    : tr("%1 has %2 problems; the form shows what could be read").arg(name).arg(problems.size()),
                details);
    }
    if (draft_.recipeValue(QStringLiteral("name")) != QLatin1String("sample") || !read.recipe)
        from_ = name;
    code_.add(read.code, QFileInfo(read.file).absoluteFilePath());
    if (const QString path = std::exchange(data_wanted_, {}); !path.isEmpty())
        DataPage::setPath(&draft_, path);
    rememberFile(read.file);
    keepPlace();
    draft_.checkNow();
    showAll();
    if (!after.settings.isEmpty()) {
        load(after.settings, {.unsaid = after.unsaid, .fits = after.fits});
    } else {
        const QString left =
            after.unsaid.isEmpty() ? QString() : tr("Neither recipe nor settings can express: %1.").arg(after.unsaid);
        if (!after.fits)
            say(InlineMessage::Kind::Warning, tr("The estimate does not fit into the memory of its device"), left);
        else if (!left.isEmpty())
            say(InlineMessage::Kind::Note, tr("A part of the estimate is not in this run"), left);
    }
}

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
        QAction* action = menu->addAction(with_folder(file), this, [this, file] { load(file); });
        action->setToolTip(file);
    }
    menu->setToolTipsVisible(true);
    menu->addAction(tr("The settings of accelerate"), this, [this] { load(qt(settings::default_file().string())); });
    menu->popup(open_->mapToGlobal(QPoint(0, open_->height() + 4)));
}

void WizardPage::chooseFile() {
    widgets::ask_file(this, tr("Open settings, a recipe or a DeepSpeed file"),
                      tr("Settings and recipes (*.yaml *.yml *.json);;All files (*)"),
                      [this](const QString& file) { load(file); });
}

void WizardPage::save(const QString& file) {
    try {
        // A small file, written at once so that the form and what is compared with it stay one.
        draft_.model()->save(file.toStdString());
    } catch (const UserError& error) {
        say(InlineMessage::Kind::Error, tr("The settings were not saved"), qtSentence(message_of(error)));
        return;
    }
    from_ = QFileInfo(file).fileName();
    rememberFile(file);
    say(InlineMessage::Kind::Note, tr("Saved as %1").arg(file));
    keepPlace();
    showAll();
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
