#pragma once
// What the page of the estimator shows: a model, devices, a way of training; the estimate at once, the answers of searches from another thread. Changes can be
// taken back.

#include <optional>

#include <QObject>
#include <QString>
#include <QVector>

#include "estimate/recipe_estimate.h"
#include "estimate/search.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class Scenario : public QObject {
    Q_OBJECT
  public:
    /// What the searches found for one setup.
    struct Answers {
        std::optional<estimate::Answer> batch, sequence, fewest;
        std::vector<estimate::Search::Saving> savings;
        Message why_not;
        std::vector<double> by_batch,
            by_batch_full;  ///< bytes of 1, 2 ... kBatches samples, now and with full checkpointing
    };
    static constexpr int kBatches = 8;

    explicit Scenario(QObject* parent = nullptr);

    /// `source`: the file it came from; empty: one of modelChoices().
    void setModel(const QString& name, estimate::ModelParts model, const QString& source = {});
    /// A recipe with its model and its way of training, on the ranks of the hardware.
    void setRecipe(const QString& name, const config::Recipe& recipe, const QString& source);
    void setHardware(const QString& name, const estimate::Hardware& hardware);
    /// Of one host, for what its devices offload; 0: not known.
    void setHostMemory(double bytes);
    /// What runs have measured of the device, read anew from a small file.
    void recalibrate(const std::filesystem::path& file);
    /// All at once, of a scenario that was kept.
    void setAll(const QString& hardwareName, const estimate::Hardware& hardware, const estimate::TrainingSetup& setup);
    /// The recipe that was opened; nothing: another model.
    const std::optional<config::Recipe>& recipe() const { return recipe_; }
    const QString& modelSource() const { return model_source_; }
    const QString& modelName() const { return model_name_; }
    const QString& hardwareName() const { return hardware_name_; }
    const estimate::Search& search() const { return search_; }
    const estimate::TrainingSetup& setup() const { return setup_; }
    /// Of the setup as it is; empty stages where it contradicts the model.
    const estimate::MemoryEstimate& memory() const { return memory_; }
    const std::vector<estimate::Explanation>& explanations() const { return why_; }
    const std::vector<Problem>& problems() const { return problems_; }
    bool isValid() const { return problems_.empty() && !memory_.stages.empty(); }
    bool fits() const { return isValid() && search_.fits(setup_); }
    /// Of what is shown; nothing is short where it contradicts the model.
    estimate::Shortage shortage() const { return isValid() ? search_.shortage(memory_) : estimate::Shortage{}; }
    /// Nothing while they are searched for.
    const std::optional<Answers>& answers() const { return answers_; }

    void setSetup(const estimate::TrainingSetup& setup);
    /// One field by its name.
    void change(const std::string& field, const std::string& value);
    bool canUndo() const { return !before_.isEmpty(); }
    void undo();
    void reset();
    /// Ranks of the layout are those of the hardware: what no other dimension takes becomes data parallel.
    static estimate::TrainingSetup onAll(estimate::TrainingSetup setup, std::int64_t ranks);

  signals:
    void changed();
    void answersChanged();

  private:
    void compute();
    estimate::Search search_;
    estimate::TrainingSetup setup_;
    estimate::MemoryEstimate memory_;
    std::vector<estimate::Explanation> why_;
    std::vector<Problem> problems_;
    std::optional<Answers> answers_;
    QVector<estimate::TrainingSetup> before_;
    QString model_name_, hardware_name_, model_source_;
    std::optional<config::Recipe> recipe_;
    estimate::TrainingSetup planned_;  ///< what the recipe says
    widgets::Job job_;
};

}  // namespace trainyard::desktop
