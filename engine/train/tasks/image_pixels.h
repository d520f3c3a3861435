// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// 8-bit images as inputs of a model (config/inputs/image_processor.h), as transformers' image processors compute them
// with torchvision: resized with antialiasing in 8 bits, cropped, then rescaled and normalised in fp32.

#include <ATen/core/Tensor.h>

#include "config/inputs/image_processor.h"

namespace trainyard::train {

/// `pixels`: uint8 [channels, height, width]. Returns fp32 [channels, height, width].
at::Tensor model_pixels(const at::Tensor& pixels, const inputs::ImageProcessor& processor);

}  // namespace trainyard::train
