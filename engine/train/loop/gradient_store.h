// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The gradients of a model that does not keep them in `.grad` of its parameters (FlatModel), as the step sees them:
// from the first backward of an update to its optimizer.

#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/offloaded_arena.h"
#include "optim/optimizer.h"

namespace trainyard::train {

/// The gradients that this rank updates from, where they lie, and the ranks that hold others: squares and flags are
/// summed over each of these groups.
struct GradientPieces {
    std::vector<at::Tensor> tensors;
    std::vector<at::Tensor>
        counted;  ///< of them those that count for the norm: what several ranks hold counts on one of them
    const parallel::OffloadedArena* written = nullptr;  ///< has sums of squares of `counted`; null: nothing is written
    std::vector<parallel::Communicator*> sharded_over = {};
    /// Ranks with gradients of their own (Local SGD) that skip an update together.
    std::vector<parallel::Communicator*> updated_together = {};
};

class GradientStore {
  public:
    virtual ~GradientStore() = default;
    /// Around every backward of an update; `last`: none follows, the gradients may travel while it runs. Throws
    /// UserError when one comes after the last.
    virtual void begin_backward(bool last) = 0;
    virtual void end_backward() = 0;
    /// Returns true from the first backward of an update to finish_gradients().
    virtual bool is_under_way() const = 0;
    /// Returns true after the last backward of an update.
    virtual bool is_complete() const = 0;
    /// Called after the last backward; collective: waits until the gradients are the sums over the data ranks. The next
    /// backward begins another update.
    virtual void finish_gradients() = 0;
    /// Valid from finish_gradients() to the next backward.
    virtual GradientPieces pieces() const = 0;
    /// Between two micro-batches: multiplies what was summed up so far.
    virtual void scale_gradients(double factor) = 0;
    /// finish_gradients() sums nothing over the ranks: they train for themselves between averages of their values
    /// (Local SGD), or the optimizer averages what it makes of gradients (1-bit Adam).
    virtual bool is_local() const = 0;
    /// This rank owns a part of the values, and has copies of others': ZeRO.
    virtual bool is_sharded() const = 0;
    /// That optimizer updates from these gradients.
    virtual bool feeds(const optim::Optimizer& optimizer) const = 0;
    /// Called before the values that this rank owns are replaced outside of an update: other ranks may still read them,
    /// where they share memory. Collective then.
    virtual void wait_for_readers() {}
    /// Called after an update of the values that this rank owns. Collective if they are sharded.
    virtual void publish_values() = 0;
    /// Called after an update if is_local(): at intervals replaces the values by their mean over the ranks, which is
    /// collective.
    virtual void average_values() = 0;
};

}  // namespace trainyard::train
