// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/compiled/compiled_blocks.h"

#include <set>

#include "base/error.h"

namespace trainyard::compiled {

namespace {

using parallel::Parameter;
using parallel::Unit;

/// Names of a head's matrix in Hugging Face's models; it may be that of an embedding.
constexpr const char* kHeads[] = {"lm_head.weight", "embed_out.weight", "output.weight"};

/// Each parameter that the units have, without those that they share with others.
std::vector<Parameter*> parameters_of(const std::vector<Unit*>& units) {
    std::vector<Parameter*> parameters;
    for (const Unit* unit : units)
        parameters.insert(parameters.end(), unit->parameters().begin(), unit->parameters().end());
    return parameters;
}

}  // namespace

std::vector<WeightShape> weights_of(const std::vector<Unit*>& units, std::size_t prefix) {
    std::set<const Parameter*> tied;
    for (const Unit* unit : units)
        tied.insert(unit->tied_parameters().begin(), unit->tied_parameters().end());
    std::vector<WeightShape> weights;
    for (const Parameter* parameter : parameters_of(units)) {
        if (parameter->is_packed() || !parameter->adapters().empty())
            throw UserError(
                "'{}' is quantized or has an adapter, and a compiled package computes with plain matrices: use a model "
                "without quantization, with its adapters merged (trainyard merge-adapter)",
                parameter->name());
        weights.push_back({.name = parameter->name().substr(prefix),
                           .shape = parameter->shape(),
                           .dtype = parameter->compute().scalar_type()});
        if (tied.contains(parameter))
            weights.back().aliases.assign(std::begin(kHeads), std::end(kHeads));
    }
    return weights;
}

std::vector<at::Tensor> values_of(const std::vector<Unit*>& units) {
    std::vector<at::Tensor> values;
    for (const Parameter* parameter : parameters_of(units))
        values.push_back(parameter->compute());
    return values;
}

CompiledBlocks::CompiledBlocks(CompiledModel& package, const std::vector<Unit*>& blocks) : package_(package) {
    for (Unit* block : blocks) {
        std::vector<WeightShape> weights = weights_of({block}, block->name().size() + 1);
        if (const Message problem = package_.why_not(weights); !problem.empty())
            throw UserError("{}: {}", block->name(), problem);
        weights_.emplace(block, std::move(weights));
    }
    for (Unit* block : blocks)
        block->add_hook(this);
}

CompiledBlocks::~CompiledBlocks() {
    for (const auto& [block, weights] : weights_)
        block->remove_hook(this);
}

parallel::Tensors CompiledBlocks::around(Unit& unit, const parallel::Tensors& inputs, parallel::StepContext& context,
                                         const parallel::UnitForward&) {
    if (context.training)
        throw UserError("{} is compiled for inference and has no backward: train without it",
                        package_.package().string());
    if (inputs.size() != 1 || context.cache != nullptr || context.attention_mask.defined() ||
        context.position_ids.defined())
        throw UserError(
            "{} takes hidden states alone, and '{}' has further inputs (masks, positions, a cache, experts)",
            package_.package().string(), unit.name());
    package_.use_weights(weights_.at(&unit), values_of({&unit}));
    parallel::Tensors outputs = package_.run(inputs);
    if (outputs.size() != 1 || outputs[0].sizes() != inputs[0].sizes())
        throw UserError("{} returns other tensors than the hidden states of a block", package_.package().string());
    return outputs;
}

}  // namespace trainyard::compiled
