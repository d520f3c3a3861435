// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// GroupSync: sums the gradients of the groups over the data-parallel ranks while backward still runs, and gathers what
// is sharded (sharding.h). Values of units are gathered by UnitRooms (value_rooms.h). A hook: when backward leaves a
// unit, that unit's gradients are complete; when those of all units of a bucket are, it is sent (reducer.h). Always in
// the order of the units, last first, hence the same on every rank. Parameters that nothing used are reduced as zeros,
// so they need no search; they are an error where that is asked for.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/reducer.h"
#include "distributed/parallel/unit.h"

namespace trainyard::parallel {

struct GroupSyncOptions {
    std::shared_ptr<CommHook> hook = nullptr;  ///< nullptr: gradients as they are. None where gradients are sharded
    /// False: a reducing backward that leaves a trained parameter without a gradient is a UserError of finish() that
    /// names it. True: it counts as zeros, as that of divided experts always does: which tokens they get changes.
    bool find_unused_parameters = true;
    /// finish() compares over the ranks which parameters have no gradient: a difference is a DistributedOperationError
    /// on all of them.
    bool check_reduction = false;
    /// Hybrid sharding: ranks with the same shares, and all data ranks, over which a hook sums. Null: there is one
    /// copy.
    Communicator* copies = nullptr;
    Communicator* data = nullptr;
    /// Ranks with the same experts, over which gradients of groups of experts are summed; of sharded ones, those that
    /// divide them. Null: there are none.
    Communicator* expert_ranks = nullptr;
    /// Data ranks are those of one of several tensor-parallel ranks, which have some parameters whole.
    bool tensor_parallel = false;
    UnitRoomsOptions rooms{};  ///< where values are sharded
};

class GroupSync final : public UnitHook {
  public:
    /// `units[i]` owns the parameters of `arena.groups()[i]`; nullptr: no unit of this rank does, and they are sent
    /// last. Adds itself to every unit. The last unit's gradients come first. Where the arena is sharded, its rank and
    /// ranks are those of the communicator. Throws std::invalid_argument for a hook that cannot be.
    GroupSync(FlatArena& arena, const std::vector<Unit*>& units, Communicator& shards, GroupSyncOptions options = {});

    void begin_step();
    /// Before a micro-batch's backward. Gradients are summed over the ranks in the last one of a step; where they are
    /// sharded in each, and the sums add up.
    void begin_micro_batch(bool last);
    /// The gradients of this group are complete, in whatever order backward makes them: of modules that are not made of
    /// units. Throws UserError where a group is completed twice in one backward. Any thread of that backward.
    void complete(std::size_t group);
    /// After its backward: sums what no rank keeps. That of the last may be left to finish().
    void end_micro_batch();
    /// Sends what is left and waits for all buckets. After it the gradients of FlatArena::owned() are sums over all
    /// ranks; where nothing is sharded these are all.
    void finish();
    /// State of the hook belongs in checkpoints.
    CommHook& hook() const { return *reducer_.hook(); }
    /// The ranks that divide the buffers of dense groups, or those of experts.
    Communicator& shards(bool of_experts) const {
        return of_experts && options_.rooms.expert_shards != nullptr ? *options_.rooms.expert_shards : shards_;
    }

    /// After an update of the owned slices: every rank gets the values of the others, or where values are sharded
    /// gathers them at their next use.
    void publish_values();
    /// Null where every rank has the values.
    UnitRooms* rooms() const { return rooms_.get(); }
    /// Ranks with the same shares; null: there are none.
    Communicator* copies() const { return options_.copies; }
    /// A buffer of optimizer state of all ranks, whole, on rank 0 of the communicator; undefined on the others.
    /// Collective. `experts`: each of the first ranks that divide experts gets a buffer with its own.
    at::Tensor gather_state_on_first(const at::Tensor& state, const std::string& name, bool experts = false);

    void after_backward(Unit& unit, const Tensors& gradients, int micro_batch) override;

  private:
    /// Settles groups down to `group`, and sends the buckets that are complete.
    void complete_down_to(std::size_t group);
    void judge_unused() const;

    FlatArena& arena_;
    Communicator& shards_;
    GroupSyncOptions options_;
    std::unique_ptr<UnitRooms> rooms_;
    Reducer reducer_;
    std::vector<std::string> unused_;  ///< trained parameters without a gradient, in this reduction
    std::map<const Unit*, std::size_t> index_;
    std::size_t next_ = 0;         ///< groups [next_, ...) are ready; counts down from groups().size()
    std::size_t next_bucket_ = 0;  ///< to be sent
    std::vector<bool> complete_;   ///< [group], by complete()
    bool reducing_ = false;
    bool has_sums_ = false;  ///< of earlier micro-batches of the step
};

}  // namespace trainyard::parallel
