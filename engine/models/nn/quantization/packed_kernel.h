// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Kernels of Linear layers whose weight stays in 4 or 8 bits while the model trains adapters beside it, or is used.

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "distributed/parallel/matrix_kernel.h"
#include "distributed/parallel/parameter.h"
#include "formats/weights/quantization/packed_matrix.h"
#include "models/nn/quantization/quantized_linear.h"

namespace trainyard::models {

struct PackedOptions {
    at::ScalarType result = at::kFloat;                    ///< dtype of outputs
    std::optional<at::ScalarType> compute = std::nullopt;  ///< of 4-bit products; nothing: `result`
    double threshold = 6;                                  ///< of LLM.int8
};

class PackedKernel final : public parallel::MatrixKernel {
  public:
    PackedKernel(std::shared_ptr<const quantization::PackedMatrix> weight, const PackedOptions& options);
    /// Inputs of 8-bit weights are quantized where the model is used and not trained (InUse).
    at::Tensor multiply(const at::Tensor& x, parallel::Parameter& weight, parallel::Parameter* bias) override;
    /// As in training.
    bool has_products() const override { return true; }
    at::Tensor product(const at::Tensor& x) const override;
    at::Tensor gradient(const at::Tensor& dy) const override;
    std::uint64_t bytes() const override { return weight_->bytes(); }
    const quantization::PackedMatrix& weight() const { return *weight_; }

  private:
    std::shared_ptr<const quantization::PackedMatrix> weight_;
    at::ScalarType result_, compute_;
    std::variant<FourBitLinear, Int8Linear> linear_;
};

/// A weight that is stored in a floating-point format of its own and cast to the type of its products for each of them:
/// layer-wise casting (stored in float8_e4m3fn, say), and weights that stay fp32 beside quantized ones, whose results
/// are rounded to the type of the model. Nothing else of it is stored for the backward, which casts it again.
class CastKernel final : public parallel::MatrixKernel {
  public:
    /// `stored` is [in, out] if `in_first`, else [out, in]. `compute` is the dtype of products.
    CastKernel(at::Tensor stored, bool in_first, at::ScalarType compute, at::ScalarType result)
        : stored_(std::move(stored)), in_first_(in_first), compute_(compute), result_(result) {}
    at::Tensor multiply(const at::Tensor& x, parallel::Parameter& weight, parallel::Parameter* bias) override;
    /// Inputs of products in another type are not rounded to that of results.
    bool has_products() const override { return compute_ == result_; }
    at::Tensor product(const at::Tensor& x) const override;
    at::Tensor gradient(const at::Tensor& dy) const override;
    std::uint64_t bytes() const override { return stored_.nbytes(); }
    const at::Tensor& stored() const { return stored_; }
    /// [in, out] in the dtype of products.
    at::Tensor matrix() const;

  private:
    at::Tensor stored_;
    bool in_first_;
    at::ScalarType compute_, result_;
};

}  // namespace trainyard::models
