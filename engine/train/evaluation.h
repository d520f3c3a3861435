// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Evaluation of what a recipe trains: loss and metrics over the held-out samples, of the weights and of their average.

#include <memory>
#include <optional>

#include "distributed/parallel/schedule_executor.h"
#include "models/networks/expert_router.h"
#include "train/held_out_metrics.h"
#include "train/training.h"

namespace trainyard::train {

struct Evaluation {
    double loss = 0;                     ///< mean over the held-out targets
    std::optional<double> average_loss;  ///< the same of the averaged weights, where an average is kept
    HeldOutValues metrics;               ///< of the task and of plug-ins: accuracy, spearman, ...
    std::optional<ClassOutcome> classes = {};
    /// Of classification: share of the held-out targets that are found.
    std::optional<double> accuracy() const;
};

class Evaluator : private parallel::PipelineStages {
  public:
    /// `training` outlives it.
    explicit Evaluator(Training& training);
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;
    /// Nothing where no held-out label is counted. Collective. Records the values in `training`: metrics, the best
    /// loss, and schedules that follow it.
    std::optional<Evaluation> run();

  private:
    parallel::Tensors forward(int stage, int micro_batch, const parallel::Tensors& inputs) override;
    parallel::Tensors empty_inputs(int stage, int micro_batch) override;
    bool any_rank_has(bool batch);
    /// Units of the other ranks need this one, which has no batch left.
    void run_without_batch();
    /// Nothing where no label is counted.
    std::optional<double> loss(Evaluation* evaluation = nullptr);

    Training& training_;
    parallel::ScheduleExecutor executor_;
    HeldOutMetrics metrics_;
    at::Tensor loss_sum_;  ///< 0-dim float64
    StepControl control_;
    Batch batch_;                                 ///< that forward runs
    at::Tensor* logits_ = nullptr;                ///< where they are wanted
    std::shared_ptr<models::RouterStep> router_;  ///< null: the model has no loss of routers
};

}  // namespace trainyard::train
