#include "accelerator/plugin_variables.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/truth.h"

namespace trainyard::accelerator {

namespace {

bool is_on(const char* name) {
    return truth_of(variable(name).value_or("false")) == Truth::yes;
}

/// None where it is not set, "none" or "None".
std::optional<std::string> named(const char* name) {
    const std::optional<std::string> value = variable(name);
    return value && text::lower(*value) != "none" ? value : std::nullopt;
}

[[noreturn]] void refuse(std::string_view key, std::string_view value, const Message& why) {
    throw UserError("{} {}: {}", key, value, why);
}

std::optional<double> clipping() {
    const std::optional<std::string> set = named(kEnvGradientClipping);
    if (!set || *set == "auto")
        return std::nullopt;
    const std::optional<double> most = parse_number<double>(*set, 0.0);
    if (!most)
        refuse("gradient_clipping", *set, "it must be a number, 0 or more, or auto");
    return *most > 0 ? most : std::nullopt;
}

void read_deepspeed(Plugins& plugins) {
    if (const auto file = named(kEnvDeepspeedFile))
        refuse("deepspeed_config_file", *file,
               "programs on this library do not read DeepSpeed's own file: give zero_stage, gradient_clipping and "
               "gradient_accumulation_steps in the settings file");
    const std::int64_t stage = whole_variable(kEnvZeroStage, 0).value_or(2);
    if (stage > 2)
        refuse("zero_stage", std::to_string(stage),
               "this library shares out optimizer state (1) and gradients (2), not parameters: set it to 0, 1 or 2");
    for (const auto& [name, key] : {std::pair(kEnvOffloadOptimizer, "offload_optimizer_device"),
                                    std::pair(kEnvOffloadParameters, "offload_param_device")})
        if (const auto device = named(name))
            refuse(key, *device, "this library keeps everything on the device it trains on: set it to none");
    if (const auto classes = named(kEnvMoeLayers))
        refuse("deepspeed_moe_layer_cls_names", *classes, "this library does not divide experts: leave it out");
    plugins.zero_stage = stage;
    plugins.gradient_clipping = clipping();
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

void read_fsdp(Plugins& plugins) {
    const std::int64_t version = whole_variable(kEnvFsdpVersion, 1).value_or(1);
    const std::string strategy = variable(kEnvFsdpStrategy).value_or("FULL_SHARD");
    constexpr char kWay[] =
        "this library does not shard parameters: set fsdp_version to 1 and fsdp_sharding_strategy to NO_SHARD, or use "
        "DEEPSPEED with zero_stage 1 or 2";
    if (version != 1)
        refuse("fsdp_version", std::to_string(version), kWay);
    if (strategy != "NO_SHARD" && strategy != "3")
        refuse("fsdp_sharding_strategy", strategy, kWay);
    for (const auto& [name, key] : {std::pair(kEnvFsdpOffload, "fsdp_offload_params"),
                                    std::pair(kEnvFsdpCheckpointingOffload, "fsdp_activation_checkpointing_offload")})
        if (is_on(name))
            refuse(key, "true", "this library keeps everything on the device it trains on: set it to false");
    if (!is_on(kEnvFsdpCheckpointing))
        return;
    WrapPolicy policy;
    const std::string wrapping = variable(kEnvFsdpWrapPolicy).value_or("NO_WRAP");
    if (wrapping == "TRANSFORMER_BASED_WRAP")
        policy.classes = class_names(variable(kEnvFsdpWrapClasses).value_or(""));
    else if (wrapping == "SIZE_BASED_WRAP")
        policy.min_parameters = whole_variable(kEnvFsdpWrapSize, 0).value_or(100000000);
    else if (wrapping != "NO_WRAP")
        refuse("fsdp_auto_wrap_policy", wrapping, "it must be TRANSFORMER_BASED_WRAP, SIZE_BASED_WRAP or NO_WRAP");
    plugins.activation_checkpointing = std::move(policy);
}

/// parallelism_config: ranks in a mesh of other dimensions than data parallelism.
void refuse_mesh() {
    for (const auto& [name, key] : {std::pair(kEnvMeshTensor, "parallelism_config_tp_size"),
                                    std::pair(kEnvMeshContext, "parallelism_config_cp_size"),
                                    std::pair(kEnvMeshSequence, "parallelism_config_sp_size"),
                                    std::pair(kEnvMeshShard, "parallelism_config_dp_shard_size")})
        if (const auto size = whole_variable(name, 1); size && *size > 1)
            refuse(key, std::to_string(*size),
                   "this library trains a program's modules as replicas on all ranks: set it to 1");
}

}  // namespace

std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

std::optional<std::int64_t> whole_variable(const char* name, std::int64_t least) {
    const std::optional<std::string> set = variable(name);
    if (!set)
        return std::nullopt;
    const auto number = parse_number<std::int64_t>(*set, least);
    if (!number)
        throw UserError("{} is '{}': it must be a whole number, {} or more", name, *set, least);
    return number;
}

Plugins read_plugins() {
    Plugins plugins;
    if (is_on(kEnvUseMegatron))
        throw UserError(
            "distributed_type MEGATRON_LM: this library does not have Megatron-LM: launch with replicas on every rank "
            "(MULTI_GPU or MULTI_CPU)");
    if (is_on(kEnvUseMesh))
        refuse_mesh();
    if (is_on(kEnvUseDeepspeed))
        read_deepspeed(plugins);
    if (is_on(kEnvUseFsdp))
        read_fsdp(plugins);
    return plugins;
}

}  // namespace trainyard::accelerator
