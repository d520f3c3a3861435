// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/recipe_mesh.h"

#include <algorithm>

#include "base/counted.h"

namespace trainyard::config {

parallel::MeshShape mesh_of(const Recipe& recipe, std::int64_t ranks) {
    const ParallelRecipe& parallel = recipe.parallel;
    const std::int64_t data = recipe.data_ranks(ranks), shards = std::max<std::int64_t>(1, recipe.shard_ranks(ranks));
    const auto size = [](std::int64_t of) { return static_cast<int>(of); };
    return {size(parallel.pp_size), size(data / shards),    size(shards),
            size(parallel.cp_size), size(parallel.sp_size), size(parallel.tp_size)};
}

std::string rank_place(const Recipe& recipe, std::int64_t ranks, int rank) {
    return parallel::rank_place(mesh_of(recipe, ranks), rank, static_cast<int>(recipe.parallel.ep_size));
}

Message zero_words(const Recipe& recipe, std::int64_t ranks) {
    const std::int64_t stage = recipe.parallel.zero_stage,
                       shards = recipe.shard_ranks(ranks) * recipe.parallel.sequence_ranks();
    if (stage == 0)
        return {};
    const std::string mesh = parallel::describe(mesh_of(recipe, ranks));
    if (shards == 1)
        return ranks == 1 ? Message("ZeRO-{}: nothing is sharded, since there is one rank", stage)
                          : Message("ZeRO-{}: nothing is sharded, since the mesh ({}) has one data rank", stage, mesh);
    const Message over = shards == ranks ? text::ranks(shards) : Message("groups of {} data ranks ({})", shards, mesh);
    if (stage == 1)
        return Message("ZeRO-1: optimizer state is sharded over {}", over);
    return stage == 2 ? Message("ZeRO-2: optimizer state and gradients are sharded over {}", over)
                      : Message("ZeRO-3: optimizer state, gradients and weights are sharded over {}", over);
}

}  // namespace trainyard::config
