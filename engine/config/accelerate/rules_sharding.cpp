// SPDX-License-Identifier: GPL-3.0-or-later
// FSDP, the mesh of parallelism_config, Megatron-LM.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/error.h"
#include "config/accelerate/convert.h"
#include "config/accelerate/rules.h"

namespace trainyard::settings {

namespace {

constexpr std::array<std::string_view, 5> kSizes = {
    "parallelism_config.parallelism_config_dp_replicate_size", "parallelism_config.parallelism_config_dp_shard_size",
    "parallelism_config.parallelism_config_tp_size", "parallelism_config.parallelism_config_cp_size",
    "parallelism_config.parallelism_config_sp_size"};
constexpr std::string_view kReplicate = kSizes[0];
constexpr std::string_view kShard = kSizes[1];
constexpr std::string_view kTensor = kSizes[2];
constexpr std::string_view kContext = kSizes[3];
constexpr std::string_view kSequence = kSizes[4];

bool is_fsdp_version(const Judgement& j, int version) {
    return j.type() == "FSDP" && j.integer("fsdp_config.fsdp_version", 1) == version;
}

std::int64_t size_of(const Judgement& j, std::string_view path) {
    return std::max<std::int64_t>(1, j.integer(path, 1));
}

std::string_view name_of(std::string_view path) {
    return split_path(path).second;
}

/// `1, 2, 4 or 8`
Message divisors_of(std::int64_t number) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 1; i <= number / i; ++i)
        if (number % i == 0) {
            all.push_back(i);
            if (i != number / i)
                all.push_back(number / i);
        }
    std::ranges::sort(all);
    std::vector<std::string> texts;
    for (std::int64_t each : all)
        texts.push_back(std::to_string(each));
    return either_of(texts);
}

/// Larger numbers are not plausible counts of processes; they must not keep divisors_of busy or overflow a product.
constexpr std::int64_t kMostProcesses = 10'000'000;

bool is_count(std::int64_t number) {
    return number >= 1 && number <= kMostProcesses;
}

/// A comma-separated list with something in each place.
bool names_all(const std::string& list) {
    bool empty = true;
    for (char c : list) {
        if (c == ',') {
            if (empty)
                return false;
            empty = true;
        } else if (c != ' ') {
            empty = false;
        }
    }
    return !empty;
}

void load_once_needs_sync(Judgement& j) {
    if (j.type() != "FSDP" || !j.settings().boolean("fsdp_config.fsdp_cpu_ram_efficient_loading", true) ||
        j.settings().boolean("fsdp_config.fsdp_sync_module_states", true))
        return;
    j.error("fsdp_config.fsdp_sync_module_states",
            "fsdp_sync_module_states is false, but fsdp_cpu_ram_efficient_loading leaves the other processes without "
            "weights: set it to true",
            Value(true));
}

void local_checkpoints(Judgement& j) {
    if (is_fsdp_version(j, 2) && j.settings().text("fsdp_config.fsdp_state_dict_type") == "LOCAL_STATE_DICT")
        j.error("fsdp_config.fsdp_state_dict_type",
                "fsdp_state_dict_type LOCAL_STATE_DICT is of FSDP 1: use SHARDED_STATE_DICT",
                Value("SHARDED_STATE_DICT"));
}

void forward_prefetch(Judgement& j) {
    if (is_fsdp_version(j, 2) && j.settings().boolean("fsdp_config.fsdp_forward_prefetch"))
        j.error("fsdp_config.fsdp_forward_prefetch", "fsdp_forward_prefetch is of FSDP 1, FSDP 2 refuses it: remove it",
                Value());
}

