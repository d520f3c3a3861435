// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// torch's data-parallel reducer (c10d::Reducer), as the reference for results and speed of ours. Its constructor
// differs between versions of LibTorch, so only the .cpp file uses it.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::test {

/// The store for the rendezvous of ranks in one program.
class TorchStore {
  public:
    TorchStore();
    ~TorchStore();
    struct Impl;
    std::unique_ptr<Impl> impl;
};

class TorchReducer {
  public:
    /// Blocks until all ranks have joined.
    TorchReducer(TorchStore& store, int rank, int size, std::vector<at::Tensor> parameters, double bucket_cap_mb,
                 double first_bucket_mb, bool find_unused_parameters, bool gradient_as_bucket_view);
    ~TorchReducer();
    /// Call between forward and backward.
    void prepare_for_backward(const at::Tensor& output);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::test
