// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/run_draft.h"

#include <algorithm>
#include <filesystem>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>

#include "config/inputs/start_weights.h"
#include "desktop/text/qt_text.h"
#include "formats/hub/repo_name.h"
#include "launch/plan/recipe_limit.h"
#include "launch/supervisor/rank_orders.h"
#include "models/spec/tasks.h"
#include "remote/far_place.h"
#include "run/spec.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

namespace {
constexpr int kDraftVersion = 1;
const QString kRecipePrecision = QStringLiteral("training.mixed_precision");
const QString kStartWeights = QStringLiteral("model.weights");

const QString kLearningRate = QStringLiteral("optimizer.lr");
const QString kFineTuningRate = QStringLiteral("5e-5");  // transformers' TrainingArguments
const QString kAdapterRate = QStringLiteral("2e-4");     // of LoRA, which takes larger learning rates

struct Checked {
    DraftReport report;
    std::optional<config::ModelRecipe> model;  ///< the model of the weights, according to their config.json
    ModelLook look;
    bool is_hub_name = false;  ///< `weights` is the name of a model on a hub
    QString cached = {};       ///< folder of that model on this machine
};

std::optional<config::ModelRecipe> model_of(const std::string& weights) {
    const std::filesystem::path path(weights);
    std::error_code error;
    const auto folder = std::filesystem::is_directory(path, error) ? path : path.parent_path();
    if (weights.empty() || !std::filesystem::exists(folder / "config.json", error))
        return std::nullopt;
    config::ModelRecipe model;
    model.weights = weights;
    model = inputs::settle_model(model).model;
    // No keys: the file could not be read.
    return model.written.keys.empty() ? std::nullopt : std::optional(model);
}
}  // namespace

RunDraft::RunDraft(QObject* parent) : QObject(parent) {
    widgets::act_after(typing_, kTypingMs, this, &RunDraft::checkNow);
    connect(&remote_data_, &RemoteData::changed, this, &RunDraft::takeRemoteData);
    connect(&model_, &DraftModel::changed, this, &RunDraft::settingsChanged);
    connect(&model_, &DraftModel::opened, this, &RunDraft::replaced);
}

settings::Preset RunDraft::usablePreset(const settings::Preset& preset,
                                        std::vector<plan::RecipeLimit>* left_out) const {
    settings::Preset usable = preset;
    if (purpose() != Purpose::Engine)
        return usable;
    settings::Draft applied = draft();
    applied.apply(preset);
    for (plan::RecipeLimit& limit : plan::recipe_limits(applied.settings()))
        if (std::erase_if(usable.keys, [&](const auto& key) { return key.first == limit.key && !limit.whole_way(); }) >
                0 &&
            left_out != nullptr)
            left_out->push_back(std::move(limit));
    return usable;
}

QString RunDraft::answerOf(const QString& id) const {
    const settings::Question* question = questionnaire().find(id.toStdString());
    return question == nullptr ? QString() : qt(questionnaire().answer(*question, draft().answers()));
}

void RunDraft::setPurpose(Purpose purpose) {
    State next = state_;
    next.purpose = purpose;
    if (purpose != state_.purpose)
        change(std::move(next), {});
}

Way RunDraft::way() const {
    return state_.purpose == Purpose::Script         ? Way::Script
           : state_.purpose == Purpose::SettingsOnly ? Way::Settings
           : state_.fine_tune                        ? Way::FineTune
                                                     : Way::Scratch;
}

void RunDraft::setWay(Way way) {
    if (way == this->way())
        return;
    State next = state_;
    next.purpose = way == Way::Script     ? Purpose::Script
                   : way == Way::Settings ? Purpose::SettingsOnly
                                          : Purpose::Engine;
    next.fine_tune = way == Way::FineTune;
    if (way == Way::Scratch && !next.recipe.value(kStartWeights).isEmpty())
        next.recipe.set(kStartWeights, {});
    change(std::move(next), {});
    if (state_.purpose == Purpose::Engine && propose())
        emit changed();
}

