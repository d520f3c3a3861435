#include "parallel/parameter.h"

#include <functional>
#include <numeric>

#include <ATen/ops/mm.h>
#include <ATen/ops/sum.h>

namespace trainyard::parallel {

std::int64_t Parameter::numel() const {
    return std::accumulate(shape_.begin(), shape_.end(), std::int64_t{1}, std::multiplies<>());
}

void Parameter::add_gradient(const at::Tensor& g) {
    if (!trains())
        return;
    if (fresh_)
        gradient_.copy_(g);
    else
        gradient_.add_(g);
    fresh_ = false;
}

void Parameter::add_matmul(const at::Tensor& a, const at::Tensor& b) {
    if (!trains())
        return;
    if (a.scalar_type() != gradient_.scalar_type()) {
        add_gradient(at::mm(a, b));
        return;
    }
    if (fresh_)
        at::mm_out(gradient_, a, b);
    else
        gradient_.addmm_(a, b);
    fresh_ = false;
}

void Parameter::add_row_sum(const at::Tensor& g) {
    if (!trains())
        return;
    if (fresh_ && g.scalar_type() == gradient_.scalar_type()) {
        at::sum_out(gradient_, g, at::IntArrayRef{0});
        fresh_ = false;
        return;
    }
    add_gradient(at::sum(g, at::IntArrayRef{0}, false, gradient_.scalar_type()));
}

const at::Tensor& Parameter::gradient_to_accumulate() {
    settle_gradient();
    return gradient_;
}

void Parameter::settle_gradient() {
    if (trains() && fresh_)
        gradient_.zero_();
    fresh_ = false;
}

}  // namespace trainyard::parallel
