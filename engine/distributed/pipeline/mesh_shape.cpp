// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/pipeline/mesh_shape.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

namespace trainyard::parallel {

namespace {

/// The sizes of these dimensions, 1 for the others.
MeshShape sizes_of(const MeshShape& shape, const std::vector<Dimension>& dimensions) {
    MeshShape sizes{1, 1, 1, 1, 1, 1};
    for (Dimension dimension : dimensions)
        sizes[static_cast<std::size_t>(dimension)] = shape[static_cast<std::size_t>(dimension)];
    return sizes;
}

/// The coordinates of a rank in the dimensions of `sizes`, 0 in the others.
MeshShape coordinates_within(const MeshShape& shape, int rank, const MeshShape& sizes) {
    MeshShape own = coordinates_of(shape, rank);
    for (std::size_t d = 0; d < kDimensions; ++d)
        own[d] = sizes[d] == 1 ? 0 : own[d];
    return own;
}

}  // namespace

const char* to_string(Dimension dimension) {
    static constexpr std::array<const char*, kDimensions> names{"pp", "dp_replicate", "dp_shard", "cp", "sp", "tp"};
    return names[static_cast<std::size_t>(dimension)];
}

int rank_count(const MeshShape& shape) {
    return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
}

MeshShape coordinates_of(const MeshShape& shape, int rank) {
    MeshShape result{};
    for (std::size_t d = kDimensions; d-- > 0;) {
        result[d] = rank % shape[d];
        rank /= shape[d];
    }
    return result;
}

int rank_at(const MeshShape& shape, const MeshShape& coordinates) {
    int rank = 0;
    for (std::size_t d = 0; d < kDimensions; ++d)
        rank = rank * shape[d] + coordinates[d];
    return rank;
}

int place_in_ring(const MeshShape& shape, int rank, const std::vector<Dimension>& dimensions) {
    const MeshShape sizes = sizes_of(shape, dimensions);
    return rank_at(sizes, coordinates_within(shape, rank, sizes));
}

int rank_in_ring(const MeshShape& shape, int rank, const std::vector<Dimension>& dimensions, int place) {
    const MeshShape sizes = sizes_of(shape, dimensions);
    const MeshShape own = coordinates_of(shape, rank);
    MeshShape there = coordinates_of(sizes, place);
    for (std::size_t d = 0; d < kDimensions; ++d)
        there[d] += sizes[d] == 1 ? own[d] : 0;
    return rank_at(shape, there);
}

int next_in_ring(const MeshShape& shape, int rank, const std::vector<Dimension>& dimensions) {
    const int size = rank_count(sizes_of(shape, dimensions));
    return rank_in_ring(shape, rank, dimensions, (place_in_ring(shape, rank, dimensions) + 1) % size);
}

std::vector<int> ranks_along(const MeshShape& shape, int rank, const std::vector<Dimension>& dimensions) {
    std::vector<int> ranks(static_cast<std::size_t>(rank_count(sizes_of(shape, dimensions))));
    for (std::size_t i = 0; i < ranks.size(); ++i)
        ranks[i] = rank_in_ring(shape, rank, dimensions, static_cast<int>(i));
    return ranks;
}

std::vector<int> ranks_of_experts(const MeshShape& shape, int rank, int size) {
    const std::vector<int> data = ranks_along(shape, rank, kDataDimensions);
    const auto begin = data.begin() + place_in_ring(shape, rank, kDataDimensions) / size * size;
    return {begin, begin + size};
}

std::vector<int> copies_of_experts(const MeshShape& shape, int rank, int size) {
    const std::vector<int> data = ranks_along(shape, rank, kDataDimensions);
    std::vector<int> ranks;
    for (auto place = place_in_ring(shape, rank, kDataDimensions) % size; place < std::ssize(data); place += size)
        ranks.push_back(data[static_cast<std::size_t>(place)]);
    return ranks;
}

std::vector<int> ranks_of_shards(const MeshShape& shape, int rank) {
    if (shape[static_cast<std::size_t>(Dimension::dp_shard)] == 1)
        return ranks_along(shape, rank, kDataDimensions);
    return ranks_along(shape, rank, {Dimension::dp_shard, Dimension::cp, Dimension::sp});
}

Message why_no_secondary_shards(std::int64_t size, std::int64_t shards) {
    if (size >= 1 && shards % size == 0)
        return {};
    return Message(
        "{} ranks that shard the weights do not divide into groups of {}: set it to a divisor of {}, such as "
        "the ranks of a machine, or to 1",
        shards, size, shards);
}

std::vector<int> shards_of_experts(const MeshShape& shape, int rank, int size) {
    const std::vector<int> shards = ranks_of_shards(shape, rank);
    std::vector<int> ranks = copies_of_experts(shape, rank, size);
    std::erase_if(ranks, [&](int one) { return std::ranges::find(shards, one) == shards.end(); });
    return ranks;
}

std::string describe(const MeshShape& shape) {
    std::string text;
    for (std::size_t d = 0; d < kDimensions; ++d)
        if (shape[d] != 1)
            text += fmt::format("{}{} {}", text.empty() ? "" : " × ", to_string(static_cast<Dimension>(d)), shape[d]);
    return text.empty() ? "1 rank" : text;
}

std::string rank_place(const MeshShape& shape, int rank, int experts) {
    if (experts <= 1 && shape[static_cast<std::size_t>(Dimension::dp_replicate)] == rank_count(shape))
        return {};
    const MeshShape own = coordinates_of(shape, rank);
    std::string text;
    const auto add = [&](const char* name, int place) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, place);
    };
    for (std::size_t d = 0; d < kDimensions; ++d)
        if (shape[d] > 1)
            add(to_string(static_cast<Dimension>(d)), own[d]);
    if (experts > 1)
        add("ep", place_in_ring(shape, rank, kDataDimensions) % experts);
    return text;
}

}  // namespace trainyard::parallel
