// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/parameter.h"

#include <functional>
#include <numeric>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sum.h>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/gradient_buffers.h"
#include "distributed/parallel/tensor_part.h"

namespace trainyard::parallel {

std::int64_t Parameter::numel() const {
    return std::accumulate(shape_.begin(), shape_.end(), std::int64_t{1}, std::multiplies<>());
}

void Parameter::divide(std::shared_ptr<const TensorPart> part) {
    part_ = std::move(part);
    shape_ = part_->shape_of(part_->ranks->rank());
}

const std::vector<std::int64_t>& Parameter::whole_shape() const {
    return part_ != nullptr ? part_->whole_shape : shape_;
}

const at::Tensor& Parameter::gradient() const {
    if (gradient_buffers_ != nullptr && !gradient_.defined())
        gradient_buffers_->allocate(bucket_);
    return gradient_;
}

void Parameter::place(at::Tensor value, at::Tensor compute) {
    storage_ = Storage::frozen;
    gradient_ = at::Tensor();
    gradient_buffers_ = nullptr;
    value_ =
        value.defined() ? std::move(value) : at::empty(shape_, at::TensorOptions().device(at::kMeta).dtype(at::kFloat));
    compute_ = compute.defined() ? std::move(compute) : value_;
}

void Parameter::pack(std::shared_ptr<MatrixKernel> kernel, at::ScalarType result) {
    place(at::empty(shape_, at::TensorOptions().device(at::kMeta).dtype(result)), {});
    kernel_ = std::move(kernel);
    is_packed_ = true;
}

void Parameter::add_gradient(const at::Tensor& g) {
    if (!trains())
        return;
    if (fresh_)
        gradient().copy_(g);
    else
        gradient().add_(g);
    fresh_ = false;
}

void Parameter::add_matmul(const at::Tensor& a, const at::Tensor& b) {
    if (!trains())
        return;
    at::Tensor target = gradient();
    if (a.scalar_type() != target.scalar_type()) {
        add_gradient(at::mm(a, b));
        return;
    }
    if (fresh_)
        at::mm_out(target, a, b);
    else
        target.addmm_(a, b);
    fresh_ = false;
}

void Parameter::add_row_sum(const at::Tensor& g) {
    if (!trains())
        return;
    at::Tensor target = gradient();
    if (fresh_ && g.scalar_type() == target.scalar_type()) {
        at::sum_out(target, g, at::IntArrayRef{0});
        fresh_ = false;
        return;
    }
    add_gradient(at::sum(g, at::IntArrayRef{0}, false, target.scalar_type()));
}

const at::Tensor& Parameter::gradient_to_accumulate() {
    settle_gradient();
    return gradient();
}

void Parameter::settle_gradient() {
    if (trains() && fresh_)
        gradient().zero_();
    fresh_ = false;
}

}  // namespace trainyard::parallel
