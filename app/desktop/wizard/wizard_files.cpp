// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the wizard: open, continue with data or a checkpoint, recent files, save.

#include <utility>

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QRegularExpression>
#include <QSettings>

#include "base/error.h"
#include "config/accelerate/settings_file.h"
#include "desktop/launch/sample.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/opened_file.h"
#include "desktop/wizard/recipe_page.h"
#include "desktop/wizard/wizard_page.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {

constexpr int kMostRecent = 8;

/// Variables that every launch sets from its settings.
bool is_set_by_launch(const std::string& name) {
    static const std::vector<std::string> prefixes{"ACCELERATE_", "FSDP_",  "MEGATRON_LM_", "PARALLELISM_CONFIG_",
                                                   "TORCH_",      "NCCL_",  "CCL_",         "KMP_",
                                                   "XLA_",        "MASTER", "OMP_",         "CUDA_VISIBLE"};
    return std::ranges::any_of(prefixes, [&](const std::string& prefix) { return name.starts_with(prefix); });
}

QString recentFile() {
    return Preferences::stateFolder() + QStringLiteral("/recent.ini");
}

/// Files that the program wrote or came with, which the user did not choose: the sample, estimates and drafts, and the
/// run.yaml of a run.
bool is_internal(const QString& file) {
    const QFileInfo info(file);
    return file == QFileInfo(sampleRecipeFile()).absoluteFilePath() ||
           file.startsWith(Preferences::stateFolder() + QLatin1Char('/')) ||
           (info.fileName() == QLatin1String("run.yaml") && info.dir().exists(QStringLiteral("state.json")));
}

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
    resume_from_.clear();
    settings_after_.clear();
    unsaid_.clear();
    loading_.submit(
        [file] { return openFile(file); },
        [this](const OpenedFile& read) {
            if (!holdsWork() || !read.holdsSomething())
                return opened(read);
            const QString name = QFileInfo(read.file).fileName();
            const bool model = read.kind == OpenedFile::Kind::Model;
            ask(model ? tr("Use the model of %1 in the draft?").arg(name) : tr("Replace the draft by %1?").arg(name),
                model ? tr("The other settings of the draft stay.")
                      : tr("The draft “%1” is replaced.").arg(draft_.recipeValue(QStringLiteral("name"))),
                model ? tr("Use the model") : tr("Replace the draft"), [this, read, model] {
                    if (!model)
                        setAside();
                    opened(read);
                });
        });
}

/// Opens a file that was requested while the saved draft was being read; the file replaces the draft.
void WizardPage::takeWaiting() {
    if (const auto waiting = std::exchange(waiting_, {}))
        waiting();
    if (const QString file = std::exchange(file_wanted_, {}); !file.isEmpty()) {
        const QString resume = resume_from_, after = settings_after_, unsaid = unsaid_;
        load(file);
        resume_from_ = resume;
        settings_after_ = after;
        unsaid_ = unsaid;
    }
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
            tr("The draft had %1, now it has %2. Everything else of it is as it was saved: Undo takes the data back, "
               "Start over begins a new draft.")
                .arg(before, path));
}

void WizardPage::load(const QString& file) {
    resume_from_.clear();
    settings_after_.clear();
    unsaid_.clear();
    if (!draft_read_) {
        file_wanted_ = file;
        return;
    }
    loading_.submit([file] { return openFile(file); }, [this](const OpenedFile& read) { opened(read); });
}

void WizardPage::loadToResume(const QString& file, const QString& checkpoint) {
    if (draft_read_) {
        const QString name = draftName();
        set_aside_ = setAside() ? name : QString();
        launched_ = draft_restored_ = false;
    }
    load(file);
    resume_from_ = checkpoint;
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
        load(recipe.isEmpty() ? settings : recipe);
        settings_after_ = recipe.isEmpty() ? QString() : settings;
        unsaid_ = unsaid;
        fits_ = fits;
    };
    if (holdsWork())
        ask(tr("Begin a draft with the estimate?"),
            tr("The draft “%1” is replaced.").arg(draft_.recipeValue(QStringLiteral("name"))), tr("Replace the draft"),
            begin);
    else
        begin();
}

