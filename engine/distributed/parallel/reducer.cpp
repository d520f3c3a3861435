// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/reducer.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>

namespace trainyard::parallel {

Reducer::Reducer(std::vector<Bucket> buckets, Communicator& communicator, std::shared_ptr<CommHook> hook,
                 ReducerOptions options)
    : buckets_(std::move(buckets)),
      communicator_(communicator),
      ready_(buckets_.size(), false),
      options_(std::move(options)) {
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
    while (options_.most_under_way > 0 && under_way_.size() >= options_.most_under_way)
        finish_oldest();
    const Bucket& bucket = buckets_[next_];
    under_way_.push_back({next_, hook_->start(bucket, bucket.ranks != nullptr ? *bucket.ranks : communicator_)});
    ++next_;
}

bool Reducer::advance(UnderWay& one) {
    if (one.reduction->advance())
        return true;
    one.reduction.reset();
    if (options_.finished)
        options_.finished(one.bucket);
    return false;
}

void Reducer::finish_oldest() {
    while (advance(under_way_.front())) {
    }
    under_way_.pop_front();
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
        for (UnderWay& one : under_way_)
            if (one.reduction != nullptr && advance(one))
                more = true;
    }
    abandon();
}

void Reducer::abandon() {
    under_way_.clear();
    next_ = 0;
    std::fill(ready_.begin(), ready_.end(), false);
}

}  // namespace trainyard::parallel
