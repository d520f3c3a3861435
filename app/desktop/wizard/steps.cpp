// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/steps.h"

#include <algorithm>
#include <array>

#include <QFileInfo>
#include <QLocale>
#include <QSet>

#include "base/letter_case.h"
#include "base/text.h"
#include "config/recipe/device_checks.h"
#include "desktop/text/format_words.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"
#include "launch/plan/library_program.h"
#include "launch/plan/recipe_limit.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

using settings::Topic;

namespace {

QString joined(QStringList parts) {
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

bool asksAny(const RunDraft& draft, Topic topic) {
    const settings::Questionnaire& tree = draft.questionnaire();
    for (const settings::Question& question : tree.questions())
        if (question.topic == topic && tree.shown(question, draft.draft().answers()))
            return true;
    return false;
}

QString labelOf(const RunDraft& draft, const QString& id) {
    const settings::Questionnaire& tree = draft.questionnaire();
    const settings::Question* question = tree.find(id.toStdString());
    if (question == nullptr)
        return id;
    const std::string answer = tree.answer(*question, draft.draft().answers());
    for (const settings::Option& option : tree.options(*question, draft.draft().answers()))
        if (option.value == answer)
            return engineWords(option.label);
    return qt(answer);
}

QString hardwareSummary(const RunDraft& draft) {
    if (draft.model()->isSageMaker())
        return QStringLiteral("Amazon SageMaker");
    const int machines = static_cast<int>(draft.draft().settings().integer("num_machines", 1));
    return joined({labelOf(draft, QStringLiteral("machine_type")),
                   machines > 1 ? tr("%1 machines").arg(machines) : QString(),
                   draft.ranks() == 1 ? tr("1 rank") : tr("%1 ranks").arg(draft.ranks())});
}

QString layoutWord(const RunDraft& draft) {
    switch (layoutOf(draft)) {
        case Layout::Replicate:
            return tr("Replicate");
        case Layout::Shard:
            return draft.answerOf(QStringLiteral("fsdp_version")) == QLatin1String("1") ? QStringLiteral("FSDP 1")
                                                                                        : QStringLiteral("FSDP 2");
        case Layout::Zero:
            return draft.answerOf(QStringLiteral("ds_file_yn")) == QLatin1String("yes")
                       ? QStringLiteral("DeepSpeed")
                       : QStringLiteral("ZeRO ") + draft.answerOf(QStringLiteral("ds_stage"));
        case Layout::Mesh:
            return tr("Mesh");
        case Layout::Megatron:
            return QStringLiteral("Megatron-LM");
    }
    return {};
}

QString modelSummary(const RunDraft& draft) {
    const DraftReport& report = draft.report();
    const QString weights = draft.recipeValue(QStringLiteral("model.weights"));
    return joined(
        {draft.recipeValue(QStringLiteral("model.model_type")),
         report.parameters == 0 ? QString() : qtNumber(text::quantity(static_cast<double>(report.parameters))),
         weights.isEmpty() ? QString() : tr("from %1").arg(QFileInfo(weights).fileName())});
}

QString precisionSummary(const RunDraft& draft) {
    const QString precision = qt(draft.draft().settings().text("mixed_precision", "no"));
    return joined({precision == QLatin1String("no") || precision.isEmpty() ? QStringLiteral("fp32") : precision,
                   draft.draft().settings().has("dynamo_config") ? tr("compiled") : QString()});
}

QString dataSummary(const RunDraft& draft) {
    const QString path = draft.recipeValue(QStringLiteral("data.path"));
    if (path.isEmpty() || path == QLatin1String("[]"))
        return tr("no text yet");
    return path.startsWith(QLatin1Char('[')) ? tr("several paths") : QFileInfo(path).fileName();
}

QString checkpointSummary(const RunDraft& draft) {
    const QString every = draft.recipeValue(QStringLiteral("checkpoint.every"));
    return every == QLatin1String("0") ? tr("saved at the end") : tr("saved every %1 steps").arg(every);
}

QString startSummary(const RunDraft& draft) {
    switch (draft.way()) {
        case Way::Scratch:
            return tr("Train from scratch");
        case Way::FineTune:
            return tr("Fine-tune a model");
        case Way::Script:
            return tr("Own script");
        case Way::Settings:
            break;
    }
    return tr("Settings file");
}

QString scriptSummary(const RunDraft& draft) {
    return draft.script().path.isEmpty() ? tr("none yet") : QFileInfo(draft.script().path).fileName();
}

QString trainingSummary(const RunDraft& draft) {
    QString steps = draft.recipeValue(QStringLiteral("training.steps"));
    bool is_number = false;
    if (const qlonglong count = steps.toLongLong(&is_number); is_number)
        steps = QLocale().toString(count);
    return tr("%1 steps, lr %2").arg(steps, draft.recipeValue(QStringLiteral("optimizer.lr")));
}

QString cloudSummary(const RunDraft& draft) {
    return draft.model()->isSageMaker() ? QStringLiteral("SageMaker") : QStringLiteral("TPU");
}

QString reviewSummary(const RunDraft& draft) {
    return draft.purpose() == Purpose::SettingsOnly ? tr("check, save") : tr("check, launch");
}

QString unlessTrained(const RunDraft& draft) {
    return draft.purpose() == Purpose::Engine   ? QString()
           : draft.purpose() == Purpose::Script ? tr("the script decides")
                                                : tr("only for runs");
}

QString unlessScript(const RunDraft& draft) {
    return draft.purpose() == Purpose::Script ? QString() : tr("only with your own script");
}

QString unlessParallel(const RunDraft& draft) {
    if (draft.purpose() == Purpose::Engine && draft.ranks() > 1)
        return {};  // the mesh of a recipe
    if (!asksAny(draft, Topic::parallelism))
        return tr("one copy of the model on this kind of machine");
    const bool shares = draft.ranks() > 1 || layoutOf(draft) != Layout::Replicate;
    return shares ? QString() : tr("one rank has no state to shard");
}

QString unlessPrecise(const RunDraft& draft) {
    return asksAny(draft, Topic::precision) ? QString() : tr("set on the page Cloud and TPU");
}

QString unlessCloud(const RunDraft& draft) {
    return asksAny(draft, Topic::cloud) ? QString() : tr("only for SageMaker and TPU");
}

QString never(const RunDraft&) {
    return {};
}

struct StepEntry {
    const char* name;
    const char* title;
    QString (*summary)(const RunDraft&);
    QString (*skipped)(const RunDraft&);  ///< why the page is skipped; empty: it is not
};
/// In the order of Step.
constexpr std::array<StepEntry, kSteps> kEntries{{
    {"start", QT_TRANSLATE_NOOP("trainyard::desktop", "Start"), startSummary, never},
    {"model", QT_TRANSLATE_NOOP("trainyard::desktop", "Model"), modelSummary, unlessTrained},
    {"data", QT_TRANSLATE_NOOP("trainyard::desktop", "Data"), dataSummary, unlessTrained},
    {"script", QT_TRANSLATE_NOOP("trainyard::desktop", "Script"), scriptSummary, unlessScript},
    {"hardware", QT_TRANSLATE_NOOP("trainyard::desktop", "Hardware"), hardwareSummary, never},
    {"parallelism", QT_TRANSLATE_NOOP("trainyard::desktop", "Parallelism"), layoutWord, unlessParallel},
    {"precision", QT_TRANSLATE_NOOP("trainyard::desktop", "Precision"), precisionSummary, unlessPrecise},
    {"training", QT_TRANSLATE_NOOP("trainyard::desktop", "Training"), trainingSummary, unlessTrained},
    {"output", QT_TRANSLATE_NOOP("trainyard::desktop", "Output"), checkpointSummary, unlessTrained},
    {"cloud", QT_TRANSLATE_NOOP("trainyard::desktop", "Cloud and TPU"), cloudSummary, unlessCloud},
    {"review", QT_TRANSLATE_NOOP("trainyard::desktop", "Review"), reviewSummary, never},
}};

}  // namespace

QString stepName(Step step) {
    return QLatin1String(kEntries[static_cast<std::size_t>(step)].name);
}

std::optional<Step> stepNamed(const QString& name) {
    for (int i = 0; i < kSteps; ++i)
        if (stepName(static_cast<Step>(i)) == name)
            return static_cast<Step>(i);
    return {};
}

QString stepTitle(Step step) {
    return tr(kEntries[static_cast<std::size_t>(step)].title);
}

Step stepOf(Topic topic) {
    return topic == Topic::parallelism ? Step::Parallelism
           : topic == Topic::precision ? Step::Precision
           : topic == Topic::cloud     ? Step::Cloud
                                       : Step::Hardware;
}

const settings::Question* questionOf(const RunDraft& draft, const std::string& key) {
    const settings::Questionnaire& tree = draft.questionnaire();
    if (const settings::Question* question = tree.find(key))
        return question;
    const settings::Question* found = nullptr;
    for (const settings::Question& question : tree.questions())
        if (!key.empty() && question.path == key && (found == nullptr || tree.shown(question, draft.draft().answers())))
            found = &question;
    return found;
}

Layout layoutOf(const RunDraft& draft) {
    const settings::Questionnaire& tree = draft.questionnaire();
    auto yes = [&](const char* id) {
        const settings::Question* question = tree.find(id);
        return question != nullptr && tree.shown(*question, draft.draft().answers()) &&
               tree.answer(*question, draft.draft().answers()) == "yes";
    };
    if (yes("ds"))
        return Layout::Zero;
    if (yes("fsdp"))
        return yes("pc") ? Layout::Mesh : Layout::Shard;
    return yes("mlm") ? Layout::Megatron : Layout::Replicate;
}

namespace {

/// Finds the field of a setting: the question that writes it.
FieldProblem fieldOf(const RunDraft& draft, const QString& path) {
    FieldProblem field;
    // Several questions determine this key together.
    const bool steering = path == QLatin1String("distributed_type");
    const settings::Question* question = questionOf(draft, steering ? "machine_type" : path.toStdString());
    field.key = question == nullptr ? path : qt(question->id);
    field.label =
        question == nullptr ? path : engineWords(draft.questionnaire().label(*question, draft.draft().answers()));
    field.step = question == nullptr ? Step::Review : stepOf(question->topic);
    return field;
}

/// Adds the settings that `launch` would reject as problems of the fields where they are chosen.
void addBeyondEngine(const RunDraft& draft, QVector<FieldProblem>& all) {
    for (const plan::RecipeLimit& limit : plan::recipe_limits(draft.draft().settings())) {
        FieldProblem field = fieldOf(draft, qt(limit.key));
        if (limit.whole_way()) {
            if (layoutOf(draft) == Layout::Megatron) {
                field.key = QStringLiteral("mlm");
                field.step = Step::Parallelism;
            }
            field.label = layoutWord(draft);
        }
        field.sentence = tr("%1.").arg(qtSentence(limit.sentence()));
        field.beyond_engine = true;
        all << field;
    }
}

/// Adds the note of `launch` about torch.compile settings if the draft starts no Python program.
void addWithoutPython(const RunDraft& draft, QVector<FieldProblem>& all) {
    const settings::Settings& settings = draft.draft().settings();
    const QString backend = qt(text::upper(settings.text("dynamo_config.dynamo_backend", "NO")));
    const bool program = draft.purpose() == Purpose::Script && draft.script().kind == ScriptChoice::Kind::Program;
    if (backend == QLatin1String("NO") || (draft.purpose() != Purpose::Engine && !program))
        return;
    FieldProblem field = fieldOf(draft, QStringLiteral("dynamo_config.dynamo_backend"));
    field.sentence = program ? tr("%1 has an effect only if the program starts Python.").arg(backend)
                             : tr("%1 has no effect: %2.")
                                   .arg(backend, qtClause(plan::reason_without_python(settings::Section::dynamo)));
    field.error = false;
    all << field;
}

/// Number formats of the recipe that the devices which train do not have.
QVector<DraftProblem> formatProblems(const RunDraft& draft) {
    QVector<DraftProblem> problems;
    if (!draft.report().recipe)
        return problems;
    for (const TrainingDevice& device : draft.trainingDevices())
        for (const Problem& problem : config::missing_formats(*draft.report().recipe, device.facts))
            if (std::ranges::find(problems, qt(problem.key), &DraftProblem::key) == problems.end())
                problems << DraftProblem{qt(problem.key), qtSentence(problem.message)};
    return problems;
}

}  // namespace

QString formatHint(const RunDraft& draft, const QString& key, const QVector<FieldOption>& options) {
    if (draft.purpose() != Purpose::Engine)
        return {};
    QVector<std::pair<QString, QString>> choices;
    for (const FieldOption& option : options)
        choices.emplaceBack(option.value, option.label);
    return formatWords(key, choices, draft.trainingDevices());
}

QString refusedOptions(const RunDraft& draft, const settings::Question& question) {
    const bool chooses_way = question.id == "env" || question.id == "machine_type" || question.id == "mlm";
    const bool shards = question.path.starts_with("fsdp_config.") || question.path.starts_with("deepspeed_config.");
    if (draft.purpose() != Purpose::Engine || !(chooses_way || shards))
        return {};
    const settings::Questionnaire& tree = draft.questionnaire();
    settings::Answers answers = draft.draft().answers();
    std::vector<settings::Option> options = tree.options(question, answers);
    if (question.kind == settings::QuestionKind::yes_no)
        options = {{"yes", "Yes", ""}};
    QStringList labels, reasons;
    for (const settings::Option& option : options) {
        answers[question.id] = option.value;
        for (const plan::RecipeLimit& limit : plan::recipe_limits(tree.settings(answers))) {
            if (limit.whole_way() ? !chooses_way : limit.key != question.path)
                continue;
            labels << (question.kind == settings::QuestionKind::yes_no ? tr("Yes") : engineWords(option.label));
            if (const QString reason = qtClause(limit.reason); !reasons.contains(reason))
                reasons << reason;
        }
    }
    return labels.isEmpty() ? QString()
                            : tr("Not with the engine: %1 (%2).")
                                  .arg(widgets::list_text(labels), reasons.join(QStringLiteral("; ")));
}

QVector<FieldProblem> problemsOf(const RunDraft& draft) {
    QVector<FieldProblem> all;
    addWithoutPython(draft, all);
    if (draft.purpose() == Purpose::Engine) {
        addBeyondEngine(draft, all);
        const QString weights = QStringLiteral("model.weights");
        if (draft.way() == Way::FineTune && draft.recipeValue(weights).isEmpty())
            all << FieldProblem{.key = weights,
                                .label = findRecipeRow(weights)->label,
                                .sentence = tr("Choose the model to fine-tune: a folder, or a name such as org/name."),
                                .step = Step::Model};
        for (const DraftProblem& problem : draft.report().problems + formatProblems(draft)) {
            const RecipeRow* row = findRecipeRow(problem.key);
            FieldProblem field{
                .key = problem.key, .sentence = problem.message, .error = problem.error, .fix = problem.fix};
            if (row != nullptr) {
                field.label = row->label;
                field.step = row->step;
            }
            if (problem.key == QLatin1String("training.mixed_precision")) {
                // The recipe takes its value from the settings.
                field.key = QStringLiteral("mp");
                field.label = tr("Mixed precision");
                field.step = Step::Precision;
            }
            all << field;
        }
    }
    for (const DraftProblem& problem : draft.scriptProblems())
        all << FieldProblem{.key = problem.key,
                            .label = problem.key == QLatin1String("script")             ? tr("Script")
                                     : problem.key == QLatin1String("arguments")        ? tr("Arguments")
                                     : problem.key == QLatin1String("script_variables") ? tr("Variables")
                                                                                        : tr("Name"),
                            .sentence = problem.message,
                            .step = Step::Script};
    QSet<QString> said;
    for (const settings::Finding& finding : draft.model()->findings()) {
        FieldProblem field = fieldOf(draft, qt(finding.path));
        field.finding = finding;
        field.error = finding.severity == settings::Finding::Severity::error;
        field.sentence = qtSentence(finding.message);
        if (said.contains(field.key + field.sentence))
            continue;
        said.insert(field.key + field.sentence);
        all << field;
    }
    std::ranges::stable_sort(all, {}, &FieldProblem::step);
    return all;
}

QVector<StepState> stepsOf(const RunDraft& draft, const QVector<FieldProblem>& problems) {
    QVector<StepState> steps;
    for (int i = 0; i < kSteps; ++i) {
        const Step step = static_cast<Step>(i);
        const StepEntry& entry = kEntries[static_cast<std::size_t>(i)];
        StepState state{step, stepTitle(step), entry.summary(draft), entry.skipped(draft), 0, 0};
        for (const FieldProblem& problem : problems)
            if (problem.step == step)
                ++(problem.error ? state.errors : state.warnings);
        steps << state;
    }
    // Review lists all problems, so it is not done while any is left.
    StepState& review = steps[static_cast<int>(Step::Review)];
    review.errors = 0;
    for (const FieldProblem& problem : problems)
        review.errors += problem.error ? 1 : 0;
    return steps;
}

}  // namespace trainyard::desktop
