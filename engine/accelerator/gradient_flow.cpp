// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/gradient_flow.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <ATen/ops/full.h>

#include <trainyard/prepared_optimizer.h>

#include "accelerator/clip_gradients.h"
#include "base/error.h"
#include "profile/marks.h"

namespace trainyard::accelerator {

GradientFlow::GradientFlow(std::int64_t num_steps, AccumulationOptions options,
                           std::optional<optim::GradScalerOptions> scaler, at::Device device,
                           std::shared_ptr<parallel::ProcessState> process)
    : options_(options),
      process_(std::move(process)),
      update_(scaler.value_or(optim::GradScalerOptions{.enabled = false}), device, process_->everyone()),
      scales_(scaler.has_value()) {
    set_num_steps(num_steps);
}

void GradientFlow::set_num_steps(std::int64_t num_steps) {
    if (num_steps < 1)
        throw UserError("gradient_accumulation_steps is {}: it must be 1 or more", num_steps);
    if (num_steps > 1)
        require(config::TrainingFeature::accumulation, "gradient_accumulation_steps " + std::to_string(num_steps));
    num_steps_ = num_steps;
}

void GradientFlow::begin_micro_step() {
    // After an update, a new group begins.
    if (group_ > 0 && state_.sync_gradients())
        group_ = 0;
    if (group_ == 0) {  // what no step took is forgotten
        counts_ = plain_ = clipped_ = false;
        update_.begin_update();
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
    (options.denominator ? counts_ : plain_) = true;
    if (counts_ && plain_)
        throw UserError(
            "some backward calls of this update have a denominator, others have none: their gradients cannot be "
            "added up; give every one a denominator");
    at::Tensor scaled = loss;
    if (options.denominator) {
        if (options.expected && update_.targets() == 0)
            expected_ = *options.expected;
        // An update that is made while backward runs cannot be corrected afterwards; it has one micro-batch, whose
        // targets are known.
        if (std::ranges::any_of(optimizers_, [](const auto* each) { return each->traits().in_backward; }))
            expected_ = std::max(1.0, *options.denominator);
        update_.count_targets(*options.denominator);
        if (expected_ != 1)
            scaled = scaled.mul(1 / expected_);
    } else {
        std::int64_t divisor = num_steps_;
        const bool short_group = group_ > 0 && state_.sync_gradients() && group_ != num_steps_;
        if (short_group && options_.short_group == AccumulationOptions::ShortGroup::own_number) {
            // What is there was divided by num_steps. It is brought to the mean of this group before this backward
            // reduces it: ranks may have groups of different lengths.
            divisor = group_;
            if (!group_rescaled_) {
                update_.scale_gradients(static_cast<double>(num_steps_) / static_cast<double>(group_), gradients());
                group_rescaled_ = true;
            }
        }
        if (divisor != 1)
            scaled = scaled.div(static_cast<double>(divisor));
    }
    const profile::Scope phase([] { return profile::phase_mark("backward"); });
    hold_gradients();
    update_.begin_backward(state_.sync_gradients());
    if (scales_)
        scaled = update_.scaler().scale(scaled);
    scaled.backward(options.gradient, options.retain_graph, options.create_graph);
    update_.end_backward();
    if (options.denominator && loss.numel() == 1)  // the engine's own models know their loss only now
        update_.loss_sum().add_(loss.detach().reshape({}));
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
    const profile::Scope phase([] { return profile::phase_mark("communicate"); });
    if (counts_) {
        const train::StepControl::Agreed& agreed = update_.finish_counted(expected_, {}, gradients());
        // A group without targets has no loss, and its gradients of zeros are not to move weights by momentum and
        // decay.
        mean_loss_ = agreed.targets > 0 ? agreed.loss_sum / agreed.targets : std::numeric_limits<double>::quiet_NaN();
        if (agreed.targets == 0)
            update_.skip_update();
        expected_ = scales_ && agreed.targets > 0 ? std::exp2(std::round(std::log2(agreed.targets))) : 1;
        update_.begin_update();
    } else {
        update_.finish_means();
    }
    counts_ = plain_ = false;
}

void GradientFlow::unscale(PreparedOptimizer& optimizer) {
    if (state_.sync_gradients())
        update_.unscale(optimizer.inner());
}

double GradientFlow::clip(train::GradientStore& gradients, double max_norm, double norm_type) {
    const double norm = update_.measure(gradients, norm_type);
    update_.clip(gradients, norm, max_norm);
    return norm;
}

bool GradientFlow::step(PreparedOptimizer& optimizer) {
    finish_gradients();
    const profile::Scope phase([] { return profile::phase_mark("optimizer"); });
    unscale(optimizer);
    clip_as_launched(optimizer);
    const bool updated = update_.update(optimizer.inner());
    finish_update();
    return updated;
}

void GradientFlow::clip_as_launched(PreparedOptimizer& optimizer) {
    if (clipping_ <= 0 || clipped_)
        return;
    if (train::GradientStore* store = update_.store_of(optimizer.inner()))
        clip(*store, clipping_, 2);
    else
        clip_gradients_by_norm(optimizer.parameters(), clipping_, 2);
}

double GradientFlow::step(PreparedOptimizer& optimizer, const std::function<double()>& closure) {
    const profile::Scope phase([] { return profile::phase_mark("optimizer"); });
    const auto of_all_ranks = [&] {
        const double own = closure();
        const bool counted = counts_;
        finish_gradients();
        clip_as_launched(optimizer);
        if (counted)
            return mean_loss_;
        // Ranks that saw their own losses alone would search along the line, and stop, at different points.
        parallel::Communicator& everyone = process_->everyone();
        const at::Tensor loss = at::full({1}, own, at::TensorOptions().dtype(at::kDouble).device(everyone.device()));
        everyone.all_reduce(loss, "loss of the closure").wait();
        return loss.item<double>() / everyone.size();
    };
    const double loss = update_.update(optimizer.inner(), of_all_ranks);
    finish_update();
    return loss;
}

void GradientFlow::finish_update() {
    for (const std::shared_ptr<PreparedModel>& model : models_)
        model->finish_update();
}

void GradientFlow::wait_for_readers(PreparedOptimizer& optimizer) {
    if (train::GradientStore* store = update_.store_of(optimizer.inner()))
        store->wait_for_readers();
}

void GradientFlow::publish(PreparedOptimizer& optimizer) {
    if (train::GradientStore* store = update_.store_of(optimizer.inner()))
        store->publish_values();
}

namespace {

bool updates_any(const PreparedOptimizer& optimizer, const std::vector<at::Tensor>& parameters) {
    std::set<const void*> wanted;
    for (const at::Tensor& parameter : parameters)
        wanted.insert(parameter.unsafeGetTensorImpl());
    return std::ranges::any_of(optimizer.parameters(), [&](const at::Tensor& parameter) {
        return wanted.contains(parameter.unsafeGetTensorImpl());
    });
}

}  // namespace

void GradientFlow::hold_gradients() {
    const bool any = std::ranges::any_of(optimizers_, [](const auto* each) { return !each->sums_gradients(); });
    for (const std::shared_ptr<PreparedModel>& model : models_) {
        bool holds = false, sums = false;
        for (const PreparedOptimizer* optimizer : optimizers_)
            if (any && model->data_parallel() != nullptr && updates_any(*optimizer, model->parameter_tensors()))
                (optimizer->sums_gradients() ? sums : holds) = true;
        if (model->data_parallel() != nullptr)
            model->data_parallel()->hold_gradients(holds && !sums);
    }
}

void GradientFlow::require(config::TrainingFeature feature, const std::string& what,
                           const std::vector<at::Tensor>& parameters) const {
    for (const PreparedOptimizer* optimizer : optimizers_)
        if (const Message problem = config::conflict(optimizer->traits(), feature);
            !problem.empty() && (parameters.empty() || updates_any(*optimizer, parameters)))
            throw UserError("{}: {}", what, problem);
}

const PreparedOptimizer* GradientFlow::training_weights(const std::vector<at::Tensor>& parameters) const {
    for (const PreparedOptimizer* optimizer : optimizers_)
        if (optimizer->needs_eval() && updates_any(*optimizer, parameters))
            return optimizer;
    return nullptr;
}

void GradientFlow::drop_gradients(PreparedOptimizer& optimizer) {
    train::GradientStore* store = update_.store_of(optimizer.inner());
    if (store != nullptr && store->is_complete())  // what travels is waited for
        store->finish_gradients();
}

void GradientFlow::add(std::shared_ptr<PreparedModel> model) {
    if (model->gradients() != nullptr)
        update_.add(*model->gradients());
    models_.push_back(std::move(model));
}

void GradientFlow::forget_models() {
    update_.forget_stores();
    models_.clear();
}

void GradientFlow::add(PreparedOptimizer& optimizer) {
    update_.add(optimizer.inner());
    optimizers_.push_back(&optimizer);
}

void GradientFlow::remove(PreparedOptimizer& optimizer) {
    update_.remove(optimizer.inner());
    std::erase(optimizers_, &optimizer);
}

}  // namespace trainyard::accelerator
