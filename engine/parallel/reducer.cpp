#include "parallel/reducer.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>

namespace trainyard::parallel {

Reducer::Reducer(std::vector<Bucket> buckets, Communicator& communicator, std::shared_ptr<CommHook> hook)
    : buckets_(std::move(buckets)), communicator_(communicator), ready_(buckets_.size(), false) {
    set_hook(std::move(hook));
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
        buckets_[i].index = i;
        buckets_[i].last = i + 1 == buckets_.size();
    }
}

void Reducer::set_hook(std::shared_ptr<CommHook> hook) {
    hook_ = hook ? std::move(hook) : all_reduce_hook();
}

void Reducer::begin(double divisor) {
    abandon();
    for (Bucket& bucket : buckets_)
        bucket.divisor = divisor;
}

void Reducer::ready(std::size_t bucket) {
    ready_[bucket] = true;
    while (next_ < buckets_.size() && ready_[next_])
        send_next();
}

void Reducer::send_next() {
    at::NoGradGuard no_grad;
    under_way_.push_back(hook_->start(buckets_[next_], communicator_));
    ++next_;
}

void Reducer::send_rest() {
    while (next_ < buckets_.size())
        send_next();
}

void Reducer::finish() {
    send_rest();
    at::NoGradGuard no_grad;
    // In turns: each bucket's next message travels while the others' numbers are worked on.
    for (bool more = true; more;) {
        more = false;
        for (std::unique_ptr<BucketReduction>& reduction : under_way_) {
            if (reduction == nullptr)
                continue;
            if (reduction->advance())
                more = true;
            else
                reduction.reset();
        }
    }
    abandon();
}

void Reducer::abandon() {
    under_way_.clear();
    next_ = 0;
    std::fill(ready_.begin(), ready_.end(), false);
}

}  // namespace trainyard::parallel
