// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Prefetches the weights of a unit to the device that computes it: while unit i computes, a thread reads those of unit
// i + 1 into the other of two buffers. Weights of files are mapped for as long as they are used; where dtype and device
// fit they are not copied.
//
// Every pass reads all units in the same order. Of files that are larger than the memory, the system would then always
// evict the pages that are needed next, and a pass would find none of them. So as many units as fit keep their pages
// from pass to pass, and those of the others are dropped after their use.
//
// Training comes back through the units in reverse order, and a unit that is used by the end of forward is the first one of backward.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/file_descriptor.h"
#include "base/files/mapped_range.h"
#include "inference/dispatch/stored_weights.h"

namespace trainyard::dispatch {

/// A tensor that a unit needs and that is stored elsewhere, or in another dtype.
struct Use {
    ModelTensor target;
    StoredTensor stored;
    bool looked_up = false;  ///< rows alone are read of it: not read ahead
    bool stays = false;      ///< where it is stored the parameter is used, too, and placed again
};

struct UnitWeights {
    c10::Device device = at::kCPU;
    std::vector<Use> uses = {};
};

struct PrefetchFigures {
    std::uint64_t loads = 0;  ///< units that were loaded
    std::uint64_t bytes = 0;  ///< of their weights, as stored
    std::uint64_t waits = 0;  ///< units that were not loaded yet when they were needed
    double waited_seconds = 0;
    std::uint64_t most_buffered = 0;  ///< bytes of both buffers
    std::uint64_t cached = 0;         ///< bytes of files that stay in the page cache from one pass to the next
};

class Prefetcher {
  public:
    /// Units are numbered in the order in which they run. `page_room`: bytes of memory that pages of files may take.
    Prefetcher(std::vector<UnitWeights> units, std::uint64_t page_room);
    ~Prefetcher();
    Prefetcher(const Prefetcher&) = delete;
    Prefetcher& operator=(const Prefetcher&) = delete;

    const std::vector<UnitWeights>& units() const { return units_; }
    /// The unit that is used next: `cyclic`: the following one, after the last one the first; `forward`: the following
    /// one, none after the last one; `backward`: the previous one.
    enum class Next { cyclic, forward, backward };
    /// Waits for the weights of a unit, places them in the model, and starts to read those of the next one. Of a unit that is in use nothing changes. Throws
    /// UserError where they cannot be read.
    void take(std::size_t unit, Next next = Next::cyclic);
    bool is_last(std::size_t unit) const { return next_of(unit, Next::forward) == unit; }
    /// Releases the weights of a unit after its use: moves its tensors to the meta device and frees the memory.
    void give_back(std::size_t unit);
    PrefetchFigures figures() const;

  private:
    struct Placed {
        at::Tensor value, compute;
    };
    struct Slot {
        enum class State { free, asked, loading, ready, used } state = State::free;
        std::size_t unit = 0;
        std::vector<files::MappedRange> mapped;
        std::vector<Placed> placed;                 ///< of each use
        std::map<std::string, at::Tensor> buffers;  ///< by device: kept for the next unit
        std::exception_ptr failure;
    };
    class Room;

    void work();
    void load(Slot& slot);
    /// The unit's tensors as they are stored; `mapped` holds those of files.
    std::vector<at::Tensor> stored_of(const UnitWeights& unit, std::vector<files::MappedRange>& mapped);
    Slot* slot_of(std::size_t unit);
    Slot* ask(std::size_t unit);
    void release(Slot& slot);
    void choose_cached(std::uint64_t page_room);
    void drop_pages(const UnitWeights& unit) const;
    /// The unit itself: there is none.
    std::size_t next_of(std::size_t unit, Next next) const;
    int file_of(const std::filesystem::path& path);

    std::vector<UnitWeights> units_;
    std::vector<bool> cached_;  ///< by unit: its pages stay in the page cache
    std::map<std::string, FileDescriptor> files_;
    Slot slots_[2];
    PrefetchFigures figures_;
    mutable std::mutex mutex_;
    std::condition_variable asked_, done_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace trainyard::dispatch
