// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/zero_plus_plus.h"

#include <utility>

#include "distributed/pipeline/mesh_shape.h"

namespace trainyard::config {

std::vector<ZeroPlusPlusProblem> problems_of(const ZeroPlusPlusUse& use) {
    const char *partition = "zero_hpz_partition_size", *weights = "zero_quantized_weights",
               *gradients = "zero_quantized_gradients";
    std::vector<ZeroPlusPlusProblem> problems;
    const auto complain = [&](const char* key, Message message) { problems.push_back({key, std::move(message)}); };
    if (use.hpz_partition_size < 1)
        complain(partition,
                 Message("{}: it must be 1, for no second copy, or the ranks that share one", use.hpz_partition_size));
    for (const auto& [key, is_asked] : {std::pair(partition, use.hpz_partition_size > 1),
                                        {weights, use.quantized_weights},
                                        {gradients, use.quantized_gradients}})
        if (is_asked && use.zero_stage != 3)
            complain(key, Message("says how ranks exchange weights and gradients that ZeRO stage 3 shards, and "
                                  "zero_stage is {}: set it to 3, or leave this out",
                                  use.zero_stage));
    if (use.zero_stage != 3)
        return problems;
    if (use.quantized_weights && use.weights_on_disk)
        complain(weights, "weights on a disk are sent as they are: keep them in memory, or leave this out");
    if (use.quantized_weights && use.float8_gathers)
        complain(weights,
                 "enable_fsdp_float8_all_gather sends weights as fp8 values already: leave one of the two out");
    if (use.hpz_partition_size > 1 && use.shard_ranks > 0)
        if (Message why = parallel::why_no_secondary_shards(use.hpz_partition_size, use.shard_ranks); !why.empty())
            complain(partition, std::move(why));
    return problems;
}

}  // namespace trainyard::config
