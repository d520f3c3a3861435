#pragma once
// Reducer: sends buckets of gradients in one fixed order, each as soon as it and all before it are ready, while backward still
// computes the next; then waits for all. The one mechanism under group_sync.h (units of the bundled engine) and data_parallel.h
// (foreign modules). Ranks may become ready in different orders; what they send is in the same order.
//
// Bucketing and overlap follow Li et al., "PyTorch Distributed: Experiences on Accelerating Data Parallel Training", VLDB 2020.

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "parallel/comm_hook.h"

namespace trainyard::parallel {

class Reducer {
  public:
    /// `hook` may be nullptr: all_reduce_hook(). Sets index and last of the buckets.
    Reducer(std::vector<Bucket> buckets, Communicator& communicator, std::shared_ptr<CommHook> hook = nullptr);

    const std::vector<Bucket>& buckets() const { return buckets_; }
    const std::shared_ptr<CommHook>& hook() const { return hook_; }
    void set_hook(std::shared_ptr<CommHook> hook);

    /// A new step. Results are sums over the ranks divided by `divisor`.
    void begin(double divisor);
    /// The bucket's gradients are complete.
    void ready(std::size_t bucket);
    bool sent(std::size_t bucket) const { return bucket < next_; }
    std::size_t sent_count() const { return next_; }
    /// Sends the buckets that are left, whatever is in them.
    void send_rest();
    /// The same, and waits for all.
    void finish();
    /// Forgets a step that cannot be finished: an exception came in between.
    void abandon();

  private:
    void send_next();

    std::vector<Bucket> buckets_;
    Communicator& communicator_;
    std::shared_ptr<CommHook> hook_;
    std::vector<bool> ready_;
    std::size_t next_ = 0;  ///< buckets before it are sent
    std::vector<std::unique_ptr<BucketReduction>> under_way_;
};

}  // namespace trainyard::parallel
