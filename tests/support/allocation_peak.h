// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Peak memory of LibTorch's CPU allocator, for tests with a memory limit.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include <c10/core/CPUAllocator.h>

namespace trainyard::test {

/// Counts CPU tensor allocations of all threads during its lifetime. Only one object may exist at a time.
class AllocationPeak {
  public:
    AllocationPeak() : before_(c10::GetCPUAllocator()) {
        now() = most() = 0;
        c10::SetCPUAllocator(&counting_, kPriority);
        if (c10::GetCPUAllocator() != &counting_)
            throw std::logic_error("another allocator has a higher priority");
    }
    ~AllocationPeak() { c10::SetCPUAllocator(before_, kPriority); }
    AllocationPeak(const AllocationPeak&) = delete;
    AllocationPeak& operator=(const AllocationPeak&) = delete;

    std::uint64_t bytes() const { return static_cast<std::uint64_t>(most().load()); }
    /// Bytes that were allocated during its lifetime and are not freed.
    std::int64_t held() const { return now(); }

  private:
    static constexpr std::uint8_t kPriority = 200;

    // Blocks may be freed after this object is destroyed, so the data they need is not part of it.
    static std::atomic<std::int64_t>& now() {
        static std::atomic<std::int64_t> value{0};
        return value;
    }
    static std::atomic<std::int64_t>& most() {
        static std::atomic<std::int64_t> value{0};
        return value;
    }

    /// LibTorch requires a block's context to be its address, so the size is stored in front of the block.
    static constexpr std::size_t kFront = 64;

    class Counting final : public c10::Allocator {
      public:
        c10::DataPtr allocate(std::size_t bytes) override {
            void* front = std::aligned_alloc(kFront, (bytes + 2 * kFront - 1) / kFront * kFront);
            if (front == nullptr)
                throw std::bad_alloc();
            auto size = static_cast<std::int64_t>(bytes);
            std::memcpy(front, &size, sizeof size);
            std::int64_t sum = now() += size, seen = most();
            while (sum > seen && !most().compare_exchange_weak(seen, sum)) {
            }
            void* data = static_cast<char*>(front) + kFront;
            return {data, data, &release, c10::Device(c10::DeviceType::CPU)};
        }
        c10::DeleterFnPtr raw_deleter() const override { return &release; }
        void copy_data(void* to, const void* from, std::size_t bytes) const override {
            default_copy_data(to, from, bytes);
        }

      private:
        static void release(void* data) {
            if (data == nullptr)
                return;
            void* front = static_cast<char*>(data) - kFront;
            std::int64_t size = 0;
            std::memcpy(&size, front, sizeof size);
            now() -= size;
            std::free(front);
        }
    };

    c10::Allocator* before_;
    Counting counting_;
};

}  // namespace trainyard::test
