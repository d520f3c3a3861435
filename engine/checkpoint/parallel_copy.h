// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Many copies of memory at once, by several threads, past the caches: what a snapshot of a model and a load are made of.

#include <cstddef>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::checkpoint {

struct MemoryCopy {
    void* to = nullptr;
    const void* from = nullptr;
    std::size_t bytes = 0;
};

/// One copy, by this thread, past the cache: otherwise every line of the target is read before it is written.
void copy_past_cache(void* to, const void* from, std::size_t bytes);

/// Ranges must not overlap. Returns when all is copied.
void copy_memory(std::vector<MemoryCopy> copies);

struct TensorCopy {
    at::Tensor to, from;  ///< of one shape
};

/// Tensors of the CPU that have one type and are contiguous go through copy_memory, the others are converted. Without autograd.
void copy_tensors(const std::vector<TensorCopy>& copies);

}  // namespace trainyard::checkpoint
