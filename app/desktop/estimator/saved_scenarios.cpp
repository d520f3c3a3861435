// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/saved_scenarios.h"

#include <algorithm>
#include <filesystem>

#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>

#include "base/error.h"
#include "base/file.h"
#include "base/file_mode.h"
#include "config/accelerate/settings_file.h"
#include "desktop/estimator/model_choices.h"
#include "desktop/estimator/model_source.h"
#include "desktop/estimator/scenario.h"
#include "desktop/shell/preferences.h"
#include "desktop/text/qt_text.h"
#include "estimate/calibration.h"
#include "models/spec/config_file.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

constexpr std::uint64_t kMostBytes = 8u << 20;
const QString kScenarios = QStringLiteral("scenarios");

estimate::ModelParts keptParts(const SavedScenario& kept) {
    if (!kept.source.isEmpty())
        return isRecipeFile(kept.source) ? estimate::load_model_parts(kept.source.toStdString())
                                         : readModel(kept.source).parts;
    for (const ModelChoice& choice : modelChoices())
        if (choice.name == kept.model)
            return estimate::model_parts(choice.config, choice.name.toStdString());
    throw UserError("the model {} is not known to this version: open its file instead", kept.model.toStdString());
}

/// The recipe to write on: the opened one, or one with the model's configuration. Nothing: the engine does not train
/// this model, or there is only a file of weights.
std::optional<config::Recipe> recipeToWrite(const SavedScenario& kept) {
    if (isRecipeFile(kept.source))
        return estimate::load_settled_recipe(kept.source.toStdString());
    std::string json;
    for (const ModelChoice& choice : modelChoices())
        if (kept.source.isEmpty() && choice.name == kept.model)
            json = choice.config;
    std::filesystem::path file = kept.source.toStdString();
    if (!kept.source.isEmpty() && std::filesystem::is_directory(file))
        file /= "config.json";
    if (file.extension() == ".json")
        json = read_file(file, kMostBytes);
    try {
        const families::ConfigFile read = families::read_config(json, kept.model.toStdString());
        if (!read.refused.empty())
            return std::nullopt;
        config::Recipe recipe;
        static_cast<families::ModelConfig&>(recipe.model) = read.config;
        return recipe;
    } catch (const UserError&) {
        return std::nullopt;
    }
}

/// Where a damaged file goes: no earlier one is lost.
std::filesystem::path placeAside(const std::filesystem::path& file) {
    std::filesystem::path aside = file.string() + ".bad";
    for (int number = 2; std::filesystem::exists(aside); ++number)
        aside = file.string() + ".bad-" + std::to_string(number);
    return aside;
}

}  // namespace

SavedScenario keptOf(const Scenario& scenario, const QString& name) {
    const estimate::Hardware& hardware = scenario.search().hardware();
    return {.name = name.trimmed(),
            .model = scenario.modelName(),
            .source = scenario.modelSource(),
            .hardware = scenario.hardwareName(),
            .device = hardware.device.cpu ? std::string() : hardware.device.name,
            .hosts = hardware.hosts,
            .devices_per_host = hardware.devices_per_host,
            .host_memory = hardware.host_memory,
            .setup = scenario.setup()};
}

QJsonObject scenarioToJson(const SavedScenario& kept) {
    QJsonObject setup;
    for (const auto* fields : {&estimate::setup_fields(), &estimate::derived_fields()})
        for (const estimate::SetupField& field : *fields)
            setup.insert(qt(field.name), qt(estimate::field_text(kept.setup, field)));
    return {{QStringLiteral("name"), kept.name},
            {QStringLiteral("model"), kept.model},
            {QStringLiteral("source"), kept.source},
            {QStringLiteral("hardware"), kept.hardware},
            {QStringLiteral("device"), qt(kept.device)},
            {QStringLiteral("hosts"), static_cast<qint64>(kept.hosts)},
            {QStringLiteral("devices_per_host"), static_cast<qint64>(kept.devices_per_host)},
            {QStringLiteral("host_memory"), kept.host_memory},
            {QStringLiteral("setup"), setup}};
}

