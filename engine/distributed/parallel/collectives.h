// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Collectives over nests of tensors (a Tree keeps its kinds: a tuple stays a tuple), with the meaning of accelerate.utils.operations.
// On one rank each is the identity (reduce: a copy, scaled).
//
// Before data is sent, the ranks compare structure, dtypes, shapes and device types with one message of 24 bytes. A
// difference is a DistributedOperationError with a table of all ranks, on all ranks, whereas Gloo would end the
// process. Names in the tables are paths ("logits[0].scores"). Small tensors of a call share a message.
//
// Tensors of every dtype (bool, fp16, bf16, fp8, complex included), empty, non-contiguous or 0-dimensional ones are fine. Tensors need
// not be on the communicator's device: results are returned on the device of the input.

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::parallel {

/// What reduce does with every element. `none` leaves the tensors as they are on each rank and sends nothing; Accelerate's "none" sums.
enum class Reduction { none, sum, mean, max };

/// Every tensor concatenated over the ranks in their order along dimension 0; 0-dimensional tensors count as length 1. All leaves must
/// be tensors (UserError otherwise), with the same shape on every rank (pad_across_processes makes them so).
Tree gather(Communicator& communicator, const Tree& tree, const std::string& name = "gather");
at::Tensor gather(Communicator& communicator, const at::Tensor& tensor, const std::string& name = "gather");

/// The object of every rank, in rank order. Any kind and size, different on each rank; tensors come back on the CPU.
std::vector<Tree> all_gather_objects(Communicator& communicator, const Tree& object,
                                     const std::string& name = "gather_object");
/// Accelerate's gather_object: the lists (or tuples) of all ranks joined to one list. UserError on all ranks when one gave something else.
Tree gather_object(Communicator& communicator, const Tree& list, const std::string& name = "gather_object");

/// A new tree; the input stays. Mean needs floating or complex tensors (UserError). Of bool tensors sum and max mean "on any rank".
/// `scale` multiplies the result of floating tensors.
Tree reduce(Communicator& communicator, const Tree& tree, Reduction reduction = Reduction::mean, double scale = 1.0,
            const std::string& name = "reduce");
at::Tensor reduce(Communicator& communicator, const at::Tensor& tensor, Reduction reduction = Reduction::mean,
                  double scale = 1.0, const std::string& name = "reduce");

/// In place: the tensors of `tree` take the values of rank `root`. Other leaves stay as they are.
void broadcast(Communicator& communicator, const Tree& tree, int root = 0, const std::string& name = "broadcast");
/// The object of rank `root`; `object` is looked at there only. Tensors come back on the CPU (the root gets its own back).
Tree broadcast_object(Communicator& communicator, const Tree& object, int root = 0,
                      const std::string& name = "broadcast_object");

/// Pads every tensor along `dim` (negative: from the last) to the largest size of all ranks with `pad_index`, behind or, with
/// `pad_first`, before. Tensors without that dimension stay. The sizes of the other dimensions may differ between ranks.
Tree pad_across_processes(Communicator& communicator, const Tree& tree, std::int64_t dim = 0, double pad_index = 0,
                          bool pad_first = false, const std::string& name = "pad_across_processes");

}  // namespace trainyard::parallel
