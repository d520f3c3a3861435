// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tells when autograd has added a gradient to a parameter: what sends the gradients of modules that are not made of units (unit.h) while backward
// still runs.

#include <cstdint>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/function.h>

namespace trainyard::parallel {

class GradientArrivals {
  public:
    GradientArrivals() = default;
    ~GradientArrivals();
    GradientArrivals(const GradientArrivals&) = delete;
    GradientArrivals& operator=(const GradientArrivals&) = delete;

    /// Calls `arrived` after each gradient that is accumulated into the leaf, on autograd's thread, as long as this object lives.
    void watch(const at::Tensor& leaf, std::function<void()> arrived);

  private:
    struct Watched {
        c10::intrusive_ptr<torch::autograd::Node> accumulator;
        std::uintptr_t hook = 0;
    };
    std::vector<Watched> watched_;
};

}  // namespace trainyard::parallel
