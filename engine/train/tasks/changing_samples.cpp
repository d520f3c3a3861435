// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/tasks/changing_samples.h"

#include <utility>

#include "base/error.h"

namespace trainyard::train {

Tree ChangingSamples::batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t) const {
    std::vector<SampleNumber> numbers;
    for (const std::int64_t index : indices)
        numbers.push_back({number(held_out, index)});
    return batch_of(numbers);
}

Tree ChangingSamples::batch_of_epochs(std::span<const std::int64_t> indices, std::span<const std::int64_t> epochs,
                                      std::int64_t) const {
    std::vector<SampleNumber> numbers;
    for (std::size_t i = 0; i < indices.size(); ++i)
        numbers.push_back({number(false, indices[i]), epochs[i]});
    return batch_of(numbers);
}

void ChangingSamples::mix(std::size_t samples, const config::Recipe& recipe) {
    order_.emplace(samples, recipe.training.seed, 0);
    cut_ = Cut(static_cast<std::int64_t>(samples), recipe.data.validation_fraction);
}

std::int64_t ChangingSamples::number(bool held_out, std::int64_t index) const {
    return static_cast<std::int64_t>((*order_)(static_cast<std::uint64_t>(cut_.place(held_out, index))));
}

ImageSamples::ImageSamples(const config::Recipe& recipe)
    : processor_(inputs::image_processor_of(recipe)),
      changes_{recipe.data.random_resized_crop, recipe.data.random_horizontal_flip, recipe.training.seed} {}

std::vector<inputs::FileBeside> ImageSamples::files_beside_model() const {
    return {{"preprocessor_config.json", inputs::write_image_processor(processor_)}};
}

ImagePart ImageSamples::part_of(std::int64_t height, std::int64_t width, const SampleNumber& number) const {
    return changes_.any() && number.epoch ? random_part(height, width, changes_, *number.epoch, number.sample)
                                          : ImagePart{0, 0, height, width, false};
}

void ImageSamples::add_image(std::vector<at::Tensor>& images, at::Tensor image, const std::string& where) {
    images.push_back(std::move(image));
    const at::Tensor &first = images.front(), &last = images.back();
    if (last.sizes() != first.sizes())
        throw UserError(
            "{}: images of a batch have one size, and this one has {} × {} pixels, others {} × {}: give images "
            "of one size, or a size in preprocessor_config.json",
            where, last.size(2), last.size(1), first.size(2), first.size(1));
}

}  // namespace trainyard::train
