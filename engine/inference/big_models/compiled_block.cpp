// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/grad_mode.h>

#include <trainyard/compiled_block.h>

#include "base/error.h"

namespace trainyard::dispatch {

void CompiledBlockHook::init_hook(const accelerator::Block& block) {
    std::vector<compiled::WeightShape> weights;
    std::vector<at::Tensor> values;
    for (const auto& [name, value] : block.named_parameters()) {
        weights.push_back({.name = name, .shape = value.sizes().vec(), .dtype = value.scalar_type()});
        values.push_back(value);
    }
    if (const Message problem = package_->why_not(weights); !problem.empty())
        throw UserError("{}: {}", block.class_name(), problem);
    weights_ = std::move(weights);
    values_ = std::move(values);
}

parallel::Tensors CompiledBlockHook::around(parallel::Unit&, const parallel::Tensors& inputs, parallel::StepContext&,
                                            const parallel::UnitForward&) {
    if (at::GradMode::is_enabled())
        throw UserError("{} is compiled for inference and has no backward: compute with it under at::NoGradGuard",
                        package_->package().string());
    package_->use_weights(weights_, values_);
    return package_->run(inputs);
}

}  // namespace trainyard::dispatch
