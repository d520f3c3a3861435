// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A kernel that multiplies with one matrix in a format of its own: 8-bit floating-point operands, or weights of 4 and 8
// bits. Linear layers call it instead of the dense kernels; the plan of a model selects it.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace trainyard::parallel {

class Parameter;

class MatrixKernel {
  public:
    virtual ~MatrixKernel() = default;
    /// x [..., in], `weight` [out, in] and `bias` [out] (nullptr: none) -> [..., out]. Gradients of parameters that are
    /// trained are added to them.
    virtual at::Tensor multiply(const at::Tensor& x, Parameter& weight, Parameter* bias) = 0;
    /// Of a matrix that is not trained, without autograd: x [n, in] -> [n, out], and of dy [n, out] -> [n, in], in
    /// their
    /// dtype. False: multiply() alone computes them.
    virtual bool has_products() const { return false; }
    virtual at::Tensor product(const at::Tensor& x) const { return x; }
    virtual at::Tensor gradient(const at::Tensor& dy) const { return dy; }
    /// Bytes of the values that the kernel has; 0: the parameter has them.
    virtual std::uint64_t bytes() const { return 0; }
};

}  // namespace trainyard::parallel
