#include "models/kernels/attention_cpu.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/Parallel.h>

#include "models/kernels/vector_math.h"

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

/// scores[0, valid) -> probabilities, the rest up to `count` zero; returns the log-sum-exp.
TRAINYARD_VECTOR_CLONES
float softmax_row(float* __restrict__ scores, std::int64_t valid, std::int64_t count) {
    float largest = scores[0];
    for (std::int64_t i = 1; i < valid; ++i)
        largest = scores[i] > largest ? scores[i] : largest;
    constexpr int kLanes = 16;  // partial sums, so that the order of additions is fixed and vectors can be used
    float sums[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= valid; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane) {
            float e = fast_exp(scores[i + lane] - largest);
            scores[i + lane] = e;
            sums[lane] += e;
        }
    float sum = 0;
    for (; i < valid; ++i) {
        scores[i] = fast_exp(scores[i] - largest);
        sum += scores[i];
    }
    for (float part : sums)
        sum += part;
    float inverse = 1.0f / sum;
    for (std::int64_t j = 0; j < valid; ++j)
        scores[j] *= inverse;
    for (std::int64_t j = valid; j < count; ++j)
        scores[j] = 0.0f;
    return largest + std::log(sum);
}

/// Probabilities of a row from its scores and log-sum-exp.
TRAINYARD_VECTOR_CLONES
void probability_row(float* __restrict__ scores, float log_sum_exp, std::int64_t valid, std::int64_t count) {
    for (std::int64_t i = 0; i < valid; ++i)
        scores[i] = fast_exp(scores[i] - log_sum_exp);
    for (std::int64_t i = valid; i < count; ++i)
        scores[i] = 0.0f;
}

/// dscores = p * (dp - delta) * scale, in the place of dp.
TRAINYARD_VECTOR_CLONES
void score_gradient_row(const float* __restrict__ p, float* __restrict__ dp, float delta, float scale,
                        std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        dp[i] = p[i] * (dp[i] - delta) * scale;
}

float dot(const float* a, const float* b, std::int64_t count) {
    float sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
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
    float scale = 1.0f / std::sqrt(static_cast<float>(shape.head_width));
    at::parallel_for(0, shape.batch * shape.heads, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scores(static_cast<std::size_t>(std::min(kTile, shape.seq) * shape.seq));
        for (std::int64_t index = begin; index < end; ++index) {
            std::int64_t batch = index / shape.heads, number = index % shape.heads;
            Head head = head_of(shape, qkv, batch, number);
            float* o = out + batch * shape.seq * head.plain + number * shape.head_width;
            for (std::int64_t first = 0; first < shape.seq; first += kTile) {
                std::int64_t rows = std::min(kTile, shape.seq - first), keys = first + rows;
                gemm(false, true, rows, keys, shape.head_width, scale, head.q + first * head.packed, head.packed, head.k,
                     head.packed, 0.0f, scores.data(), keys);
                for (std::int64_t row = 0; row < rows; ++row)
                    log_sum_exp[index * shape.seq + first + row] =
                        softmax_row(scores.data() + row * keys, first + row + 1, keys);
                gemm(false, false, rows, shape.head_width, keys, 1.0f, scores.data(), keys, head.v, head.packed, 0.0f,
                     o + first * head.plain, head.plain);
            }
        }
    });
}

void tiled_attention_backward(const AttentionShape& shape, const float* qkv, const float* out, const float* log_sum_exp,
                              const float* dout, float* dqkv) {
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
                    probability_row(prow, log_sum_exp[index * shape.seq + first + row], first + row + 1, keys);
                    float delta = dot(dtile + row * head.plain, o + (first + row) * head.plain, shape.head_width);
                    score_gradient_row(prow, dp.data() + row * keys, delta, scale, keys);
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
