#include "train/step_core.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_vector_norm.h>

#include "train/gradient_norm.h"

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

/// The largest, or the sum of the p-th powers.
double norm_part(const std::vector<at::Tensor>& tensors, double norm_type) {
    double result = 0;
    for (const at::Tensor& tensor : tensors) {
        const double norm = at::linalg_vector_norm(tensor, norm_type, {}, false, at::kDouble).item<double>();
        if (std::isinf(norm_type))
            result = std::isnan(norm) || std::isnan(result) ? std::numeric_limits<double>::quiet_NaN()
                                                            : std::max(result, norm);
        else
            result += norm_type == 0 ? norm : std::pow(norm, norm_type);
    }
    return result;
}

}  // namespace

double gradient_norm(const GradientPieces& gradients, double norm_type) {
    at::NoGradGuard no_grad;
    if (norm_type == 2.0)
        return std::sqrt(
            sum_over_groups(sum_of_squares(gradients.counted), gradients.shared_out, parallel::ReduceOp::sum));
    const double part = norm_part(gradients.counted, norm_type);
    if (std::isinf(norm_type))
        return sum_over_groups(part, gradients.shared_out, parallel::ReduceOp::max);
    const double sum = sum_over_groups(part, gradients.shared_out, parallel::ReduceOp::sum);
    return norm_type == 0 ? sum : std::pow(sum, 1 / norm_type);
}

double clip_divisor(double norm, double max_norm) {
    return max_norm > 0 ? std::max(1.0, (norm + 1e-6) / max_norm) : 1.0;
}

StepCore::StepCore(const optim::GradScalerOptions& scaler, at::Device device, parallel::Communicator& ranks)
    : scaler_(scaler, device), control_(ranks, device) {}

StepControl::Agreed StepCore::finish_totals(double expected) {
    StepControl::Agreed agreed = control_.finish();
    correction_ = expected / std::max(1.0, agreed.targets);
    return agreed;
}

void StepCore::unscale(const void* owner, const GradientPieces& gradients) {
    if (!scaler_.enabled() || scaler_.is_unscaled(owner))
        return;
    scaler_.unscale(owner, gradients.tensors);
    // What one rank found all must know: they skip together, and their scales stay equal.
    for (const std::vector<parallel::Communicator*>* groups : {&gradients.shared_out, &gradients.updated_together})
        for (parallel::Communicator* group : *groups)
            for (const at::Tensor& found : scaler_.found_flags(owner))
                group->all_reduce(found, "gradients not finite").wait();
}

}  // namespace trainyard::train
