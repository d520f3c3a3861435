// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/module_parameters.h"

#include <fmt/format.h>

#include "models/spec/decoder/decoder_options.h"
#include "models/spec/family.h"

namespace trainyard::families {

std::vector<ModuleParameter> module_parameters(const ModelConfig& config) {
    const Family& family = family_of(config);
    const DecoderOptions options = family.network() == Network::decoder ? decoder_options(config) : DecoderOptions();
    std::vector<ModuleParameter> all;
    for (const TensorShape& tensor : family.module_tensors(config)) {
        const auto stored = [&](DecoderModule module, std::int64_t expert) {
            return fmt::format("{}{}.", options.names.blocks, tensor.block) +
                   fmt::format(fmt::runtime(options.name_of(module)), expert) + ".weight";
        };
        ModuleParameter made{tensor.name, {}};
        if (tensor.name.ends_with(kGateUp)) {
            for (std::int64_t i = 0; i < options.experts; ++i)
                made.matrices.push_back({stored(DecoderModule::expert_gate, i), stored(DecoderModule::expert_up, i)});
        } else if (tensor.name.ends_with(kDown)) {
            for (std::int64_t i = 0; i < options.experts; ++i)
                made.matrices.push_back({stored(DecoderModule::expert_down, i)});
        } else if (tensor.shape.size() == 2 && tensor.name.ends_with(".weight")) {
            const bool routes = options.has(DecoderModule::router) && tensor.name.ends_with(kRouter);
            made.matrices = {{routes ? stored(DecoderModule::router, 0) : tensor.name}};
        } else {
            continue;
        }
        all.push_back(std::move(made));
    }
    return all;
}

}  // namespace trainyard::families
