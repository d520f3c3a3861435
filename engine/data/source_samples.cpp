// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/source_samples.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::data {

Tree ImageFolderDataset::get(std::int64_t index) const {
    const formats::ImageFolder::Sample& sample = folder_.samples().at(static_cast<std::size_t>(index));
    formats::Image image = formats::read_image(sample.path, mode_);
    at::Tensor tensor = at::empty({image.channels, image.height, image.width}, scale_ ? at::kFloat : at::kByte);
    auto pixels = static_cast<std::size_t>(image.height * image.width),
         channels = static_cast<std::size_t>(image.channels);
    auto planes = [&](auto* out, auto value) {
        for (std::size_t channel = 0; channel < channels; ++channel)
            for (std::size_t pixel = 0; pixel < pixels; ++pixel)
                *out++ = value(image.pixels[pixel * channels + channel]);
    };
    if (scale_)
        planes(tensor.mutable_data_ptr<float>(), [](std::uint8_t byte) { return static_cast<float>(byte) / 255.0f; });
    else
        planes(tensor.mutable_data_ptr<std::uint8_t>(), [](std::uint8_t byte) { return byte; });
    return Tree::dict({{"image", tensor}, {"label", sample.label}});
}

Tree MegatronDataset::get(std::int64_t index) const {
    at::Tensor tokens = at::empty({samples_.tokens_of_sample()}, at::kLong);
    auto* begin = tokens.mutable_data_ptr<std::int64_t>();
    std::int64_t real = samples_.read(index, {begin, static_cast<std::size_t>(tokens.numel())});
    at::Tensor labels = tokens.clone();
    if (real < labels.numel())
        labels.narrow(0, real, labels.numel() - real).fill_(-100);
    return Tree::dict({{"input_ids", tokens}, {"labels", labels}});
}

BlendedDataset::BlendedDataset(std::vector<std::shared_ptr<Dataset>> sets, formats::Blend blend)
    : sets_(std::move(sets)), blend_(std::move(blend)) {
    for (std::size_t i = 0; i < blend_.set.size(); ++i) {
        auto set = static_cast<std::size_t>(blend_.set[i]);
        if (set >= sets_.size() || blend_.sample[i] >= sets_[set]->size())
            throw UserError(
                "the blend asks data set {} for sample {}, it has {}: make it with more samples (see blend_sizes)", set,
                blend_.sample[i], set < sets_.size() ? sets_[set]->size() : 0);
    }
}

Tree BlendedDataset::get(std::int64_t index) const {
    auto place = static_cast<std::size_t>(index);
    return sets_[static_cast<std::size_t>(blend_.set.at(place))]->get(blend_.sample[place]);
}

void BlendedDataset::set_epoch(std::int64_t epoch) {
    for (const auto& set : sets_)
        set->set_epoch(epoch);
}

}  // namespace trainyard::data
