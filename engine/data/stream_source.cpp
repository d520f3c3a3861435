// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/error.h"
#include "data/batch_source.h"

namespace trainyard::data {

StreamSource::StreamSource(Parts parts, Shard shard) : parts_(std::move(parts)), shard_(shard) {}

std::size_t StreamSource::keep() const {
    return static_cast<std::size_t>(completes() ? parts_.step_size : parts_.keep_first);
}

std::optional<Tree> StreamSource::read() {
    if (passed_ < first_.size())
        return first_[passed_++];
    if (ended_)
        return std::nullopt;
    std::optional<Tree> sample = parts_.stream->next();
    ended_ = !sample;
    if (sample && first_.size() < keep()) {
        first_.push_back(*sample);
        ++passed_;
    }
    return sample;
}

void StreamSource::begin(const PassStart& start, const at::Generator&) {
    first_.clear();
    passed_ = 0;
    ended_ = false;
    IterableDataset& stream = *parts_.stream;
    stream.set_epoch(start.epoch);
    samples_ = start.samples + start.skip * parts_.step_size;
    bool seeks = !start.position.is_none();
    if (samples_ == 0 || keep() > 0 || !seeks)
        stream.begin();
    // The first samples of the epoch are needed at its end, wherever the pass starts.
    while (samples_ > 0 && first_.size() < keep() && read())
        ;
    auto known = static_cast<std::int64_t>(first_.size());
    if (samples_ < known) {
        passed_ = static_cast<std::size_t>(samples_);
    } else if (samples_ > 0 && !ended_) {
        std::int64_t from = known;
        if (seeks && start.samples >= known) {
            stream.seek(start.position);
            from = start.samples;
        }
        ended_ = stream.skip(samples_ - from) < samples_ - from;
    }
    std::optional<std::int64_t> size = dataset_length();
    remainder_ = parts_.drop_last || !size ? -1 : *size % parts_.step_size;
}

std::optional<BatchJob> StreamSource::next() {
    std::vector<Tree> step;
    step.reserve(static_cast<std::size_t>(parts_.step_size));
    while (static_cast<std::int64_t>(step.size()) < parts_.step_size) {
        std::optional<Tree> sample = read();
        if (!sample)
            break;
        step.push_back(std::move(*sample));
    }
    auto rows = static_cast<std::int64_t>(step.size());
    if (rows == 0 || (rows < parts_.step_size && parts_.drop_last))
        return std::nullopt;
    samples_ += rows;
    std::vector<Tree> mine;
    if (shard_.count == 1 && !completes()) {
        mine = std::move(step);
    } else {
        std::int64_t size = parts_.step_size / shard_.count;
        for (std::int64_t i = shard_.index * size; i < (shard_.index + 1) * size; ++i)
            mine.push_back(i < rows ? std::move(step[static_cast<std::size_t>(i)])
                                    : first_[static_cast<std::size_t>(i - rows) % first_.size()]);
    }
    HostBatch rest{{}, samples_, completes() ? rows % parts_.step_size : -1, parts_.stream->position()};
    return [this, mine = std::move(mine), rest = std::move(rest)] {
        HostBatch batch = rest;
        batch.batch = parts_.collate ? parts_.collate(mine) : collate(mine);
        return batch;
    };
}

Tree StreamSource::first_samples(std::int64_t count) {
    auto size = std::min(static_cast<std::size_t>(count), first_.size());
    std::vector<Tree> samples(first_.begin(), first_.begin() + static_cast<std::ptrdiff_t>(size));
    return parts_.collate ? parts_.collate(std::move(samples)) : collate(std::move(samples));
}

std::optional<std::int64_t> StreamSource::length() const {
    std::optional<std::int64_t> size = dataset_length();
    if (!size)
        return std::nullopt;
    return parts_.drop_last ? *size / parts_.step_size : (*size + parts_.step_size - 1) / parts_.step_size;
}

std::optional<std::int64_t> StreamSource::dataset_length() const {
    return parts_.own_parts ? std::nullopt : parts_.stream->size();
}

}  // namespace trainyard::data
