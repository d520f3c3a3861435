// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/timm_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "formats/weights/tensor_ranges.h"

namespace trainyard::weights {

namespace {

constexpr std::string_view kBlocks = "blocks.", kFused = "attn.qkv.";

using NameRow = std::pair<std::string_view, std::string_view>;
constexpr std::array kOutside{NameRow{"cls_token", "vit.embeddings.cls_token"},
                              NameRow{"pos_embed", "vit.embeddings.position_embeddings"},
                              NameRow{"patch_embed.proj.", "vit.embeddings.patch_embeddings.projection."},
                              NameRow{"norm.", "vit.layernorm."}, NameRow{"head.", "classifier."}};
constexpr std::array kInside{NameRow{"norm1.", "layernorm_before."}, NameRow{"attn.proj.", "attention.output.dense."},
                             NameRow{"norm2.", "layernorm_after."}, NameRow{"mlp.fc1.", "intermediate.dense."},
                             NameRow{"mlp.fc2.", "output.dense."}};

const SourceTensor* find(const WeightSource& source, std::string_view name) {
    const auto found = std::ranges::find(source.tensors(), name, &SourceTensor::name);
    return found == source.tensors().end() ? nullptr : &*found;
}

/// "blocks.3.norm1.weight" -> 3 and "norm1.weight".
std::optional<std::pair<std::int64_t, std::string_view>> part_of_block(std::string_view name) {
    if (!name.starts_with(kBlocks))
        return std::nullopt;
    name.remove_prefix(kBlocks.size());
    const auto block = take_number<std::int64_t>(name);
    if (!block || !name.starts_with('.'))
        return std::nullopt;
    return std::pair{*block, name.substr(1)};
}

std::string renamed_by(const auto& rows, std::string_view name) {
    for (const auto& [from, to] : rows)
        if (from.ends_with('.') ? name.starts_with(from) : name == from)
            return std::string(to) + std::string(name.substr(from.size()));
    return {};
}

/// The name in transformers' ViT; empty for one that it does not have. Not of fused matrices.
std::string vit_name(std::string_view name) {
    const auto part = part_of_block(name);
    if (!part)
        return renamed_by(kOutside, name);
    const std::string inside = renamed_by(kInside, part->second);
    return inside.empty() ? inside : fmt::format("vit.encoder.layer.{}.{}", part->first, inside);
}

bool is_timm_vit(const WeightSource& source) {
    return find(source, "patch_embed.proj.weight") != nullptr && find(source, "blocks.0.attn.qkv.weight") != nullptr;
}

/// Attention heads, which no tensor shows; 0: unknown.
std::int64_t heads_of(const nlohmann::json& config, std::int64_t width) {
    if (config.contains("model_args") && config["model_args"].is_object() &&
        config["model_args"].contains("num_heads") && config["model_args"]["num_heads"].is_number_integer())
        return config["model_args"]["num_heads"].get<std::int64_t>();
    for (const auto& [known, heads] :
         {std::pair{192, 3}, {384, 6}, {512, 8}, {768, 12}, {1024, 16}, {1280, 16}, {1408, 16}, {1664, 16}})
        if (known == width)
            return heads;
    return 0;
}

/// A value of a file that may hold anything.
std::string text_or(const nlohmann::json& object, const char* key, const char* otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string(otherwise);
}
double number_or(const nlohmann::json& object, const char* key, double otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : otherwise;
}

}  // namespace

bool is_timm_config(const std::string& config_json) {
    const nlohmann::json config = read_json(config_json);
    return config.is_object() && config.contains("architecture") && config["architecture"].is_string() &&
           !config.contains("model_type");
}

std::string vit_config_of_timm(const std::string& config_json, const std::string& where, const WeightSource& weights) {
    const nlohmann::json config = read_json(config_json);
    const auto name = config["architecture"].get<std::string>();
    const auto refuse = [&](const Message& reason) {
        throw UserError("{}: {} of timm cannot be trained: {}", where, name, reason);
    };
    if (!name.starts_with("vit_") || !is_timm_vit(weights))
        refuse("of timm's models this version has plain vision transformers (vit_base_patch16_224 and its kind)");
    if (name.find("quickgelu") != std::string::npos)
        refuse("its activation function is not that of transformers' ViT");
    if (const std::string pool = text_or(config, "global_pool", "token"); pool != "token")
        refuse(Message("its head reads the pool '{}', not the class token", pool));
    for (const char* needed : {"cls_token", "pos_embed", "norm.weight"})
        if (find(weights, needed) == nullptr)
            refuse(Message("its weights have no {}", needed));
    for (const SourceTensor& tensor : weights.tensors())
        if (const auto part = part_of_block(tensor.name);
            vit_name(tensor.name).empty() && (!part || !part->second.starts_with(kFused)))
            refuse(Message("transformers' ViT has no counterpart of its {}", tensor.name));
    const std::vector<std::int64_t>&patch = find(weights, "patch_embed.proj.weight")->shape,
          &positions = find(weights, "pos_embed")->shape;
    if (patch.size() != 4 || positions.size() != 3 || patch[2] != patch[3] || patch[2] < 1)
        refuse("its patches are not squares");
    const std::int64_t width = patch[0], places = positions[1] - 1,
                       side = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(places))));
    if (side * side != places)
        refuse("its images are not squares");
    const SourceTensor* inner = find(weights, "blocks.0.mlp.fc1.weight");
    const std::int64_t heads = heads_of(config, width);
    if (inner == nullptr || inner->shape.empty() || heads == 0)
        refuse(
            Message("the number of its attention heads is not known for a width of {}: add it to its config.json as "
                    "model_args: {{\"num_heads\": ...}}",
                    width));
    std::int64_t layers = 0;
    while (find(weights, fmt::format("{}{}.norm1.weight", kBlocks, layers)) != nullptr)
        ++layers;
    nlohmann::ordered_json made{{"architectures", {"ViTForImageClassification"}},
                                {"model_type", "vit"},
                                {"hidden_size", width},
                                {"num_hidden_layers", layers},
                                {"num_attention_heads", heads},
                                {"intermediate_size", inner->shape[0]},
                                {"hidden_act", "gelu"},
                                {"hidden_dropout_prob", 0.0},
                                {"attention_probs_dropout_prob", 0.0},
                                {"layer_norm_eps", 1e-6},
                                {"image_size", side * patch[2]},
                                {"patch_size", patch[2]},
                                {"num_channels", patch[1]},
                                {"qkv_bias", find(weights, "blocks.0.attn.qkv.bias") != nullptr}};
    const SourceTensor* head = find(weights, "head.weight");
    made["num_labels"] = head != nullptr && !head->shape.empty()
                             ? head->shape[0]
                             : std::max<std::int64_t>(2, std::lround(number_or(config, "num_classes", 0)));
    return json_text(made);
}

