// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "data/batch_source.h"

namespace trainyard::data {

namespace {

void check_indices(const Order& order, std::int64_t size) {
    if (order.bound() && *order.bound() <= size)
        return;
    for (std::int64_t i = 0; i < order.size(); ++i)
        if (order[i] < 0 || order[i] >= size)
            throw UserError("the sampler gave index {} for a data set of {} samples", order[i], size);
}

}  // namespace

MapSource::MapSource(Parts parts, Shard shard, ShardOptions options)
    : parts_(std::move(parts)), shard_(shard), options_(options) {
    // A single rank needs no even batches.
    if (shard_.count == 1)
        options_.even_batches = false;
}

Batches MapSource::custom_batches(std::int64_t epoch) const {
    const BatchSampler& sampler = *parts_.batch_sampler;
    std::vector<std::vector<std::int64_t>> lists = sampler.batches(epoch);
    for (std::size_t i = 0; sampler.batch_size && i < lists.size(); ++i) {
        auto size = static_cast<std::int64_t>(lists[i].size());
        if (size != *sampler.batch_size && (i + 1 < lists.size() || size > *sampler.batch_size || size == 0))
            throw UserError(
                "batch {} of the batch sampler has {} samples instead of {}: leave batch_size out where batches are of "
                "any size",
                i, size, *sampler.batch_size);
    }
    Batches batches = Batches::from(lists);
    batches.batch_size = sampler.batch_size;
    batches.drop_last = sampler.drop_last;
    if (batches.batch_size)
        batches.ends.clear();
    return batches;
}

Batches MapSource::batches(const at::Generator& process) const {
    Batches result;
    if (parts_.batch_sampler) {
        result = custom_batches(epoch_);
    } else {
        parts_.sampler->set_epoch(epoch_);
        result = {parts_.sampler->begin_epoch(process), parts_.batch_size, parts_.drop_last, {}};
    }
    check_indices(result.order, parts_.dataset->size());
    return result;
}

void MapSource::begin(const PassStart& start, const at::Generator& process) {
    epoch_ = start.epoch;
    parts_.dataset->set_epoch(epoch_);
    Batches all = batches(process);
    order_ = all.order;
    batch_shard_.emplace(all, shard_, options_, start.samples);
    if (start.skip > 0)
        batch_shard_.emplace(all, shard_, options_,
                             batch_shard_->samples_after(std::min(start.skip, batch_shard_->steps())));
    next_ = 0;
}

Tree MapSource::read(const std::vector<std::int64_t>& indices) const {
    if (!parts_.collate)
        return parts_.dataset->get_batch(indices);
    std::vector<Tree> samples;
    samples.reserve(indices.size());
    for (std::int64_t index : indices)
        samples.push_back(parts_.dataset->get(index));
    return parts_.collate(std::move(samples));
}

std::optional<BatchJob> MapSource::next() {
    if (next_ == batch_shard_->count())
        return std::nullopt;
    std::vector<std::int64_t> indices = (*batch_shard_)[next_++];
    return [this, indices = std::move(indices), after = batch_shard_->samples_after(next_)] {
        return HostBatch{read(indices), after, -1, {}};
    };
}

Tree MapSource::first_samples(std::int64_t count) {
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < std::min(count, order_.size()); ++i)
        indices.push_back(order_[i]);
    return read(indices);
}

std::optional<std::int64_t> MapSource::length() const {
    Batches all;
    if (parts_.batch_sampler)
        all = custom_batches(epoch_);
    else
        all = {Order::sequential(parts_.sampler->size()), parts_.batch_size, parts_.drop_last, {}};
    return BatchShard(all, shard_, options_).count();
}

std::int64_t MapSource::remainder() const {
    bool drop_last = parts_.batch_sampler ? parts_.batch_sampler->drop_last : parts_.drop_last;
    return drop_last ? -1 : batch_shard_->tail();
}

at::Generator MapSource::generator() const {
    at::Generator* generator = parts_.sampler ? parts_.sampler->generator() : nullptr;
    return generator != nullptr ? *generator : at::Generator();
}

std::optional<bool> MapSource::exchange_even_batches(bool even) {
    if (shard_.count == 1)
        return std::nullopt;
    return std::exchange(options_.even_batches, even);
}

Tree MapSource::state(bool pass_over) const {
    return parts_.sampler ? parts_.sampler->state(pass_over) : Tree::dict();
}

void MapSource::load_state(const Tree& state) {
    if (parts_.sampler)
        parts_.sampler->load_state_dict(state);
}

}  // namespace trainyard::data
