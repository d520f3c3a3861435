// SPDX-License-Identifier: GPL-3.0-or-later
// DataParallel while it trains: gradients arrive, buckets leave, averages come back.

#include "distributed/parallel/data_parallel_core.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>

#include "base/error.h"

namespace trainyard::parallel {

namespace {

/// Calls backward_ended() at the end of the outermost backward. A backward inside another (activation checkpointing) ends with its own
/// callbacks: there it waits, as a hook of the node that runs it, for the outer one.
void call_when_outermost_ends(DataParallel::Core* core, std::shared_ptr<void> token) {
    struct Again final : torch::autograd::FunctionPostHook {
        DataParallel::Core* core;
        std::shared_ptr<void> token;
        Again(DataParallel::Core* c, std::shared_ptr<void> t) : core(c), token(std::move(t)) {}
        torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                                  const torch::autograd::variable_list&) override {
            if (token)
                call_when_outermost_ends(core, std::exchange(token, nullptr));
            return outputs;
        }
    };
    torch::autograd::Engine::get_default_engine().queue_callback([core, token = std::move(token)] {
        if (auto outer = torch::autograd::get_current_node())
            outer->add_post_hook(std::make_unique<Again>(core, token));
        else
            core->backward_ended();
    });
}

bool same_memory(const at::Tensor& a, const at::Tensor& b) {
    return a.defined() && a.storage().is_alias_of(b.storage()) && a.storage_offset() == b.storage_offset() &&
           a.sizes() == b.sizes() && a.strides() == b.strides();
}

}  // namespace

void DataParallel::Core::before_forward() {
    if (communicator_.size() == 1)
        return;
    {
        std::lock_guard lock(mutex_);
        check_abandoned();
    }
    bool training = at::GradMode::is_enabled();
    if (training && watcher_ != nullptr)
        watcher_->before_forward(*this);
    if (options_.broadcast_buffers && buffers_stale_)
        broadcast_buffers();
    if (!training)
        return;
    reduced_ = false;
    forward_was_local_ = no_sync_depth_ > 0;
    buffers_stale_ = !forward_was_local_;
}

void DataParallel::Core::check_abandoned() {
    if (!in_backward_ || !backward_alive_.expired())
        return;
    std::size_t sent = reducer_->sent_count();
    in_backward_ = false;
    reducer_->abandon();
    if (sent > 0)
        throw UserError(
            "the last backward of rank {} ended in an exception after {} of {} buckets of gradients "
            "were sent: the ranks no longer agree on the step; end the run and start it from its "
            "last checkpoint",
            communicator_.rank(), sent, reducer_->buckets().size());
}

void DataParallel::Core::begin_backward() {
    in_backward_ = true;
    forced_ = false;
    reducer_->begin(divisor_);
    awaited_.assign(reducer_->buckets().size(), 0);
    for (Slot& slot : slots_) {
        slot.arrivals = 0;
        if (slot.expected > 0)
            ++awaited_[slot.bucket];
        else
            fill(slot);
    }
    if (learning())
        return;
    for (std::size_t bucket = 0; bucket < awaited_.size(); ++bucket)
        if (awaited_[bucket] == 0)
            reducer_->ready(bucket);
}

void DataParallel::Core::call_at_end_of_backward() {
    auto token = std::make_shared<int>(0);
    backward_alive_ = token;
    call_when_outermost_ends(this, std::move(token));
}

void DataParallel::Core::arrived(std::size_t index) {
    std::lock_guard lock(mutex_);
    at::NoGradGuard no_grad;
    Slot& slot = slots_[index];
    slot.touched = true;
    check_abandoned();
    if (!in_backward_) {
        if (!reduces())
            return;
        begin_backward();
        call_at_end_of_backward();
    }
    ++slot.arrivals;
    if (learning())
        return;
    if (slot.arrivals < slot.expected)
        return;
    if (slot.arrivals > slot.expected && (slot.expected == 0 || reducer_->sent(slot.bucket)))
        throw UserError("{}: {}",
                        slot.expected == 0
                            ? Message("parameter {} has a gradient and had none in the first step", slot.name)
                            : Message("parameter {} got a gradient again after it was sent", slot.name),
                        options_.static_graph ? Message("static_graph promises that all steps are alike; take it away")
                                              : Message("set static_graph, which counts how often each one comes"));
    fill(slot);
    if (slot.arrivals == slot.expected && --awaited_[slot.bucket] == 0)
        reducer_->ready(slot.bucket);
}

void DataParallel::Core::fill(Slot& slot) {
    at::Tensor& gradient = slot.parameter.mutable_grad();
    if (!gradient.defined()) {
        slot.place.zero_();
        return;
    }
    if (same_memory(gradient, slot.place))
        return;
    slot.place.copy_(gradient);
    if (options_.gradient_as_bucket_view)
        gradient = slot.place;
}

void DataParallel::Core::hand_out(Slot& slot) {
    at::Tensor& gradient = slot.parameter.mutable_grad();
    if (same_memory(gradient, slot.place))
        return;
    if (options_.gradient_as_bucket_view)
        gradient = slot.place;
    else if (gradient.defined())
        gradient.copy_(slot.place);
    else
        gradient = slot.place.clone();
}

void DataParallel::Core::backward_ended() {
    std::lock_guard lock(mutex_);
    if (in_backward_)
        reduce_step();
}

void DataParallel::Core::finish_backward() {
    std::lock_guard lock(mutex_);
    check_abandoned();
    if (communicator_.size() == 1 || in_backward_ || reduced_ || !reduces())
        return;
    begin_backward();
    reduce_step();
}

