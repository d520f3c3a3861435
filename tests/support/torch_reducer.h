#pragma once
// torch's own data-parallel reducer (c10d::Reducer), as the oracle and the yardstick of ours. Its constructor changes between
// versions of LibTorch; the .cpp file alone knows it.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::test {

/// Where the ranks of one program meet.
class TorchStore {
  public:
    TorchStore();
    ~TorchStore();
    struct Impl;
    std::unique_ptr<Impl> impl;
};

class TorchReducer {
  public:
    /// Blocks until all ranks have come.
    TorchReducer(TorchStore& store, int rank, int size, std::vector<at::Tensor> parameters, double bucket_cap_mb,
                 double first_bucket_mb, bool find_unused_parameters, bool gradient_as_bucket_view);
    ~TorchReducer();
    /// Between forward and backward.
    void prepare_for_backward(const at::Tensor& output);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::test
