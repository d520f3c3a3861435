// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tensor parallelism of a model: each rank of a group computes with its part of every layer, as the plan of the model's
// family says (models/spec/tensor_plan.h). Modules exchange what the placement of their weight needs.

#include "distributed/parallel/communicator.h"
#include "models/nn/model.h"

namespace trainyard::models {

/// Before the model's parameters are laid out. StepContext::tensor_ranks must be `ranks` in every forward. `ranks`
/// outlives the model. `divides_positions`: StepContext::stream_positions are set in every forward, too;
/// `overlap_chunks`: TensorPart's. Throws UserError for a model that has no plan.
void divide_tensors(const Model& model, parallel::Communicator& ranks, bool divides_positions = false,
                    std::int64_t overlap_chunks = 1);

}  // namespace trainyard::models