void layer_names(Judgement& j) {
    constexpr std::string_view kLayers = "fsdp_config.fsdp_transformer_layer_cls_to_wrap";
    if (j.type() == "FSDP" && j.given(kLayers) && !names_all(j.settings().text(kLayers)))
        j.error(kLayers,
                "fsdp_transformer_layer_cls_to_wrap has an empty place: name the classes as in LlamaDecoderLayer, or "
                "remove it for the model's own list",
                j.settings().text(kLayers).find_first_not_of(" ,") == std::string::npos ? std::optional<Value>(Value())
                                                                                        : std::nullopt);
}

void least_parameters(Judgement& j) {
    if (j.type() == "FSDP" && j.settings().text("fsdp_config.fsdp_auto_wrap_policy") == "SIZE_BASED_WRAP" &&
        j.integer("fsdp_config.fsdp_min_num_params", 100000000) == 0)
        j.warning("fsdp_config.fsdp_min_num_params",
                  "fsdp_min_num_params 0 wraps nothing, so that all weights are gathered at once: use a size such as "
                  "100000000",
                  Value(100000000));
}

void hybrid_on_one_machine(Judgement& j) {
    if (is_fsdp_version(j, 1) && j.settings().text("fsdp_config.fsdp_sharding_strategy").starts_with("HYBRID") &&
        j.integer("num_machines", 1) < 2)
        j.warning("fsdp_config.fsdp_sharding_strategy",
                  Message("fsdp_sharding_strategy {} keeps a copy on each machine, but there is one: {} does the "
                          "same",
                          j.settings().text("fsdp_config.fsdp_sharding_strategy"),
                          j.settings().text("fsdp_config.fsdp_sharding_strategy") == "HYBRID_SHARD" ? "FULL_SHARD"
                                                                                                    : "SHARD_GRAD_OP"),
                  Value(j.settings().text("fsdp_config.fsdp_sharding_strategy") == "HYBRID_SHARD" ? "FULL_SHARD"
                                                                                                  : "SHARD_GRAD_OP"));
}

bool has_mesh(const Judgement& j) {
    return std::ranges::any_of(kSizes, [&j](std::string_view path) { return size_of(j, path) > 1; });
}

void mesh_needs_fsdp2(Judgement& j) {
    if (!has_mesh(j) || is_fsdp_version(j, 2))
        return;
    if (j.type() == "FSDP") {
        j.error("fsdp_config.fsdp_version", "fsdp_version 1 has no mesh: parallelism_config needs FSDP 2, so use 2",
                Value(2));
        return;
    }
    for (std::string_view path : {kTensor, kContext, kShard, kReplicate})
        if (size_of(j, path) > 1 && j.type() != "DEEPSPEED") {
            j.error(path, Message("{} {} needs FSDP 2, but distributed_type is {}: use FSDP with fsdp_version 2, "
                                  "or remove it",
                                  name_of(path), size_of(j, path), j.type()));
            return;
        }
}

void sequence_needs_deepspeed(Judgement& j) {
    if (size_of(j, kSequence) > 1 && j.type() != "DEEPSPEED")
        j.error(kSequence, Message("parallelism_config_sp_size {} needs DeepSpeed, but distributed_type is "
                                   "{}: use parallelism_config_cp_size, or DEEPSPEED",
                                   size_of(j, kSequence), j.type()));
}

void context_and_sequence(Judgement& j) {
    if (size_of(j, kContext) > 1 && size_of(j, kSequence) > 1)
        j.error(
            kSequence,
            "parallelism_config_sp_size and parallelism_config_cp_size both split the sequence: set one of them to 1",
            Value(1));
}

