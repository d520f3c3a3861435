// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of the wizard on the draft: show, open, save, launch.

#include <algorithm>
#include <utility>

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QLocale>
#include <QMenu>
#include <QProcess>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSettings>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/printable.h"
#include "config/accelerate/settings_file.h"
#include "desktop/engine_words.h"
#include "desktop/launch/consent_dialog.h"
#include "desktop/launch/start_look.h"
#include "desktop/preferences.h"
#include "desktop/ui.h"
#include "desktop/view_state.h"
#include "desktop/wizard/draft_keeper.h"
#include "desktop/wizard/expert_view.h"
#include "desktop/wizard/fit_panel.h"
#include "desktop/wizard/opened_file.h"
#include "desktop/wizard/page_list.h"
#include "desktop/wizard/recipe_page.h"
#include "desktop/wizard/review_page.h"
#include "desktop/wizard/start_page.h"
#include "desktop/wizard/wizard_page.h"
#include "desktop/wizard/written_panel.h"
#include "widgets/field_row.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {

constexpr int kPageListWidth = 176;
constexpr int kPageListNarrow = 132;
constexpr int kWizardSideWidth = 364;
constexpr int kWizardSideNarrow = 270;
constexpr int kNarrowWizard = 1080;  ///< width of the page below which margins and side panels shrink
constexpr int kMostRecent = 8;

const QString kTrustedCode = QStringLiteral("trusted code");  // confirmed code of files from elsewhere, by path

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

struct WrittenFiles {
    QString settings;
    QString recipe;
    QString run;  ///< of a program that is not started as the words of its launch say
};

}  // namespace

void WizardPage::say(InlineMessage::Kind kind, const QString& title, const QString& words, const QString& details) {
    message_->showMessage(kind, title, words, details);
}

bool WizardPage::isChecked() const {
    return draft_.isChecked() && !loading_.isRunning() && !writing_.isRunning() && !launching_.isRunning() &&
           !probing_.isRunning() && !keeper_->isReading();
}

void WizardPage::draftChanged() {
    keepPlace();
    keeper_->changed();
    showAll();
}

void WizardPage::showAll() {
    problems_ = problemsOf(draft_);
    list_->setSteps(stepsOf(draft_, problems_), step_, visited_);
    if (!expert_on_) {
        StepPage* now = page(step_);
        if (auto* review = qobject_cast<ReviewPage*>(now)) {
            review->setProblems(problems_);
            review->setCommand(commandLine());
        }
        if (auto* start = qobject_cast<StartPage*>(now))
            start->setDrafts(keeper_->parked(), holdsWork());
        now->refresh(problems_);
    }
    const auto errors = std::ranges::count(std::as_const(problems_), true, &FieldProblem::error);
    problem_count_->setText(errors == 1 ? tr("1 field to fix") : tr("%1 fields to fix").arg(errors));
    problem_count_->setVisible(errors > 0);
    undo_->setEnabled(draft_.canUndo());
    redo_->setEnabled(draft_.canRedo());
    const Step next = nextStep(1);
    back_->setEnabled(nextStep(-1) != step_);
    back_->setVisible(!expert_on_);
    next_->setVisible(!expert_on_ && next != step_);
    next_->setText(tr("Next: %1").arg(stepTitle(next)));
    if (launch_->isEnabled())
        launch_->setText(primaryWords());
    showWritten();
    showFacts();
    if (launch_when_checked_ && isChecked()) {
        launch_when_checked_ = false;
        primaryAction();
    }
}

QString WizardPage::commandLine() const {
    return shellLine(draft_.commandWords(draft_.recipeValue(QStringLiteral("name")) + QStringLiteral(".yaml")));
}

void WizardPage::showWritten() {
    const bool engine = draft_.purpose() == Purpose::Engine;
    written_->setRecipe(engine ? qt(draft_.recipeYaml()) : QString());
    written_->setCommand(commandLine());
    if (!engine)
        fit_->setNoModel();
    else
        fit_->setModel(draft_.report().recipe);
}

void WizardPage::showFacts() {
    QStringList parts;
    if (draft_.purpose() == Purpose::Engine)
        parts << draft_.recipeValue(QStringLiteral("name"));
    else if (draft_.purpose() == Purpose::Script && !draft_.script().path.isEmpty())
        parts << QFileInfo(draft_.script().path).fileName();
    if (!from_.isEmpty())
        parts << tr("from %1").arg(from_);
    if (parts.isEmpty())
        parts << tr("Nothing is written until you launch or save");
    setFacts(parts.join(QStringLiteral("  ·  ")));
}

