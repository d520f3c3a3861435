// SPDX-License-Identifier: GPL-3.0-or-later
// Loops for one instruction set: the build defines TRAINYARD_ISA (generic, avx2, avx512, avx512bf16) and sets the
// matching -m flags. Written for the compiler's vectoriser: no branches, fixed order of additions.

#include "models/nn/kernels/vector_loops.h"

#include <bit>
#include <cmath>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "base/isa_names.h"
#include "models/nn/kernels/half_formats.h"

namespace trainyard::models {

namespace {

/// exp(x) with a relative error below 2e-7 for x in [-87, 88]. Cody and Waite's reduction by ln 2, polynomial of Cephes' expf.
inline float exp_within(float x) {
    // Adding 1.5 * 2^23 rounds to an integer, which is then in the low bits.
    constexpr float kRound = 12582912.0f;
    float shifted = x * 1.44269504088896341f + kRound;
    std::int32_t power = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRound);
    float n = shifted - kRound;
    float r = x - n * 0.693359375f - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    return p * std::bit_cast<float>((power + 127) << 23);
}

/// The same for any x: 0 below the range, and beyond it the value at its end.
inline float fast_exp(float x) {
    float bounded = x < -87.0f ? -87.0f : x;
    bounded = bounded > 88.0f ? 88.0f : bounded;
    const float e = exp_within(bounded);
    return x < -87.0f ? 0.0f : e;
}

/// exp(x) for results with 8 bits: relative error below 1e-5 for x in [-87, 87].
inline float coarse_exp_within(float x) {
    float t = x * 1.44269504088896341f;
    constexpr float kRound = 12582912.0f;
    float shifted = t + kRound;
    float r = t - (shifted - kRound);
    float p = 9.6181291e-3f;
    p = p * r + 5.5504109e-2f;
    p = p * r + 2.4022651e-1f;
    p = p * r + 6.9314718e-1f;
    p = p * r + 1.0f;
    // The low bits of `shifted` are the power of two; the shift discards the others.
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(p) + (std::bit_cast<std::int32_t>(shifted) << 23));
}

constexpr float kTwiceRoot = 2.0f * 0.7978845608028654f;  // 2 sqrt(2/pi)
constexpr float kCubic = 0.044715f;
constexpr int kLanes = 16;  // partial sums, so that the order of additions does not depend on the vector width

/// Beyond these bounds gelu is 0 or the identity to 1e-15. They are not wider because the compiler turns a bound into a
/// result for all lanes, of which it takes some: with those of fast_exp() it multiplied by 6e-39, and a processor takes
/// about 100 cycles for a vector with a subnormal number.
inline float within_gelu(float v) {
    v = v < -7.3f ? -7.3f : v;
    return v > 7.3f ? 7.3f : v;
}

/// tanh's gelu is v times the logistic function of 2 sqrt(2/pi) (v + 0.044715 v^3).
template <float (*Exp)(float)>
inline float gelu_logistic(float v) {
    return 1.0f / (1.0f + Exp(-kTwiceRoot * (v + kCubic * v * v * v)));
}

template <float (*Exp)(float)>
inline float gelu_of(float v) {
    return v * gelu_logistic<Exp>(within_gelu(v));
}

template <float (*Exp)(float)>
inline float gelu_slope(float v) {
    v = within_gelu(v);
    float s = gelu_logistic<Exp>(v);
    return s + v * s * (1.0f - s) * (kTwiceRoot * (1.0f + 3.0f * kCubic * v * v));
}

void gelu_forward(const float* __restrict__ x, float* __restrict__ y, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = gelu_of<exp_within>(x[i]);
}

void gelu_backward(const float* __restrict__ x, const float* __restrict__ dy, float* __restrict__ dx,
                   std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        dx[i] = dy[i] * gelu_slope<exp_within>(x[i]);
}

constexpr std::int64_t kBlock = 512;  // number of 16-bit values that are processed in fp32 on the stack

