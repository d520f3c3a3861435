#include "models/kernels/attention_cpu.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/Parallel.h>

#include "models/kernels/vector_loops.h"

// Fortran BLAS of libtorch_cpu (MKL in the published builds). Weak: a LibTorch that hides it still links.
extern "C" __attribute__((weak)) void sgemm_(const char* transa, const char* transb, const int* m, const int* n,
                                             const int* k, const float* alpha, const float* a, const int* lda,
                                             const float* b, const int* ldb, const float* beta, float* c,
                                             const int* ldc);

namespace trainyard::models {

namespace {

constexpr std::int64_t kTile = 64;

/// Row-major c[m, n] = alpha * op(a) op(b) + beta * c; `ta` says that a is stored [k, m], `tb` that b is stored [n, k].
void gemm(bool ta, bool tb, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
          std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
    // Fortran sees every row-major matrix transposed: c^T = op(b)^T op(a)^T.
    int im = static_cast<int>(m), in = static_cast<int>(n), ik = static_cast<int>(k);
    int ilda = static_cast<int>(lda), ildb = static_cast<int>(ldb), ildc = static_cast<int>(ldc);
    sgemm_(tb ? "T" : "N", ta ? "T" : "N", &in, &im, &ik, &alpha, b, &ildb, a, &ilda, &beta, c, &ildc);
}

/// Where the rows of one head lie.
struct Head {
    const float *q, *k, *v;
    std::int64_t packed;  ///< stride of rows of qkv
    std::int64_t plain;   ///< stride of rows of out
};

Head head_of(const AttentionShape& shape, const float* qkv, std::int64_t batch, std::int64_t head) {
    std::int64_t width = shape.width(), packed = 3 * width;
    const float* q = qkv + batch * shape.seq * packed + head * shape.head_width;
    return {q, q + width, q + 2 * width, packed, width};
}

}  // namespace

bool has_tiled_attention() {
    return sgemm_ != nullptr;
}

void tiled_attention_forward(const AttentionShape& shape, const float* qkv, float* out, float* log_sum_exp) {
    const VectorLoops& loops = vector_loops();
    float scale = 1.0f / std::sqrt(static_cast<float>(shape.head_width));
    at::parallel_for(0, shape.batch * shape.heads, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scores(static_cast<std::size_t>(std::min(kTile, shape.seq) * shape.seq));
        for (std::int64_t index = begin; index < end; ++index) {
            std::int64_t batch = index / shape.heads, number = index % shape.heads;
            Head head = head_of(shape, qkv, batch, number);
            float* o = out + batch * shape.seq * head.plain + number * shape.head_width;
            for (std::int64_t first = 0; first < shape.seq; first += kTile) {
                std::int64_t rows = std::min(kTile, shape.seq - first), keys = first + rows;
                gemm(false, true, rows, keys, shape.head_width, scale, head.q + first * head.packed, head.packed,
                     head.k, head.packed, 0.0f, scores.data(), keys);
                for (std::int64_t row = 0; row < rows; ++row)
                    log_sum_exp[index * shape.seq + first + row] =
                        loops.softmax_row(scores.data() + row * keys, first + row + 1, keys);
                gemm(false, false, rows, shape.head_width, keys, 1.0f, scores.data(), keys, head.v, head.packed, 0.0f,
                     o + first * head.plain, head.plain);
            }
        }
    });
}

void tiled_attention_backward(const AttentionShape& shape, const float* qkv, const float* out, const float* log_sum_exp,
                              const float* dout, float* dqkv) {
    const VectorLoops& loops = vector_loops();
    float scale = 1.0f / std::sqrt(static_cast<float>(shape.head_width));
    at::parallel_for(0, shape.batch * shape.heads, 1, [&](std::int64_t begin, std::int64_t end) {
        auto size = static_cast<std::size_t>(std::min(kTile, shape.seq) * shape.seq);
        std::vector<float> p(size), dp(size);
        for (std::int64_t index = begin; index < end; ++index) {
            std::int64_t batch = index / shape.heads, number = index % shape.heads;
            Head head = head_of(shape, qkv, batch, number);
            std::int64_t offset = batch * shape.seq * head.plain + number * shape.head_width;
            const float* o = out + offset;
            const float* d = dout + offset;
            float* dq = dqkv + (head.q - qkv);
            float* dk = dq + shape.width();
            float* dv = dk + shape.width();
            // From the last tile, which meets every key and so writes all of dk and dv; the others add.
            std::int64_t last = (shape.seq - 1) / kTile * kTile;
            for (std::int64_t first = last; first >= 0; first -= kTile) {
                std::int64_t rows = std::min(kTile, shape.seq - first), keys = first + rows;
                float add = first == last ? 0.0f : 1.0f;
                const float* q = head.q + first * head.packed;
                const float* dtile = d + first * head.plain;
                gemm(false, true, rows, keys, shape.head_width, scale, q, head.packed, head.k, head.packed, 0.0f,
                     p.data(), keys);
                gemm(false, true, rows, keys, shape.head_width, 1.0f, dtile, head.plain, head.v, head.packed, 0.0f,
                     dp.data(), keys);
                for (std::int64_t row = 0; row < rows; ++row) {
                    float* prow = p.data() + row * keys;
                    loops.probability_row(prow, log_sum_exp[index * shape.seq + first + row], first + row + 1, keys);
                    float delta = loops.dot(dtile + row * head.plain, o + (first + row) * head.plain, shape.head_width);
                    loops.score_gradient_row(prow, dp.data() + row * keys, delta, scale, keys);
                }
                gemm(true, false, keys, shape.head_width, rows, 1.0f, p.data(), keys, dtile, head.plain, add, dv,
                     head.packed);
                gemm(false, false, rows, shape.head_width, keys, 1.0f, dp.data(), keys, head.k, head.packed, 0.0f,
                     dq + first * head.packed, head.packed);
                gemm(true, false, keys, shape.head_width, rows, 1.0f, dp.data(), keys, q, head.packed, add, dk,
                     head.packed);
            }
        }
    });
}

}  // namespace trainyard::models
