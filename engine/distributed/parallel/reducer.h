// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reducer: sends buckets of gradients in one fixed order, each as soon as it and all before it are ready, while backward still
// computes the next; then waits for all. The one mechanism under group_sync.h (units of the bundled engine) and data_parallel.h
// (foreign modules). Ranks may become ready in different orders; what they send is in the same order.
//
// Bucketing and overlap follow Li et al., "PyTorch Distributed: Experiences on Accelerating Data Parallel Training", VLDB 2020.

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include <trainyard/comm_hook.h>

namespace trainyard::parallel {

struct ReducerOptions {
    std::size_t most_under_way = 0;  ///< buckets at one time: the oldest is waited for before another is sent; 0: any
    std::function<void(std::size_t)> finished{};  ///< called with a bucket whose result is there
};

class Reducer {
  public:
    /// `hook` may be nullptr: all_reduce_hook(). Sets index and last of the buckets.
    Reducer(std::vector<Bucket> buckets, Communicator& communicator, std::shared_ptr<CommHook> hook = nullptr,
            ReducerOptions options = {});

    const std::vector<Bucket>& buckets() const { return buckets_; }
    /// For slices that are allocated in every step. Must not be called while the bucket is being reduced.
    Bucket& bucket(std::size_t index) { return buckets_[index]; }
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
    struct UnderWay {
        std::size_t bucket = 0;
        std::unique_ptr<BucketReduction> reduction;
    };
    void send_next();
    /// Does the next part of a reduction; false when it has ended.
    bool advance(UnderWay& one);
    void finish_oldest();

    std::vector<Bucket> buckets_;
    Communicator& communicator_;
    std::shared_ptr<CommHook> hook_;
    std::vector<bool> ready_;
    std::size_t next_ = 0;  ///< buckets before it are sent
    ReducerOptions options_;
    std::deque<UnderWay> under_way_;  ///< oldest first
};

}  // namespace trainyard::parallel
