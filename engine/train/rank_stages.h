// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The part of a model that one rank of a pipeline runs and holds: one or more stages. It holds the parameters of their
// units, and copies of those that they use from units of other ranks (tied weights): the copies' gradients are summed
// over the ranks, so all of them take the same updates.

#include <cstdint>
#include <map>
#include <vector>

#include "config/recipe/ignored_modules.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/communicator.h"
#include "distributed/parallel/expert_share.h"
#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/unit.h"
#include "models/nn/model.h"

namespace trainyard::train {

/// A parameter that stages of several ranks use.
struct TiedParameter {
    parallel::Parameter* parameter = nullptr;
    int owner = 0;           ///< rank of the unit that owns it
    std::vector<int> users;  ///< other ranks, rising
};

struct RankStages {
    int rank = 0;                                        ///< within the pipeline
    int ranks = 1;                                       ///< of the pipeline
    std::vector<int> rank_of_stage;                      ///< of all stages
    std::map<int, std::vector<parallel::Unit*>> stages;  ///< of this rank, and what each runs in order
    std::vector<parallel::Unit*> units;                  ///< of all its stages
    std::vector<parallel::GroupRequest> groups;          ///< what it holds: copies first, then a group for each unit
    std::vector<parallel::Unit*> group_units;            ///< of each group; nullptr for the copies
    std::vector<TiedParameter> tied;                     ///< of the whole model, the same on all ranks
    bool is_last_stage(int stage) const { return stage + 1 == static_cast<int>(rank_of_stage.size()); }
    /// This rank computes the loss.
    bool has_last_stage() const { return is_last_stage(stages.rbegin()->first); }
    bool has_copies() const { return !group_units.empty() && group_units.front() == nullptr; }
};

/// The rank of each stage of the recipe's schedule on a pipeline of `ranks`.
std::vector<int> place_stages(const config::ParallelRecipe& recipe, int ranks);

/// Blocks are divided among the stages so that the most expensive stage, for sequences of `seq` tokens, costs as little
/// as possible; what is before the first block and after the last one belongs to their stages. Throws UserError if
/// there are more stages than blocks.
RankStages stages_of_rank(const models::Model& model, int rank, const std::vector<int>& rank_of_stage,
                          std::int64_t seq);

/// Removes the experts of other ranks from what the part holds. Those of this rank get groups of their own, each after
/// that of its unit.
void separate_experts(RankStages& part, const models::Model& model, const parallel::ExpertShare& experts);

/// Gives the parameters of ignored modules persistent groups of their own, each after the one that they were in.
/// Copies of tied parameters stay where they are.
void separate_ignored(RankStages& part, const config::IgnoredModules& ignored);

/// Collective over the pipeline, and where gradients are sharded over the `replicas` of the rank. After it the gradient
/// of every tied parameter, or what this rank owns of it, is the sum over the ranks that use it, added in their order,
/// on each of them.
void sum_tied_gradients(const RankStages& part, const parallel::FlatArena& arena, parallel::Communicator& pipeline,
                        parallel::Communicator& replicas);

}  // namespace trainyard::train