void mesh_size(Judgement& j) {
    std::int64_t processes = j.integer("num_processes", -1);
    // DeepSpeed makes its own groups for sequence parallelism.
    if (!has_mesh(j) || !is_count(processes) || (j.type() == "DEEPSPEED" && size_of(j, kSequence) > 1))
        return;
    for (std::string_view path : kSizes)
        if (processes % size_of(j, path) != 0) {
            j.error(path, Message("{} {} does not divide {}: use {}", name_of(path), size_of(j, path),
                                  text::processes(processes), divisors_of(processes)));
            return;
        }
    std::int64_t product = 1;
    std::string shape;
    for (std::string_view path : kSizes) {
        std::int64_t size = size_of(j, path);
        product = std::min(product * size, kMostProcesses + 1);
        if (path != kSequence || size > 1)
            shape += (shape.empty() ? "" : " × ") + std::to_string(size);
    }
    if (product == processes)
        return;
    std::int64_t others = product / size_of(j, kShard);
    bool can_shard = product <= kMostProcesses && processes % others == 0;
    j.error(
        kShard,
        Message("the mesh {} needs {} processes, num_processes is {}: {}", shape,
                product > kMostProcesses ? Message("too many") : Message::verbatim(std::to_string(product)), processes,
                can_shard ? Message("set parallelism_config_dp_shard_size to {}", processes / others)
                          : Message("make the product {}", processes)),
        can_shard ? std::optional<Value>(Value(processes / others)) : std::nullopt);
}

void replicas_need_shards(Judgement& j) {
    if (size_of(j, kReplicate) > 1 && size_of(j, kShard) == 1 && (size_of(j, kTensor) > 1 || size_of(j, kContext) > 1))
        j.error(kReplicate,
                Message("parallelism_config_dp_replicate_size {} cannot be combined with tensor or context "
                        "parallelism unless parallelism_config_dp_shard_size is above 1: set it to 1",
                        size_of(j, kReplicate)),
                Value(1));
}

void sequence_attention(Judgement& j) {
    constexpr std::string_view kAttention = "parallelism_config.parallelism_config_sp_attn_implementation";
    if (size_of(j, kSequence) < 2 || !j.given(kAttention))
        return;
    std::string name = j.settings().text(kAttention);
    bool kernel = name.find('/') != std::string::npos && name.find("flash-attn") != std::string::npos;
    if (name == "sdpa" || name == "flash_attention_2" || name == "flash_attention_3" || kernel)
        return;
    j.error(kAttention,
            Message("parallelism_config_sp_attn_implementation \"{}\" cannot be split by heads: use sdpa, "
                    "flash_attention_2, flash_attention_3 or a flash-attn kernel of the hub",
                    name),
            Value("sdpa"));
}

void sequence_length(Judgement& j) {
    constexpr std::string_view kLength = "parallelism_config.parallelism_config_sp_seq_length";
    std::int64_t size = size_of(j, kSequence);
    if (size < 2)
        return;
    if (!j.given(kLength)) {
        if (!j.settings().boolean("parallelism_config.parallelism_config_sp_seq_length_is_variable", true))
            j.error(kLength,
                    "parallelism_config_sp_seq_length is missing: with sequences of one length it is needed, or "
                    "set parallelism_config_sp_seq_length_is_variable to true");
        return;
    }
    std::int64_t length = j.integer(kLength, 0);
    if (length > 0 && length % size != 0)
        j.error(kLength, Message("parallelism_config_sp_seq_length {} is not a multiple of "
                                 "parallelism_config_sp_size {}: use {} or {}",
                                 length, size, std::max(size, length / size * size), (length / size + 1) * size));
}

