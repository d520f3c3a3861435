// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Regional compilation of a program's own model: its blocks compute with an AOTInductor package of one of them.
//
//     auto package = std::make_shared<compiled::CompiledModel>("layer.pt2");
//     for (accelerator::Block* block : net->blocks())
//         dispatch::add_hook_to_module(*block, std::make_shared<dispatch::CompiledBlockHook>(package));

#include <memory>
#include <vector>

#include <trainyard/compiled_model.h>
#include <trainyard/model_hooks.h>

namespace trainyard::dispatch {

/// Computes a block with a package instead of the module's forward, with the weights that the module has at the time of
/// the call. The block's tensor arguments are the package's inputs. For inference: a forward that records gradients
/// throws UserError.
class CompiledBlockHook final : public ModelHook {
  public:
    /// Takes a package that several blocks may share.
    explicit CompiledBlockHook(std::shared_ptr<compiled::CompiledModel> package) : package_(std::move(package)) {}
    /// Throws UserError if the package does not fit the parameters of the block.
    void init_hook(const accelerator::Block& block) override;
    /// Runs the package.
    parallel::Tensors around(parallel::Unit& unit, const parallel::Tensors& inputs, parallel::StepContext& context,
                             const parallel::UnitForward& forward) override;

  private:
    std::shared_ptr<compiled::CompiledModel> package_;
    std::vector<compiled::WeightShape> weights_;
    std::vector<at::Tensor> values_;  ///< the module's own tensors, whose data may be replaced
};

}  // namespace trainyard::dispatch
