// Vision models: ViT, ResNet, ConvNeXt, CLIP.

#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Config = ArchitectureConfig;

/// One number, or height and width.
std::pair<std::int64_t, std::int64_t> size_of_picture(const Config& config, const char* key, std::int64_t otherwise) {
    if (!config.has(key) || !config.json().at(key).is_array()) {
        const std::int64_t size = config.whole(key, otherwise);
        return {size, size};
    }
    const std::vector<std::int64_t> sizes = config.list(key, {});
    if (sizes.size() != 2)
        config.fail(key, "give one number, or height and width");
    return {sizes[0], sizes[1]};
}

void vit_model(Module& model, const Config& config, bool pooler) {
    const std::int64_t width = config.whole("hidden_size", 768), inner = config.whole("intermediate_size", 3072);
    const auto [height, breadth] = size_of_picture(config, "image_size", 224);
    const auto [patch_height, patch_breadth] = size_of_picture(config, "patch_size", 16);
    const std::int64_t patches = (height / patch_height) * (breadth / patch_breadth);
    Module& embeddings = model.child("embeddings", "ViTEmbeddings")
                             .parameter("cls_token", {1, 1, width})
                             .parameter("position_embeddings", {1, patches + 1, width});
    embeddings.child("patch_embeddings")
        .conv("projection", config.whole("num_channels", 3), width, {patch_height, patch_breadth});
    Module& block = model.child("layers").layers(config.whole("num_hidden_layers", 12, 0), "ViTLayer");
    Module& attention = block.child("attention");
    for (const char* name : {"q_proj", "k_proj", "v_proj"})
        attention.linear(name, width, width, config.truth("qkv_bias", true));
    attention.linear("o_proj", width, width);
    block.norm("layernorm_before", width);
    block.norm("layernorm_after", width);
    Module& mlp = block.child("mlp");
    mlp.linear("fc1", width, inner);
    mlp.linear("fc2", inner, width);
    model.norm("layernorm", width);
    if (pooler)
        model.child("pooler").linear("dense", width, config.whole("pooler_output_size", width));
}

Architecture vit() {
    Architecture made{"vit", {"ViTEmbeddings", "ViTLayer"}, false, {}};
    made.heads["AutoModel"] = {"ViTModel", [](Module& model, const Config& config) { vit_model(model, config, true); }};
    made.heads["AutoModelForImageClassification"] = {
        "ViTForImageClassification", [](Module& model, const Config& config) {
            vit_model(model.child("vit"), config, false);
            if (config.labels() > 0)
                model.linear("classifier", config.whole("hidden_size", 768), config.labels());
        }};
    return made;
}

/// A convolution and its batch norm, whose running statistics are buffers.
void resnet_conv(Module& parent, const std::string& name, const char* type, std::int64_t in, std::int64_t out,
                 std::int64_t kernel) {
    Module& made = parent.child(name, type);
    made.conv("convolution", in, out, {kernel, kernel}, false);
    made.norm("normalization", out);
    made.children.back()
        .buffer("running_mean", {out})
        .buffer("running_var", {out})
        .buffer("num_batches_tracked", {}, 8);
}

/// `stride` 2 halves the image; then the shortcut has a convolution, too.
void resnet_layer(Module& layer, const Config& config, std::int64_t in, std::int64_t out, bool halves) {
    const bool bottleneck = config.text("layer_type", "bottleneck") == "bottleneck";
    if (in != out || halves)
        resnet_conv(layer, "shortcut", "ResNetShortCut", in, out, 1);
    Module& inside = layer.child("layer");
    if (bottleneck) {
        const std::int64_t narrow = out / 4;
        resnet_conv(inside, "0", "ResNetConvLayer", in, narrow, 1);
        resnet_conv(inside, "1", "ResNetConvLayer", narrow, narrow, 3);
        resnet_conv(inside, "2", "ResNetConvLayer", narrow, out, 1);
    } else {
        resnet_conv(inside, "0", "ResNetConvLayer", in, out, 3);
        resnet_conv(inside, "1", "ResNetConvLayer", out, out, 3);
    }
}

void resnet_model(Module& model, const Config& config) {
    const std::int64_t first = config.whole("embedding_size", 64);
    const std::vector<std::int64_t> widths = config.list("hidden_sizes", {256, 512, 1024, 2048}),
                                    depths = config.list("depths", {3, 4, 6, 3});
    if (widths.size() != depths.size())
        config.fail("depths", "needs as many numbers as hidden_sizes");
    resnet_conv(model.child("embedder"), "embedder", "ResNetConvLayer", config.whole("num_channels", 3), first, 7);
    Module& stages = model.child("encoder").child("stages");
    for (std::size_t i = 0; i < widths.size(); ++i) {
        Module& layers = stages.child(std::to_string(i)).child("layers");
        const bool halves = i > 0 || config.truth("downsample_in_first_stage", false);
        resnet_layer(layers.layers(1), config, i == 0 ? first : widths[i - 1], widths[i], halves);
        resnet_layer(layers.layers(depths[i] - 1, "", 1), config, widths[i], widths[i], false);
    }
}

Architecture resnet() {
    Architecture made{"resnet", {"ResNetConvLayer", "ResNetShortCut"}, false, {}};
    made.heads["AutoModel"] = {"ResNetModel", resnet_model};
    made.heads["AutoModelForImageClassification"] = {
        "ResNetForImageClassification", [](Module& model, const Config& config) {
            resnet_model(model.child("resnet"), config);
            model.child("classifier")
                .linear("1", config.list("hidden_sizes", {256, 512, 1024, 2048}).back(), config.labels());
        }};
    return made;
}

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
        Module& stage = stages.child(std::to_string(i), "ConvNextStage");
        if (i > 0) {
            Module& down = stage.child("downsampling_layer");
            down.norm("0", widths[i - 1]);
            down.conv("1", widths[i - 1], width, {2, 2});
        }
        Module& layer = stage.child("layers").layers(depths[i], "ConvNextLayer");
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
    Architecture made{"convnext", {"ConvNextLayer", "ConvNextStage"}, false, {}};
    made.heads["AutoModel"] = {"ConvNextModel", convnext_model};
    made.heads["AutoModelForImageClassification"] = {
        "ConvNextForImageClassification", [](Module& model, const Config& config) {
            convnext_model(model.child("convnext"), config);
            model.linear("classifier", config.list("hidden_sizes", {96, 192, 384, 768}).back(), config.labels());
        }};
    return made;
}

void clip_layers(Module& model, const Config& config, std::int64_t width, std::int64_t inner) {
    Module& block =
        model.child("encoder").child("layers").layers(config.whole("num_hidden_layers", 12, 0), "CLIPEncoderLayer");
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
    Module& tokens = texts.child("embeddings", "CLIPTextEmbeddings").buffer("position_ids", {1, positions}, 8);
    tokens.embedding("token_embedding", text.whole("vocab_size", 49408), text_width);
    tokens.embedding("position_embedding", positions, text_width);
    clip_layers(texts, text, text_width, text.whole("intermediate_size", 2048));
    texts.norm("final_layer_norm", text_width);
    Module& pictures = model.child("vision_model");
    const std::int64_t side = vision.whole("image_size", 224) / patch, places = side * side + 1;
    Module& patches = pictures.child("embeddings", "CLIPVisionEmbeddings")
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
    return {vit(),
            resnet(),
            convnext(),
            {"clip",
             {"CLIPEncoderLayer", "CLIPTextEmbeddings", "CLIPVisionEmbeddings"},
             false,
             {{"AutoModel", {"CLIPModel", clip_model}}}}};
}

}  // namespace trainyard::estimate