bool RunDraft::propose() {
    RecipeDraft& recipe = state_.recipe;
    const bool from_weights = !recipe.value(kStartWeights).isEmpty();
    const bool adapters = recipe.value(QStringLiteral("lora.r")).toInt() > 0;
    bool changed = recipe.propose(kLearningRate, !state_.fine_tune ? QString()
                                                 : adapters        ? kAdapterRate
                                                                   : kFineTuningRate);
    changed |= recipe.propose(QStringLiteral("data.tokenizer"), from_weights ? model_look_.tokenizer : QString());
    const DataLook& data = report_.data;
    const bool tokens = !recipe.value(QStringLiteral("data.tokenizer")).isEmpty();
    // Images and recordings are only valid for some tasks.
    const std::string task = recipe.value(QStringLiteral("model.task")).toStdString();
    const bool useless = (data.format == QLatin1String("images") && !families::reads_images(task)) ||
                         (data.format == QLatin1String("audio") && task != families::kSpeechPretraining);
    const QString format = useless ? QString() : data.format;
    const QString path = recipe.value(QStringLiteral("data.path"));
    if (data.files > 0 || path.isEmpty() || path == QLatin1String("[]"))
        changed |= recipe.propose(QStringLiteral("data.format"), !format.isEmpty() ? format
                                                                 : tokens          ? QStringLiteral("text")
                                                                                   : QString());
    changed |= recipe.propose(QStringLiteral("data.chat"),
                              data.conversations && task == families::kCausalLm ? QStringLiteral("auto") : QString());
    QStringList names;
    for (qsizetype i = 0; i < data.classes.size(); ++i) {
        QString name = data.classes[i];
        name.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\""));
        names << QStringLiteral("\"%1\": \"%2\"").arg(i).arg(name);
    }
    // A model that already has these classes keeps its order.
    const bool known =
        from_weights && (names.isEmpty() ? data.class_count <= model_look_.labels : knowsClasses(data.classes));
    if (data.class_count > 0 && !known) {
        changed |= recipe.propose(QStringLiteral("model.num_labels"), QString::number(data.class_count));
        changed |= recipe.propose(
            QStringLiteral("model.id2label"),
            names.isEmpty() ? QString() : QLatin1Char('{') + names.join(QStringLiteral(", ")) + QLatin1Char('}'));
    }
    if (changed)
        scheduleCheck();
    return changed;
}

bool RunDraft::knowsClasses(const QStringList& classes) const {
    const QJsonObject known =
        QJsonDocument::fromJson(state_.recipe.value(QStringLiteral("model.id2label")).toUtf8()).object();
    QStringList names;
    for (const QJsonValue& name : known)
        names << name.toString();
    return std::ranges::all_of(classes, [&](const QString& name) { return names.contains(name); });
}

void RunDraft::setScript(const ScriptChoice& script) {
    if (script == state_.script)
        return;
    const QString field = script.path != state_.script.path             ? QStringLiteral("script")
                          : script.arguments != state_.script.arguments ? QStringLiteral("arguments")
                          : script.folder != state_.script.folder       ? QStringLiteral("script_folder")
                          : script.variables != state_.script.variables ? QStringLiteral("script_variables")
                          : script.name != state_.script.name           ? QStringLiteral("script_name")
                                                                        : QString();
    State next = state_;
    next.script = script;
    change(std::move(next), field);
}

void RunDraft::setRecipeValue(const QString& key, const QString& value) {
    if (value == state_.recipe.value(key))
        return;
    // Drop the problems of the old value; the next check reports those of the new one.
    report_.problems.removeIf([&](const DraftProblem& problem) { return problem.key == key; });
    State next = state_;
    next.recipe.set(key, value);
    if (key == kStartWeights && !value.isEmpty())
        next.fine_tune = true;
    change(std::move(next), key);
}

void RunDraft::resetRecipeValue(const QString& key) {
    RecipeDraft reset = state_.recipe;
    reset.set(key, reset.defaultValue(key));
    // A default that differs from the value of the weights is written.
    setRecipeValue(key, reset.isWritten(key) ? QString() : reset.defaultValue(key));
}

void RunDraft::change(State next, const QString& field) {
    history()->add({[this, before = state_] { show(before); }, [this, next] { show(next); }}, field);
    show(std::move(next));
}

void RunDraft::show(State state) {
    state_ = std::move(state);
    scheduleCheck();
    emit changed();
}

void RunDraft::settingsChanged() {
    scheduleCheck();
    emit changed();
}

void RunDraft::beginStep() {
    history()->begin();
}

void RunDraft::endStep() {
    if (history()->end())
        emit changed();
}

