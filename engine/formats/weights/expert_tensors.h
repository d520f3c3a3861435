// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The two spellings of Mixtral's experts. Files of transformers have matrices of each expert,
// `block_sparse_moe.experts.0.w1.weight`. transformers 5 computes with two tensors for all of a block,
// `mlp.experts.gate_up_proj` [experts, 2 * inner, hidden] and `mlp.experts.down_proj` [experts, hidden, inner], which
// are what Accelerate's save_state and save_pretrained(save_original_format=False) write.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "formats/weights/weight_source.h"

namespace trainyard::weights {

/// Parts of "model.layers.0.block_sparse_moe.experts.3.w1.weight".
struct ExpertName {
    std::string block;  ///< "model.layers.0."
    std::size_t expert = 0;
    std::string matrix;  ///< w1 (gate), w2 (down) or w3 (up)
};
std::optional<ExpertName> expert_name(const std::string& name);
/// The tensor that has this matrix of all experts of a block.
std::string joined_name(const std::string& block, std::string_view matrix);
/// The name of a router beside joined experts; other names as they are.
std::string joined_router(const std::string& name);

/// Whether a block's experts are joined in two tensors.
bool has_joined_experts(const WeightSource& source);

/// The source with matrices of each expert. Others are returned as they are. Throws UserError if the two tensors of a
/// block contradict each other.
std::unique_ptr<WeightSource> split_experts(std::unique_ptr<WeightSource> source);

/// The source with two tensors for the experts of each block. Others are returned as they are. Throws UserError if an
/// expert lacks a matrix or differs from the others in shape or type.
std::unique_ptr<WeightSource> joined_experts(std::unique_ptr<WeightSource> source);

/// open_first_model() under the names of a model's files, with the values of weights that bitsandbytes quantized:
/// readers that look for the tensors of a model use this one.
std::unique_ptr<WeightSource> open_model(const std::filesystem::path& path);

}  // namespace trainyard::weights
