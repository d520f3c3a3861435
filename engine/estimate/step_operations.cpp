// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/step_operations.h"

#include <algorithm>

#include "estimate/training_memory.h"

namespace trainyard::estimate {

pipeline::StageBlocks trained_blocks(const TrainingSetup& setup, const pipeline::StageBlocks& stage) {
    pipeline::StageBlocks blocks = stage;
    const auto first = static_cast<int>(std::min<std::int64_t>(setup.trained_weights().first_block, stage.end));
    blocks.begin = std::max(stage.begin, first);
    return blocks;
}

pipeline::StageBlocks blocks_of_backward(const TrainingSetup& setup, const pipeline::StageBlocks& stage) {
    return stage.begin == 0 ? trained_blocks(setup, stage) : stage;
}

TokenOperations token_operations(const ModelParts& model, const TrainingSetup& setup,
                                 const pipeline::StageBlocks& stage, bool last, double expert_load) {
    const TrainedWeights& weights = setup.trained_weights();
    const pipeline::StageBlocks reached = blocks_of_backward(setup, stage), trained = trained_blocks(setup, stage);
    const auto sequence = static_cast<double>(setup.sequence);
    TokenOperations operations;
    for (std::size_t kind = 0; kind < model.blocks.size(); ++kind) {
        const BlockShape& block = model.blocks[kind];
        const auto runs = static_cast<double>(block.runs);
        const double all = runs * blocks_on(model, kind, stage), back = runs * blocks_on(model, kind, reached),
                     changing = runs * blocks_on(model, kind, trained);
        const double own = 2 * (block.products + (expert_load - 1) * block.expert_products),
                     attention = 4 * block.attention_width * sequence,
                     adapters = changing * 2 * adapter_products(setup, block);
        operations.forward += all * (own + attention) + adapters;
        operations.activation_gradients += back * (own + 2 * attention) + adapters;
        operations.weight_gradients += changing * weights.products * own + adapters;
        if (setup.checkpointing == Recomputation::full)
            operations.repeated += back * (own + attention) + adapters;
    }
    if (last) {
        const double head = 2 * (model.head_products > 0 ? model.head_products : model.tied_parameters);
        operations.forward += head;
        operations.activation_gradients += head;
        operations.weight_gradients += weights.head * head;
    }
    return operations;
}

}  // namespace trainyard::estimate
