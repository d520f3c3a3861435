// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Means over ranks that are sent as signs: an element is one bit, and a tensor has one fp32 scale for each of its
// messages. Every rank adds up a chunk of each tensor (the server of that chunk) from the signs of all ranks, and sends
// the signs of the sum. What a message leaves out is added to the next one, on both ways (error feedback).
//
// Tang et al., "1-bit Adam: communication efficient large-scale training with Adam's convergence speed", ICML 2021,
// algorithm 1. The scale is the root of the mean of squares, as in DeepSpeed's compressed_allreduce; elements that fill
// up a chunk are not counted.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::parallel {

class OneBitMean final : public Stateful {
  public:
    /// Of tensors with so many elements. `ranks` outlives it. The errors are zeros.
    OneBitMean(Communicator& ranks, const std::vector<std::int64_t>& elements);

    struct Item {
        std::size_t number = 0;       ///< of a tensor
        at::Tensor values{};          ///< fp32, flat, contiguous; becomes the mean, the same on all ranks
        bool forgets_errors = false;  ///< those so far are of another quantity
    };
    /// Two collectives for all items, in the same order on all ranks. One rank: nothing happens.
    void average(std::vector<Item> items, const std::string& name);

    Communicator& ranks() const { return ranks_; }
    /// The errors of this rank: {"worker_error", "server_error"}, flat, in the order of the tensors. Empty on one rank.
    Tree state_dict() const override;
    /// Throws UserError for errors of other tensors or another number of ranks.
    void load_state_dict(const Tree& state) override;

  private:
    struct Place {
        std::int64_t elements = 0;
        std::int64_t chunk = 0;               ///< elements of each rank, a multiple of 8; the last may have fewer
        std::int64_t worker = 0, server = 0;  ///< in the buffers of errors
        std::int64_t own_begin = 0, own = 0;  ///< elements of this rank's chunk
    };
    /// Places of an item's signs and scale in a rank's message.
    struct Part {
        std::int64_t signs = 0, scale = 0;  ///< bytes
    };

    Communicator& ranks_;
    std::vector<Place> places_;
    at::Tensor worker_errors_, server_errors_;
};

}  // namespace trainyard::parallel
