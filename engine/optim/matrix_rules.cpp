// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/matrix_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ops/addmm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/norm.h>

namespace trainyard::optim {

namespace {

double root_of_mean_square(const at::Tensor& tensor) {
    return tensor.norm().item<double>() / std::sqrt(static_cast<double>(tensor.numel()));
}

double machine_epsilon(at::ScalarType type) {
    switch (type) {
        case at::kBFloat16:
            return 0.0078125;
        case at::kHalf:
            return 0.0009765625;
        case at::kDouble:
            return std::numeric_limits<double>::epsilon();
        default:
            return std::numeric_limits<float>::epsilon();
    }
}

at::Tensor orthogonal(const at::Tensor& update, const config::OptimizerSettings& settings) {
    const std::vector<double>& c = settings.numbers("ns_coefficients");
    const bool tall = update.size(0) > update.size(1);
    at::Tensor x = update.to(at::kBFloat16, false, true);
    if (tall)
        x = x.t();
    x.div_(x.norm().clamp_min(settings.number("eps")));
    for (double step = 0; step < settings.number("ns_steps"); ++step) {
        const at::Tensor gram = at::mm(x, x.t());
        x = at::addmm(x, at::addmm(gram, gram, gram, c[1], c[2]), x, c[0]);
    }
    return tall ? x.t() : x;
}

}  // namespace

void update_muon(const config::OptimizerSettings& settings, const Scalars&, Slot& slot) {
    const double momentum = settings.number("momentum"), lr = settings.number("lr");
    slot.states[0].lerp_(slot.gradient, 1 - momentum);
    const at::Tensor update = settings.flag("nesterov") ? slot.gradient.lerp(slot.states[0], momentum) : slot.states[0];
    const auto rows = static_cast<double>(slot.value.size(0)), columns = static_cast<double>(slot.value.size(1));
    const double ratio = settings.word("adjust_lr_fn") == "match_rms_adamw" ? 0.2 * std::sqrt(std::max(rows, columns))
                                                                            : std::sqrt(std::max(1.0, rows / columns));
    slot.value.mul_(1 - lr * settings.number("weight_decay"));
    slot.value.add_(orthogonal(update, settings), -lr * ratio);
}

void update_adafactor(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot) {
    const at::Tensor gradient = settings.flag("maximize") ? slot.gradient.neg() : slot.gradient;
    const double step = scalars.find("step")->second, lr = settings.number("lr");
    const std::vector<double>& eps = settings.numbers("eps");
    const double least = std::isnan(eps[0]) ? machine_epsilon(slot.value.scalar_type()) : eps[0];
    const double fresh = std::pow(step, settings.number("beta2_decay"));
    const double rate = std::max(eps[1], root_of_mean_square(slot.value)) * std::min(lr, 1 / std::sqrt(step));
    if (const double decay = settings.number("weight_decay"); decay != 0)
        slot.value.mul_(1 - lr * decay);
    at::Tensor estimate;
    if (gradient.dim() > 1) {
        at::Tensor &rows = slot.states[0], &columns = slot.states[1];
        rows.lerp_(at::norm(gradient, 2, {-1}, true).square_().div_(static_cast<double>(gradient.size(-1))), fresh);
        columns.lerp_(at::norm(gradient, 2, {-2}, true).square_().div_(static_cast<double>(gradient.size(-2))), fresh);
        estimate = at::matmul(rows, columns).div_(rows.mean({-2}, true).clamp_min_(least));
    } else {
        slot.states[0].lerp_(gradient.mul(gradient), fresh);
        estimate = slot.states[0].clone();
    }
    const at::Tensor update = estimate.clamp_min_(least * least).rsqrt_().mul_(gradient);
    slot.value.add_(update, -rate / std::max(1.0, root_of_mean_square(update) / settings.number("d")));
}

void update_adalomo(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot) {
    const std::vector<double>& eps = settings.numbers("eps");
    const double kept = 1 - std::pow(scalars.find("step")->second, settings.number("decay_rate"));
    const at::Tensor gradient = slot.gradient.to(at::kFloat);
    at::Tensor update = gradient.square().add_(eps[0]);
    if (slot.value.dim() == 2) {
        at::Tensor &rows = slot.states[0], &columns = slot.states[1];
        rows.mul_(kept).add_(update.mean({-1}), 1 - kept);
        columns.mul_(kept).add_(update.mean({-2}), 1 - kept);
        const at::Tensor of_rows = rows.div(rows.mean({-1}, true)).rsqrt_().unsqueeze(-1);
        update = at::mul(of_rows, columns.unsqueeze(-2).rsqrt()).mul_(gradient);
    } else {
        slot.states[0].mul_(kept).add_(update, 1 - kept);
        update = slot.states[0].rsqrt().mul_(gradient);
    }
    update.div_(std::max(1.0, root_of_mean_square(update) / settings.number("clip_threshold")));
    const double rate = settings.number("lr") * std::max(eps[1], root_of_mean_square(slot.value));
    if (const double decay = settings.number("weight_decay"); decay != 0)
        slot.value.mul_(1 - rate * decay);
    slot.value.add_(update, -rate);
}

}  // namespace trainyard::optim
