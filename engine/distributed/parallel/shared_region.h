// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The memory of shared_memory.h: counters of every rank, notes and parts in slots, and waiting for the others.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "distributed/parallel/shared_mapping.h"

namespace trainyard::parallel {

inline constexpr std::size_t kSlots = 16;           ///< parts under way of one rank
inline constexpr std::size_t kSlotBytes = 1 << 20;  ///< larger tensors go in several parts

/// The collective that a rank performs on a part; it must be the same on all ranks.
struct Note {
    std::uint64_t bytes = 0;  ///< of the whole tensor
    std::int32_t peer = -1;
    std::uint8_t kind = 0, type = 0, op = 0;
    char name[41] = {};
    bool same_as(const Note& other) const {
        return bytes == other.bytes && peer == other.peer && kind == other.kind && type == other.type && op == other.op;
    }
};

/// Counters of a rank: parts that it has published, whose slice it has reduced, and that it no longer needs.
enum class Phase { published, reduced, done };

class SharedRegion {
  public:
    /// Collective. Returns null on all ranks if one of them cannot map the memory.
    static std::unique_ptr<SharedRegion> attach(c10d::Store& store, int rank, int size,
                                                std::chrono::milliseconds timeout);
    SharedRegion(const SharedRegion&) = delete;
    SharedRegion& operator=(const SharedRegion&) = delete;
    ~SharedRegion();

    int rank() const { return rank_; }
    int size() const { return size_; }
    std::uint8_t* part(std::uint64_t number, int rank) const;
    Note& note(std::uint64_t number, int rank) const;
    /// Records that this rank has reached `count` parts in that phase.
    void advance(Phase phase, std::uint64_t count);
    /// Returns true if all ranks have reached `count` parts in that phase.
    bool all_at(Phase phase, std::uint64_t count) const;
    /// Waits until all ranks have reached `count` parts, on one thread of a rank at a time. Throws PeerLost naming the
    /// rank that is gone or late; `what` begins the message.
    void wait_for(Phase phase, std::uint64_t count, const std::string& what) const;

  private:
    struct Line;
    struct Awaited;
    SharedRegion(SharedMapping memory, int rank, int size, std::chrono::milliseconds timeout);
    static std::size_t bytes_needed(int size);
    Line& line(int rank) const;
    static std::atomic<std::uint64_t>& counter(Line& line, Phase phase);
    bool spin_for(Phase phase, std::uint64_t count) const;
    void wake(int rank) const;
    bool gone(int rank) const;

    SharedMapping memory_;
    int rank_, size_;
    std::chrono::milliseconds timeout_;
    std::vector<int> processes_;  ///< pidfd of each rank of another process, else -1
};

}  // namespace trainyard::parallel
