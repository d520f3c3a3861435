// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/tasks/image_pixels.h"

#include <algorithm>

#include <ATen/ops/_upsample_bicubic2d_aa.h>
#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/_upsample_nearest_exact2d.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/tensor.h>

namespace trainyard::train {

namespace {

using inputs::ImageProcessor;

at::Tensor resized(const at::Tensor& image, const ImageProcessor& processor) {
    std::int64_t height = processor.height, width = processor.width;
    if (processor.shortest_edge > 0) {
        const std::int64_t shorter = std::min(image.size(1), image.size(2)),
                           longer = std::max(image.size(1), image.size(2));
        const auto other = static_cast<std::int64_t>(static_cast<double>(processor.shortest_edge * longer) /
                                                     static_cast<double>(shorter));
        const bool upright = image.size(2) <= image.size(1);
        height = upright ? other : processor.shortest_edge;
        width = upright ? processor.shortest_edge : other;
    }
    if (height == image.size(1) && width == image.size(2))
        return image;
    const at::Tensor batch = image.unsqueeze(0);
    switch (processor.resample) {
        case ImageProcessor::Resample::nearest:
            return at::_upsample_nearest_exact2d(batch, {height, width}).squeeze(0);
        case ImageProcessor::Resample::bilinear:
            return at::_upsample_bilinear2d_aa(batch, {height, width}, false).squeeze(0);
        default:
            return at::_upsample_bicubic2d_aa(batch, {height, width}, false).squeeze(0);
    }
}

at::Tensor center_of(at::Tensor image, std::int64_t height, std::int64_t width) {
    const std::int64_t more_rows = std::max<std::int64_t>(0, height - image.size(1)),
                       more_columns = std::max<std::int64_t>(0, width - image.size(2));
    if (more_rows > 0 || more_columns > 0)
        image =
            at::constant_pad_nd(image, {more_columns / 2, (more_columns + 1) / 2, more_rows / 2, (more_rows + 1) / 2});
    return image.narrow(1, (image.size(1) - height) / 2, height).narrow(2, (image.size(2) - width) / 2, width);
}

}  // namespace

at::Tensor model_pixels(const at::Tensor& pixels, const ImageProcessor& processor) {
    at::Tensor image = processor.do_resize ? resized(pixels, processor) : pixels;
    if (processor.crop_height > 0)
        image = center_of(image, processor.crop_height, processor.crop_width);
    image = image.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true).contiguous();
    const float factor = processor.do_rescale ? static_cast<float>(1.0 / processor.rescale_factor) : 1.0f;
    if (!processor.do_normalize)
        return processor.do_rescale ? image.mul_(processor.rescale_factor) : image;
    const auto by_channel = [&](const std::vector<double>& values) {
        return at::tensor(std::vector<float>(values.begin(), values.end())).mul_(factor).view({-1, 1, 1});
    };
    return image.sub_(by_channel(processor.image_mean)).div_(by_channel(processor.image_std));
}

}  // namespace trainyard::train
