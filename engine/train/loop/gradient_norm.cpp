// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/gradient_norm.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>

namespace trainyard::train {

namespace {

constexpr std::int64_t kSquaresPiece =
    1 << 15;  ///< elements whose sum a thread makes at once: the same on any number of threads
constexpr std::int64_t kSquaresRow = 1024;

double sum_of_squares_on_host(const float* numbers, std::int64_t count) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
    return sum;
}

/// Partial sums in an order that does not depend on the threads.
double sum_of_squares_on_host(const at::Tensor& flat) {
    const std::int64_t count = flat.numel();
    const float* numbers = flat.const_data_ptr<float>();
    std::vector<double> sums(static_cast<std::size_t>((count + kSquaresPiece - 1) / kSquaresPiece));
    at::parallel_for(0, std::ssize(sums), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            sums[static_cast<std::size_t>(i)] =
                sum_of_squares_on_host(numbers + i * kSquaresPiece, std::min(kSquaresPiece, count - i * kSquaresPiece));
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

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
        return flat.is_cpu() ? at::scalar_tensor(sum_of_squares_on_host(flat), at::kDouble)
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
