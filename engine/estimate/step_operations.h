// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Multiplications and additions of products in a step, forward and backward: of the model's own weights, of attention
// and of adapters. Frozen weights have no gradients, and backward ends at the first block with something that is
// trained (TrainedWeights).

#include <span>

#include "distributed/pipeline/stage_blocks.h"
#include "estimate/training_setup.h"

namespace trainyard::estimate {

/// Operations per token.
struct TokenOperations {
    double forward = 0;
    double activation_gradients = 0;
    double weight_gradients = 0;
    double repeated = 0;  ///< what checkpointing computes again
    double backward() const { return activation_gradients + weight_gradients + repeated; }
};

/// The blocks of a stage from the first one on with something that is trained.
pipeline::StageBlocks trained_blocks(const TrainingSetup& setup, const pipeline::StageBlocks& stage);
/// The blocks of a stage that backward computes. Later stages of a pipeline send gradients to earlier ones, whatever is
/// trained there.
pipeline::StageBlocks blocks_of_backward(const TrainingSetup& setup, const pipeline::StageBlocks& stage);

/// Parameters that one of the ranks which share a stage (tensor and expert parallelism) has.
struct RankParameters {
    double dense = 0;    ///< of blocks, without experts
    double experts = 0;  ///< of the experts that it has
    double outside = 0;  ///< of the embedding and the head
    double largest_block = 0;
    double total() const { return dense + experts + outside; }
};

/// Returns the parameters of a rank with these stages.
RankParameters parameters_on_rank(const ModelParts& model, const Layout& layout,
                                  std::span<const pipeline::StageBlocks> stages);

/// Parameters that one of the ranks which share a stage (tensor and expert parallelism) trains.
struct TrainedParameters {
    double dense = 0;     ///< with adapters: every rank has those of all experts
    double experts = 0;   ///< of the experts that it has
    double adapters = 0;  ///< of dense
    double total() const { return dense + experts; }
};

/// The trained parameters of a rank with these stages.
TrainedParameters trained_on_rank(const ModelParts& model, const TrainingSetup& setup,
                                  std::span<const pipeline::StageBlocks> stages);

/// 2 per weight of a product in forward, and as many for each of both gradients; 4 * width * sequence per attention,
/// and twice as many in backward (Chowdhery et al., "PaLM", 2022, appendix B); the same for A and B of adapters as for
/// other weights; the last stage has the head. The result is that of one of `tp` ranks which share the products: what
/// they do not divide, each of them computes. `expert_load`: rows of experts, relative to an even share.
TokenOperations token_operations(const ModelParts& model, const TrainingSetup& setup,
                                 const pipeline::StageBlocks& stage, double tp = 1, double expert_load = 1);

}  // namespace trainyard::estimate
