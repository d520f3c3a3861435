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

double squared(const at::Tensor& norm) {
    const double value = norm.item<double>();
    return value * value;
}

}  // namespace

double sum_of_squares(const at::Tensor& flat) {
    const std::int64_t count = flat.numel();
    if (flat.is_cpu()) {
        const float* numbers = flat.const_data_ptr<float>();
        std::vector<double> sums(static_cast<std::size_t>((count + kSquaresPiece - 1) / kSquaresPiece));
        at::parallel_for(0, std::ssize(sums), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                sums[static_cast<std::size_t>(i)] = sum_of_squares_on_host(
                    numbers + i * kSquaresPiece, std::min(kSquaresPiece, count - i * kSquaresPiece));
        });
        return std::accumulate(sums.begin(), sums.end(), 0.0);
    }
    // Rows first: the device's kernel works on many at a time, in double precision.
    const std::int64_t rows = count / kSquaresRow, rest = count % kSquaresRow;
    double sum = 0;
    if (rows > 0)
        sum = squared(at::linalg_vector_norm(at::linalg_vector_norm(
            flat.narrow(0, 0, rows * kSquaresRow).view({rows, kSquaresRow}), 2, {1}, false, at::kDouble)));
    if (rest > 0)
        sum += squared(at::linalg_vector_norm(flat.narrow(0, rows * kSquaresRow, rest), 2, {}, false, at::kDouble));
    return sum;
}

double gradient_norm(const at::Tensor& flat) {
    return std::sqrt(sum_of_squares(flat));
}

}  // namespace trainyard::train
