// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ranks as a named grid pp x dp_replicate x dp_shard x cp x sp x tp (tp varies fastest), with a communicator for every
// dimension or product of dimensions, made when first asked for. One rank is a mesh of ones; nothing asks "is this distributed?".

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "distributed/parallel/communicator.h"
#include "distributed/pipeline/mesh_shape.h"

namespace trainyard::parallel {

class Mesh {
  public:
    /// Throws UserError when the product of the shape is not the world's size.
    Mesh(MeshShape shape, std::shared_ptr<World> world);

    int rank() const { return world_->rank(); }
    int world_size() const { return world_->size(); }
    std::string backend() const { return world_->backend(); }
    int size(Dimension dimension) const { return shape_[static_cast<std::size_t>(dimension)]; }
    int coordinate(Dimension dimension) const;
    const MeshShape& shape() const { return shape_; }

    /// The ranks that differ from this one only in the given dimensions; those of size 1 add nothing, so that dp and dp x cp are one group
    /// without cp. Collective when made the first time: all ranks of the group must ask for the same dimensions in the same order.
    Communicator& group(std::initializer_list<Dimension> dimensions);
    /// All ranks that see different data, that is other samples (dp) or other positions of the same samples (cp, sp): losses and gradients are
    /// summed over it.
    Communicator& data() { return group({Dimension::dp_replicate, Dimension::dp_shard, Dimension::cp, Dimension::sp}); }
    /// The ranks that the samples are split among (data::shard_of).
    Communicator& batch() { return group({Dimension::dp_replicate, Dimension::dp_shard}); }
    /// The ranks that divide sharded buffers among themselves (sharding.h): dp_shard x cp x sp; of a mesh without
    /// dp_shard, data().
    Communicator& shards();
    /// The ranks whose shares are equal to this one's (hybrid sharding): dp_replicate; of a mesh without dp_shard,
    /// this rank alone.
    Communicator& copies();
    /// Blocks of `size` consecutive ranks of shards(), whose number `size` must divide: the ranks that divide experts
    /// among themselves (expert_share.h), those of all data() with the same place in their blocks, which have the same
    /// experts, and of these the ones in shards(), which divide sharded buffers of experts. Collective as group().
    /// Throws UserError.
    Communicator& expert_ranks(int size) { return connected_experts(size, ExpertGroup::ranks); }
    Communicator& expert_copies(int size) { return connected_experts(size, ExpertGroup::copies); }
    Communicator& expert_shards(int size) { return connected_experts(size, ExpertGroup::shards); }
    /// The block of `size` consecutive ranks of shards() that has this one, whose number `size` must divide: those with
    /// a second copy of the shares (ZeroPlusPlus::secondary_ranks). Collective as group(). Throws UserError.
    Communicator& secondary_shards(std::int64_t size);
    /// All ranks of the run; data() where these are all, so that a run of replicas needs one group only.
    Communicator& everyone();

    /// "dp_replicate 2" or "1 rank".
    std::string describe() const { return parallel::describe(shape_); }

  private:
    Communicator& connected(const std::vector<Dimension>& dimensions);
    enum class ExpertGroup { ranks, copies, shards };
    Communicator& connected_experts(int size, ExpertGroup kind);

    MeshShape shape_;
    std::shared_ptr<World> world_;
    std::map<std::vector<Dimension>, std::shared_ptr<Communicator>> groups_;
    std::map<std::pair<int, ExpertGroup>, std::shared_ptr<Communicator>> expert_groups_;
    std::map<std::int64_t, std::shared_ptr<Communicator>> secondary_;
};

/// All ranks as replicas.
MeshShape replicas(int world_size);
/// Pipelines of so many stages, as replicas of each other. `world_size` is a multiple of the stages.
MeshShape pipelines(int stages, int world_size);

}  // namespace trainyard::parallel
