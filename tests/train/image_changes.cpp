// SPDX-License-Identifier: GPL-3.0-or-later
// Images in training: random crops and mirrored images, sizes and normalisation from keys, classes from file names.

#include <filesystem>
#include <fstream>
#include <set>

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "config/inputs/recipe_inputs.h"
#include "config/recipe/recipe.h"
#include "formats/tables/image.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/data_loader.h"
#include "train/tasks/image_pixels.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;

class ImageChanges : public ::testing::Test {
  protected:
    /// An image whose pixels tell their place: red the column, green the row, blue the number of the image.
    void write_picture(const std::string& name, std::uint8_t number, std::int64_t height = 20,
                       std::int64_t width = 24) {
        formats::Image image{height, width, 3, {}};
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x)
                image.pixels.insert(image.pixels.end(),
                                    {static_cast<std::uint8_t>(10 * x), static_cast<std::uint8_t>(10 * y), number});
        fs::create_directories((folder_.path() / "images" / name).parent_path());
        write_file_atomically(folder_.path() / "images" / name, formats::encode_png(image));
    }
    config::Recipe recipe(const std::string& keys, const std::string& model = {}) {
        return config::parse_recipe(
            "model: {" +
                (model.empty()
                     ? "model_type: vit, image_size: 16, patch_size: 4, hidden_size: 16, num_hidden_layers: 1, "
                       "num_attention_heads: 2, intermediate_size: 16, num_labels: 2"
                     : model) +
                "}\ndata: {format: images, path: images, validation_fraction: 0.25" + keys +
                "}\ntraining: {steps: 4, batch_size: 6, evaluate_batches: 0, seed: 11}\n",
            folder_.path() / "recipe.yaml");
    }
    void write_classes() {
        for (int i = 0; i < 8; ++i)
            write_picture(std::string(i % 2 == 0 ? "cat/" : "dog/") + std::to_string(i) + ".png",
                          static_cast<std::uint8_t>(i));
    }
    std::string refusal(const std::string& keys, const std::string& model = {}) {
        try {
            const config::Recipe made = recipe(keys, model);
            const auto problems = inputs::check_recipe_inputs(made, 1);
            if (!problems.empty())
                return problems.front().key + ": " + problems.front().message.text();
            open_samples(made);
        } catch (const UserError& error) {
            return error.what();
        }
        return "is read";
    }
    test::TemporaryFolder folder_;
};

at::Tensor pixels_of(const Batch& batch) {
    for (const auto& [name, tensor] : batch.inputs)
        if (name == "pixel_values")
            return tensor;
    return {};
}

TEST(RandomPart, IsWhatTorchvisionAllows) {
    const RandomChanges changes{0.08, 0.5, 3};
    int mirrored = 0;
    std::set<std::int64_t> heights;
    for (std::int64_t sample = 0; sample < 2000; ++sample) {
        const ImagePart part = random_part(200, 300, changes, 1, sample);
        ASSERT_GE(part.top, 0);
        ASSERT_GE(part.left, 0);
        ASSERT_LE(part.top + part.height, 200);
        ASSERT_LE(part.left + part.width, 300);
        const double ratio = static_cast<double>(part.width) / static_cast<double>(part.height);
        ASSERT_GT(ratio, 0.75 * 0.97);
        ASSERT_LT(ratio, 4.0 / 3 * 1.03);
        ASSERT_GT(static_cast<double>(part.width * part.height), 0.07 * 200 * 300);
        heights.insert(part.height);
        mirrored += part.mirrored ? 1 : 0;
    }
    EXPECT_NEAR(mirrored, 1000, 100);
    // The seed and the epoch reach it (ultralytics/ultralytics#25815, Lightning-AI/pytorch-lightning#20412).
    const auto left_of = [&](std::uint64_t seed, std::int64_t epoch) {
        std::vector<std::int64_t> lefts;
        for (std::int64_t sample = 0; sample < 20; ++sample)
            lefts.push_back(random_part(200, 300, {0.08, 0.5, seed}, epoch, sample).left);
        return lefts;
    };
    EXPECT_EQ(left_of(3, 1), left_of(3, 1));
    EXPECT_NE(left_of(3, 1), left_of(4, 1));
    EXPECT_NE(left_of(3, 1), left_of(3, 2));
    EXPECT_GT(heights.size(), 80u);
    // No part of a strip has an allowed ratio and this area: the largest one in the middle is taken.
    const ImagePart strip = random_part(10, 1000, {0.9, 0, 3}, 0, 0);
    EXPECT_EQ(strip.height, 10);
    EXPECT_EQ(strip.width, 13);
    EXPECT_EQ(strip.left, (1000 - 13) / 2);
}

TEST(RandomPart, IsResizedAsAnImageOfItsOwn) {
    const at::Tensor image = at::arange(3 * 40 * 50, at::kLong).mul(7).remainder(256).to(at::kByte).view({3, 40, 50});
    inputs::ImageProcessor processor;
    processor.shortest_edge = 32;
    processor.crop_height = processor.crop_width = 24;
    const ImagePart part{5, 7, 20, 30, true};
    inputs::ImageProcessor whole;
    whole.height = whole.width = 24;
    const at::Tensor expected = model_pixels(image.narrow(1, 5, 20).narrow(2, 7, 30).contiguous(), whole).flip({2});
    EXPECT_LT(model_pixels(image, processor, part).sub(expected).abs().max().item<float>(), 0.02f);
    const ImagePart all{0, 0, 40, 50, false};
    EXPECT_TRUE(model_pixels(image, processor, all).equal(model_pixels(image, processor)));
}

