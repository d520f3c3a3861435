// SPDX-License-Identifier: GPL-3.0-or-later
// fsdp_config. Source: FullyShardedDataParallelPlugin and the FSDP flags of launch.

#include "base/environment_names.h"
#include "config/accelerate/schema_rows.h"

namespace trainyard::settings {

namespace {

bool is_fsdp(const Settings& settings) {
    return settings.text("distributed_type") == "FSDP";
}
bool is_first(const Settings& settings) {
    return is_fsdp(settings) && settings.integer("fsdp_config.fsdp_version", 1) != 2;
}
bool is_second(const Settings& settings) {
    return is_fsdp(settings) && settings.integer("fsdp_config.fsdp_version", 1) == 2;
}
bool wraps_layers(const Settings& settings) {
    return is_fsdp(settings) && settings.text("fsdp_config.fsdp_auto_wrap_policy") == "TRANSFORMER_BASED_WRAP";
}
bool wraps_by_size(const Settings& settings) {
    return is_fsdp(settings) && settings.text("fsdp_config.fsdp_auto_wrap_policy") == "SIZE_BASED_WRAP";
}
bool checkpoints(const Settings& settings) {
    return is_fsdp(settings) && settings.boolean("fsdp_config.fsdp_activation_checkpointing");
}

constexpr std::string_view kIsFirst = "fsdp_version is 1";

}  // namespace

void add_fsdp_keys(std::vector<Key>& keys) {
    SectionRows row(keys, Section::fsdp, "FSDP", "FSDP 1, FSDP 2", is_fsdp, "distributed_type is FSDP");
    row("fsdp_version", Type::integer, "Version", "1 shards flat parameters, 2 each parameter for itself")
        .range(1, 2)
        .flag("--fsdp_version", 1)
        .always(kEnvFsdpVersion)
        .since("1.6");
    row("fsdp_sharding_strategy", Type::choice, "Sharding strategy",
        "What is spread over the processes: parameters, gradients and optimizer state, or less")
        .choices({"FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD", "HYBRID_SHARD_ZERO2"})
        .numbered()
        .flag("--fsdp_sharding_strategy", "FULL_SHARD")
        .always(kEnvFsdpStrategy)
        .read_by("FSDP 1")
        .applies(is_first, kIsFirst);
    row("fsdp_reshard_after_forward", Type::boolean, "Reshard after forward",
        "Free the gathered parameters after the forward pass: less memory, more communication")
        .flag("--fsdp_reshard_after_forward", true)
        .always("FSDP_RESHARD_AFTER_FORWARD")
        .lower()
        .read_by("FSDP 2")
        .since("1.6")
        .applies(is_second, "fsdp_version is 2");
    row("fsdp_offload_params", Type::boolean, "Offload to the CPU",
        "Keep parameters and gradients in the main memory; much slower")
        .flag("--fsdp_offload_params", false)
        .always(kEnvFsdpOffload)
        .lower();
    row("fsdp_auto_wrap_policy", Type::choice, "Wrapping",
        "What becomes a unit of sharding: given layer classes, modules above a size, or the whole model")
        .choices({"TRANSFORMER_BASED_WRAP", "SIZE_BASED_WRAP", "NO_WRAP"})
        .effective("NO_WRAP")
        .flag("--fsdp_auto_wrap_policy")
        .when_set(kEnvFsdpWrapPolicy);
    row("fsdp_transformer_layer_cls_to_wrap", Type::text, "Layer classes",
        "Class names of the layers to shard one by one, separated by commas; without it the model's own list")
        .flag("--fsdp_transformer_layer_cls_to_wrap")
        .when_set(kEnvFsdpWrapClasses)
        .applies(wraps_layers, "fsdp_auto_wrap_policy is TRANSFORMER_BASED_WRAP");
    row("fsdp_min_num_params", Type::integer, "Least parameters", "Modules with at least so many parameters are units")
        .range(0)
        .flag("--fsdp_min_num_params", 100000000)
        .always(kEnvFsdpWrapSize)
        .applies(wraps_by_size, "fsdp_auto_wrap_policy is SIZE_BASED_WRAP");
    row("fsdp_backward_prefetch", Type::choice, "Backward prefetch",
        "When the next parameters are gathered in the backward pass")
        .choices({"BACKWARD_PRE", "BACKWARD_POST", "NO_PREFETCH"})
        .numbered()
        .flag("--fsdp_backward_prefetch")
        .also({"--fsdp_backward_prefetch_policy"})
        .when_set("FSDP_BACKWARD_PREFETCH")
        .aliases({"fsdp_backward_prefetch_policy"})
        .read_by("FSDP 1")
        .since("0.26")
        .applies(is_first, kIsFirst);
    row("fsdp_forward_prefetch", Type::boolean, "Forward prefetch",
        "Gather the next parameters during the forward pass; only for models whose order never changes")
        .flag("--fsdp_forward_prefetch", false)
        .always("FSDP_FORWARD_PREFETCH")
        .lower()
        .read_by("FSDP 1")
        .applies(is_first, kIsFirst);
    row("fsdp_state_dict_type", Type::choice, "Checkpoints", "Whole checkpoints of rank 0, or one part of each process")
        .choices({"FULL_STATE_DICT", "LOCAL_STATE_DICT", "SHARDED_STATE_DICT"})
        .numbered()
        .flag("--fsdp_state_dict_type")
        .when_set("FSDP_STATE_DICT_TYPE");
    row("fsdp_use_orig_params", Type::boolean, "Original parameters",
        "Show the optimizer the model's own parameters, so that groups and frozen layers work")
        .flag("--fsdp_use_orig_params", true)
        .always("FSDP_USE_ORIG_PARAMS")
        .lower()
        .read_by("FSDP 1")
        .applies(is_first, kIsFirst);
    row("fsdp_cpu_ram_efficient_loading", Type::boolean, "Load once",
        "Only the first process reads the weights, the others receive them; saves main memory")
        .flag("--fsdp_cpu_ram_efficient_loading", true)
        .always("FSDP_CPU_RAM_EFFICIENT_LOADING")
        .lower();
    row("fsdp_sync_module_states", Type::boolean, "Broadcast at the start",
        "Each process takes over the parameters of the first one when the model is wrapped")
        .flag("--fsdp_sync_module_states", true)
        .always("FSDP_SYNC_MODULE_STATES")
        .lower()
        .read_by("FSDP 1")
        .applies(is_first, kIsFirst);
    row("fsdp_activation_checkpointing", Type::boolean, "Activation checkpointing",
        "Compute activations again in the backward pass instead of keeping them: less memory, slower")
        .flag("--fsdp_activation_checkpointing", false)
        .always(kEnvFsdpCheckpointing)
        .lower();
    row("fsdp_activation_checkpointing_offload", Type::boolean, "Checkpoints to the CPU",
        "Keep the activations that checkpointing saves in the main memory")
        .flag("--fsdp_activation_checkpointing_offload", false)
        .always(kEnvFsdpCheckpointingOffload)
        .lower()
        .since("1.15")
        .applies(checkpoints, "fsdp_activation_checkpointing is true");
    row("fsdp_ignored_modules", Type::text, "Modules left out",
        "Regular expression; modules whose whole name matches are not sharded")
        .when_set("FSDP_IGNORED_MODULES");
}

}  // namespace trainyard::settings
