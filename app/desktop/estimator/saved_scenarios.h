// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Named scenarios of the estimator: a model, devices and training settings, in a JSON file of the application's data.
// The file is read and rewritten with each change, so that two windows do not undo each other's changes. A damaged file
// is renamed and reported; a scenario that this version cannot read stays in the file unchanged.

#include <optional>

#include <QJsonArray>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QVector>

#include "estimate/recipe_estimate.h"
#include "estimate/search.h"

namespace trainyard::desktop {

class Scenario;

struct SavedScenario {
    QString name;
    QString model;       ///< as the page shows it
    QString source;      ///< file of the model or recipe; empty: one of modelChoices()
    QString hardware;    ///< as the page shows it
    std::string device;  ///< of find_device(); empty: this machine's processors
    std::int64_t hosts = 1;
    std::int64_t devices_per_host = 1;
    double host_memory = 0;  ///< bytes; 0: not known
    estimate::TrainingSetup setup;
    bool operator==(const SavedScenario&) const = default;
};

/// Returns the current scenario of the page under a name.
SavedScenario keptOf(const Scenario& scenario, const QString& name);
QJsonObject scenarioToJson(const SavedScenario& kept);
/// Throws UserError for what this version cannot read.
SavedScenario scenarioFromJson(const QJsonObject& json);
/// Returns its devices with their calibration. Throws UserError for a device that this version does not know.
estimate::Hardware hardwareOf(const SavedScenario& kept);

/// A saved scenario with its estimate from the current file of the model.
struct SavedEstimate {
    SavedScenario kept;
    estimate::Search search{{}, {}};
    estimate::MemoryEstimate memory;
    std::optional<config::Recipe> recipe;  ///< where the model's file is one
};
/// Reads the model. Throws UserError, also if the setup no longer fits the model.
SavedEstimate estimateKept(const SavedScenario& kept);

struct WrittenRun {
    QString recipe;  ///< file; empty: the engine does not train this model
    QString settings;
    QString unsaid;  ///< fields and values that neither file can express
};
/// Writes BEGIN.yaml, a recipe called `name`, and BEGIN-settings.yaml, its settings. Throws UserError.
WrittenRun writeRun(const SavedScenario& kept, const QString& begin, const QString& name);
/// Writes NAME.yaml, a recipe, and NAME-settings.yaml, its settings, into the folder; only the settings if the engine
/// does not train this model. Returns a message with their names and with what neither file can express. Throws
/// UserError.
QString writePair(const SavedScenario& kept, const QString& folder);

class SavedScenarios : public QObject {
    Q_OBJECT
  public:
    /// `file`: empty for the file of the application's data.
    explicit SavedScenarios(const QString& file = {}, QObject* parent = nullptr);
    const QString& file() const { return file_; }
    /// Scenarios in the order in which they were saved.
    const QVector<SavedScenario>& all() const { return all_; }
    std::optional<SavedScenario> find(const QString& name) const;
    /// Reads the file. complaint() returns an error message if a part could not be read.
    void read();
    /// Replaces a scenario with the same name. These functions throw UserError if the file cannot be written, or if the
    /// name is empty or in use.
    void keep(const SavedScenario& scenario);
    void rename(const QString& from, const QString& to);
    void remove(const QString& name);

  signals:
    void changed();
    void complaint(const QString& sentence);

  private:
    void write();
    QString file_;
    QVector<SavedScenario> all_;
    QString blocked_;        ///< why the file must not be written over; empty: it may
    QJsonArray unreadable_;  ///< written back as they are
};

}  // namespace trainyard::desktop
