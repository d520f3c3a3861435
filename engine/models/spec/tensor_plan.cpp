// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/tensor_plan.h"

#include <fnmatch.h>

#include "models/spec/decoder/decoder_options.h"
#include "models/spec/family.h"
#include "models/spec/gpt2/gpt2_family.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

constexpr std::size_t kConv1d = 1;

std::vector<PlacementRow> gpt2_plan(const ModelConfig& config) {
    const std::int64_t width = config.n_embd;
    return {{"transformer.wte", Placement::vocabulary},
            {"lm_head", Placement::vocabulary},
            {"*.attn.c_attn", Placement::column, kConv1d, {width, width, width}},
            {"*.attn.c_proj", Placement::row, kConv1d},
            {"*.mlp.c_fc", Placement::column, kConv1d},
            {"*.mlp.c_proj", Placement::row, kConv1d}};
}

/// Ends of the names of modules of adapters beside a matrix (models/nn/modules/low_rank.h).
constexpr std::string_view kLoraA = ".lora_A", kLoraB = ".lora_B";

struct PlacedModule {
    DecoderModule module;
    Placement placement;
    std::vector<std::int64_t> sections = {};
    std::int64_t heads = 0;
};

std::vector<PlacementRow> decoder_plan(const DecoderOptions& options) {
    const std::int64_t queries = options.heads * options.head_width, keys = options.key_heads * options.head_width;
    const PlacedModule rows[] = {
        {DecoderModule::query, Placement::column},
        {DecoderModule::key, Placement::column, {}, options.key_heads},
        {DecoderModule::value, Placement::column, {}, options.key_heads},
        {DecoderModule::query_key_value, Placement::column, {queries, keys, keys}},
        {DecoderModule::query_key_value_by_head,
         options.has_whole_projection() ? Placement::summed : Placement::column},
        {DecoderModule::query_norm, Placement::summed},
        {DecoderModule::key_norm, Placement::summed},
        {DecoderModule::attention_output, Placement::row},
        {DecoderModule::gate, Placement::column},
        {DecoderModule::up, Placement::column},
        {DecoderModule::gate_up, Placement::column, {options.inner, options.inner}},
        {DecoderModule::down, Placement::row},
        {DecoderModule::router, Placement::replicated},
        {DecoderModule::expert_gate, Placement::column},
        {DecoderModule::expert_up, Placement::column},
        {DecoderModule::expert_down, Placement::row},
        {DecoderModule::shared_gate, Placement::column},
        {DecoderModule::shared_up, Placement::column},
        {DecoderModule::shared_down, Placement::row},
    };
    std::vector<PlacementRow> plan{{options.names.token_table, Placement::vocabulary},
                                   {options.names.head, Placement::vocabulary}};
    for (const PlacedModule& row : rows)
        if (options.has(row.module)) {
            std::string name = options.name_of(row.module);
            if (const std::size_t number = name.find("{}"); number != std::string::npos)
                name.replace(number, 2, "*");
            plan.push_back({options.names.blocks + "*." + name, row.placement, 0, row.sections, row.heads});
        }
    return plan;
}

}  // namespace

std::vector<PlacementRow> tensor_plan(const ModelConfig& config, bool divides_positions) {
    if (config.task != kCausalLm)
        return {};
    std::vector<PlacementRow> plan;
    switch (family_of(config).network()) {
        case Network::gpt2:
            plan = gpt2_plan(config);
            break;
        case Network::decoder:
            plan = decoder_plan(decoder_options(config));
            break;
        default:
            return {};
    }
    if (divides_positions)  // norms, biases of outputs and tables of positions, of the positions of each rank
        plan.push_back({"*", Placement::summed});
    return plan;
}

TensorCut cut_of(const std::vector<PlacementRow>& plan, const std::string& parameter,
                 const std::vector<std::int64_t>& shape) {
    const std::size_t end = parameter.rfind('.');
    std::string module = parameter.substr(0, end);
    const bool is_a = module.ends_with(kLoraA), is_b = module.ends_with(kLoraB);
    if (is_a || is_b)
        module.resize(module.size() - kLoraA.size());
    for (const PlacementRow& row : plan) {
        if (::fnmatch(row.modules.c_str(), module.c_str(), 0) != 0)
            continue;
        const bool is_bias = shape.size() == 1;
        // Of an adapter the side is divided that the matrix is divided on; of the other the gradients are added.
        if ((is_a && row.placement == Placement::column) || (is_b && row.placement == Placement::row))
            return {Placement::summed};
        if (is_a && row.placement == Placement::row)
            return {row.placement, 1, {shape[1]}};
        if (is_b && row.placement == Placement::column)
            return {row.placement, 0, row.sections.empty() ? std::vector<std::int64_t>{shape[0]} : row.sections,
                    row.heads};
        switch (row.placement) {
            case Placement::column: {
                const std::size_t dimension = is_bias ? 0 : row.outputs;
                return {row.placement, dimension,
                        row.sections.empty() ? std::vector<std::int64_t>{shape[dimension]} : row.sections, row.heads};
            }
            case Placement::row:
                if (is_bias)
                    continue;
                return {row.placement, 1 - row.outputs, {shape[1 - row.outputs]}};
            case Placement::vocabulary:
                return {row.placement, 0, {shape[0]}};
            case Placement::replicated:
            case Placement::summed:
                return {row.placement};
        }
    }
    return {};
}

std::vector<DividedSize> divided_sizes(const ModelConfig& config) {
    const auto key_of = [&](std::int64_t ModelConfig::*member) { return family_of(config).key_of(member); };
    std::vector<DividedSize> sizes{{key_of(&ModelConfig::n_head), config.n_head}};
    if (family_of(config).network() == Network::gpt2) {
        sizes.push_back({key_of(&ModelConfig::n_inner), inner_width(config)});
    } else {
        const DecoderOptions options = decoder_options(config);
        if (options.key_heads != options.heads)
            sizes.push_back({key_of(&ModelConfig::num_key_value_heads), options.key_heads, true,
                             options.has(DecoderModule::key) || options.has_whole_projection()});
        const bool shares = options.experts > 0 && options.has(DecoderModule::shared_down);
        if (shares) {
            sizes.push_back({key_of(&ModelConfig::moe_intermediate_size), options.expert_inner});
            sizes.push_back({key_of(&ModelConfig::shared_expert_intermediate_size), options.shared_inner});
        }
        if (!shares || !options.dense_blocks.empty())
            sizes.push_back(
                {!key_of(&ModelConfig::n_inner).empty() ? key_of(&ModelConfig::n_inner) : key_of(&ModelConfig::n_embd),
                 options.inner});
    }
    sizes.push_back({key_of(&ModelConfig::vocab_size), config.vocab_size, false});
    return sizes;
}

}  // namespace trainyard::families
