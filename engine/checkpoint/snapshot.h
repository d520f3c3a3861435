// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Copies the tensors of a checkpoint to memory that is reused by every save: page faults occur once, before the first
// save if prepare() was called. With a GPU the memory is pinned, so that copies overlap with its work. Without one it
// is not inherited by forked children, so that a fork between two saves does not slow the next one down (madvise(2),
// MADV_DONTFORK).

#include <cstddef>

#include <ATen/core/Tensor.h>

#include "checkpoint/files_to_save.h"

namespace trainyard::checkpoint {

class Snapshot {
  public:
    /// Returns `files` with every tensor replaced by a copy, valid until the next call. Names that share memory share
    /// the copy.
    FilesToSave take(const FilesToSave& files) { return take(files, false); }
    /// Copies only tensors that cannot be written directly: those of other devices, and those that are not contiguous.
    FilesToSave take_in_place(const FilesToSave& files) { return take(files, true); }
    /// Returns the bytes that take() needs for `files`. Throws UserError when a tensor cannot be saved.
    static std::size_t bytes_for(const FilesToSave& files);
    /// Allocates `bytes` and touches every page, so that take() causes no page faults.
    void prepare(std::size_t bytes);
    std::size_t capacity() const { return buffer_.defined() ? buffer_.nbytes() : 0; }

  private:
    FilesToSave take(const FilesToSave& files, bool in_place);
    void reserve(std::size_t bytes);
    at::Tensor buffer_;
};

}  // namespace trainyard::checkpoint
