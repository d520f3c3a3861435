#pragma once
// What the page of the estimator shows: a model, devices, a way of training; the estimate at once, the answers of searches from another thread. Changes can be
// taken back.

#include <functional>
#include <optional>

#include <QObject>
#include <QString>
#include <QVector>

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
        std::string why_not;
        std::vector<double> by_batch,
            by_batch_full;  ///< bytes of 1, 2 ... kBatches samples, now and with full checkpointing
    };
    static constexpr int kBatches = 8;

    explicit Scenario(QObject* parent = nullptr);

    void setModel(const QString& name, estimate::ModelParts model);
    void setHardware(const QString& name, const estimate::Hardware& hardware);
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
    QString model_name_, hardware_name_;
    widgets::Job job_;
};

}  // namespace trainyard::desktop