void RunDraft::openRecipe(const config::Recipe& recipe, int ranks) {
    state_.recipe = RecipeDraft(recipe);
    state_.purpose = Purpose::Engine;
    state_.fine_tune = !recipe.model.weights.empty();
    report_ = {};
    model_.answer(QStringLiteral("mp"), QString::fromLatin1(choice_name(recipe.training.mixed_precision)));
    if (ranks > 1) {
        if (answerOf(QStringLiteral("machine_type")) == QLatin1String("NO"))
            model_.answer(QStringLiteral("machine_type"), QStringLiteral("MULTI_CPU"));
        model_.answer(QStringLiteral("num_processes"), QString::number(ranks));
    }
    history()->clear();
    checkNow();
    emit changed();
    emit replaced();
}

void RunDraft::setModel(const config::ModelRecipe& model) {
    State next = state_;
    next.purpose = Purpose::Engine;
    next.fine_tune = !model.weights.empty();
    next.recipe.setModel(model);
    change(std::move(next), {});
}

void RunDraft::reset(const config::Recipe& recipe) {
    model_.reset();
    state_ = State();
    openRecipe(recipe, 1);
}

void RunDraft::setHosts(const QVector<remote::HostShare>& hosts) {
    State next = state_;
    next.hosts = hosts;
    if (hosts.size() == 1 && hosts.first().host == "localhost")
        next.hosts.clear();
    if (next.hosts != state_.hosts)
        change(std::move(next), {});
}

void RunDraft::setHostFacts(std::map<std::string, remote::HostFacts> facts) {
    host_facts_ = std::move(facts);
}

QVector<TrainingDevice> RunDraft::trainingDevices() const {
    const settings::Machine& machine = questionnaire().machine();
    const bool has_gpus = machine.device != "cpu" && machine.device_count > 0;
    if (state_.hosts.isEmpty())
        return {TrainingDevice{
            {}, machine.device_facts(has_gpus && !draft().settings().boolean("use_cpu") ? machine.device : "cpu")}};
    // As RemoteLauncher chooses: the processors, unless every host has a GPU.
    const bool on_gpus = std::ranges::all_of(state_.hosts, [&](const remote::HostShare& share) {
        const auto known = host_facts_.find(share.host);
        return known != host_facts_.end() ? !remote::device_facts(known->second, "cuda").name.empty()
                                          : share.host == "localhost" && has_gpus;
    });
    QVector<TrainingDevice> devices;
    for (const remote::HostShare& share : state_.hosts)
        if (const auto known = host_facts_.find(share.host); known != host_facts_.end())
            devices << TrainingDevice{qt(share.host), remote::device_facts(known->second, on_gpus ? "cuda" : "cpu")};
        else if (share.host == "localhost")
            devices << TrainingDevice{qt(share.host), machine.device_facts(on_gpus ? machine.device : "cpu")};
    return devices;
}

std::optional<KnownSpeed> RunDraft::speed() const {
    if (!speeds_ || report_.keys.isEmpty())
        return std::nullopt;
    const settings::Settings& settings = draft().settings();
    SpeedQuestion question{report_.keys, ranks()};
    question.values.insert(kRecipePrecision, qt(settings.text("mixed_precision", "no")));
    if (state_.hosts.isEmpty() && (questionnaire().machine().device == "cpu" || settings.boolean("use_cpu", false)))
        question.recipe = report_.recipe;
    run::LaunchSpec launch;
    launch.num_cpu_threads_per_process = static_cast<int>(settings.integer("num_cpu_threads_per_process", 0));
    question.threads = launch::threads_per_rank(launch, question.ranks);
    return speeds_(question);
}

bool RunDraft::trainsHere() const {
    return state_.hosts.isEmpty() || std::any_of(state_.hosts.begin(), state_.hosts.end(),
                                                 [](const auto& share) { return share.host == "localhost"; });
}

int RunDraft::ranks() const {
    if (!state_.hosts.isEmpty()) {
        int ranks = 0;
        for (const remote::HostShare& share : state_.hosts)
            ranks += share.ranks;
        return std::max(1, ranks);
    }
    return static_cast<int>(std::max<std::int64_t>(1, draft().settings().integer("num_processes", 1)));
}

