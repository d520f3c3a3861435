#include "generate/adapters.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/text_file.h"
#include "checkpoint/checkpoint.h"
#include "config/module_targets.h"
#include "models/modules/low_rank.h"

namespace trainyard::generate {

namespace {

using nlohmann::json;

std::string suffix_of(std::size_t number) {
    return fmt::format("_{}", number);
}

std::string read_config(const std::filesystem::path& folder) {
    return text::read_text_file(folder / "adapter_config.json", 1u << 20);
}

/// Whole modules: each comes from one adapter, as it is.
void check_whole_modules(const models::Model& model, const AdapterSource& adapter, const config::LoraRecipe& recipe,
                         std::vector<std::string>& taken) {
    if (recipe.modules_to_save.empty())
        return;
    const std::filesystem::path file = adapter.folder / "adapter_config.json";
    bool any = false;
    for (const parallel::Unit* unit : model.units())
        for (const parallel::Parameter* parameter : unit->parameters())
            if (config::is_in_module(parameter->name(), recipe.modules_to_save)) {
                any = true;
                if (std::ranges::find(taken, parameter->name()) != taken.end())
                    throw UserError(fmt::format("{} brings {}, and so does another adapter: use one of them",
                                                file.string(), parameter->name()));
                taken.push_back(parameter->name());
            }
    if (!any)
        throw UserError(
            fmt::format("{} has modules_to_save {}, and the model has none of them: it is of another model "
                        "or task",
                        file.string(), fmt::join(recipe.modules_to_save, ", ")));
    if (adapter.weight != 1)
        throw UserError(fmt::format("{} brings whole modules ({}), which cannot count {} times: leave the weight out",
                                    file.string(), fmt::join(recipe.modules_to_save, ", "), adapter.weight));
    for (const parallel::Unit* unit : model.units())
        for (const parallel::Parameter* parameter : unit->tied_parameters())
            if (config::is_in_module(parameter->name(), recipe.modules_to_save))
                throw UserError(fmt::format("{} brings {}, which is tied to the output layer here: merge it with PEFT",
                                            file.string(), parameter->name()));
}

}  // namespace

config::LoraRecipe parse_adapter_config(const std::string& text, const std::string& name) {
    const auto refuse = [&](const std::string& what) { return UserError(name + " " + what); };
    try {
        const json config = parse_json(text);
        if (!config.is_object())
            throw refuse("is no configuration of an adapter: it is not an object");
        const auto given = [&](const char* key) { return config.contains(key) && !config[key].is_null(); };
        if (!given("peft_type") || config["peft_type"] != "LORA")
            throw refuse("is no adapter of the kind LORA: others are not computed");
        for (const char* flag : {"use_dora", "lora_bias", "use_qalora", "use_bdlora"})
            if (given(flag) && config[flag] != false)
                throw refuse(fmt::format("has {}, which is not computed: merge the adapter with PEFT", flag));
        if (given("bias") && config["bias"] != "none")
            throw refuse("trains biases, which an adapter alone cannot add: merge it with PEFT");
        for (const char* more : {"rank_pattern", "alpha_pattern", "layers_to_transform", "exclude_modules",
                                 "layer_replication", "trainable_token_indices", "arrow_config"})
            if (given(more) && !config[more].empty())
                throw refuse(fmt::format("has {}, which is not computed: merge the adapter with PEFT", more));
        config::LoraRecipe recipe;
        recipe.r = config.at("r").get<std::int64_t>();
        if (recipe.r < 1 || recipe.r > 4096)
            throw refuse(fmt::format("has the rank {}: it lies between 1 and 4096", recipe.r));
        recipe.lora_alpha = config.at("lora_alpha").get<double>();
        if (given("use_rslora"))
            recipe.use_rslora = config["use_rslora"].get<bool>();
        const auto names = [&](const char* key) {
            if (!given(key))
                return std::vector<std::string>();
            const json& value = config[key];
            return value.is_string() ? std::vector{value.get<std::string>()} : value.get<std::vector<std::string>>();
        };
        recipe.target_parameters = names("target_parameters");
        if (given("target_modules") && config["target_modules"].is_string())
            recipe.target_modules = {config::entry_of_expression(config["target_modules"].get<std::string>())};
        else
            recipe.target_modules = names("target_modules");
        if (recipe.target_modules.empty() && recipe.target_parameters.empty())
            throw refuse("names no target_modules and no target_parameters: it says not what it adapts");
        recipe.modules_to_save = names("modules_to_save");
        return recipe;
    } catch (const json::exception& error) {
        throw refuse(fmt::format("is no configuration of an adapter: {}", error.what()));
    }
}

std::filesystem::path base_of_adapter(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "adapter_config.json";
    std::string named;
    try {
        const json config = parse_json(read_config(folder));
        if (const auto found = config.find("base_model_name_or_path"); found != config.end() && found->is_string())
            named = found->get<std::string>();
    } catch (const json::exception& error) {
        throw UserError(fmt::format("{} is no configuration of an adapter: {}", file.string(), error.what()));
    }
    std::error_code error;
    for (const std::filesystem::path& base : {std::filesystem::path(named), folder / named})
        if (!named.empty() && std::filesystem::exists(base / "config.json", error))
            return base;
    throw UserError(
        fmt::format("{} is an adapter of {}, which is no folder with a config.json here: give the model's "
                    "folder, and this one as --adapter",
                    folder.string(), named.empty() ? "a model that it does not name" : named));
}

std::vector<config::LoraRecipe> add_adapters(models::Model& model, const std::vector<AdapterSource>& adapters) {
    std::vector<config::LoraRecipe> recipes;
    std::vector<std::string> taken;
    for (std::size_t i = 0; i < adapters.size(); ++i) {
        config::LoraRecipe recipe = parse_adapter_config(read_config(adapters[i].folder),
                                                         (adapters[i].folder / "adapter_config.json").string());
        check_whole_modules(model, adapters[i], recipe, taken);
        recipe.lora_alpha *= adapters[i].weight;
        models::add_adapter(model, recipe, suffix_of(i));
        recipes.push_back(std::move(recipe));
    }
    return recipes;
}

void load_adapters(const models::Model& model, const std::vector<AdapterSource>& adapters) {
    for (std::size_t i = 0; i < adapters.size(); ++i) {
        std::vector<checkpoint::LogicalTensor> tensors;
        for (const parallel::Unit* unit : model.units())
            for (const parallel::Parameter* parameter : unit->parameters()) {
                std::string name = parameter->name();
                const std::string end = suffix_of(i) + ".weight";
                if (!name.ends_with(end) || name.find(".lora_") == std::string::npos)
                    continue;
                name = name.substr(0, name.size() - end.size()) + ".weight";
                tensors.push_back(checkpoint::LogicalTensor::of_whole(models::peft_name(name), parameter->value()));
            }
        checkpoint::load_weights(adapters[i].folder / "adapter_model.safetensors", tensors);
    }
}

void load_whole_modules(const models::Model& model, const std::vector<AdapterSource>& adapters,
                        const std::vector<config::LoraRecipe>& recipes) {
    for (std::size_t i = 0; i < adapters.size(); ++i) {
        std::vector<checkpoint::LogicalTensor> tensors;
        for (const parallel::Unit* unit : model.units())
            for (const parallel::Parameter* parameter : unit->parameters())
                if (parameter->name().find(".lora_") == std::string::npos &&
                    config::is_in_module(parameter->name(), recipes[i].modules_to_save))
                    tensors.push_back(
                        checkpoint::LogicalTensor::of_whole(models::peft_name(parameter->name()), parameter->value()));
        if (!tensors.empty())
            checkpoint::load_weights(adapters[i].folder / "adapter_model.safetensors", tensors);
    }
}

}  // namespace trainyard::generate
