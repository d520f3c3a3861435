// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/modules/low_rank.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"
#include "models/spec/module_parameters.h"
#include "models/spec/tasks.h"

namespace trainyard::models {

namespace {

using json = nlohmann::ordered_json;
using parallel::Initialiser;
using parallel::LowRank;
using parallel::Parameter;

constexpr std::string_view kWeight = ".weight";

std::string module_of(const Parameter& weight) {
    return weight.name().substr(0, weight.name().size() - kWeight.size());
}

std::string last_part(const std::string& module) {
    return module.substr(module.rfind('.') + 1);
}

/// PEFT's kind of a task; empty: it has none.
std::string task_type_of(const std::string& task) {
    if (task == families::kCausalLm)
        return "CAUSAL_LM";
    if (task == families::kSequenceClassification)
        return "SEQ_CLS";
    if (task == families::kTokenClassification)
        return "TOKEN_CLS";
    if (task == families::kSeq2SeqLm)
        return "SEQ_2_SEQ_LM";
    if (task == families::kQuestionAnswering)
        return "QUESTION_ANS";
    return task == families::kSentenceEmbedding ? "FEATURE_EXTRACTION" : "";
}

bool has_module_adapter(const Parameter& weight) {
    return std::ranges::any_of(weight.adapters(), [](const LowRank& adapter) { return !adapter.of_parameter; });
}

/// The last parts of the names where they mean these modules and no others, else whole names.
std::set<std::string> target_names_of(const Model& model, const std::vector<std::string>& modules) {
    std::set<std::string> ends;
    for (const std::string& module : modules)
        ends.insert(last_part(module));
    for (const parallel::Unit* unit : model.units())
        for (const Parameter* weight : unit->parameters())
            if (weight->product() != Parameter::Product::none && !has_module_adapter(*weight) &&
                ends.contains(last_part(module_of(*weight))))
                return {modules.begin(), modules.end()};
    return ends;
}

double scale_of(double alpha, std::int64_t r, bool use_rslora) {
    const auto rank = static_cast<double>(r);
    return alpha / (use_rslora ? std::sqrt(rank) : rank);
}

/// A [rows, in] and B [out, rows] of a module.
LowRank make_adapter(parallel::Unit& unit, const std::string& module, const std::string& suffix, std::int64_t rows,
                     std::int64_t in, std::int64_t out, double scale) {
    const Initialiser start{Initialiser::Kind::uniform, 1 / std::sqrt(static_cast<double>(in))};
    Parameter& a = unit.add_extra_parameter(module + ".lora_A" + suffix + ".weight", {rows, in}, start);
    Parameter& b =
        unit.add_extra_parameter(module + ".lora_B" + suffix + ".weight", {out, rows}, {Initialiser::Kind::zeros, 0});
    return {&a, &b, scale};
}

void add_to_modules(Model& model, const config::LoraRecipe& recipe, const std::string& suffix,
                    const config::ModuleExceptions& exceptions) {
    if (recipe.target_modules.empty())
        return;
    const config::ModuleTargets targets(recipe.target_modules, exceptions);
    bool any = false;
    std::vector<std::string> known;
    for (parallel::Unit* unit : model.units()) {
        const std::vector<Parameter*> weights = unit->parameters();
        for (Parameter* weight : weights) {
            if (weight->product() == Parameter::Product::none)
                continue;
            const std::string module = module_of(*weight);
            known.push_back(module);
            if (!targets.have(module) || config::is_in_module(weight->name(), recipe.modules_to_save))
                continue;
            const bool in_first = weight->product() == Parameter::Product::in_out;
            if (in_first && !recipe.target_parameters.empty())
                throw UserError(
                    "lora.target_modules: {} has its weight as [in, out], which PEFT does not adapt "
                    "beside lora.target_parameters: name {}.weight there",
                    module, module);
            const std::int64_t in = weight->shape()[in_first ? 0 : 1], out = weight->shape()[in_first ? 1 : 0];
            const std::int64_t rank = targets.rank_of(module, recipe.r);
            const double scale = scale_of(targets.alpha_of(module, recipe.lora_alpha), rank, recipe.use_rslora);
            weight->add_adapter(make_adapter(*unit, module, suffix, rank, in, out, scale));
            any = true;
        }
    }
    if (!any)
        throw UserError(
            "lora.target_modules: none of {} is the end of a module's name or matches one: there are "
            "{}",
            fmt::join(recipe.target_modules, ", "), fmt::join(known, ", "));
}

struct Place {
    parallel::Unit* unit;
    Parameter* weight;
};

void add_to_parameter(const families::ModuleParameter& parameter, const std::string& module,
                      const std::map<std::string, Place>& places, const config::LoraRecipe& recipe,
                      const std::string& suffix) {
    const auto weight_of = [&](const std::string& name) -> Parameter& {
        Parameter& weight = *places.at(name).weight;
        if (weight.product() == Parameter::Product::none)
            throw UserError(
                "lora.target_parameters: {} is not multiplied with as a matrix, and gets no adapter: "
                "leave it out",
                parameter.name);
        return weight;
    };
    const std::vector<std::string>& first = parameter.matrices.front();
    const std::int64_t in = weight_of(first.front()).shape()[1];
    std::int64_t out = 0;
    for (const std::string& tensor : first)
        out += weight_of(tensor).shape()[0];
    const std::int64_t experts = std::ssize(parameter.matrices);
    LowRank shared = make_adapter(*places.at(first.front()).unit, module, suffix, experts * recipe.r, in, out,
                                  scale_of(recipe.lora_alpha, recipe.r, recipe.use_rslora));
    shared.of_parameter = true;
    shared.experts = experts;
    for (const std::vector<std::string>& matrix : parameter.matrices) {
        shared.first_row = 0;
        for (const std::string& tensor : matrix) {
            Parameter& weight = weight_of(tensor);
            shared.rows = matrix.size() > 1 ? weight.shape()[0] : 0;
            weight.add_adapter(shared);
            shared.first_row += shared.rows;
        }
        ++shared.expert;
    }
}

void add_to_parameters(Model& model, const config::LoraRecipe& recipe, const std::string& suffix) {
    if (recipe.target_parameters.empty())
        return;
    std::map<std::string, Place> places;
    for (parallel::Unit* unit : model.units())
        for (Parameter* weight : unit->parameters())
            places[weight->name()] = {unit, weight};
    const std::vector<families::ModuleParameter> known = families::module_parameters(model.config());
    std::vector<families::ModuleParameter> named;
    for (const families::ModuleParameter& parameter : known)
        if (std::ranges::any_of(recipe.target_parameters, [&](const std::string& entry) {
                return config::names_parameter(entry, parameter.name);
            }))
            named.push_back(parameter);
    if (named.empty())
        throw UserError(
            "lora.target_parameters: none of {} is the end of a parameter's name, such "
            "as {}",
            fmt::join(recipe.target_parameters, ", "), known.empty() ? "" : known.back().name);
    for (std::size_t i = 0; i < named.size(); ++i) {
        std::string module = named[i].module();
        for (std::size_t j = i + 1; j < named.size(); ++j)
            if (named[j].module() == named[i].module())
                module += ".base_layer";
        add_to_parameter(named[i], module, places, recipe, suffix);
    }
}

}  // namespace

void add_adapter(Model& model, const config::LoraRecipe& recipe, const std::string& suffix,
                 const config::ModuleExceptions& exceptions) {
    add_to_modules(model, recipe, suffix, exceptions);
    add_to_parameters(model, recipe, suffix);
}

std::vector<std::string> adapted_modules(const Model& model) {
    std::vector<std::string> modules;
    for (const parallel::Unit* unit : model.units())
        for (const Parameter* weight : unit->parameters())
            if (has_module_adapter(*weight))
                modules.push_back(module_of(*weight));
    return modules;
}

std::string adapter_config(const Model& model, const config::ModelRecipe& recipe,
                           const std::vector<std::string>& modules) {
    const std::vector<std::string> whole = config::modules_to_save(recipe);
    const std::string task = task_type_of(recipe.task);
    bool in_first = false;
    for (const parallel::Unit* unit : model.units())
        for (const Parameter* weight : unit->parameters())
            in_first = in_first || (has_module_adapter(*weight) && weight->product() == Parameter::Product::in_out);
    json config{{"base_model_name_or_path", recipe.weights},
                {"bias", "none"},
                {"fan_in_fan_out", in_first},
                {"inference_mode", true},
                {"init_lora_weights", true},
                {"lora_alpha", recipe.lora.lora_alpha},
                {"lora_dropout", 0.0},
                {"modules_to_save", whole.empty() ? json() : json(whole)},
                {"peft_type", "LORA"},
                {"r", recipe.lora.r},
                {"target_modules", target_names_of(model, modules)},
                {"task_type", task.empty() ? json() : json(task)},
                {"use_rslora", recipe.lora.use_rslora}};
    if (!recipe.lora.target_parameters.empty())  // which earlier versions of PEFT do not know
        config["target_parameters"] = recipe.lora.target_parameters;
    return json_text(config, {.indent = 2}) + "\n";
}

std::string peft_name(const std::string& parameter) {
    return "base_model.model." + parameter;
}

}  // namespace trainyard::models
