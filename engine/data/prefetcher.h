// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Prepares batches ahead in threads and returns them in order. One thread at a time takes a job from the source, and
// jobs run in parallel, so a stream is read sequentially while its samples are collated in parallel. At most `capacity`
// batches are waiting.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "distributed/tensors/tree.h"

namespace trainyard::data {

/// A batch of this rank in host memory, and the position in the epoch after it.
struct HostBatch {
    Tree batch;
    std::int64_t samples_after = 0;  ///< samples of the epoch that all ranks together have used
    std::int64_t remainder = -1;     ///< Loader::remainder() if no batch follows; -1: unchanged
    Tree position;                   ///< the stream's own position
};
using BatchJob = std::function<HostBatch()>;

class Prefetcher {
  public:
    /// Copies a tensor to page-locked memory (at::Tensor::pin_memory()).
    using Pin = std::function<at::Tensor(const at::Tensor&)>;
    /// `workers` 0: no threads; next() does all the work. `pin`: applied to every tensor of a batch, in the thread that
    /// makes it; empty: batches stay in ordinary memory.
    Prefetcher(std::function<std::optional<BatchJob>()> source, int workers, int capacity, Pin pin);
    /// Stops and joins the threads, after they have finished their current jobs.
    ~Prefetcher();
    Prefetcher(const Prefetcher&) = delete;
    Prefetcher& operator=(const Prefetcher&) = delete;

    /// The next batch; std::nullopt at the end. Rethrows exceptions of a job (or of the source) in its turn.
    std::optional<HostBatch> next();

  private:
    struct Slot {
        bool ready = false;
        std::optional<HostBatch> batch;  ///< std::nullopt: the end
        std::exception_ptr failure;
    };
    void work();
    std::optional<HostBatch> make(const std::optional<BatchJob>& job) const;

    std::function<std::optional<BatchJob>()> source_;
    Pin pin_;
    std::vector<Slot> slots_;  ///< batch n is in slot n % size
    std::int64_t given_ = 0;   ///< jobs that threads have taken
    std::int64_t taken_ = 0;   ///< batches that next() has returned
    bool exhausted_ = false;   ///< the source has no more jobs
    bool stop_ = false;
    std::mutex source_mutex_;  ///< held while the source returns a job; locked before mutex_
    std::mutex mutex_;         ///< protects everything else
    std::condition_variable room_, ready_;
    std::vector<std::thread> threads_;
};

}  // namespace trainyard::data
