// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reductions (sum, maximum and others) of several parts in memory, in the order given: every rank computes the same
// bits.

#include <cstddef>
#include <cstdint>
#include <span>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

bool has_reduction(at::ScalarType type);

/// Writes the reduction of `parts` ([elements] each) over the first. Half formats are reduced in fp32 and rounded once.
void reduce_parts(at::ScalarType type, ReduceOp op, std::span<std::uint8_t* const> parts, std::size_t elements);

}  // namespace trainyard::parallel
