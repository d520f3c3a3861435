// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/error.h"
#include "data/order.h"

namespace trainyard::data {

BatchShard::BatchShard(Batches batches, Shard shard, ShardOptions options, std::int64_t first)
    : batches_(std::move(batches)), shard_(shard), options_(options), first_(first) {
    std::int64_t in_tail = 0;  // samples of this rank
    if (batches_.batch_size) {
        std::int64_t size = *batches_.batch_size;
        if (options_.split_batches && size % shard_.count != 0)
            throw UserError(
                "split_batches cuts every batch among {} ranks, which a batch size of {} "
                "does not allow: make it a multiple",
                shard_.count, size);
        piece_size_ = options_.split_batches ? size / shard_.count : size;
        step_size_ = piece_size_ * shard_.count;
        std::int64_t rest = std::max<std::int64_t>(0, batches_.samples() - first_);
        full_steps_ = rest / step_size_;
        tail_ = batches_.drop_last ? 0 : rest % step_size_;
        in_tail = options_.even_batches ? tail_ : tail_ - shard_.index * piece_size_;
    } else {
        if (options_.split_batches)
            throw UserError("split_batches needs a batch size: give the batch sampler one, or do not split");
        while (first_batch_ < batches_.count() && batches_.begin_of(first_batch_) < first_)
            ++first_batch_;
        if (first_ > 0 && (first_batch_ == 0 || batches_.end_of(first_batch_ - 1) != first_))
            throw UserError(
                "no batch of this epoch ends after {} samples: the batch sampler gives "
                "other batches than when the state was saved",
                first_);
        std::int64_t rest = batches_.count() - first_batch_;
        full_steps_ = rest / shard_.count;
        tail_ = batches_.drop_last ? 0 : rest % shard_.count;
        in_tail = options_.even_batches ? tail_ : tail_ - shard_.index;
    }
    count_ = full_steps_ + (in_tail > 0 ? 1 : 0);
    steps_ = full_steps_ + (tail_ > 0 ? 1 : 0);
}

std::int64_t BatchShard::samples_after(std::int64_t steps) const {
    if (step_size_ > 0)
        return steps <= full_steps_ ? first_ + steps * step_size_ : first_ + full_steps_ * step_size_ + tail_;
    std::int64_t last = first_batch_ + std::min(steps * shard_.count, full_steps_ * shard_.count + tail_);
    return batches_.begin_of(last);
}

std::int64_t BatchShard::tail() const {
    return step_size_ > 0 ? tail_ : samples_after(steps_) - samples_after(full_steps_);
}

std::vector<std::int64_t> BatchShard::operator[](std::int64_t batch) const {
    if (step_size_ == 0) {
        if (batch < full_steps_ || shard_.index < tail_)
            return batches_[first_batch_ + batch * shard_.count + shard_.index];
        // Whole batches are repeated, from the first one of the epoch.
        return batches_[(shard_.index - tail_) % std::min(batches_.count(), shard_.count)];
    }
    std::int64_t step_begin = first_ + batch * step_size_;
    std::int64_t in_step = batch < full_steps_ ? step_size_ : tail_;
    std::int64_t piece_begin = shard_.index * piece_size_;
    std::int64_t piece_end = piece_begin + piece_size_;
    if (!options_.even_batches)
        piece_end = std::min(piece_end, in_step);
    // Samples of the first step complete the last one, repeatedly if necessary.
    std::int64_t repeated = std::min(batches_.samples(), step_size_);
    std::vector<std::int64_t> result(static_cast<std::size_t>(piece_end - piece_begin));
    for (std::int64_t i = piece_begin; i < piece_end; ++i)
        result[static_cast<std::size_t>(i - piece_begin)] =
            batches_.order[i < in_step ? step_begin + i : (i - in_step) % repeated];
    return result;
}

}  // namespace trainyard::data
