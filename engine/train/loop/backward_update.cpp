// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/backward_update.h"

#include <cmath>

#include <ATen/core/grad_mode.h>

#include "train/loop/gradient_norm.h"

namespace trainyard::train {

BackwardUpdate::BackwardUpdate(parallel::FlatArena& arena, const std::vector<parallel::Unit*>& units) : arena_(arena) {
    for (std::size_t i = 0; i < units.size(); ++i)
        if (units[i] != nullptr) {
            index_[units[i]] = i;
            units[i]->add_hook(this);
        }
}

void BackwardUpdate::begin(bool updates) {
    for (std::size_t bucket = 0; bucket < arena_.buckets().size(); ++bucket)
        arena_.gradient_buffers()->release(bucket);
    next_ = arena_.groups().size();
    next_bucket_ = 0;
    norms_.clear();
    first_non_finite_.clear();
    updates_ = updates;
    if (updates_)
        optimizer_->begin_step();
}

void BackwardUpdate::after_backward(parallel::Unit& unit, const parallel::Tensors&, int) {
    if (const auto found = index_.find(&unit); found != index_.end())
        complete_down_to(found->second);
}

void BackwardUpdate::finish() {
    complete_down_to(0);
}

void BackwardUpdate::complete_down_to(std::size_t group) {
    while (next_ > group) {
        --next_;
        if (next_bucket_ < arena_.buckets().size() && arena_.buckets()[next_bucket_].first_group == next_)
            use(next_bucket_++);
    }
}

void BackwardUpdate::use(std::size_t bucket) {
    at::NoGradGuard no_grad;
    const parallel::ArenaBucket& place = arena_.buckets()[bucket];
    for (std::size_t group = place.first_group; group < place.end_group; ++group)
        arena_.groups()[group].settle_gradients();
    const double norm = std::sqrt(power_sum({arena_.gradient_buffers()->allocate(bucket)}, 2.0).item<double>());
    norms_.push_back(norm);
    if (!std::isfinite(norm) && first_non_finite_.empty())
        for (std::size_t group = place.end_group; group-- > place.first_group;)
            for (const parallel::Parameter* parameter : arena_.groups()[group].parameters())
                if (parameter->trains() && !parameter->gradient().isfinite().all().item<bool>())
                    first_non_finite_ = parameter->name();
    updates_ = updates_ && std::isfinite(norm);
    if (updates_)
        for (std::size_t group = place.first_group; group < place.end_group; ++group)
            for (const parallel::Parameter* parameter : arena_.groups()[group].parameters())
                if (parameter->trains())
                    optimizer_->update(*parameter);
    arena_.gradient_buffers()->release(bucket);
}

}  // namespace trainyard::train
