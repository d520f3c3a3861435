#include "models/kernels/gelu_cpu.h"

#include "models/kernels/vector_math.h"

namespace trainyard::models {

namespace {

constexpr float kTwiceRoot = 2.0f * 0.7978845608028654f;  // 2 sqrt(2/pi)
constexpr float kCubic = 0.044715f;

}  // namespace

TRAINYARD_VECTOR_CLONES
void gelu_forward(const float* __restrict__ x, float* __restrict__ y, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        float v = x[i];
        float twice_u = kTwiceRoot * (v + kCubic * v * v * v);
        y[i] = v / (1.0f + fast_exp(-twice_u));
    }
}

TRAINYARD_VECTOR_CLONES
void gelu_backward(const float* __restrict__ x, const float* __restrict__ dy, float* __restrict__ dx,
                   std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        float v = x[i];
        float twice_u = kTwiceRoot * (v + kCubic * v * v * v);
        float s = 1.0f / (1.0f + fast_exp(-twice_u));
        float slope = kTwiceRoot * (1.0f + 3.0f * kCubic * v * v);
        dx[i] = dy[i] * (s + v * s * (1.0f - s) * slope);
    }
}

}  // namespace trainyard::models
