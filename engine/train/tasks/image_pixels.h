// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// 8-bit images as inputs of a model (config/inputs/image_processor.h), as transformers' image processors compute them
// with torchvision: resized with antialiasing in 8 bits, cropped, then rescaled and normalised in fp32.

#include <ATen/core/Tensor.h>

#include "config/inputs/image_processor.h"
#include "formats/tables/image.h"

namespace trainyard::train {

/// uint8 [channels, height, width] of pixels [height, width, channels].
at::Tensor pixel_planes(const std::uint8_t* pixels, std::int64_t height, std::int64_t width, std::int64_t channels);
at::Tensor pixel_planes(const formats::Image& image);

/// `pixels`: uint8 [channels, height, width]. Returns fp32 [channels, height, width].
at::Tensor model_pixels(const at::Tensor& pixels, const inputs::ImageProcessor& processor);

/// Random changes of training images, as torchvision's RandomResizedCrop and RandomHorizontalFlip: a function of seed,
/// epoch and sample alone.
struct RandomChanges {
    double least_area = 0;  ///< share of the image that a crop has at least; 0: the whole image
    double mirrored = 0;    ///< share of the images
    std::uint64_t seed = 0;
    bool any() const { return least_area > 0 || mirrored > 0; }
};

/// A part of an image, and whether it is mirrored.
struct ImagePart {
    std::int64_t top = 0, left = 0, height = 0, width = 0;
    bool mirrored = false;
};

ImagePart random_part(std::int64_t height, std::int64_t width, const RandomChanges& changes, std::int64_t epoch,
                      std::int64_t sample);
/// That part as model_pixels() computes it: a crop is resized to the size of the processor's images.
at::Tensor model_pixels(const at::Tensor& pixels, const inputs::ImageProcessor& processor, const ImagePart& part);

/// That part of a mask [1, height, width] as [height, width] of the image's size, each pixel that of the nearest.
at::Tensor model_mask(const at::Tensor& mask, std::int64_t height, std::int64_t width, const ImagePart& part);

}  // namespace trainyard::train
