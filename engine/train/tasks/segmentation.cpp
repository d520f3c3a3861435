// SPDX-License-Identifier: GPL-3.0-or-later
// Task semantic_segmentation: the class of each pixel, from a folder of images and one of masks. Both are resized,
// cropped and mirrored together: images as preprocessor_config.json beside the weights says, masks by the nearest
// pixel, as transformers' SegformerImageProcessor computes them.

#include <algorithm>

#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "base/error.h"
#include "config/inputs/masks.h"
#include "models/nn/kernels/cross_entropy.h"
#include "train/tasks/changing_samples.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

static_assert(inputs::MaskClasses::kNotCounted == models::kIgnoredLabel);

class SegmentedImages final : public ImageSamples {
  public:
    explicit SegmentedImages(const config::Recipe& recipe)
        : ImageSamples(recipe),
          mode_(recipe.model.num_channels == 1 ? formats::ImageMode::grey : formats::ImageMode::rgb),
          classes_(recipe, processor_),
          table_(at::tensor(classes_.of_value(), at::kLong)),
          pairs_(inputs::masked_images(recipe.data)) {
        mix(pairs_.size(), recipe);
        if (processor_.do_resize && processor_.height == 0) {  // a model of any size, and no file: that of the first
            const formats::Image first = formats::read_image(pairs_.front().image, mode_);
            processor_.height = first.height;
            processor_.width = first.width;
        }
    }
    std::int64_t targets_per_sample(std::int64_t) const override {
        return std::max<std::int64_t>(1, processor_.output_height() * processor_.output_width());
    }

    std::string path_of(std::int64_t sample) const override {
        return pairs_[static_cast<std::size_t>(sample)].image.string();
    }

  private:
    Tree batch_of(std::span<const SampleNumber> numbers) const override {
        std::vector<at::Tensor> images, masks;
        for (const SampleNumber& number : numbers) {
            const formats::ImagePair& pair = pairs_[static_cast<std::size_t>(number.sample)];
            const formats::Image image = formats::read_image(pair.image, mode_),
                                 mask = formats::read_image(pair.mask, formats::ImageMode::classes);
            if (image.height != mask.height || image.width != mask.width)
                throw UserError(
                    "{} has {} × {} pixels, and its mask {} has {} × {}: an image and its mask have one size",
                    pair.image.string(), image.width, image.height, pair.mask.string(), mask.width, mask.height);
            classes_.check(mask, pair.mask.string());
            const ImagePart part = part_of(image.height, image.width, number);
            add_image(images, model_pixels(pixel_planes(image), processor_, part), pair.image.string());
            const at::Tensor values =
                model_mask(pixel_planes(mask), images.back().size(1), images.back().size(2), part).to(at::kLong);
            masks.push_back(table_.index_select(0, values.flatten()).view(values.sizes()));
        }
        const at::Tensor labels = at::stack(masks);
        return Tree::dict({{"pixel_values", at::stack(images)},
                           {"labels", labels},
                           {"targets", labels.ne(models::kIgnoredLabel).flatten(1).sum(1)}});
    }

    formats::ImageMode mode_;
    inputs::MaskClasses classes_;
    at::Tensor table_;  ///< of classes_, by value
    std::vector<formats::ImagePair> pairs_;
};

}  // namespace

std::unique_ptr<SampleSet> open_segmented_images(const config::Recipe& recipe) {
    return std::make_unique<SegmentedImages>(recipe);
}

}  // namespace trainyard::train
