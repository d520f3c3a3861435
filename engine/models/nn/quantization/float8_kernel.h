// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Linear layers of a model whose three products are computed from 8-bit floating-point operands while it trains: which
// layers, their scales, and what checkpoints save of them. The operands are decoded and multiplied in fp32
// (cast_linear.h), on every device.

#include <memory>
#include <string>
#include <vector>

#include "config/recipe/recipe.h"
#include "distributed/parallel/matrix_kernel.h"
#include "models/nn/model.h"
#include "models/nn/quantization/fp8_layers.h"

namespace trainyard::models {

class Float8Kernel final : public parallel::MatrixKernel {
  public:
    explicit Float8Kernel(const config::Fp8Recipe& recipe);
    at::Tensor multiply(const at::Tensor& x, parallel::Parameter& weight, parallel::Parameter* bias) override;
    const OperandCasts& casts() const { return *casts_; }
    /// Null without delayed scaling.
    DelayedCasts* delayed() const { return dynamic_cast<DelayedCasts*>(casts_.get()); }
    /// Rows of the sum over tokens are filled up with zeros to a multiple of it.
    std::int64_t multiple() const { return multiple_; }

  private:
    std::unique_ptr<OperandCasts> casts_;
    std::int64_t multiple_;
};

class Float8Layers {
  public:
    /// Selects the layers: all Linear layers but the first and the last (a head counts as one), and those with sizes
    /// that are not multiples of 16, or 32 with MXFP8; sizes are those of whole layers, of which ranks may have parts.
    /// Throws UserError if there are none.
    Float8Layers(const Model& model, const config::Fp8Recipe& recipe);
    const std::vector<std::string>& names() const { return names_; }
    const std::vector<const parallel::Parameter*>& weights() const { return weights_; }

    /// The end of a step (DelayedLayers). Collective with delayed scaling.
    void update(std::initializer_list<parallel::Communicator*> groups) { scales_.update(groups); }
    /// By layer and operand; None without delayed scaling.
    Tree state_dict() const { return scales_.state_dict(); }
    /// Throws UserError naming a layer that is missing, or of another length of the history.
    void load_state_dict(const Tree& state) { scales_.load_state_dict(state); }

  private:
    std::vector<std::string> names_;
    std::vector<const parallel::Parameter*> weights_;
    DelayedLayers scales_;
    std::vector<std::shared_ptr<Float8Kernel>> kernels_;
};

}  // namespace trainyard::models
