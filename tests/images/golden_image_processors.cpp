// SPDX-License-Identifier: GPL-3.0-or-later
// Images as the inputs of a model: what transformers' image processors make of them (golden/image_processors), in
// batches of a recipe and in what a checkpoint says of them.

#include <filesystem>
#include <map>

#include <ATen/ops/from_blob.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "config/inputs/recipe_inputs.h"
#include "config/recipe/recipe.h"
#include "formats/tables/image.h"
#include "support/golden.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"
#include "train/sample_set.h"
#include "train/tasks/image_pixels.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::says;
using testing::_;
using testing::HasSubstr;
using testing::StartsWith;

at::Tensor pixels_of(const fs::path& file) {
    const formats::Image image = formats::read_image(file);
    return at::from_blob(const_cast<std::uint8_t*>(image.pixels.data()), {image.height, image.width, image.channels},
                         at::kByte)
        .permute({2, 0, 1})
        .contiguous();
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return a.sub(b).abs().max().item<double>();
}

TEST(GoldenImageProcessors, PixelsOfTransformers) {
    const fs::path golden = test::golden("image_processors");
    std::map<std::string, at::Tensor> expected;
    for (auto& [name, tensor] : test::read_weights(golden / "expected.safetensors"))
        expected.emplace(name, tensor);
    std::size_t seen = 0;
    for (const json& one : json::parse(read_file(golden / "cases.json")))
        for (const fs::directory_entry& image : fs::directory_iterator(golden / "images")) {
            const std::string name = one.at("name").get<std::string>() + "." + image.path().stem().string();
            SCOPED_TRACE(name);
            const auto wanted = expected.find(name);
            if (wanted == expected.end())
                continue;
            const inputs::ImageProcessor processor =
                inputs::read_image_processor(one.at("processor").dump(), "the file", one.at("model_type"), 3);
            const at::Tensor pixels = pixels_of(image.path());
            const at::Tensor made = model_pixels(pixels, processor);
            ASSERT_EQ(made.sizes(), wanted->second.sizes());
            // A step of an 8-bit value where a processor without AVX2 rounds otherwise.
            const double step = (processor.do_rescale ? processor.rescale_factor : 1) /
                                (processor.do_normalize ? processor.image_std.front() : 1);
            EXPECT_LT(made.sub(wanted->second).abs().mean().item<double>(), 0.02 * step);
            EXPECT_LT(distance(made, wanted->second), 1.01 * step);
            // The written file gives the same pixels.
            const inputs::ImageProcessor again =
                inputs::read_image_processor(inputs::write_image_processor(processor), "ours", one.at("model_type"), 3);
            EXPECT_EQ(distance(model_pixels(pixels, again), made), 0);
            ++seen;
        }
    EXPECT_GT(seen, 0u);
}

TEST(ImageProcessor, WhatIsNotComputedIsRefusedByName) {
    const auto message = [](const json& file, std::int64_t channels = 3) -> std::string {
        try {
            (void)inputs::read_image_processor(file.dump(), "p.json", "vit", channels);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message({{"image_processor_type", "ViTImageProcessor"}, {"do_pad", false}, {"pad_size", 3}}), "");
    EXPECT_THAT(message({{"image_processor_type", "DonutImageProcessor"}}),
                says("{}: image_processor_type: images of {} are not computed by this version, which has {}: write the "
                     "file of one of them that makes the same images",
                     _, StartsWith("Donut"), _));
    EXPECT_THAT(
        message({{"resample", 1}, {"do_pad", true}, {"image_std", {0, 1, 1}}}),
        testing::AllOf(HasSubstr("resample: is 1"), HasSubstr("do_pad"), HasSubstr("image_std: must be above")));
    EXPECT_THAT(message({{"size", {{"shortest_edge", 24}}}}),
                says("has a shortest_edge alone and nothing is cropped, so images of a batch would differ in size: "
                     "give height and width, or do_center_crop with a crop_size"));
    EXPECT_THAT(message({{"size", {{"shortest_edge", 24}, {"longest_edge", 30}}}}),
                says("has a longest_edge, which this version does not compute"));
    EXPECT_THAT(message({{"image_mean", {0.1, 0.2, 0.3}}}, 1),
                says("must have {} numbers, one for each channel of the model's images", 1));
    EXPECT_THAT(message({{"size", {{"height", 0}, {"width", 24}}}}), says("must have whole numbers from 1 to {}", _));
    EXPECT_THAT(message(json::array()), says("{} is not a JSON object: repair or remove it", _));
    EXPECT_THAT(message({{"image_processor_type", "ConvNextImageProcessor"}, {"size", 24}, {"crop_pct", 0}}),
                HasSubstr("crop_pct"));
}

class ImageRecipes : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    config::Recipe recipe_;

    void SetUp() override {
        const fs::path images = test::golden("image_processors") / "images";
        for (const char* label : {"a", "b"}) {
            fs::create_directories(folder_.path() / "data" / label);
            for (const fs::directory_entry& image : fs::directory_iterator(images))
                fs::copy_file(image.path(), folder_.path() / "data" / label / image.path().filename());
        }
        recipe_ = config::parse_recipe(
            "model: {model_type: resnet, hidden_sizes: [8], depths: [1], embedding_size: 8}\n"
            "data: {format: images, path: " +
                (folder_.path() / "data").string() + ", validation_fraction: 0}\n" +
                "training: {steps: 2, batch_size: 2}\ncheckpoint: {every: 0}\n",
            "r.yaml");
    }
    at::Tensor batch() const {
        const std::vector<std::int64_t> indices{0, 1, 2};
        return open_samples(recipe_)->batch(false, indices, 0).at("pixel_values").as_tensor();
    }
    /// The files that a checkpoint of the recipe has beside its weights.
    std::map<std::string, std::string> files_of_checkpoint() {
        parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
        Trainer trainer(recipe_, mesh, at::kCPU);
        trainer.start();
        trainer.step();
        trainer.save(folder_.path() / "checkpoints");
        std::map<std::string, std::string> files;
        for (const fs::directory_entry& checkpoint : fs::directory_iterator(folder_.path() / "checkpoints"))
            for (const fs::directory_entry& file : fs::directory_iterator(checkpoint.path()))
                if (file.path().extension() == ".json")
                    files[file.path().filename().string()] = read_file(file.path());
        return files;
    }
};

