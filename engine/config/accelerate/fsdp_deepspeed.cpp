// SPDX-License-Identifier: GPL-3.0-or-later
// FSDP's settings as DeepSpeed's and back, by the equivalence that Accelerate documents ("FSDP vs DeepSpeed").

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text_file.h"
#include "config/accelerate/check.h"
#include "config/accelerate/settings_file.h"

namespace trainyard::settings {

namespace {

const std::string kFsdpTable = "fsdp_config.";
const std::string kDeepspeedTable = "deepspeed_config.";
constexpr std::size_t kLargestDeepspeedFile = 1u << 20;

struct Conversion {
    Settings made;
    std::vector<ReadNote>& notes;
    std::vector<Problem> problems;

    void note(const std::string& path, Message message) {
        notes.push_back({ReadNote::Kind::translated, path, std::move(message), line_of(path)});
    }
    void dropped(const std::string& path, const Message& why) {
        if (made.has(path))
            notes.push_back({ReadNote::Kind::dropped, path, Message("{} was dropped: {}", split_path(path).second, why),
                             line_of(path)});
    }
    void refuse(const std::string& path, Message message) {
        problems.push_back({"", line_of(path), 0, path, std::move(message)});
    }
    int line_of(const std::string& path) const {
        const Value* value = made.find(path);
        return value == nullptr ? 0 : value->line;
    }
    Settings finish() {
        if (!problems.empty())
            throw InvalidInput(std::move(problems));
        return std::move(made);
    }
};

/// Strategy of FSDP 1; of FSDP 2 the one that shards in the same way.
std::string strategy_of(const Settings& settings) {
    constexpr std::array kNames{"FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD", "HYBRID_SHARD_ZERO2"};
    if (settings.integer(kFsdpTable + "fsdp_version", 1) == 2) {
        const bool hybrid = settings.integer("parallelism_config.parallelism_config_dp_replicate_size", 1) > 1;
        const bool reshards = settings.boolean(kFsdpTable + "fsdp_reshard_after_forward", true);
        return hybrid ? reshards ? "HYBRID_SHARD" : "HYBRID_SHARD_ZERO2" : reshards ? "FULL_SHARD" : "SHARD_GRAD_OP";
    }
    const std::string named = settings.text(kFsdpTable + "fsdp_sharding_strategy", "FULL_SHARD");
    if (named.size() == 1 && named[0] >= '1' && named[0] <= '5')
        return kNames[static_cast<std::size_t>(named[0] - '1')];
    return named;
}

/// Takes the keys of deepspeed_config_file into the settings. Returns the ranks of a secondary shard (ZeRO++), or 0.
std::int64_t take_deepspeed_file(Conversion& conversion) {
    const std::string path = kDeepspeedTable + "deepspeed_config_file";
    const std::string name = conversion.made.text(path);
    if (name.empty() || name == "none")
        return 0;
    refuse_double_configuration(conversion.made);
    Loaded file = read_deepspeed_json(text::read_text_file(name, kLargestDeepspeedFile), name);
    if (!file.problems.empty())
        throw InvalidInput(std::move(file.problems));
    conversion.made.remove(path);
    std::int64_t secondary = 0;
    for (ReadNote& note : file.notes) {
        if (note.path == "zero_optimization.zero_hpz_partition_size")
            secondary = file.hpz_partition_size;
        else if (note.kind == ReadNote::Kind::unknown)
            conversion.notes.push_back({ReadNote::Kind::dropped, note.path,
                                        Message("{} of {} was dropped: FSDP has no such setting", note.path, name),
                                        note.line});
    }
    for (auto& [key, value] : file.settings.leaves())
        if (key != "compute_environment" && key != "distributed_type")
            conversion.made.set(key, value);
    return secondary > 1 ? secondary : 0;
}

void remove_table(Settings& settings, const std::string& table) {
    for (const auto& [path, value] : settings.leaves())
        if (path.starts_with(table))
            settings.remove(path);
}

}  // namespace

std::int64_t zero_stage_of_strategy(std::string_view strategy) {
    if (strategy == "NO_SHARD")
        return 0;
    return strategy == "SHARD_GRAD_OP" || strategy == "HYBRID_SHARD_ZERO2" ? 2 : 3;
}

Settings to_deepspeed(const Settings& settings, std::vector<ReadNote>& notes) {
    Conversion conversion{settings, notes, {}};
    Settings& made = conversion.made;
    if (settings.text("distributed_type") != "FSDP") {
        notes.push_back({ReadNote::Kind::unknown, "distributed_type",
                         Message("distributed_type is not FSDP: nothing to convert"), 0});
        return settings;
    }
    const auto fsdp = [](const char* name) { return kFsdpTable + name; };
    const auto set = [&made](const char* name, Value value) { made.set(kDeepspeedTable + name, std::move(value)); };
    const std::string strategy = strategy_of(settings);
    const std::int64_t stage = zero_stage_of_strategy(strategy);
    set("zero_stage", stage);
    conversion.note(fsdp("fsdp_sharding_strategy"), Message("{} became zero_stage: {}", strategy, stage));
    if (strategy == "HYBRID_SHARD")
        conversion.note(fsdp("fsdp_sharding_strategy"),
                        "HYBRID_SHARD also needs zero_hpz_partition_size, the processes of a machine, which only "
                        "DeepSpeed's own JSON can set: without it the weights are sharded over all processes");
    if (strategy == "HYBRID_SHARD_ZERO2")
        conversion.note(fsdp("fsdp_sharding_strategy"),
                        "HYBRID_SHARD_ZERO2 keeps a copy on each machine, zero_stage 2 shards over all processes");
    const char* device = settings.boolean(fsdp("fsdp_offload_params")) ? "cpu" : "none";
    if (stage == 3 || device == std::string("none")) {
        set("offload_param_device", device);
        set("offload_optimizer_device", device);
    } else {
        conversion.refuse(
            fsdp("fsdp_offload_params"),
            Message("fsdp_offload_params has no counterpart with zero_stage {}, which offloads no weights: "
                    "set it to false, or fsdp_sharding_strategy to FULL_SHARD",
                    stage));
    }
    if (stage == 3) {
        set("zero3_init_flag", settings.boolean(fsdp("fsdp_cpu_ram_efficient_loading"), true));
        set("zero3_save_16bit_model", settings.text(fsdp("fsdp_state_dict_type")) == "FULL_STATE_DICT");
    }
    for (const char* name : {"fsdp_backward_prefetch", "fsdp_forward_prefetch"})
        conversion.dropped(fsdp(name), "DeepSpeed decides it");
    for (const char* name :
         {"fsdp_auto_wrap_policy", "fsdp_transformer_layer_cls_to_wrap", "fsdp_min_num_params", "fsdp_use_orig_params"})
        conversion.dropped(fsdp(name), "DeepSpeed does not need it");
    for (const char* name :
         {"fsdp_activation_checkpointing", "fsdp_activation_checkpointing_offload", "fsdp_ignored_modules"})
        if (const std::string text = settings.text(fsdp(name)); !text.empty() && text != "false")
            conversion.dropped(fsdp(name), "DeepSpeed has no such setting, the program must do it");
    for (const char* name : {"tp", "cp"})
        if (const std::string path = fmt::format("parallelism_config.parallelism_config_{}_size", name);
            settings.integer(path, 1) > 1)
            conversion.refuse(path,
                              Message("parallelism_config_{}_size has no counterpart in DeepSpeed: set it to 1", name));
    remove_table(made, kFsdpTable);
    remove_table(made, "parallelism_config.");
    made.set("distributed_type", "DEEPSPEED");
    return conversion.finish();
}

Settings to_fsdp(const Settings& settings, int version, std::vector<ReadNote>& notes) {
    Conversion conversion{settings, notes, {}};
    Settings& made = conversion.made;
    if (settings.text("distributed_type") != "DEEPSPEED") {
        notes.push_back({ReadNote::Kind::unknown, "distributed_type",
                         Message("distributed_type is not DEEPSPEED: nothing to convert"), 0});
        return settings;
    }
    const std::int64_t secondary = take_deepspeed_file(conversion);
    const auto deepspeed = [](const char* name) { return kDeepspeedTable + name; };
    const auto set = [&made](const char* name, Value value) { made.set(kFsdpTable + name, std::move(value)); };
    const std::int64_t stage = made.integer(deepspeed("zero_stage"), 2);
    if (stage == 0 && version == 2) {
        version = 1;
        conversion.note(deepspeed("zero_stage"), "fsdp_version is 1, since FSDP 2 always shards");
    }
    set("fsdp_version", version);
    if (version == 2) {
        set("fsdp_reshard_after_forward", stage == 3);
        conversion.note(deepspeed("zero_stage"),
                        Message("zero_stage {} became fsdp_reshard_after_forward: {}", stage, stage == 3));
        if (secondary > 0 && made.integer("num_processes", 0) % secondary == 0 &&
            made.integer("num_processes", 0) > 0) {
            made.set("parallelism_config.parallelism_config_dp_shard_size", secondary);
            made.set("parallelism_config.parallelism_config_dp_replicate_size",
                     made.integer("num_processes", 0) / secondary);
        } else if (secondary > 0) {
            conversion.refuse("num_processes",
                              Message("num_processes must be a multiple of zero_hpz_partition_size {}", secondary));
        }
    } else {
        const char* strategy = stage == 0      ? "NO_SHARD"
                               : stage < 3     ? "SHARD_GRAD_OP"
                               : secondary > 0 ? "HYBRID_SHARD"
                                               : "FULL_SHARD";
        set("fsdp_sharding_strategy", strategy);
        conversion.note(deepspeed("zero_stage"),
                        Message("zero_stage {} became fsdp_sharding_strategy: {}", stage, strategy));
    }
    if (stage == 1)
        conversion.note(deepspeed("zero_stage"), "FSDP shards the gradients, too, which zero_stage 1 does not");
    const std::string weights = made.text(deepspeed("offload_param_device"), "none"),
                      state = made.text(deepspeed("offload_optimizer_device"), "none");
    if (weights == "nvme" || state == "nvme")
        conversion.refuse(deepspeed(weights == "nvme" ? "offload_param_device" : "offload_optimizer_device"),
                          "FSDP does not offload to a disk: set it to cpu or none");
    else if (weights != state)
        conversion.refuse(deepspeed("offload_optimizer_device"),
                          "FSDP offloads weights and optimizer state together: set offload_param_device and "
                          "offload_optimizer_device to the same device");
    set("fsdp_offload_params", weights == "cpu");
    if (stage == 3) {
        if (made.has(deepspeed("zero3_init_flag"))) {
            set("fsdp_cpu_ram_efficient_loading", made.boolean(deepspeed("zero3_init_flag")));
            if (version == 1)
                set("fsdp_sync_module_states", true);
        }
        if (made.has(deepspeed("zero3_save_16bit_model")))
            set("fsdp_state_dict_type",
                made.boolean(deepspeed("zero3_save_16bit_model")) ? "FULL_STATE_DICT" : "SHARDED_STATE_DICT");
    }
    for (const char* name : {"gradient_accumulation_steps", "gradient_clipping"})
        if (made.text(deepspeed(name), "auto") != "auto")
            conversion.dropped(deepspeed(name), "FSDP has no such setting, the program must do it");
    for (const char* name : {"deepspeed_hostfile", "deepspeed_exclusion_filter", "deepspeed_inclusion_filter",
                             "deepspeed_multinode_launcher", "deepspeed_moe_layer_cls_names"})
        conversion.dropped(deepspeed(name), "FSDP has no such setting");
    remove_table(made, kDeepspeedTable);
    made.set("distributed_type", "FSDP");
    return conversion.finish();
}

}  // namespace trainyard::settings
