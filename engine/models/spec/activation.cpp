// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/activation.h"

#include <utility>

namespace trainyard::families {

namespace {

const std::vector<std::pair<std::string, Activation>>& named_activations() {
    static const std::vector<std::pair<std::string, Activation>> all{{"gelu_new", Activation::gelu_tanh},
                                                                     {"gelu", Activation::gelu},
                                                                     {"gelu_python", Activation::gelu},
                                                                     {"gelu_10", Activation::gelu_10},
                                                                     {"gelu_fast", Activation::gelu_tanh},
                                                                     {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                                     {"gelu_python_tanh", Activation::gelu_tanh},
                                                                     {"gelu_accurate", Activation::gelu_tanh},
                                                                     {"quick_gelu", Activation::quick_gelu},
                                                                     {"hardswish", Activation::hardswish},
                                                                     {"laplace", Activation::laplace},
                                                                     {"leaky_relu", Activation::leaky_relu},
                                                                     {"linear", Activation::linear},
                                                                     {"mish", Activation::mish},
                                                                     {"relu", Activation::relu},
                                                                     {"relu2", Activation::relu2},
                                                                     {"relu6", Activation::relu6},
                                                                     {"sigmoid", Activation::sigmoid},
                                                                     {"silu", Activation::silu},
                                                                     {"swish", Activation::silu},
                                                                     {"sqrtsoftplus", Activation::sqrtsoftplus},
                                                                     {"tanh", Activation::tanh}};
    return all;
}

}  // namespace

std::optional<Activation> activation_of(const std::string& name) {
    for (const auto& [known, activation] : named_activations())
        if (known == name)
            return activation;
    return std::nullopt;
}

const std::vector<std::string>& activation_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> made;
        for (const auto& [name, activation] : named_activations())
            made.push_back(name);
        return made;
    }();
    return names;
}

}  // namespace trainyard::families
