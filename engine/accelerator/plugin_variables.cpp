// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/plugin_variables.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/truth.h"
#include "config/accelerate/schema.h"
#include "launch/plan/deepspeed_file.h"
#include "launch/plan/paradigm.h"
#include "launch/plan/recipe_limit.h"

namespace trainyard::accelerator {

namespace {

[[noreturn]] void refuse(std::string_view key, std::string_view value, const Message& why) {
    throw UserError("{} {}: {}", key, value, why);
}

bool says_nothing(const std::optional<std::string>& value) {
    return !value || *value == "auto" || text::lower(*value) == "none";
}

std::optional<double> clipping(const PluginVariables& variables) {
    const std::optional<std::string> set = variables.text(kEnvGradientClipping);
    if (says_nothing(set))
        return std::nullopt;
    const std::optional<double> most = parse_number<double>(*set, 0.0);
    if (!most)
        refuse("gradient_clipping", *set, "it must be a number, 0 or more, or auto");
    return *most > 0 ? most : std::nullopt;
}

/// The settings that the variables of these plug-ins come from.
settings::Settings settings_of_variables(const PluginVariables& variables) {
    using settings::Section;
    settings::Settings settings;
    for (const settings::Key& key : settings::schema()) {
        const bool of_plugin = key.section == Section::fsdp || key.section == Section::deepspeed;
        if (!of_plugin || std::ranges::find(kAccelerateVariables, key.environment.name) == kAccelerateVariables.end())
            continue;
        const std::optional<std::string> text = variables.text(std::string(key.environment.name).c_str());
        if (!text || text::lower(*text) == "none")
            continue;
        const auto number = key.numbered
                                ? parse_number<std::int64_t>(*text, 1, static_cast<std::int64_t>(key.choices.size()))
                                : std::nullopt;
        settings.set(key.path(), number ? std::string(key.choices[static_cast<std::size_t>(*number - 1)]) : *text);
    }
    return settings;
}

/// Class names, separated by commas.
std::vector<std::string> class_names(const std::string& text) {
    std::vector<std::string> names;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::size_t first = text.find_first_not_of(' ', begin), last = text.find_last_not_of(' ', end - 1);
        if (end > begin && first < end)
            names.push_back(text.substr(first, last + 1 - first));
        begin = end + 1;
    }
    return names;
}

/// Keys of DeepSpeed's file that act when the program prepares its parts (DeepspeedSettings), that another one here
/// covers, or that say what the batch size of the program's loaders says.
bool is_left_to_program(std::string_view key) {
    static constexpr std::string_view kKeys[] = {"parallel.offload_param_device", "parallel.offload_optimizer_device",
                                                 "training.mixed_precision", "training.batch_size",
                                                 "training.global_batch_size"};
    return key.starts_with("optimizer.") || key.starts_with("schedule.") ||
           std::ranges::find(kKeys, key) != std::end(kKeys);
}

/// Returns the variables without those that have no effect next to DeepSpeed's own file: as in Accelerate, a launch or
/// a plug-in in code gives only what is `auto` there. Throws InvalidInput with keys of the settings that the file
/// excludes.
PluginVariables next_to_deepspeeds_file(PluginVariables variables) {
    const std::optional<std::string> file = variables.text(kEnvDeepspeedFile);
    if (!variables.is_on(kEnvUseDeepspeed) || !file || text::lower(*file) == "none")
        return variables;
    plan::refuse_double_configuration(variables.text(kEnvDeepspeedFields).value_or(""), *file);
    for (const std::string& field : plan::plugin_fields(plan::DeepspeedConfig::read(*file), false))
        variables.leave_out(std::string(settings::find_key("deepspeed_config." + field)->environment.name));
    return variables;
}

/// Reads the values of DeepSpeed's own file.
void read_deepspeed_file(Plugins& plugins, const settings::Settings& settings, const PluginVariables& variables) {
    const std::optional<plan::DeepspeedFile> file = plan::deepspeed_file_of(settings, plan::Paradigm::deepspeed);
    if (!file)
        return;
    for (const plan::RecipeSetting& row : file->rows)
        if (row.outcome == plan::RecipeSetting::Outcome::refused)
            throw UserError("{} {} of {}: {}", row.name, row.value, row.from, row.words);
    const std::string name = settings.text("deepspeed_config.deepspeed_config_file");
    plan::DeepspeedConfig config = plan::DeepspeedConfig::read(name);
    if (config.is_auto("gradient_clipping") && says_nothing(variables.text(kEnvGradientClipping)))
        plugins.gradient_clipping = 1.0;  // Accelerate's
    if (const auto* gathers = config.find("zero_optimization.stage3_gather_16bit_weights_on_model_save");
        gathers != nullptr && gathers->is_boolean())
        plugins.sharding.save_16bit_model = gathers->get<bool>();
    plugins.deepspeed = DeepspeedSettings(std::move(config), name);
    for (const config::GivenKey& key : file->of_recipe) {
        const double number = parse_number<double>(key.value, 0.0).value_or(0);
        if (key.key == "parallel.zero_stage")
            plugins.zero_stage = static_cast<std::int64_t>(number);
        else if (key.key == "training.max_grad_norm")
            plugins.gradient_clipping = number > 0 ? std::optional(number) : std::nullopt;
        else if (key.key == "training.gradient_accumulation_steps")
            plugins.gradient_accumulation_steps = static_cast<std::int64_t>(number);
        else if (key.key == "parallel.offload_param_nvme_path")
            plugins.sharding.offload_folder = key.value;
        else if (key.key == "parallel.offload_optimizer_nvme_path")
            plugins.sharding.offload_optimizer_folder = key.value;
        else if (key.key == "training.loss_scale")
            plugins.init_scale = number;
        else if (key.key == "training.loss_scale_window")
            plugins.growth_interval = static_cast<std::int64_t>(number);
        else if (key.key == "parallel.zero_hpz_partition_size")
            plugins.sharding.zero_hpz_partition_size = static_cast<std::int64_t>(number);
        else if (key.key == "parallel.zero_quantized_weights")
            plugins.sharding.zero_quantized_weights = key.value == "true";
        else if (key.key == "parallel.zero_quantized_gradients")
            plugins.sharding.zero_quantized_gradients = key.value == "true";
        else if (!is_left_to_program(key.key))
            throw UserError("{}: a program on this library decides it itself: take it out", key.source);
    }
}

void read_deepspeed(Plugins& plugins, const settings::Settings& settings, const PluginVariables& variables) {
    plugins.zero_stage = variables.whole(kEnvZeroStage, 0).value_or(2);
    plugins.gradient_clipping = clipping(variables);
    if (variables.is_given(kEnvAccumulationSteps))
        plugins.gradient_accumulation_steps = variables.whole(kEnvAccumulationSteps, 1);
    plugins.sharding.save_16bit_model = variables.is_on(kEnvSave16bit);
    plugins.sharding.whole_classes = class_names(variables.text(kEnvMoeLayers).value_or(""));
    if (settings.text("deepspeed_config.offload_optimizer_device") == "nvme")
        plugins.sharding.offload_optimizer_folder =
            variables.text(kEnvOffloadOptimizerFolder).value_or(std::string(plan::kUsualOffloadFolder));
    if (settings.text("deepspeed_config.offload_param_device") == "nvme")
        plugins.sharding.offload_folder =
            variables.text(kEnvOffloadParametersFolder).value_or(std::string(plan::kUsualOffloadFolder));
    read_deepspeed_file(plugins, settings, variables);
}

StateDictType state_dict_type(const settings::Settings& settings, const std::string& otherwise) {
    const std::string text = settings.text("fsdp_config.fsdp_state_dict_type", otherwise);
    if (text == "FULL_STATE_DICT")
        return StateDictType::full;
    if (text == "SHARDED_STATE_DICT")
        return StateDictType::sharded;
    if (text == "LOCAL_STATE_DICT")
        refuse("fsdp_state_dict_type", text,
               "flat parameters of one rank fit no other layout: set it to SHARDED_STATE_DICT");
    refuse("fsdp_state_dict_type", text, "it must be FULL_STATE_DICT or SHARDED_STATE_DICT");
}

void read_fsdp(Plugins& plugins, const settings::Settings& settings, const PluginVariables& variables) {
    WrapPolicy policy;
    const std::string wrapping = variables.text(kEnvFsdpWrapPolicy).value_or("NO_WRAP");
    if (wrapping == "TRANSFORMER_BASED_WRAP")
        policy.classes = class_names(variables.text(kEnvFsdpWrapClasses).value_or(""));
    else if (wrapping == "SIZE_BASED_WRAP")
        policy.min_parameters = variables.whole(kEnvFsdpWrapSize, 0).value_or(100000000);
    else if (wrapping != "NO_WRAP")
        refuse("fsdp_auto_wrap_policy", wrapping, "it must be TRANSFORMER_BASED_WRAP, SIZE_BASED_WRAP or NO_WRAP");
    // Accelerate wraps nothing by a size of 0.
    plugins.sharding.by_block = wrapping != "NO_WRAP" && !(wrapping == "SIZE_BASED_WRAP" && policy.min_parameters == 0);
    plugins.sharding.wrap = policy;
    plugins.sharding.fsdp_names = true;
    plugins.sharding.ignored_modules = settings.text("fsdp_config.fsdp_ignored_modules");
    plugins.sharding.state_dict = state_dict_type(
        settings, settings.integer("fsdp_config.fsdp_version", 1) == 2 ? "SHARDED_STATE_DICT" : "FULL_STATE_DICT");
    plugins.sharding.cpu_ram_efficient_loading = variables.is_on(kEnvFsdpLoadsOnce);
    plugins.sharding.sync_module_states = truth_of(variables.text(kEnvFsdpSync).value_or("true")) != Truth::no;
    if (plugins.sharding.cpu_ram_efficient_loading && !plugins.sharding.sync_module_states)
        refuse("fsdp_sync_module_states", "false", Message::table_text(plan::kLoadOnceNeedsSync));
    if (variables.is_on(kEnvFsdpCheckpointing))
        plugins.activation_checkpointing = std::move(policy);
}

/// parallelism_config.
plan::RecipeMesh mesh_of_variables(const PluginVariables& variables) {
    plan::RecipeMesh mesh;
    if (variables.is_on(kEnvUseMesh))
        for (const auto& [name, size] :
             {std::pair(kEnvMeshReplicas, &mesh.dp_replicate), std::pair(kEnvMeshTensor, &mesh.tp),
              std::pair(kEnvMeshContext, &mesh.cp), std::pair(kEnvMeshSequence, &mesh.sp),
              std::pair(kEnvMeshShard, &mesh.dp_shard)})
            *size = variables.whole(name, 1).value_or(1);
    return mesh;
}

}  // namespace

