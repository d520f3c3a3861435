// SPDX-License-Identifier: GPL-3.0-or-later
// Vision models: ConvNeXt, CLIP.

#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Config = ArchitectureConfig;

void convnext_model(Module& model, const Config& config) {
    const std::vector<std::int64_t> widths = config.list("hidden_sizes", {96, 192, 384, 768}),
                                    depths = config.list("depths", {3, 3, 9, 3});
    const std::int64_t patch = config.whole("patch_size", 4);
    if (widths.size() != depths.size())
        config.fail("depths", "needs as many numbers as hidden_sizes");
    Module& embeddings = model.child("embeddings");
    embeddings.conv("patch_embeddings", config.whole("num_channels", 3), widths[0], {patch, patch});
    embeddings.norm("layernorm", widths[0]);
    Module& stages = model.child("encoder").child("stages");
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::int64_t width = widths[i];
        Module& stage = stages.child(std::to_string(i));
        if (i > 0) {
            Module& down = stage.child("downsampling_layer");
            down.norm("0", widths[i - 1]);
            down.conv("1", widths[i - 1], width, {2, 2});
        }
        Module& layer = stage.child("layers").layers(depths[i]);
        if (config.number("layer_scale_init_value", 1e-6) > 0)
            layer.parameter("layer_scale_parameter", {width});
        layer.conv("dwconv", 1, width, {7, 7});
        layer.norm("layernorm", width);
        layer.linear("pwconv1", width, 4 * width);
        layer.linear("pwconv2", 4 * width, width);
    }
    model.norm("layernorm", widths.back());
}

Architecture convnext() {
    Architecture made{"convnext", "ConvNextModel", "convnext", convnext_model};
    made.modules = {.no_split = {{"stages.#", "ConvNextStage"}, {"layers.#", "ConvNextLayer"}},
                    .classes = {{"AutoModelForImageClassification", "ConvNextForImageClassification", "classifier"}}};
    made.width = [](const Config& config) { return config.list("hidden_sizes", {96, 192, 384, 768}).back(); };
    return made;
}

void clip_layers(Module& model, const Config& config, std::int64_t width, std::int64_t inner) {
    Module& block = model.child("encoder").child("layers").layers(config.whole("num_hidden_layers", 12, 0));
    Module& attention = block.child("self_attn");
    for (const char* name : {"k_proj", "v_proj", "q_proj", "out_proj"})
        attention.linear(name, width, width);
    block.norm("layer_norm1", width);
    Module& mlp = block.child("mlp");
    mlp.linear("fc1", width, inner);
    mlp.linear("fc2", inner, width);
    block.norm("layer_norm2", width);
}

void clip_model(Module& model, const Config& config) {
    const Config text = config.table("text_config"), vision = config.table("vision_config");
    const std::int64_t projected = config.whole("projection_dim", 512), text_width = text.whole("hidden_size", 512),
                       vision_width = vision.whole("hidden_size", 768), patch = vision.whole("patch_size", 32),
                       positions = text.whole("max_position_embeddings", 77);
    model.parameter("logit_scale", {});
    Module& texts = model.child("text_model");
    Module& tokens = texts.child("embeddings").buffer("position_ids", {1, positions}, 8);
    tokens.embedding("token_embedding", text.whole("vocab_size", 49408), text_width);
    tokens.embedding("position_embedding", positions, text_width);
    clip_layers(texts, text, text_width, text.whole("intermediate_size", 2048));
    texts.norm("final_layer_norm", text_width);
    Module& pictures = model.child("vision_model");
    const std::int64_t side = vision.whole("image_size", 224) / patch, places = side * side + 1;
    Module& patches = pictures.child("embeddings")
                          .parameter("class_embedding", {vision_width})
                          .buffer("position_ids", {1, places}, 8);
    patches.conv("patch_embedding", vision.whole("num_channels", 3), vision_width, {patch, patch}, false);
    patches.embedding("position_embedding", places, vision_width);
    pictures.norm("pre_layrnorm", vision_width);  // spelt so in transformers
    clip_layers(pictures, vision, vision_width, vision.whole("intermediate_size", 3072));
    pictures.norm("post_layernorm", vision_width);
    model.linear("visual_projection", vision_width, projected, false);
    model.linear("text_projection", text_width, projected, false);
}

}  // namespace

std::vector<Architecture> vision_architectures() {
    Architecture clip{"clip", "CLIPModel", "", clip_model};
    clip.modules.no_split = {{"encoder.layers.#", "CLIPEncoderLayer"},
                             {"text_model.embeddings", "CLIPTextEmbeddings"},
                             {"vision_model.embeddings", "CLIPVisionEmbeddings"}};
    return {convnext(), clip};
}

}  // namespace trainyard::estimate
