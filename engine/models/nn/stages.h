// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which pipeline stage runs which unit of a model. Stages begin at blocks; units before the first block belong to the
// first stage, and units after the last block to the last one.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "models/nn/model.h"

namespace trainyard::models {

/// Number of the first block of stages 1, 2, ..., rising.
using StageSplit = std::vector<std::size_t>;

/// Makes the costliest stage, for sequences of `seq` tokens, as cheap as it can be (distributed/pipeline/stage_blocks.h). Throws UserError when there are
/// more stages than blocks.
StageSplit balanced_split(const Model& model, int stages, std::int64_t seq);

/// The stage of every unit.
std::map<const parallel::Unit*, int> stages_of_units(const Model& model, const StageSplit& split);

}  // namespace trainyard::models
