// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/tensors/memory_meter.h"

#include <cstdint>
#include <limits>
#include <vector>

#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <gtest/gtest.h>
#include <malloc.h>

namespace trainyard {
namespace {

constexpr std::size_t kLarge = 1 << 20;

at::DataPtr memory_of(std::size_t bytes) {
    return c10::GetCPUAllocator()->allocate(bytes);
}

TEST(MemoryMeter, CountsByUseUntilTheMemoryIsFreed) {
    start_memory_meter();
    const MemoryPeaks before = memory_peaks();
    {
        const MemoryUseScope scope(MemoryUse::optimizer);
        const at::DataPtr first = memory_of(5000), second = memory_of(3000);
    }
    {
        const MemoryUseScope scope(MemoryUse::optimizer);
        const at::DataPtr third = memory_of(7000);
    }
    EXPECT_EQ(memory_peaks().bytes(MemoryUse::optimizer), before.bytes(MemoryUse::optimizer) + 8000);
    EXPECT_EQ(memory_peaks().bytes(MemoryUse::gradients), before.bytes(MemoryUse::gradients));
}

TEST(MemoryMeter, MemoryBeginsOnACacheLine) {
    start_memory_meter();
    std::vector<at::DataPtr> all;
    for (std::size_t bytes : {1, 7, 64, 65, 1000, 4097, 1 << 20}) {
        all.push_back(memory_of(bytes));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.back().get()) % 64, 0u) << bytes;
    }
    EXPECT_EQ(memory_of(0).get(), nullptr);
}

TEST(MemoryMeter, WhatDoesNotFitIsRefusedInLibTorchsWords) {
    start_memory_meter();
    // 2^62 bytes are more than any address space; the other two are over the largest number with what goes in front.
    for (std::size_t bytes : {std::size_t{1} << 62, std::numeric_limits<std::size_t>::max() - 100,
                              std::numeric_limits<std::size_t>::max()}) {
        try {
            memory_of(bytes);
            FAIL() << bytes;
        } catch (const c10::Error& error) {
            EXPECT_NE(std::string(error.what()).find("DefaultCPUAllocator: can't allocate memory"), std::string::npos);
        }
    }
}

/// Micro-batches make the same activations again between results that stay: what was freed must be used again, not grow beside them.
TEST(MemoryMeter, FreedMemoryFitsTheNextTensorOfTheSameSize) {
    start_memory_meter();
    ASSERT_EQ(::mallopt(M_MMAP_THRESHOLD, 32 << 20), 1);  // as distributed/parallel/load_device.cpp
    ASSERT_EQ(::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()), 1);
    std::vector<at::DataPtr> results;
    std::size_t after_first = 0;
    for (int micro_batch = 0; micro_batch < 16; ++micro_batch) {
        std::vector<at::DataPtr> activations;
        for (int i = 0; i < 16; ++i) {
            activations.push_back(memory_of(kLarge));
            if (micro_batch == 0)
                results.push_back(memory_of(100'000));
        }
        activations.clear();
        if (micro_batch == 0)
            after_first = ::mallinfo2().arena;
    }
    EXPECT_GE(after_first, 16 * kLarge);
    EXPECT_LT(::mallinfo2().arena, after_first + 2 * kLarge);
}

}  // namespace
}  // namespace trainyard
