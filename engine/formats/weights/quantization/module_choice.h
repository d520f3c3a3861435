// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which Linear layers of a model get another number format, from the names of its modules: the rules of Accelerate and
// transformers.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::quantization {

struct LinearModule {
    std::string name;  ///< with those of its containers: "layers.0.q_proj"
    std::int64_t in = 0, out = 0;
};

/// The layers whose products are computed in fp8: not the first and the last of the model, and no sizes that are not
/// multiples of 16. `layers` are all Linear layers in the order of registration.
std::vector<std::string> fp8_layers(std::span<const LinearModule> layers);

/// What stays as it is where no choice is given: tied modules and the last child of the model; nothing of a model
/// without a head. `children`: names of the model's own children. `base_model_prefix`: the name that the body has
/// within a model with a head; empty: not known.
std::vector<std::string> default_skip_modules(std::span<const std::string> children,
                                              std::span<const std::pair<std::string, std::string>> tied,
                                              std::string_view base_model_prefix);

/// Whether a layer stays as it is: one of `skipped` is its last name or its full name, or occurs in the full name with
/// a dot after it.
bool is_skipped(std::string_view layer, std::span<const std::string> skipped);

}  // namespace trainyard::quantization
