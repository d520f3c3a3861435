#include "models/modules/low_rank.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/module_targets.h"
#include "families/tasks.h"

namespace trainyard::models {

namespace {

using json = nlohmann::ordered_json;
using parallel::Initialiser;
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
    return task == families::kSentenceEmbedding ? "FEATURE_EXTRACTION" : "";
}

/// The last parts of the names where they mean these modules and no others, else whole names.
std::set<std::string> target_names_of(const Model& model, const std::vector<std::string>& modules) {
    std::set<std::string> ends;
    for (const std::string& module : modules)
        ends.insert(last_part(module));
    for (const parallel::Unit* unit : model.units())
        for (const Parameter* weight : unit->parameters())
            if (weight->product() != Parameter::Product::none && weight->adapters().empty() &&
                ends.contains(last_part(module_of(*weight))))
                return {modules.begin(), modules.end()};
    return ends;
}

}  // namespace

std::vector<std::string> add_adapter(Model& model, const config::LoraRecipe& recipe, const std::string& suffix) {
    const auto rank = static_cast<double>(recipe.r);
    const double scale = recipe.lora_alpha / (recipe.use_rslora ? std::sqrt(rank) : rank);
    const config::ModuleTargets targets(recipe.target_modules);
    std::vector<std::string> modules, known;
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
            const std::int64_t in = weight->shape()[in_first ? 0 : 1], out = weight->shape()[in_first ? 1 : 0];
            const Initialiser start{Initialiser::Kind::uniform, 1 / std::sqrt(static_cast<double>(in))};
            Parameter& a = unit->add_extra_parameter(module + ".lora_A" + suffix + ".weight", {recipe.r, in}, start);
            Parameter& b = unit->add_extra_parameter(module + ".lora_B" + suffix + ".weight", {out, recipe.r},
                                                     {Initialiser::Kind::zeros, 0});
            weight->add_adapter({&a, &b, scale});
            modules.push_back(module);
        }
    }
    if (modules.empty())
        throw UserError(
            fmt::format("lora.target_modules: none of {} is the end of a module's name or matches one: there are {}",
                        fmt::join(recipe.target_modules, ", "), fmt::join(known, ", ")));
    return modules;
}

std::vector<std::string> adapted_modules(const Model& model) {
    std::vector<std::string> modules;
    for (const parallel::Unit* unit : model.units())
        for (const Parameter* weight : unit->parameters())
            if (!weight->adapters().empty())
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
            in_first = in_first || (!weight->adapters().empty() && weight->product() == Parameter::Product::in_out);
    const json config{{"base_model_name_or_path", recipe.weights},
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
    return config.dump(2) + "\n";
}

std::string peft_name(const std::string& parameter) {
    return "base_model.model." + parameter;
}

}  // namespace trainyard::models
