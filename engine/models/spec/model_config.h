// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The values of a model: those of Hugging Face's config.json under the same names, which are also the keys of a
// recipe's section `model`. Values that a family does not use keep their defaults; its key table defines which it uses
// and their meaning (family.h).

#include <cstdint>
#include <string>

namespace trainyard::families {

/// A table or list of config.json (rope_parameters, layer_types), as JSON in one line; empty: not given.
struct JsonText {
    std::string text = {};
    bool operator==(const JsonText&) const = default;
};

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

    /// What the head computes, and with it the class of transformers: a name of tasks.h.
    std::string task = "causal_lm";

    // Models and losses of the user's own
    std::string plugin;  ///< the model's name in its plug-in (models/plugins/trainyard/plugin.h)
    JsonText arguments;  ///< what the plug-in makes it with
    std::string loss;    ///< the recipe's model.loss: one of labels.h or of a plug-in; empty: that of the task

    // Decoders
    std::int64_t num_key_value_heads = 0;  ///< heads of keys and values that query heads share; 0: n_head
    std::int64_t head_dim = 0;             ///< width of a head; 0: n_embd / n_head
    JsonText rope_parameters;              ///< rotary positions (rotary.h)
    std::int64_t sliding_window = 0;       ///< keys that a query sees, itself included; 0: all before it
    bool use_sliding_window = false;       ///< Qwen; false: no window
    std::int64_t max_window_layers = 28;   ///< Qwen: blocks from this one on have the window
    JsonText layer_types;                  ///< of each block: full_attention or sliding_attention
    bool attention_bias = false;
    bool mlp_bias = false;
    double attn_logit_softcapping = 0;     ///< scores are cap * tanh(scores / cap); 0: not
    double final_logit_softcapping = 0;    ///< the same of logits
    double query_pre_attn_scalar = 256;    ///< Gemma 2: scores are divided by its root
    bool use_parallel_residual = true;     ///< GPT-NeoX: attention and feed-forward read the same stream
    bool do_layer_norm_before = true;      ///< OPT; false: norms are behind the residual sums
    std::int64_t word_embed_proj_dim = 0;  ///< OPT: width of the token table; 0: n_embd
    bool apply_residual_connection_post_layernorm = false;  ///< BLOOM: branches are added to what they read, normed
    bool alibi = false;                        ///< Falcon: scores have ALiBi (alibi.h) and no rotary positions
    bool multi_query = true;                   ///< Falcon: all heads share one of keys and values
    bool new_decoder_architecture = false;     ///< Falcon: groups of heads share one of keys and values
    bool parallel_attn = true;                 ///< Falcon: attention and feed-forward read the same stream
    std::int64_t num_ln_in_parallel_attn = 0;  ///< Falcon: norms in front of both; 0: 2 in the new architecture, else 1
    JsonText attn_config;                      ///< MPT
    std::int64_t num_local_experts = 8;        ///< Mixtral
    std::int64_t num_experts_per_tok = 2;      ///< Mixtral: experts that compute a token
    std::int64_t moe_intermediate_size = 1408;            ///< Qwen 2 MoE: width inside an expert
    std::int64_t shared_expert_intermediate_size = 5632;  ///< Qwen 2 MoE: width inside the expert of all tokens
    bool norm_topk_prob = false;                          ///< Qwen 2 MoE: the weights of a token's experts sum to 1
    std::int64_t decoder_sparse_step = 1;                 ///< Qwen 2 MoE: one of so many blocks has experts
    JsonText mlp_only_layers;                             ///< Qwen 2 MoE: numbers of further blocks without experts
    bool output_router_logits = false;                    ///< Mixtral: the load-balancing loss is added
    double router_aux_loss_coef = 0.001;                  ///< factor of that loss

