// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Loops of batch norm, compiled once per instruction set as vector_loops.h. Arrays are fp32; x, y, dy, dx and residuals are rows of all channels,
// [rows, channels], so that channels are the vectors' lanes and sums over rows have one order.

#include <cstdint>

namespace trainyard::models {

/// y = (x - mean) * factor + shift + residual, at least 0 where `rectifies`.
struct BatchNormOutput {
    const float* x;
    const float* mean;      ///< [channels]
    const float* factor;    ///< [channels]
    const float* shift;     ///< [channels]
    const float* residual;  ///< nullptr: none
    bool rectifies;
    float* y;
};

/// dx = g * of_g + (x - mean) * of_x + shift, where g is dy, and 0 where `y` is.
struct BatchNormGradient {
    const float* dy;
    const float* y;  ///< nullptr: all of dy
    const float* x;
    const float* mean;                 ///< [channels]
    const float *of_g, *of_x, *shift;  ///< [channels]
    float* dx;
    float* g;  ///< of the residual; nullptr: not wanted
};

struct BatchNormLoops {
    /// sums += the squares of x - mean.
    void (*squares)(const float* x, const float* mean, std::int64_t rows, std::int64_t channels, float* sums);
    void (*output)(const BatchNormOutput& what, std::int64_t rows, std::int64_t channels);
    /// of_g += g, of_x += g * (x - mean), of each channel.
    void (*gradient_sums)(const BatchNormGradient& what, std::int64_t rows, std::int64_t channels, float* of_g,
                          float* of_x);
    void (*gradient)(const BatchNormGradient& what, std::int64_t rows, std::int64_t channels);
};

/// For the current instruction set.
const BatchNormLoops& batch_norm_loops();

}  // namespace trainyard::models
