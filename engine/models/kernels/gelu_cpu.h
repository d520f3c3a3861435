#pragma once
// GELU, tanh form, of contiguous fp32: x * sigmoid(2u), u = sqrt(2/pi) (x + 0.044715 x^3), the same function without a tanh.
// Hendrycks and Gimpel, "Gaussian error linear units", 2016.

#include <cstdint>

namespace trainyard::models {

void gelu_forward(const float* x, float* y, std::int64_t count);
/// dx = dy * gelu'(x)
void gelu_backward(const float* x, const float* dy, float* dx, std::int64_t count);

}  // namespace trainyard::models
