// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/tensors/memory_meter.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Exception.h>

namespace trainyard {

namespace {

thread_local MemoryUse use_here = MemoryUse::other;

/// A number that rises and falls, and its highest value.
class Level {
  public:
    void add(std::int64_t bytes) {
        const std::int64_t now = now_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
        std::int64_t most = most_.load(std::memory_order_relaxed);
        while (now > most && !most_.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
        }
    }
    std::uint64_t most() const { return static_cast<std::uint64_t>(most_.load(std::memory_order_relaxed)); }

  private:
    std::atomic<std::int64_t> now_{0}, most_{0};
};

struct Levels {
    std::array<Level, kMemoryUses> uses;
    Level step, total;

    void add(MemoryUse use, std::int64_t bytes) {
        uses[static_cast<std::size_t>(use)].add(bytes);
        if (use == MemoryUse::activations || use == MemoryUse::workspace)
            step.add(bytes);
        total.add(bytes);
    }
};

/// Never destroyed: tensors may outlive every static object.
Levels& levels() {
    static Levels& all = *new Levels;
    return all;
}

/// In front of the memory of a tensor, which begins on a cache line as LibTorch wants it (c10::gAlignment).
struct alignas(64) Counted {
    MemoryUse use;
    std::int64_t bytes;
    void* block;  ///< what malloc() gave
};
static_assert(sizeof(Counted) == 64);

void free_counted(void* memory) {
    if (memory == nullptr)
        return;
    auto* counted = static_cast<Counted*>(memory) - 1;
    levels().add(counted->use, -counted->bytes);
    c10::profiledCPUMemoryReporter().Delete(memory);
    std::free(counted->block);
}

/// Aligns the block without posix_memalign(), which LibTorch calls: before glibc 2.38 it requests more than the size
/// and cuts off the rest, so that the space of a freed tensor is too small for the next of the same size. The memory of
/// a training grew by up to 40 % of its activations over its micro-batches.
Counted* allocate_counted(std::size_t bytes) {
    const std::size_t size = bytes + sizeof(Counted) + alignof(Counted);
    void* block = size > bytes ? std::malloc(size) : nullptr;
    TORCH_CHECK(block != nullptr, "DefaultCPUAllocator: can't allocate memory: you tried to allocate ", bytes,
                " bytes");
    const std::uintptr_t at =
        (reinterpret_cast<std::uintptr_t>(block) + alignof(Counted) - 1) & ~std::uintptr_t{alignof(Counted) - 1};
    return new (reinterpret_cast<void*>(at)) Counted{use_here, static_cast<std::int64_t>(bytes), block};
}

/// The context of a tensor's memory is the memory itself: LibTorch's kernels also allocate without a tensor (raw_allocate).
class CountingAllocator final : public c10::Allocator {
  public:
    at::DataPtr allocate(std::size_t bytes) override {
        if (bytes == 0)
            return {nullptr, nullptr, &free_counted, at::kCPU};
        Counted* counted = allocate_counted(bytes);
        levels().add(use_here, counted->bytes);
        c10::profiledCPUMemoryReporter().New(counted + 1, bytes);
        return {counted + 1, counted + 1, &free_counted, at::kCPU};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &free_counted; }
    void copy_data(void* target, const void* source, std::size_t bytes) const override {
        default_copy_data(target, source, bytes);
    }
};

}  // namespace

std::string_view memory_use_key(MemoryUse use) {
    constexpr std::array<std::string_view, kMemoryUses> kKeys{"other",     "weights", "compute_copy", "gradients",
                                                              "optimizer", "buckets", "activations",  "workspace"};
    return kKeys[static_cast<std::size_t>(use)];
}

MemoryUseScope::MemoryUseScope(MemoryUse use) : before_(std::exchange(use_here, use)) {}

MemoryUseScope::~MemoryUseScope() {
    use_here = before_;
}

void start_memory_meter() {
    static const bool started = [] {
        c10::SetCPUAllocator(new CountingAllocator);
        return true;
    }();
    static_cast<void>(started);
}

MemoryPeaks memory_peaks() {
    MemoryPeaks peaks;
    const Levels& now = levels();
    for (std::size_t i = 0; i < kMemoryUses; ++i)
        peaks.uses[i] = now.uses[i].most();
    peaks.step = now.step.most();
    peaks.total = now.total.most();
    return peaks;
}

DevicePeaks device_peaks(c10::Device device) {
    if (device.is_cpu())
        return {};
    auto* allocator = dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(device.type()));
    if (allocator == nullptr || !allocator->initialized())
        return {};
    constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    const c10::CachingDeviceAllocator::DeviceStats stats =
        allocator->getDeviceStats(device.has_index() ? device.index() : c10::DeviceIndex{0});
    return {static_cast<std::uint64_t>(stats.allocated_bytes[kAll].peak),
            static_cast<std::uint64_t>(stats.reserved_bytes[kAll].peak)};
}

}  // namespace trainyard
