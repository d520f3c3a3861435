// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/sharding.h"

#include <array>
#include <string>

#include "base/error.h"

namespace trainyard::parallel {

namespace {

// Gradients are summed over the ranks
//   replicated   all of them on every rank, in the last micro-batch
//   ZeRO-1       each rank's range of a bucket on that rank, in the last micro-batch (with a communication hook: as replicated)
//   ZeRO-2, 3    each rank's range on that rank, in every micro-batch, so that no rank has room for all of them
constexpr std::array kShardings{
    Sharding{0, "replicated", false, false, false, {}},
    Sharding{1, "ZeRO-1", true, false, false, {}},
    Sharding{2, "ZeRO-2", true, true, false, {}},
    Sharding{3, "ZeRO-3", true, true, true, {}},
};

}  // namespace

const Sharding& sharding_of_stage(std::int64_t zero_stage) {
    for (const Sharding& row : kShardings)
        if (row.zero_stage == zero_stage)
            return row;
    throw UserError(
        "ZeRO stage {} does not exist: choose 0 (nothing is sharded), 1 (optimizer state), 2 (gradients, too) or 3 "
        "(weights, too)",
        zero_stage);
}

}  // namespace trainyard::parallel
