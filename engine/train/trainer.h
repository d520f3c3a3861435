#pragma once
// Trains a recipe on a mesh: builds model, flat groups, data, optimizer, and executes the step's schedule table. Knows nothing of
// run directories or supervisors; the worker does.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "config/recipe.h"
#include "models/model.h"
#include "parallel/group_sync.h"
#include "parallel/mesh.h"
#include "parallel/schedule.h"
#include "train/adamw.h"
#include "train/data_loader.h"

namespace trainyard::train {

/// What all ranks agree to do after a step. Each rank may ask; the sum of the wishes travels with the loss.
struct Wishes {
    bool stop = false;
    bool checkpoint = false;
};

struct StepReport {
    std::int64_t step = 0;     ///< number of the update, from 1
    double loss = 0;           ///< mean over the targets of the step, all ranks
    double gradient_norm = 0;  ///< before clipping, all ranks
    double lr = 0;
    double seconds = 0;
    bool skipped = false;          ///< loss or gradients were not finite: weights untouched
    std::string first_non_finite;  ///< parameter whose gradient is not finite
    Wishes agreed;
};

class Trainer {
  public:
    Trainer(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device);

    /// Initialises, or loads what the recipe names (weights, or a checkpoint to resume from), and checks that all ranks have the same
    /// model. Returns a sentence on where training starts.
    std::string start();

    StepReport step(const Wishes& wishes = {});
    /// Mean loss over the held-out samples; nothing when there are none. All ranks must call it.
    std::optional<double> evaluate();
    /// All ranks must call it; rank 0 writes. A failure is thrown on every rank.
    checkpoint::Saved save(const std::filesystem::path& checkpoints);

    const checkpoint::Position& position() const { return position_; }
    /// Updates done; any thread.
    std::int64_t steps_done() const { return steps_done_.load(std::memory_order_relaxed); }
    double epoch() const;
    std::int64_t parameter_count() const { return arena_->parameter_count(); }
    double flops_per_step() const;
    /// init, data, forward, backward, reduce, optimizer, evaluate, save; for heartbeats, any thread.
    const char* phase() const { return phase_.load(std::memory_order_relaxed); }
    void set_phase(const char* phase) { phase_.store(phase, std::memory_order_relaxed); }

    /// Weights and optimizer state under their names.
    checkpoint::Content content() const;
    const models::Model& model() const { return *model_; }
    parallel::FlatArena& arena() { return *arena_; }

  private:
    void check_same_on_all_ranks();
    void run_forward(const parallel::Action& action);
    void run_backward(bool last);
    void begin_control(const Wishes& wishes);
    void reduce(StepReport& report);
    void update(StepReport& report);
    parallel::StepContext context(const Batch& batch, bool training) const;

    config::Recipe recipe_;
    parallel::Mesh& mesh_;
    at::Device device_;
    std::unique_ptr<models::Model> model_;
    std::unique_ptr<parallel::FlatArena> arena_;
    std::unique_ptr<AdamW> optimizer_;
    std::unique_ptr<DataLoader> data_;
    std::unique_ptr<parallel::GroupSync> sync_;  ///< only where there is more than one data rank
    parallel::Schedule schedule_;
    checkpoint::Position position_;
    at::Tensor loss_;      ///< root of backward of the current micro-batch
    at::Tensor loss_sum_;  ///< 0-dim float64
    at::Tensor control_;   ///< [summed loss, wishes to stop, wishes to checkpoint] float64, summed over all ranks
    parallel::Pending control_pending_;
    std::atomic<const char*> phase_{"init"};
    std::atomic<std::int64_t> steps_done_{0};
};

}  // namespace trainyard::train
