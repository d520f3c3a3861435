// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Before the first collective of a model: have all ranks the same parameters, in the same order, with the same shapes and dtypes? One
// message of 24 bytes a rank when they have; else every rank throws the same table of what differs where.

#include <string>

#include "distributed/parallel/agreement.h"
#include "distributed/tensors/tree.h"

namespace trainyard::parallel {

/// A description of `tensors` in their order; others (samples per step, precision, ...) may be added to it before it is checked.
Description describe_tensors(const NamedTensors& tensors);

/// Collective. Throws DistributedOperationError on all ranks: "the model is not the same on all ranks: ...", a line for each parameter
/// that differs, with the ranks; parameters that only some ranks have, and those at another place in the order, included.
/// `subject` is a noun: "the model", "optimizer 1".
void check_same_on_all_ranks(Communicator& communicator, const Description& mine, const std::string& subject);
void check_same_on_all_ranks(Communicator& communicator, const NamedTensors& tensors, const std::string& subject);

}  // namespace trainyard::parallel
