// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/clip_gradients.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/GradMode.h>

#include "train/loop/gradient_norm.h"

namespace trainyard::accelerator {

namespace {

/// Gradients by device and dtype, as the operators on lists want them.
std::map<std::pair<std::string, at::ScalarType>, std::vector<at::Tensor>> groups(
    const std::vector<at::Tensor>& parameters) {
    std::map<std::pair<std::string, at::ScalarType>, std::vector<at::Tensor>> found;
    std::set<const void*> seen;  // tied parameters have several names and one gradient
    for (const at::Tensor& parameter : parameters)
        if (const at::Tensor& gradient = parameter.grad();
            gradient.defined() && seen.insert(gradient.unsafeGetTensorImpl()).second)
            found[{gradient.device().str(), gradient.scalar_type()}].push_back(gradient);
    return found;
}

}  // namespace

at::Tensor clip_gradients_by_norm(const std::vector<at::Tensor>& parameters, double max_norm, double norm_type) {
    c10::NoGradGuard no_grad;
    const auto by_kind = groups(parameters);
    if (by_kind.empty())
        return at::scalar_tensor(0.0, at::kDouble);
    std::vector<at::Tensor> all;
    for (const auto& [kind, gradients] : by_kind)
        all.insert(all.end(), gradients.begin(), gradients.end());
    const at::Tensor total = train::norm_of_power_sum(train::power_sum(all, norm_type), norm_type);
    // As train::clip_divisor(), without the host waiting for a device.
    const at::Tensor factor = total.add(1e-6).reciprocal().mul(max_norm).clamp_max(1.0);
    for (const auto& [kind, gradients] : by_kind)
        at::_foreach_mul_(gradients, factor.to(gradients.front().device()));
    return total;
}

void clip_gradients_by_value(const std::vector<at::Tensor>& parameters, double value) {
    c10::NoGradGuard no_grad;
    for (const at::Tensor& parameter : parameters)
        if (parameter.grad().defined())
            parameter.grad().clamp_(-value, value);
}

}  // namespace trainyard::accelerator
