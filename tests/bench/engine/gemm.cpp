// SPDX-License-Identifier: GPL-3.0-or-later
// bench_gemm [bf16]: prints this machine's rate of matrix products in FLOP/s (fp32 or bfloat16) with LibTorch and
// OMP_NUM_THREADS threads: the best of several rounds on random 2048 x 2048 matrices, or of one round if it takes
// seconds.

#include <algorithm>
#include <cstdio>
#include <string_view>

#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include "base/clock.h"

int main(int argc, char** argv) {
    constexpr std::int64_t kSize = 2048;
    auto dtype = argc > 1 && std::string_view(argv[1]) == "bf16" ? at::kBFloat16 : at::kFloat;
    constexpr double kSeconds = 3;
    at::Tensor a = at::randn({kSize, kSize}).to(dtype), b = at::randn({kSize, kSize}).to(dtype), c = at::empty_like(a);
    double best = 1e9, start = trainyard::monotonic_seconds();
    for (int round = 0; round < 13 && trainyard::monotonic_seconds() - start < kSeconds; ++round) {
        double begin = trainyard::monotonic_seconds();
        at::mm_out(c, a, b);
        best = std::min(best, trainyard::monotonic_seconds() - begin);
    }
    std::printf("%.6g\n", 2.0 * kSize * kSize * kSize / best);
    return 0;
}
