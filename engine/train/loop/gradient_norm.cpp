// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/gradient_norm.h"

#include <cmath>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>

#include "distributed/tensors/square_sum.h"

namespace trainyard::train {

namespace {

constexpr std::int64_t kSquaresRow = 1024;

/// 0-dim float64 there. Rows first: the kernel works on many at a time.
at::Tensor sum_of_squares_on_device(const at::Tensor& flat) {
    const std::int64_t rows = flat.numel() / kSquaresRow, rest = flat.numel() % kSquaresRow;
    at::Tensor sum =
        at::linalg_vector_norm(flat.narrow(0, rows * kSquaresRow, rest), 2, {}, false, at::kDouble).square();
    if (rows > 0)
        sum.add_(at::linalg_vector_norm(flat.narrow(0, 0, rows * kSquaresRow).view({rows, kSquaresRow}), 2, {1}, false,
                                        at::kDouble)
                     .square()
                     .sum());
    return sum;
}

}  // namespace

namespace {

/// 0-dim float64 where the tensor is.
at::Tensor power_sum_of_one(const at::Tensor& tensor, double p) {
    if (p == 2 && tensor.scalar_type() == at::kFloat && tensor.numel() > 0) {
        // In the order of memory where it is dense: any order gives the same sum up to the last places.
        const at::Tensor flat = tensor.is_non_overlapping_and_dense()
                                    ? tensor.as_strided({tensor.numel()}, {1}, tensor.storage_offset())
                                    : tensor.reshape({-1});
        return flat.is_cpu()
                   ? at::scalar_tensor(
                         sum_of_squares({flat.const_data_ptr<float>(), static_cast<std::size_t>(flat.numel())}, true),
                         at::kDouble)
                   : sum_of_squares_on_device(flat);
    }
    const at::Tensor norm = tensor.numel() > 0 ? at::linalg_vector_norm(tensor, p, {}, false, at::kDouble)
                                               : at::zeros({}, tensor.options().dtype(at::kDouble));
    return std::isinf(p) || p == 0 ? norm : norm.pow(p);
}

}  // namespace

at::Tensor power_sum(const std::vector<at::Tensor>& tensors, double p) {
    at::NoGradGuard no_grad;
    at::Tensor sum;
    for (const at::Tensor& tensor : tensors) {
        const at::Tensor part = power_sum_of_one(tensor, p);
        if (!sum.defined())
            sum = part;
        else if (std::isinf(p))
            sum = at::maximum(sum, part.to(sum.device()));  // takes NaN along
        else
            sum = sum.add(part.to(sum.device()));
    }
    return sum.defined() ? sum : at::scalar_tensor(0.0, at::kDouble);
}

at::Tensor norm_of_power_sum(const at::Tensor& sum, double p) {
    return std::isinf(p) || p == 0 ? sum : p == 2 ? sum.sqrt() : sum.pow(1 / p);
}

double gradient_norm(const at::Tensor& tensor) {
    return norm_of_power_sum(power_sum({tensor}, 2), 2).item<double>();
}

}  // namespace trainyard::train