SavedScenario scenarioFromJson(const QJsonObject& json) {
    SavedScenario kept;
    kept.name = json.value(QStringLiteral("name")).toString();
    kept.model = json.value(QStringLiteral("model")).toString();
    kept.source = json.value(QStringLiteral("source")).toString();
    kept.hardware = json.value(QStringLiteral("hardware")).toString();
    kept.device = json.value(QStringLiteral("device")).toString().toStdString();
    kept.hosts = json.value(QStringLiteral("hosts")).toInteger();
    kept.devices_per_host = json.value(QStringLiteral("devices_per_host")).toInteger();
    kept.host_memory = json.value(QStringLiteral("host_memory")).toDouble();
    QJsonObject setup = json.value(QStringLiteral("setup")).toObject();
    // Version 0.1.0 has these two numbers outside of the setup.
    for (const QString& name : {QStringLiteral("trained_share"), QStringLiteral("bucket_mb")})
        if (const QJsonValue value = json.value(name); value.isDouble() && !setup.contains(name))
            setup.insert(name, QString::number(value.toDouble(), 'g', 17));
    // Earlier versions have one share for all parts of a model.
    for (const QString& part : {QStringLiteral("trained_"), QStringLiteral("whole_")})
        if (const QJsonValue share = setup.take(part + QStringLiteral("share")); !share.isUndefined())
            for (const char* name : {"embedding", "blocks", "outputs"})
                if (!setup.contains(part + QLatin1String(name)))
                    setup.insert(part + QLatin1String(name), share);
    if (kept.name.isEmpty() || kept.model.isEmpty() || kept.hosts < 1 || kept.devices_per_host < 1)
        throw UserError("a scenario without a name, a model or devices");
    for (auto field = setup.constBegin(); field != setup.constEnd(); ++field)
        estimate::set_field(kept.setup, field.key().toStdString(), field.value().toString().toStdString());
    return kept;
}

estimate::Hardware hardwareOf(const SavedScenario& kept) {
    estimate::Hardware hardware = estimate::this_machine(kept.devices_per_host);
    if (!kept.device.empty()) {
        const estimate::Device* device = estimate::find_device(kept.device);
        if (device == nullptr)
            throw UserError("the device {} of {} is not known to this version: choose another", kept.device,
                            kept.name.toStdString());
        hardware = {};
        hardware.device = *device;
        estimate::calibrate(hardware.device);
        hardware.devices_per_host = kept.devices_per_host;
        hardware.network = estimate::usual_network(*device);
    }
    hardware.hosts = kept.hosts;
    hardware.host_memory = kept.host_memory;
    return hardware;
}

SavedEstimate estimateKept(const SavedScenario& kept) {
    SavedEstimate estimated{kept, estimate::Search(keptParts(kept), hardwareOf(kept)), {}, {}};
    if (isRecipeFile(kept.source))
        estimated.recipe = estimate::load_settled_recipe(kept.source.toStdString());
    const estimate::ModelParts& model = estimated.search.model();
    if (std::vector<Problem> problems = estimate::check_setup(model, kept.setup); !problems.empty())
        throw InvalidInput(std::move(problems));
    estimated.memory = estimate::estimate_memory(model, kept.setup, estimated.search.hardware().device);
    return estimated;
}

WrittenRun writeRun(const SavedScenario& kept, const QString& begin, const QString& name) {
    WrittenRun written;
    const settings::Settings settings = estimate::settings_of(kept.setup, kept.hosts);
    estimate::TrainingSetup said;
    if (std::optional<config::Recipe> base = recipeToWrite(kept)) {
        base->name = name.toStdString();
        const config::Recipe recipe = estimate::recipe_of(kept.setup, std::move(*base));
        written.recipe = begin + QStringLiteral(".yaml");
        write_file_atomically(written.recipe.toStdString(), config::to_yaml(recipe), true, kUserFileMode);
        said = estimate::plan_of(recipe, kept.setup.layout.ranks()).setup;
    }
    written.settings = begin + QStringLiteral("-settings.yaml");
    settings::save_text(written.settings.toStdString(), settings::to_text(settings, settings::Format::yaml));
    estimate::apply_settings(said, settings::with_defaults(settings));
    QStringList left;
    for (const estimate::SetupField& field : estimate::setup_fields())
        if (const std::string value = estimate::field_text(kept.setup, field);
            value != estimate::field_text(said, field))
            left << qt(field.name) + QLatin1Char(' ') + qt(value);
    written.unsaid = widgets::list_text(left);
    return written;
}

