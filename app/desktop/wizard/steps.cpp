#include "desktop/wizard/steps.h"

#include <QFileInfo>
#include <QSet>

#include "base/text.h"
#include "desktop/engine_words.h"
#include "desktop/qt_text.h"
#include "desktop/translate.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"
#include "plan/recipe_limit.h"

namespace trainyard::desktop {

using settings::Topic;

namespace {

QString joined(const QStringList& parts) {
    QStringList filled;
    for (const QString& part : parts)
        if (!part.isEmpty())
            filled << part;
    return filled.join(QStringLiteral(" · "));
}

QString count(int n, const QString& one, const QString& many) {
    return n == 1 ? one : many.arg(n);
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
    if (draft.draft().settings().text("compute_environment") == "AMAZON_SAGEMAKER")
        return QStringLiteral("Amazon SageMaker");
    const int machines = static_cast<int>(draft.draft().settings().integer("num_machines", 1));
    return joined({labelOf(draft, QStringLiteral("machine_type")),
                   machines > 1 ? tr("%1 machines").arg(machines) : QString(),
                   count(draft.ranks(), tr("1 rank"), tr("%1 ranks"))});
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
    return joined({QStringLiteral("GPT-2"), report.parameters == 0
                                                ? QString()
                                                : qtNumber(text::quantity(static_cast<double>(report.parameters)))});
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
    switch (draft.purpose()) {
        case Purpose::Engine:
            return tr("Train a model");
        case Purpose::Script:
            return tr("Own script");
        case Purpose::SettingsOnly:
            return tr("Settings file");
    }
    return {};
}

QString summaryOf(const RunDraft& draft, Step step) {
    switch (step) {
        case Step::Start:
            return startSummary(draft);
        case Step::Model:
            return modelSummary(draft);
        case Step::Data:
            return dataSummary(draft);
        case Step::Script:
            return draft.script().path.isEmpty() ? tr("none yet") : QFileInfo(draft.script().path).fileName();
        case Step::Hardware:
            return hardwareSummary(draft);
        case Step::Parallelism:
            return layoutWord(draft);
        case Step::Precision:
            return precisionSummary(draft);
        case Step::Training:
            return tr("%1 steps, lr %2")
                .arg(draft.recipeValue(QStringLiteral("training.steps")),
                     draft.recipeValue(QStringLiteral("optimizer.lr")));
        case Step::Output:
            return checkpointSummary(draft);
        case Step::Cloud:
            return draft.draft().settings().text("compute_environment") == "AMAZON_SAGEMAKER"
                       ? QStringLiteral("SageMaker")
                       : QStringLiteral("TPU");
        case Step::Review:
            return draft.purpose() == Purpose::SettingsOnly ? tr("check, save") : tr("check, launch");
    }
    return {};
}

QString skippedBecause(const RunDraft& draft, Step step) {
    const bool engine = draft.purpose() == Purpose::Engine;
    switch (step) {
        case Step::Model:
        case Step::Data:
        case Step::Training:
        case Step::Output:
            return engine                               ? QString()
                   : draft.purpose() == Purpose::Script ? tr("the script decides")
                                                        : tr("only for runs");
        case Step::Script:
            return draft.purpose() == Purpose::Script ? QString() : tr("only with your own script");
        case Step::Parallelism:
            if (!asksAny(draft, Topic::parallelism))
                return tr("one copy of the model on this kind of machine");
            return draft.ranks() > 1 || layoutOf(draft) != Layout::Replicate ? QString()
                                                                             : tr("one rank has nothing to share");
        case Step::Precision:
            return asksAny(draft, Topic::precision) ? QString() : tr("asked under Cloud");
        case Step::Cloud:
            return asksAny(draft, Topic::cloud) ? QString() : tr("only for SageMaker and TPU");
        default:
            return {};
    }
}

/// The question that writes a key, shown ones first.
const settings::Question* questionOf(const RunDraft& draft, const std::string& key) {
    const settings::Questionnaire& tree = draft.questionnaire();
    if (const settings::Question* question = tree.find(key))
        return question;
    const settings::Question* found = nullptr;
    for (const settings::Question& question : tree.questions())
        if (question.path == key && (found == nullptr || tree.shown(question, draft.draft().answers())))
            found = &question;
    return found;
}

/// Keys that several questions write together.
QString steeringQuestion(const QString& path) {
    if (path == QLatin1String("distributed_type"))
        return QStringLiteral("machine_type");
    return path;
}

}  // namespace

QString stepName(Step step) {
    static const char* const names[] = {"start",     "model",    "data",   "script", "hardware", "parallelism",
                                        "precision", "training", "output", "cloud",  "review"};
    return QLatin1String(names[static_cast<int>(step)]);
}

std::optional<Step> stepNamed(const QString& name) {
    for (int i = 0; i < kSteps; ++i)
        if (stepName(static_cast<Step>(i)) == name)
            return static_cast<Step>(i);
    return {};
}

QString stepTitle(Step step) {
    switch (step) {
        case Step::Start:
            return tr("Start");
        case Step::Model:
            return tr("Model");
        case Step::Data:
            return tr("Data");
        case Step::Script:
            return tr("Script");
        case Step::Hardware:
            return tr("Hardware");
        case Step::Parallelism:
            return tr("Parallelism");
        case Step::Precision:
            return tr("Precision");
        case Step::Training:
            return tr("Training");
        case Step::Output:
            return tr("Output");
        case Step::Cloud:
            return tr("Cloud and TPU");
        case Step::Review:
            return tr("Review");
    }
    return {};
}

Step stepOf(Topic topic) {
    switch (topic) {
        case Topic::hardware:
            return Step::Hardware;
        case Topic::parallelism:
            return Step::Parallelism;
        case Topic::precision:
            return Step::Precision;
        case Topic::cloud:
            return Step::Cloud;
    }
    return Step::Hardware;
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

/// The field of a setting, by the question that writes it.
FieldProblem fieldOf(const RunDraft& draft, const QString& path) {
    FieldProblem field;
    const settings::Question* question = questionOf(draft, steeringQuestion(path).toStdString());
    field.key = question == nullptr ? path : qt(question->id);
    field.label =
        question == nullptr ? path : engineWords(draft.questionnaire().label(*question, draft.draft().answers()));
    field.step = question == nullptr ? Step::Review : stepOf(question->topic);
    return field;
}

/// What `launch` would refuse, said where it is chosen.
void addBeyondEngine(const RunDraft& draft, QVector<FieldProblem>& all) {
    const auto limit = plan::recipe_limit(draft.draft().settings());
    if (!limit)
        return;
    FieldProblem field = fieldOf(draft, qt(limit->key));
    if (limit->whole_way) {
        switch (layoutOf(draft)) {
            case Layout::Shard:
            case Layout::Mesh:
                field.key = QStringLiteral("fsdp");
                break;
            case Layout::Megatron:
                field.key = QStringLiteral("mlm");
                break;
            default:
                break;
        }
        if (field.key == QLatin1String("fsdp") || field.key == QLatin1String("mlm"))
            field.step = Step::Parallelism;
        field.label = layoutWord(draft);
    }
    QString sentence = qtSentence(limit->sentence);
    sentence[0] = sentence[0].toUpper();
    field.sentence = tr("%1.").arg(sentence);
    field.beyond_engine = true;
    all << field;
}

}  // namespace

QVector<FieldProblem> problemsOf(const RunDraft& draft) {
    QVector<FieldProblem> all;
    if (draft.purpose() == Purpose::Engine) {
        addBeyondEngine(draft, all);
        for (const DraftProblem& problem : draft.report().problems) {
            const RecipeRow* row = findRecipeRow(problem.key);
            FieldProblem field{problem.key,
                               row == nullptr ? QString() : row->label,
                               problem.message,
                               row == nullptr ? Step::Review : row->step,
                               true,
                               {}};
            if (problem.key == QLatin1String("training.mixed_precision")) {
                // The recipe takes it from the settings.
                field.key = QStringLiteral("mp");
                field.label = tr("Mixed precision");
                field.step = Step::Precision;
            }
            all << field;
        }
    }
    for (const DraftProblem& problem : draft.scriptProblems())
        all << FieldProblem{problem.key,
                            problem.key == QLatin1String("script") ? tr("Script") : tr("Arguments"),
                            problem.message,
                            Step::Script,
                            true,
                            {}};
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
    std::stable_sort(all.begin(), all.end(),
                     [](const FieldProblem& a, const FieldProblem& b) { return a.step < b.step; });
    return all;
}

QVector<StepState> stepsOf(const RunDraft& draft, const QVector<FieldProblem>& problems) {
    QVector<StepState> steps;
    for (int i = 0; i < kSteps; ++i) {
        const Step step = static_cast<Step>(i);
        StepState state{step, stepTitle(step), summaryOf(draft, step), skippedBecause(draft, step), 0, 0};
        for (const FieldProblem& problem : problems)
            if (problem.step == step)
                ++(problem.error ? state.errors : state.warnings);
        steps << state;
    }
    // Review lists them all: it is not done while one is left.
    StepState& review = steps[static_cast<int>(Step::Review)];
    review.errors = 0;
    for (const FieldProblem& problem : problems)
        review.errors += problem.error ? 1 : 0;
    return steps;
}

}  // namespace trainyard::desktop
