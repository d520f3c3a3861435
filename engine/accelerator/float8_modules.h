// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// torch::nn::Linear layers of prepared modules in fp8: while the forward of a prepared model runs, products with one of
// their weights are computed by the casts of the recipe (models/nn/quantization/linear_kernels.h), in the layers' own
// classes and with their own parameters. Works for every way of dividing the model: the weight that the layer has is
// the operand.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include <trainyard/fp8.h>

#include "config/recipe/recipe.h"
#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::accelerator {

/// The recipe that a handler and the launch's environment describe. Throws UserError with everything that is invalid.
config::Fp8Recipe fp8_recipe(const std::optional<Fp8RecipeHandler>& handler);
/// The filter of a handler; empty: it has none.
Fp8LayerFilter fp8_filter(const std::optional<Fp8RecipeHandler>& handler);

class Float8Modules final : public Stateful {
  public:
    /// `linear`: all Linear layers of the module with their weights [out, in], in the order of registration. Throws
    /// UserError if none of them can be computed in fp8, or `filter` chooses one that cannot.
    Float8Modules(const NamedTensors& linear, const config::Fp8Recipe& recipe, const Fp8LayerFilter& filter = {});
    ~Float8Modules() override;
    Float8Modules(const Float8Modules&) = delete;
    Float8Modules& operator=(const Float8Modules&) = delete;

    const std::vector<std::string>& names() const;
    std::vector<at::Tensor> weights() const;
    /// Scales that checkpoints have: of delayed scaling.
    bool has_state() const;
    /// The end of a step: the largest magnitudes of all ranks count. Collective with delayed scaling.
    void update(parallel::Communicator& ranks);

    Tree state_dict() const override;
    void load_state_dict(const Tree& state) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::accelerator
