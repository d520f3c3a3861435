#include "parallel/gradient_rooms.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

namespace trainyard::parallel {

void GradientRooms::add_bucket(std::int64_t elements, std::vector<Place> places) {
    for (const Place& place : places) {
        place.parameter->rooms_ = this;
        place.parameter->bucket_ = buckets_.size();
    }
    buckets_.push_back({elements, std::move(places), {}});
}

const at::Tensor& GradientRooms::provide(std::size_t bucket) {
    Bucket& wanted = buckets_[bucket];
    if (wanted.room.defined())
        return wanted.room;
    at::NoGradGuard no_grad;
    wanted.room = at::empty({wanted.elements}, options_);
    bytes_ += static_cast<std::int64_t>(wanted.room.nbytes());
    most_bytes_ = std::max(most_bytes_, bytes_);
    std::int64_t end = 0;
    auto clear_up_to = [&](std::int64_t begin) {
        if (begin > end)
            wanted.room.narrow(0, end, begin - end).zero_();
    };
    for (const Place& place : wanted.places) {
        clear_up_to(place.begin);
        end = place.begin + place.parameter->numel();
        place.parameter->gradient_ =
            wanted.room.narrow(0, place.begin, place.parameter->numel()).view(place.parameter->shape());
    }
    clear_up_to(wanted.elements);
    return wanted.room;
}

void GradientRooms::release(std::size_t bucket) {
    Bucket& wanted = buckets_[bucket];
    if (!wanted.room.defined())
        return;
    bytes_ -= static_cast<std::int64_t>(wanted.room.nbytes());
    for (const Place& place : wanted.places) {
        place.parameter->gradient_ = at::Tensor();
        place.parameter->forget_gradient();
    }
    wanted.room = at::Tensor();
}

}  // namespace trainyard::parallel