    // Encoders and classification
    std::int64_t type_vocab_size = 2;   ///< kinds of segments; 0: no table
    std::int64_t num_labels = 2;        ///< classes
    JsonText id2label;                  ///< names of the classes: {"0": "negative", ...}
    std::string problem_type;           ///< regression, single_label_classification; empty: as num_labels says
    double classifier_dropout = -1;     ///< before the classifier; -1: resid_pdrop
    double qa_dropout = 0.1;            ///< DistilBERT: before the head of question_answering
    bool sinusoidal_pos_embds = false;  ///< DistilBERT: positions start as sines

    // T5
    std::int64_t num_decoder_layers = 0;  ///< 0: n_layer
    std::int64_t relative_attention_num_buckets = 32;
    std::int64_t relative_attention_max_distance = 128;
    std::string feed_forward_proj = "relu";  ///< an activation function, or "gated-" and one
    bool scale_decoder_outputs = true;       ///< hidden states are divided by the root of n_embd before the head
    double initializer_factor = 1;
    std::int64_t decoder_start_token_id = 0;

    // Images
    std::int64_t image_size = 224;  ///< pixels of either side
    std::int64_t patch_size = 16;
    std::int64_t num_channels = 3;
    bool qkv_bias = true;
    std::int64_t embedding_size = 64;       ///< ResNet: channels after the first convolution
    JsonText hidden_sizes;                  ///< ResNet: channels of each stage
    JsonText depths;                        ///< ResNet: blocks of each stage
    std::string layer_type = "bottleneck";  ///< ResNet: basic, bottleneck
    bool downsample_in_first_stage = false;
    bool downsample_in_bottleneck = false;

    // SegFormer: lists have a number for each stage
    std::int64_t num_encoder_blocks = 0;  ///< stages; 0: as many as depths has
    JsonText sr_ratios, patch_sizes, strides, stage_heads, mlp_ratios;
    std::int64_t decoder_hidden_size = 256;
    double drop_path_rate = 0;                      ///< share of the samples that skip the last block
    std::int64_t semantic_loss_ignore_index = 255;  ///< value of pixels that are not counted

    // Speech: lists have a number for each convolution in front of the blocks
    JsonText conv_dim, conv_stride, conv_kernel;
    bool conv_bias = false;
    std::string feat_extract_norm = "layer";       ///< layer: each convolution; group: the first, by channel
    std::string feat_extract_activation = "gelu";  ///< of the convolutions
    std::int64_t num_conv_pos_embeddings = 128;    ///< positions that the convolution of positions sees
    std::int64_t num_conv_pos_embedding_groups = 16;
    bool do_stable_layer_norm = false;                         ///< norms are in front of the branches of a block
    double activation_dropout = 0.1;                           ///< inside the feed-forward layers
    double feat_proj_dropout = 0, feat_quantizer_dropout = 0;  ///< of the features, as blocks and as codes read them
    double layerdrop = 0.1;                                    ///< share of the steps that skip a block
    double mask_time_prob = 0.05;  ///< share of the frames that spans would mask without overlaps
    std::int64_t mask_time_length = 10, mask_time_min_masks = 2;  ///< frames of a span; spans of a sample
    std::int64_t num_codevectors_per_group = 320, num_codevector_groups = 2, codevector_dim = 256;
    std::int64_t proj_codevector_dim = 256;  ///< width in which frames and codes are compared
    std::int64_t num_negatives = 100;        ///< negatives of each masked frame
    double contrastive_logits_temperature = 0.1, diversity_loss_weight = 0.1;
    double max_gumbel_temperature = 2, min_gumbel_temperature = 0.5, gumbel_temperature_decay = 0.999995;

    // What is estimated only (Family::untrained_keys)
    std::int64_t image_width = 0, patch_width = 0;  ///< 0: as image_size, patch_size
    std::int64_t pooler_output_size = 0;            ///< 0: n_embd
    bool norm_weights = true;
    bool no_final_norm = false;

    bool operator==(const ModelConfig&) const = default;
};

}  // namespace trainyard::families
