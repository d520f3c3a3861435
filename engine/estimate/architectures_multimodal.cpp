// SPDX-License-Identifier: GPL-3.0-or-later
// Models of texts and images together: Idefics.

#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Config = ArchitectureConfig;

std::int64_t vision_width(const Config& config) {
    return config.table("vision_config").whole({"embed_dim", "hidden_size"}, 768);
}

/// The size of one head. Throws UserError if the heads do not divide the width.
std::int64_t idefics_head_width(const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 4096), heads = config.whole("num_attention_heads", 32);
    if (width % heads != 0)
        config.fail("num_attention_heads", Message("{} heads do not divide hidden_size {}", heads, width));
    return width / heads;
}

/// Attention with keys and values of `source` features.
void idefics_attention(Module& attention, const Config& config, std::int64_t source, bool head_norms) {
    const std::int64_t width = config.whole("hidden_size", 4096), head_width = idefics_head_width(config),
                       angles = (config.whole("head_dim", head_width) + 1) / 2;
    attention.linear("q_proj", width, width, false);
    attention.linear("k_proj", source, width, false);
    attention.linear("v_proj", source, width, false);
    attention.linear("o_proj", width, width, false);
    attention.child("rotary_emb").buffer("inv_freq", {angles}).buffer("original_inv_freq", {angles});
    if (head_norms) {
        attention.norm("q_layer_norm", head_width, false);
        attention.norm("k_layer_norm", head_width, false);
    }
}

/// The part of a layer after its attention.
void idefics_rest(Module& block, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 4096), inner = config.whole("intermediate_size", 11008);
    Module& mlp = block.child("mlp");
    mlp.linear("gate_proj", width, inner, false);
    mlp.linear("down_proj", inner, width, false);
    mlp.linear("up_proj", width, inner, false);
    block.norm("input_layernorm", width, false);
    block.norm("post_attention_layernorm", width, false);
}

void idefics_vision(Module& model, const Config& vision, std::int64_t width) {
    const std::int64_t patch = vision.whole("patch_size", 14), side = vision.whole("image_size", 224) / patch,
                       places = side * side + 1, inner = vision.whole("intermediate_size", 5120);
    Module& patches =
        model.child("embeddings").parameter("class_embedding", {width}).buffer("position_ids", {1, places}, 8);
    patches.conv("patch_embedding", vision.whole("num_channels", 3), width, {patch, patch}, false);
    patches.embedding("position_embedding", places, width);
    model.norm("pre_layrnorm", width);  // spelt so in transformers
    Module& block = model.child("encoder").child("layers").layers(vision.whole("num_hidden_layers", 32, 0));
    Module& attention = block.child("self_attn");
    for (const char* name : {"k_proj", "v_proj", "q_proj", "out_proj"})
        attention.linear(name, width, width);
    block.norm("layer_norm1", width);
    Module& mlp = block.child("mlp");
    mlp.linear("fc1", width, inner);
    mlp.linear("fc2", inner, width);
    block.norm("layer_norm2", width);
    model.norm("post_layernorm", width);
}

/// Reduces the positions of an image to a fixed number of latents.
void idefics_resampler(Module& model, const Config& perceiver, std::int64_t width) {
    const std::int64_t head_width = perceiver.whole("resampler_head_dim", 96),
                       heads = perceiver.whole("resampler_n_heads", 16) * head_width;
    model.parameter("latents", {perceiver.whole("resampler_n_latents", 64), width});
    Module& block = model.child("blocks").layers(perceiver.whole("resampler_depth", 6, 0));
    Module& attention = block.child("0");
    attention.norm("context_layer_norm", width);
    attention.norm("latents_layer_norm", width);
    if (perceiver.truth("qk_layer_norms_perceiver", false)) {
        attention.norm("q_layer_norm", head_width);
        attention.norm("k_layer_norm", head_width);
    }
    for (const char* name : {"q_proj", "k_proj", "v_proj"})
        attention.linear(name, width, heads, false);
    attention.linear("output_proj", heads, width, false);
    Module& mlp = block.child("1");
    mlp.norm("ln", width);
    mlp.linear("fc", width, 4 * width, false);
    mlp.linear("c_proj", 4 * width, width, false);
    model.norm("layer_norm", width);
}

void idefics_model(Module& model, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 4096), layers = config.whole("num_hidden_layers", 32, 0),
                       added = config.whole("additional_vocab_size", 0, 0), of_images = vision_width(config);
    model.embedding("embed_tokens", config.whole("vocab_size", 32000), width);
    if (added > 0)
        model.children.back().embedding("additional_embedding", added, width);
    idefics_vision(model.child("vision_model"), config.table("vision_config"), of_images);
    if (config.truth("use_resampler", false))
        idefics_resampler(model.child("perceiver_resampler"), config.table("perceiver_config"), of_images);
    Module& block = model.child("layers").layers(layers);
    idefics_attention(block.child("self_attn"), config, width, false);
    idefics_rest(block, config);
    Module& gated = model.child("gated_cross_attn_layers").layers(layers / config.whole("cross_layer_interval", 1));
    const std::string alpha = config.text("alpha_type", "float");
    if (alpha != "float" && alpha != "vector")
        config.fail("alpha_type", Message("{} is neither float nor vector", alpha));
    for (const char* name : {"alpha_cross_attn", "alpha_dense"})
        gated.parameter(name, alpha == "vector" ? families::Shape{1, 1, width} : families::Shape{1});
    idefics_attention(gated.child("cross_attn"), config, of_images, config.truth("qk_layer_norms", false));
    idefics_rest(gated, config);
    model.norm("norm", width, false);
}

void idefics_head(Module& model, const Config& config) {
    const std::int64_t width = config.whole("hidden_size", 4096), added = config.whole("additional_vocab_size", 0, 0);
    model.linear("lm_head", width, config.whole("vocab_size", 32000), false);
    if (added > 0)
        model.children.back().linear("additional_fc", width, added, false);
}

}  // namespace

std::vector<Architecture> multimodal_architectures() {
    Architecture idefics{"idefics", "IdeficsModel", "model", idefics_model};
    idefics.modules = {.no_split = {{"layers.#", "IdeficsDecoderLayer"},
                                    {"gated_cross_attn_layers.#", "IdeficsGatedCrossAttentionLayer"},
                                    {"encoder.layers.#", "IdeficsVisionEncoderLayer"}},
                       .shared = {{"model.embed_tokens.weight", "lm_head.weight"},
                                  {"model.embed_tokens.additional_embedding.weight", "lm_head.additional_fc.weight"}}};
    for (const char* auto_class : {"AutoModelForImageTextToText", "AutoModelForPreTraining"})
        idefics.heads.push_back({auto_class, "IdeficsForVisionText2Text", idefics_head});
    return {idefics};
}

}  // namespace trainyard::estimate
