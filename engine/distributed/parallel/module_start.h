// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Before the ranks train a module of a program's own: are its tensors what gradients can be summed of, and the same on all ranks? Then all start
// from rank 0's values.

#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::parallel {

/// Each tensor once, in the order of its first name; without those that are undefined.
NamedTensors without_repetitions(NamedTensors named);

/// Throws UserError with every problem: no parameter is trained, or a trained one is not a leaf, not dense, or complex.
void check_trained(const NamedTensors& parameters);

/// Collective. Throws DistributedOperationError on all ranks where names, shapes, dtypes or requires_grad differ.
void check_same_module(const NamedTensors& parameters, const NamedTensors& buffers, Communicator& communicator);

/// Collective: `root`'s values everywhere.
void broadcast_module(const NamedTensors& parameters, const NamedTensors& buffers, int root,
                      Communicator& communicator);
void broadcast_buffers(const NamedTensors& buffers, int root, Communicator& communicator);

}  // namespace trainyard::parallel
