// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The pages of the wizard as a view model, without widgets: which pages exist, which are skipped and why, a one-line
// summary of each, and the problems of each.

#include <optional>

#include <QString>
#include <QVector>

#include "config/accelerate/check.h"
#include "config/accelerate/questionnaire.h"
#include "desktop/wizard/field_option.h"

namespace trainyard::desktop {

class RunDraft;

/// The pages in their order.
enum class Step { Start, Model, Data, Script, Hardware, Parallelism, Precision, Training, Output, Cloud, Review };
inline constexpr int kSteps = 11;

struct FieldProblem {
    QString key;  ///< id of a question, else path of a setting, key of the recipe, `script` or `arguments`
    QString label = {};
    QString sentence = {};
    Step step = Step::Review;
    bool error = true;
    std::optional<settings::Finding> finding = {};
    QString fix = {};  ///< for a key of the recipe: the only value that fixes the problem; empty: several do
    /// The engine does not support these settings: choose another layout, or use a script.
    bool beyond_engine = false;
};

struct StepState {
    Step step = Step::Start;
    QString title;
    QString summary;
    QString skipped;  ///< why the page is skipped; empty: it is shown
    int errors = 0;
    int warnings = 0;
};

/// `start`, `model` ..., as in `--page new:model`.
QString stepName(Step step);
std::optional<Step> stepNamed(const QString& name);
QString stepTitle(Step step);
Step stepOf(settings::Topic topic);
/// The question with this id, or the one that writes this key, preferring those that are shown; nullptr: none.
const settings::Question* questionOf(const RunDraft& draft, const std::string& key);

/// A sentence about the options of the question that the engine does not train with, and why; empty if it trains with
/// all, or another program trains.
QString refusedOptions(const RunDraft& draft, const settings::Question& question);

/// Lines about the number formats among the values of a key of the recipe, on the devices that train; empty if no value
/// stands for one, or if another program trains.
QString formatHint(const RunDraft& draft, const QString& key, const QVector<FieldOption>& options);

/// All errors and warnings, in the order of the pages.
QVector<FieldProblem> problemsOf(const RunDraft& draft);
/// All pages in order.
QVector<StepState> stepsOf(const RunDraft& draft, const QVector<FieldProblem>& problems);
/// The kind of parallelism, for short descriptions such as `FSDP 2 · 16 ranks`.
enum class Layout { Replicate, Shard, Zero, Mesh, Megatron };
Layout layoutOf(const RunDraft& draft);

}  // namespace trainyard::desktop
