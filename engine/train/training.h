// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a recipe trains, and how far it is: the model on flat groups (flat_model.h) with optimizer, data, schedule and
// averages. The step (training_step.h), the evaluation (evaluation.h) and checkpoints (trainer_state.h) work on it;
// Trainer owns it. Of a pipeline (Dimension::pp) a rank has one stage of the model: it runs, updates and averages that
// part over the replicas of the stage.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "base/message.h"
#include "checkpoint/checkpoint.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/mesh.h"
#include "train/data_loader.h"
#include "train/flat_model.h"
#include "train/flat_optimizer.h"
#include "train/loop/health.h"
#include "train/loop/update_flow.h"
#include "train/loop/weight_average.h"
#include "train/own_step.h"
#include "train/rate_schedule.h"
#include "train/tasks/masked_tokens.h"

namespace trainyard::train {

/// A message for the user about a step or the start.
struct Notice {
    const char* kind;  ///< of the run's events: nan, spike, straggler, warning
    Message text;
};

struct Training {
    /// `ranks_on_machine` share the memory of this machine; 0: all ranks. `memory_room`: StateOffload's. `ranks`
    /// outlives it.
    Training(const config::Recipe& trained, parallel::Mesh& ranks, at::Device where, int ranks_on_machine = 0,
             std::optional<std::uint64_t> memory_room = {});
    Training(const Training&) = delete;
    Training& operator=(const Training&) = delete;

    parallel::Communicator& pipeline() const { return mesh.group({parallel::Dimension::pp}); }
    void set_phase(const char* name);
    /// Records a value of a curve: checkpoints are judged by those of checkpoint.best_metric.
    void note_metric(const std::string& name, double value);
    /// The batch as it is trained or evaluated at a step: with tokens masked, and as the recipe's own step changes it.
    Batch changed(Batch batch, std::int64_t step, bool trains) const;
    /// A micro-batch as the units of the model take it.
    parallel::StepContext context(const Batch& batch, bool trains, const at::Tensor& loss_sum) const;

    const config::Recipe recipe;
    parallel::Mesh& mesh;
    const at::Device device;
    FlatModel model;
    FlatOptimizer optimizer;
    DataLoader data;
    std::optional<MaskedTokens> masks;  ///< of masked language models
    std::optional<OwnStep> own_step;    ///< of a recipe with training.step_function
    RateSchedule rates;
    UpdateFlow flow;
    HealthMonitor health;
    std::optional<WeightAverage> average;  ///< where the recipe wants one, once the weights have their values
    checkpoint::Position position;
    std::int64_t updates = 0;      ///< steps that changed the weights
    std::optional<double> metric;  ///< the newest value of checkpoint.best_metric

    // Read by other threads, for heartbeats.
    std::atomic<const char*> phase{"init"};  ///< data, forward, backward, reduce, optimizer, evaluate, save, paused
    std::atomic<std::int64_t> steps_done{0};
    std::atomic<double> own_step_seconds{0};  ///< of the last step, without the time that this rank waited for others
};

}  // namespace trainyard::train
