// bench_gemm: prints this machine's rate of fp32 matrix products in FLOP/s, as LibTorch does them with OMP_NUM_THREADS threads:
// the best of some rounds on random 2048 x 2048 matrices.

#include <algorithm>
#include <cstdio>

#include <ATen/Parallel.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include "base/clock.h"

int main() {
    constexpr std::int64_t kSize = 2048;
    at::Tensor a = at::randn({kSize, kSize}), b = at::randn({kSize, kSize}), c = at::mm(a, b);
    double best = 1e9;
    for (int round = 0; round < 12; ++round) {
        double begin = trainyard::monotonic_seconds();
        at::mm_out(c, a, b);
        best = std::min(best, trainyard::monotonic_seconds() - begin);
    }
    std::printf("%.6g\n", 2.0 * kSize * kSize * kSize / best);
    return 0;
}