std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

std::optional<std::int64_t> whole_variable(const char* name, std::int64_t least) {
    return PluginVariables().whole(name, least);
}

PluginVariables::PluginVariables(const AcceleratorOptions& options) {
    const auto set = [&]<class Value>(const char* name, const std::optional<Value>& value) {
        if (!value)
            return;
        if constexpr (std::is_same_v<Value, bool>)
            given_[name] = *value ? "true" : "false";
        else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
            given_[name] = fmt::format("{}", fmt::join(*value, ","));
        else if constexpr (std::is_same_v<Value, std::filesystem::path>)
            given_[name] = value->string();
        else
            given_[name] = fmt::format("{}", *value);
    };
    const int plugins = static_cast<int>(options.fsdp_plugin.has_value()) +
                        static_cast<int>(options.deepspeed_plugin.has_value()) +
                        static_cast<int>(options.megatron_lm_plugin.has_value());
    if (plugins > 1)
        throw UserError("fsdp_plugin, deepspeed_plugin and megatron_lm_plugin exclude each other: give one of them");
    if (options.megatron_lm_plugin && options.megatron_lm_plugin->return_logits.value_or(false))
        throw UserError(
            "return_logits of MegatronLMPlugin: this library does not have Megatron-LM: leave the plug-in out, the "
            "forward of a program's own model returns its logits on every rank, and gather() joins them");
    if (plugins > 0 && (options.zero_stage || options.sharding))
        throw UserError("zero_stage and sharding say what a plug-in says, too: give either those or the plug-in");
    if (plugins > 0) {  // whatever the launch switches on
        set(kEnvUseFsdp, std::optional(options.fsdp_plugin.has_value()));
        set(kEnvUseDeepspeed, std::optional(options.deepspeed_plugin.has_value()));
        set(kEnvUseMegatron, std::optional(options.megatron_lm_plugin.has_value()));
    }
    if (const auto& fsdp = options.fsdp_plugin) {
        set(kEnvFsdpVersion, fsdp->fsdp_version);
        set(kEnvFsdpStrategy, fsdp->sharding_strategy);
        set(kEnvFsdpReshard, fsdp->reshard_after_forward);
        set(kEnvFsdpOffload, fsdp->cpu_offload);
        set(kEnvFsdpWrapPolicy, fsdp->auto_wrap_policy);
        set(kEnvFsdpWrapClasses, fsdp->transformer_cls_names_to_wrap);
        set(kEnvFsdpWrapSize, fsdp->min_num_params);
        set(kEnvFsdpIgnored, fsdp->ignored_modules);
        set(kEnvFsdpStateDict, fsdp->state_dict_type);
        set(kEnvFsdpCheckpointing, fsdp->activation_checkpointing);
        set(kEnvFsdpLoadsOnce, fsdp->cpu_ram_efficient_loading);
        set(kEnvFsdpSync, fsdp->sync_module_states);
    }
    if (const auto& deepspeed = options.deepspeed_plugin) {
        set(kEnvDeepspeedFile, deepspeed->hf_ds_config);
        set(kEnvZeroStage, deepspeed->zero_stage);
        set(kEnvAccumulationSteps, deepspeed->gradient_accumulation_steps);
        set(kEnvGradientClipping, deepspeed->gradient_clipping);
        set(kEnvOffloadOptimizer, deepspeed->offload_optimizer_device);
        set(kEnvOffloadOptimizerFolder, deepspeed->offload_optimizer_nvme_path);
        set(kEnvOffloadParameters, deepspeed->offload_param_device);
        set(kEnvOffloadParametersFolder, deepspeed->offload_param_nvme_path);
        set(kEnvSave16bit, deepspeed->zero3_save_16bit_model);
        set(kEnvMoeLayers, deepspeed->transformer_moe_cls_names);
    }
}