std::string image_processor_of_timm(const std::string& config_json, const std::string& where) {
    const nlohmann::json config = read_json(config_json);
    const nlohmann::json given = config.contains("pretrained_cfg") ? config["pretrained_cfg"] : nlohmann::json();
    if (!given.is_object() || !given.contains("mean") || !given.contains("std") || !given.contains("input_size") ||
        !given["input_size"].is_array() || given["input_size"].size() != 3 ||
        !given["input_size"][1].is_number_integer())
        return {};
    if (const std::string mode = text_or(given, "crop_mode", "center"); mode != "center")
        throw UserError(
            "{}: images are cropped as '{}', and this version crops their center: write a "
            "preprocessor_config.json beside it",
            where, mode);
    const auto size = given["input_size"][1].get<std::int64_t>();
    const double share = std::clamp(number_or(given, "crop_pct", 0.875), 0.01, 1.0);
    const std::string interpolation = text_or(given, "interpolation", "bicubic");
    const nlohmann::ordered_json made{
        {"image_processor_type", "CLIPImageProcessor"},
        {"size", {{"shortest_edge", static_cast<std::int64_t>(std::floor(static_cast<double>(size) / share))}}},
        {"crop_size", {{"height", size}, {"width", size}}},
        {"resample", interpolation == "bilinear"  ? 2
                     : interpolation == "nearest" ? 0
                                                  : 3},
        {"image_mean", given["mean"]},
        {"image_std", given["std"]}};
    return json_text(made);
}

std::unique_ptr<WeightSource> timm_as_vit(std::unique_ptr<WeightSource> source) {
    if (!is_timm_vit(*source))
        return source;
    auto made = std::make_unique<TensorRanges>(std::move(source));
    const std::vector<SourceTensor>& tensors = made->source().tensors();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const SourceTensor& tensor = tensors[i];
        const auto part = part_of_block(tensor.name);
        if (!part || !part->second.starts_with(kFused) || tensor.shape.empty() || tensor.shape[0] % 3 != 0) {
            const std::string name = vit_name(tensor.name);
            made->take_whole(i, name.empty() ? tensor.name : name);
            continue;
        }
        std::vector<std::int64_t> shape = tensor.shape;
        shape[0] /= 3;
        const std::uint64_t bytes = tensor.bytes / 3;
        std::uint64_t offset = 0;
        for (const char* matrix : {"query", "key", "value"}) {
            made->take(fmt::format("vit.encoder.layer.{}.attention.attention.{}.{}", part->first, matrix,
                                   part->second.substr(kFused.size())),
                       shape, {{i, offset, bytes}});
            offset += bytes;
        }
    }
    return made;
}

}  // namespace trainyard::weights
