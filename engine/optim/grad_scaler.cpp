// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/grad_scaler.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <c10/core/GradMode.h>

#include "base/error.h"

namespace trainyard::optim {

namespace {

void check(const GradScalerOptions& options) {
    if (!options.enabled)
        return;
    std::string wrong;
    if (!(options.growth_factor > 1.0))
        wrong += " growth_factor must be greater than 1.";
    if (!(options.backoff_factor > 0.0 && options.backoff_factor < 1.0))
        wrong += " backoff_factor must be between 0 and 1.";
    if (!(options.init_scale > 0.0 && std::isfinite(options.init_scale)))
        wrong += " init_scale must be a positive number.";
    if (options.growth_interval < 1)
        wrong += " growth_interval must be 1 or more.";
    if (!wrong.empty())
        throw UserError("options of the gradient scaler:{}", wrong);
}

std::vector<at::Tensor> gradients_of(const Optimizer& optimizer) {
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : optimizer.parameters())
        if (parameter.grad().defined())
            gradients.push_back(parameter.grad());
    return gradients;
}

}  // namespace

GradScaler::GradScaler(GradScalerOptions options, at::Device device) : options_(options) {
    check(options_);
    scale_ = at::full({}, options_.init_scale, at::TensorOptions().dtype(at::kFloat).device(device));
    growth_tracker_ = at::full({}, 0, at::TensorOptions().dtype(at::kInt).device(device));
}

at::Tensor GradScaler::scale(const at::Tensor& loss) const {
    if (!options_.enabled)
        return loss;
    // fp16 ends at 65504: a loss in that format could not even take the first scale.
    const at::Tensor wide = loss.scalar_type() == at::kHalf ? loss.to(at::kFloat) : loss;
    return wide.mul(scale_.to(loss.device()));
}

void GradScaler::unscale(Optimizer& optimizer) {
    if (options_.enabled)
        unscale(&optimizer, gradients_of(optimizer));
}

void GradScaler::unscale(const void* owner, const std::vector<at::Tensor>& gradients) {
    if (!options_.enabled || found_.contains(owner))
        return;
    c10::NoGradGuard no_grad;
    // One call of the operator per device and dtype.
    std::map<std::pair<std::string, at::ScalarType>, std::vector<at::Tensor>> groups;
    for (const at::Tensor& gradient : gradients) {
        if (gradient.scalar_type() == at::kHalf)
            throw UserError(
                "fp16 gradients cannot be unscaled: keep the parameters in fp32 and let automatic casting choose "
                "fp16 for the forward pass");
        const at::Tensor values = gradient.is_sparse() ? gradient._values() : gradient;
        groups[{values.device().str(), values.scalar_type()}].push_back(values);
    }
    // The reciprocal is rounded once: an fp32 division would round differently from torch if the scale is not a power
    // of two.
    const at::Tensor inverse = scale_.to(at::kDouble).reciprocal().to(at::kFloat);
    std::map<std::string, at::Tensor> flags;
    for (auto& [kind, group] : groups) {
        at::Tensor& flag = flags[kind.first];
        if (!flag.defined())
            flag = at::full({1}, 0.0, at::TensorOptions().dtype(at::kFloat).device(group.front().device()));
        at::_amp_foreach_non_finite_check_and_unscale_(group, flag, inverse.to(group.front().device()));
        for (const at::Tensor& gradient : group)
            gradient.unsafeGetTensorImpl()->bump_version();  // the operator does not count as a change
    }
    std::vector<at::Tensor>& found = found_[owner];
    for (auto& [device, flag] : flags)
        found.push_back(flag);
}

std::vector<at::Tensor> GradScaler::found_flags(const void* owner) const {
    const auto place = found_.find(owner);
    if (place == found_.end())
        throw std::logic_error("GradScaler::found_flags before unscale");
    return place->second;
}

bool GradScaler::found_non_finite(const void* owner) const {
    if (!options_.enabled)
        return false;
    for (const at::Tensor& flag : found_flags(owner))
        if (flag.item<float>() != 0.0F)
            return true;
    return false;
}

void GradScaler::update() {
    if (!options_.enabled)
        return;
    c10::NoGradGuard no_grad;
    at::Tensor found;
    for (const auto& [owner, flags] : found_)
        for (const at::Tensor& flag : flags) {
            const at::Tensor here = flag.to(scale_.device());
            found = found.defined() ? found.add(here) : here;
        }
    // The scale stays if no gradient was unscaled.
    if (found.defined())
        at::_amp_update_scale_(scale_, growth_tracker_, found, options_.growth_factor, options_.backoff_factor,
                               options_.growth_interval);
    found_.clear();
}

double GradScaler::scale_value() const {
    return options_.enabled ? scale_.item<double>() : 1.0;
}

std::int64_t GradScaler::growth_tracker() const {
    return growth_tracker_.item<std::int64_t>();
}

Tree GradScaler::state_dict() const {
    if (!options_.enabled)
        return Tree::dict();
    return Tree::dict({{"scale", scale_value()},
                       {"growth_factor", options_.growth_factor},
                       {"backoff_factor", options_.backoff_factor},
                       {"growth_interval", options_.growth_interval},
                       {"_growth_tracker", growth_tracker()}});
}

void GradScaler::load_state_dict(const Tree& state) {
    if (!options_.enabled)
        return;
    if (state.is_dict() && state.entries().empty())
        throw UserError(
            "the state of the gradient scaler is empty: it was saved by a run without loss scaling; resume with the "
            "precision of that run, or leave the scaler's state out");
    GradScalerOptions loaded = options_;
    loaded.init_scale = state.at("scale").as_real();
    loaded.growth_factor = state.at("growth_factor").as_real();
    loaded.backoff_factor = state.at("backoff_factor").as_real();
    loaded.growth_interval = state.at("growth_interval").as_integer();
    const std::int64_t tracker = state.at("_growth_tracker").as_integer();
    check(loaded);
    const double first = options_.init_scale;
    options_ = loaded;
    options_.init_scale = first;
    scale_.fill_(loaded.init_scale);
    growth_tracker_.fill_(tracker);
    found_.clear();
}

}  // namespace trainyard::optim
