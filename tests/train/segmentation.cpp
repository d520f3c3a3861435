// SPDX-License-Identifier: GPL-3.0-or-later
// Task semantic_segmentation: images with masks as inputs, what is refused, and a model that learns.

#include <filesystem>
#include <fstream>
#include <map>

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "config/inputs/image_processor.h"
#include "config/inputs/recipe_inputs.h"
#include "config/inputs/start_weights.h"
#include "config/recipe/recipe.h"
#include "formats/tables/image.h"
#include "support/golden.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"
#include "train/sample_set.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;

class Segmentation : public ::testing::Test {
  protected:
    /// A picture whose pixels are 60 times their class, and its mask with those classes: a corner of each.
    void write_pair(const std::string& name, std::int64_t height = 16, std::int64_t width = 20) {
        formats::Image image{height, width, 3, {}}, mask{height, width, 1, {}};
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x) {
                const auto number = static_cast<std::uint8_t>((y < height / 2 ? 0 : 2) + (x < width / 3 ? 0 : 1));
                mask.pixels.push_back(number);
                image.pixels.insert(image.pixels.end(), 3, static_cast<std::uint8_t>(60 * number));
            }
        write("images/" + name, image);
        write("masks/" + name, mask);
    }
    void write(const std::string& name, const formats::Image& image) {
        fs::create_directories((folder_.path() / name).parent_path());
        write_file_atomically(folder_.path() / name, formats::encode_png(image));
    }
    config::Recipe recipe(const std::string& data = {}, const std::string& model = "num_labels: 4") {
        return config::parse_recipe("model: {model_type: segformer, " + model +
                                        "}\ndata: {format: images, path: images, mask_path: masks, "
                                        "validation_fraction: 0.25" +
                                        data + "}\ntraining: {steps: 4, batch_size: 4, seed: 3}\n",
                                    folder_.path() / "recipe.yaml");
    }
    /// Problems of the data, as the check before the start and the reader name them.
    std::string refusal(const config::Recipe& recipe) {
        std::string said;
        try {
            const std::unique_ptr<SampleSet> samples = open_samples(recipe);
            for (const bool held_out : {false, true})
                for (std::int64_t i = 0; i < (held_out ? samples->validation_samples() : samples->training_samples());
                     ++i)
                    (void)samples->batch(held_out, std::vector{i}, 1);
        } catch (const UserError& error) {
            said = error.what();
        }
        std::string before;
        for (const inputs::InputProblem& problem : inputs::check_recipe_inputs(recipe, 1))
            before += problem.key + ": " + problem.message.text();
        EXPECT_EQ(before.empty(), said.empty()) << before << said;
        return before;
    }

    test::TemporaryFolder folder_;
};

TEST_F(Segmentation, InputsAreThoseOfTransformers) {
    const fs::path golden = test::golden("segmentation_inputs");
    config::Recipe own =
        config::parse_recipe("model: {model_type: segformer, num_labels: 4, weights: " + golden.string() +
                                 "}\ndata: {format: images, path: " + (golden / "images").string() +
                                 ", mask_path: " + (golden / "masks").string() + ", validation_fraction: 0}\n",
                             "/r.yaml");
    const std::unique_ptr<SampleSet> samples = open_samples(own);
    std::map<std::string, at::Tensor> expected;
    for (auto& [name, tensor] : test::read_weights(golden / "expected.safetensors"))
        expected.emplace(name, tensor);
    ASSERT_EQ(2 * samples->training_samples(), std::ssize(expected));
    std::size_t found = 0;
    for (std::int64_t i = 0; i < samples->training_samples(); ++i) {
        const Tree batch = samples->batch(false, std::vector{i}, 1);
        const at::Tensor pixels = batch.at("pixel_values").as_tensor()[0], labels = batch.at("labels").as_tensor()[0];
        EXPECT_EQ(batch.at("targets").as_tensor()[0].item<std::int64_t>(), labels.ge(0).sum().item<std::int64_t>());
        for (const auto& [name, wanted] : expected) {
            const std::string stem = name.substr(0, name.rfind('.'));
            if (!name.ends_with(".pixel_values") || wanted.sub(pixels).abs().mean().item<double>() > 0.01)
                continue;
            EXPECT_TRUE(labels.equal(expected.at(stem + ".labels"))) << stem;
            EXPECT_LT(wanted.sub(pixels).abs().max().item<double>(), 1.01 / 255 / 0.224) << stem;  // one 8-bit step
            ++found;
        }
    }
    EXPECT_EQ(2 * found, expected.size());
    // A checkpoint says the same.
    const auto files = samples->files_beside_model();
    const inputs::ImageProcessor again = inputs::read_image_processor(files.at(0).content, "ours", "segformer", 3);
    EXPECT_TRUE(again.reduce_labels);
    EXPECT_EQ(again.height, 24);
    EXPECT_EQ(again.image_std.at(0), 0.229);
    EXPECT_THAT(files.at(0).content, HasSubstr("SegformerImageProcessor"));
}

