// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What layers in fp8 of any kind share: which Linear layers they are, the casts that a recipe describes, and the scales
// of delayed scaling, which change between steps alone and are the same on all ranks.

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/recipe/recipe.h"
#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"
#include "formats/weights/quantization/module_choice.h"
#include "models/nn/quantization/cast_linear.h"
#include "models/nn/quantization/delayed_scaling.h"

namespace trainyard::models {

/// Delayed scaling of a layer: a scale for inputs, weight and gradients, which change between steps alone.
class DelayedCasts final : public OperandCasts {
  public:
    explicit DelayedCasts(const config::Fp8Recipe& recipe);
    DelayedScaling& scaling(int operand) { return scalings_[static_cast<std::size_t>(operand)]; }
    /// Magnitudes of these rows count for the scales of later steps.
    void see(const at::Tensor& rows, Operand operand);

  protected:
    /// Parts of an operand have the scale of the whole one already.
    at::Tensor cast(const at::Tensor& rows, Operand operand, Product product, const OperandShare& share) const override;

  private:
    quantization::Float8 formats_[kOperands];
    bool full_[kOperands];  ///< by product
    std::vector<DelayedScaling> scalings_;
};

std::unique_ptr<OperandCasts> make_fp8_casts(const config::Fp8Recipe& recipe);

/// Sizes of layers and sums over tokens are multiples of it.
std::int64_t fp8_multiple(const config::Fp8Recipe& recipe);

/// The names of all Linear layers but the first and the last, and those with sizes that are not multiples of
/// fp8_multiple(). `layers`: all, in the order of registration.
std::vector<std::string> choose_fp8_layers(const std::vector<quantization::LinearModule>& layers,
                                           const config::Fp8Recipe& recipe);

/// The scales of layers with delayed scaling.
class DelayedLayers {
  public:
    /// Null: the layer has none. Not owned.
    void add(std::string name, DelayedCasts* casts) {
        if (casts != nullptr)
            layers_.emplace_back(std::move(name), casts);
    }
    bool empty() const { return layers_.empty(); }
    /// The end of a step: the largest magnitudes of the ranks of all `groups` count: of those with other samples, and
    /// of those with other parts of the layers. Collective unless empty.
    void update(std::initializer_list<parallel::Communicator*> groups);
    /// By layer and operand; None if empty.
    Tree state_dict() const;
    /// Throws UserError naming a layer that is missing, or of another length of the history.
    void load_state_dict(const Tree& state);

  private:
    std::vector<std::pair<std::string, DelayedCasts*>> layers_;
};

}  // namespace trainyard::models
