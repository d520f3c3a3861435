// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <trainyard/block.h>

#include "base/error.h"

namespace trainyard::accelerator {

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