template <class Format>
void gelu_forward_half(const std::uint16_t* __restrict__ x, std::uint16_t* __restrict__ y, std::int64_t count) {
    float a[kBlock], b[kBlock];
    for (std::int64_t i = 0; i < count; i += kBlock) {
        std::int64_t size = count - i < kBlock ? count - i : kBlock;
        Format::widen(x + i, a, size);
        for (std::int64_t j = 0; j < size; ++j)
            b[j] = gelu_of<coarse_exp_within>(a[j]);
        Format::narrow(b, y + i, size);
    }
}

template <class Format>
void gelu_backward_half(const std::uint16_t* __restrict__ x, const std::uint16_t* __restrict__ dy,
                        std::uint16_t* __restrict__ dx, std::int64_t count) {
    float a[kBlock], b[kBlock], c[kBlock];
    for (std::int64_t i = 0; i < count; i += kBlock) {
        std::int64_t size = count - i < kBlock ? count - i : kBlock;
        Format::widen(x + i, a, size);
        Format::widen(dy + i, b, size);
        for (std::int64_t j = 0; j < size; ++j)
            c[j] = b[j] * gelu_slope<coarse_exp_within>(a[j]);
        Format::narrow(c, dx + i, size);
    }
}

void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ sum, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        sum[i] = a[i] + b[i];
}

template <class Format>
void add_half(const float* __restrict__ a, const std::uint16_t* __restrict__ b, float* __restrict__ sum,
              std::int64_t count) {
    float wide[kBlock];
    for (std::int64_t i = 0; i < count; i += kBlock) {
        std::int64_t size = count - i < kBlock ? count - i : kBlock;
        Format::widen(b + i, wide, size);
        for (std::int64_t j = 0; j < size; ++j)
            sum[i + j] = a[i + j] + wide[j];
    }
}

/// `take` converts a part of a row to fp32.
template <class Element, class Take>
inline void add_rows_of(const Element* __restrict__ rows, std::int64_t stride, std::int64_t count, std::int64_t width,
                        float* __restrict__ sums, Take take) {
    constexpr std::int64_t kStrip = 128,
                           kRows = 64;  // partial sums over some rows, so that numbers of similar size are added
    for (std::int64_t column = 0; column < width; column += kStrip) {
        std::int64_t size = width - column < kStrip ? width - column : kStrip;
        for (std::int64_t begin = 0; begin < count; begin += kRows) {
            std::int64_t end = count - begin < kRows ? count : begin + kRows;
            float part[kStrip] = {}, room[kStrip];
            for (std::int64_t row = begin; row < end; ++row) {
                const float* at = take(rows + row * stride + column, room, size);
                if (size == kStrip)
                    for (std::int64_t i = 0; i < kStrip; ++i)
                        part[i] += at[i];
                else
                    for (std::int64_t i = 0; i < size; ++i)
                        part[i] += at[i];
            }
            for (std::int64_t i = 0; i < size; ++i)
                sums[column + i] += part[i];
        }
    }
}

void add_rows(const float* rows, std::int64_t stride, std::int64_t count, std::int64_t width, float* sums) {
    add_rows_of(rows, stride, count, width, sums, [](const float* at, float*, std::int64_t) { return at; });
}

template <class Format>
void add_rows_half(const std::uint16_t* rows, std::int64_t stride, std::int64_t count, std::int64_t width,
                   float* sums) {
    add_rows_of(rows, stride, count, width, sums, [](const std::uint16_t* at, float* room, std::int64_t size) {
        Format::widen(at, room, size);
        return static_cast<const float*>(room);
    });
}

/// The sum of `term` over the positions of a row.
template <class Term>
inline float sum_of(std::int64_t count, Term term) {
    float sums[kLanes] = {};
    std::int64_t whole = count / kLanes * kLanes;
    for (std::int64_t i = 0; i < whole; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane)
            sums[lane] += term(i + lane);
    float sum = 0;
    for (std::int64_t i = whole; i < count; ++i)
        sum += term(i);
    for (float part : sums)
        sum += part;
    return sum;
}

void norm_row(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ bias,
              float epsilon, float* __restrict__ y, float* mean, float* rstd, std::int64_t count) {
    auto size = static_cast<float>(count);
    float m = sum_of(count, [x](std::int64_t i) { return x[i]; }) / size;
    float variance = sum_of(count, [x, m](std::int64_t i) { return (x[i] - m) * (x[i] - m); }) / size;
    float r = 1.0f / std::sqrt(variance + epsilon);
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = (x[i] - m) * r * weight[i] + bias[i];
    *mean = m;
    *rstd = r;
}

