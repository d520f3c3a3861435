// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/tasks/image_pixels.h"

#include <algorithm>
#include <cmath>

#include <ATen/ops/_upsample_bicubic2d_aa.h>
#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/_upsample_nearest_exact2d.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>

#include "base/philox.h"

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

/// Of philox.h, beside its RandomStream.
constexpr RandomStream kImageStream{5};

}  // namespace

ImagePart random_part(std::int64_t height, std::int64_t width, const RandomChanges& changes, std::int64_t epoch,
                      std::int64_t sample) {
    const auto draw = [&](std::uint64_t number) {
        return philox(changes.seed, kImageStream, static_cast<std::uint32_t>(epoch), static_cast<std::uint32_t>(sample),
                      number);
    };
    ImagePart part{0, 0, height, width, trainyard::uniform(draw(0)[0]) < changes.mirrored};
    if (changes.least_area == 0)
        return part;
    constexpr double kNarrowest = 3.0 / 4, kWidest = 4.0 / 3;
    constexpr std::uint64_t kTries = 10;
    const double rows = static_cast<double>(height), columns = static_cast<double>(width);
    for (std::uint64_t attempt = 1; attempt <= kTries; ++attempt) {
        const auto numbers = draw(attempt);
        const double area =
            rows * columns * (changes.least_area + (1 - changes.least_area) * trainyard::uniform(numbers[0]));
        const double ratio = std::exp(std::log(kNarrowest) +
                                      (std::log(kWidest) - std::log(kNarrowest)) * trainyard::uniform(numbers[1]));
        const std::int64_t wide = std::lround(std::sqrt(area * ratio)), high = std::lround(std::sqrt(area / ratio));
        if (wide < 1 || wide > width || high < 1 || high > height)
            continue;
        const auto place = [](std::uint32_t bits, std::int64_t room) {
            return std::min(room, static_cast<std::int64_t>(trainyard::uniform(bits) * static_cast<double>(room + 1)));
        };
        part.top = place(numbers[2], height - high);
        part.left = place(numbers[3], width - wide);
        part.height = high;
        part.width = wide;
        return part;
    }
    // The largest part in the middle whose ratio is allowed.
    if (columns / rows < kNarrowest)
        part.height = std::min<std::int64_t>(height, std::lround(columns / kNarrowest));
    else if (columns / rows > kWidest)
        part.width = std::min<std::int64_t>(width, std::lround(rows * kWidest));
    part.top = (height - part.height) / 2;
    part.left = (width - part.width) / 2;
    return part;
}

at::Tensor pixel_planes(const std::uint8_t* pixels, std::int64_t height, std::int64_t width, std::int64_t channels) {
    at::Tensor image = at::empty({channels, height, width}, at::kByte);
    auto* out = image.data_ptr<std::uint8_t>();
    for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t i = 0; i < height * width; ++i)
            *out++ = pixels[i * channels + c];
    return image;
}

at::Tensor pixel_planes(const formats::Image& image) {
    return pixel_planes(image.pixels.data(), image.height, image.width, image.channels);
}

at::Tensor model_mask(const at::Tensor& mask, std::int64_t height, std::int64_t width, const ImagePart& part) {
    at::Tensor made = mask.narrow(1, part.top, part.height).narrow(2, part.left, part.width).contiguous();
    if (part.mirrored)
        made = made.flip({2});
    if (made.size(1) != height || made.size(2) != width)
        made = at::_upsample_nearest_exact2d(made.unsqueeze(0), {height, width}).squeeze(0);
    return made.squeeze(0);
}

at::Tensor model_pixels(const at::Tensor& pixels, const ImageProcessor& processor, const ImagePart& part) {
    at::Tensor image = pixels;
    ImageProcessor whole = processor;
    if (part.height != pixels.size(1) || part.width != pixels.size(2)) {
        image = pixels.narrow(1, part.top, part.height).narrow(2, part.left, part.width).contiguous();
        // The crop is resized to the size of the result.
        whole.do_resize = true;
        whole.height = processor.output_height() > 0 ? processor.output_height() : pixels.size(1);
        whole.width = processor.output_width() > 0 ? processor.output_width() : pixels.size(2);
        whole.shortest_edge = whole.crop_height = whole.crop_width = 0;
    }
    return model_pixels(part.mirrored ? image.flip({2}) : image, whole);
}

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
