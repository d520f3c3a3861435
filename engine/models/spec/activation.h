// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Activation functions by their names in transformers (transformers/activations.py, ACT2FN).

#include <optional>
#include <string>
#include <vector>

namespace trainyard::families {

enum class Activation {
    gelu,       ///< x * Phi(x). Hendrycks and Gimpel, "Gaussian error linear units", 2016
    gelu_10,    ///< gelu, clipped to [-10, 10]
    gelu_tanh,  ///< tanh approximation; gelu_new, gelu_pytorch_tanh and others are the same function
    quick_gelu,
    hardswish,
    laplace,
    leaky_relu,
    linear,
    mish,
    relu,
    relu2,  ///< relu squared
    relu6,
    sigmoid,
    silu,
    sqrtsoftplus,
    tanh
};

/// std::nullopt for unknown names, and for prelu and xielu, which have trainable parameters.
std::optional<Activation> activation_of(const std::string& name);
/// All names that activation_of() accepts, gelu_new first.
const std::vector<std::string>& activation_names();

}  // namespace trainyard::families
