// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/flat_gradients.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/tensor.h>

#include "base/error.h"
#include "distributed/parallel/tensor_part.h"

namespace trainyard::train {

void FlatGradients::begin_update() {
    begun_ = true;
    under_way_ = last_backward_ = false;
    arena_->forget_gradients();
    if (sync_)
        sync_->begin_step();
}

void FlatGradients::begin_backward(bool last) {
    if (last_backward_)
        throw UserError(
            "a backward follows the last one of the update: call accumulate() before each micro-batch, and the "
            "optimizer's step() after the last");
    if (!under_way_ && !begun_)  // else the rooms of its first forward would be closed
        begin_update();
    under_way_ = true;
    if (sync_)
        sync_->begin_micro_batch(last && !holds_);
    last_backward_ = last;
}

void FlatGradients::end_backward() {
    if (sync_ && !last_backward_)
        sync_->end_micro_batch();
}

void FlatGradients::finish_gradients() {
    if (sync_ && !holds_) {
        if (!last_backward_)
            sync_->begin_micro_batch(true);  // weights had backwards of their own
        sync_->finish();
    } else if (backward_update_) {
        backward_update_->finish();
    } else {
        for (parallel::FlatGroup& group : arena_->groups())
            group.settle_gradients();
    }
    begun_ = under_way_ = last_backward_ = false;
}

GradientPieces FlatGradients::pieces() const {
    GradientPieces pieces;
    if (backward_update_) {  // what is left of them; the norm of norms is that of all
        pieces.tensors = pieces.counted = {at::tensor(backward_update_->norms(), at::kDouble)};
        return pieces;
    }
    pieces.tensors = pieces.counted = arena_->owned_gradients();
    pieces.written = arena_->offloaded();
    if (arena_->sharding().any())
        pieces.sharded_over.push_back(&shards_);
    if (holds_)
        pieces.updated_together.push_back(&data_);
    return pieces;
}

void FlatGradients::scale_gradients(double factor) {
    at::NoGradGuard no_grad;
    if (arena_->gradient_buffers() == nullptr)
        for (parallel::FlatGroup& group : arena_->groups())
            group.settle_gradients();
    arena_->gradients().mul_(factor);
}

void FlatGradients::visit_values(
    const std::function<void(const parallel::Parameter&, const at::Tensor&)>& visit) const {
    const auto visit_whole = [&](const parallel::Parameter& parameter, const at::Tensor& value) {
        const parallel::TensorPart* part = parameter.part();
        visit(parameter, part != nullptr ? part->gather(value, "weight " + parameter.name()) : value);
    };
    if (arena_->value_rooms() != nullptr && shards_.size() == 1) {  // the masters are whole
        for (const parallel::FlatGroup& group : arena_->groups())
            for (const parallel::Parameter* parameter : group.parameters())
                visit_whole(*parameter, arena_->held_value(*parameter).view(parameter->shape()));
        return;
    }
    const parallel::ValueRooms* rooms = arena_->value_rooms();
    for (std::size_t room = 0; rooms != nullptr && room < rooms->count(); ++room)
        rooms->visit_whole(room, sync_->shards(rooms->is_of_experts(room)), visit_whole);
    if (rooms != nullptr)
        return;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            visit_whole(*parameter, parameter->value());
}

void FlatGradients::wait_for_readers() {
    if (arena_->shares_rooms())
        shards_.barrier("values are not read any more");
}

void FlatGradients::publish_values() {
    if (sync_)
        sync_->publish_values();
    arena_->refresh_compute();
}

}  // namespace trainyard::train
