#include "desktop/wizard/script_page.h"

#include <QFileDialog>

#include "desktop/ui.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/field_row.h"

namespace trainyard::desktop {

namespace {
const QString kKind = QStringLiteral("script_kind");
const QString kScript = QStringLiteral("script");
const QString kArguments = QStringLiteral("arguments");

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
    row(kScript)->addBeside(choose_);
    connect(choose_, &QPushButton::clicked, this, [this, set] {
        const QString file = QFileDialog::getOpenFileName(this, tr("The script to start"), {},
                                                          tr("Python scripts (*.py);;All files (*)"));
        if (!file.isEmpty())
            set(&ScriptChoice::path, file);
    });
}

void ScriptPage::takeValues() {
    const ScriptChoice& script = draft()->script();
    editor(kKind)->setValue(name(script.kind));
    editor(kScript)->setValue(script.path);
    editor(kArguments)->setValue(script.arguments);
    const bool module = script.kind == ScriptChoice::Kind::Module;
    choose_->setVisible(!module);
    row(kScript)->setLabel(module                                       ? tr("Module")
                           : script.kind == ScriptChoice::Kind::Program ? tr("Program")
                                                                        : tr("Script"));
    row(kScript)->setHint(module ? tr("with dots, as Python imports it: package.train")
                                 : tr("the path as seen on every machine of the run"));
}

}  // namespace trainyard::desktop
