// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/recipe_mesh.h"

#include <algorithm>

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

}  // namespace trainyard::config