void norm_gradient_row(const float* __restrict__ x, float mean, float rstd, const float* __restrict__ weight,
                       const float* __restrict__ dy, float* __restrict__ dx, float* __restrict__ dweight,
                       float* __restrict__ dbias, std::int64_t count) {
    auto size = static_cast<float>(count);
    float direct = sum_of(count, [=](std::int64_t i) { return dy[i] * weight[i]; }) / size;
    float along = sum_of(count, [=](std::int64_t i) { return dy[i] * weight[i] * ((x[i] - mean) * rstd); }) / size;
    for (std::int64_t i = 0; i < count; ++i) {
        float normal = (x[i] - mean) * rstd;
        dx[i] += rstd * (dy[i] * weight[i] - direct - normal * along);
        dweight[i] += dy[i] * normal;
        dbias[i] += dy[i];
    }
}

float largest_of(const float* __restrict__ row, std::int64_t count) {
    float tops[kLanes];
    for (float& top : tops)
        top = row[0];
    std::int64_t whole = count / kLanes * kLanes;
    for (std::int64_t i = 0; i < whole; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane)
            tops[lane] = row[i + lane] > tops[lane] ? row[i + lane] : tops[lane];
    float largest = tops[0];
    for (float top : tops)
        largest = top > largest ? top : largest;
    for (std::int64_t i = whole; i < count; ++i)
        largest = row[i] > largest ? row[i] : largest;
    return largest;
}

/// The sum of a vocabulary's exponentials: fp32 lanes, which are added to a double before they lose precision.
template <class Keep>
double sum_of_exponentials(const float* __restrict__ row, float largest, std::int64_t count, Keep keep) {
    double total = 0;
    for (std::int64_t begin = 0; begin < count; begin += kBlock) {
        std::int64_t end = begin + kBlock < count ? begin + kBlock : count;
        std::int64_t whole = begin + (end - begin) / kLanes * kLanes;
        float sums[kLanes] = {};
        for (std::int64_t i = begin; i < whole; i += kLanes)
            for (int lane = 0; lane < kLanes; ++lane) {
                float e = fast_exp(row[i + lane] - largest);
                keep(i + lane, e);
                sums[lane] += e;
            }
        for (std::int64_t i = whole; i < end; ++i) {
            float e = fast_exp(row[i] - largest);
            keep(i, e);
            sums[0] += e;
        }
        for (float part : sums)
            total += part;
    }
    return total;
}

float cross_entropy_loss(const float* __restrict__ logits, std::int64_t target, std::int64_t count) {
    float largest = largest_of(logits, count);
    double sum = sum_of_exponentials(logits, largest, count, [](std::int64_t, float) {});
    return largest - logits[target] + static_cast<float>(std::log(sum));
}

float cross_entropy_row(float* __restrict__ logits, std::int64_t target, float scale, std::int64_t count) {
    float largest = largest_of(logits, count), chosen = logits[target];
    double sum = sum_of_exponentials(logits, largest, count, [logits](std::int64_t i, float e) { logits[i] = e; });
    auto factor = static_cast<float>(scale / sum);
    for (std::int64_t i = 0; i < count; ++i)
        logits[i] *= factor;
    logits[target] -= scale;
    return largest - chosen + static_cast<float>(std::log(sum));
}

float softmax_row(float* __restrict__ scores, std::int64_t valid, std::int64_t count) {
    float sums[kLanes] = {};
    std::int64_t whole = valid / kLanes * kLanes;
    float largest = largest_of(scores, valid);
    for (std::int64_t i = 0; i < whole; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane) {
            float e = fast_exp(scores[i + lane] - largest);
            scores[i + lane] = e;
            sums[lane] += e;
        }
    float sum = 0;
    for (std::int64_t i = whole; i < valid; ++i) {
        scores[i] = fast_exp(scores[i] - largest);
        sum += scores[i];
    }
    for (float part : sums)
        sum += part;
    float inverse = 1.0f / sum;
    for (std::int64_t i = 0; i < valid; ++i)
        scores[i] *= inverse;
    for (std::int64_t i = valid; i < count; ++i)
        scores[i] = 0.0f;
    return largest + std::log(sum);
}

