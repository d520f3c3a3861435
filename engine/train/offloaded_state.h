// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Optimizer state on a disk (offload_optimizer_device nvme): flat buffers in an unnamed file, of which slices are in
// memory while they are updated. Values and gradients on a disk (distributed/parallel/offloaded_arena.h) are updated
// slice by slice with it, also where the state is in memory. Two threads read the slice after the one in use; another
// one writes those that were changed. As many slices as fit stay in memory from one step to the next: the first ones,
// since a step needs all of them in the same order.
//
// What stays is memory of the process and not page cache: pages of the cache that change in every step are written to
// the disk whether they fit or not, and cost a page fault and a copy each. The system cannot take such memory back, so
// that another program, or the rest of a control group, would run out of it: half of what is free is left to them, and
// what they take of it later is given back at the next update, as far as their half needs it.
//
// Rajbhandari et al., "ZeRO-Infinity", SC 2021.

#include <atomic>
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
#include "base/free_memory.h"
#include "distributed/parallel/flat_group.h"

namespace trainyard::train {

/// Location of the optimizer state of a rank.
struct StateOffload {
    std::filesystem::path folder;  ///< empty: in memory
    int rank = 0;                  ///< for messages
    int ranks_here = 1;            ///< at most so many share this machine's memory
    /// Bytes of memory that slices may keep; nothing: half of what this rank's share of the memory would have free
    /// without them, found out before every update.
    std::optional<std::uint64_t> memory_room = {};
    /// Bytes that the machine and the control groups of the process have free.
    std::function<std::uint64_t()> free_memory = [] { return available_memory(); };
};

class OffloadedState {
  public:
    /// Slices of a walk begin at multiples of this many elements, so that they share no page.
    static constexpr std::int64_t kSlice = 1 << 19;

    /// `buffers` of `elements` zeros, fp32; none without a folder. `arena`: values and gradients that are on a disk;
    /// null: they are in memory. Throws UserError where the folder has no such file, or no room for it.
    OffloadedState(const StateOffload& offload, std::int64_t elements, std::size_t buffers,
                   parallel::OffloadedArena* arena = nullptr);

    const std::vector<at::Tensor>& buffers() const { return buffers_; }
    std::uint64_t bytes() const { return file_.bytes().size() + (arena_ != nullptr ? arena_->bytes() : 0); }
    /// Bytes of it that stay in memory from the last step to the next; known after the first step.
    std::uint64_t cached() const { return cached_; }

    /// Calls `update` for every slice (elements of the buffers, rising), which is in memory then. Throws UserError if
    /// the disk is full or fails.
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
    /// Calls `action(file, begin, end, changes)`; bytes, and whether an update changes them.
    template <class Action>
    void each_buffer(const parallel::Range& slice, Action action);
    void let_go() const;
    void choose_cached(const std::vector<parallel::Range>& slices);

    StateOffload offload_;
    parallel::OffloadedArena* arena_;
    std::size_t stride_;  ///< bytes of a buffer, with padding
    files::ScratchFile file_;
    std::vector<at::Tensor> buffers_;
    std::vector<bool> stays_;                ///< by slice: in memory
    std::uint64_t room_ = 0;                 ///< bytes for them
    bool loaded_ = false;                    ///< what stays is there
    std::atomic<std::uint64_t> cached_ = 0;  ///< heartbeats read it
};

}  // namespace trainyard::train