void WizardPage::opened(const OpenedFile& read) {
    const QString resume = std::exchange(resume_from_, {});
    const QString after = std::exchange(settings_after_, {}), unsaid = std::exchange(unsaid_, {});
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
    if (const QString aside = std::exchange(set_aside_, {}); !aside.isEmpty())
        tell(tr("The draft “%1” was saved").arg(aside), tr("Continue draft on the first page opens it again."));
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
        if (read.program)
            showProgram(read);
        else if (!resume.isEmpty()) {
            draft_.setRecipeValue(QStringLiteral("checkpoint.resume_from"), resume);
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
    for (const QString& part : read.code)
        code_.insert(part, QFileInfo(read.file).absoluteFilePath());
    if (const QString path = std::exchange(data_wanted_, {}); !path.isEmpty())
        DataPage::setPath(&draft_, path);
    rememberFile(read.file);
    keepPlace();
    draft_.checkNow();
    showAll();
    if (!after.isEmpty()) {
        load(after);
        unsaid_ = unsaid;
    } else {
        const QString left =
            unsaid.isEmpty() ? QString() : tr("Neither recipe nor settings can express: %1.").arg(unsaid);
        if (!std::exchange(fits_, true))
            say(InlineMessage::Kind::Warning, tr("The estimate does not fit into the memory of its device"), left);
        else if (!left.isEmpty())
            say(InlineMessage::Kind::Note, tr("A part of the estimate is not in this run"), left);
    }
}

void WizardPage::showProgram(const OpenedFile& read) {
    const std::vector<std::string>& command = read.program->command;
    ScriptChoice script;
    script.kind = ScriptChoice::Kind::Program;
    script.path = command.empty() ? QString() : qt(command.front());
    script.folder = qt(read.program->directory);
    std::size_t first = 1;
    if (is_python(command)) {
        const bool module = command[1] == "-m";
        first = module ? 3 : 2;
        script.kind = module ? ScriptChoice::Kind::Module : ScriptChoice::Kind::File;
        script.interpreter = qt(command.front());
        script.path = qt(command[first - 1]);
    }
    // Quoted for the field of arguments, which is parsed by QProcess::splitCommand.
    for (std::size_t i = first; i < command.size(); ++i) {
        QString word = qt(command[i]);
        static const QRegularExpression plain(QStringLiteral("^[^\\s\"]+$"));
        if (!plain.match(word).hasMatch())
            word = QLatin1Char('"') + word.replace(QLatin1Char('"'), QLatin1String("\"\"\"")) + QLatin1Char('"');
        script.arguments += (i > first ? QStringLiteral(" ") : QString()) + word;
    }
    draft_.beginStep();
    draft_.setPurpose(Purpose::Script);
    QStringList variables;
    for (const auto& [variable, value] : read.program->environment)
        if (!is_set_by_launch(variable))
            variables << qt(variable) + QLatin1Char('=') + qt(value);
    script.variables = variables.join(QLatin1Char('\n'));
    draft_.setScript(script);
    draft_.endStep();
    showStep(Step::Script);
}

void WizardPage::rememberFile(const QString& file) {
    const QString absolute = QFileInfo(file).absoluteFilePath();
    if (is_internal(absolute))
        return;
    writing_.inOrder(
        recentFile().toStdString(),
        [absolute] {
            QSettings kept(recentFile(), QSettings::IniFormat);
            QStringList files = kept.value(QStringLiteral("files")).toStringList();
            files.removeAll(absolute);
            files.prepend(absolute);
            kept.setValue(QStringLiteral("files"), files.mid(0, kMostRecent));
            kept.sync();
        },
        [this] { showAll(); });
}

void WizardPage::openRecent() {
    QMenu* menu = make_menu(this);
    menu->addAction(tr("Choose a file…"), this, &WizardPage::chooseFile);
    menu->addSeparator();
    // Read synchronously: the file is small, and the menu needs its entries before it opens.
    const QStringList files =
        QSettings(recentFile(), QSettings::IniFormat).value(QStringLiteral("files")).toStringList();
    for (const QString& file : files) {
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
