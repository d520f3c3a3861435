#pragma once
// Scenarios of the estimator that somebody gave a name: a model, devices and a way of training, in a JSON file of the application's data. The file is read and
// written anew with each change, so that two windows do not undo each other. A damaged file is put aside and told in one sentence; a scenario that this version
// cannot read stays in the file as it is.

#include <optional>

#include <QJsonArray>
#include <QObject>
#include <QString>
#include <QVector>

#include "estimate/recipe_estimate.h"
#include "estimate/search.h"

namespace trainyard::desktop {

class Scenario;

struct KeptScenario {
    QString name;
    QString model;       ///< as the page shows it
    QString source;      ///< file of the model or recipe; empty: one of modelChoices()
    QString hardware;    ///< as the page shows it
    std::string device;  ///< of find_device(); empty: this machine's processors
    std::int64_t hosts = 1;
    std::int64_t devices_per_host = 1;
    double host_memory = 0;  ///< bytes; 0: not known
    estimate::TrainingSetup setup;
    bool operator==(const KeptScenario&) const = default;
};

/// What the page shows, under a name.
KeptScenario keptOf(const Scenario& scenario, const QString& name);
/// Its devices, with what runs have measured of them. Throws UserError for one that this version does not know.
estimate::Hardware hardwareOf(const KeptScenario& kept);

/// Its estimate, from the model's file as it is now.
struct KeptEstimate {
    KeptScenario kept;
    estimate::Search search{{}, {}};
    estimate::MemoryEstimate memory;
    std::optional<config::Recipe> recipe;  ///< where the model's file is one
};
/// Reads the model. Throws UserError, also where the setup contradicts the model by now.
KeptEstimate estimateKept(const KeptScenario& kept);

struct WrittenRun {
    QString recipe;  ///< file; empty: the engine does not train this model
    QString settings;
    QString unsaid;  ///< fields and values that neither of them can say
};
/// Writes BEGIN.yaml, a recipe called `name`, and BEGIN-settings.yaml, its settings. Throws UserError.
WrittenRun writeRun(const KeptScenario& kept, const QString& begin, const QString& name);
/// Writes NAME.yaml, a recipe, and NAME-settings.yaml, its settings, into the folder; of a model that the engine does not train the settings alone. Returns a
/// sentence with their names and with what neither of them can say. Throws UserError.
QString writePair(const KeptScenario& kept, const QString& folder);

class KeptScenarios : public QObject {
    Q_OBJECT
  public:
    /// `file`: empty: that of the application's data.
    explicit KeptScenarios(const QString& file = {}, QObject* parent = nullptr);
    const QString& file() const { return file_; }
    /// By name, in the order in which they were kept.
    const QVector<KeptScenario>& all() const { return all_; }
    std::optional<KeptScenario> find(const QString& name) const;
    /// Reads the file; says in complaint() what could not be read.
    void read();
    /// One of the same name is replaced. All of these throw UserError when the file cannot be written, or for an empty or taken name.
    void keep(const KeptScenario& scenario);
    void rename(const QString& from, const QString& to);
    void remove(const QString& name);

  signals:
    void changed();
    void complaint(const QString& sentence);

  private:
    void write();
    QString file_;
    QVector<KeptScenario> all_;
    QString blocked_;        ///< why the file must not be written over; empty: it may
    QJsonArray unreadable_;  ///< written back as they are
};

}  // namespace trainyard::desktop