void DataParallel::Core::reduce_step() {
    at::NoGradGuard no_grad;
    // From here on nothing of this step is left open, whatever is thrown.
    in_backward_ = false;
    reduced_ = true;
    bool finding = learning() || (options_.find_unused_parameters && !options_.static_graph);
    bool count = counting();

    std::vector<bool> missing(slots_.size(), false);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        Slot& slot = slots_[i];
        missing[i] = !finding && slot.arrivals < slot.expected;
        if (learning() || slot.arrivals < slot.expected)
            fill(slot);
    }
    reducer_->send_rest();
    at::Tensor ranks = count ? count_ranks() : at::Tensor();
    reducer_->finish();
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        Slot& slot = slots_[i];
        int users = count ? ranks.const_data_ptr<std::int32_t>()[i] : communicator_.size();
        if (learning())
            slot.expected = slot.arrivals;
        if (users > 0 && !slot.unused)
            hand_out(slot);
        // With check_reduction every rank records the gradients that are missing on any rank.
        missing[i] = missing[i] || (!finding && !options_.static_graph && users < communicator_.size());
        slot.touched = false;
    }
    graph_known_ = true;
    complain_about(missing);
}

at::Tensor DataParallel::Core::count_ranks() {
    at::Tensor touched = at::zeros({static_cast<std::int64_t>(slots_.size())}, at::kInt);
    for (std::size_t i = 0; i < slots_.size(); ++i)
        touched.data_ptr<std::int32_t>()[i] = slots_[i].touched ? 1 : 0;
    touched = touched.to(slots_.front().parameter.device());
    communicator_.all_reduce(touched, "ranks that used each parameter").wait();
    touched = touched.cpu();
    if (options_.static_graph)
        for (std::size_t i = 0; i < slots_.size(); ++i)
            slots_[i].unused = touched.const_data_ptr<std::int32_t>()[i] == 0;
    counted_ = true;
    return touched;
}

void DataParallel::Core::complain_about(const std::vector<bool>& missing) const {
    constexpr std::ptrdiff_t kShown = 10;
    std::ptrdiff_t count = std::count(missing.begin(), missing.end(), true);
    if (count == 0)
        return;
    std::string listed;
    std::ptrdiff_t shown = 0;
    for (std::size_t i = 0; i < slots_.size() && shown < kShown; ++i)
        if (missing[i])
            listed += (shown++ == 0 ? "" : ", ") + slots_[i].name;
    const Message names =
        count > kShown ? Message("{} and {} more", listed, count - kShown) : Message::verbatim(std::move(listed));
    throw UserError(
        options_.static_graph
            ? Message("static_graph promises that all steps are alike, but these parameters had a gradient "
                      "in the first step and none in this one: {}; take static_graph away",
                      names)
        : options_.check_reduction
            ? Message("these parameters got no gradient in this backward on every rank: {}; use them in the loss, or "
                      "set find_unused_parameters (static_graph where all steps are alike)",
                      names)
            : Message("these parameters got no gradient in this backward: {}; use them in the loss, or set "
                      "find_unused_parameters (static_graph where all steps are alike)",
                      names));
}

JoinTurn DataParallel::Core::exchange_turn(bool active) {
    int size = communicator_.size();
    at::Tensor votes = at::zeros({size + 2}, at::kInt);
    std::int32_t* vote = votes.data_ptr<std::int32_t>();
    if (active) {
        vote[communicator_.rank()] = 1;
        vote[size] = forced_ || no_sync_depth_ == 0 ? 1 : 0;  // this forward is outside no_sync, its backward will be
        vote[size + 1] = options_.broadcast_buffers && buffers_stale_ ? 1 : 0;
    }
    votes = votes.to(slots_.front().parameter.device());
    communicator_.all_reduce(votes, "who still has batches").wait();
    votes = votes.cpu();
    vote = votes.data_ptr<std::int32_t>();
    JoinTurn turn;
    for (int rank = 0; rank < size; ++rank)
        turn.active.push_back(vote[rank] > 0);
    int count = turn.active_count();
    for (int kind = 0; kind < 2; ++kind)
        if (vote[size + kind] != 0 && vote[size + kind] != count)
            throw UserError(
                "with uneven inputs some ranks reduce their gradients in this step and others "
                "accumulate: {} of {}; accumulate over the same steps on all ranks "
                "(sync_with_dataloader off)",
                vote[size + kind], count);
    turn.reduces = vote[size] > 0;
    turn.buffers = vote[size + 1] > 0;
    return turn;
}

void DataParallel::Core::leave_turns() {
    watcher_ = nullptr;
    divisor_ = communicator_.size();
    buffer_root_ = 0;
    buffers_stale_ = true;
    forward_was_local_ = false;
}

void DataParallel::Core::shadow_forward(const JoinTurn& turn) {
    if (turn.buffers)
        broadcast_buffers();
}

void DataParallel::Core::shadow_backward(const JoinTurn& turn) {
    if (!turn.reduces)
        return;
    std::lock_guard lock(mutex_);
    at::NoGradGuard no_grad;
    reducer_->begin(divisor_);
    for (const Bucket& bucket : reducer_->buckets())
        bucket.slice.zero_();
    for (Slot& slot : slots_)
        slot.touched = false;
    reducer_->send_rest();
    if (counting())
        count_ranks();
    reducer_->finish();
}

int JoinTurn::active_count() const {
    return static_cast<int>(std::count(active.begin(), active.end(), true));
}

int JoinTurn::last_active() const {
    for (std::size_t rank = active.size(); rank-- > 0;)
        if (active[rank])
            return static_cast<int>(rank);
    return -1;
}

}  // namespace trainyard::parallel
