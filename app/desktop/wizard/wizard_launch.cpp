// SPDX-License-Identifier: GPL-3.0-or-later
// The launch of the wizard: asks about code of files from elsewhere, writes the files, and describes the run.

#include <algorithm>
#include <utility>

#include <QFileInfo>
#include <QJsonArray>
#include <QLocale>
#include <QProcess>

#include "base/environment_names.h"
#include "base/printable.h"
#include "config/accelerate/settings_file.h"
#include "desktop/launch/consent_dialog.h"
#include "desktop/launch/start_look.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "desktop/sweeps/sweep_dialog.h"
#include "desktop/wizard/opened_file.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {

const QString kTrustedCode = QStringLiteral("trusted code");  // confirmed code of files from elsewhere, by path

struct WrittenFiles {
    QString settings;
    QString recipe;
    QString run;  ///< of a program that is not started as the words of its launch say
};

}  // namespace

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

void WizardPage::askAboutCode(const QStringList& code, std::function<void()> then) {
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
                    [file, code, then = std::move(then)] {
                        ViewState::instance().set(kTrustedCode, file, QJsonArray::fromStringList(code));
                        then();
                    });
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
        askAboutCode(code, [this] { launch(); });
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

void WizardPage::openSweep() {
    if (draft_.purpose() == Purpose::SettingsOnly) {
        say(InlineMessage::Kind::Note, tr("A sweep needs a recipe or a script"),
            tr("Choose on the first page what is trained."));
        return;
    }
    if (!isChecked()) {
        sweep_when_checked_ = true;
        draft_.checkNow();
        return;
    }
    problems_ = problemsOf(draft_);
    if (std::ranges::any_of(std::as_const(problems_), &FieldProblem::error)) {
        say(InlineMessage::Kind::Note, tr("A sweep starts from a draft without problems"),
            tr("Fix the field that is shown. If the data are on other machines, choose these on the page %1 first.")
                .arg(stepTitle(Step::Hardware)));
        goToFirstProblem();
        return;
    }
    message_->dismiss();
    if (const QStringList code = foreignCode(); !code.isEmpty()) {
        askAboutCode(code, [this] { openSweep(); });
        return;
    }
    SweepBase base;
    base.name = draftName().trimmed();
    base.settings = settings::to_text(draft_.draft().settings(), settings::Format::yaml);
    for (const remote::HostShare& share : draft_.hosts())
        base.hosts << QStringLiteral("%1:%2").arg(qt(share.host)).arg(share.ranks);
    if (draft_.purpose() == Purpose::Engine) {
        base.recipe = draft_.recipeYaml();
        base.learning_rate = draft_.recipeValue(QStringLiteral("optimizer.lr")).toDouble();
    } else {
        const ProgramPlace place = draft_.programPlace();
        base.program = draft_.programWords({});
        while (!base.program.isEmpty() && base.program.first().startsWith(QLatin1String("--")))
            base.launch << base.program.takeFirst();
        if (!place.interpreter.isEmpty() && draft_.script().kind != ScriptChoice::Kind::Program) {
            if (draft_.script().kind == ScriptChoice::Kind::Module)
                base.program.prepend(QStringLiteral("-m"));
            base.program.prepend(place.interpreter);
            base.launch = QStringList{QStringLiteral("--no_python")};
        }
        base.environment = place.environment;
        base.directory = place.directory;
    }
    emit sweepRequested(base);
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

}  // namespace trainyard::desktop
