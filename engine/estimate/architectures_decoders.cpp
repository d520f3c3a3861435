// SPDX-License-Identifier: GPL-3.0-or-later
// Decoder language models: Gemma, Phi.

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

/// The classes with heads around a model: language model, sequence and token classification.
Architecture decoder(const std::string& type, const std::string& prefix, const std::string& inner, const Build& base,
                     const std::string& table, const std::string& block, std::int64_t vocabulary,
                     std::int64_t default_width, bool head_bias = false) {
    const auto width = [=](const Config& config) { return config.whole(kWidth, default_width); };
    Architecture made{type, prefix + "Model", inner, base};
    made.modules = {
        .no_split = {{block + ".#", prefix + "DecoderLayer"}},
        // The families that share transformers' general class call the product score.
        .classes = {{"AutoModelForSequenceClassification", prefix + "ForSequenceClassification", "score", false},
                    {"AutoModelForTokenClassification", prefix + "ForTokenClassification", "score"}},
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
            decoder("phi", "Phi", "model", phi_model, "embed_tokens", "layers", 51200, 2048, true)};
}

}  // namespace trainyard::estimate