void WizardPage::keepPlace() {
    QJsonObject code;
    for (auto part = code_.cbegin(); part != code_.cend(); ++part)
        code.insert(part.key(), part.value());
    keeper_->setPlace({{QStringLiteral("page"), stepName(step_)},
                       {QStringLiteral("expert"), expert_on_},
                       {QStringLiteral("from"), from_},
                       {QStringLiteral("launched"), launched_},
                       {QStringLiteral("work"), holdsWork()},
                       {QStringLiteral("code"), code}});
}

bool WizardPage::goToField(const QString& key) {
    const settings::Questionnaire& tree = draft_.questionnaire();
    const settings::Question* question = questionOf(draft_, key.toStdString());
    const bool hidden = question != nullptr && !tree.shown(*question, draft_.draft().answers());
    if (expert_on_ && question != nullptr && !question->path.empty() && expert()->focusKey(qt(question->path)))
        return true;
    for (int i = 0; i < kSteps; ++i) {
        const auto step = static_cast<Step>(i);
        if (question != nullptr ? step != stepOf(question->topic) : step == Step::Review)
            continue;
        StepPage* each = page(step);
        each->refresh(problems_);
        const QString name = question == nullptr ? key : qt(question->id);
        if (question == nullptr && each->row(name) == nullptr)
            continue;
        if (!list_->shownSteps().contains(step))
            list_->setShowsAll(true);
        showStep(step);
        if (hidden) {
            say(InlineMessage::Kind::Note, tr("%1 is not asked now").arg(engineWords(question->label)),
                engineWords(tree.hidden_because(*question, draft_.draft().answers())));
            each->focusFirst();
            return false;
        }
        return each->focusField(name);
    }
    setExpert(true);
    return expert()->focusKey(key);
}

void WizardPage::goToFirstProblem() {
    const auto found = std::ranges::find_if(std::as_const(problems_), &FieldProblem::error);
    if (found == problems_.cend())
        return;
    // A copy, since goToField() recomputes the list of problems.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const FieldProblem problem = *found;
    if (problem.key.isEmpty())
        say(InlineMessage::Kind::Error, tr("The recipe cannot be run"), problem.sentence);
    else if (!goToField(problem.key))
        say(InlineMessage::Kind::Error, problem.label, problem.sentence);
}

void WizardPage::useOwnScript() {
    draft_.setPurpose(Purpose::Script);
    showStep(Step::Script);
    page(Step::Script)->focusFirst();
}

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

bool WizardPage::holdsWork() const {
    return !launched_ && (draft_restored_ || draft_.canUndo() || !from_.isEmpty());
}

void WizardPage::ask(const QString& title, const QString& words, const QString& verb, std::function<void()> then) {
    asked_ = std::move(then);
    answer_->setText(verb);
    question_->showMessage(InlineMessage::Kind::Note, title, words);
}

