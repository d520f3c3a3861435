#pragma once
// Linear layers whose weight is quantized and not trained: gradients reach the input alone. They compute what
// bitsandbytes' Linear4bit and Linear8bitLt compute on a processor.

#include <optional>

#include <ATen/core/Tensor.h>

#include "formats/weights/quantization/four_bit.h"

namespace trainyard::models {

class FourBitLinear {
  public:
    /// A weight [out, in]. `bias` [out], undefined: none. Products are computed in `compute`, without it in the dtype
    /// of x. Throws UserError where the weight is not a matrix.
    FourBitLinear(quantization::FourBitWeight weight, at::Tensor bias,
                  std::optional<at::ScalarType> compute = std::nullopt);

    /// x [..., in] -> [..., out] in the dtype of x.
    at::Tensor operator()(const at::Tensor& x) const;
    /// [out, in], decoded in fp32 and rounded once.
    at::Tensor decoded(at::ScalarType type) const;
    /// The dtype that the weight had when it was quantized.
    at::ScalarType weight_type() const { return weight_type_; }

  private:
    quantization::FourBitWeight weight_;
    at::Tensor bias_;
    std::optional<at::ScalarType> compute_;
    at::ScalarType weight_type_;
};

/// Dettmers et al., "LLM.int8()", NeurIPS 2022.
class Int8Linear {
  public:
    /// `codes` [out, in] int8, `magnitudes` [out] fp32 (SCB), `bias` [out] or undefined. Columns of x with an element
    /// of at least `threshold` are multiplied in full precision; 0: none are.
    Int8Linear(at::Tensor codes, at::Tensor magnitudes, at::Tensor bias, double threshold = 0);

    /// x [..., in] -> [..., out] in the dtype of x. `training`: inputs are not quantized, and gradients reach them.
    at::Tensor operator()(const at::Tensor& x, bool training) const;

  private:
    at::Tensor evaluate(const at::Tensor& rows) const;
    at::Tensor codes_, magnitudes_, bias_;
    double threshold_;
};

}  // namespace trainyard::models
