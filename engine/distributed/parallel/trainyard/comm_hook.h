// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Communication hooks: how a bucket of gradients becomes its average over the ranks. The plain one sums it as it is; others send fewer
// bytes (half precision, low rank) and give an approximation, the same on every rank. All data-parallel training goes through them,
// that of the bundled engine (group_sync.h) and that of foreign modules (data_parallel.h).
//
// Names, arguments and numbers are those of torch.distributed.algorithms.ddp_comm_hooks (torch 2.11).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/training_choices.h"
#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::parallel {

/// Neighbouring gradients of one dtype and device, one after the other in one flat tensor.
struct Bucket {
    std::size_t index = 0;    ///< in the order in which buckets are sent, the same on all ranks
    bool last = false;        ///< the last one of a step
    std::string name;         ///< for the watchdog: "gradients h.3"
    at::Tensor slice;         ///< [elements], contiguous; may hold padding between the gradients, which is zero
    NamedTensors gradients;   ///< views of the slice in the shapes of their parameters
    at::Tensor owned{};       ///< where reduce_scatter_hook puts this rank's share of the sums
    bool accumulate = false;  ///< it adds them to what is there
    double divisor = 1;       ///< the result is the sum over the ranks divided by this: their number, or 1 for a sum
    Communicator* ranks = nullptr;  ///< over which it is summed; null: those of the reducer
    /// Names of gradients that ranks outside of this communicator have, too: those of all of them must stay equal, so
    /// that hooks do not approximate them.
    std::set<std::string> exact{};
};

/// A bucket under way. Its work comes in parts, so that several buckets can have a message travelling each: the reducer lets each
/// bucket in turn do its next part. Parts may issue collectives; their order is the same on all ranks because the turns are.
class BucketReduction {
  public:
    virtual ~BucketReduction() = default;
    /// Waits for what is under way and does the next part; false when the bucket's slice holds the result. Throws PeerLost.
    virtual bool advance() = 0;
};

/// Creates reductions. Data kept between steps (errors to feed back, warm starts) is its state, separate on each rank.
class CommHook : public Stateful {
  public:
    /// Starts the first message. The slice is the hook's until the reduction is done. In every step, buckets come in
    /// the order of their index, until the last.
    virtual std::unique_ptr<BucketReduction> start(const Bucket& bucket, Communicator& communicator) = 0;
    /// Returns the state of this rank; empty for hooks without state.
    Tree state_dict() const override { return Tree::dict(); }
    /// Restores the state of state_dict().
    void load_state_dict(const Tree&) override {}
};

/// Reduces the whole slice without compression.
std::shared_ptr<CommHook> all_reduce_hook();
/// Each rank gets only its share of the sums, in Bucket::owned, which may be part of the slice; the rest of the slice
/// is unchanged. `copies`, which must outlive the hook: ranks with the same share, over which the share is summed next.
/// `as_codes`: the shares of other ranks are sent to them as 4-bit codes (block_codes.h), and summed in fp32 there.
std::shared_ptr<CommHook> reduce_scatter_hook(Communicator* copies = nullptr, bool as_codes = false);
/// Cast to `dtype` (at::kHalf, at::kBFloat16), divided, summed, cast back.
std::shared_ptr<CommHook> compress_hook(at::ScalarType dtype);
/// `inner` works on a copy in `dtype`; its result is cast back.
std::shared_ptr<CommHook> compress_wrapper(at::ScalarType dtype, std::shared_ptr<CommHook> inner);

/// As DistributedDataParallelKwargs has them: a wrapper without a hook does nothing; comm_state_option is a dictionary
/// of PowerSgdOptions. Returns nullptr for CommHookType::no. Throws UserError that lists every unknown option and every
/// value out of range.
std::shared_ptr<CommHook> make_comm_hook(CommHookType comm_hook, Precision comm_wrapper = Precision::no,
                                         const Tree& comm_state_option = {});

}  // namespace trainyard::parallel
