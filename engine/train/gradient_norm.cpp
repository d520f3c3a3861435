#include "train/gradient_norm.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/ops/linalg_vector_norm.h>

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

double sum_of_squares(const std::vector<at::Tensor>& pieces) {
    double on_host = 0;
    at::Tensor on_device;
    for (const at::Tensor& piece : pieces) {
        if (piece.is_cpu())
            on_host += sum_of_squares_on_host(piece);
        else if (const at::Tensor sum = sum_of_squares_on_device(piece); on_device.defined())
            on_device.add_(sum);
        else
            on_device = sum;
    }
    return on_host + (on_device.defined() ? on_device.item<double>() : 0);  // the host waits once
}

double gradient_norm(const at::Tensor& flat) {
    return std::sqrt(sum_of_squares({flat}));
}

}  // namespace trainyard::train
