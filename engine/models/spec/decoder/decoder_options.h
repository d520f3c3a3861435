// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A decoder as options: what tells the Llama family, GPT-NeoX, OPT, BLOOM and Falcon apart. decoder_family.cpp makes
// the options of a configuration, decoder_network.cpp computes what they say; neither asks for the name of a model.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/spec/activation.h"
#include "models/spec/family.h"
#include "models/spec/rotary.h"

namespace trainyard::families {

/// Modules of a decoder. A family's row names those that it has, in the order of transformers.
enum class DecoderModule {
    query,
    key,
    value,
    query_key_value,          ///< rows of all queries, then keys, then values
    query_key_value_by_head,  ///< of each key head: rows of its queries, of its key and of its value
    query_norm,
    key_norm,
    attention_output,
    gate,
    up,
    gate_up,  ///< rows of gate, then up
    down,
    router,
    expert_gate,  ///< names of experts have {} instead of the expert's number
    expert_up,
    expert_down,
    shared_gate,  ///< of the expert that computes every token
    shared_up,
    shared_down,
    shared_router,  ///< its weight for a token, before the logistic function
    norm_1,         ///< of attention
    norm_1_after,   ///< of attention's output
    norm_2,         ///< of the feed-forward layers
    norm_2_after,   ///< of their output
};

struct DecoderNames {
    std::string token_table = {}, token_norm = {}, position_table = {}, project_in = {}, project_out = {}, blocks = {},
                final_norm = {}, head = {};
    std::vector<std::pair<DecoderModule, std::string>> block;
};

struct DecoderOptions {
    enum class Norm {
        rms,           ///< x / root(mean(x^2)) * weight
        rms_plus_one,  ///< the same times (1 + weight)
        layer
    };
    enum class Flow {
        pre_norm,      ///< stream + branch(norm(stream)), twice
        parallel,      ///< stream + attention(norm_1(stream)) + feed_forward(norm_2(stream)); one norm without norm_2
        post_norm,     ///< norm(stream + branch(stream)), twice
        normed_stream  ///< norm(stream) + branch(norm(stream)), twice
    };
    DecoderNames names;
    Norm norm = Norm::rms;
    Flow flow = Flow::pre_norm;
    double epsilon = 1e-6;
    std::int64_t vocabulary = 0, positions = 0, layers = 0, width = 0, inner = 0;
    std::int64_t table_width = 0;  ///< of the token table
    std::int64_t heads = 0, key_heads = 0, head_width = 0;
    std::int64_t padding = -1;  ///< token whose row of the table is not trained
    bool rotates = true;
    Rotary rotary;
    double alibi_largest = 0;         ///< exponent that slopes of ALiBi are made of (alibi.h); 0: scores have none
    bool scales_alibi = false;        ///< with the scores
    bool rounds_alibi = false;        ///< to bfloat16
    std::int64_t first_position = 0;  ///< row of the position table for position 0
    bool positions_by_mask = false;   ///< positions count attended tokens only
    bool query_bias = false, output_bias = false, mlp_bias = false;
    bool final_norm = true, norm_weights = true;
    bool norm_bias = true;  ///< of layer norms
    Activation activation = Activation::silu;
    double embedding_factor = 1;
    double score_scale = 0;  ///< 0: 1 / root(head_width)
    double score_cap = 0, logit_cap = 0;
    double projection_limit = 0;        ///< of queries, keys and values, either sign; 0: none
    std::string loss;                   ///< of a plug-in; empty: cross entropy
    std::vector<std::int64_t> windows;  ///< of each block: keys that a query sees; 0: all
    std::int64_t experts = 0, experts_per_token = 0;
    std::int64_t expert_inner = 0, shared_inner = 0;  ///< widths inside an expert, and inside that of all tokens
    std::vector<bool> dense_blocks;                   ///< of each block: it has no experts; empty: all blocks have them
    bool normalises_experts = true;                   ///< the weights of a token's experts are divided by their sum
    bool router_loss = false;
    double router_loss_factor = 0;
    bool tied_head = false;
    double deviation = 0.02;  ///< of initial weights
    double attention_dropout = 0, embedding_dropout = 0;
    double hidden_dropout = 0, mixed_dropout = 0;  ///< of what the feed-forward layers and attention give
    double sum_dropout = 0;                        ///< of the sum of both, where they are parallel

    /// Name of a module of a block; empty where the family has none.
    std::string name_of(DecoderModule module) const {
        for (const auto& [known, name] : names.block)
            if (known == module)
                return name;
        return {};
    }
    bool has(DecoderModule module) const { return !name_of(module).empty(); }
    /// All heads share one of keys and values, in one projection: ranks that share a block have all of it each, and its
    /// gradients are added.
    bool has_whole_projection() const {
        return has(DecoderModule::query_key_value_by_head) && key_heads == 1 && heads > 1;
    }
    bool has_norm_biases() const { return norm == Norm::layer && norm_bias; }
    bool has_experts(std::int64_t block) const {
        return experts > 0 && (dense_blocks.empty() || !dense_blocks[static_cast<std::size_t>(block)]);
    }
    /// Whether a block of this number has the module. Of a family with experts its feed-forward layers are dense, or
    /// they are experts.
    bool has(DecoderModule module, std::int64_t block) const;
};

/// `config` must be of a family with this network.
DecoderOptions decoder_options(const ModelConfig& config);
/// Llama, Mistral, Qwen 2 and 3, Qwen 2 MoE, Phi-3, Gemma 2, Mixtral, GPT-NeoX, OPT, BLOOM, Falcon, MPT.
const std::vector<const Family*>& decoder_families();

}  // namespace trainyard::families
