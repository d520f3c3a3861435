// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Products of torch::nn::Linear layers of a user's own modules by other kernels: fp8 operands, codes of 4 or 8 bits,
// weights that are stored in another floating-point format. A kernel belongs to the weight. In a scope, at::linear,
// at::matmul and at::addmm with such a weight, which are what torch::nn::Linear calls, are computed by its kernel, and
// convolutions get the weights and biases that they are stored as.

#include <cstdint>
#include <memory>
#include <optional>

#include <ATen/core/Tensor.h>

#include "formats/weights/quantization/packed_matrix.h"
#include "models/nn/quantization/quantized_linear.h"

namespace trainyard::models {

class LinearKernel {
  public:
    virtual ~LinearKernel() = default;
    /// x [..., in] -> [..., out]. `weight`: the layer's own tensor; `bias` [out] or undefined.
    virtual at::Tensor multiply(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) = 0;
    /// Whether the tensor has codes or another number format than the layer computes in, so that optimizers, gradients
    /// and collectives cannot use it.
    virtual bool stores_weight() const { return false; }
};

/// A weight whose products a kernel computes, for as long as this lives.
class KernelOfWeight {
  public:
    KernelOfWeight(at::Tensor weight, std::shared_ptr<LinearKernel> kernel);
    ~KernelOfWeight();
    KernelOfWeight(const KernelOfWeight&) = delete;
    KernelOfWeight& operator=(const KernelOfWeight&) = delete;
    const at::Tensor& weight() const { return weight_; }
    LinearKernel& kernel() const { return *kernel_; }

  private:
    at::Tensor weight_;
    std::shared_ptr<LinearKernel> kernel_;
};

/// The kernel of a weight, whose products it computes until the result and all others are gone.
std::shared_ptr<KernelOfWeight> set_kernel(const at::Tensor& weight, std::shared_ptr<LinearKernel> kernel);
/// Null: it has none.
std::shared_ptr<KernelOfWeight> kernel_of(const at::Tensor& weight);
/// Whether a tensor is stored otherwise than it is computed with (LinearKernel::stores_weight).
bool is_stored_weight(const at::Tensor& tensor);

/// Kernels are used by this thread for as long as the result lives. Nests. Recomputation in the backward uses them
/// where the forward did.
std::shared_ptr<void> linear_kernel_scope();

/// A frozen weight [out, in] in 4 or 8 bits. The layer's tensor has the codes as files have them.
class PackedLinear final : public LinearKernel {
  public:
    /// `compute`: of 4-bit products; nothing: the dtype of x. `threshold`: of LLM.int8.
    PackedLinear(std::shared_ptr<const quantization::PackedMatrix> weight, std::optional<at::ScalarType> compute,
                 double threshold);
    /// Inputs of 8-bit weights are quantized where no gradients are recorded.
    at::Tensor multiply(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) override;
    bool stores_weight() const override { return true; }
    const quantization::PackedMatrix& matrix() const { return *weight_; }

  private:
    std::shared_ptr<const quantization::PackedMatrix> weight_;
    double threshold_;
    std::optional<at::ScalarType> compute_;
};

/// A frozen tensor, of a Linear layer or of a convolution, that is stored in a floating-point format of its own and
/// cast to `compute` for each use. Products of Linear layers cast it again for the backward.
class CastWeight final : public LinearKernel {
  public:
    explicit CastWeight(at::ScalarType compute) : compute_(compute) {}
    at::Tensor multiply(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) override;
    bool stores_weight() const override { return true; }
    at::ScalarType compute() const { return compute_; }

  private:
    at::ScalarType compute_;
};

}  // namespace trainyard::models
