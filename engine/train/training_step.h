// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One step of a recipe's training: micro-batches by the schedule table, and the way of an update (loop/update_flow.h)
// with the health of the run.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distributed/parallel/schedule_executor.h"
#include "models/networks/expert_router.h"
#include "train/loop/divergence.h"
#include "train/loop/straggler.h"
#include "train/step_graph.h"
#include "train/training.h"

namespace trainyard::train {

struct StepReport {
    std::int64_t step = 0;     ///< number of the step, from 1
    double loss = 0;           ///< mean over the targets of the step, all ranks; NaN without any
    double own_loss = 0;       ///< the same of this rank's own targets; NaN without any
    double gradient_norm = 0;  ///< before clipping, all ranks
    double lr = 0;
    double seconds = 0;
    double waited_seconds = 0;  ///< of them in collectives, this rank
    PhaseSeconds phases;        ///< of this rank
    double loss_scale = 1;      ///< fp16: factor that the loss had
    std::int64_t targets = 0;   ///< counted, all ranks
    bool skipped = false;       ///< no update: weights untouched
    bool overflow = false;    ///< skipped because fp16 gradients overflowed: the loss scale is halved, nothing is wrong
    bool rolls_back = false;  ///< skipped, and back at the last good checkpoint (loop/roll_back.h)
    std::string first_non_finite;  ///< parameter whose gradient is not finite
    std::vector<Notice> notices;
    std::optional<bool> diverged;  ///< this rank's weights are not those of the others; nothing: not compared
    StepRequests agreed;           ///< with what the health of the run demands
    Message stop_reason;           ///< where the run's health demands the stop: why, as the end of a sentence
};

class TrainingStep : private parallel::PipelineStages {
  public:
    /// `training` outlives it. `roll_back` restores the last good checkpoint where the health of the run demands it,
    /// and returns a sentence on it.
    TrainingStep(Training& training, std::function<Message()> roll_back);
    TrainingStep(const TrainingStep&) = delete;
    TrainingStep& operator=(const TrainingStep&) = delete;

    StepReport run(const StepRequests& requests);
    /// Floating-point operations of a step. 0: not known, as of a module from a file, or before the first image is
    /// read.
    double flops() const;

  private:
    parallel::Tensors forward(int stage, int micro_batch, const parallel::Tensors& inputs) override;
    parallel::Tensors empty_inputs(int stage, int micro_batch) override;
    void before_backward(int stage, int micro_batch, bool last) override;
    void after_backward(int stage, int micro_batch) override;
    at::Tensor root_gradient() override;
    /// A micro-batch of this step, which is read on first use and stored until the last forward of this rank.
    const Batch& read_batch(int micro_batch);
    parallel::StepContext context(const Batch& batch) const;
    double expected_targets() const;
    /// Forward and backward of all micro-batches.
    void run_passes();
    /// The same, by the graph.
    void replay_passes();
    /// The choices of all micro-batches, before the first backward needs them (RouterStep).
    void count_choices();
    void reduce(StepReport& report, const StepRequests& requests);
    void judge(StepReport& report);
    void update(StepReport& report);
    void advance();
    void compare_ranks(StepReport& report);
    /// Ranks that hold the same elements of the same weights.
    parallel::Communicator& equal_ranks();
    /// Over all stages, with the ranks' numbers in the run. Collective; the same on all ranks.
    std::optional<Divergence> find_divergence(std::int64_t step);
    std::string name_of_first_non_finite();
    /// Total time that this rank has waited in collectives.
    double waited_seconds() const;

    Training& training_;
    std::function<Message()> roll_back_;
    parallel::ScheduleExecutor executor_;
    std::shared_ptr<models::RouterStep> router_;                   ///< null: the model has no loss of routers
    std::optional<parallel::ScheduleExecutor> counting_executor_;  ///< there, with several micro-batches
    std::map<int, Batch> batches_;                                 ///< of this step, by micro-batch
    std::optional<StepGraph> graph_;                               ///< with training.cuda_graph
    std::array<std::int64_t, 2> image_size_{};  ///< height and width of the images that were read last
    std::optional<StragglerWatch> stragglers_;  ///< absent with one rank
    std::optional<DivergenceWatch> divergence_;
    double waited_seconds_ = 0;     ///< in collectives, up to the last step
    std::int64_t first_step_ = -1;  ///< the position before the first step here; -1: there was none
    bool counted_ = false;          ///< a step since then had targets
};

}  // namespace trainyard::train