TEST_F(Segmentation, AnImageAndItsMaskChangeTogether) {
    for (int i = 0; i < 6; ++i)
        write_pair("a/" + std::to_string(i) + ".png");
    const auto shares = [&](const config::Recipe& recipe) {
        const std::unique_ptr<SampleSet> samples = open_samples(recipe);
        const std::vector<std::int64_t> all{0, 1, 2, 3}, epochs{0, 1, 2, 3};
        const Tree batch = samples->batch_of_epochs(all, epochs, 1);
        const at::Tensor labels = batch.at("labels").as_tensor();
        const at::Tensor pixels = batch.at("pixel_values").as_tensor().select(1, 0).mul(0.5).add(0.5).mul(255 / 60.0);
        const Tree plain = samples->batch(false, all, 1);
        return std::pair{pixels.sub(labels).abs().lt(0.01).to(at::kDouble).mean().item<double>(),
                         labels.ne(plain.at("labels").as_tensor()).to(at::kDouble).mean().item<double>()};
    };
    const auto [same, moved] = shares(recipe(", random_horizontal_flip: 1"));
    EXPECT_EQ(same, 1) << "every pixel has the value of its class";
    EXPECT_GT(moved, 0.2);
    const auto [cropped, differ] = shares(recipe(", random_resized_crop: 0.3, random_horizontal_flip: 0.5"));
    EXPECT_GT(cropped, 0.7) << "but at the edges between classes";
    EXPECT_GT(differ, 0.05);
    const auto [resized, unmoved] = shares(recipe(", image_size: 32"));
    EXPECT_GT(resized, 0.7);
    EXPECT_EQ(unmoved, 0);
}

TEST_F(Segmentation, WhatIsWrongIsNamedBeforeTheStart) {
    for (int i = 0; i < 4; ++i)
        write_pair(std::to_string(i) + ".png");
    EXPECT_EQ(refusal(recipe()), "");
    EXPECT_THAT(refusal(recipe("", "num_labels: 3")),
                says("{} holds the value {}, which is not a class: model.num_labels is {}, and pixels of {} "
                     "(semantic_loss_ignore_index) are not counted: correct the mask, or one of these",
                     _, 3, 3, 255));
    EXPECT_EQ(refusal(recipe("", "num_labels: 3, semantic_loss_ignore_index: 3")), "");
    EXPECT_EQ(refusal(recipe(", reduce_labels: yes", "num_labels: 3")), "");

    fs::rename(folder_.path() / "masks/2.png", folder_.path() / "masks/two.png");
    EXPECT_THAT(refusal(recipe()), AllOf(HasSubstr("images/2.png"), HasSubstr("masks/2.png")));
    fs::rename(folder_.path() / "masks/two.png", folder_.path() / "masks/2.png");

    const formats::Image colours{16, 20, 3, std::vector<std::uint8_t>(16 * 20 * 3, 1)};
    write("masks/1.png", colours);
    EXPECT_THAT(
        refusal(recipe()),
        says("its pixels are colours, and a mask holds the number of a class in each: save it in grey or with a "
             "palette"));
    std::ofstream(folder_.path() / "masks/1.png", std::ios::binary) << "\xff\xd8\xff\xe0 not to be decoded";
    EXPECT_THAT(refusal(recipe()), says("it is JPEG, which changes the classes that a mask holds: save it as PNG"));

    const auto problem_of = [](const std::string& text) -> std::string {
        try {
            config::parse_recipe(text, "/r.yaml");
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    };
    const std::string model = "model: {model_type: segformer";
    EXPECT_THAT(problem_of(model + "}\ndata: {format: images, path: x}\n"),
                AllOf(HasSubstr("data.mask_path"),
                      says("missing: name the folder of the images that hold the class of each pixel")));
    EXPECT_THAT(problem_of(model + "}\ndata: {format: numpy, path: x, mask_path: y}\n"),
                says("{} reads a folder of images and one of their masks, not {}: take images", "semantic_segmentation",
                     "numpy"));
    EXPECT_THAT(problem_of("model: {model_type: vit}\ndata: {format: images, path: x, mask_path: y, reduce_labels: "
                           "yes}\n"),
                AllOf(HasSubstr("data.mask_path"), HasSubstr("data.reduce_labels")));
    const std::string data = "}\ndata: {format: images, path: x, mask_path: y}\n";
    EXPECT_THAT(problem_of(model + ", depths: [1, 1, 1]" + data), HasSubstr("model.sr_ratios"));
    EXPECT_THAT(problem_of(model + ", stage_heads: [3, 2]" + data),
                says("{} heads cannot share {} channels: hidden_sizes must be multiples of stage_heads", 3, 16));
    EXPECT_THAT(problem_of(model + ", num_labels: 1" + data),
                says("a single class is always right: give num_labels from 2 on"));
    EXPECT_THAT(problem_of(model + data + "checkpoint: {best_metric: eval/f1}\n"),
                says("evaluations of {} do not compute {}: take another curve", "semantic_segmentation", "f1"));
    EXPECT_EQ(problem_of(model + data + "checkpoint: {best_metric: eval/mean_iou, best_mode: max}\n"), "");
    EXPECT_THAT(problem_of("model: {model_type: vit}\ndata: {format: images, path: x}\ncheckpoint: {best_metric: "
                           "eval/mean_iou}\n"),
                says("evaluations of {} do not compute {}: take another curve", "image_classification", "mean_iou"));
}

TEST_F(Segmentation, ImagesThatAreTooSmallAreNamed) {
    for (int i = 0; i < 4; ++i)
        write_pair(std::to_string(i) + ".png", 4, 4);
    const config::Recipe small = recipe("", "num_labels: 4, sr_ratios: [4, 1]");
    const auto problem = says(
        "images of {} × {} pixels are too small for model.strides and model.sr_ratios, which leave nothing of sides "
        "below {} pixels: take larger images, or smaller numbers there",
        4, 4, 13);
    const auto before = inputs::check_recipe_inputs(small, 1);
    ASSERT_EQ(before.size(), 1u);
    EXPECT_THAT(before[0].message.text(), problem);
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    Trainer trainer(small, mesh, at::kCPU);
    trainer.start();
    try {
        trainer.step();
        ADD_FAILURE() << "nothing is left of 4 pixels";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), problem);
    }
}

