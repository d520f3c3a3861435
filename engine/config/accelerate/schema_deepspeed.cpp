// SPDX-License-Identifier: GPL-3.0-or-later
// deepspeed_config. Source: DeepSpeedPlugin and the DeepSpeed flags of launch.

#include "base/environment_names.h"
#include "config/accelerate/schema_rows.h"

namespace trainyard::settings {

namespace {

bool is_deepspeed(const Settings& settings) {
    return settings.text("distributed_type") == "DEEPSPEED";
}
bool has_own_file(const Settings& settings) {
    std::string file = settings.text("deepspeed_config.deepspeed_config_file");
    return !file.empty() && file != "none";
}
bool is_inline(const Settings& settings) {
    return is_deepspeed(settings) && !has_own_file(settings);
}
bool shards_optimizer(const Settings& settings) {
    return is_inline(settings) && settings.integer("deepspeed_config.zero_stage", 2) >= 1;
}
bool shards_all(const Settings& settings) {
    return is_inline(settings) && settings.integer("deepspeed_config.zero_stage", 2) == 3;
}
bool is_stage_three(const Settings& settings) {
    return is_deepspeed(settings) &&
           (has_own_file(settings) || settings.integer("deepspeed_config.zero_stage", 2) == 3);
}
bool uses_many_machines(const Settings& settings) {
    return is_deepspeed(settings) && settings.integer("num_machines", 1) > 1;
}
bool starts_over_hosts(const Settings& settings) {
    return uses_many_machines(settings) && settings.text("deepspeed_config.deepspeed_multinode_launcher") != "standard";
}

constexpr std::string_view kStartsOverHosts = "there are several machines and the launcher is not `standard`";

}  // namespace

void add_deepspeed_keys(std::vector<Key>& keys) {
    SectionRows row(keys, Section::deepspeed, "DeepSpeed", "DeepSpeed", is_deepspeed, "distributed_type is DEEPSPEED");
    row("deepspeed_config_file", Type::path, "DeepSpeed file",
        "DeepSpeed's own JSON file; zero_stage, offloading, clipping, accumulation, zero3_save_16bit_model and "
        "mixed_precision must then be left out of the settings")
        .flag("--deepspeed_config_file")
        .when_set(kEnvDeepspeedFile);
    row("zero_stage", Type::integer, "ZeRO stage",
        "What is spread over the processes: 0 nothing, 1 optimizer state, 2 also gradients, 3 also parameters")
        .range(0, 3)
        .effective(2)
        .flag("--zero_stage")
        .when_set(kEnvZeroStage)
        .applies(is_inline, "there is no deepspeed_config_file");
    row("offload_optimizer_device", Type::choice, "Optimizer state in",
        "Where the optimizer state is kept: `none` leaves it on the device")
        .choices({"none", "cpu", "nvme"})
        .effective("none")
        .flag("--offload_optimizer_device")
        .when_set(kEnvOffloadOptimizer)
        .applies(shards_optimizer, "zero_stage is 1 to 3");
    row("offload_param_device", Type::choice, "Parameters in",
        "Where the parameters are kept: `none` leaves them on the device")
        .choices({"none", "cpu", "nvme"})
        .effective("none")
        .flag("--offload_param_device")
        .when_set(kEnvOffloadParameters)
        .applies(shards_all, "zero_stage is 3");
    row("offload_optimizer_nvme_path", Type::path, "NVMe for the optimizer state",
        "Folder on an NVMe disk for the optimizer state")
        .effective("/nvme")
        .flag("--offload_optimizer_nvme_path")
        .when_set(kEnvOffloadOptimizerFolder)
        .applies(
            [](const Settings& settings) {
                return is_inline(settings) && settings.text("deepspeed_config.offload_optimizer_device") == "nvme";
            },
            "offload_optimizer_device is nvme");
    row("offload_param_nvme_path", Type::path, "NVMe for the parameters", "Folder on an NVMe disk for the parameters")
        .effective("/nvme")
        .flag("--offload_param_nvme_path")
        .when_set("ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_NVME_PATH")
        .applies(
            [](const Settings& settings) {
                return is_inline(settings) && settings.text("deepspeed_config.offload_param_device") == "nvme";
            },
            "offload_param_device is nvme");
    row("gradient_accumulation_steps", Type::integer, "Accumulation",
        "Micro steps whose gradients make one optimizer step; `auto` leaves it to the script")
        .range(1)
        .effective("auto")
        .flag("--gradient_accumulation_steps")
        .when_set(kEnvAccumulationSteps)
        .applies(is_inline, "there is no deepspeed_config_file");
    row("gradient_clipping", Type::number, "Gradient clipping",
        "Largest norm of the gradient; `auto` leaves it to the script")
        .range(0)
        .effective("auto")
        .flag("--gradient_clipping")
        .when_set(kEnvGradientClipping)
        .applies(is_inline, "there is no deepspeed_config_file");
    row("zero3_init_flag", Type::boolean, "Build sharded",
        "Build the model already sharded (zero.Init), for models larger than one machine's memory")
        .flag("--zero3_init_flag")
        .when_set("ACCELERATE_DEEPSPEED_ZERO3_INIT")
        .lower()
        .applies(is_stage_three, "zero_stage is 3");
    row("zero3_save_16bit_model", Type::boolean, "Save 16-bit weights",
        "Gather the weights in 16 bits when the model is saved")
        .effective(false)
        .flag("--zero3_save_16bit_model")
        .when_set(kEnvSave16bit)
        .lower()
        .applies(shards_all, "zero_stage is 3");
    row("deepspeed_moe_layer_cls_names", Type::text, "Mixture-of-experts layers",
        "Class names of layers with experts, separated by commas")
        .flag("--deepspeed_moe_layer_cls_names")
        .when_set(kEnvMoeLayers);
    row("deepspeed_multinode_launcher", Type::choice, "Launcher", "How DeepSpeed starts the other machines")
        .choices({"pdsh", "standard", "openmpi", "mvapich", "mpich", "nossh", "slurm"})
        .effective("pdsh")
        .flag("--deepspeed_multinode_launcher")
        .applies(uses_many_machines, "num_machines is above 1");
    row("deepspeed_hostfile", Type::path, "Host file", "File with lines `host slots=N`")
        .flag("--deepspeed_hostfile")
        .applies(starts_over_hosts, kStartsOverHosts);
    row("deepspeed_exclusion_filter", Type::text, "Hosts left out", "DeepSpeed's filter, e.g. worker-0:1@worker-2")
        .flag("--deepspeed_exclusion_filter")
        .applies(starts_over_hosts, kStartsOverHosts);
    row("deepspeed_inclusion_filter", Type::text, "Hosts taken", "DeepSpeed's filter, e.g. worker-0:0,2@worker-1")
        .flag("--deepspeed_inclusion_filter")
        .applies(starts_over_hosts, kStartsOverHosts);
}

}  // namespace trainyard::settings
