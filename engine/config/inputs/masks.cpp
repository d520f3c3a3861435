// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/masks.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "models/spec/segformer/segformer_family.h"

namespace trainyard::inputs {

namespace {

constexpr std::size_t kMasksBeforeStart = 16;

}  // namespace

MaskClasses::MaskClasses(const config::Recipe& recipe, const ImageProcessor& processor)
    : classes_(recipe.model.num_labels), ignored_(recipe.model.semantic_loss_ignore_index) {
    constexpr std::int64_t kBackground = 255;  ///< what transformers' do_reduce_labels makes of 0 and of 255
    for (std::int64_t value = 0; std::cmp_less(value, of_value_.size()); ++value) {
        std::int64_t number = value;
        if (processor.reduce_labels)
            number = value == 0 || value == kBackground ? kBackground : value - 1;
        of_value_[static_cast<std::size_t>(value)] = number == ignored_  ? kNotCounted
                                                     : number < classes_ ? number
                                                                         : kNotAClass;
    }
}

void MaskClasses::check(const formats::Image& mask, const std::string& where) const {
    for (const std::uint8_t value : mask.pixels)
        if (of_value_[value] == kNotAClass)
            throw UserError(
                "{} holds the value {}, which is not a class: model.num_labels is {}, and pixels of {} "
                "(semantic_loss_ignore_index) are not counted: correct the mask, or one of these",
                where, value, classes_, ignored_);
}

std::vector<formats::ImagePair> masked_images(const config::DataRecipe& data) {
    return formats::pair_images({data.paths.begin(), data.paths.end()}, data.mask_path);
}

void check_masks(const config::Recipe& recipe) {
    const ImageProcessor processor = image_processor_of(recipe);
    const MaskClasses classes(recipe, processor);
    const std::vector<formats::ImagePair> pairs = masked_images(recipe.data);
    families::FeatureGrid size{processor.output_height(), processor.output_width()};
    if (size.size() == 0) {
        const formats::Image first = formats::read_image(pairs.front().image);
        size = {first.height, first.width};
    }
    if (Message problem = families::segformer_plan(recipe.model).why_too_small(size); !problem.empty())
        throw UserError(std::move(problem));
    for (std::size_t i = 0; i < std::min(pairs.size(), kMasksBeforeStart); ++i)
        classes.check(formats::read_image(pairs[i].mask, formats::ImageMode::classes), pairs[i].mask.string());
}

}  // namespace trainyard::inputs