void megatron_sizes(Judgement& j) {
    std::int64_t processes = j.integer("num_processes", -1);
    if (j.type() != "MEGATRON_LM" || !is_count(processes))
        return;
    std::int64_t product = 1;
    for (std::string_view name : {"tp_degree", "pp_degree", "context_parallel_size"}) {
        std::string path = fmt::format("megatron_lm_config.megatron_lm_{}", name);
        std::int64_t size = size_of(j, path);
        if (!is_count(size) || processes % size != 0) {
            j.error(path, Message("{} {} does not divide {}: use {}", name_of(path), size, text::processes(processes),
                                  divisors_of(processes)));
            return;
        }
        product *= size;
        if (processes % product != 0) {
            j.error(path, Message("tensor, pipeline and context parallelism together take {} processes, "
                                  "which does not divide {}: use {} for {}",
                                  product, processes, divisors_of(processes / (product / size)), name_of(path)));
            return;
        }
    }
    constexpr std::string_view kExperts = "megatron_lm_config.megatron_lm_expert_model_parallel_size";
    std::int64_t replicas = processes / product;
    std::int64_t experts = size_of(j, kExperts);
    if (replicas * size_of(j, "megatron_lm_config.megatron_lm_tp_degree") % experts != 0)
        j.error(kExperts,
                Message("megatron_lm_expert_model_parallel_size {} does not divide {} of a pipeline stage: "
                        "use {}",
                        experts, text::processes(replicas * size_of(j, "megatron_lm_config.megatron_lm_tp_degree")),
                        divisors_of(replicas * size_of(j, "megatron_lm_config.megatron_lm_tp_degree"))));
}

void megatron_overlap(Judgement& j) {
    if (j.type() == "MEGATRON_LM" &&
        j.settings().boolean("megatron_lm_config.megatron_lm_overlap_cpu_optimizer_d2h_h2d") &&
        !j.settings().boolean("megatron_lm_config.megatron_lm_optimizer_cpu_offload"))
        j.warning("megatron_lm_config.megatron_lm_overlap_cpu_optimizer_d2h_h2d",
                  "megatron_lm_overlap_cpu_optimizer_d2h_h2d has no effect: the optimizer is not on the CPU, so set "
                  "megatron_lm_optimizer_cpu_offload, too",
                  Value());
}

void fsdp_offload_from_cpu(Judgement& j) {
    if (j.type() != "FSDP" || !j.settings().boolean("use_cpu"))
        return;
    for (std::string_view path :
         {"fsdp_config.fsdp_offload_params", "fsdp_config.fsdp_activation_checkpointing_offload"})
        if (j.settings().boolean(path))
            j.warning(path,
                      Message("{} has no effect with use_cpu, since everything is in that memory anyway: set "
                              "it to false",
                              name_of(path)),
                      Value(false));
}

constexpr std::array kShardingRules = {
    Rule{"fsdp_offload_from_cpu", "what FSDP offloads to the CPU comes from another device", fsdp_offload_from_cpu},
    Rule{"load_once_needs_sync", "weights that one process loads are broadcast", load_once_needs_sync},
    Rule{"local_checkpoints", "FSDP 2 has no local checkpoints", local_checkpoints},
    Rule{"forward_prefetch", "FSDP 2 has no forward prefetch", forward_prefetch},
    Rule{"layer_names", "the list of layer classes has no empty place", layer_names},
    Rule{"least_parameters", "wrapping by size has a size", least_parameters},
    Rule{"hybrid_on_one_machine", "a hybrid strategy has several machines", hybrid_on_one_machine},
    Rule{"mesh_needs_fsdp2", "a mesh has FSDP 2", mesh_needs_fsdp2},
    Rule{"sequence_needs_deepspeed", "sequence parallelism has DeepSpeed", sequence_needs_deepspeed},
    Rule{"context_and_sequence", "the sequence is split in one way", context_and_sequence},
    Rule{"mesh_size", "the mesh has as many places as there are processes", mesh_size},
    Rule{"replicas_need_shards", "replicas of a tensor- or context-parallel model are sharded", replicas_need_shards},
    Rule{"sequence_attention", "sequence parallelism has an attention that can be split by heads", sequence_attention},
    Rule{"sequence_length", "the sequence can be split evenly", sequence_length},
    Rule{"megatron_sizes", "Megatron-LM's sizes divide the processes", megatron_sizes},
    Rule{"megatron_overlap", "transfers overlap with an optimizer on the CPU", megatron_overlap},
};

}  // namespace

std::span<const Rule> sharding_rules() {
    return kShardingRules;
}

}  // namespace trainyard::settings
