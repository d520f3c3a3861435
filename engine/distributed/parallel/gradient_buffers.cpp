// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/gradient_buffers.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include "distributed/tensors/memory_meter.h"

namespace trainyard::parallel {

void GradientBuffers::add_bucket(std::int64_t elements, std::vector<Place> places) {
    for (const Place& place : places) {
        place.parameter->gradient_buffers_ = this;
        place.parameter->bucket_ = buckets_.size();
    }
    buckets_.push_back({elements, std::move(places), {}});
}

const at::Tensor& GradientBuffers::allocate(std::size_t bucket) {
    Bucket& wanted = buckets_[bucket];
    if (wanted.buffer.defined())
        return wanted.buffer;
    at::NoGradGuard no_grad;
    const MemoryUseScope scope(MemoryUse::buckets);
    wanted.buffer = at::empty({wanted.elements}, options_);
    bytes_ += static_cast<std::int64_t>(wanted.buffer.nbytes());
    most_bytes_ = std::max(most_bytes_, bytes_);
    std::int64_t end = 0;
    auto clear_up_to = [&](std::int64_t begin) {
        if (begin > end)
            wanted.buffer.narrow(0, end, begin - end).zero_();
    };
    for (const Place& place : wanted.places) {
        clear_up_to(place.begin);
        end = place.begin + place.parameter->numel();
        place.parameter->gradient_ =
            wanted.buffer.narrow(0, place.begin, place.parameter->numel()).view(place.parameter->shape());
    }
    clear_up_to(wanted.elements);
    return wanted.buffer;
}

void GradientBuffers::release(std::size_t bucket) {
    Bucket& wanted = buckets_[bucket];
    if (!wanted.buffer.defined())
        return;
    bytes_ -= static_cast<std::int64_t>(wanted.buffer.nbytes());
    for (const Place& place : wanted.places) {
        place.parameter->gradient_ = at::Tensor();
        place.parameter->forget_gradient();
    }
    wanted.buffer = at::Tensor();
}

}  // namespace trainyard::parallel
