// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/mesh.h"

#include <algorithm>
#include <iterator>

#include "base/counted.h"
#include "base/error.h"

namespace trainyard::parallel {

MeshShape replicas(int world_size) {
    return {1, world_size, 1, 1, 1, 1};
}

MeshShape pipelines(int stages, int world_size) {
    return {stages, world_size / stages, 1, 1, 1, 1};
}

Mesh::Mesh(MeshShape shape, std::shared_ptr<World> world) : shape_(shape), world_(std::move(world)) {
    const int product = rank_count(shape_);
    if (product != world_->size())
        throw UserError("the mesh ({}) needs {} ranks instead of {}: make the product of its sizes {}", describe(),
                        product, world_->size(), world_->size());
}

int Mesh::coordinate(Dimension dimension) const {
    return coordinates_of(shape_, world_->rank())[static_cast<std::size_t>(dimension)];
}

Communicator& Mesh::group(std::initializer_list<Dimension> dimensions) {
    std::vector<Dimension> key;
    std::copy_if(dimensions.begin(), dimensions.end(), std::back_inserter(key),
                 [&](Dimension dimension) { return size(dimension) > 1; });
    std::sort(key.begin(), key.end());
    return connected(key);
}

Communicator& Mesh::connected(const std::vector<Dimension>& key) {
    auto found = groups_.find(key);
    if (found != groups_.end())
        return *found->second;

    const std::vector<int> ranks = ranks_along(shape_, world_->rank(), key);
    std::string name;
    for (Dimension dimension : key)
        name += (name.empty() ? "" : "+") + std::string(to_string(dimension));
    // A group of one among several ranks needs no sockets either.
    auto communicator =
        ranks.size() == 1 ? World::connect({}, world_->device())->group(ranks, name) : world_->group(ranks, name);
    return *groups_.emplace(key, std::move(communicator)).first->second;
}

Communicator& Mesh::connected_experts(int size, ExpertGroup kind) {
    const bool is_hybrid = this->size(Dimension::dp_shard) > 1;
    if (kind == ExpertGroup::shards && !is_hybrid)  // the same ranks
        return connected_experts(size, ExpertGroup::copies);
    const std::size_t among = ranks_of_shards(shape_, world_->rank()).size();
    if (size < 1 || among % static_cast<std::size_t>(size) != 0)
        throw UserError(
            "parallel.ep_size: {}",
            Message("{} cannot be divided into groups of {} ranks that divide the experts: start a multiple of {} "
                    "ranks, or change ep_size",
                    text::ranks(static_cast<std::int64_t>(among)), size, size));
    std::shared_ptr<Communicator>& known = expert_groups_[{size, kind}];
    if (known != nullptr)
        return *known;
    const std::vector<int> ranks = kind == ExpertGroup::ranks    ? ranks_of_experts(shape_, world_->rank(), size)
                                   : kind == ExpertGroup::copies ? copies_of_experts(shape_, world_->rank(), size)
                                                                 : shards_of_experts(shape_, world_->rank(), size);
    const char* name = kind == ExpertGroup::ranks    ? "ep"
                       : kind == ExpertGroup::copies ? "expert copies"
                                                     : "expert shards";
    known = ranks.size() == 1 ? World::connect({}, world_->device())->group(ranks, name) : world_->group(ranks, name);
    return *known;
}

Communicator& Mesh::shards() {
    return size(Dimension::dp_shard) > 1 ? group({Dimension::dp_shard, Dimension::cp, Dimension::sp}) : data();
}

Communicator& Mesh::secondary_shards(std::int64_t size) {
    const std::vector<int> shards = ranks_of_shards(shape_, world_->rank());
    const auto among = static_cast<std::int64_t>(shards.size());
    if (const Message problem = why_no_secondary_shards(size, among); !problem.empty())
        throw UserError("zero_hpz_partition_size: {}", problem);
    std::shared_ptr<Communicator>& known = secondary_[size];
    if (known == nullptr) {
        const std::int64_t place = std::ranges::find(shards, world_->rank()) - shards.begin();
        const auto first = shards.begin() + place / size * size;
        const std::vector<int> ranks(first, first + size);
        known = size == 1 ? World::connect({}, world_->device())->group(ranks, "secondary shards")
                          : world_->group(ranks, "secondary shards");
    }
    return *known;
}

Communicator& Mesh::copies() {
    return size(Dimension::dp_shard) > 1 ? group({Dimension::dp_replicate}) : group({});
}

Communicator& Mesh::everyone() {
    if (size(Dimension::pp) == 1 && size(Dimension::tp) == 1)
        return data();
    // Never the group of the pipeline or of tensor parallelism, even where that joins all ranks: in these the ranks do different things at a
    // time, and collectives of all ranks must not come in between.
    return connected(
        {Dimension::pp, Dimension::dp_replicate, Dimension::dp_shard, Dimension::cp, Dimension::sp, Dimension::tp});
}

}  // namespace trainyard::parallel