/// As nvidia/mit-b0 does: an encoder that was trained to classify images gets a decoder.
TEST_F(Segmentation, StartsFromTheEncoderOfAClassifier) {
    for (int i = 0; i < 8; ++i)
        write_pair(std::to_string(i) + ".png");
    const fs::path weights = test::own_golden("segmentation_models") / "segformer_classification";
    config::Recipe own = recipe("", "task: semantic_segmentation, num_labels: 4, weights: " + weights.string());
    EXPECT_EQ(refusal(own), "");
    own.model = inputs::settle_model(own.model).model;
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    Trainer trainer(own, mesh, at::kCPU);
    trainer.start();
    std::map<std::string, at::Tensor> stored;
    for (auto& [name, tensor] : test::read_weights(weights / "model.safetensors"))
        stored.emplace(name, tensor);
    std::size_t of_encoder = 0, of_decoder = 0;
    for (const auto& [name, weight] : trainer.weights())
        if (name.starts_with("segformer.")) {
            EXPECT_TRUE(weight.equal(stored.at(name))) << name;
            ++of_encoder;
        } else {
            of_decoder += name.starts_with("decode_head.") ? 1 : 0;
        }
    EXPECT_EQ(of_encoder + 2, stored.size()) << "all but the classifier";
    EXPECT_GE(of_decoder, 9u);
    EXPECT_GT(trainer.step().loss, 0);
}

/// The sample learns, and ranks that share weights and samples out evaluate as one does.
TEST_F(Segmentation, TheSampleLearnsAndIsEvaluatedAlikeOnAllRanks) {
    config::Recipe recipe = config::load_recipe(fs::path(TRAINYARD_TESTS_DIR).parent_path() / "resources" / "samples" /
                                                "sample-segmentation.yaml");
    recipe.training.evaluate_batches = 0;
    const auto evaluate = [&](std::unique_ptr<parallel::World> world, int ranks, std::int64_t steps, int stage = 0) {
        config::Recipe own = recipe;
        own.parallel.zero_stage = stage;
        own.training.batch_size = ranks == 1 ? 12 : 5;
        parallel::Mesh mesh(parallel::pipelines(1, ranks), std::move(world));
        Trainer trainer(own, mesh, at::kCPU);
        trainer.start();
        for (std::int64_t step = 0; step < steps; ++step)
            trainer.step();
        const Evaluation made = trainer.evaluate().value();
        std::map<std::string, double> values(made.metrics.begin(), made.metrics.end());
        values["loss"] = made.loss;
        return values;
    };
    const auto alone = evaluate(parallel::World::connect({}, "cpu"), 1, 0);
    for (const int stage : {0, 3})
        test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
            const auto shared = evaluate(std::move(world), 2, 0, stage);
            ASSERT_EQ(shared.size(), alone.size());
            for (const auto& [name, value] : alone)
                EXPECT_NEAR(shared.at(name), value, name == "loss" ? 1e-5 : 1e-12) << name << ", ZeRO " << stage;
        });
    const auto trained = evaluate(parallel::World::connect({}, "cpu"), 1, recipe.training.steps);
    EXPECT_GT(trained.at("mean_iou"), 0.8);
    EXPECT_GT(trained.at("accuracy"), 0.9);
    EXPECT_GT(trained.at("mean_accuracy"), trained.at("mean_iou"));
    EXPECT_LT(trained.at("loss"), 0.3 * alone.at("loss"));
}

}  // namespace
}  // namespace trainyard::train
