// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Linear layers whose products are computed from operands in 8-bit formats with scales that follow from the operands
// themselves. The operands are decoded and multiplied in fp32, which gives what a processor with such products
// computes; the result has the dtype of x.
//
// Micikevicius et al., "FP8 formats for deep learning", 2022 (arXiv 2209.05433); "OCP Microscaling Formats (MX)
// Specification", version 1.0.

#include <string_view>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/communicator.h"
#include "formats/weights/quantization/float8.h"

namespace trainyard::models {

/// Codes and the scale that they were multiplied by: x is about codes / scale.
struct Float8Operand {
    at::Tensor codes;  ///< float8
    at::Tensor scale;  ///< fp32, [rows, 1] or of one element
    at::Tensor decoded() const;
};

/// The dtype of a format in tensors.
at::ScalarType float8_type(quantization::Float8 format);

/// `rows` times `scale`, saturated.
at::Tensor saturated_codes(const at::Tensor& rows, const at::Tensor& scale, quantization::Float8 format);

/// The largest magnitude becomes the format's largest value: of the tensor, or of each row. `ranks` have other parts of
/// the tensor or of its rows, and the magnitude is the largest of all of them; null: none do.
Float8Operand float8_operand(const at::Tensor& rows, quantization::Float8 format, bool of_rows, bool power_of_two,
                             parallel::Communicator* ranks = nullptr);

/// Ranks that have other parts of an operand, as those of a tensor-parallel group. Scales are those of the whole one.
struct OperandShare {
    parallel::Communicator* ranks = nullptr;  ///< null: this one has it whole
    bool along = false;                       ///< the dimension that is summed is divided; false: the other one
};

/// rows [count, width] in blocks of 32 along their last dimension, decoded in fp32. Throws UserError where the width is
/// not a multiple of 32.
at::Tensor mx_rounded(const at::Tensor& rows, quantization::Float8 format, quantization::MxMode mode);

/// The casts of a layer's three products, y = x W^T, dx = dy W and dW = dy^T x. Every operand is given as rows whose
/// last dimension is the one that is summed, and returned in fp32.
class OperandCasts {
  public:
    enum class Product { output, grad_input, grad_weight };
    enum Operand { kInput, kWeight, kGradient };
    static constexpr int kOperands = 3;
    virtual ~OperandCasts() = default;
    /// Sums over tokens are filled up with zeros to a multiple of it.
    virtual std::int64_t tokens_multiple() const { return 1; }
    /// Collective where ranks share the operand.
    at::Tensor input(const at::Tensor& rows, Product product, const OperandShare& share = {}) const {
        return cast(rows, kInput, product, share);
    }
    at::Tensor weight(const at::Tensor& rows, Product product, const OperandShare& share = {}) const {
        return cast(rows, kWeight, product, share);
    }
    at::Tensor gradient(const at::Tensor& rows, Product product, const OperandShare& share = {}) const {
        return cast(rows, kGradient, product, share);
    }

  protected:
    virtual at::Tensor cast(const at::Tensor& rows, Operand operand, Product product,
                            const OperandShare& share) const = 0;
};

/// torchao's recipes.
class Float8Casts final : public OperandCasts {
  public:
    enum class Recipe {
        tensorwise,          ///< a scale for each tensor; gradients in e5m2
        rowwise,             ///< a scale for each row; gradients in e4m3
        rowwise_with_gw_hp,  ///< the same, with the weight's gradient in full precision
    };
    Float8Casts(Recipe recipe, bool power_of_two) : recipe_(recipe), power_of_two_(power_of_two) {}
    /// "tensorwise" and so on; throws std::invalid_argument for others.
    static Recipe recipe(std::string_view name);

  protected:
    at::Tensor cast(const at::Tensor& rows, Operand operand, Product product, const OperandShare& share) const override;

  private:
    Recipe recipe_;
    bool power_of_two_;
};

class MxCasts final : public OperandCasts {
  public:
    /// `forward` is the format of inputs and weights, `backward` that of gradients.
    MxCasts(quantization::MxMode mode, quantization::Float8 forward, quantization::Float8 backward)
        : mode_(mode), forward_(forward), backward_(backward) {}
    std::int64_t tokens_multiple() const override { return static_cast<std::int64_t>(quantization::kMxBlock); }

  protected:
    /// Parts of operands have whole blocks (config/recipe/mesh_checks.h).
    at::Tensor cast(const at::Tensor& rows, Operand operand, Product product, const OperandShare& share) const override;

  private:
    quantization::MxMode mode_;
    quantization::Float8 forward_, backward_;
};

/// x [..., in], weight [out, in] and bias [out] (undefined: none) -> [..., out]. `casts` outlives the backward.
at::Tensor cast_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                       const OperandCasts& casts);

}  // namespace trainyard::models
