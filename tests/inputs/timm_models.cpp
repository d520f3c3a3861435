// SPDX-License-Identifier: GPL-3.0-or-later
// Vision transformers of timm as model.weights: their names, their config.json and their inputs become those of
// transformers' ViT.

#include <cstring>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "config/inputs/image_processor.h"
#include "config/inputs/start_weights.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/safetensors.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inputs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::says;
using testing::ElementsAre;

class TimmModels : public testing::Test {
  protected:
    using Shapes = std::map<std::string, std::vector<std::int64_t>>;

    /// Names and shapes of vit_tiny_patch16_224, with images of 32 pixels, 2 blocks and 5 classes.
    static Shapes tiny() {
        constexpr std::int64_t kWidth = 192, kInner = 768;
        Shapes shapes{{"cls_token", {1, 1, kWidth}},
                      {"pos_embed", {1, 5, kWidth}},
                      {"patch_embed.proj.weight", {kWidth, 3, 16, 16}},
                      {"patch_embed.proj.bias", {kWidth}},
                      {"norm.weight", {kWidth}},
                      {"norm.bias", {kWidth}},
                      {"head.weight", {5, kWidth}},
                      {"head.bias", {5}}};
        for (const std::string block : {"blocks.0.", "blocks.1."})
            for (const auto& [name, out, in] : {std::tuple{"norm1", kWidth, std::int64_t{0}},
                                                {"norm2", kWidth, 0},
                                                {"attn.qkv", 3 * kWidth, kWidth},
                                                {"attn.proj", kWidth, kWidth},
                                                {"mlp.fc1", kInner, kWidth},
                                                {"mlp.fc2", kWidth, kInner}}) {
                shapes[block + name + ".weight"] = in == 0 ? std::vector{out} : std::vector{out, in};
                shapes[block + name + ".bias"] = {out};
            }
        return shapes;
    }
    static std::vector<float> values_of(const std::string& name, const std::vector<std::int64_t>& shape) {
        std::int64_t count = 1;
        for (const std::int64_t size : shape)
            count *= size;
        std::vector<float> values(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(std::hash<std::string>()(name) % 1000) + static_cast<float>(i % 4096) / 4096;
        return values;
    }
    fs::path write(const Shapes& shapes, const json& config) {
        std::vector<std::vector<float>> values;
        std::vector<weights::TensorToWrite> tensors;
        values.reserve(shapes.size());
        for (const auto& [name, shape] : shapes) {
            values.push_back(values_of(name, shape));
            tensors.push_back({name, "F32", shape, std::as_bytes(std::span(values.back()))});
        }
        weights::write_safetensors(folder_.path() / "model.safetensors", tensors);
        write_file_atomically(folder_.path() / "config.json", config.dump());
        return folder_.path();
    }
    static json config() {
        return {{"architecture", "vit_tiny_patch16_224"},
                {"num_classes", 5},
                {"global_pool", "token"},
                {"pretrained_cfg",
                 {{"input_size", {3, 32, 32}},
                  {"mean", {0.4, 0.5, 0.6}},
                  {"std", {0.2, 0.25, 0.3}},
                  {"interpolation", "bicubic"},
                  {"crop_pct", 0.9}}}};
    }
    static std::vector<float> stored(const weights::WeightSource& source, const std::string& name) {
        for (std::size_t i = 0; i < source.tensors().size(); ++i)
            if (source.tensors()[i].name == name) {
                std::vector<std::byte> bytes;
                source.stream(i, [&](auto piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
                std::vector<float> found(bytes.size() / sizeof(float));
                std::memcpy(found.data(), bytes.data(), bytes.size());
                return found;
            }
        ADD_FAILURE() << name << " is missing";
        return {};
    }
    std::string problem(const Shapes& shapes, const json& config) {
        config::ModelRecipe recipe;
        recipe.weights = write(shapes, config).string();
        const SettledModel settled = settle_model(recipe);
        return settled.problems.empty() ? "is read" : settled.problems.front().message.text();
    }
    test::TemporaryFolder folder_;
};

TEST_F(TimmModels, AreReadAsTransformersViT) {
    config::ModelRecipe recipe;
    recipe.weights = write(tiny(), config()).string();
    const SettledModel settled = settle_model(recipe);
    for (const InputProblem& problem : settled.problems)
        ADD_FAILURE() << problem.key << ": " << problem.message;
    const config::ModelRecipe& model = settled.model;
    EXPECT_EQ(model.model_type, "vit");
    EXPECT_EQ(model.task, "image_classification");
    EXPECT_THAT((std::vector<std::int64_t>{model.n_embd, model.n_layer, model.n_head, model.n_inner, model.image_size,
                                           model.patch_size, model.num_labels}),
                ElementsAre(192, 2, 3, 768, 32, 16, 5));
    EXPECT_EQ(model.layer_norm_epsilon, 1e-6);
    for (const InputProblem& problem : check_start_weights(model))
        ADD_FAILURE() << problem.key << ": " << problem.message;
    const auto source = weights::open_model(recipe.weights);
    for (const auto& [name, from] : {std::pair{"vit.encoder.layer.1.layernorm_before.weight", "blocks.1.norm1.weight"},
                                     {"vit.encoder.layer.0.layernorm_after.bias", "blocks.0.norm2.bias"},
                                     {"vit.encoder.layer.1.attention.output.dense.weight", "blocks.1.attn.proj.weight"},
                                     {"vit.encoder.layer.0.intermediate.dense.weight", "blocks.0.mlp.fc1.weight"},
                                     {"vit.encoder.layer.0.output.dense.bias", "blocks.0.mlp.fc2.bias"},
                                     {"vit.embeddings.cls_token", "cls_token"},
                                     {"vit.embeddings.position_embeddings", "pos_embed"},
                                     {"vit.embeddings.patch_embeddings.projection.weight", "patch_embed.proj.weight"},
                                     {"vit.layernorm.weight", "norm.weight"},
                                     {"classifier.bias", "head.bias"}})
        EXPECT_EQ(stored(*source, name), values_of(from, tiny().at(from))) << name;
    // Rows of queries, keys and values one behind the other.
    for (const std::string end : {"weight", "bias"}) {
        std::vector<float> joined;
        for (const char* matrix : {"query", "key", "value"})
            for (const float value :
                 stored(*source, fmt::format("vit.encoder.layer.1.attention.attention.{}.{}", matrix, end)))
                joined.push_back(value);
        EXPECT_EQ(joined, values_of("blocks.1.attn.qkv." + end, tiny().at("blocks.1.attn.qkv." + end)));
    }
}

TEST_F(TimmModels, ImagesAreThoseOfTheirConfiguration) {
    config::Recipe recipe;
    recipe.model.weights = write(tiny(), config()).string();
    recipe.model = settle_model(recipe.model).model;
    const ImageProcessor processor = image_processor_of(recipe);
    EXPECT_EQ(processor.shortest_edge, 35);  // 32 / 0.9, rounded down
    EXPECT_EQ(processor.crop_height, 32);
    EXPECT_EQ(processor.resample, ImageProcessor::Resample::bicubic);
    EXPECT_THAT(processor.image_mean, ElementsAre(0.4, 0.5, 0.6));
    EXPECT_THAT(processor.image_std, ElementsAre(0.2, 0.25, 0.3));
    EXPECT_TRUE(processor.from_file);
}

TEST_F(TimmModels, OthersAreRefusedWithTheReason) {
    EXPECT_EQ(problem(tiny(), config()), "is read");
    json other = config();
    other["global_pool"] = "avg";
    EXPECT_THAT(problem(tiny(), other), says("its head reads the pool '{}', not the class token", "avg"));
    other = config();
    other["architecture"] = "resnet50";
    EXPECT_THAT(problem(tiny(), other), says("of timm's models this version has plain vision transformers "
                                             "(vit_base_patch16_224 and its kind)"));
    Shapes scaled = tiny();
    scaled["blocks.0.ls1.gamma"] = {192};
    EXPECT_THAT(problem(scaled, config()),
                says("transformers' ViT has no counterpart of its {}", "blocks.0.ls1.gamma"));
    Shapes headless = tiny();
    headless.erase("cls_token");
    EXPECT_THAT(problem(headless, config()), says("its weights have no {}", "cls_token"));
    other = config();
    other["num_classes"] = nullptr;
    other["pretrained_cfg"] = nullptr;
    EXPECT_EQ(problem(tiny(), other), "is read") << "fields that say nothing";
}

}  // namespace
}  // namespace trainyard::inputs
