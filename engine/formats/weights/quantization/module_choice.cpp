// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/module_choice.h"

#include <algorithm>
#include <set>

namespace trainyard::quantization {

std::vector<std::string> fp8_layers(std::span<const LinearModule> layers) {
    constexpr std::int64_t kMultiple = 16;
    std::vector<std::string> chosen;
    for (std::size_t i = 1; i + 1 < layers.size(); ++i)
        if (layers[i].in % kMultiple == 0 && layers[i].out % kMultiple == 0)
            chosen.push_back(layers[i].name);
    return chosen;
}

std::vector<std::string> default_skip_modules(std::span<const std::string> children,
                                              std::span<const std::pair<std::string, std::string>> tied,
                                              std::string_view base_model_prefix) {
    const bool headless =
        !base_model_prefix.empty() && std::ranges::find(children, base_model_prefix) == children.end();
    if (children.empty() || (tied.empty() && headless))
        return {};
    std::set<std::string> names;
    for (const auto& [one, other] : tied)
        names.insert({one, other});
    std::vector<std::string> skipped(names.begin(), names.end());
    skipped.push_back(children.back());
    return skipped;
}

bool is_skipped(std::string_view layer, std::span<const std::string> skipped) {
    const std::string_view last = layer.substr(layer.rfind('.') + 1);  // npos + 1 is 0
    return std::ranges::any_of(skipped, [&](const std::string& name) {
        return name == last || name == layer || layer.find(name + ".") != std::string_view::npos;
    });
}

}  // namespace trainyard::quantization