std::optional<std::string> PluginVariables::text(const char* name) const {
    if (const auto found = given_.find(name); found != given_.end())
        return found->second.empty() ? std::nullopt : std::optional(found->second);
    return variable(name);
}

std::optional<std::int64_t> PluginVariables::whole(const char* name, std::int64_t least) const {
    const std::optional<std::string> set = text(name);
    if (!set)
        return std::nullopt;
    const auto number = parse_number<std::int64_t>(*set, least);
    if (!number)
        throw UserError("{} is '{}': it must be a whole number, {} or more", name, *set, least);
    return number;
}

bool PluginVariables::is_on(const char* name) const {
    return truth_of(text(name).value_or("false")) == Truth::yes;
}

Plugins read_plugins(const Launch& launch, const PluginVariables& given) {
    Plugins plugins;
    const PluginVariables variables = next_to_deepspeeds_file(given);
    settings::Settings settings = settings_of_variables(variables);
    settings.set("use_cpu", launch.on_cpu);
    settings.set("num_processes", static_cast<std::int64_t>(launch.processes));
    settings.set("num_machines", static_cast<std::int64_t>(launch.processes / std::max(1, launch.local_processes)));
    const plan::Paradigm asked = variables.is_on(kEnvUseMegatron)    ? plan::Paradigm::megatron
                                 : variables.is_on(kEnvUseDeepspeed) ? plan::Paradigm::deepspeed
                                 : variables.is_on(kEnvUseFsdp)      ? plan::Paradigm::fsdp
                                                                     : plan::Paradigm::single;
    if (asked == plan::Paradigm::deepspeed)
        read_deepspeed(plugins, settings, variables);
    if (plugins.zero_stage)
        settings.set("deepspeed_config.zero_stage", *plugins.zero_stage);
    const plan::RecipeMesh mesh = mesh_of_variables(variables);
    if (const auto limit = plan::program_limit(settings, asked, mesh))
        throw UserError(limit->sentence());
    const plan::RecipeSharding rows = plan::recipe_sharding(settings, asked, mesh);
    if (asked == plan::Paradigm::fsdp) {
        plugins.zero_stage = rows.zero_stage;
        read_fsdp(plugins, settings, variables);
    }
    if (plugins.zero_stage.value_or(0) > 0) {
        plugins.sharding.dp_replicate = rows.dp_replicate;
        if (rows.dp_shard > 1 && rows.dp_replicate * rows.dp_shard != launch.processes)
            throw UserError("the mesh ({}) needs {} ranks instead of {}: make the product of its sizes {}",
                            fmt::format("dp_replicate {} × dp_shard {}", rows.dp_replicate, rows.dp_shard),
                            rows.dp_replicate * rows.dp_shard, launch.processes, launch.processes);
    }
    return plugins;
}

}  // namespace trainyard::accelerator
