// SPDX-License-Identifier: GPL-3.0-or-later
// Loops for one instruction set: the build defines TRAINYARD_ISA and sets the matching -m flags (vector_loops.cpp).

#include "models/nn/kernels/batch_norm_loops.h"

#include "base/isa_names.h"

namespace trainyard::models {

namespace {

void batch_squares(const float* __restrict__ x, const float* __restrict__ mean, std::int64_t rows,
                   std::int64_t channels, float* __restrict__ sums) {
    for (std::int64_t row = 0; row < rows; ++row, x += channels)
        for (std::int64_t c = 0; c < channels; ++c) {
            const float apart = x[c] - mean[c];
            sums[c] += apart * apart;
        }
}

template <bool kAdds, bool kRectifies>
void output_of(const BatchNormOutput& what, std::int64_t rows, std::int64_t channels) {
    const float* __restrict__ x = what.x;
    const float* __restrict__ residual = what.residual;
    const float* __restrict__ mean = what.mean;
    const float* __restrict__ factor = what.factor;
    const float* __restrict__ shift = what.shift;
    float* __restrict__ y = what.y;
    for (std::int64_t row = 0; row < rows; ++row, x += channels, y += channels) {
        for (std::int64_t c = 0; c < channels; ++c) {
            float value = (x[c] - mean[c]) * factor[c] + shift[c];
            if constexpr (kAdds)
                value += residual[c];
            // NaN stays: a comparison with it is false.
            y[c] = kRectifies && value < 0.0f ? 0.0f : value;
        }
        if constexpr (kAdds)
            residual += channels;
    }
}

void batch_output(const BatchNormOutput& what, std::int64_t rows, std::int64_t channels) {
    if (what.residual != nullptr)
        what.rectifies ? output_of<true, true>(what, rows, channels) : output_of<true, false>(what, rows, channels);
    else
        what.rectifies ? output_of<false, true>(what, rows, channels) : output_of<false, false>(what, rows, channels);
}

template <bool kRectified>
void gradient_sums_of(const BatchNormGradient& what, std::int64_t rows, std::int64_t channels, float* __restrict__ of_g,
                      float* __restrict__ of_x) {
    const float* __restrict__ dy = what.dy;
    const float* __restrict__ y = what.y;
    const float* __restrict__ x = what.x;
    const float* __restrict__ mean = what.mean;
    for (std::int64_t row = 0; row < rows; ++row, dy += channels, x += channels) {
        for (std::int64_t c = 0; c < channels; ++c) {
            float g = dy[c];
            if constexpr (kRectified)
                g = y[c] <= 0.0f ? 0.0f : g;
            of_g[c] += g;
            of_x[c] += g * (x[c] - mean[c]);
        }
        if constexpr (kRectified)
            y += channels;
    }
}

void batch_gradient_sums(const BatchNormGradient& what, std::int64_t rows, std::int64_t channels, float* of_g,
                         float* of_x) {
    what.y != nullptr ? gradient_sums_of<true>(what, rows, channels, of_g, of_x)
                      : gradient_sums_of<false>(what, rows, channels, of_g, of_x);
}

template <bool kRectified, bool kGivesG>
void gradient_of(const BatchNormGradient& what, std::int64_t rows, std::int64_t channels) {
    const float* __restrict__ dy = what.dy;
    const float* __restrict__ y = what.y;
    const float* __restrict__ x = what.x;
    const float* __restrict__ mean = what.mean;
    const float* __restrict__ of_g = what.of_g;
    const float* __restrict__ of_x = what.of_x;
    const float* __restrict__ shift = what.shift;
    float* __restrict__ dx = what.dx;
    float* __restrict__ given = what.g;
    for (std::int64_t row = 0; row < rows; ++row, dy += channels, x += channels, dx += channels) {
        for (std::int64_t c = 0; c < channels; ++c) {
            float g = dy[c];
            if constexpr (kRectified)
                g = y[c] <= 0.0f ? 0.0f : g;
            dx[c] = g * of_g[c] + (x[c] - mean[c]) * of_x[c] + shift[c];
            if constexpr (kGivesG)
                given[c] = g;
        }
        if constexpr (kRectified)
            y += channels;
        if constexpr (kGivesG)
            given += channels;
    }
}

void batch_gradient(const BatchNormGradient& what, std::int64_t rows, std::int64_t channels) {
    if (what.y != nullptr)
        what.g != nullptr ? gradient_of<true, true>(what, rows, channels)
                          : gradient_of<true, false>(what, rows, channels);
    else
        what.g != nullptr ? gradient_of<false, true>(what, rows, channels)
                          : gradient_of<false, false>(what, rows, channels);
}

}  // namespace

extern const BatchNormLoops TRAINYARD_FOR_ISA(batch_norm_loops);
const BatchNormLoops TRAINYARD_FOR_ISA(batch_norm_loops){&batch_squares, &batch_output, &batch_gradient_sums,
                                                         &batch_gradient};

}  // namespace trainyard::models
