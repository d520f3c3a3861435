#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <trainyard/block.h>

#include "base/error.h"

namespace trainyard::accelerator {

void checkpoint_blocks(const std::vector<Block*>& blocks, const WrapPolicy& policy) {
    if (blocks.empty())
        throw UserError(
            "activation checkpointing is asked for, but the model names no block: give it blocks(), which returns the "
            "modules that it wrapped with wrap_block");
    std::set<std::string> known;
    for (const Block* block : blocks)
        known.insert(block->class_name());
    for (const std::string& name : policy.classes)
        if (!known.contains(name))
            throw UserError(
                "activation checkpointing is asked for blocks of the class '{}', but the model's "
                "blocks are of {}: name one of these, or wrap those modules",
                name, fmt::join(known, ", "));
    const auto chosen = [&](const Block* block) {
        return (policy.classes.empty() ||
                std::ranges::find(policy.classes, block->class_name()) != policy.classes.end()) &&
               block->parameter_count() >= policy.min_parameters;
    };
    if (std::ranges::none_of(blocks, chosen))
        throw UserError(
            "activation checkpointing acts on no block: none that is asked for has {} parameters; "
            "lower min_parameters",
            policy.min_parameters);
    for (Block* block : blocks)
        block->set_checkpointed(chosen(block));
}

}  // namespace trainyard::accelerator
