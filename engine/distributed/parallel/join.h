// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Uneven inputs: ranks that run out of batches early keep answering the collectives of those that still train, with
// zeros, until all are done; then every rank gets the parameters and buffers of one that trained last. After
// torch.distributed.algorithms.join.
//
//   join_uneven_inputs({&parallel}, {}, [&] { for (auto& batch : loader) train_on(batch); });
//
// Every step that is not shadowed must begin with before_forward() (or forward()) in grad mode, once for each module in the order given,
// followed by one backward each. Collectives of the body itself (gathers, barriers) are not shadowed: leave them out.

#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "distributed/parallel/data_parallel.h"

namespace trainyard::parallel {

struct JoinOptions {
    bool enable = true;  ///< false: only the body runs
    /// True, as torch: the mean divides by all ranks, those without batches counting as zeros. False: by the ranks that still train.
    bool divide_by_initial_world_size = true;
    /// As soon as one rank's batches end, every rank throws InputsExhausted.
    bool throw_on_early_termination = false;
};

/// A rank has no more batches and throw_on_early_termination was asked for.
class InputsExhausted : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Collective. Runs `body`, then shadows the other ranks until all have left theirs. All modules share one communicator. Throws what
/// the body throws (the others then see PeerLost).
void join_uneven_inputs(const std::vector<DataParallel*>& modules, const JoinOptions& options,
                        const std::function<void()>& body);

/// The same as a scope: finish() where the body ends. A scope left without it (an exception) shadows no rank.
class JoinScope {
  public:
    JoinScope(std::vector<DataParallel*> modules, JoinOptions options);
    ~JoinScope();
    JoinScope(const JoinScope&) = delete;
    JoinScope& operator=(const JoinScope&) = delete;
    void finish();

  private:
    class Turns;
    std::unique_ptr<Turns> turns_;  ///< null if there is nothing to shadow
};

}  // namespace trainyard::parallel
