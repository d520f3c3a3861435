// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Masks of semantic_segmentation: images whose pixels hold classes, one for each image of the data.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "config/inputs/image_processor.h"
#include "config/recipe/recipe.h"
#include "formats/tables/image.h"

namespace trainyard::inputs {

/// The classes of pixels by their value: data.reduce_labels and semantic_loss_ignore_index are applied.
class MaskClasses {
  public:
    static constexpr std::int64_t kNotCounted = -100, kNotAClass = -1;

    MaskClasses(const config::Recipe& recipe, const ImageProcessor& processor);
    /// A class, kNotCounted or kNotAClass for each value.
    const std::array<std::int64_t, 256>& of_value() const { return of_value_; }
    /// Throws UserError if a pixel is not a class.
    void check(const formats::Image& mask, const std::string& where) const;

  private:
    std::array<std::int64_t, 256> of_value_;
    std::int64_t classes_, ignored_;
};

/// The images of data.path with their masks. Throws UserError as formats::pair_images().
std::vector<formats::ImagePair> masked_images(const config::DataRecipe& data);

/// Reads some of the masks before the start. Throws UserError.
void check_masks(const config::Recipe& recipe);

}  // namespace trainyard::inputs
