// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/mesh.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/error.h"

namespace trainyard::parallel {

const char* to_string(Dimension dimension) {
    static constexpr std::array<const char*, kDimensions> names{"pp", "dp_replicate", "dp_shard", "cp", "sp", "tp"};
    return names[static_cast<std::size_t>(dimension)];
}

MeshShape replicas(int world_size) {
    return {1, world_size, 1, 1, 1, 1};
}

MeshShape pipelines(int stages, int world_size) {
    return {stages, world_size / stages, 1, 1, 1, 1};
}

namespace {

std::array<int, kDimensions> coordinates(const MeshShape& shape, int rank) {
    std::array<int, kDimensions> result{};
    for (std::size_t d = kDimensions; d-- > 0;) {
        result[d] = rank % shape[d];
        rank /= shape[d];
    }
    return result;
}

}  // namespace

Mesh::Mesh(MeshShape shape, std::shared_ptr<World> world) : shape_(shape), world_(std::move(world)) {
    int product = std::accumulate(shape_.begin(), shape_.end(), 1, std::multiplies<>());
    if (product != world_->size())
        throw UserError(
            "the mesh ({}) needs {} ranks, {} were started: make the product of its "
            "sizes {}",
            describe(), product, world_->size(), world_->size());
}

int Mesh::coordinate(Dimension dimension) const {
    return coordinates(shape_, world_->rank())[static_cast<std::size_t>(dimension)];
}

Communicator& Mesh::group(std::initializer_list<Dimension> dimensions) {
    std::vector<Dimension> key;
    std::copy_if(dimensions.begin(), dimensions.end(), std::back_inserter(key),
                 [&](Dimension dimension) { return size(dimension) > 1; });
    std::sort(key.begin(), key.end());
    return connected(key);
}

std::vector<int> Mesh::ranks_along(const std::vector<Dimension>& key) const {
    auto mine = coordinates(shape_, world_->rank());
    std::vector<int> ranks;
    for (int rank = 0; rank < world_->size(); ++rank) {
        auto theirs = coordinates(shape_, rank);
        bool same = true;
        for (std::size_t d = 0; d < kDimensions; ++d) {
            bool free = std::find(key.begin(), key.end(), static_cast<Dimension>(d)) != key.end();
            same = same && (free || theirs[d] == mine[d]);
        }
        if (same)
            ranks.push_back(rank);
    }
    return ranks;
}

Communicator& Mesh::connected(const std::vector<Dimension>& key) {
    auto found = groups_.find(key);
    if (found != groups_.end())
        return *found->second;

    const std::vector<int> ranks = ranks_along(key);
    std::string name;
    for (Dimension dimension : key)
        name += (name.empty() ? "" : "+") + std::string(to_string(dimension));
    // A group of one among several ranks needs no sockets either.
    auto communicator =
        ranks.size() == 1 ? World::connect({}, world_->device())->group(ranks, name) : world_->group(ranks, name);
    return *groups_.emplace(key, std::move(communicator)).first->second;
}

Communicator& Mesh::connected_experts(int size, bool copies) {
    const std::vector<int> data =
        ranks_along({Dimension::dp_replicate, Dimension::dp_shard, Dimension::cp, Dimension::sp});
    if (size < 1 || std::ssize(data) % size != 0)
        throw UserError(
            "parallel.ep_size: {}",
            Message("{} data ranks do not divide into groups of {} ranks that divide the experts: start a multiple of "
                    "{} ranks, or change ep_size",
                    data.size(), size, size));
    std::shared_ptr<Communicator>& known = expert_groups_[{size, copies}];
    if (known != nullptr)
        return *known;
    const auto mine = std::ranges::find(data, world_->rank()) - data.begin();
    std::vector<int> ranks;
    for (std::ptrdiff_t place = 0; place < std::ssize(data); ++place)
        if (copies ? place % size == mine % size : place / size == mine / size)
            ranks.push_back(data[static_cast<std::size_t>(place)]);
    const std::string name = copies ? "expert copies" : "ep";
    known = ranks.size() == 1 ? World::connect({}, world_->device())->group(ranks, name) : world_->group(ranks, name);
    return *known;
}

Communicator& Mesh::expert_ranks(int size) {
    return connected_experts(size, false);
}

Communicator& Mesh::expert_copies(int size) {
    return connected_experts(size, true);
}

Communicator& Mesh::shards() {
    return size(Dimension::dp_shard) > 1 ? group({Dimension::dp_shard, Dimension::cp, Dimension::sp}) : data();
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

std::string Mesh::describe() const {
    std::string text;
    for (std::size_t d = 0; d < kDimensions; ++d)
        if (shape_[d] != 1)
            text += (text.empty() ? "" : " x ") + std::string(to_string(static_cast<Dimension>(d))) + " " +
                    std::to_string(shape_[d]);
    return text.empty() ? "1 rank" : text;
}

}  // namespace trainyard::parallel
