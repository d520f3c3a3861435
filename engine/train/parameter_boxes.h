// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tensors of checkpoints (checkpoint/logical_tensor.h) for what a rank has of a parameter: ranges of flat buffers of a
// part of it.

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "checkpoint/logical_tensor.h"
#include "distributed/parallel/parameter.h"

namespace trainyard::train {

/// Ranks of a tensor-parallel group have different elements of it.
bool is_divided(const parallel::Parameter& parameter);
/// Elements of its whole_shape().
std::int64_t whole_elements(const parallel::Parameter& parameter);
/// Elements [begin, begin + flat.numel()) of what this rank has of the parameter, as boxes of a tensor of its
/// whole_shape(); `local` are views of `flat`.
std::vector<checkpoint::LogicalTensor> boxes_of(const std::string& name, const parallel::Parameter& parameter,
                                                std::int64_t begin, const at::Tensor& flat);

}  // namespace trainyard::train
