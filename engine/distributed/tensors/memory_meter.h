// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Counts what tensors take of the CPU's memory, by what they are for. A scope says what is being made on this thread; a tensor counts for it until it is freed,
// wherever that is. Off until start_memory_meter(): LibTorch's own allocator is untouched then.

#include <array>
#include <cstdint>
#include <string_view>

#include <c10/core/Device.h>

namespace trainyard {

enum class MemoryUse {
    other,  ///< batches, messages, snapshots
    weights,
    compute_copy,
    gradients,
    optimizer,
    buckets,      ///< gradients on their way
    activations,  ///< made in forward
    workspace,    ///< made in backward
};
constexpr std::size_t kMemoryUses = 8;
/// The same keys as estimate.json: "compute_copy".
std::string_view memory_use_key(MemoryUse use);

/// Sets the use that is recorded for this thread's allocations until the end of the scope.
class MemoryUseScope {
  public:
    explicit MemoryUseScope(MemoryUse use);
    ~MemoryUseScope();
    MemoryUseScope(const MemoryUseScope&) = delete;
    MemoryUseScope& operator=(const MemoryUseScope&) = delete;

  private:
    MemoryUse before_;
};

/// Most bytes at any time since the start of the meter; all zero before it.
struct MemoryPeaks {
    std::array<std::uint64_t, kMemoryUses> uses{};
    std::uint64_t step = 0;   ///< activations and workspace together
    std::uint64_t total = 0;  ///< of all uses together
    std::uint64_t bytes(MemoryUse use) const { return uses[static_cast<std::size_t>(use)]; }
};

/// Replaces LibTorch's allocator of CPU memory by one that counts. Call it before tensors are made; calls after the first do nothing.
void start_memory_meter();
MemoryPeaks memory_peaks();
/// Peak bytes that an accelerator's caching allocator had allocated and reserved; zeros on the CPU, and for allocators
/// without statistics.
struct DevicePeaks {
    std::uint64_t allocated = 0, reserved = 0;
};
DevicePeaks device_peaks(c10::Device device);

}  // namespace trainyard
