// SPDX-License-Identifier: GPL-3.0-or-later
// Decoder language models: Gemma, Phi, BLOOM, Falcon.

#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Config = ArchitectureConfig;

const std::vector<const char*> kLayers{"num_hidden_layers", "n_layer"};
const std::vector<const char*> kHeads{"num_attention_heads", "n_head"};
const std::vector<const char*> kWidth{"hidden_size", "n_embed"};

/// Two buffers with rotary frequencies, neither of which is saved.
void rotary(Module& model, std::int64_t head_width) {
    const std::int64_t angles = (head_width + 1) / 2;
    model.child("rotary_emb").buffer("inv_freq", {angles}).buffer("original_inv_freq", {angles});
}

void gemma_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 3072), heads = config.whole(kHeads, 16),
                       head_width = config.whole("head_dim", 256), inner = config.whole("intermediate_size", 24576),
                       keys = config.whole("num_key_value_heads", 16) * head_width;
    const bool bias = config.truth("attention_bias", false);
    model.embedding("embed_tokens", config.whole("vocab_size", 256000), width);
    model.children.back().buffer("embed_scale", {});
    Module& block = model.child("layers").layers(config.whole(kLayers, 28, 0));
    Module& attention = block.child("self_attn");
    attention.linear("q_proj", width, heads * head_width, bias);
    attention.linear("k_proj", width, keys, bias);
    attention.linear("v_proj", width, keys, bias);
    attention.linear("o_proj", heads * head_width, width, bias);
    Module& mlp = block.child("mlp");
    mlp.linear("gate_proj", width, inner, false);
    mlp.linear("up_proj", width, inner, false);
    mlp.linear("down_proj", inner, width, false);
    block.norm("input_layernorm", width, false);
    block.norm("post_attention_layernorm", width, false);
    model.norm("norm", width, false);
    rotary(model, head_width);
}

void phi_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 2048), heads = config.whole(kHeads, 32),
                       head_width = width / heads, inner = config.whole("intermediate_size", 8192),
                       keys = config.whole("num_key_value_heads", heads) * head_width;
    model.embedding("embed_tokens", config.whole("vocab_size", 51200), width);
    Module& block = model.child("layers").layers(config.whole(kLayers, 24, 0));
    Module& attention = block.child("self_attn");
    attention.linear("q_proj", width, heads * head_width);
    attention.linear("k_proj", width, keys);
    attention.linear("v_proj", width, keys);
    attention.linear("dense", heads * head_width, width);
    if (config.truth("qk_layernorm", false)) {
        attention.norm("q_layernorm", head_width);
        attention.norm("k_layernorm", head_width);
    }
    Module& mlp = block.child("mlp");
    mlp.linear("fc1", width, inner);
    mlp.linear("fc2", inner, width);
    block.norm("input_layernorm", width);
    const double share = config.table("rope_parameters").number("partial_rotary_factor", 0.5);
    rotary(model,
           static_cast<std::int64_t>(static_cast<double>(head_width) *
                                     config.number("partial_rotary_factor", config.number("rotary_pct", share))));
    model.norm("final_layernorm", width);
}

/// BLOOM and Falcon use this attention.
void attention_4h(Module& block, std::int64_t width, std::int64_t queries_keys_values, bool bias) {
    Module& attention = block.child("self_attention");
    attention.linear("query_key_value", width, queries_keys_values, bias);
    attention.linear("dense", width, width, bias);
}

void mlp_4h(Module& block, std::int64_t width, std::int64_t inner, bool bias) {
    Module& mlp = block.child("mlp");
    mlp.linear("dense_h_to_4h", width, inner, bias);
    mlp.linear("dense_4h_to_h", inner, width, bias);
}

void bloom_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole(kWidth, 64);
    model.embedding("word_embeddings", config.whole("vocab_size", 250880), width);
    model.norm("word_embeddings_layernorm", width);
    Module& block = model.child("h").layers(config.whole(kLayers, 2, 0));
    block.norm("input_layernorm", width);
    attention_4h(block, width, 3 * width, true);
    block.norm("post_attention_layernorm", width);
    mlp_4h(block, width, 4 * width, true);
    model.norm("ln_f", width);
}

void falcon_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole(kWidth, 4544), heads = config.whole(kHeads, 71), head_width = width / heads;
    const bool newer = config.truth("new_decoder_architecture", false), bias = config.truth("bias", false),
               multi_query = config.truth("multi_query", true);
    const std::int64_t key_value_heads = config.whole("num_kv_heads", heads),
                       queries_keys_values = newer         ? (key_value_heads * 2 + heads) * head_width
                                             : multi_query ? width + 2 * head_width
                                                           : 3 * width;
    model.embedding("word_embeddings", config.whole("vocab_size", 65024), width);
    Module& block = model.child("h").layers(config.whole(kLayers, 32, 0));
    attention_4h(block, width, queries_keys_values, bias);
    mlp_4h(block, width, config.whole("ffn_hidden_size", 4 * width), bias);
    if (!config.truth("parallel_attn", true)) {
        block.norm("post_attention_layernorm", width);
        block.norm("input_layernorm", width);
    } else if (config.whole("num_ln_in_parallel_attn", newer ? 2 : 1) == 2) {
        block.norm("ln_attn", width);
        block.norm("ln_mlp", width);
    } else {
        block.norm("input_layernorm", width);
    }
    model.norm("ln_f", width);
    rotary(model, head_width);  // also with ALiBi
}

/// The classes with heads around a model: language model, sequence and token classification.
Architecture decoder(const std::string& type, const std::string& prefix, const std::string& inner, const Build& base,
                     const std::string& table, const std::string& block, std::int64_t vocabulary,
                     std::int64_t default_width, bool head_bias = false) {
    const auto width = [=](const Config& config) { return config.whole(kWidth, default_width); };
    Architecture made{type, prefix + "Model", inner, base};
    made.modules = {
        .no_split = {{block + ".#", prefix + (block == "h" && type == "bloom" ? "Block" : "DecoderLayer")}},
        // The families that share transformers' general class call the product score.
        .classes = {{"AutoModelForSequenceClassification", prefix + "ForSequenceClassification", "score", false},
                    {"AutoModelForTokenClassification", prefix + "ForTokenClassification",
                     inner == "model" ? "score" : "classifier"}},
        .shared = {{inner + "." + table + ".weight", "lm_head.weight"}}};
    made.heads = {{"AutoModelForCausalLM", prefix + "ForCausalLM", [=](Module& model, const Config& config) {
                       model.linear("lm_head", width(config), config.whole("vocab_size", vocabulary), head_bias);
                   }}};
    made.width = width;
    made.tie_word_embeddings = type != "phi";
    return made;
}

}  // namespace

std::vector<Architecture> decoder_architectures() {
    return {decoder("gemma", "Gemma", "model", gemma_model, "embed_tokens", "layers", 256000, 3072),
            decoder("phi", "Phi", "model", phi_model, "embed_tokens", "layers", 51200, 2048, true),
            decoder("bloom", "Bloom", "transformer", bloom_model, "word_embeddings", "h", 250880, 64),
            decoder("falcon", "Falcon", "transformer", falcon_model, "word_embeddings", "h", 65024, 4544)};
}

}  // namespace trainyard::estimate