/// What happens to a sample depends on the seed, the epoch and the sample: not on ranks, and not on where a run begins.
TEST_F(ImageChanges, AreTheSameOnEveryLayoutAndAfterAResume) {
    write_classes();
    config::Recipe own = recipe(", random_resized_crop: 0.3, random_horizontal_flip: 0.5");
    const std::shared_ptr<const SampleSet> samples = open_samples(own);
    DataLoader alone(own, {0, 1}, at::kCPU, samples);
    std::vector<at::Tensor> batches;
    for (std::int64_t step = 0; step < 3; ++step)
        batches.push_back(pixels_of(alone.training_batch(step * 6, 0)));
    EXPECT_FALSE(batches[0].equal(batches[1])) << "six samples: each step is an epoch";
    DataLoader later(own, {0, 1}, at::kCPU, samples);
    EXPECT_TRUE(pixels_of(later.training_batch(12, 0)).equal(batches[2]));
    own.training.batch_size = 3;
    for (int rank : {0, 1}) {
        DataLoader one(own, {rank, 2}, at::kCPU, samples);
        for (std::int64_t step = 0; step < 3; ++step)
            EXPECT_TRUE(pixels_of(one.training_batch(step * 6, 0))
                            .equal(batches[static_cast<std::size_t>(step)].narrow(0, 3 * rank, 3)))
                << "rank " << rank << ", step " << step;
    }
    const config::Recipe plain = recipe("");
    DataLoader unchanged(plain, {0, 1}, at::kCPU, open_samples(plain));
    const at::Tensor first = pixels_of(unchanged.training_batch(0, 0));
    EXPECT_FALSE(first.equal(batches[0]));
    EXPECT_TRUE(pixels_of(unchanged.evaluation_batch(0)).equal(pixels_of(alone.evaluation_batch(0))))
        << "what is held out stays as it is";
}

TEST_F(ImageChanges, KeysSayTheNormalisation) {
    write_classes();
    const auto first = [&](const std::string& keys) {
        const config::Recipe own = recipe(keys);
        return open_samples(own)->batch(true, std::vector<std::int64_t>{0}, 1).at("pixel_values").as_tensor()[0];
    };
    const at::Tensor usual = first("");  // (x - 0.5) / 0.5
    const at::Tensor mean = at::tensor({0.4, 0.5, 0.6}).view({3, 1, 1}),
                     deviation = at::tensor({0.2, 0.25, 0.3}).view({3, 1, 1});
    const at::Tensor expected = usual.mul(0.5).add(0.5).sub(mean).div(deviation);
    EXPECT_LT(
        first(", image_mean: [0.4, 0.5, 0.6], image_std: [0.2, 0.25, 0.3]").sub(expected).abs().max().item<float>(),
        1e-5f);
    EXPECT_THAT(refusal(", image_mean: [0.4, 0.5]"), HasSubstr("data.image_mean"));
    EXPECT_THAT(refusal(", image_std: [0.4, 0, 1]"), HasSubstr("data.image_std"));
    EXPECT_THAT(refusal(", image_size: 20"),
                says("is {}, and the model takes images of model.image_size ({}): leave it out", 20, 16));
    const std::string resnet =
        "model_type: resnet, embedding_size: 8, hidden_sizes: [8], depths: [1], layer_type: basic, num_labels: 2";
    EXPECT_EQ(refusal(", image_size: 12", resnet), "is read");
    const config::Recipe sized = recipe(", image_size: 12, random_resized_crop: 0.5", resnet);
    const std::vector<std::int64_t> two{0, 1}, epochs{0, 3};
    EXPECT_THAT(open_samples(sized)->batch_of_epochs(two, epochs, 1).at("pixel_values").as_tensor().sizes().vec(),
                ElementsAre(2, 3, 12, 12));
}

TEST_F(ImageChanges, ClassesAreFoundInFileNames) {
    const std::vector<std::string> names{"beagle_32.png",         "Abyssinian_1.png",  "beagle_7.png",
                                         "great_pyrenees_12.png", "Abyssinian_20.png", "more/great_pyrenees_3.png"};
    for (std::size_t i = 0; i < names.size(); ++i)
        write_picture(names[i], static_cast<std::uint8_t>(i));
    const formats::ImageFolder found =
        formats::ImageFolder::by_names({folder_.path() / "images"}, R"(^(.*)_\d+\.png$)");
    EXPECT_THAT(found.classes(), ElementsAre("Abyssinian", "beagle", "great_pyrenees"));
    for (const formats::ImageFolder::Sample& sample : found.samples())
        EXPECT_TRUE(
            sample.path.filename().string().starts_with(found.classes()[static_cast<std::size_t>(sample.label)] + "_"))
            << sample.path;
    EXPECT_EQ(found.samples().size(), 6u);
    const std::string vit =
        "model_type: vit, image_size: 16, patch_size: 4, hidden_size: 16, num_hidden_layers: 1, "
        "num_attention_heads: 2, intermediate_size: 16, num_labels: 3";
    EXPECT_EQ(refusal(R"(, label_pattern: '^(.*)_\d+\.png$')", vit), "is read");
    EXPECT_THAT(refusal(R"(, label_pattern: '^(.*)_\d+\.png$')"),
                says("model.num_labels: {} has {} classes ({}), and num_labels is {}", _, 3, "data.label_pattern", 2));
    EXPECT_THAT(
        refusal(R"(, label_pattern: '^([a-z]*)_\d+\.png$')", vit),
        says("data.label_pattern: '{}' finds no class in the name of {}: correct the expression, or move the file "
             "away",
             _, HasSubstr("Abyssinian_1.png")));
    EXPECT_THAT(refusal(", label_pattern: '(('", vit), HasSubstr("data.label_pattern"));
}

}  // namespace
}  // namespace trainyard::train