std::string RunDraft::recipeYaml() const {
    RecipeDraft recipe = state_.recipe;
    const QString precision = qt(draft().settings().text("mixed_precision", "no"));
    recipe.set(kRecipePrecision, precision.isEmpty() ? QStringLiteral("no") : precision);
    return recipe.yaml();
}

void RunDraft::scheduleCheck() {
    if (state_.purpose == Purpose::Engine &&
        (recipeYaml() != checked_yaml_ || ranks() != checked_ranks_ || trainsHere() != checked_here_))
        typing_.start();
}

void RunDraft::checkNow() {
    typing_.stop();
    checked_yaml_ = recipeYaml();
    checked_ranks_ = ranks();
    checked_here_ = trainsHere();
    const std::string yaml = checked_yaml_;
    const int count = checked_ranks_;
    const bool here = checked_here_;
    const std::string weights = state_.recipe.value(kStartWeights).toStdString();
    check_.submit(
        [yaml, count, here, weights] {
            if (!here)
                return Checked{checkDraft(yaml, count, here), {}, {}};
            return Checked{checkDraft(yaml, count, here), model_of(weights), look_at_model(qt(weights)),
                           is_hub_name(qt(weights)), cached_model_folder(qt(weights))};
        },
        [this, weights](const Checked& done) {
            const bool same_weights = state_.recipe.value(kStartWeights) == qt(weights);
            if (same_weights && !done.cached.isEmpty()) {
                setRecipeValue(kStartWeights, done.cached);
                return checkNow();
            }
            report_ = done.report;
            model_look_ = done.look;
            if (done.is_hub_name)
                nameHub(qt(weights));
            for (DraftProblem& problem : report_.problems) {
                if (problem.key == QLatin1String("data.paths"))  // paths of a list share one key in the file
                    problem.key = QStringLiteral("data.path");
                if (!problem.notHere.isEmpty())
                    problem.message = notHereSentence(problem.notHere);
            }
            lookAtHosts();
            const bool filled = done.model && same_weights && state_.recipe.fill(*done.model);
            if (filled)
                scheduleCheck();
            // Rows of a host are proposed from when they are there: without them, each check would take back what the
            // rows propose, and read them again.
            const bool waits = remote_data_.state() == RemoteData::State::Reading;
            if ((!waits && checked_yaml_ == recipeYaml() && propose()) || filled)
                emit changed();
            emit checked();
        });
}

std::optional<remote::FarPlace> RunDraft::farData() const {
    const std::string path = recipeValue(QStringLiteral("data.path")).toStdString();
    const bool is_here = report_.data.files > 0 && report_.data.host.isEmpty();  // a name with a colon
    return is_here || hub::has_hub_prefix(path) ? std::nullopt : remote::far_place(path);
}

QString RunDraft::offeredHost() const {
    const auto far = farData();
    const auto trains = [&](const remote::HostShare& share) { return share.host == far->host; };
    if (!far || accepted_host_ == qt(far->host) || std::ranges::any_of(state_.hosts, trains))
        return {};
    return qt(far->host);
}

void RunDraft::readRemoteData() {
    accepted_host_ = offeredHost();
    lookAtHosts();
    emit checked();
}

void RunDraft::lookAtHosts() {
    const auto far = farData();
    if (far) {
        for (DraftProblem& problem : report_.problems)
            if (problem.key == QLatin1String("data.path")) {
                problem.message = tr("%1 is a file of %2. A run reads files of the machines that it runs on: choose %2 "
                                     "under Hardware, and name %3 here.")
                                      .arg(qt(far->text()), qt(far->host), qt(far->path));
                problem.fix = trainsHere() ? QString() : qt(far->path);
            }
    }
    const bool is_wanted = far ? offeredHost().isEmpty() : !checked_here_ && !state_.hosts.isEmpty();
    if (!is_wanted || !report_.recipe || !report_.recipe->data.plugin.empty() || report_.recipe->data.paths.empty())
        return remote_data_.clear();
    RemoteData::Request request{*report_.recipe, far ? qt(far->host) : qt(state_.hosts.first().host), !checked_here_};
    if (far)
        request.recipe.data.paths = {far->path};
    remote_data_.request(request);
    if (remote_data_.state() == RemoteData::State::Read)
        report_.data = remote_data_.look();
}