void WizardPage::offerData(const QString& path) {
    if (!draft_read_) {
        waiting_ = [this, path] { offerData(path); };
    } else if (!holdsWork()) {
        setDataPath(path);
    } else {
        const QString now = draft_.recipeValue(QStringLiteral("data.path"));
        ask(tr("Train the draft on %1?").arg(path),
            now.isEmpty() ? tr("The draft has no data yet. Everything else of it stays.")
                          : tr("The draft has %1. Everything else of it stays.").arg(now),
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
    loading_.submit([file] { return openFile(file); },
                    [this](const OpenedFile& read) {
                        if (!holdsWork() || !read.holdsSomething())
                            return opened(read);
                        const QString name = QFileInfo(read.file).fileName();
                        const bool model = read.kind == OpenedFile::Kind::Model;
                        ask(model ? tr("Use the model of %1 in the draft?").arg(name)
                                  : tr("Open %1 in place of the draft?").arg(name),
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
        tell(tr("The draft “%1” was set aside").arg(aside), tr("Continue draft on the first page opens it again."));
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

QStringList WizardPage::foreignCode() const {
    const bool engine = draft_.purpose() == Purpose::Engine;
    QStringList code;
    for (const QString& part : code_of_draft(engine ? draft_.report().recipe : std::nullopt,
                                             engine ? QString() : draft_.script().path.trimmed(),
                                             draft_.draft().settings().text("device_library")) +
                                   code_of_draft({}, engine ? QString() : draft_.programPlace().interpreter, {}) +
                                   code_of_variables(draft_.programPlace().environment))
        if (code_.contains(part))
            code << part;
    if (code.isEmpty())
        return code;
    // The same program with other arguments (`sh -c ...`) counts as another program.
    if (!engine && !draft_.script().arguments.isEmpty())
        code << QStringLiteral("program.arguments: ") + draft_.script().arguments;
    const QStringList trusted = stringsOf(ViewState::instance().value(kTrustedCode, code_.value(code.first())));
    return std::ranges::all_of(std::as_const(code), [&](const QString& part) { return trusted.contains(part); })
               ? QStringList()
               : code;
}

void WizardPage::askAboutCode(const QStringList& code) {
    const QString file = code_.value(code.first());
    QStringList shown;
    for (const QString& part : code)
        shown << qt(text::printable(part.toStdString(), kMostOfCommand));
    shown << qt(text::printable(commandLine().toStdString(), kMostOfCommand));
    ask_for_consent(this,
                    {tr("Launch with code that a file names?"),
                     tr("%1 names programs or libraries. With your rights, this launch executes:").arg(file),
                     tr("You are asked once for each file, and again if it names something else."),
                     shown.join(QLatin1Char('\n')), tr("Launch")},
                    [this, file, code] {
                        ViewState::instance().set(kTrustedCode, file, QJsonArray::fromStringList(code));
                        launch();
                    });
}

void WizardPage::rememberFile(const QString& file) {
    const QString absolute = QFileInfo(file).absoluteFilePath();
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
        QAction* action = menu->addAction(QFileInfo(file).fileName(), this, [this, file] { load(file); });
        action->setToolTip(file);
    }
    menu->setToolTipsVisible(true);
    menu->addAction(tr("The settings of accelerate"), this, [this] { load(qt(settings::default_file().string())); });
    menu->popup(open_->mapToGlobal(QPoint(0, open_->height() + 4)));
}

void WizardPage::chooseFile() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open settings, a recipe or a DeepSpeed file"), {},
                                                      tr("Settings and recipes (*.yaml *.yml *.json);;All files (*)"));
    if (!file.isEmpty())
        load(file);
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
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Save the settings"), suggested, tr("Settings (*.yaml *.yml *.json)"));
    if (!file.isEmpty())
        save(file);
}

void WizardPage::saveAgain() {
    const auto& original = draft_.draft().original();
    if (original && QFileInfo(qt(original->file)).isWritable())
        save(qt(original->file));
    else
        saveAs();
}

QString WizardPage::primaryWords() const {
    return draft_.purpose() == Purpose::SettingsOnly ? tr("Save as…") : tr("Launch");
}

void WizardPage::setLaunching(bool launching) {
    launch_->setEnabled(!launching);
    launch_->setText(launching ? tr("Launching…") : primaryWords());
    if (!launching)
        showAll();
}

void WizardPage::primaryAction() {
    if (!launch_->isEnabled())
        return;
    if (!isChecked()) {
        launch_when_checked_ = true;
        draft_.checkNow();
        return;
    }
    problems_ = problemsOf(draft_);
    if (std::ranges::any_of(std::as_const(problems_), &FieldProblem::error))
        goToFirstProblem();
    else if (draft_.purpose() == Purpose::SettingsOnly)
        saveAs();
    else
        launch();
}

void WizardPage::launch() {
    message_->dismiss();
    if (const QStringList code = foreignCode(); !code.isEmpty()) {
        askAboutCode(code);
        return;
    }
    setLaunching(true);
    const bool engine = draft_.purpose() == Purpose::Engine;
    if (engine && namer_) {
        const QString key = QStringLiteral("name");
        const QString wanted = draft_.recipeValue(key).trimmed();
        if (const QString unique = namer_(wanted, draft_.recipeValues()); unique != wanted)
            draft_.setRecipeValue(key, unique);
    }
    const std::string yaml = draft_.recipeYaml();
    const std::string settingsText = settings::to_text(draft_.draft().settings(), settings::Format::yaml);
    const QString name = engine ? draft_.recipeValue(QStringLiteral("name")).trimmed()
                                : QFileInfo(draft_.script().path).completeBaseName();
    const ProgramPlace place = draft_.programPlace();
    const QStringList program = engine ? QStringList() : draft_.programWords({});
    const bool is_script = draft_.script().kind != ScriptChoice::Kind::Program;
    const bool here = draft_.hosts().isEmpty();
    launching_.submit(
        [engine, yaml, settingsText, name, place, program, is_script, here] {
            WrittenFiles files;
            if (engine)
                files.recipe = writeRecipe(yaml, name);
            files.settings = writeRecipe(settingsText, name + QStringLiteral("-settings"));
            if (!place.isEmpty() && here)
                files.run =
                    writeRecipe(program_run(QStringList{QStringLiteral("--config_file"), files.settings} + program,
                                            place, is_script),
                                name + QStringLiteral("-run"));
            return files;
        },
        [this](const WrittenFiles& files) {
            setLaunching(false);
            LaunchRequest wanted = request(files.settings, files.recipe);
            wanted.run_file = files.run;
            if (!files.run.isEmpty())
                wanted.words = QStringList{files.run};
            emit launchRequested(wanted);
        },
        [this](const QString& words) {
            setLaunching(false);
            say(InlineMessage::Kind::Error, tr("The run was not started"), words);
        });
}

LaunchRequest WizardPage::request(const QString& settingsFile, const QString& recipeFile) const {
    LaunchRequest request;
    const bool engine = draft_.purpose() == Purpose::Engine;
    const ScriptChoice& script = draft_.script();
    const int ranks = draft_.ranks();
    request.name =
        engine ? draft_.recipeValue(QStringLiteral("name")).trimmed() : QFileInfo(script.path).completeBaseName();
    QStringList facts{tr("%n ranks", nullptr, ranks)};
    if (draft_.hosts().isEmpty()) {
        facts.last() += tr(" on this machine");
    } else {
        QStringList names;
        for (const remote::HostShare& share : draft_.hosts())
            names << (share.host == kThisMachine ? tr("this machine") : qt(share.host));
        facts.last() +=
            tr(" on %1").arg(names.size() > 3 ? tr("%1 hosts").arg(names.size()) : names.join(QStringLiteral(", ")));
    }
    if (engine)
        facts << tr("%1 steps")
                     .arg(QLocale().toString(draft_.recipeValue(QStringLiteral("training.steps")).toLongLong()));
    request.facts = facts.join(QStringLiteral("  ·  "));
    request.settings_file = settingsFile;
    request.recipe_file = recipeFile;
    request.words = QStringList{QStringLiteral("--config_file"), settingsFile} + draft_.programWords(recipeFile);
    if (!engine) {
        request.place = draft_.programPlace();
        if (!request.place.name.isEmpty())
            request.name = request.place.name;
        const QString python = request.place.interpreter.isEmpty()
                                   ? qEnvironmentVariable(kEnvPython, QStringLiteral("python3"))
                                   : request.place.interpreter;
        request.is_script = script.kind != ScriptChoice::Kind::Program;
        if (request.is_script)
            request.program << python;
        if (script.kind == ScriptChoice::Kind::Module)
            request.program << QStringLiteral("-m");
        request.program << script.path.trimmed() << QProcess::splitCommand(script.arguments);
    }
    request.use_cpu = draft_.draft().settings().boolean("use_cpu", false);
    request.ranks = ranks;
    request.port = static_cast<int>(draft_.draft().settings().integer("main_process_port", 0));
    request.hosts = draft_.hosts();
    request.command = shellLine(draft_.commandWords(engine ? request.name + QStringLiteral(".yaml") : QString()));
    return request;
}

bool WizardPage::halveBatch() {
    const QString batch = QStringLiteral("training.batch_size");
    const QString accumulation = QStringLiteral("training.gradient_accumulation_steps");
    const int size = draft_.recipeValue(batch).toInt();
    if (size < 2 || size % 2 != 0)
        return false;
    draft_.beginStep();
    draft_.setRecipeValue(batch, QString::number(size / 2));
    draft_.setRecipeValue(accumulation, QString::number(2 * std::max(1, draft_.recipeValue(accumulation).toInt())));
    draft_.endStep();
    return true;
}

void WizardPage::tell(const QString& title, const QString& words) {
    say(InlineMessage::Kind::Note, title, words);
}

void WizardPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < kNarrowWizard;
    body()->setContentsMargins(narrow ? 8 : 12, 12, narrow ? 10 : 16, 10);
    columns_->setSpacing(narrow ? 12 : 16);
    list_scroll_->setFixedWidth(narrow ? kPageListNarrow : kPageListWidth);
    right_->setFixedWidth(narrow ? kWizardSideNarrow : kWizardSideWidth);
}

}  // namespace trainyard::desktop
