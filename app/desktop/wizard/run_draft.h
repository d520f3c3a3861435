#pragma once
// A new run while it is described: what is to be started (a recipe with the engine, a Python script, nothing but a file), the
// launch settings (DraftModel) and the recipe, undone and kept as one thing. No widgets, no I/O on the GUI thread: recipe and
// data are judged in a Job 300 ms after the last key.

#include <functional>
#include <optional>

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include "desktop/launch/program_place.h"
#include "desktop/recipe_draft.h"
#include "desktop/runs/run_speed.h"
#include "desktop/wizard/draft_model.h"
#include "desktop/wizard/model_look.h"
#include "remote/remote_run.h"
#include "widgets/job.h"

namespace trainyard::desktop {

enum class Purpose {
    Engine,        ///< train a recipe with the engine that comes with Trainyard
    Script,        ///< start a Python script, module or program
    SettingsOnly,  ///< write a settings file
};

/// The cards of the first page.
enum class Way {
    Scratch,   ///< the engine, from random weights
    FineTune,  ///< the engine, from the weights of a model
    Script,
    Settings,
};

struct ScriptChoice {
    enum class Kind { File, Module, Program };  ///< python FILE, python -m MODULE, PROGRAM
    Kind kind = Kind::File;
    QString path;
    QString arguments;         ///< as typed, with quotes
    QString interpreter = {};  ///< of a file or module; empty: the python3 of the launch
    QString folder = {};       ///< to start in; empty: where Trainyard is
    QString variables = {};    ///< lines NAME=VALUE
    QString name = {};         ///< of the run; empty: that of the file
    bool operator==(const ScriptChoice&) const = default;
};

class RunDraft : public QObject {
    Q_OBJECT
  public:
    explicit RunDraft(QObject* parent = nullptr);

    DraftModel* model() { return &model_; }
    const DraftModel* model() const { return &model_; }
    const settings::Draft& draft() const { return model_.draft(); }
    const settings::Questionnaire& questionnaire() const { return draft().questionnaire(); }

    Purpose purpose() const { return state_.purpose; }
    void setPurpose(Purpose purpose);
    Way way() const;
    /// One step: the purpose, and what a run of this way usually has. Fine-tuning proposes a lower learning rate,
    /// training from scratch has no weights.
    void setWay(Way way);
    /// Of model.weights, as of the last check.
    const ModelLook& modelLook() const { return model_look_; }
    const ScriptChoice& script() const { return state_.script; }
    void setScript(const ScriptChoice& script);
    /// `key` dotted as in config/recipe/recipe.h.
    QString recipeValue(const QString& key) const { return state_.recipe.value(key); }
    bool hasRecipeKey(const QString& key) const { return state_.recipe.has(key); }
    QString sameRecipeKey(const QString& key) const { return state_.recipe.sameKey(key); }
    QMap<QString, QString> recipeValues() const { return state_.recipe.values(); }
    QString recipeDefault(const QString& key) const { return state_.recipe.defaultValue(key); }
    /// Keys whose value the user chose or a file has.
    QStringList chosenKeys() const { return state_.recipe.chosen(); }
    void setRecipeValue(const QString& key, const QString& value);
    void answer(const QString& id, const QString& value) { model_.answer(id, value); }
    QString answerOf(const QString& id) const;
    /// Where it runs, with ranks for each; empty: this machine alone, with as many as the settings say.
    const QVector<remote::HostShare>& hosts() const { return state_.hosts; }
    void setHosts(const QVector<remote::HostShare>& hosts);
    /// Everything done between the two is one undo step.
    void beginStep();
    void endStep();

    /// A recipe file that was opened; begins a new history.
    void openRecipe(const config::Recipe& recipe, int ranks);
    /// A model that was opened: its weights, or its family, sizes and task for new ones. One step.
    void setModel(const config::ModelRecipe& model);
    /// Processes in all, of the hosts or from the settings; at least 1.
    int ranks() const;
    /// This machine is one of those that train: what the recipe reads must be here, too.
    bool trainsHere() const;

    /// The recipe that will be written: as typed, with the precision of the settings.
    std::string recipeYaml() const;
    /// Of the last check; may be older than what was typed since.
    const DraftReport& report() const { return report_; }
    /// How fast runs of this recipe were, by whoever knows the runs.
    using Speeds = std::function<std::optional<KnownSpeed>(const SpeedQuestion& question)>;
    void setSpeeds(Speeds speeds) { speeds_ = std::move(speeds); }
    std::optional<KnownSpeed> speed() const;
    /// Nothing is waiting to be judged.
    bool isChecked() const { return !typing_.isActive() && !check_.isRunning(); }
    void checkNow();
    /// Interpreter, folder, variables and name of the script; empty for other ways.
    ProgramPlace programPlace() const;
    /// The sentences about script and arguments by key (`script`, `arguments`); empty when it is not started.
    QVector<DraftProblem> scriptProblems() const;

    /// `trainyard launch ...` that needs no settings file; `program` is the recipe's place, unused for a script.
    QStringList commandWords(const QString& recipeFile) const;
    /// The words behind the launch's own flags: recipe or script with its arguments.
    QStringList programWords(const QString& recipeFile) const;

    bool canUndo() const { return !undo_.empty(); }
    bool canRedo() const { return !redo_.empty(); }
    void undo() { go(undo_, redo_, &Step::before, &DraftModel::undo); }
    void redo() { go(redo_, undo_, &Step::after, &DraftModel::redo); }

    /// All of it as JSON, for the next start. restore() returns false and changes nothing when that is no draft.
    QByteArray store() const;
    bool restore(const QByteArray& stored);
    /// Everything as on the first start.
    void reset(const config::Recipe& recipe);

  signals:
    void changed();
    void checked();
    /// Another file or draft stands in the form; not a change that a person typed.
    void replaced();

  private:
    /// Beside the settings, which have a history of their own.
    struct State {
        Purpose purpose = Purpose::Engine;
        ScriptChoice script;
        RecipeDraft recipe;
        QVector<remote::HostShare> hosts;
        bool fine_tune = false;  ///< of the engine
    };
    struct Step {
        std::optional<State> before;  ///< nothing: only settings changed
        std::optional<State> after;
        int settings = 0;  ///< steps of the settings' own history
    };
    /// `field`: changes of the same one shortly after each other are one step; empty: never.
    void change(State next, const QString& field);
    void settingsChanged();
    void settingsStep();
    void push(Step step);
    void go(std::vector<Step>& from, std::vector<Step>& to, std::optional<State> Step::*state,
            void (DraftModel::*move)());
    void clearHistory();
    void scheduleCheck();
    /// What follows from the model and the data, where the user chose nothing. Returns whether anything changed.
    bool propose();
    bool knowsClasses(const QStringList& classes) const;
    /// The problem of a name of a hub that is not on this machine.
    void nameHub(const QString& name);

    DraftModel model_;
    State state_;
    Speeds speeds_;
    DraftReport report_;
    ModelLook model_look_;
    std::vector<Step> undo_;  ///< at most 100, as in settings::Draft
    std::vector<Step> redo_;
    std::optional<Step> group_;
    int grouped_ = 0;
    bool stepping_ = false;
    QString field_;
    QElapsedTimer since_;
    QTimer typing_;
    widgets::Job check_;
    std::string checked_yaml_;
    int checked_ranks_ = 0;
    bool checked_here_ = true;
};

/// Words as one line that a shell reads as those words.
QString shellLine(const QStringList& words);

}  // namespace trainyard::desktop
