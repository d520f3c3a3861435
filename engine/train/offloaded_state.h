// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Optimizer state on a disk (offload_optimizer_device nvme): flat buffers in an unnamed file, of which slices are in
// memory while they are updated. Values and gradients on a disk (distributed/parallel/offloaded_arena.h) are updated
// slice by slice with it, also where the state is in memory. One thread prefetches the slice after the one in use; another one writes those that
// were changed. As many slices as fit are held in the page cache from one step to the next: a step reads all of them in
// the same order, so the system would evict first the pages that are needed next.
//
// Rajbhandari et al., "ZeRO-Infinity", SC 2021.

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/files/scratch_file.h"
#include "distributed/parallel/flat_group.h"

namespace trainyard::train {

/// Location of the optimizer state of a rank.
struct StateOffload {
    std::filesystem::path folder;  ///< empty: in memory
    int rank = 0;                  ///< for messages
    int ranks_here = 1;            ///< at most so many share this machine's memory
    /// Bytes of the page cache that slices may keep; nothing: half of what this rank's share of the memory has free when the first step updates.
    std::optional<std::uint64_t> page_room = {};
};

class OffloadedState {
  public:
    /// `buffers` of `elements` zeros, fp32; none without a folder. `arena`: values and gradients that are on a disk; null:
    /// they are in memory. Throws UserError where the folder has no such file, or no room for it.
    OffloadedState(const StateOffload& offload, std::int64_t elements, std::size_t buffers,
                   parallel::OffloadedArena* arena = nullptr);

    const std::vector<at::Tensor>& buffers() const { return buffers_; }
    std::uint64_t bytes() const { return file_.bytes().size() + (arena_ != nullptr ? arena_->bytes() : 0); }
    /// Bytes of it that the page cache keeps from one step to the next; known after the first step.
    std::uint64_t cached() const { return cached_; }

    /// Calls `update` for every slice (elements of the buffers, rising), whose pages are there then. Throws UserError where the disk is full, or fails.
    void walk(const std::vector<parallel::Range>& slices, const std::function<void(std::size_t)>& update);

    /// Held while other code (checkpoints) reads or writes whole buffers: pages that it has used are released
    /// repeatedly.
    class [[nodiscard]] Passing {
      public:
        explicit Passing(OffloadedState* state);  ///< null: nothing to do
        ~Passing();
        Passing(const Passing&) = delete;
        Passing& operator=(const Passing&) = delete;

      private:
        OffloadedState* state_;
        std::mutex mutex_;
        std::condition_variable wake_;
        bool over_ = false;
        std::thread sweeper_;
    };

  private:
    class Walk;
    /// Calls `action(file, begin, end)`; bytes.
    template <class Action>
    void each_buffer(const parallel::Range& slice, Action action) const;
    void let_go() const;
    void choose_cached(const std::vector<parallel::Range>& slices);

    StateOffload offload_;
    parallel::OffloadedArena* arena_;
    std::size_t stride_;  ///< bytes of a buffer, with padding
    files::ScratchFile file_;
    std::vector<at::Tensor> buffers_;
    std::vector<bool> stays_;  ///< by slice: in the page cache
    std::uint64_t cached_ = 0;
};

}  // namespace trainyard::train
