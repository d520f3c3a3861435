#pragma once
// Tensors of a checkpoint copied to memory of our own, that is kept from save to save: page faults are paid once. Pinned where there is
// a GPU, so that the copies run beside its work.

#include <cstddef>

#include <ATen/core/Tensor.h>

#include "checkpoint/files_to_save.h"

namespace trainyard::checkpoint {

class Snapshot {
  public:
    /// `files` with every tensor replaced by a copy, valid until the next call. Names that share memory share the copy.
    FilesToSave take(const FilesToSave& files);
    std::size_t capacity() const { return buffer_.defined() ? buffer_.nbytes() : 0; }

  private:
    void reserve(std::size_t bytes);
    at::Tensor buffer_;
};

}  // namespace trainyard::checkpoint
