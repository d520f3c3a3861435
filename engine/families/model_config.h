#pragma once
// The values of a model: those of Hugging Face's config.json under the same names, which are also the keys of a
// recipe's section `model`. Values that a family does not use keep their defaults; its key table defines which it uses
// and their meaning (family.h).

#include <cstdint>
#include <string>

namespace trainyard::families {

/// The defaults are those of a recipe: a small GPT-2 on bytes without dropout. Family::defaults() has those of
/// transformers.
struct ModelConfig {
    std::string model_type = "gpt2";
    std::int64_t vocab_size = 256;  ///< bytes
    std::int64_t n_positions = 64;  ///< maximum sequence length
    std::int64_t n_embd = 128;      ///< hidden width
    std::int64_t n_layer = 4;
    std::int64_t n_head = 4;
    std::int64_t n_inner = 0;                      ///< 0: 4 * n_embd (null in config.json)
    std::string activation_function = "gelu_new";  ///< a name of activation.h
    double resid_pdrop = 0.0;
    double embd_pdrop = 0.0;
    double attn_pdrop = 0.0;
    double layer_norm_epsilon = 1e-5;
    double initializer_range = 0.02;
    bool scale_attn_weights = true;                ///< scores are divided by sqrt(n_embd / n_head)
    bool scale_attn_by_inverse_layer_idx = false;  ///< scores of block i are divided by i + 1
    bool reorder_and_upcast_attn = false;          ///< scores are fp32 in mixed precision, too
    bool add_cross_attention = false;
    bool tie_word_embeddings = true;  ///< the head uses the token embedding as its weight
    std::int64_t bos_token_id = -1;   ///< -1: none (null in config.json)
    std::int64_t eos_token_id = -1;
    std::int64_t pad_token_id = -1;
    bool operator==(const ModelConfig&) const = default;
};

}  // namespace trainyard::families
