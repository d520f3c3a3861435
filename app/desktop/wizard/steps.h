#pragma once
// The pages of the wizard as a view model: which there are, which are skipped and why, what was answered on each in one line,
// and what is wrong where. No widgets.

#include <optional>

#include <QString>
#include <QVector>

#include "config/accelerate/check.h"
#include "config/accelerate/questionnaire.h"

namespace trainyard::desktop {

class RunDraft;

/// In the order they stand in.
enum class Step { Start, Model, Data, Script, Hardware, Parallelism, Precision, Training, Output, Cloud, Review };
inline constexpr int kSteps = 11;

struct FieldProblem {
    QString key;  ///< id of a question, else path of a setting, key of the recipe, `script` or `arguments`
    QString label = {};
    QString sentence = {};
    Step step = Step::Review;
    bool error = true;
    std::optional<settings::Finding> finding = {};
    QString fix = {};  ///< for a key of the recipe: the only value that solves it; empty: several do
    /// The engine does not train what the settings say: another layout would do, or a script of one's own.
    bool beyond_engine = false;
};

struct StepState {
    Step step = Step::Start;
    QString title;
    QString summary;
    QString skipped;  ///< why it is left out; empty: it is shown
    int errors = 0;
    int warnings = 0;
};

/// `start`, `model` ... as in `--page new:model`.
QString stepName(Step step);
std::optional<Step> stepNamed(const QString& name);
QString stepTitle(Step step);
Step stepOf(settings::Topic topic);
/// The question with this id, or that writes this key, shown ones first; nullptr: none does.
const settings::Question* questionOf(const RunDraft& draft, const std::string& key);

/// Everything that is wrong or doubtful, in the order of the pages.
QVector<FieldProblem> problemsOf(const RunDraft& draft);
/// All pages in order.
QVector<StepState> stepsOf(const RunDraft& draft, const QVector<FieldProblem>& problems);
/// `FSDP 2 · 16 ranks`: the kind of parallelism in a word.
enum class Layout { Replicate, Shard, Zero, Mesh, Megatron };
Layout layoutOf(const RunDraft& draft);

}  // namespace trainyard::desktop
