// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Many small tensors as few messages: flattened by dtype and device, copied back.

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

/// Collective. `root`'s values into all tensors, in place; shapes and dtypes are the same on all ranks.
void broadcast_coalesced(const std::vector<at::Tensor>& tensors, int root, Communicator& communicator,
                         const std::string& name);

/// Collective. Each floating tensor becomes its mean over the ranks, in place; others are left alone.
void average_over_ranks(const std::vector<at::Tensor>& tensors, Communicator& communicator, const std::string& name);

}  // namespace trainyard::parallel
