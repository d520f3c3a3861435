// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Local SGD: ranks train independently and average their parameters every K steps. Stich, "Local SGD Converges Fast and
// Communicates Little", ICLR 2019; accelerate.LocalSGD.
//
//   LocalSgd local(parallel, {.steps = 8});
//   for (...) { loss.backward(); optimizer.step(); local.step(); }
//   local.finish();                                                 // averages once more

#include <cstdint>
#include <optional>

#include "distributed/parallel/data_parallel.h"

namespace trainyard::parallel {

class FlatArena;

struct LocalSgdOptions {
    std::int64_t steps = 8;
    bool enabled = true;
    /// Its state's floating tensors are averaged with the parameters. Accelerate does not: leave nullptr for its numbers.
    Stateful* optimizer = nullptr;
};

class LocalSgd {
  public:
    /// Gradients stay local from here to finish(). One rank: nothing happens.
    LocalSgd(DataParallel& module, LocalSgdOptions options);
    ~LocalSgd();
    LocalSgd(const LocalSgd&) = delete;
    LocalSgd& operator=(const LocalSgd&) = delete;

    /// After the optimizer's step; collective on every K-th call.
    void step();
    /// Collective. Averages and lets gradients be reduced again. A scope left without it (an exception) averages nothing.
    void finish();

  private:
    void average();

    DataParallel& module_;
    LocalSgdOptions options_;
    std::optional<NoSync> no_sync_;
    std::int64_t step_ = 0;
};

/// The same for an arena whose gradients are not reduced (the bundled loop, `training.local_sgd_steps`). Only weights
/// are averaged.
class ArenaLocalSgd {
  public:
    /// Throws UserError when `steps` is less than 1. Nothing of the arena is sharded.
    ArenaLocalSgd(FlatArena& arena, Communicator& ranks, std::int64_t steps);

    /// After an update; collective on every K-th call.
    void step();
    /// Collective. Averages where ranks have updated since the last time: before the weights are evaluated or saved.
    void settle();

  private:
    FlatArena& arena_;
    Communicator& ranks_;
    std::int64_t steps_;
    std::int64_t since_ = 0;  ///< updates since the last average
};

}  // namespace trainyard::parallel
