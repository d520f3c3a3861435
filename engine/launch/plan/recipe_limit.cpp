// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/recipe_limit.h"

#include <fmt/format.h>

#include "base/counted.h"
#include "base/error.h"
#include "config/accelerate/settings_file.h"
#include "config/recipe/memory_checks.h"
#include "launch/plan/paradigm.h"

namespace trainyard::plan {

namespace {

using Limits = std::vector<RecipeLimit>;

const std::string kOfFsdp = "fsdp_config.";
const std::string kOfDeepspeed = "deepspeed_config.";

void add_limit(Limits& limits, std::string key, const std::string& value, Message reason) {
    limits.push_back({std::move(key), std::move(reason), Message::verbatim(value)});
}

bool is_named(const std::string& text) {
    return !text.empty() && text != "none";
}

/// Sizes of dimensions that have nothing to share out.
void limits_of_shards(Limits& limits, const RecipeMesh& mesh, const RecipeSharding& sharding) {
    if (mesh.dp_shard > 1 && sharding.zero_stage == 0)
        add_limit(
            limits, "parallelism_config.parallelism_config_dp_shard_size", std::to_string(mesh.dp_shard),
            "nothing is sharded without FSDP or ZeRO: set it to 1 and dp_replicate_size to the number of replicas, "
            "or take distributed_type FSDP");
}

/// What would be moved off the device that trains. With ranks on processors it is in their memory anyway
/// (recipe_settings.cpp), and weights and optimizer state can be on a disk.
void limits_of_offloading(Limits& limits, const settings::Settings& settings, Paradigm asked) {
    const bool on_cpu = settings.boolean("use_cpu");
    if (asked == Paradigm::fsdp && !on_cpu)
        for (const char* name : {"fsdp_offload_params", "fsdp_activation_checkpointing_offload"})
            if (settings.boolean(kOfFsdp + name))
                add_limit(limits, kOfFsdp + name, "true",
                          "recipes keep everything on the device they train on: set it to false");
    if (asked != Paradigm::deepspeed)
        return;
    if (const std::string device = settings.text(kOfDeepspeed + "offload_optimizer_device");
        is_named(device) && device != "nvme" && !on_cpu)
        add_limit(
            limits, kOfDeepspeed + "offload_optimizer_device", device,
            "recipes keep optimizer state on the device they train on, or, of processors, on a disk (nvme): set it "
            "to none");
    if (const std::string device = settings.text(kOfDeepspeed + "offload_param_device");
        is_named(device) && device != "nvme" && !on_cpu)
        add_limit(limits, kOfDeepspeed + "offload_param_device", device, weights_stay());
}

/// Replicas of shards need machines of equal size.
void limits_of_hybrid(Limits& limits, const settings::Settings& settings, Paradigm asked) {
    const std::int64_t processes = settings.integer("num_processes", 1), machines = settings.integer("num_machines", 1);
    const std::string strategy = settings.text(kOfFsdp + "fsdp_sharding_strategy", "FULL_SHARD");
    if (asked == Paradigm::fsdp && settings.integer(kOfFsdp + "fsdp_version", 1) == 1 &&
        strategy.starts_with("HYBRID") && machines > 1 && processes % machines != 0)
        add_limit(limits, kOfFsdp + "fsdp_sharding_strategy", strategy,
                  Message("{} cannot be divided evenly among {} machines: start a multiple of {}",
                          text::processes(processes), machines, machines));
}

Message whole_way_of(Paradigm asked) {
    return asked == Paradigm::megatron    ? Message("Megatron-LM")
           : asked == Paradigm::tpu       ? Message("TPU")
           : asked == Paradigm::sagemaker ? Message("Amazon SageMaker")
                                          : Message();
}

bool is_given(const Resolved& resolved, const std::string& key) {
    const auto origin = resolved.origins.find(key);
    return origin != resolved.origins.end() && (origin->second == Origin::flag || origin->second == Origin::file);
}

/// The mesh, where it counts.
RecipeMesh used_mesh(const Flags& flags, const Resolved& resolved) {
    return unused_mesh(flags, resolved).empty() ? recipe_mesh(resolved.settings) : RecipeMesh();
}

}  // namespace

Message weights_stay() {
    return "weights stay on the device that trains, or, of processors, go to a disk (nvme): set it to none";
}

Message state_stays() {
    return "optimizer state stays on the device that trains, or, of processors, goes to a disk (nvme): set it to none";
}

Message RecipeLimit::sentence() const {
    return whole_way() ? reason : Message("{} {}: {}", settings::split_path(key).second, value, reason);
}

RecipeMesh recipe_mesh(const settings::Settings& settings) {
    const auto size = [&](const char* name) {
        return settings.integer(fmt::format("parallelism_config.parallelism_config_{}_size", name), 1);
    };
    return {size("dp_replicate"), size("dp_shard"), size("tp"), size("cp"), size("sp")};
}

Message unused_mesh(const Flags& flags, const Resolved& resolved) {
    if (flags.has("use_parallelism_config"))
        return flags.is_on("use_parallelism_config") ? Message()
                                                     : Message("it counts only with --use_parallelism_config");
    if (!resolved.mesh_in_file)
        return "it counts only with --use_parallelism_config";
    return typed_paradigm(flags).empty()
               ? Message()
               : Message("it counts only with --use_parallelism_config, since a flag chooses the way of training");
}

RecipeSharding recipe_sharding(const settings::Settings& settings, Paradigm asked, const RecipeMesh& mesh) {
    RecipeSharding sharding;
    sharding.dp_replicate = mesh.dp_replicate;
    sharding.dp_shard = mesh.dp_shard;
    if (asked == Paradigm::deepspeed) {
        sharding.source = kOfDeepspeed + "zero_stage";
        sharding.zero_stage = settings.integer(sharding.source, 2);
    }
    if (asked == Paradigm::megatron) {
        sharding.source = "megatron_lm_config.megatron_lm_use_distributed_optimizer";
        sharding.zero_stage = settings.boolean(sharding.source) ? 1 : 0;
    }
    if (asked != Paradigm::fsdp)
        return sharding;
    if (settings.integer(kOfFsdp + "fsdp_version", 1) == 2) {
        sharding.source = kOfFsdp + "fsdp_reshard_after_forward";
        const bool only_replicas = mesh.dp_replicate > 1 && mesh.dp_shard == 1;
        sharding.zero_stage = only_replicas ? 0 : settings.boolean(sharding.source, true) ? 3 : 2;
    } else {
        sharding.source = kOfFsdp + "fsdp_sharding_strategy";
        const std::string strategy = settings.text(sharding.source, "FULL_SHARD");
        sharding.zero_stage = settings::zero_stage_of_strategy(strategy);
        // A copy on each machine, whose ranks share it. Machines of different size are a limit.
        const std::int64_t machines = settings.integer("num_machines", 1),
                           processes = settings.integer("num_processes", machines);
        if (strategy.starts_with("HYBRID") && machines > 1 && processes % machines == 0) {
            sharding.dp_replicate = machines;
            sharding.dp_shard = processes / machines;
        }
    }
    const std::string policy = settings.text(kOfFsdp + "fsdp_auto_wrap_policy");
    if (sharding.zero_stage == 3)
        sharding.wrap = policy == "TRANSFORMER_BASED_WRAP" ? "block"
                        : policy == "SIZE_BASED_WRAP"      ? "size"
                        : policy == "NO_WRAP"              ? "none"
                                                           : "";
    if (sharding.wrap == "size")
        sharding.wrap_min_params = settings.integer(kOfFsdp + "fsdp_min_num_params", 100000000);
    if (sharding.wrap == "size" && sharding.wrap_min_params == 0)  // Accelerate wraps nothing then
        sharding.wrap = "none";
    return sharding;
}

RecipeSharding recipe_sharding(const settings::Settings& settings) {
    return recipe_sharding(settings, asked_paradigm(settings), recipe_mesh(settings));
}

MegatronRecomputation megatron_recomputation(const settings::Settings& settings) {
    const std::string section = "megatron_lm_config.megatron_lm_", activations = section + "recompute_activations",
                      granularity = section + "recompute_granularity";
    if (settings.boolean(activations))
        return {config::Recomputation::selective, activations};
    if (const auto what = find_choice<config::Recomputation>(settings.text(granularity)))
        return {*what, granularity};
    const Value* given = settings.find(activations);
    return {config::Recomputation::no, given == nullptr || given->is_null() ? "" : activations};
}

std::vector<RecipeLimit> recipe_limits(const settings::Settings& settings, Paradigm asked, bool hosts_named,
                                       const RecipeMesh& mesh) {
    if (const Message way = whole_way_of(asked); asked != Paradigm::megatron && !way.empty())
        return {{"distributed_type",
                 Message("this version trains recipes with data parallelism, ZeRO and FSDP, not with {}", way),
                 {}}};
    Limits limits;
    limits_of_shards(limits, mesh, recipe_sharding(settings, asked, mesh));
    limits_of_offloading(limits, settings, asked);
    limits_of_hybrid(limits, settings, asked);
    const std::string launcher = settings.text(kOfDeepspeed + "deepspeed_multinode_launcher", "pdsh");
    if (asked == Paradigm::deepspeed && settings.integer("num_machines", 1) > 1 && launcher != "standard" &&
        !hosts_named)
        add_limit(limits, kOfDeepspeed + "deepspeed_multinode_launcher", launcher,
                  "it is DeepSpeed's own: name the machines with --hosts, or set it to standard");
    return limits;
}

std::vector<RecipeLimit> recipe_limits(const Flags& flags, const Resolved& resolved) {
    return recipe_limits(resolved.settings, resolved.asked, !flags.hosts.empty() || flags.is_on("slurm"),
                         used_mesh(flags, resolved));
}

std::vector<RecipeLimit> recipe_limits(const settings::Settings& settings) {
    return recipe_limits(settings, asked_paradigm(settings), false, recipe_mesh(settings));
}

std::optional<RecipeLimit> recipe_limit(const settings::Settings& settings) {
    Limits limits = recipe_limits(settings);
    return limits.empty() ? std::nullopt : std::optional(std::move(limits.front()));
}

Message recipe_refusal(const Flags& flags, const Resolved& resolved) {
    for (const RecipeLimit& limit : recipe_limits(flags, resolved)) {
        if (!limit.whole_way() && is_given(resolved, limit.key))
            continue;
        const Message sentence =
            resolved.file.empty() ? limit.sentence() : Message("{} (from {})", limit.sentence(), resolved.file);
        return limit.whole_way() ? Message(
                                       "{}: leave it out, name another file with --config_file, or start a script, "
                                       "for which it works",
                                       sentence)
                                 : Message("this recipe cannot train with these settings: {}", sentence);
    }
    return {};
}

std::optional<RecipeLimit> program_limit(const settings::Settings& settings, Paradigm asked, const RecipeMesh& mesh) {
    if (const Message way = whole_way_of(asked); !way.empty())
        return RecipeLimit{"distributed_type",
                           Message("this library does not have {}: launch with replicas on every rank (MULTI_GPU or "
                                   "MULTI_CPU)",
                                   way),
                           Message::verbatim(asked == Paradigm::megatron ? "MEGATRON_LM" : "")};
    Limits limits;
    for (const auto& [name, size] : {std::pair("tp", mesh.tp), {"cp", mesh.cp}, {"sp", mesh.sp}})
        if (size > 1)
            add_limit(limits, fmt::format("parallelism_config.parallelism_config_{}_size", name), std::to_string(size),
                      "this library divides a program's modules over the ranks of FSDP and ZeRO alone: set it to 1");
    const RecipeSharding sharding = recipe_sharding(settings, asked, mesh);
    limits_of_shards(limits, mesh, sharding);
    limits_of_hybrid(limits, settings, asked);
    // Ranks on processors have everything in main memory already.
    const bool on_cpu = settings.boolean("use_cpu");
    for (const char* name : {"fsdp_offload_params", "fsdp_activation_checkpointing_offload"})
        if (asked == Paradigm::fsdp && settings.boolean(kOfFsdp + name) && !on_cpu)
            add_limit(limits, kOfFsdp + name, "true",
                      "this library keeps everything on the device it trains on: set it to false");
    if (asked != Paradigm::deepspeed)
        return limits.empty() ? std::nullopt : std::optional(std::move(limits.front()));
    if (const std::string device = settings.text(kOfDeepspeed + "offload_optimizer_device");
        is_named(device) && !(on_cpu && (device == "cpu" || device == "nvme")))
        add_limit(limits, kOfDeepspeed + "offload_optimizer_device", device, state_stays());
    if (const std::string device = settings.text(kOfDeepspeed + "offload_param_device");
        is_named(device) && !(on_cpu && (device == "cpu" || device == "nvme")))
        add_limit(limits, kOfDeepspeed + "offload_param_device", device, weights_stay());
    else if (device == "nvme" && sharding.zero_stage != 3)
        add_limit(limits, kOfDeepspeed + "offload_param_device", device,
                  config::offload_needs_stage_3(sharding.zero_stage));
    return limits.empty() ? std::nullopt : std::optional(std::move(limits.front()));
}

}  // namespace trainyard::plan
