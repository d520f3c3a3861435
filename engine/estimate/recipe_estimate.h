// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The estimate of a recipe, put together in one place: the command line, the wizard, the window's estimator, the checks before a launch and estimate.json of a run
// say the same number for the same recipe and ranks.

#include <filesystem>

#include "estimate/devices.h"
#include "estimate/training_memory.h"

namespace trainyard::estimate {

/// A recipe's model, and how a number of ranks trains it.
struct RecipePlan {
    ModelParts model;
    TrainingSetup setup;
};
/// With the batch of each rank (config::on_ranks); where the ranks cannot share it, which the launch refuses, with training.batch_size.
RecipePlan plan_of(const config::Recipe& recipe, std::int64_t ranks);

/// `base` with what a setup says, as far as recipes can say it: a batch per rank, formats, optimizer, ZeRO, replicas
/// of shards, ranks that share layers or sequences, stages, LoRA. beyond_recipes() names the rest.
config::Recipe recipe_of(const TrainingSetup& setup, config::Recipe base);

/// A recipe's file with what the configuration of its weights adds.
config::Recipe load_settled_recipe(const std::filesystem::path& file);

/// This machine's processors as far as the memory of `ranks` ranks depends on them: without their speeds, which are in another file.
Device calibrated_memory(std::int64_t ranks);
/// Returns this machine as hardware of `ranks` ranks on processors, calibrated; the memory of the device is that of the
/// host.
Hardware this_machine(std::int64_t ranks);

struct RecipeEstimate {
    RecipePlan plan;
    Device device;
    MemoryEstimate memory;  ///< of each rank
};
/// Estimates a recipe on this machine's processors.
RecipeEstimate estimate_recipe(const config::Recipe& recipe, std::int64_t ranks);

}  // namespace trainyard::estimate
