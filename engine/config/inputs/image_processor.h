// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How 8-bit images become the inputs of a model: preprocessor_config.json of transformers' image processors. Training,
// evaluation and exports use the same description; train/tasks/image_pixels.h computes it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/recipe/recipe.h"

namespace trainyard::inputs {

struct ImageProcessor {
    enum class Resample { nearest = 0, bilinear = 2, bicubic = 3 };  ///< numbers of Pillow

    bool do_resize = true;
    std::int64_t height = 0, width = 0;  ///< of the resized image; 0: given by shortest_edge
    std::int64_t shortest_edge = 0;      ///< the other edge keeps the ratio
    Resample resample = Resample::bilinear;
    std::int64_t crop_height = 0, crop_width = 0;  ///< of the center, padded with zeros; 0: not cropped
    bool do_rescale = true;
    double rescale_factor = 1.0 / 255;
    bool do_normalize = true;
    std::vector<double> image_mean = {0.5, 0.5, 0.5}, image_std = {0.5, 0.5, 0.5};  ///< one for each channel
    bool segments = false;       ///< of semantic_segmentation, with masks beside the images
    bool reduce_labels = false;  ///< value 0 of a mask is not a class, and 1 is class 0
    bool from_file = false;      ///< false: the defaults of this program

    /// Height and width of all results; 0: they depend on the image.
    std::int64_t output_height() const { return crop_height > 0 ? crop_height : do_resize ? height : 0; }
    std::int64_t output_width() const { return crop_width > 0 ? crop_width : do_resize ? width : 0; }
};

/// Reads a preprocessor_config.json. `model_type` decides the class where the file names none. Throws InvalidInput with
/// every key that this version cannot compute, and UserError if the text is not a JSON object.
ImageProcessor read_image_processor(const std::string& text, const std::string& where, const std::string& model_type,
                                    std::int64_t channels);
/// A preprocessor_config.json with which transformers' AutoImageProcessor makes the same inputs.
std::string write_image_processor(const ImageProcessor& processor);

/// The file that describes the images of a recipe: beside model.weights, or where those are gone beside the checkpoint
/// that it resumes. Empty: there is none.
std::filesystem::path image_processor_file(const config::Recipe& recipe);
/// The processor of a recipe whose model reads images: that of the file, or mean and deviation 0.5 at the size of the
/// model (ResNet has none: height and width are 0), changed by data.image_size, image_mean and image_std. Throws as
/// read_image_processor(), also if the model cannot take the size.
ImageProcessor image_processor_of(const config::Recipe& recipe);

}  // namespace trainyard::inputs
