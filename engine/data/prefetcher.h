#pragma once
// Batches made ahead by threads, in order. The jobs are taken from their source by one thread at a time and done in parallel, so a
// stream is read front to back while its samples are collated side by side. At most `capacity` batches exist that nobody has taken.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "tensors/tree.h"

namespace trainyard::data {

/// A batch of this rank in host memory, and where the epoch stands once it has been used.
struct HostBatch {
    Tree batch;
    std::int64_t samples_after = 0;  ///< of the epoch, used by all ranks together
    std::int64_t remainder = -1;     ///< Loader::remainder() if no batch follows; -1: as it is
    Tree position;                   ///< the stream's own name of that place
};
using BatchJob = std::function<HostBatch()>;

class Prefetcher {
  public:
    /// `workers` 0: no threads, everything happens in next(). With `pin` tensors are copied to page-locked memory.
    Prefetcher(std::function<std::optional<BatchJob>()> source, int workers, int capacity, bool pin);
    /// Stops and joins the threads; what they are reading is finished first.
    ~Prefetcher();
    Prefetcher(const Prefetcher&) = delete;
    Prefetcher& operator=(const Prefetcher&) = delete;

    /// The next batch, nothing at the end. What its job (or the source) threw is thrown here, in its turn.
    std::optional<HostBatch> next();

  private:
    struct Slot {
        bool ready = false;
        std::optional<HostBatch> batch;  ///< nothing: the end
        std::exception_ptr failure;
    };
    void work();
    std::optional<HostBatch> make(const std::optional<BatchJob>& job) const;

    std::function<std::optional<BatchJob>()> source_;
    bool pin_;
    std::vector<Slot> slots_;  ///< batch n is in slot n % size
    std::int64_t given_ = 0;   ///< jobs that threads have taken
    std::int64_t taken_ = 0;   ///< batches that next() has given
    bool exhausted_ = false;   ///< the source has nothing more
    bool stop_ = false;
    std::mutex source_mutex_;  ///< held while the source gives a job; taken before mutex_
    std::mutex mutex_;         ///< of everything else
    std::condition_variable room_, ready_;
    std::vector<std::thread> threads_;
};

}  // namespace trainyard::data
