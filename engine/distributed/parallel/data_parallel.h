// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// DataParallel: data-parallel training of any module, ours or not: all it needs are the parameters (autograd leaves)
// and buffers.
//
//   DataParallel parallel(parameters, buffers, mesh.data());        // all ranks start from rank 0's values
//   for (...) {
//       auto loss = parallel.forward([&] { return criterion(model->forward(x), y); });
//       loss.backward();                                            // gradients are averages over the ranks when
// this returns
//       optimizer.step();
//       optimizer.zero_grad();
//   }
//
// Gradients are stored in flat buckets of one dtype each, last parameter first. Each parameter's AccumulateGrad node
// counts its arrival; a
// complete bucket is sent while backward computes the next ones (reducer.h), and the end of backward waits for all.
// After a reducing backward a parameter's gradient is the mean over the ranks of what it was, so several backward
// calls, accumulation and gradients that were averaged already all come out right.
//
// Parameters without a gradient. In the default mode each must get one in every reducing backward; one that does not
// is a UserError at the end of backward, which names it. With find_unused_parameters such a parameter counts as zeros
// where others used it, and keeps what it had (an undefined gradient, usually) where no rank did, so that optimizers
// leave it alone. With static_graph the first reducing backward finds out which are used and how often; later ones
// must repeat it, and may call backward inside backward.
//
// Errors: an exception in one rank's backward reaches the others as PeerLost when that rank's process or communicator
// is gone, or after the communicator's time-out. Threads: construct, forward and backward from one thread; CUDA's
// backward threads are allowed for.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <trainyard/comm_hook.h>

#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::parallel {

/// DistributedDataParallelKwargs, and torch's first bucket.
struct DataParallelOptions {
    double bucket_cap_mb = 25;   ///< a bucket is closed when it holds so much
    double first_bucket_mb = 1;  ///< the first to be sent is smaller: communication starts earlier
    bool find_unused_parameters = false;
    bool gradient_as_bucket_view = false;  ///< gradients are views of the buckets: no copy, no second memory
    bool static_graph = false;
    bool broadcast_buffers = true;  ///< rank 0's buffers before every forward that follows a reducing one
    bool check_reduction =
        false;    ///< all ranks compare after backward which parameters got gradients, and all report what is missing
    int dim = 0;  ///< as in torch, without effect: one device a rank
    std::shared_ptr<CommHook> comm_hook = nullptr;  ///< make_comm_hook(); nullptr: gradients as they are
    bool check_same = true;  ///< compare names, shapes, dtypes and requires_grad over the ranks before anything else
};

class NoSync;

class DataParallel {
  public:
    /// Collective. Broadcasts rank 0's values into every parameter and buffer. The tensors are handles: the module's
    /// own. Parameters that need no gradient take part in the broadcast only; one that is listed twice (tied weights)
    /// counts once. Throws DistributedOperationError with a table on every rank when the modules differ; UserError
    /// when no parameter requires a gradient, or one that does is not a leaf, not dense, or complex.
    DataParallel(NamedTensors parameters, NamedTensors buffers, Communicator& communicator,
                 DataParallelOptions options = {});
    ~DataParallel();
    DataParallel(DataParallel&&) noexcept;
    DataParallel& operator=(DataParallel&&) noexcept;

    /// To be called before the module's forward: broadcasts buffers and notes whether this forward lies inside
    /// no_sync().
    void before_forward();
    template <typename Forward>
    auto forward(Forward&& run) {
        before_forward();
        return std::forward<Forward>(run)();
    }

    /// While it lives, backward stays local. Nests. As in torch a forward inside it stays local even when its
    /// backward is outside.
    [[nodiscard]] NoSync no_sync();
    /// The next backward reduces, whatever scopes are open and wherever its forward was.
    void trigger_sync_in_backward();
    /// No backward reduces, whatever was asked for, until it is called with false: an optimizer exchanges what it makes
    /// of each rank's own gradients.
    void hold_gradients(bool holds);
    /// Whether a backward that began now would reduce.
    bool reduces() const;

    /// For a rank whose loss touched no parameter, so that no backward told: takes part in the reduction with what is
    /// there. Nothing when the step was reduced already.
    void finish_backward();

    /// Bytes of gradients of each bucket, in the order sent.
    std::vector<std::int64_t> bucket_bytes() const;
    const NamedTensors& parameters() const;
    const NamedTensors& buffers() const;
    Communicator& communicator() const;
    CommHook* comm_hook() const;  ///< never nullptr; its state belongs in checkpoints

    class Core;
    Core& core() const { return *core_; }

  private:
    std::unique_ptr<Core> core_;
};

/// See DataParallel::no_sync(). Must not outlive the DataParallel.
class NoSync {
  public:
    explicit NoSync(DataParallel::Core* core);
    NoSync(NoSync&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
    NoSync& operator=(NoSync&&) = delete;
    ~NoSync();

  private:
    DataParallel::Core* core_;
};

}  // namespace trainyard::parallel