QString writePair(const SavedScenario& kept, const QString& folder) {
    static const QRegularExpression unsafe(QStringLiteral("[^A-Za-z0-9._-]+"));
    QString name = kept.name;
    name.replace(unsafe, QStringLiteral("-"));
    const QString begin = folder + QLatin1Char('/') + (name.isEmpty() ? QStringLiteral("scenario") : name);
    for (const QString& file : {begin + QStringLiteral(".yaml"), begin + QStringLiteral("-settings.yaml")})
        if (QFileInfo::exists(file))
            throw UserError("{} is there already: choose another folder or name", file.toStdString());
    const WrittenRun written = writeRun(kept, begin, name);
    QStringList files{written.settings};
    if (!written.recipe.isEmpty())
        files.prepend(written.recipe);
    QString sentence = SavedScenarios::tr("Written: %1.").arg(widgets::list_text(files));
    if (!written.unsaid.isEmpty())
        sentence += QLatin1Char(' ') + SavedScenarios::tr("Neither file can express: %1.").arg(written.unsaid);
    return sentence;
}

SavedScenarios::SavedScenarios(const QString& file, QObject* parent)
    : QObject(parent),
      file_(file.isEmpty() ? Preferences::dataFolder() + QStringLiteral("/estimator/scenarios.json") : file) {}

void SavedScenarios::read() {
    all_.clear();
    unreadable_ = {};
    blocked_.clear();
    const std::filesystem::path path = file_.toStdString();
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        emit changed();
        return;
    }
    QString problem;
    QJsonArray items;
    try {
        QJsonParseError parsed{};
        const QJsonDocument document =
            QJsonDocument::fromJson(QByteArray::fromStdString(read_file(path, kMostBytes)), &parsed);
        const QJsonValue list = document.object().value(kScenarios);
        if (!list.isArray())
            problem = parsed.error == QJsonParseError::NoError ? tr("it does not contain a list of scenarios")
                                                               : parsed.errorString();
        items = list.toArray();
    } catch (const UserError& failure) {
        blocked_ = qtSentence(message_of(failure));  // it stays where it is
        emit complaint(blocked_);
        emit changed();
        return;
    }
    if (!problem.isEmpty()) {
        const std::filesystem::path aside = placeAside(path);
        std::filesystem::rename(path, aside, error);
        if (error)
            blocked_ = tr("%1 is damaged and could not be renamed: %2").arg(file_, qt(error.message()));
        emit complaint(error ? blocked_
                             : tr("The saved scenarios in %1 could not be read (%2). A copy was saved as %3.")
                                   .arg(file_, problem, qt(aside.string())));
    }
    for (const QJsonValue& item : std::as_const(items)) {
        try {
            all_.push_back(scenarioFromJson(item.toObject()));
        } catch (const UserError&) {
            unreadable_.push_back(item);
        }
    }
    if (!unreadable_.isEmpty())
        emit complaint(tr("%Ln saved scenarios in %1 cannot be read by this version. The file keeps them unchanged.",
                          nullptr, static_cast<int>(unreadable_.size()))
                           .arg(file_));
    emit changed();
}

std::optional<SavedScenario> SavedScenarios::find(const QString& name) const {
    const auto found = std::ranges::find(all_, name, &SavedScenario::name);
    return found == all_.end() ? std::nullopt : std::optional(*found);
}

void SavedScenarios::keep(const SavedScenario& scenario) {
    if (scenario.name.trimmed().isEmpty())
        throw UserError(Message::verbatim(tr("Enter a name for the scenario.").toStdString()));
    read();
    if (const auto found = std::ranges::find(all_, scenario.name, &SavedScenario::name); found != all_.end())
        *found = scenario;
    else
        all_.push_back(scenario);
    write();
}

void SavedScenarios::rename(const QString& from, const QString& to) {
    const QString name = to.trimmed();
    if (name.isEmpty())
        throw UserError(Message::verbatim(tr("Enter a name for the scenario.").toStdString()));
    read();
    if (name != from && find(name))
        throw UserError(
            Message::verbatim(tr("There is a scenario %1 already: give another name.").arg(name).toStdString()));
    for (SavedScenario& each : all_)
        if (each.name == from)
            each.name = name;
    write();
}

void SavedScenarios::remove(const QString& name) {
    read();
    all_.removeIf([&](const SavedScenario& each) { return each.name == name; });
    write();
}

void SavedScenarios::write() {
    if (!blocked_.isEmpty())
        throw UserError(Message::verbatim(blocked_.toStdString()));
    QJsonArray items;
    for (const SavedScenario& each : std::as_const(all_))
        items.push_back(scenarioToJson(each));
    for (const QJsonValue& each : std::as_const(unreadable_))
        items.push_back(each);
    const std::filesystem::path path = file_.toStdString();
    make_private_folder(path.parent_path());
    write_file_atomically(path, QJsonDocument(QJsonObject{{kScenarios, items}}).toJson().toStdString());
    emit changed();
}

}  // namespace trainyard::desktop
