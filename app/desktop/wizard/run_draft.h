// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A new run while it is described: what will be started (a recipe with the engine, a Python script, or only a settings
// file), the launch settings (DraftModel) and the recipe, with one undo history and storage. No widgets, no I/O on
// the GUI thread: recipe and data are checked in a Job 300 ms after the last key press.

#include <functional>
#include <map>
#include <optional>
#include <string>

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "desktop/data/remote_data.h"
#include "desktop/launch/program_place.h"
#include "desktop/runs/run_speed.h"
#include "desktop/text/format_words.h"
#include "desktop/wizard/draft_model.h"
#include "desktop/wizard/model_look.h"
#include "desktop/wizard/recipe_draft.h"
#include "remote/far_place.h"
#include "remote/host_facts.h"
#include "remote/remote_run.h"
#include "widgets/job.h"

namespace trainyard::plan {
struct RecipeLimit;
}

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
    QString interpreter = {};  ///< for a file or module; empty: the python3 of the launch
    QString folder = {};       ///< working directory; empty: that of Trainyard
    QString variables = {};    ///< lines NAME=VALUE
    QString name = {};         ///< name of the run; empty: that of the file
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
    /// Sets the purpose and the usual values for it, as one undo step. Fine-tuning proposes a lower learning rate,
    /// training from scratch has no weights.
    void setWay(Way way);
    /// The facts about model.weights from the last check.
    const ModelLook& modelLook() const { return model_look_; }
    const ScriptChoice& script() const { return state_.script; }
    void setScript(const ScriptChoice& script);
    /// `key` dotted as in config/recipe/recipe.h.
    QString recipeValue(const QString& key) const { return state_.recipe.value(key); }
    bool hasRecipeKey(const QString& key) const { return state_.recipe.has(key); }
    QString sameRecipeKey(const QString& key) const { return state_.recipe.sameKey(key); }
    QMap<QString, QString> recipeValues() const { return state_.recipe.values(); }
    QString recipeDefault(const QString& key) const { return state_.recipe.defaultValue(key); }
    /// Whether the recipe that will be written has the key.
    bool writesRecipeKey(const QString& key) const { return state_.recipe.isWritten(key); }
    /// Leaves a key out of the recipe: its default, or the value of model.weights, counts.
    void resetRecipeValue(const QString& key);
    /// Keys whose value was chosen by the user or set by a file.
    QStringList chosenKeys() const { return state_.recipe.chosen(); }
    void setRecipeValue(const QString& key, const QString& value);
    void answer(const QString& id, const QString& value) { model_.answer(id, value); }
    /// The preset without the keys that the engine refuses, if it trains. `left_out` receives the reasons.
    settings::Preset usablePreset(const settings::Preset& preset,
                                  std::vector<plan::RecipeLimit>* left_out = nullptr) const;
    void applyPreset(const settings::Preset& preset) { model_.applyPreset(usablePreset(preset)); }
    QString answerOf(const QString& id) const;
    /// The hosts and their numbers of ranks; empty: this machine alone, with the number of ranks in the settings.
    const QVector<remote::HostShare>& hosts() const { return state_.hosts; }
    void setHosts(const QVector<remote::HostShare>& hosts);
    /// Sets the facts of hosts that have answered, by name.
    void setHostFacts(std::map<std::string, remote::HostFacts> facts);
    /// The devices that train: of this machine or of the hosts, as far as they are known.
    QVector<TrainingDevice> trainingDevices() const;
    /// Changes between beginStep() and endStep() are one undo step.
    void beginStep();
    void endStep();

    /// Opens a recipe and starts a new undo history.
    void openRecipe(const config::Recipe& recipe, int ranks);
    /// Uses an opened model: its weights, or its family, sizes and task for new weights. One undo step.
    void setModel(const config::ModelRecipe& model);
    /// Total number of processes, from the hosts or the settings; at least 1.
    int ranks() const;
    /// Whether this machine takes part in training, so that the recipe's files must exist here.
    bool trainsHere() const;

    /// The recipe that will be written: as typed, with the precision of the settings.
    std::string recipeYaml() const;
    /// The result of the last check; may be older than the newest input.
    const DraftReport& report() const { return report_; }
    /// The data of a host that trains, or that data.path names as host:path. Its look is in the report.
    RemoteData* remoteData() { return &remote_data_; }
    /// The host that data.path names and that was not chosen to train: its files are read after readRemoteData().
    QString offeredHost() const;
    void readRemoteData();
    /// Looks up the measured speed of earlier runs of this recipe.
    using Speeds = std::function<std::optional<KnownSpeed>(const SpeedQuestion& question)>;
    void setSpeeds(Speeds speeds) { speeds_ = std::move(speeds); }
    std::optional<KnownSpeed> speed() const;
    /// Whether all changes have been checked.
    bool isChecked() const { return !typing_.isActive() && !check_.isRunning(); }
    void checkNow();
    /// Interpreter, folder, variables and name of the script; empty for other ways.
    ProgramPlace programPlace() const;
    /// The problems of script and arguments by key (`script`, `arguments`); empty if no script is started.
    QVector<DraftProblem> scriptProblems() const;

    /// A `trainyard launch ...` command that needs no settings file. `recipeFile` is the path of the recipe, unused for
    /// a script.
    QStringList commandWords(const QString& recipeFile) const;
    /// The words after the flags of the launch: the recipe, or the script with its arguments.
    QStringList programWords(const QString& recipeFile) const;

    /// The changes of the whole draft.
    EditHistory* history() { return model_.history(); }
    const EditHistory* history() const { return model_.history(); }

    /// The whole draft as JSON, for the next start. restore() returns false and changes nothing if the JSON is not a
    /// draft.
    QByteArray store() const;
    bool restore(const QByteArray& stored);
    /// Resets everything to the state of the first start.
    void reset(const config::Recipe& recipe);

  signals:
    void changed();
    void checked();
    /// Another file or draft replaced the contents of the form; not emitted for changes by the user.
    void replaced();

  private:
    /// The parts of the draft besides the settings.
    struct State {
        Purpose purpose = Purpose::Engine;
        ScriptChoice script;
        RecipeDraft recipe;
        QVector<remote::HostShare> hosts;
        bool fine_tune = false;  ///< of the engine
    };
    /// `field`: successive changes of the same field within a short time are one step; empty: never merged.
    void change(State next, const QString& field);
    void settingsChanged();
    void show(State state);
    void scheduleCheck();
    /// Fills in values that follow from the model and the data, unless the user chose them. Returns whether anything
    /// changed.
    bool propose();
    bool knowsClasses(const QStringList& classes) const;
    /// The data of data.path as host:path.
    std::optional<remote::FarPlace> farData() const;
    /// Requests the rows of data on hosts, and puts those that were read into the report.
    void lookAtHosts();
    void takeRemoteData();
    /// Reports that a model of a hub is not on this machine.
    void nameHub(const QString& name);
    static QString notHereSentence(const QString& name);

    DraftModel model_;
    State state_;
    Speeds speeds_;
    DraftReport report_;
    ModelLook model_look_;
    std::map<std::string, remote::HostFacts> host_facts_;
    QTimer typing_;
    widgets::Job check_;
    RemoteData remote_data_;
    QString accepted_host_;  ///< whose files the user wants to see
    std::string checked_yaml_;
    int checked_ranks_ = 0;
    bool checked_here_ = true;
};

/// Quotes words so that a shell splits the line into the same words.
QString shellLine(const QStringList& words);

}  // namespace trainyard::desktop