void RunDraft::takeRemoteData() {
    if (remote_data_.state() == RemoteData::State::Read) {
        report_.data = remote_data_.look();
        if (checked_yaml_ == recipeYaml() && propose())
            emit changed();
    }
    emit checked();
}

void RunDraft::nameHub(const QString& name) {
    report_.problems.removeIf([](const DraftProblem& problem) { return problem.key == kStartWeights; });
    report_.problems << DraftProblem{kStartWeights,
                                     notHereSentence(name.startsWith(QLatin1String("hub:")) ? name.mid(4) : name)};
}

QString RunDraft::notHereSentence(const QString& name) {
    return tr("%1 is not in the cache of the hub on this machine: download it, or choose a folder.").arg(name);
}

QVector<DraftProblem> RunDraft::scriptProblems() const {
    QVector<DraftProblem> problems;
    if (state_.purpose != Purpose::Script)
        return problems;
    const QString path = state_.script.path.trimmed();
    if (path.isEmpty())
        problems << DraftProblem{QStringLiteral("script"), tr("Choose the script to start.")};
    static const QRegularExpression module(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*$"));
    if (state_.script.kind == ScriptChoice::Kind::Module && !path.isEmpty() && !module.match(path).hasMatch())
        problems << DraftProblem{
            QStringLiteral("script"),
            tr("%1 is not a Python module name: use dots, as in package.train, or choose Script.").arg(path)};
    if (state_.script.arguments.count(QLatin1Char('"')) % 2 != 0)
        problems << DraftProblem{QStringLiteral("arguments"),
                                 tr("A quotation mark is not closed. Close it, or write three for a literal one.")};
    QString wrong;
    variables_of(state_.script.variables, &wrong);
    if (!wrong.isEmpty())
        problems << DraftProblem{QStringLiteral("script_variables"),
                                 tr("“%1” is not of the form NAME=VALUE.").arg(wrong)};
    if (state_.script.name.contains(QLatin1Char('/')))
        problems << DraftProblem{QStringLiteral("script_name"), tr("A name cannot have a slash.")};
    return problems;
}

ProgramPlace RunDraft::programPlace() const {
    if (state_.purpose != Purpose::Script)
        return {};
    const bool python = state_.script.kind != ScriptChoice::Kind::Program;
    return {state_.script.name.trimmed(), python ? state_.script.interpreter.trimmed() : QString(),
            state_.script.folder.trimmed(), variables_of(state_.script.variables)};
}

QStringList RunDraft::programWords(const QString& recipeFile) const {
    QStringList words;
    switch (state_.purpose) {
        case Purpose::Engine:
            words << recipeFile;
            break;
        case Purpose::Script:
            if (state_.script.kind == ScriptChoice::Kind::Module)
                words << QStringLiteral("--module");
            else if (state_.script.kind == ScriptChoice::Kind::Program)
                words << QStringLiteral("--no_python");
            words << state_.script.path.trimmed() << QProcess::splitCommand(state_.script.arguments);
            break;
        case Purpose::SettingsOnly:
            words << QStringLiteral("train.py");
            break;
    }
    return words;
}

QStringList RunDraft::commandWords(const QString& recipeFile) const {
    QStringList words{QStringLiteral("trainyard"), QStringLiteral("launch")};
    for (const std::string& flag : draft().command_flags())
        words << qt(flag);
    if (!state_.hosts.isEmpty()) {
        QStringList hosts;
        for (const remote::HostShare& share : state_.hosts)
            hosts << QStringLiteral("%1:%2").arg(qt(share.host)).arg(share.ranks);
        words << QStringLiteral("--hosts") << hosts.join(QLatin1Char(','));
    }
    return words + programWords(recipeFile);
}

QByteArray RunDraft::store() const {
    QJsonObject recipe;
    const QMap<QString, QString> values = state_.recipe.values();
    for (auto it = values.begin(); it != values.end(); ++it)
        recipe.insert(it.key(), it.value());
    QJsonObject proposed;
    const QMap<QString, QString> proposals = state_.recipe.proposed();
    for (auto it = proposals.begin(); it != proposals.end(); ++it)
        proposed.insert(it.key(), it.value());
    const QJsonObject script{{QStringLiteral("kind"), static_cast<int>(state_.script.kind)},
                             {QStringLiteral("path"), state_.script.path},
                             {QStringLiteral("arguments"), state_.script.arguments},
                             {QStringLiteral("interpreter"), state_.script.interpreter},
                             {QStringLiteral("folder"), state_.script.folder},
                             {QStringLiteral("variables"), state_.script.variables},
                             {QStringLiteral("name"), state_.script.name}};
    QJsonArray hosts;
    for (const remote::HostShare& share : state_.hosts)
        hosts.append(QJsonObject{{QStringLiteral("host"), qt(share.host)}, {QStringLiteral("ranks"), share.ranks}});
    const QJsonObject all{{QStringLiteral("version"), kDraftVersion},
                          {QStringLiteral("hosts"), hosts},
                          {QStringLiteral("purpose"), static_cast<int>(state_.purpose)},
                          {QStringLiteral("script"), script},
                          {QStringLiteral("recipe"), recipe},
                          {QStringLiteral("chosen"), QJsonArray::fromStringList(state_.recipe.chosen())},
                          {QStringLiteral("proposed"), proposed},
                          {QStringLiteral("fine_tune"), state_.fine_tune},
                          {QStringLiteral("settings"), qt(draft().store())}};
    return QJsonDocument(all).toJson();
}

bool RunDraft::restore(const QByteArray& stored) {
    const QJsonObject all = QJsonDocument::fromJson(stored).object();
    const QJsonObject recipe = all.value(QLatin1String("recipe")).toObject();
    if (all.value(QLatin1String("version")).toInt() != kDraftVersion || recipe.isEmpty())
        return false;
    State next;
    next.purpose = static_cast<Purpose>(std::clamp(all.value(QLatin1String("purpose")).toInt(), 0, 2));
    const QJsonObject script = all.value(QLatin1String("script")).toObject();
    next.script.kind = static_cast<ScriptChoice::Kind>(std::clamp(script.value(QLatin1String("kind")).toInt(), 0, 2));
    next.script.path = script.value(QLatin1String("path")).toString();
    next.script.arguments = script.value(QLatin1String("arguments")).toString();
    next.script.interpreter = script.value(QLatin1String("interpreter")).toString();
    next.script.folder = script.value(QLatin1String("folder")).toString();
    next.script.variables = script.value(QLatin1String("variables")).toString();
    next.script.name = script.value(QLatin1String("name")).toString();
    for (const QJsonValue& host : all.value(QLatin1String("hosts")).toArray())
        next.hosts << remote::HostShare{host.toObject().value(QLatin1String("host")).toString().toStdString(),
                                        std::max(1, host.toObject().value(QLatin1String("ranks")).toInt(1))};
    // The family first, since it determines the keys of the others; then the values that defaults of others depend on.
    for (const char* first : {"model.model_type", "model.task", "optimizer.name"})
        next.recipe.set(QLatin1String(first),
                        recipe.value(QLatin1String(first)).toString(next.recipe.value(QLatin1String(first))));
    for (auto it = recipe.begin(); it != recipe.end(); ++it)
        if (next.recipe.has(it.key()))
            next.recipe.set(it.key(), it.value().toString());
    if (const QJsonValue chosen = all.value(QLatin1String("chosen")); chosen.isArray())
        next.recipe.setChosen(chosen.toVariant().toStringList());
    else
        next.recipe.setChosen(next.recipe.values().keys());  // drafts of versions without this key
    QMap<QString, QString> proposed;
    const QJsonObject proposals = all.value(QLatin1String("proposed")).toObject();
    for (auto it = proposals.begin(); it != proposals.end(); ++it)
        proposed.insert(it.key(), it.value().toString());
    next.recipe.setProposed(proposed);
    next.fine_tune = all.value(QLatin1String("fine_tune")).toBool(!next.recipe.value(kStartWeights).isEmpty());
    if (!model_.restore(all.value(QLatin1String("settings")).toString().toStdString()))
        return false;
    state_ = std::move(next);
    history()->clear();
    checkNow();
    emit changed();
    emit replaced();
    return true;
}

QString shellLine(const QStringList& words) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
    QStringList quoted;
    for (QString word : words) {
        if (!plain.match(word).hasMatch()) {
            word.replace(QLatin1Char('\''), QLatin1String("'\\''"));
            word = QLatin1Char('\'') + word + QLatin1Char('\'');
        }
        quoted << word;
    }
    return quoted.join(QLatin1Char(' '));
}

}  // namespace trainyard::desktop
