// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/tensors/square_sum.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <ATen/Parallel.h>

namespace trainyard {

namespace {

constexpr std::size_t kSquaresPiece = 1 << 15;  ///< elements of a partial sum

double squares_of_piece(std::span<const float> numbers) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < numbers.size(); ++i)
        sum += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
    return sum;
}

}  // namespace

double sum_of_squares(std::span<const float> numbers, bool threads) {
    std::vector<double> sums((numbers.size() + kSquaresPiece - 1) / kSquaresPiece);
    const auto add_pieces = [&](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            sums[i] = squares_of_piece(
                numbers.subspan(i * kSquaresPiece, std::min(kSquaresPiece, numbers.size() - i * kSquaresPiece)));
    };
    if (threads)
        at::parallel_for(0, std::ssize(sums), 1, add_pieces);
    else
        add_pieces(0, std::ssize(sums));
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace trainyard
