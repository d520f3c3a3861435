// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/question_page.h"

#include <QCompleter>
#include <QLineEdit>

#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

using settings::Question;
using settings::QuestionKind;
using settings::Topic;

namespace {

const int& kNumberWidth = live_px(120);

/// Heading a question stands under, by the family its id belongs to.
QString blockOf(const Question& question) {
    const QString id = qt(question.id);
    const std::pair<const char*, QString> families[] = {
        {"ds", tr("ZeRO with DeepSpeed")},
        {"fsdp", tr("Sharding")},
        {"pc", tr("Mesh")},
        {"mlm", QStringLiteral("Megatron-LM")},
        {"te_", QStringLiteral("TransformerEngine")},
        {"msamp", QStringLiteral("MS-AMP")},
        {"ao_", QStringLiteral("torchao")},
        {"dynamo", tr("Compilation")},
        {"sm_", QStringLiteral("Amazon SageMaker")},
        {"tpu", QStringLiteral("TPU")},
        {"mp", tr("Numbers")},
        {"fp8", tr("Numbers")},
        {"env", tr("Where")},
        {"machine_type", tr("Where")},
        {"use_cpu", tr("Where")},
        {"num_processes", tr("Processes")},
        {"gpu_ids", tr("Processes")},
        {"numa", tr("Processes")},
        {"debug", tr("Processes")},
        {"use_mpirun", tr("MPI")},
    };
    if (id.startsWith(QLatin1String("mpirun")))  // not "mp"
        return tr("MPI");
    for (const auto& [prefix, name] : families)
        if (id.startsWith(QLatin1String(prefix)))
            return name;
    return question.topic == Topic::hardware ? tr("Machines") : tr("More");
}

QString machineWords(const settings::Machine& machine) {
    if (machine.tpu)
        return tr("Detected on this machine: a TPU.");
    if (machine.device_count < 1)
        return tr("Detected on this machine: a CPU with %1 cores, no accelerator.").arg(machine.physical_cores);
    const QString name = machine.device_names.empty() ? qt(machine.device).toUpper() : qt(machine.device_names.front());
    return tr("Detected on this machine: %1 × %2.").arg(machine.device_count).arg(name);
}

QVector<FieldOption> optionsOf(const settings::Questionnaire& tree, const Question& question,
                               const settings::Answers& answers) {
    QVector<FieldOption> options;
    for (const settings::Option& option : tree.options(question, answers))
        options << FieldOption{qt(option.value), engineWords(option.label), engineWords(option.help)};
    return options;
}

}  // namespace

QuestionPage::QuestionPage(RunDraft* draft, Topic topic, QWidget* parent)
    : StepPage(draft, stepOf(topic), parent), topic_(topic) {
    switch (topic) {
        case Topic::hardware:
            setHeading(tr("Where does it run?"), tr("Detected on this machine."));
            break;
        case Topic::parallelism:
            break;
        case Topic::precision:
            setHeading(tr("Number format and compilation"),
                       tr("A lower precision needs less memory. It is faster only on devices that compute in it."));
            break;
        case Topic::cloud:
            setHeading(tr("Which cloud?"), tr("What the jobs of Amazon SageMaker or a TPU pod need."));
            break;
    }
}

void QuestionPage::setHosts(const QStringList& hosts) {
    hosts_ = hosts;
    if (FieldEditor* field = editor(QStringLiteral("main_ip")))
        if (auto* line = qobject_cast<QLineEdit*>(field->widget()))
            line->setCompleter(new QCompleter(hosts_, line));
}

void QuestionPage::makeSlots() {
    const auto block = [this](const QString& name) {
        QVBoxLayout*& layout = blocks_[name];
        if (layout == nullptr) {
            layout = addBlock(name);
            layout->parentWidget()->hide();
        }
        return layout;
    };
    if (topic_ == Topic::precision)
        block(tr("Numbers"));  // asked last in the terminal, and what most people come for
    for (const Question& question : draft()->questionnaire().questions())
        if (question.topic == topic_ && !isElsewhere(qt(question.id)))
            slots_.push_back({question.id, block(blockOf(question)), false});
}

void QuestionPage::make(Slot& slot, const Question& question) {
    const settings::Answers& answers = draft()->draft().answers();
    const QString id = qt(question.id);
    FieldEditor* editor = nullptr;
    bool narrow = false;
    switch (question.kind) {
        case QuestionKind::menu:
            editor = new FieldEditor(FieldEditor::Kind::Choice, optionsOf(draft()->questionnaire(), question, answers));
            break;
        case QuestionKind::yes_no:
            editor = new FieldEditor(FieldEditor::Kind::Tick,
                                     {{QStringLiteral("yes"), tr("Yes"), {}}, {QStringLiteral("no"), {}, {}}});
            break;
        case QuestionKind::integer:
        case QuestionKind::number:
            editor = new FieldEditor(FieldEditor::Kind::Line, {});
            narrow = true;
            break;
        case QuestionKind::text:
        case QuestionKind::path:
            editor =
                new FieldEditor(question.path == "commands" ? FieldEditor::Kind::Lines : FieldEditor::Kind::Line, {});
            break;
    }
    int at = 1;  // behind the heading
    for (const Slot* before = slots_.data(); before != &slot; ++before)
        at += before->block == slot.block && before->made;
    const QString path = qt(question.path);
    Field& field = addField(slot.block, at, id, path, path.section(QLatin1Char('.'), -1),
                            engineWords(draft()->questionnaire().label(question, answers)), engineWords(question.help),
                            editor, [this, id](const QString& value) { draft()->answer(id, value); });
    slot.made = true;
    if (narrow)
        field.row->setEditorWidth(kNumberWidth);
    if (question.kind == QuestionKind::path) {
        auto* choose = named(new QPushButton(tr("Choose…")), tr("Choose a file for %1").arg(field.row->label()));
        field.row->addBeside(choose);
        connect(choose, &QPushButton::clicked, this, [this, id] {
            widgets::ask_file(this, tr("Choose a file"), {},
                              [this, id](const QString& file) { draft()->answer(id, file); });
        });
    }
    if (id == QLatin1String("main_ip") && !hosts_.isEmpty())
        setHosts(hosts_);
}

void QuestionPage::takeValues() {
    if (slots_.empty())
        makeSlots();
    const settings::Questionnaire& tree = draft()->questionnaire();
    const settings::Answers& answers = draft()->draft().answers();
    if (topic_ == Topic::hardware)
        setHeading(tr("Where does it run?"), machineWords(tree.machine()));
    QSet<QVBoxLayout*> used;
    for (Slot& slot : slots_) {
        const Question& question = *tree.find(slot.id);
        const bool shown = tree.shown(question, answers);
        if (shown && !slot.made)
            make(slot, question);
        if (!slot.made)
            continue;
        Field* field = find(qt(question.id));
        field->row->setVisible(shown);
        if (!shown)
            continue;
        used.insert(slot.block);
        field->row->setLabel(engineWords(tree.label(question, answers)));
        if (question.kind == QuestionKind::menu)
            field->editor->setOptions(optionsOf(tree, question, answers));
        QStringList hints{engineWords(question.help), refusedOptions(*draft(), question)};
        if (question.path == "mixed_precision")
            hints << formatHint(*draft(), QStringLiteral("training.mixed_precision"), field->editor->options());
        hints.removeAll(QString());
        field->row->setHint(hints.join(QLatin1Char('\n')));
        field->editor->setValue(qt(tree.answer(question, answers)));
    }
    for (QVBoxLayout* block : std::as_const(blocks_))
        block->parentWidget()->setVisible(used.contains(block));
}

}  // namespace trainyard::desktop
