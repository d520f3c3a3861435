// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Do ranks that should hold the same parameters still hold the same? A hash of every bit, compared over the ranks: 8 bytes a rank when all
// is well, a hash per parameter only when it is not. Finds silent corruption and forgotten synchronisation before the loss shows it.
//
// The hash of a tensor is the sum, modulo 2^64, of its words (the bits of an element) times odd numbers that depend on the place: sums
// do not depend on the order in which threads add. A changed element always changes it; exchanged elements practically always do.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::train {

/// One number per tensor, from its bits, dtype and shape. Any device; the same on all kinds of them.
std::vector<std::int64_t> hash_tensors(const NamedTensors& tensors);

struct Divergence {
    std::vector<int> ranks;       ///< those that differ from the majority (of two ranks: from rank 0)
    std::string parameter;        ///< first that differs, in the model's order
    std::int64_t parameters = 0;  ///< how many differ
    Message sentence(std::int64_t step) const;
};

/// Collective over ranks that hold replicas. The same answer on all of them.
std::optional<Divergence> find_divergence(const NamedTensors& tensors, parallel::Communicator& communicator);

/// Every `every` steps; 0: never.
class DivergenceWatch {
  public:
    DivergenceWatch(parallel::Communicator& communicator, std::int64_t every)
        : communicator_(communicator), every_(every) {}
    bool is_due(std::int64_t step) const { return every_ > 0 && step % every_ == 0; }
    std::optional<Divergence> step(std::int64_t step, const NamedTensors& tensors);

  private:
    parallel::Communicator& communicator_;
    std::int64_t every_;
};

}  // namespace trainyard::train
