#include "accelerator/gradient_flow.h"

#include <cmath>
#include <string>

#include <c10/core/GradMode.h>

#include "accelerator/prepared_optimizer.h"
#include "base/error.h"

namespace trainyard::accelerator {

GradientFlow::GradientFlow(std::int64_t num_steps, AccumulationOptions options,
                           std::optional<optim::GradScalerOptions> scaler, at::Device device,
                           std::shared_ptr<parallel::ProcessState> process)
    : options_(options), process_(std::move(process)) {
    set_num_steps(num_steps);
    if (scaler)
        scaler_ = std::make_unique<optim::GradScaler>(*scaler, device);
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
    if (group_ == 0)
        counts_ = plain_ = false;
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
    (options.denominator ? counts_ : plain_) = true;
    if (counts_ && plain_)
        throw UserError(
            "some backward calls of this update have a denominator, others have none: their gradients cannot be "
            "added up; give every one a denominator");
    at::Tensor scaled = loss;
    if (options.denominator) {
        denominator_.add(*options.denominator);
        if (count_scale_ != 1)
            scaled = scaled.mul(count_scale_);
    } else {
        std::int64_t divisor = num_steps_;
        const bool short_group = group_ > 0 && state_.sync_gradients() && group_ != num_steps_;
        if (short_group && options_.short_group == AccumulationOptions::ShortGroup::own_number) {
            // What is there was divided by num_steps. It is brought to the mean of this group before this backward reduces it: ranks may have groups of
            // different lengths.
            divisor = group_;
            if (!group_rescaled_) {
                c10::NoGradGuard no_grad;
                for (at::Tensor& gradient : gradients())
                    gradient.mul_(static_cast<double>(num_steps_) / static_cast<double>(group_));
                group_rescaled_ = true;
            }
        }
        if (divisor != 1)
            scaled = scaled.div(static_cast<double>(divisor));
    }
    if (scaler_ != nullptr)
        scaled = scaler_->scale(scaled);
    scaled.backward(options.gradient, options.retain_graph, options.create_graph);
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
    if (counts_) {
        c10::NoGradGuard no_grad;
        const std::vector<at::Tensor> all = gradients();
        const double total = denominator_.divide(all, process_->everyone());
        if (count_scale_ != 1)
            for (const at::Tensor& gradient : all)
                gradient.div_(count_scale_);
        if (scaler_ != nullptr && total > 0)
            count_scale_ = std::exp2(-std::round(std::log2(total)));
    }
    counts_ = plain_ = false;
}

void GradientFlow::unscale(PreparedOptimizer& optimizer) {
    if (scaler_ != nullptr && state_.sync_gradients())
        scaler_->unscale(optimizer.inner());
}

bool GradientFlow::step(PreparedOptimizer& optimizer) {
    finish_gradients();
    if (scaler_ == nullptr) {
        optimizer.inner().step();
        return true;
    }
    const bool stepped = scaler_->step(optimizer.inner());
    stepped_.insert(&optimizer);
    // Several optimizers share the scale: it moves when all have stepped, or, if one sits this update out, before the next backward.
    if (stepped_.size() == optimizers_.size())
        update_scale();
    return stepped;
}

void GradientFlow::update_scale() {
    scaler_->update();
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