TEST_F(ImageRecipes, TheFileBesideTheWeightsDecides) {
    const at::Tensor usual = batch();
    EXPECT_LE(usual.max().item<double>(), 1);
    EXPECT_GE(usual.min().item<double>(), -1);
    const json processor = {{"image_processor_type", "ConvNextImageProcessor"},
                            {"size", {{"shortest_edge", 16}}},
                            {"image_mean", {0.485, 0.456, 0.406}},
                            {"image_std", {0.229, 0.224, 0.225}},
                            {"resample", 3},
                            {"crop_pct", 0.875}};
    const fs::path weights = folder_.path() / "weights";
    fs::create_directories(weights);
    write_file_atomically(weights / "preprocessor_config.json", processor.dump());
    recipe_.model.weights = weights.string();
    const at::Tensor made = batch();
    EXPECT_EQ(made.sizes(), at::IntArrayRef({3, 3, 16, 16}));
    EXPECT_GT(made.max().item<double>(), 1.5) << "mean and deviation of the file";
    const auto files = open_samples(recipe_)->files_beside_model();
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(inputs::read_image_processor(files[0].content, "ours", "resnet", 3).image_mean,
              (std::vector<double>{0.485, 0.456, 0.406}));
    write_file_atomically(weights / "preprocessor_config.json", R"({"image_processor_type": "DonutImageProcessor"})");
    EXPECT_THROW((void)batch(), UserError);
}

TEST_F(ImageRecipes, ACheckpointOfAModelFromScratchSaysHowItsImagesAreMade) {
    const auto files = files_of_checkpoint();
    ASSERT_TRUE(files.contains("preprocessor_config.json"));
    const json written = json::parse(files.at("preprocessor_config.json"));
    EXPECT_EQ(written.at("image_mean"), json({0.5, 0.5, 0.5}));
    EXPECT_EQ(written.at("size").at("height"), batch().size(2));
}

/// The same recipe, resumed after its weights' folder is gone.
TEST_F(ImageRecipes, AResumedRunReadsTheFileOfItsCheckpoint) {
    recipe_.model.weights = (folder_.path() / "gone").string();
    recipe_.checkpoint.resume_from = (folder_.path() / "run").string();
    const fs::path older = folder_.path() / "run" / "checkpoints" / "checkpoint_9",
                   newer = folder_.path() / "run" / "checkpoints" / "checkpoint_10";
    for (const fs::path& checkpoint : {older, newer}) {
        fs::create_directories(checkpoint);
        write_file_atomically(checkpoint / "preprocessor_config.json", "{}");
    }
    EXPECT_EQ(inputs::image_processor_file(recipe_), newer / "preprocessor_config.json");
}

/// training.mixed_precision fp16 has no condition on the device.
TEST_F(ImageRecipes, Fp16TrainsOnAProcessor) {
    recipe_ = config::parse_recipe(
        "model: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 32}\n"
        "data: {path: " +
            (folder_.path() / "text.txt").string() +
            ", sequence_length: 32}\n"
            "training: {steps: 12, batch_size: 4, mixed_precision: fp16}\n"
            "optimizer: {lr: 0.01}\n",
        "r.yaml");
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += "a text that repeats itself. ";
    write_file_atomically(folder_.path() / "text.txt", text);
    EXPECT_TRUE(inputs::check_recipe_inputs(recipe_, 1).empty());
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    Trainer trainer(recipe_, mesh, at::kCPU);
    trainer.start();
    const double first = trainer.step().loss;
    double last = first;
    for (int step = 1; step < 12; ++step)
        last = trainer.step().loss;
    EXPECT_LT(last, 0.8 * first);
}

}  // namespace
}  // namespace trainyard::train
