#pragma once
// The part of a model that one pipeline stage runs and holds. A stage holds the parameters of its units, and copies of
// those that they use from units of other stages (tied weights): the copies' gradients are summed over the stages, so
// all of them take the same updates.

#include <vector>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/unit.h"
#include "models/nn/model.h"

namespace trainyard::train {

/// A parameter that several stages use.
struct TiedParameter {
    parallel::Parameter* parameter = nullptr;
    int owner = 0;           ///< stage of the unit that owns it
    std::vector<int> users;  ///< other stages, rising
};

struct StagePart {
    int stage = 0;
    int stages = 1;
    std::vector<parallel::Unit*> units;          ///< what it runs, in their order
    std::vector<parallel::GroupRequest> groups;  ///< what it holds: copies first, then a group for each unit
    std::vector<parallel::Unit*> group_units;    ///< of each group; nullptr for the copies
    std::vector<TiedParameter> tied;             ///< of the whole model, the same on all stages
    bool is_first() const { return stage == 0; }
    bool is_last() const { return stage + 1 == stages; }
    bool has_copies() const { return !group_units.empty() && group_units.front() == nullptr; }
};

/// Blocks are shared out so that the costliest stage, for sequences of `seq` tokens, is as cheap as it can be; what is
/// before the first block and behind the last one goes with them. Throws UserError when there are more stages than
/// blocks.
StagePart part_of_stage(const models::Model& model, int stage, int stages, std::int64_t seq);

/// Collective over the pipeline, and where gradients are sharded over the `replicas` of the stage. After it the
/// gradient of every tied parameter, or what this rank owns of it, is the sum over its stages, added in their order, on
/// each of them.
void sum_tied_gradients(const StagePart& part, const parallel::FlatArena& arena, parallel::Communicator& pipeline,
                        parallel::Communicator& replicas);

}  // namespace trainyard::train
