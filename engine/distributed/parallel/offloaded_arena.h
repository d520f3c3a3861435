// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values and gradients that a rank owns, in an unnamed file on a disk (offload_param_device nvme) instead of memory:
// the rooms (value_rooms.h) read what they need of the values, and the optimizer updates slices of both
// (train/offloaded_state.h). Only for arenas whose values and gradients are sharded, so that an owned element has the
// same number in both.
//
// Rajbhandari et al., "ZeRO-Infinity", SC 2021.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>

#include <ATen/core/Tensor.h>

#include "base/files/scratch_file.h"
#include "distributed/parallel/split.h"

namespace trainyard::parallel {

class OffloadedArena {
  public:
    /// `values` and `gradients` zeros, fp32; the gradients are those of the first values. Throws UserError where the
    /// folder has no such file, or no room for it.
    OffloadedArena(const std::filesystem::path& folder, int rank, std::int64_t values, std::int64_t gradients);

    /// The tensors keep the file.
    const at::Tensor& values() const { return values_; }
    const at::Tensor& gradients() const { return gradients_; }
    std::uint64_t bytes() const { return file_->bytes().size(); }
    const files::ScratchFile& file() const { return *file_; }

    /// Starts reading values into the page cache. Does not wait.
    void read_ahead(const Range& values) const;
    /// The values were read: releases their pages, and what is not to stay in the page cache.
    void release(const Range& values) const;
    /// The gradients were written.
    void release_gradients(const Range& gradients) const;
    /// Values and gradients from this element on do not stay in the page cache from one use to the next.
    void set_cached(std::int64_t elements) { cached_ = elements; }

    /// Calls `action(begin, end)` with the bytes of the file of a slice of values, and of its gradients.
    template <class Action>
    void each_buffer(const Range& slice, Action action) const {
        action(bytes_before(slice.begin), bytes_before(slice.end));
        action(gradients_begin_ + bytes_before(slice.begin), gradients_begin_ + bytes_before(slice.end));
    }

  private:
    static std::size_t bytes_before(std::int64_t element) { return static_cast<std::size_t>(element) * sizeof(float); }
    std::size_t gradients_begin_;
    std::shared_ptr<files::ScratchFile> file_;
    at::Tensor values_, gradients_;
    std::atomic<std::int64_t> cached_{std::numeric_limits<std::int64_t>::max()};
};

}  // namespace trainyard::parallel
