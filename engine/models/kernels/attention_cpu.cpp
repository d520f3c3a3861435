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

/// Rows [seq, width] of one head in fp32: where they lie when they are fp32, else a copy.
class HeadRows {
  public:
    HeadRows(std::int64_t seq, std::int64_t width) : seq_(seq), width_(width) {}

    void read(const float* rows, std::int64_t stride) {
        data_ = const_cast<float*>(rows);  // read() is followed by no writing
        stride_ = stride;
    }
    void read(const std::uint16_t* rows, std::int64_t stride) {
        take_copy();
        for (std::int64_t row = 0; row < seq_; ++row)
            vector_loops().widen(rows + row * stride, data_ + row * width_, width_);
    }
    /// Where results are to be written; store() brings them home.
    void prepare(float* rows, std::int64_t stride) {
        data_ = rows;
        stride_ = stride;
    }
    void prepare(std::uint16_t*, std::int64_t) { take_copy(); }
    void store(float*, std::int64_t) const {}
    void store(std::uint16_t* rows, std::int64_t stride) const {
        for (std::int64_t row = 0; row < seq_; ++row)
            vector_loops().narrow(data_ + row * width_, rows + row * stride, width_);
    }

    float* row(std::int64_t number) const { return data_ + number * stride_; }
    std::int64_t stride() const { return stride_; }

  private:
    void take_copy() {
        copy_.resize(static_cast<std::size_t>(seq_ * width_));
        data_ = copy_.data();
        stride_ = width_;
    }
    std::int64_t seq_, width_, stride_ = 0;
    float* data_ = nullptr;
    std::vector<float> copy_;
};

}  // namespace

bool has_tiled_attention() {
    return sgemm_ != nullptr;
}

template <class Element>
void tiled_attention_forward(const AttentionShape& shape, const Element* qkv, Element* out, float* log_sum_exp) {
    const VectorLoops& loops = vector_loops();
    float scale = 1.0f / std::sqrt(static_cast<float>(shape.head_width));
    std::int64_t width = shape.width(), seq = shape.seq;
    at::parallel_for(0, shape.batch * shape.heads, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scores(static_cast<std::size_t>(std::min(kTile, seq) * seq));
        HeadRows q(seq, shape.head_width), k(seq, shape.head_width), v(seq, shape.head_width), o(seq, shape.head_width);
        for (std::int64_t index = begin; index < end; ++index) {
            const Element* packed = qkv + shape.head_offset(index, 3 * width);
            Element* target = out + shape.head_offset(index, width);
            q.read(packed, 3 * width);
            k.read(packed + width, 3 * width);
            v.read(packed + 2 * width, 3 * width);
            o.prepare(target, width);
            for (std::int64_t first = 0; first < seq; first += kTile) {
                std::int64_t rows = std::min(kTile, seq - first), keys = first + rows;
                gemm(false, true, rows, keys, shape.head_width, scale, q.row(first), q.stride(), k.row(0), k.stride(),
                     0.0f, scores.data(), keys);
                for (std::int64_t row = 0; row < rows; ++row)
                    log_sum_exp[index * seq + first + row] =
                        loops.softmax_row(scores.data() + row * keys, first + row + 1, keys);
                gemm(false, false, rows, shape.head_width, keys, 1.0f, scores.data(), keys, v.row(0), v.stride(), 0.0f,
                     o.row(first), o.stride());
            }
            o.store(target, width);
        }
    });
}

template <class Element>
void tiled_attention_backward(const AttentionShape& shape, const Element* qkv, const Element* out,
                              const float* log_sum_exp, const Element* dout, Element* dqkv) {
    const VectorLoops& loops = vector_loops();
    float scale = 1.0f / std::sqrt(static_cast<float>(shape.head_width));
    std::int64_t width = shape.width(), seq = shape.seq, depth = shape.head_width;
    at::parallel_for(0, shape.batch * shape.heads, 1, [&](std::int64_t begin, std::int64_t end) {
        auto size = static_cast<std::size_t>(std::min(kTile, seq) * seq);
        std::vector<float> p(size), dp(size);
        HeadRows q(seq, depth), k(seq, depth), v(seq, depth), o(seq, depth), d(seq, depth);
        HeadRows dq(seq, depth), dk(seq, depth), dv(seq, depth);
        for (std::int64_t index = begin; index < end; ++index) {
            std::int64_t packed = shape.head_offset(index, 3 * width), plain = shape.head_offset(index, width);
            q.read(qkv + packed, 3 * width);
            k.read(qkv + packed + width, 3 * width);
            v.read(qkv + packed + 2 * width, 3 * width);
            o.read(out + plain, width);
            d.read(dout + plain, width);
            dq.prepare(dqkv + packed, 3 * width);
            dk.prepare(dqkv + packed + width, 3 * width);
            dv.prepare(dqkv + packed + 2 * width, 3 * width);
            // From the last tile, which meets every key and so writes all of dk and dv; the others add.
            std::int64_t last = (seq - 1) / kTile * kTile;
            for (std::int64_t first = last; first >= 0; first -= kTile) {
                std::int64_t rows = std::min(kTile, seq - first), keys = first + rows;
                float add = first == last ? 0.0f : 1.0f;
                gemm(false, true, rows, keys, depth, scale, q.row(first), q.stride(), k.row(0), k.stride(), 0.0f,
                     p.data(), keys);
                gemm(false, true, rows, keys, depth, 1.0f, d.row(first), d.stride(), v.row(0), v.stride(), 0.0f,
                     dp.data(), keys);
                for (std::int64_t row = 0; row < rows; ++row) {
                    float* prow = p.data() + row * keys;
                    loops.probability_row(prow, log_sum_exp[index * seq + first + row], first + row + 1, keys);
                    float delta = loops.dot(d.row(first + row), o.row(first + row), depth);
                    loops.score_gradient_row(prow, dp.data() + row * keys, delta, scale, keys);
                }
                gemm(true, false, keys, depth, rows, 1.0f, p.data(), keys, d.row(first), d.stride(), add, dv.row(0),
                     dv.stride());
                gemm(false, false, rows, depth, keys, 1.0f, dp.data(), keys, k.row(0), k.stride(), 0.0f, dq.row(first),
                     dq.stride());
                gemm(true, false, keys, depth, rows, 1.0f, dp.data(), keys, q.row(first), q.stride(), add, dk.row(0),
                     dk.stride());
            }
            dq.store(dqkv + packed, 3 * width);
            dk.store(dqkv + packed + width, 3 * width);
            dv.store(dqkv + packed + 2 * width, 3 * width);
        }
    });
}

template void tiled_attention_forward(const AttentionShape&, const float*, float*, float*);
template void tiled_attention_forward(const AttentionShape&, const std::uint16_t*, std::uint16_t*, float*);
template void tiled_attention_backward(const AttentionShape&, const float*, const float*, const float*, const float*,
                                       float*);
template void tiled_attention_backward(const AttentionShape&, const std::uint16_t*, const std::uint16_t*, const float*,
                                       const std::uint16_t*, std::uint16_t*);

}  // namespace trainyard::models
