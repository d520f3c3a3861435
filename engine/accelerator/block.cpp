// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include <c10/core/GradMode.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <trainyard/block.h>

#include "base/error.h"

namespace trainyard::accelerator {

using parallel::StepContext;
using parallel::Tensors;

Tensors ModuleUnit::run(const Tensors& inputs, const Forward& forward) {
    StepContext context;
    context.training = c10::GradMode::is_enabled();
    return call(inputs, context, [forward](const Tensors& own, StepContext&) { return forward(own); });
}

void ModuleUnit::set_own_hook(std::shared_ptr<parallel::UnitHook> hook) {
    if (own_hook_ != nullptr)
        remove_hook(own_hook_.get());
    own_hook_ = std::move(hook);
    if (own_hook_ != nullptr)
        add_hook(own_hook_.get());
}

Tensors ModuleUnit::forward(const Tensors&, StepContext&) {
    throw std::logic_error("a unit of a program's module has no forward");
}

Block::Block(const std::string& name, parallel::ActivationCheckpointOptions options, bool checkpointed)
    : unit_(std::make_shared<ModuleUnit>(name)),
      checkpointing_(std::make_shared<Checkpointing>(Checkpointing{checkpointed, std::move(options)})) {}

std::vector<at::Tensor> Block::parameters() const {
    std::vector<at::Tensor> tensors;
    for (const auto& [name, parameter] : named_parameters())
        tensors.push_back(parameter);
    return tensors;
}

std::int64_t Block::parameter_count() const {
    std::int64_t count = 0;
    for (const at::Tensor& parameter : parameters())
        count += parameter.numel();
    return count;
}

/// Hooks are outside of the checkpointed part: what they do for a forward, they do for the one in backward, too.
Tensors Block::run(const Tensors& inputs, const ModuleUnit::Forward& forward) const {
    if (!is_checkpointed())
        return unit_->run(inputs, forward);
    parallel::ActivationCheckpointOptions options = checkpointing_->options;
    for (const auto& [name, buffer] : named_buffers())
        options.buffers.push_back(buffer);
    return unit_->run(inputs, [forward, options](const Tensors& tensors) {
        return parallel::activation_checkpoint(forward, tensors, options);
    });
}

namespace {

bool is_of_class(const Block& block, const WrapPolicy& policy) {
    return policy.classes.empty() || std::ranges::find(policy.classes, block.class_name()) != policy.classes.end();
}

std::set<std::string> classes_of(const std::vector<Block*>& blocks) {
    std::set<std::string> known;
    for (const Block* block : blocks)
        known.insert(block->class_name());
    return known;
}

std::set<const void*> tensors_in(const Block& block) {
    std::set<const void*> tensors;
    for (const at::Tensor& parameter : block.parameters())
        tensors.insert(parameter.unsafeGetTensorImpl());
    return tensors;
}

/// Elements of a block's parameters, without those of `taken`; of a parameter with several names once.
std::int64_t elements_besides(const Block& block, std::set<const void*> taken) {
    std::int64_t count = 0;
    for (const at::Tensor& parameter : block.parameters())
        if (taken.insert(parameter.unsafeGetTensorImpl()).second)
            count += parameter.numel();
    return count;
}

}  // namespace

void checkpoint_blocks(const std::vector<Block*>& blocks, const WrapPolicy& policy) {
    if (blocks.empty())
        throw UserError(
            "activation checkpointing is asked for, but the model names no block: give it blocks(), which returns the "
            "modules that it wrapped with wrap_block");
    const std::set<std::string> known = classes_of(blocks);
    for (const std::string& name : policy.classes)
        if (!known.contains(name))
            throw UserError(
                "activation checkpointing is asked for blocks of the class '{}', but the model's "
                "blocks are of {}: name one of these, or wrap those modules",
                name, fmt::join(known, ", "));
    const auto chosen = [&](const Block* block) {
        return is_of_class(*block, policy) && block->parameter_count() >= policy.min_parameters;
    };
    if (std::ranges::none_of(blocks, chosen))
        throw UserError(
            "activation checkpointing acts on no block: none that is asked for has {} parameters; "
            "lower min_parameters",
            policy.min_parameters);
    for (Block* block : blocks)
        block->set_checkpointed(chosen(block));
}

std::vector<Block*> blocks_to_gather(const std::vector<Block*>& blocks, const WrapPolicy& policy,
                                     const std::vector<std::string>& whole) {
    const std::set<std::string> known = classes_of(blocks);
    for (const std::vector<std::string>* names : {&policy.classes, &whole})
        for (const std::string& name : *names)
            if (blocks.empty())
                throw UserError(
                    "the weights of blocks of the class '{}' are to be gathered, but the model names no block: give it "
                    "blocks(), which returns the modules that it wrapped with wrap_block",
                    name);
            else if (!known.contains(name))
                throw UserError(
                    "the weights of blocks of the class '{}' are to be gathered, but the model's blocks are of {}: "
                    "name one of these, or wrap those modules",
                    name, fmt::join(known, ", "));
    std::vector<std::set<const void*>> whole_blocks;
    for (const Block* block : blocks)
        if (std::ranges::find(whole, block->class_name()) != whole.end())
            whole_blocks.push_back(tensors_in(*block));
    // Inner blocks first: the size of a block is that of what is not in chosen blocks inside it, as in torch.
    std::vector<std::pair<Block*, std::set<const void*>>> by_size;
    for (Block* block : blocks)
        by_size.emplace_back(block, tensors_in(*block));
    std::ranges::stable_sort(by_size, {}, [](const auto& one) { return one.second.size(); });
    std::set<const Block*> chosen;
    std::set<const void*> taken;
    for (const auto& [block, own] : by_size) {
        const bool is_whole = std::ranges::find(whole, block->class_name()) != whole.end();
        const bool is_inside = !is_whole && std::ranges::any_of(whole_blocks, [&](const std::set<const void*>& outer) {
            return std::ranges::includes(outer, own);
        });
        if (is_inside || !is_of_class(*block, policy) || elements_besides(*block, taken) < policy.min_parameters)
            continue;
        chosen.insert(block);
        taken.insert(own.begin(), own.end());
    }
    std::vector<Block*> in_order;
    std::ranges::copy_if(blocks, std::back_inserter(in_order), [&](Block* block) { return chosen.contains(block); });
    return in_order;
}

}  // namespace trainyard::accelerator
