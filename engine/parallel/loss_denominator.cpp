#include "parallel/loss_denominator.h"

#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>

namespace trainyard::parallel {

namespace {

double sum_over_ranks(Communicator& communicator, double count, at::Device device) {
    at::Tensor total = at::full({1}, count, at::TensorOptions().dtype(at::kDouble).device(device));
    communicator.all_reduce(total, "targets of the step").wait();
    return total.item<double>();
}

}  // namespace

double loss_scale(Communicator& communicator, double count) {
    double total = sum_over_ranks(communicator, count, communicator.device());
    return total > 0 ? communicator.size() / total : 0;
}

double LossDenominator::divide(const std::vector<at::Tensor>& gradients, Communicator& communicator) {
    double total = sum_over_ranks(communicator, std::exchange(count_, 0), communicator.device());
    double scale = total > 0 ? communicator.size() / total : 0;
    at::NoGradGuard no_grad;
    for (const at::Tensor& gradient : gradients)
        if (gradient.defined())
            gradient.mul_(scale);
    return total;
}

}  // namespace trainyard::parallel
