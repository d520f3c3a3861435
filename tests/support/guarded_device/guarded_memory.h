// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory of the device `guarded` (guarded_device.cpp).

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <c10/core/Device.h>
#include <c10/util/Exception.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace trainyard::test {

inline constexpr std::size_t kGuardedSpace = std::size_t{1} << 35;  // address space; pages are allocated on first use
inline constexpr std::size_t kGuardedAlignment = 256;

inline thread_local c10::DeviceIndex current_device = 0;

/// The device's memory. Free blocks are ordered by address and merged with their neighbours.
class GuardedMemory {
  public:
    static GuardedMemory& get() {
        static GuardedMemory memory;
        return memory;
    }

    void* take(std::size_t bytes, c10::DeviceIndex owner) {
        bytes = (bytes + kGuardedAlignment - 1) / kGuardedAlignment * kGuardedAlignment;
        std::lock_guard lock(mutex_);
        for (auto& [begin, size] : free_) {
            if (size < bytes)
                continue;
            const std::size_t at = begin, rest = size - bytes;
            free_.erase(at);
            if (rest > 0)
                free_[at + bytes] = rest;
            taken_[at] = {bytes, owner};
            if (pools_.contains(owner))
                pools_.at(owner).insert(at);
            std::memset(host_ + at, 0xff, bytes);
            return device_ + at;
        }
        C10_THROW_ERROR(Error, c10::str("the device guarded is out of memory: ", bytes, " bytes were asked for"));
    }

    void give(void* pointer) {
        std::lock_guard lock(mutex_);
        const auto taken = taken_.find(static_cast<std::size_t>(static_cast<char*>(pointer) - device_));
        if (taken == taken_.end() || is_of_graph(taken->first))
            return;
        auto place = free_.emplace(taken->first, taken->second.bytes).first;
        const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        const std::size_t first = (place->first + page - 1) / page * page;
        // The other pages contain bytes of adjacent blocks.
        const std::size_t last = (place->first + place->second) / page * page;
        if (first < last)
            ::madvise(host_ + first, last - first, MADV_REMOVE);
        taken_.erase(taken);
        if (auto next = std::next(place); next != free_.end() && place->first + place->second == next->first) {
            place->second += next->second;
            free_.erase(next);
        }
        if (place != free_.begin())
            if (auto before = std::prev(place); before->first + before->second == place->first) {
                before->second += place->second;
                free_.erase(place);
            }
    }

    /// Blocks that a device takes from now on belong to a graph.
    void begin_pool(c10::DeviceIndex owner) {
        std::lock_guard lock(mutex_);
        pools_[owner];
    }
    /// The blocks that the device took since begin_pool(). They stay until they are given back with give_pool().
    std::set<std::size_t> end_pool(c10::DeviceIndex owner) {
        std::lock_guard lock(mutex_);
        std::set<std::size_t> pool = std::move(pools_.at(owner));
        pools_.erase(owner);
        of_graphs_.insert(pool.begin(), pool.end());
        return pool;
    }
    void give_pool(const std::set<std::size_t>& pool) {
        {
            std::lock_guard lock(mutex_);
            for (const std::size_t block : pool)
                of_graphs_.erase(block);
        }
        for (const std::size_t block : pool)
            give(device_ + block);
    }
    /// Bytes of everything that a device has taken, by offset.
    std::map<std::size_t, std::vector<char>> copy_of_all(c10::DeviceIndex owner) {
        std::lock_guard lock(mutex_);
        std::map<std::size_t, std::vector<char>> copies;
        for (const auto& [at, block] : taken_)
            if (block.owner == owner)
                copies[at].assign(host_ + at, host_ + at + block.bytes);
        return copies;
    }
    void put_back(const std::map<std::size_t, std::vector<char>>& copies) {
        std::lock_guard lock(mutex_);
        for (const auto& [at, bytes] : copies)
            if (taken_.contains(at))
                std::memcpy(host_ + at, bytes.data(), bytes.size());
    }
    /// Fills the blocks with bytes that are NaN.
    void spoil(const std::set<std::size_t>& pool) {
        std::lock_guard lock(mutex_);
        for (const std::size_t at : pool)
            std::memset(host_ + at, 0xff, taken_.at(at).bytes);
    }

    /// The address at which this library can access `pointer`.
    char* host(const void* pointer) const { return host_ + (static_cast<const char*>(pointer) - device_); }

  private:
    GuardedMemory() {
        const int file = ::memfd_create("guarded device", MFD_CLOEXEC);
        TORCH_CHECK(file >= 0 && ::ftruncate(file, kGuardedSpace) == 0, "the device guarded has no memory");
        void* device = ::mmap(nullptr, kGuardedSpace, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
        void* host = ::mmap(nullptr, kGuardedSpace, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
        TORCH_CHECK(device != MAP_FAILED && host != MAP_FAILED, "the device guarded has no addresses");
        ::close(file);
        device_ = static_cast<char*>(device);
        host_ = static_cast<char*>(host);
        free_[0] = kGuardedSpace;
    }

    struct Block {
        std::size_t bytes = 0;
        c10::DeviceIndex owner = 0;
    };
    bool is_of_graph(std::size_t at) const {
        return of_graphs_.contains(at) ||
               std::ranges::any_of(pools_, [&](const auto& pool) { return pool.second.contains(at); });
    }

    std::mutex mutex_;
    char* device_ = nullptr;
    char* host_ = nullptr;
    std::map<std::size_t, std::size_t> free_;                  ///< offset to size in bytes
    std::map<std::size_t, Block> taken_;                       ///< by offset
    std::map<c10::DeviceIndex, std::set<std::size_t>> pools_;  ///< of captures under way
    std::set<std::size_t> of_graphs_;
};

}  // namespace trainyard::test
