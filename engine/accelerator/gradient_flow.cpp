#include "accelerator/gradient_flow.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include "accelerator/prepared_optimizer.h"
#include "base/error.h"

namespace trainyard::accelerator {

GradientFlow::GradientFlow(std::int64_t num_steps, AccumulationOptions options,
                           std::optional<optim::GradScalerOptions> scaler, at::Device device,
                           std::shared_ptr<parallel::ProcessState> process)
    : options_(options),
      process_(std::move(process)),
      core_(scaler.value_or(optim::GradScalerOptions{.enabled = false}), device, process_->everyone()),
      scales_(scaler.has_value()),
      loss_sum_(at::zeros({}, at::TensorOptions().device(device).dtype(at::kDouble))) {
    set_num_steps(num_steps);
}

void GradientFlow::set_num_steps(std::int64_t num_steps) {
    if (num_steps < 1)
        throw UserError("gradient_accumulation_steps is " + std::to_string(num_steps) + ": it must be 1 or more");
    num_steps_ = num_steps;
}

void GradientFlow::begin_micro_step() {
    // After an update, a new group begins.
    if (group_ > 0 && state_.sync_gradients())
        group_ = 0;
    if (group_ == 0) {  // what no step took is forgotten
        counts_ = plain_ = false;
        targets_ = 0;
        loss_sum_.zero_();
    }
    ++group_;
    group_rescaled_ = false;
    if (options_.sync_with_dataloader && state_.end_of_dataloader()) {
        step_ = 0;
        state_.set_sync_gradients(true);
    } else {
        ++step_;
        state_.set_sync_gradients(step_ % num_steps_ == 0);
    }
}

void GradientFlow::backward(const at::Tensor& loss, const BackwardOptions& options) {
    if (!stepped_.empty())
        update_scale();
    skips_ = false;
    (options.denominator ? counts_ : plain_) = true;
    if (counts_ && plain_)
        throw UserError(
            "some backward calls of this update have a denominator, others have none: their gradients cannot be "
            "added up; give every one a denominator");
    at::Tensor scaled = loss;
    if (options.denominator) {
        if (options.expected && targets_ == 0)
            expected_ = *options.expected;
        targets_ += *options.denominator;
        if (expected_ != 1)
            scaled = scaled.mul(1 / expected_);
    } else {
        std::int64_t divisor = num_steps_;
        const bool short_group = group_ > 0 && state_.sync_gradients() && group_ != num_steps_;
        if (short_group && options_.short_group == AccumulationOptions::ShortGroup::own_number) {
            // What is there was divided by num_steps. It is brought to the mean of this group before this backward reduces it: ranks may have groups of
            // different lengths.
            divisor = group_;
            if (!group_rescaled_) {
                c10::NoGradGuard no_grad;
                const double factor = static_cast<double>(num_steps_) / static_cast<double>(group_);
                for (at::Tensor& gradient : gradients())
                    gradient.mul_(factor);
                for (train::GradientStore* store : stores())
                    store->scale_gradients(factor);
                group_rescaled_ = true;
            }
        }
        if (divisor != 1)
            scaled = scaled.div(static_cast<double>(divisor));
    }
    if (scales_)
        scaled = core_.scaler().scale(scaled);
    for (train::GradientStore* store : stores())
        store->begin_backward(state_.sync_gradients());
    scaled.backward(options.gradient, options.retain_graph, options.create_graph);
    for (train::GradientStore* store : stores())
        store->end_backward();
    if (options.denominator && loss.numel() == 1)  // the engine's own models know their loss only now
        loss_sum_.add_(loss.detach().reshape({}));
}

std::vector<train::GradientStore*> GradientFlow::stores() const {
    std::vector<train::GradientStore*> found;
    for (const std::shared_ptr<PreparedModel>& model : models_)
        if (model->gradients() != nullptr)
            found.push_back(model->gradients());
    return found;
}

train::GradientStore* GradientFlow::store_of(const PreparedOptimizer& optimizer) const {
    for (train::GradientStore* store : stores())
        if (store->feeds(optimizer.inner()))
            return store;
    return nullptr;
}

std::vector<at::Tensor> GradientFlow::gradients() const {
    std::set<const void*> seen;
    std::vector<at::Tensor> found;
    const auto add = [&](const at::Tensor& parameter) {
        if (parameter.grad().defined() && seen.insert(parameter.unsafeGetTensorImpl()).second)
            found.push_back(parameter.grad());
    };
    for (const std::shared_ptr<PreparedModel>& model : models_)
        for (const auto& [name, parameter] : model->parameters())
            add(parameter);
    for (const PreparedOptimizer* optimizer : optimizers_)
        for (const at::Tensor& parameter : optimizer->parameters())
            add(parameter);
    return found;
}

void GradientFlow::finish_gradients() {
    if (!state_.sync_gradients())
        return;
    if (counts_)  // travels while the last gradients do
        core_.begin_totals(loss_sum_, std::exchange(targets_, 0));
    bool stored = false;
    for (train::GradientStore* store : stores())
        if (store->is_complete()) {
            store->finish_gradients();
            stored = true;
        }
    if (counts_) {
        const train::StepControl::Agreed agreed = core_.finish_totals(expected_);
        mean_loss_ = agreed.loss_sum / std::max(1.0, agreed.targets);
        loss_sum_.zero_();
        c10::NoGradGuard no_grad;
        // These were averaged over the ranks.
        const double factor = agreed.targets > 0 ? process_->world_size() * expected_ / agreed.targets : 0;
        for (const at::Tensor& gradient : gradients())
            gradient.mul_(factor);
        expected_ = scales_ && agreed.targets > 0 ? std::exp2(std::round(std::log2(agreed.targets))) : 1;
    } else if (stored) {
        core_.set_divisor(process_->world_size());  // sums over the ranks become means
    }
    if (stored)
        clip_divisors_.clear();
    counts_ = plain_ = false;
}

void GradientFlow::unscale(PreparedOptimizer& optimizer) {
    if (!scales_ || !state_.sync_gradients())
        return;
    if (const train::GradientStore* store = store_of(optimizer))
        core_.unscale(&optimizer.inner(), store->pieces());
    else
        core_.scaler().unscale(optimizer.inner());
}

double GradientFlow::clip(train::GradientStore& gradients, double max_norm, double norm_type) {
    const double norm = core_.norm(gradients.pieces(), norm_type);
    clip_divisors_[&gradients] = train::clip_divisor(norm, max_norm);
    return norm;
}

bool GradientFlow::step(PreparedOptimizer& optimizer) {
    finish_gradients();
    unscale(optimizer);
    optim::Optimizer& inner = optimizer.inner();
    const bool steps = !skips_ && (!scales_ || !core_.scaler().found_non_finite(&inner));
    if (steps) {
        train::GradientStore* store = store_of(optimizer);
        if (store != nullptr) {
            const auto clipped = clip_divisors_.find(store);
            inner.set_gradient_divisor(core_.divisor(clipped == clip_divisors_.end() ? 1 : clipped->second));
        }
        inner.step();
        if (store != nullptr && !store->pieces().shared_out.empty())
            store->publish_values();
    }
    if (!scales_)
        return steps;
    stepped_.insert(&optimizer);
    // Several optimizers share the scale: it moves when all have stepped, or, if one sits this update out, before the next backward.
    if (stepped_.size() == optimizers_.size())
        update_scale();
    return steps;
}

void GradientFlow::drop_gradients(PreparedOptimizer& optimizer) {
    train::GradientStore* store = store_of(optimizer);
    if (store != nullptr && store->is_complete())  // what travels is waited for
        store->finish_gradients();
}

void GradientFlow::update_scale() {
    core_.scaler().update();
    stepped_.clear();
}

void GradientFlow::add(std::shared_ptr<PreparedModel> model) {
    models_.push_back(std::move(model));
}

void GradientFlow::add(PreparedOptimizer& optimizer) {
    optimizers_.push_back(&optimizer);
}

void GradientFlow::remove(PreparedOptimizer& optimizer) {
    std::erase(optimizers_, &optimizer);
    stepped_.erase(&optimizer);
}

}  // namespace trainyard::accelerator
