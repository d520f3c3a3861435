#include "launch/plan/recipe_limit.h"

#include <fmt/format.h>

#include "base/error.h"
#include "launch/plan/paradigm.h"

namespace trainyard::plan {

namespace {

/// Replicas, and the ranks of ZeRO, are dimensions that the engine has; pipeline stages are the recipe's own.
std::optional<RecipeLimit> limit_of_mesh(const settings::Settings& settings, Paradigm asked, const RecipeMesh& mesh) {
    const auto limit = [](const char* name, std::int64_t size, const Message& why) {
        const std::string key = fmt::format("parallelism_config_{}_size", name);
        return RecipeLimit{"parallelism_config." + key, Message("{} {}: {}", key, size, why)};
    };
    if (mesh.tp > 1)
        return limit("tp", mesh.tp, "recipes have no tensor parallelism in this version: set it to 1");
    if (mesh.cp > 1)
        return limit("cp", mesh.cp, "recipes have no context parallelism in this version: set it to 1");
    if (mesh.sp > 1)
        return limit("sp", mesh.sp, "recipes have no sequence parallelism in this version: set it to 1");
    const std::int64_t stage =
        asked == Paradigm::deepspeed ? settings.integer("deepspeed_config.zero_stage", 2) : std::int64_t{0};
    if (mesh.dp_shard > 1 && stage == 0)
        return limit("dp_shard", mesh.dp_shard,
                     "recipes share out optimizer state and gradients (DeepSpeed with zero_stage 1 or 2), not the "
                     "weights: set it to 1 and dp_replicate_size to the number of replicas");
    if (mesh.dp_replicate > 1 && stage > 0)
        return limit("dp_replicate", mesh.dp_replicate,
                     "ZeRO of recipes shares out over all ranks: set it to 1 and dp_shard_size to their number");
    return std::nullopt;
}

/// ZeRO 1 and 2 are the engine's own.
std::optional<RecipeLimit> limit_of_deepspeed(const settings::Settings& settings, bool hosts_named) {
    const auto key = [](const char* name) { return std::string("deepspeed_config.") + name; };
    const auto is = [&](const char* name) { return settings.text(key(name)); };
    const auto named = [](const std::string& text) { return !text.empty() && text != "none"; };
    if (settings.integer("deepspeed_config.zero_stage", 2) == 3)
        return RecipeLimit{key("zero_stage"),
                           "ZeRO stage 3, which shares out the weights, too, is not there yet: take zero_stage 2"};
    // Of a rank on a processor the state is in its memory anyway (config/accelerate/rules_deepspeed.cpp says so). On a disk it can be from there, too: what the ranks
    // train on is known later (launch/supervisor/prepare.cpp).
    if (const std::string device = is("offload_optimizer_device");
        named(device) && device != "nvme" && !settings.boolean("use_cpu"))
        return RecipeLimit{key("offload_optimizer_device"),
                           Message("offload_optimizer_device {}: recipes keep optimizer state on the device "
                                   "they train on, or, of processors, on a disk (nvme): set it to none",
                                   device)};
    if (const std::string device = is("offload_param_device"); named(device))
        return RecipeLimit{
            key("offload_param_device"),
            Message("offload_param_device {}: weights that are trained stay on the device (those of a base "
                    "beside adapters may lie on disk: model.device_map of the recipe): set it to none",
                    device)};
    if (named(is("deepspeed_moe_layer_cls_names")))
        return RecipeLimit{key("deepspeed_moe_layer_cls_names"),
                           "deepspeed_moe_layer_cls_names: no recipe has layers of experts: leave it out"};
    const std::string launcher = settings.text("deepspeed_config.deepspeed_multinode_launcher", "pdsh");
    if (settings.integer("num_machines", 1) > 1 && launcher != "standard" && !hosts_named)
        return RecipeLimit{
            key("deepspeed_multinode_launcher"),
            Message("deepspeed_multinode_launcher {} is DeepSpeed's own: name the machines with --hosts, or "
                    "set it to standard",
                    launcher)};
    return std::nullopt;
}

/// FSDP that shards nothing is data parallelism: replicas on every rank.
bool is_unsharded(const settings::Settings& settings, const RecipeMesh& mesh) {
    return settings.integer("fsdp_config.fsdp_version", 1) == 1
               ? settings.text("fsdp_config.fsdp_sharding_strategy", "FULL_SHARD") == "NO_SHARD"
               : mesh.dp_replicate > 1 && mesh.dp_shard == 1;
}

/// On a processor, what would be offloaded is in its memory anyway (config/accelerate/rules_sharding.cpp says so).
std::optional<RecipeLimit> limit_of_fsdp_offload(const settings::Settings& settings) {
    for (const char* name : {"fsdp_offload_params", "fsdp_activation_checkpointing_offload"})
        if (const std::string key = fmt::format("fsdp_config.{}", name);
            settings.boolean(key) && !settings.boolean("use_cpu"))
            return RecipeLimit{
                key, Message("{}: recipes keep everything on the device they train on: set it to false", name)};
    return std::nullopt;
}

}  // namespace

RecipeMesh recipe_mesh(const settings::Settings& settings) {
    const auto size = [&](const char* name) {
        return settings.integer(fmt::format("parallelism_config.parallelism_config_{}_size", name), 1);
    };
    return {size("dp_replicate"), size("dp_shard"), size("tp"), size("cp"), size("sp")};
}

Message unused_mesh(const Flags& flags, const Resolved& resolved) {
    if (flags.has("use_parallelism_config"))
        return flags.is_on("use_parallelism_config") ? Message() : Message("with --use_parallelism_config");
    if (!resolved.mesh_in_file)
        return "with --use_parallelism_config";
    return typed_paradigm(flags).empty()
               ? Message()
               : Message("with --use_parallelism_config, since a flag chooses the way of training");
}

std::optional<RecipeLimit> recipe_limit(const settings::Settings& settings, Paradigm asked, bool hosts_named,
                                        const RecipeMesh& mesh) {
    Message way;
    const bool whole_way_there = asked != Paradigm::megatron && asked != Paradigm::tpu && asked != Paradigm::sagemaker;
    if (std::optional<RecipeLimit> limit = limit_of_mesh(settings, asked, mesh); limit && whole_way_there)
        return limit;
    switch (asked) {
        case Paradigm::deepspeed:
            return limit_of_deepspeed(settings, hosts_named);
        case Paradigm::fsdp:
            if (is_unsharded(settings, mesh))
                return limit_of_fsdp_offload(settings);
            way =
                "FSDP, unless it is version 1 with fsdp_sharding_strategy NO_SHARD, or version 2 with "
                "parallelism_config_dp_replicate_size and one shard";
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
                       Message("this version trains recipes with data parallelism and ZeRO, not with {}", way), true};
}

std::optional<RecipeLimit> recipe_limit(const settings::Settings& settings) {
    return recipe_limit(settings, asked_paradigm(settings), false, recipe_mesh(settings));
}

Message recipe_refusal(const Flags& flags, const Resolved& resolved) {
    const bool hosts_named = !flags.hosts.empty() || flags.is_on("slurm");
    RecipeMesh mesh;
    if (unused_mesh(flags, resolved).empty())
        mesh = recipe_mesh(resolved.settings);
    mesh.tp = mesh.cp = mesh.sp = 1;  // the table of settings refuses these, by key
    const auto limit = recipe_limit(resolved.settings, resolved.asked, hosts_named, mesh);
    if (!limit)
        return {};
    if (!limit->whole_way)
        return resolved.file.empty() ? Message("this recipe cannot train with these settings: {}", limit->sentence)
                                     : Message("this recipe cannot train with these settings (from {}): {}",
                                               resolved.file, limit->sentence);
    return Message("{}: leave it out, name another file with --config_file, or start a script, for which it works",
                   resolved.file.empty() ? limit->sentence : Message("{} (from {})", limit->sentence, resolved.file));
}

}  // namespace trainyard::plan
