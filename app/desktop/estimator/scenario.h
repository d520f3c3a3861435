// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The scenario of the estimator: a model, devices and training settings. The estimate is computed immediately, the
// answers of searches in another thread. Changes can be undone.

#include <optional>

#include <QObject>
#include <QString>
#include <QVector>

#include "desktop/shell/edit_history.h"
#include "estimate/recipe_estimate.h"
#include "estimate/search.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class Scenario : public QObject {
    Q_OBJECT
  public:
    /// Results of the searches for one setup.
    struct Answers {
        std::optional<estimate::Answer> batch, sequence, fewest;
        std::optional<estimate::Answer> best;  ///< layout of all devices with the most tokens per second
        std::vector<estimate::Search::Saving> savings;
        Message why_not;
        std::vector<double> by_batch,
            by_batch_full;  ///< bytes of 1, 2 ... kBatches samples, now and with full checkpointing
    };
    static constexpr int kBatches = 8;

    explicit Scenario(QObject* parent = nullptr);

    /// `source`: the file it came from; empty: one of modelChoices().
    void setModel(const QString& name, estimate::ModelParts model, const QString& source = {});
    /// Sets a recipe with its model and training settings, on the ranks of the hardware.
    void setRecipe(const QString& name, const config::Recipe& recipe, const QString& source);
    void setHardware(const QString& name, const estimate::Hardware& hardware);
    /// Sets the memory of one host in bytes, used for offloading; 0 if unknown.
    void setHostMemory(double bytes);
    /// Reads what runs have measured of the device from a small file again.
    void recalibrate(const std::filesystem::path& file);
    /// Sets everything from a saved scenario.
    void setAll(const QString& hardwareName, const estimate::Hardware& hardware, const estimate::TrainingSetup& setup);
    /// The recipe that was opened; nullopt for other models.
    const std::optional<config::Recipe>& recipe() const { return recipe_; }
    const QString& modelSource() const { return model_source_; }
    const QString& modelName() const { return model_name_; }
    const QString& hardwareName() const { return hardware_name_; }
    const estimate::Search& search() const { return search_; }
    const estimate::TrainingSetup& setup() const { return setup_; }
    /// Estimate of the current setup; without stages if the setup does not fit the model.
    const estimate::MemoryEstimate& memory() const { return memory_; }
    const std::vector<estimate::Explanation>& explanations() const { return why_; }
    const std::vector<Problem>& problems() const { return problems_; }
    bool isValid() const { return problems_.empty() && !memory_.stages.empty(); }
    bool fits() const { return isValid() && search_.fits(setup_); }
    /// The estimate of a layout that the engine trains is within this share of the measured memory
    /// (tests/bench/estimate).
    static constexpr double kError = 0.1;
    /// Bytes by which the upper end of the range of the estimate is above the limit of the device; 0: it is not.
    double excessOfRange() const;
    /// Memory shortage of the current setup; none if the setup does not fit the model.
    estimate::Shortage shortage() const { return isValid() ? search_.shortage(memory_) : estimate::Shortage{}; }
    /// Results of the searches; nullopt while they run.
    const std::optional<Answers>& answers() const { return answers_; }

    void setSetup(const estimate::TrainingSetup& setup);
    /// Changes one field by its name.
    void change(const std::string& field, const std::string& value);
    EditHistory* history() { return &history_; }
    void reset();
    /// Fits the layout to the number of ranks of the hardware: ranks that no other dimension uses become data parallel.
    static estimate::TrainingSetup onAll(estimate::TrainingSetup setup, std::int64_t ranks);

  signals:
    void changed();
    void answersChanged();

  private:
    void show(const estimate::TrainingSetup& setup);
    void compute();
    estimate::Search search_;
    estimate::TrainingSetup setup_;
    estimate::MemoryEstimate memory_;
    std::vector<estimate::Explanation> why_;
    std::vector<Problem> problems_;
    std::optional<Answers> answers_;
    EditHistory history_;
    QString model_name_, hardware_name_, model_source_;
    std::optional<config::Recipe> recipe_;
    estimate::TrainingSetup planned_;  ///< what the recipe says
    widgets::Job job_;
};

}  // namespace trainyard::desktop
