#include "models/spec/module_parameters.h"

#include <optional>

#include <fmt/format.h>

#include "models/spec/decoder/decoder_options.h"
#include "models/spec/family.h"

namespace trainyard::families {

namespace {

/// Router and experts of a block.
std::vector<ModuleParameter> experts_of(const DecoderOptions& options, std::int64_t block) {
    const std::string prefix = fmt::format("{}{}.", options.names.blocks, block);
    const auto tensor = [&](DecoderModule module, std::int64_t expert) {
        return prefix + fmt::format(fmt::runtime(options.name_of(module)), expert) + ".weight";
    };
    ModuleParameter router{prefix + "mlp.gate.weight", {{tensor(DecoderModule::router, 0)}}};
    ModuleParameter gate_up{prefix + "mlp.experts.gate_up_proj", {}}, down{prefix + "mlp.experts.down_proj", {}};
    for (std::int64_t expert = 0; expert < options.experts; ++expert) {
        gate_up.matrices.push_back(
            {tensor(DecoderModule::expert_gate, expert), tensor(DecoderModule::expert_up, expert)});
        down.matrices.push_back({tensor(DecoderModule::expert_down, expert)});
    }
    return {router, gate_up, down};
}

}  // namespace

std::vector<ModuleParameter> module_parameters(const ModelConfig& config) {
    std::optional<DecoderOptions> options;
    if (is_decoder(config.model_type))
        options = decoder_options(config);
    const bool has_experts = options && options->has(DecoderModule::router);
    std::vector<ModuleParameter> all;
    for (const TensorShape& tensor : family_of(config).tensors(config)) {
        if (tensor.shape.size() != 2 || !tensor.name.ends_with(".weight"))
            continue;
        const std::string prefix = has_experts ? fmt::format("{}{}.", options->names.blocks, tensor.block) : "";
        const auto is_of = [&](const std::string& module) { return tensor.name.starts_with(prefix + module); };
        if (!has_experts || tensor.part != Part::block || !is_of("block_sparse_moe.")) {
            all.push_back({tensor.name, {{tensor.name}}});
        } else if (is_of(options->name_of(DecoderModule::router))) {
            for (ModuleParameter& one : experts_of(*options, tensor.block))
                all.push_back(std::move(one));
        }
    }
    return all;
}

}  // namespace trainyard::families
