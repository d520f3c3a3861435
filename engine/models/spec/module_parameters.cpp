// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/module_parameters.h"

#include <fmt/format.h>

#include "models/spec/decoder/decoder_options.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

bool is_linear(const ModelConfig& config, const TensorShape& tensor) {
    constexpr std::string_view kWeight = ".weight";
    if (tensor.shape.size() != 2 || !tensor.name.ends_with(kWeight) || tensor.tied_to_head ||
        tensor.name == family_of(config).head_name())
        return false;
    const std::string module = tensor.name.substr(0, tensor.name.size() - kWeight.size()),
                      last = module.substr(module.rfind('.') + 1);
    if (tensor.part == Part::head && config.task == kSentenceEmbedding)
        return false;  // files have a pooler, which nothing computes with
    // Around embeddings, what changes the width is a product.
    return tensor.part == Part::embedding ? last.starts_with("project") : last != "relative_attention_bias";
}

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
