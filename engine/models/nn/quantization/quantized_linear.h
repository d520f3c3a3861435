// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Linear layers whose weight is quantized and not trained: gradients reach the input alone. They compute what
// bitsandbytes' Linear4bit and Linear8bitLt compute on a processor.

#include <memory>
#include <optional>

#include <ATen/core/Tensor.h>

#include "formats/weights/quantization/packed_matrix.h"

namespace trainyard::models {

class FourBitLinear {
  public:
    /// A weight [out, in]. `bias` [out], undefined: none. Products are computed in `compute`, without it in the dtype
    /// of x. Throws UserError where the weight is not a matrix.
    FourBitLinear(quantization::FourBitWeight weight, at::Tensor bias,
                  std::optional<at::ScalarType> compute = std::nullopt);
    FourBitLinear(std::shared_ptr<const quantization::PackedMatrix> weight, std::optional<at::ScalarType> compute)
        : weight_(std::move(weight)), compute_(compute) {}

    /// x [..., in] -> [..., out] in the dtype of x. It outlives the backward.
    at::Tensor operator()(const at::Tensor& x) const { return (*this)(x, bias_); }
    /// Computes the product with `bias` instead of the layer's own bias.
    at::Tensor operator()(const at::Tensor& x, const at::Tensor& bias) const;
    /// [out, in], decoded in fp32 and rounded once.
    at::Tensor decoded(at::ScalarType type) const;
    const quantization::PackedMatrix& weight() const { return *weight_; }

  private:
    std::shared_ptr<const quantization::PackedMatrix> weight_;
    at::Tensor bias_;
    std::optional<at::ScalarType> compute_;
};

/// Dettmers et al., "LLM.int8()", NeurIPS 2022.
class Int8Linear {
  public:
    /// `codes` [out, in] int8, `magnitudes` [out] fp32 (SCB), `bias` [out] or undefined. Columns of x with an element
    /// of at least `threshold` are multiplied in full precision; 0: none are.
    Int8Linear(const at::Tensor& codes, const at::Tensor& magnitudes, at::Tensor bias, double threshold = 0);
    Int8Linear(std::shared_ptr<const quantization::PackedMatrix> weight, double threshold)
        : weight_(std::move(weight)), threshold_(threshold) {}

    /// x [..., in] -> [..., out] in the dtype of x. `training`: inputs are not quantized, and gradients reach them. It
    /// outlives the backward.
    at::Tensor operator()(const at::Tensor& x, bool training) const { return (*this)(x, bias_, training); }
    /// Computes the product with `bias` instead of the layer's own bias.
    at::Tensor operator()(const at::Tensor& x, const at::Tensor& bias, bool training) const;

  private:
    at::Tensor evaluate(const at::Tensor& rows, const at::Tensor& bias) const;
    std::shared_ptr<const quantization::PackedMatrix> weight_;
    at::Tensor bias_;
    double threshold_;
};

}  // namespace trainyard::models
