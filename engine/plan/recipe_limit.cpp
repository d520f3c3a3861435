#include "plan/recipe_limit.h"

#include <fmt/format.h>

#include "plan/paradigm.h"

namespace trainyard::plan {

namespace {

/// ZeRO 1 and 2 are the engine's own.
std::optional<RecipeLimit> limit_of_deepspeed(const settings::Settings& settings, bool hosts_named) {
    const auto key = [](const char* name) { return std::string("deepspeed_config.") + name; };
    const auto is = [&](const char* name) { return settings.text(key(name)); };
    const auto named = [](const std::string& text) { return !text.empty() && text != "none"; };
    if (settings.integer("deepspeed_config.zero_stage", 2) == 3)
        return RecipeLimit{key("zero_stage"),
                           "ZeRO stage 3, which shares out the weights, too, is not there yet: take zero_stage 2"};
    for (const char* device : {"offload_optimizer_device", "offload_param_device"})
        if (named(is(device)))
            return RecipeLimit{key(device),
                               fmt::format("{} {}: recipes keep everything on the device they train on: set it to none",
                                           device, is(device))};
    if (named(is("deepspeed_moe_layer_cls_names")))
        return RecipeLimit{key("deepspeed_moe_layer_cls_names"),
                           "deepspeed_moe_layer_cls_names: no recipe has layers of experts: leave it out"};
    for (const char* size : {"tp_size", "cp_size", "sp_size", "dp_replicate_size", "dp_shard_size"}) {
        const std::string name = std::string("parallelism_config_") + size;
        if (settings.integer("parallelism_config." + name, 1) > 1)
            return RecipeLimit{"parallelism_config." + name,
                               name + ": recipes share out over all ranks alike: leave it out"};
    }
    const std::string launcher = settings.text("deepspeed_config.deepspeed_multinode_launcher", "pdsh");
    if (settings.integer("num_machines", 1) > 1 && launcher != "standard" && !hosts_named)
        return RecipeLimit{
            key("deepspeed_multinode_launcher"),
            fmt::format("deepspeed_multinode_launcher {} is DeepSpeed's own: name the machines with --hosts, or set "
                        "it to standard",
                        launcher)};
    return std::nullopt;
}

/// FSDP 1 that shards nothing: replicas on every rank, which is data parallelism.
bool is_unsharded(const settings::Settings& settings) {
    return settings.integer("fsdp_config.fsdp_version", 1) == 1 &&
           settings.text("fsdp_config.fsdp_sharding_strategy", "FULL_SHARD") == "NO_SHARD" &&
           !settings.boolean("fsdp_config.fsdp_offload_params") &&
           !settings.boolean("fsdp_config.fsdp_activation_checkpointing_offload");
}

}  // namespace

std::optional<RecipeLimit> recipe_limit(const settings::Settings& settings, Paradigm asked, bool hosts_named) {
    const char* way = nullptr;
    switch (asked) {
        case Paradigm::deepspeed:
            return limit_of_deepspeed(settings, hosts_named);
        case Paradigm::fsdp:
            if (is_unsharded(settings))
                return std::nullopt;
            way = "FSDP, unless it is version 1 with fsdp_sharding_strategy NO_SHARD and without offloading";
            break;
        case Paradigm::megatron:
            way = "Megatron-LM";
            break;
        case Paradigm::tpu:
            way = "TPU";
            break;
        case Paradigm::sagemaker:
            way = "Amazon SageMaker";
            break;
        default:
            return std::nullopt;
    }
    return RecipeLimit{"distributed_type",
                       fmt::format("this version trains recipes with data parallelism and ZeRO, not with {}", way),
                       true};
}

std::optional<RecipeLimit> recipe_limit(const settings::Settings& settings) {
    const bool sagemaker = settings.text("compute_environment") == "AMAZON_SAGEMAKER";
    return recipe_limit(settings, sagemaker ? Paradigm::sagemaker : asked_paradigm({}, &settings), false);
}

}  // namespace trainyard::plan
