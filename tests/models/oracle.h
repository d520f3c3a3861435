#pragma once
// Helpers of tests that put a kernel beside LibTorch's plain operations.

#include <ATen/core/Tensor.h>

namespace trainyard::test {

/// ||a - b|| / ||b||
inline double distance(const at::Tensor& a, const at::Tensor& b) {
    at::Tensor reference = b.to(at::kDouble);
    return (a.to(at::kDouble).sub(reference).norm().item<double>()) / (reference.norm().item<double>() + 1e-30);
}

/// A copy that autograd writes a gradient to.
inline at::Tensor leaf(const at::Tensor& x, at::ScalarType type) {
    at::Tensor copy = x.detach().to(type).clone();
    copy.set_requires_grad(true);
    return copy;
}

}  // namespace trainyard::test
