// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/step_operations.h"

#include <algorithm>

#include "estimate/training_memory.h"

namespace trainyard::estimate {

namespace {

/// Returns the part of a block's adapters that one of `tp` tensor parallel ranks has.
double adapters_on_rank(const TrainingSetup& setup, const BlockShape& block, double tp) {
    return setup.adapted_whole + setup.adapted_keys / block.key_ranks(tp) +
           (1 - setup.adapted_whole - setup.adapted_keys) / tp;
}

}  // namespace

pipeline::StageBlocks trained_blocks(const TrainingSetup& setup, const pipeline::StageBlocks& stage) {
    pipeline::StageBlocks blocks = stage;
    const auto first = static_cast<int>(std::min<std::int64_t>(setup.trained_weights().first_block, stage.end));
    blocks.begin = std::max(stage.begin, first);
    return blocks;
}

pipeline::StageBlocks blocks_of_backward(const TrainingSetup& setup, const pipeline::StageBlocks& stage) {
    return stage.begin == 0 ? trained_blocks(setup, stage) : stage;
}

RankParameters parameters_on_rank(const ModelParts& model, const Layout& layout,
                                  std::span<const pipeline::StageBlocks> stages) {
    const auto tp = static_cast<double>(layout.tp), ep = static_cast<double>(layout.ep);
    const bool first = stages.front().begin == 0, last = stages.back().end == model.layers();
    RankParameters all;
    for (std::size_t kind = 0; kind < model.blocks.size(); ++kind) {
        const BlockShape& block = model.blocks[kind];
        double count = 0;
        for (const pipeline::StageBlocks& stage : stages)
            count += blocks_on(model, kind, stage);
        const double dense = block.dense_on_rank(tp), experts = block.expert_parameters / tp / ep;
        all.dense += count * dense;
        all.experts += count * experts;
        if (count > 0)
            all.largest_block = std::max(all.largest_block, dense + experts);
    }
    all.outside = (first ? model.embedding_on_rank(tp) : 0) + (last ? model.head_on_rank(tp) : 0) +
                  (last && !first ? model.tied_parameters / tp : 0);
    return all;
}

TrainedParameters trained_on_rank(const ModelParts& model, const TrainingSetup& setup,
                                  std::span<const pipeline::StageBlocks> stages) {
    const TrainedWeights& weights = setup.trained_weights();
    const auto tp = static_cast<double>(setup.layout.tp), ep = static_cast<double>(setup.layout.ep),
               rank = static_cast<double>(setup.lora_rank);
    const bool first = stages.front().begin == 0, last = stages.back().end == model.layers();
    TrainedParameters trained;
    for (std::size_t kind = 0; kind < model.blocks.size(); ++kind) {
        const BlockShape& block = model.blocks[kind];
        double count = 0;
        for (const pipeline::StageBlocks& stage : stages)
            count += blocks_on(model, kind, trained_blocks(setup, stage));
        trained.dense += count * weights.blocks * block.dense_on_rank(tp);
        trained.experts += count * weights.blocks * block.expert_parameters / tp / ep;
        trained.adapters += count * adapters_on_rank(setup, block, tp) * adapter_parameters(setup, block);
    }
    trained.adapters += rank * ((first ? setup.adapted_embedding : 0) + (last ? setup.adapted_outputs : 0));
    trained.dense += trained.adapters;
    if (first)
        trained.dense += on_tensor_rank(weights.embedding * model.embedding_parameters,
                                        weights.undivided_embedding * model.whole_embedding, tp);
    if (last)
        trained.dense +=
            on_tensor_rank(weights.outputs * model.head_parameters, weights.undivided_outputs * model.whole_head, tp) +
            (first ? 0 : weights.head * model.tied_parameters / tp);
    return trained;
}

TokenOperations token_operations(const ModelParts& model, const TrainingSetup& setup,
                                 const pipeline::StageBlocks& stage, double tp, double expert_load) {
    const bool last = stage.end == model.layers();
    const TrainedWeights& weights = setup.trained_weights();
    const pipeline::StageBlocks reached = blocks_of_backward(setup, stage), trained = trained_blocks(setup, stage);
    const auto sequence = static_cast<double>(setup.sequence);
    TokenOperations operations;
    for (std::size_t kind = 0; kind < model.blocks.size(); ++kind) {
        const BlockShape& block = model.blocks[kind];
        const auto runs = static_cast<double>(block.runs);
        const double all = runs * blocks_on(model, kind, stage), back = runs * blocks_on(model, kind, reached),
                     changing = runs * blocks_on(model, kind, trained);
        const double own = 2 * (block.products_on_rank(tp) + (expert_load - 1) * block.expert_products / tp),
                     attention = 4 * block.attention_width * sequence / tp,
                     adapters = changing * 2 * adapters_on_rank(setup, block, tp) * adapter_products(setup, block);
        operations.forward += all * (own + attention) + adapters;
        operations.activation_gradients += back * (own + 2 * attention) + adapters;
        operations.weight_gradients += changing * weights.products * own + adapters;
        if (setup.checkpointing == Recomputation::full)
            operations.repeated += back * (own + attention) + adapters;
    }
    const double outside = 2 * static_cast<double>(setup.lora_rank) *
                           ((stage.begin == 0 ? setup.adapted_embedding : 0) + (last ? setup.adapted_outputs : 0));
    operations.forward += outside;
    operations.activation_gradients += outside;
    operations.weight_gradients += outside;
    if (last) {
        const double head = 2 * (model.head_products > 0 ? model.head_products : model.tied_parameters) / tp;
        operations.forward += head;
        operations.activation_gradients += head;
        operations.weight_gradients += weights.head * head;
    }
    return operations;
}

}  // namespace trainyard::estimate
