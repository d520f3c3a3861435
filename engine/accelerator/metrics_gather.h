// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// gather_for_metrics: what all ranks computed of a batch, without the samples that were repeated to make the last batch even.

#include <cstdint>

#include "data/loader.h"
#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::accelerator {

/// Tensors are joined along dimension 0, anything else as the lists of all ranks. At the end of `loader` (the innermost under way; may be null) the
/// first `remainder` samples are kept. Lists whose entries hold several samples each (a batch of texts, a tensor of rows) are cut inside the
/// entry; Accelerate counts entries. Throws UserError when entries are neither one sample each nor batches.
Tree gather_for_metrics(parallel::Communicator& communicator, const Tree& data, const data::Loader* loader,
                        bool use_gather_object = false);

/// The first `remainder` samples of a gathered list, of whose global batch `batch_size` samples were expected (0: not known).
Tree trim_samples(const Tree& list, std::int64_t remainder, std::int64_t batch_size, int ranks);

}  // namespace trainyard::accelerator
