// SPDX-License-Identifier: GPL-3.0-or-later
// Task semantic_segmentation: the class of each pixel, from a folder of images and one of masks. Both are resized,
// cropped and mirrored together: images as preprocessor_config.json beside the weights says, masks by the nearest
// pixel, as transformers' SegformerImageProcessor computes them.

#include <algorithm>

#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "base/error.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/masks.h"
#include "models/nn/kernels/cross_entropy.h"
#include "train/tasks/image_pixels.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

static_assert(inputs::MaskClasses::kNotCounted == models::kIgnoredLabel);

class SegmentedImages final : public SampleSet {
  public:
    explicit SegmentedImages(const config::Recipe& recipe)
        : processor_(inputs::image_processor_of(recipe)),
          mode_(recipe.model.num_channels == 1 ? formats::ImageMode::grey : formats::ImageMode::rgb),
          classes_(recipe, processor_),
          table_(at::tensor(classes_.of_value(), at::kLong)),
          changes_{recipe.data.random_resized_crop, recipe.data.random_horizontal_flip, recipe.training.seed},
          pairs_(inputs::masked_images(recipe.data)),
          order_(pairs_.size(), recipe.training.seed, 0),
          cut_(static_cast<std::int64_t>(pairs_.size()), recipe.data.validation_fraction) {
        if (processor_.do_resize && processor_.height == 0) {  // a model of any size, and no file: that of the first
            const formats::Image first = formats::read_image(pairs_.front().image, mode_);
            processor_.height = first.height;
            processor_.width = first.width;
        }
    }
    std::int64_t training_samples() const override { return cut_.training; }
    std::int64_t validation_samples() const override { return cut_.held_out; }
    std::int64_t targets_per_sample(std::int64_t) const override {
        return std::max<std::int64_t>(1, processor_.output_height() * processor_.output_width());
    }
    std::vector<inputs::FileBeside> files_beside_model() const override {
        return {{"preprocessor_config.json", inputs::write_image_processor(processor_)}};
    }
    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t) const override {
        return batch_of(held_out, indices, {});
    }
    Tree batch_of_epochs(std::span<const std::int64_t> indices, std::span<const std::int64_t> epochs,
                         std::int64_t) const override {
        return batch_of(false, indices, epochs);
    }

  private:
    /// Images are changed at random only if `epochs` are given.
    Tree batch_of(bool held_out, std::span<const std::int64_t> indices, std::span<const std::int64_t> epochs) const {
        std::vector<at::Tensor> images, masks;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const auto number = order_(static_cast<std::uint64_t>(cut_.place(held_out, indices[i])));
            const formats::ImagePair& pair = pairs_[number];
            const formats::Image image = formats::read_image(pair.image, mode_),
                                 mask = formats::read_image(pair.mask, formats::ImageMode::classes);
            if (image.height != mask.height || image.width != mask.width)
                throw UserError(
                    "{} has {} × {} pixels, and its mask {} has {} × {}: an image and its mask have one size",
                    pair.image.string(), image.width, image.height, pair.mask.string(), mask.width, mask.height);
            classes_.check(mask, pair.mask.string());
            ImagePart part{0, 0, image.height, image.width, false};
            if (changes_.any() && !epochs.empty())
                part = random_part(part.height, part.width, changes_, epochs[i], static_cast<std::int64_t>(number));
            images.push_back(model_pixels(pixel_planes(image), processor_, part));
            if (images.back().sizes() != images.front().sizes())
                throw UserError(
                    "{}: images of a batch have one size, and this one has {} × {} pixels, others {} × {}: give images "
                    "of one size, or a size in preprocessor_config.json",
                    pair.image.string(), images.back().size(2), images.back().size(1), images.front().size(2),
                    images.front().size(1));
            const at::Tensor values =
                model_mask(pixel_planes(mask), images.back().size(1), images.back().size(2), part).to(at::kLong);
            masks.push_back(table_.index_select(0, values.flatten()).view(values.sizes()));
        }
        const at::Tensor labels = at::stack(masks);
        return Tree::dict({{"pixel_values", at::stack(images)},
                           {"labels", labels},
                           {"targets", labels.ne(models::kIgnoredLabel).flatten(1).sum(1)}});
    }

    inputs::ImageProcessor processor_;
    formats::ImageMode mode_;
    inputs::MaskClasses classes_;
    at::Tensor table_;  ///< of classes_, by value
    RandomChanges changes_;
    std::vector<formats::ImagePair> pairs_;
    inputs::Permutation order_;  ///< neighbours in a folder are alike: the held-out tail has some of all
    Cut cut_;
};

}  // namespace

std::unique_ptr<SampleSet> open_segmented_images(const config::Recipe& recipe) {
    return std::make_unique<SegmentedImages>(recipe);
}

}  // namespace trainyard::train
