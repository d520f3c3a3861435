#include "train/step_core.h"

#include <algorithm>
#include <cmath>

#include <ATen/ops/full.h>
#include <ATen/ops/scalar_tensor.h>

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

}  // namespace

double gradient_norm(const GradientPieces& gradients, double norm_type) {
    const auto op = std::isinf(norm_type) ? parallel::ReduceOp::max : parallel::ReduceOp::sum;
    const double sum =
        sum_over_groups(power_sum(gradients.counted, norm_type).item<double>(), gradients.shared_out, op);
    return norm_of_power_sum(at::scalar_tensor(sum, at::kDouble), norm_type).item<double>();
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
