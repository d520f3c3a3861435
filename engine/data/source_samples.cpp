// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/source_samples.h"

#include <ATen/ops/empty.h>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::data {

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
