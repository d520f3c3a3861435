// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/script_page.h"

#include <QComboBox>
#include <QFileInfo>

#include "base/environment_names.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"

namespace trainyard::desktop {

namespace {
const QString kKind = QStringLiteral("script_kind");
const QString kScript = QStringLiteral("script");
const QString kArguments = QStringLiteral("arguments");
const QString kInterpreter = QStringLiteral("script_interpreter");
const QString kFolder = QStringLiteral("script_folder");
const QString kVariables = QStringLiteral("script_variables");
const QString kName = QStringLiteral("script_name");

FieldOption usual_interpreter() {
    const QString python = qEnvironmentVariable(kEnvPython, QStringLiteral("python3"));
    return {QString(), ScriptPage::tr("%1, as in a terminal of this machine").arg(python), {}};
}

QString words_of(const Interpreter& one) {
    const QString name = one.name.isEmpty() ? one.kind : ScriptPage::tr("%1 (%2)").arg(one.name, one.kind);
    return ScriptPage::tr("%1 · Python %2 · %3")
        .arg(name, one.version.isEmpty() ? QStringLiteral("?") : one.version,
             one.torch.isEmpty() ? ScriptPage::tr("no torch") : QStringLiteral("torch ") + one.torch);
}

QString name(ScriptChoice::Kind kind) {
    return QString::number(static_cast<int>(kind));
}
}  // namespace

ScriptPage::ScriptPage(RunDraft* draft, QWidget* parent)
    : StepPage(draft, Step::Script, parent), choose_(named(new QPushButton(tr("Choose…")), tr("Choose the script"))) {
    setHeading(tr("Which script?"), tr("It is started once for each rank, with Accelerate's variables set."));
    QVBoxLayout* block = addBlock({});
    const auto set = [this](auto member, const auto& value) {
        ScriptChoice next = this->draft()->script();
        next.*member = value;
        this->draft()->setScript(next);
    };
    addField(block, -1, kKind, {}, {}, tr("Started as"), {},
             new FieldEditor(FieldEditor::Kind::Choice,
                             {{name(ScriptChoice::Kind::File), tr("Script"), tr("python FILE")},
                              {name(ScriptChoice::Kind::Module), tr("Module"), tr("python -m MODULE")},
                              {name(ScriptChoice::Kind::Program), tr("Program"), tr("without Python")}}),
             [set](const QString& value) { set(&ScriptChoice::kind, static_cast<ScriptChoice::Kind>(value.toInt())); });
    addField(block, -1, kScript, {}, {}, tr("Script"), tr("the path as seen on every machine of the run"),
             new FieldEditor(FieldEditor::Kind::Line, {}),
             [set](const QString& value) { set(&ScriptChoice::path, value); });
    addField(block, -1, kArguments, {}, {}, tr("Arguments"),
             tr("as on a command line; quotation marks keep spaces together"),
             new FieldEditor(FieldEditor::Kind::Line, {}),
             [set](const QString& value) { set(&ScriptChoice::arguments, value); });
    QVBoxLayout* start = addBlock(tr("Start"));
    addField(start, -1, kInterpreter, {}, {}, tr("Interpreter"), tr("environments found on this machine"),
             new FieldEditor(FieldEditor::Kind::Choice, {usual_interpreter()}),
             [set](const QString& value) { set(&ScriptChoice::interpreter, value); });
    addField(start, -1, kFolder, {}, {}, tr("Folder"), tr("that it starts in; empty: the folder of Trainyard"),
             new FieldEditor(FieldEditor::Kind::Line, {}),
             [set](const QString& value) { set(&ScriptChoice::folder, value); });
    addField(start, -1, kVariables, {}, {}, tr("Variables"),
             tr("NAME=VALUE, one per line. They are stored in the run's folder: do not put secrets here."),
             new FieldEditor(FieldEditor::Kind::Lines, {}),
             [set](const QString& value) { set(&ScriptChoice::variables, value); });
    addField(start, -1, kName, {}, {}, tr("Name"), tr("of the run; empty: that of the file"),
             new FieldEditor(FieldEditor::Kind::Line, {}),
             [set](const QString& value) { set(&ScriptChoice::name, value); });
    // Its texts are longer than those of other lists.
    if (auto* list = qobject_cast<QComboBox*>(editor(kInterpreter)->widget())) {
        list->setMaximumWidth(QWIDGETSIZE_MAX);
        list->setMinimumContentsLength(6);
        list->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }
    auto* choose_python = named(new QPushButton(tr("Choose…")), tr("Choose an interpreter"));
    row(kInterpreter)->addBeside(choose_python);
    connect(choose_python, &QPushButton::clicked, this, [this, set] {
        widgets::ask_file(this, tr("An interpreter, such as bin/python of an environment"), {},
                          [set](const QString& file) { set(&ScriptChoice::interpreter, file); });
    });
    auto* choose_folder = named(new QPushButton(tr("Choose…")), tr("Choose the folder that the script starts in"));
    row(kFolder)->addBeside(choose_folder);
    connect(choose_folder, &QPushButton::clicked, this, [this, set] {
        widgets::ask_folder(this, tr("The folder that the script starts in"),
                            [set](const QString& folder) { set(&ScriptChoice::folder, folder); });
    });
    row(kScript)->addBeside(choose_);
    connect(choose_, &QPushButton::clicked, this, [this, set] {
        widgets::ask_file(this, tr("The script to start"), tr("Python scripts (*.py);;All files (*)"),
                          [set](const QString& file) { set(&ScriptChoice::path, file); });
    });
}

void ScriptPage::look() {
    const ScriptChoice& script = draft()->script();
    QStringList folders;
    if (script.kind == ScriptChoice::Kind::File && script.path.contains(QLatin1Char('/')))
        folders << QFileInfo(script.path.trimmed()).path();
    if (!script.folder.trimmed().isEmpty())
        folders << script.folder.trimmed();
    if (folders == looked_in_)
        return;
    looked_in_ = folders;
    look_.submit([folders] { return find_interpreters(folders); },
                 [this](const QVector<Interpreter>& found) {
                     found_ = found;
                     offerInterpreters();
                 });
}

void ScriptPage::offerInterpreters() {
    QVector<FieldOption> options{usual_interpreter()};
    for (const Interpreter& one : std::as_const(found_))
        options << FieldOption{one.path, words_of(one), one.path};
    const QString& chosen = draft()->script().interpreter;
    if (std::ranges::find(options, chosen, &FieldOption::value) == options.end())
        options << FieldOption{chosen, chosen, chosen};
    editor(kInterpreter)->setOptions(options);
    editor(kInterpreter)->setValue(chosen);
}

void ScriptPage::takeValues() {
    const ScriptChoice& script = draft()->script();
    editor(kKind)->setValue(name(script.kind));
    editor(kScript)->setValue(script.path);
    editor(kArguments)->setValue(script.arguments);
    editor(kFolder)->setValue(script.folder);
    editor(kVariables)->setValue(script.variables);
    editor(kName)->setValue(script.name);
    offerInterpreters();
    look();
    const bool module = script.kind == ScriptChoice::Kind::Module;
    choose_->setVisible(!module);
    row(kInterpreter)->setVisible(script.kind != ScriptChoice::Kind::Program);
    row(kScript)->setLabel(module                                       ? tr("Module")
                           : script.kind == ScriptChoice::Kind::Program ? tr("Program")
                                                                        : tr("Script"));
    row(kScript)->setHint(module ? tr("with dots, as Python imports it: package.train")
                                 : tr("the path as seen on every machine of the run"));
}

}  // namespace trainyard::desktop
