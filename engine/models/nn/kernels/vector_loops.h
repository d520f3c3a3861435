// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Elementwise loops of the CPU kernels, compiled once per instruction set (vector_loops.cpp with TRAINYARD_ISA set by
// the build). All arrays are contiguous and computations are fp32; bfloat16 and fp16 values are given as their 16 bits.

#include <cstdint>

#include "models/nn/kernels/number_format.h"

namespace trainyard::models {

/// Constants of one AdamW update. Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019.
struct AdamwStep {
    float gradient_factor;  ///< for clipping
    float fresh_1;          ///< 1 - beta1
    float beta2;
    float fresh_2;       ///< 1 - beta2
    float kept;          ///< 1 - rate * weight decay
    float rate;          ///< learning rate divided by the bias correction of the first moment
    float inverse_root;  ///< 1 / sqrt(bias correction of the second moment)
    float epsilon;
};

/// Loops that read or write a 16-bit format.
struct HalfLoops {
    /// -> fp32
    void (*widen)(const std::uint16_t* x, float* y, std::int64_t count);
    /// fp32 -> the format, rounded to nearest, ties to even; NaN stays NaN. Values below 2^-126 may become zero.
    void (*narrow)(const float* x, std::uint16_t* y, std::int64_t count);

    void (*gelu_forward)(const std::uint16_t* x, std::uint16_t* y, std::int64_t count);
    void (*gelu_backward)(const std::uint16_t* x, const std::uint16_t* dy, std::uint16_t* dx, std::int64_t count);
    void (*add)(const float* a, const std::uint16_t* b, float* sum, std::int64_t count);
    void (*add_rows)(const std::uint16_t* rows, std::int64_t stride, std::int64_t count, std::int64_t width,
                     float* sums);
};

struct VectorLoops {
    HalfLoops bf16, fp16;
    const HalfLoops& half(NumberFormat format) const { return format == NumberFormat::bf16 ? bf16 : fp16; }

    /// GELU, tanh approximation: x * sigmoid(2u), u = sqrt(2/pi) (x + 0.044715 x^3), which is the same function without
    /// tanh. Hendrycks and Gimpel, "Gaussian error linear units", 2016.
    void (*gelu_forward)(const float* x, float* y, std::int64_t count);
    /// dx = dy * gelu'(x)
    void (*gelu_backward)(const float* x, const float* dy, float* dx, std::int64_t count);

    /// sum = a + b
    void (*add)(const float* a, const float* b, float* sum, std::int64_t count);
    /// sums[width] += the sum of the rows of [count, width], which are `stride` elements apart.
    void (*add_rows)(const float* rows, std::int64_t stride, std::int64_t count, std::int64_t width, float* sums);

    /// Layer norm of a row; also returns its mean and 1 / sqrt(variance + epsilon). Ba, Kiros and Hinton, "Layer
    /// normalization", 2016.
    void (*norm_row)(const float* x, const float* weight, const float* bias, float epsilon, float* y, float* mean,
                     float* rstd, std::int64_t count);
    /// Adds a row's contributions to dx, dweight and dbias.
    void (*norm_gradient_row)(const float* x, float mean, float rstd, const float* weight, const float* dy, float* dx,
                              float* dweight, float* dbias, std::int64_t count);

    /// Updates values and moments; if `format` is not fp32, `rounded` gets the new values.
    void (*adamw)(const AdamwStep& step, float* value, const float* gradient, float* exp_avg, float* exp_avg_sq,
                  std::uint16_t* rounded, NumberFormat format, std::int64_t count);

    /// Replaces a row of logits by the gradient of its cross entropy: (softmax - one-hot(target)) * scale. Returns the
    /// loss, log-sum-exp - logit of the target.
    float (*cross_entropy_row)(float* logits, std::int64_t target, float scale, std::int64_t count);
    /// Returns only the loss; the logits are not changed.
    float (*cross_entropy_loss)(const float* logits, std::int64_t target, std::int64_t count);

    /// scores[0, valid) -> probabilities, the rest up to `count` is set to zero; returns the log-sum-exp.
    float (*softmax_row)(float* scores, std::int64_t valid, std::int64_t count);
    /// Computes probabilities again from scores and log-sum-exp.
    void (*probability_row)(float* scores, float log_sum_exp, std::int64_t valid, std::int64_t count);
    /// dp = p * (dp - delta) * scale
    void (*score_gradient_row)(const float* p, float* dp, float delta, float scale, std::int64_t count);
    float (*dot)(const float* a, const float* b, std::int64_t count);
};

/// For the current instruction set.
const VectorLoops& vector_loops();

}  // namespace trainyard::models