void probability_row(float* __restrict__ scores, float log_sum_exp, std::int64_t valid, std::int64_t count) {
    for (std::int64_t i = 0; i < valid; ++i)
        scores[i] = fast_exp(scores[i] - log_sum_exp);
    for (std::int64_t i = valid; i < count; ++i)
        scores[i] = 0.0f;
}

void score_gradient_row(const float* __restrict__ p, float* __restrict__ dp, float delta, float scale,
                        std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        dp[i] = p[i] * (dp[i] - delta) * scale;
}

/// While an object exists, vector operations of the thread treat subnormal inputs as zero and flush subnormal results
/// to zero.
class SubnormalsAreZero {
  public:
#ifdef __SSE2__
    SubnormalsAreZero() : before_(_mm_getcsr()) {
        _mm_setcsr(before_ | 0x8040u);
    }  // FTZ and DAZ
    ~SubnormalsAreZero() {
        _mm_setcsr(before_);
    }

  private:
    unsigned before_;
#else
    SubnormalsAreZero() {}
    ~SubnormalsAreZero() {}

  public:
#endif
    SubnormalsAreZero(const SubnormalsAreZero&) = delete;
    SubnormalsAreZero& operator=(const SubnormalsAreZero&) = delete;
};

/// Averages of gradients that have become zero (rows of an embedding whose tokens are rare) shrink with each step; once they were
/// subnormal, a step over them took 56 times as long.
void adamw(const AdamwStep& step, float* __restrict__ value, const float* __restrict__ gradient,
           float* __restrict__ exp_avg, float* __restrict__ exp_avg_sq, std::uint16_t* __restrict__ rounded,
           NumberFormat format, std::int64_t count) {
    SubnormalsAreZero scope;
    const AdamwStep s = step;
    for (std::int64_t begin = 0; begin < count; begin += kBlock) {
        std::int64_t end = begin + kBlock < count ? begin + kBlock : count;
        for (std::int64_t i = begin; i < end; ++i) {
            float g = gradient[i] * s.gradient_factor;
            float m = exp_avg[i] + s.fresh_1 * (g - exp_avg[i]);
            float v = s.beta2 * exp_avg_sq[i] + s.fresh_2 * g * g;
            exp_avg[i] = m;
            exp_avg_sq[i] = v;
            value[i] = value[i] * s.kept - s.rate * m / (std::sqrt(v) * s.inverse_root + s.epsilon);
        }
        if (format == NumberFormat::bf16)
            Bfloat16Format::narrow(value + begin, rounded + begin, end - begin);
        else if (format == NumberFormat::fp16)
            HalfFormat::narrow(value + begin, rounded + begin, end - begin);
    }
}

float dot(const float* __restrict__ a, const float* __restrict__ b, std::int64_t count) {
    return sum_of(count, [a, b](std::int64_t i) { return a[i] * b[i]; });
}

template <class Format>
constexpr HalfLoops half_loops_of() {
    return {&Format::widen,    &Format::narrow,       &gelu_forward_half<Format>, &gelu_backward_half<Format>,
            &add_half<Format>, &add_rows_half<Format>};
}

}  // namespace

extern const VectorLoops TRAINYARD_FOR_ISA(vector_loops);
const VectorLoops TRAINYARD_FOR_ISA(vector_loops){half_loops_of<Bfloat16Format>(),
                                                  half_loops_of<HalfFormat>(),
                                                  &gelu_forward,
                                                  &gelu_backward,
                                                  &add,
                                                  &add_rows,
                                                  &norm_row,
                                                  &norm_gradient_row,
                                                  &adamw,
                                                  &cross_entropy_row,
                                                  &cross_entropy_loss,
                                                  &softmax_row,
                                                  &probability_row,
                                                  &score_gradient_row,
                                                  &dot};

}  // namespace trainyard::models
