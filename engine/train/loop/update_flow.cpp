// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/update_flow.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>

#include "train/loop/gradient_norm.h"

namespace trainyard::train {

namespace {

double sum_over_groups(double number, const std::vector<parallel::Communicator*>& groups, parallel::ReduceOp op) {
    for (parallel::Communicator* group : groups) {
        const at::Tensor all = at::full({1}, number, at::TensorOptions().dtype(at::kDouble).device(group->device()));
        group->all_reduce(all, "norm of the gradients", op).wait();
        number = all.item<double>();
    }
    return number;
}

/// Squares of what was written to a disk are summed on the way there: it is not read again.
double own_power_sum(const GradientPieces& gradients, double norm_type) {
    if (gradients.written == nullptr || norm_type != 2)
        return power_sum(gradients.counted, norm_type).item<double>();
    double sum = 0;
    for (const at::Tensor& tensor : gradients.counted) {
        const std::optional<double> known = gradients.written->squares(tensor);
        sum += known ? *known : power_sum({tensor}, norm_type).item<double>();
    }
    return sum;
}

}  // namespace

double gradient_norm(const GradientPieces& gradients, double norm_type) {
    const auto op = std::isinf(norm_type) ? parallel::ReduceOp::max : parallel::ReduceOp::sum;
    const double sum = sum_over_groups(own_power_sum(gradients, norm_type), gradients.sharded_over, op);
    return norm_of_power_sum(at::scalar_tensor(sum, at::kDouble), norm_type).item<double>();
}

double clip_divisor(double norm, double max_norm) {
    return max_norm > 0 ? std::max(1.0, (norm + 1e-6) / max_norm) : 1.0;
}

UpdateFlow::UpdateFlow(const optim::GradScalerOptions& scaler, at::Device device, parallel::Communicator& ranks)
    : ranks_(ranks),
      scaler_(scaler, device),
      control_(ranks, device),
      loss_sum_(at::zeros({}, at::TensorOptions().device(device).dtype(at::kDouble))) {}

void UpdateFlow::remove(optim::Optimizer& optimizer) {
    std::erase(optimizers_, &optimizer);
    followers_.erase(&optimizer);
    stepped_.erase(&optimizer);
}

GradientStore* UpdateFlow::store_of(const optim::Optimizer& optimizer) const {
    for (GradientStore* store : stores_)
        if (store->feeds(optimizer))
            return store;
    return nullptr;
}

bool UpdateFlow::is_local() const {
    return std::any_of(stores_.begin(), stores_.end(), [](const GradientStore* store) { return store->is_local(); });
}

bool UpdateFlow::holds_gradients() const {
    return std::ranges::any_of(optimizers_, [](const optim::Optimizer* one) { return !one->sums_gradients(); });
}

void UpdateFlow::begin_update() {
    at::NoGradGuard no_grad;
    loss_sum_.zero_();
    targets_ = 0;
}

void UpdateFlow::begin_backward(bool last) {
    if (!stepped_.empty())
        move_scale();
    skips_ = false;
    phases_.enter(Phase::backward);
    for (GradientStore* store : stores_)
        store->begin_backward(last);
}

void UpdateFlow::end_backward() {
    for (GradientStore* store : stores_)
        store->end_backward();
}

void UpdateFlow::scale_gradients(double factor, const std::vector<at::Tensor>& averaged) {
    at::NoGradGuard no_grad;
    for (const at::Tensor& gradient : averaged)
        gradient.mul_(factor);
    for (GradientStore* store : stores_)
        store->scale_gradients(factor);
}

const StepControl::Agreed& UpdateFlow::finish_counted(double expected, const StepRequests& requests,
                                                      const std::vector<at::Tensor>& averaged) {
    phases_.enter(Phase::communicate);
    const bool local = is_local();
    if (!local)
        control_.begin(loss_sum_, targets_, requests);  // travels while the last gradients do
    for (GradientStore* store : stores_)
        if (store->is_under_way())
            store->finish_gradients();
    clip_divisors_.clear();
    local_norms_.clear();
    if (local) {  // each rank updates by the mean over its own targets; a norm that is not finite all ranks skip together
        correction_ = expected / std::max(1.0, targets_);
        double squares = 0;
        for (optim::Optimizer* optimizer : optimizers_)
            unscale(*optimizer);
        for (GradientStore* store : stores_) {
            const double norm = local_norms_[store] = measure(*store);
            squares += norm * norm;
        }
        control_.begin(loss_sum_, targets_, requests, squares);
        agreed_ = control_.finish();
        if (holds_gradients()) {  // a rank's share of the mean over all targets
            const double own = std::exchange(correction_, ranks_.size() * expected / std::max(1.0, agreed_.targets));
            for (auto& [store, norm] : local_norms_)
                norm *= correction_ / own;
        }
    } else {
        agreed_ = control_.finish();
        correction_ = expected / std::max(1.0, agreed_.targets);
        at::NoGradGuard no_grad;
        const double factor = agreed_.targets > 0 ? ranks_.size() * expected / agreed_.targets : 0;
        for (const at::Tensor& gradient : averaged)
            gradient.mul_(factor);
    }
    phases_.enter(Phase::optimizer);
    return agreed_;
}

void UpdateFlow::finish_means() {
    phases_.enter(Phase::communicate);
    for (GradientStore* store : stores_)
        if (store->is_under_way()) {
            store->finish_gradients();
            correction_ = store->is_local() ? 1 : 1.0 / ranks_.size();
            clip_divisors_.clear();
        }
    phases_.enter(Phase::optimizer);
}

void UpdateFlow::unscale(optim::Optimizer& optimizer) {
    if (!scaler_.enabled() || scaler_.is_unscaled(&optimizer))
        return;
    const GradientStore* store = store_of(optimizer);
    if (store == nullptr) {
        scaler_.unscale(optimizer);
        for (const at::Tensor& found : scaler_.found_flags(&optimizer))
            if (!optimizer.sums_gradients())
                ranks_.all_reduce(found, "gradients not finite").wait();
        return;
    }
    const GradientPieces gradients = store->pieces();
    scaler_.unscale(&optimizer, gradients.tensors);
    // What one rank found all must know: they skip together, and their scales stay equal.
    for (const std::vector<parallel::Communicator*>* groups : {&gradients.sharded_over, &gradients.updated_together})
        for (parallel::Communicator* group : *groups)
            for (const at::Tensor& found : scaler_.found_flags(&optimizer))
                group->all_reduce(found, "gradients not finite").wait();
}

double UpdateFlow::measure(GradientStore& store, double norm_type) {
    if (const auto known = local_norms_.find(&store); known != local_norms_.end() && norm_type == 2)
        return known->second;
    return correction_ * gradient_norm(store.pieces(), norm_type);
}

bool UpdateFlow::overflowed(double loss, double norm) const {
    return scaler_.enabled() && std::isfinite(loss) && !std::isfinite(norm);
}

HealthVerdict UpdateFlow::judge(HealthMonitor& monitor, std::int64_t step, double loss, double norm,
                                const std::function<Message()>& first_bad) {
    const bool finite = std::isfinite(loss) && std::isfinite(norm);
    HealthVerdict verdict = monitor.judge(step, loss, norm, finite ? Message() : first_bad());
    if (verdict.action >= HealthAction::skip)
        skip_update();
    return verdict;
}

bool UpdateFlow::update(optim::Optimizer& optimizer) {
    const bool steps = !skips_ && !scaler_.found_non_finite(&optimizer);
    if (steps) {
        GradientStore* store = store_of(optimizer);
        if (store != nullptr) {
            const auto clipped = clip_divisors_.find(store);
            optimizer.set_gradient_divisor((clipped == clip_divisors_.end() ? 1 : clipped->second) / correction_);
        }
        optimizer.step();
        if (store != nullptr && store->is_sharded()) {
            phases_.enter(Phase::communicate);
            store->publish_values();
            phases_.enter(Phase::optimizer);
        }
        if (store != nullptr)
            store->average_values();
        run_followers(optimizer);
    }
    if (scaler_.enabled()) {
        stepped_.insert(&optimizer);
        if (stepped_.size() == optimizers_.size())
            move_scale();
    }
    return steps;
}

double UpdateFlow::update(optim::Optimizer& optimizer, const std::function<double()>& closure) {
    const double loss = optimizer.step(closure);
    run_followers(optimizer);
    return loss;
}

void UpdateFlow::run_followers(const optim::Optimizer& optimizer) {
    if (const auto followers = followers_.find(&optimizer); followers != followers_.end())
        for (const std::function<void()>& follower : followers->second)
            follower();
}

void UpdateFlow::move_scale() {
    scaler_.update();
    stepped_.clear();
}

}  // namespace trainyard::train
