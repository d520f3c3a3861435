// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Experts divided among ranks (expert parallelism): each rank has some of the experts of every block, and the hidden
// states of tokens travel to the ranks whose experts compute them, and back. Lepikhin et al., "GShard", ICLR 2021.
// Nothing is dropped or padded: the ranks exchange how many rows there are first.

#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/mesh.h"

namespace trainyard::parallel {

/// Experts [first, first + count) of each block are on this rank.
struct ExpertShare {
    Communicator* ranks = nullptr;   ///< those that divide the experts
    Communicator* copies = nullptr;  ///< those with the same experts
    Communicator* shards = nullptr;  ///< of these the ones that divide sharded buffers of experts
    std::int64_t first = 0, count = 0;
    bool has(std::int64_t expert) const { return first <= expert && expert < first + count; }
};

/// Nothing for one rank. `experts`: of each block. `mesh` outlives it. Throws UserError if `ranks` does not divide the
/// experts or the data ranks.
std::optional<ExpertShare> expert_share(Mesh& mesh, std::int64_t ranks, std::int64_t experts);

/// One exchange of rows. Each rank calls the same functions, whatever rows it has, in forward and so in backward.
class ExpertExchange {
  public:
    /// `counts`: rows of this rank for every expert of all ranks. Collective.
    ExpertExchange(const ExpertShare& share, const std::vector<std::int64_t>& counts);

    /// Rows of all ranks for every expert of this rank.
    const std::vector<std::int64_t>& counts() const { return counts_; }
    /// [rows, width] of this rank, sorted by expert -> those of all ranks for the experts of this rank: sorted by
    /// expert, then rank, then their order there. Has a gradient.
    at::Tensor send(const at::Tensor& rows) const;
    /// The way back: what became of the rows of send(), which may be in another dtype and of another width.
    at::Tensor bring_back(const at::Tensor& rows) const;

    /// The values of an exchange that backward needs.
    struct Plan {
        Communicator* ranks = nullptr;
        std::vector<std::int64_t> given, got;  ///< rows to and from each rank
        at::Tensor by_expert;                  ///< int64: place among the rows as they arrive
        at::Tensor by_arrival;                 ///< its inverse
    };

  private:
    Plan plan_;
    std::vector<std::int64_t> counts_;
};

}  // namespace trainyard::parallel
