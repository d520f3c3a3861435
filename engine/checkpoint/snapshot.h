#pragma once
// Tensors of a checkpoint copied to memory of our own, that is kept from save to save: page faults are paid once, before the first save
// where prepare() was called. Pinned where there is a GPU, so that the copies run beside its work; otherwise kept from forked children,
// so that a fork between two saves costs the next one nothing (madvise(2), MADV_DONTFORK).

#include <cstddef>

#include <ATen/core/Tensor.h>

#include "checkpoint/files_to_save.h"

namespace trainyard::checkpoint {

class Snapshot {
  public:
    /// `files` with every tensor replaced by a copy, valid until the next call. Names that share memory share the copy.
    FilesToSave take(const FilesToSave& files) { return take(files, false); }
    /// Copies only what cannot be written from where it is: tensors of other devices, and those that are not contiguous.
    FilesToSave take_in_place(const FilesToSave& files) { return take(files, true); }
    /// Bytes that take() needs for `files`. Throws UserError when a tensor cannot be saved.
    static std::size_t bytes_for(const FilesToSave& files);
    /// Has `bytes` ready, page faults paid.
    void prepare(std::size_t bytes);
    std::size_t capacity() const { return buffer_.defined() ? buffer_.nbytes() : 0; }

  private:
    FilesToSave take(const FilesToSave& files, bool in_place);
    void reserve(std::size_t bytes);
    at::Tensor buffer_;
};

}  // namespace trainyard::checkpoint
