// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/modules/packing_plan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "formats/weights/quantization/module_choice.h"
#include "models/spec/family.h"

namespace trainyard::models {

namespace {

std::optional<at::ScalarType> type_of(config::QuantizedCompute compute) {
    switch (compute) {
        case config::QuantizedCompute::automatic:
            return std::nullopt;
        case config::QuantizedCompute::fp32:
            return at::kFloat;
        case config::QuantizedCompute::bf16:
            return at::kBFloat16;
        case config::QuantizedCompute::fp16:
            return at::kHalf;
    }
    return std::nullopt;
}

std::string module_with(const parallel::Parameter& weight) {
    return weight.name().substr(0, weight.name().rfind('.'));
}

}  // namespace

bool can_pack(const parallel::Parameter& parameter, const Model& model) {
    return (parameter.product() != parallel::Parameter::Product::none && parameter.name().ends_with(".weight")) ||
           parameter.name() == families::family_of(model.config()).head_name();
}

std::optional<at::ScalarType> cast_type(std::string_view kernel) {
    if (kernel == choice_name(config::Quantization::float8_e4m3fn))
        return at::kFloat8_e4m3fn;
    if (kernel == choice_name(config::Quantization::float8_e5m2))
        return at::kFloat8_e5m2;
    return std::nullopt;
}

PackedOptions packed_options(const config::QuantizationRecipe& recipe, at::ScalarType result) {
    return {
        .result = result, .compute = type_of(recipe.bnb_4bit_compute_dtype), .threshold = recipe.llm_int8_threshold};
}

Packing packing_plan(const Model& model, const config::QuantizationRecipe& recipe, at::ScalarType result) {
    const bool as_stored =
        recipe.method == config::Quantization::automatic || recipe.method == config::Quantization::no;
    Packing packing;
    packing.options = packed_options(recipe, result);
    packing.double_quant = recipe.bnb_4bit_use_double_quant;
    if (recipe.method == config::Quantization::no) {
        packing.plan = ModulePlan(std::vector<ModuleChoice>{{.pattern = "*", .kernel = "dense"}});
        return packing;
    }
    std::vector<ModuleChoice> rows;
    std::vector<std::string> modules;
    for (const parallel::Unit* unit : model.units())
        for (const parallel::Parameter* parameter : unit->parameters())
            if (parameter->product() != parallel::Parameter::Product::none && can_pack(*parameter, model))
                modules.push_back(module_with(*parameter));
    for (const auto& [key, names] : {std::pair{"skip_modules", &recipe.skip_modules},
                                     std::pair{"keep_in_fp32_modules", &recipe.keep_in_fp32_modules}})
        for (const std::string& name : *names)
            if (std::ranges::none_of(modules, [&](const std::string& module) {
                    return quantization::is_skipped(module, std::vector{name});
                }))
                throw UserError("quantization.{}: '{}' is not a Linear layer of the model: there are {}", key, name,
                                fmt::join(modules, ", "));
    for (const std::string& module : modules)
        if (quantization::is_skipped(module, recipe.skip_modules) ||
            quantization::is_skipped(module, recipe.keep_in_fp32_modules))
            rows.push_back({.pattern = module, .kernel = "dense"});
    if (rows.size() == modules.size() && !as_stored)
        throw UserError("quantization.method: the model has no Linear layer that {} could be the format of",
                        choice_name(recipe.method));
    const std::string& head = families::family_of(model.config()).head_name();
    if (!head.empty() && !as_stored)
        rows.push_back({.pattern = head.substr(0, head.rfind('.')), .kernel = "dense"});
    rows.push_back({.pattern = "*", .kernel = as_stored ? "stored" : choice_name(recipe.method)});
    packing.plan = ModulePlan(std::move(rows));
    return packing;
}

}  // namespace trainyard::models
