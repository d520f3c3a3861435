// SPDX-License-Identifier: GPL-3.0-or-later
// parallelism_config and mpirun_config. Source: ParallelismConfig and the flags of launch.

#include "base/environment_names.h"
#include "config/accelerate/schema_rows.h"

namespace trainyard::settings {

namespace {

bool may_have_mesh(const Settings& settings) {
    return settings.text("distributed_type") == "FSDP" || settings.text("distributed_type") == "DEEPSPEED";
}
bool splits_context(const Settings& settings) {
    return settings.integer("parallelism_config.parallelism_config_cp_size", 1) > 1;
}
bool splits_sequence(const Settings& settings) {
    return settings.integer("parallelism_config.parallelism_config_sp_size", 1) > 1;
}

constexpr std::string_view kContextIsSplit = "parallelism_config_cp_size is above 1";
constexpr std::string_view kSequenceIsSplit = "parallelism_config_sp_size is above 1";

}  // namespace

void add_mpirun_keys(std::vector<Key>& keys) {
    SectionRows row(
        keys, Section::mpirun, "MPI", "MPI",
        [](const Settings& settings) { return settings.text("distributed_type") == "MULTI_CPU"; },
        "distributed_type is MULTI_CPU");
    row("mpirun_hostfile", Type::path, "Host file", "Hosts for mpirun; with it the processes are started by mpirun")
        .flag("--mpirun_hostfile")
        .since("0.28");
    row("mpirun_ccl", Type::integer, "oneCCL workers", "Threads of oneCCL per process (CCL_WORKER_COUNT of scripts)")
        .range(0)
        .when_set("CCL_WORKER_COUNT")
        .since("0.28")
        .until("1.12");
}

void add_parallelism_keys(std::vector<Key>& keys) {
    SectionRows row(keys, Section::parallelism, "Parallelism", "FSDP 2, DeepSpeed", may_have_mesh,
                    "distributed_type is FSDP with version 2, or DEEPSPEED");
    row("parallelism_config_dp_replicate_size", Type::integer, "Replicas", "Copies of the sharded model")
        .range(1)
        .flag("--parallelism_config_dp_replicate_size", 1)
        .always("PARALLELISM_CONFIG_DP_REPLICATE_SIZE")
        .since("1.10");
    row("parallelism_config_dp_shard_size", Type::integer, "Shards", "Processes that parameters are sharded over")
        .range(1)
        .flag("--parallelism_config_dp_shard_size", 1)
        .always(kEnvMeshShard)
        .since("1.10");
    row("parallelism_config_tp_size", Type::integer, "Tensor parallel", "Processes that share each layer")
        .range(1)
        .flag("--parallelism_config_tp_size", 1)
        .always(kEnvMeshTensor)
        .since("1.10");
    row("parallelism_config_cp_size", Type::integer, "Context parallel",
        "Processes that share each sequence by ring attention")
        .range(1)
        .flag("--parallelism_config_cp_size", 1)
        .always(kEnvMeshContext)
        .since("1.10");
    row("parallelism_config_cp_backend", Type::choice, "Context-parallel library", "Who splits the context")
        .choices({"torch"})
        .flag("--parallelism_config_cp_backend", "torch")
        .always("PARALLELISM_CONFIG_CP_BACKEND")
        .since("1.12")
        .applies(splits_context, kContextIsSplit);
    row("parallelism_config_cp_comm_strategy", Type::choice, "Exchange of context",
        "allgather collects all keys and values, alltoall passes them around")
        .choices({"allgather", "alltoall"})
        .flag("--parallelism_config_cp_comm_strategy", "allgather")
        .when_set("PARALLELISM_CONFIG_CP_COMM_STRATEGY")
        .since("1.10")
        .applies(splits_context, kContextIsSplit);
    row("parallelism_config_sp_size", Type::integer, "Sequence parallel",
        "Processes that share each sequence, with attention split by heads (Ulysses)")
        .range(1)
        .flag("--parallelism_config_sp_size", 1)
        .always(kEnvMeshSequence)
        .since("1.12");
    row("parallelism_config_sp_backend", Type::choice, "Sequence-parallel library", "Who splits the sequence")
        .choices({"deepspeed"})
        .flag("--parallelism_config_sp_backend", "deepspeed")
        .always("PARALLELISM_CONFIG_SP_BACKEND")
        .since("1.12")
        .applies(splits_sequence, kSequenceIsSplit);
    row("parallelism_config_sp_seq_length", Type::integer, "Sequence length",
        "Length of all sequences, where it does not change; a multiple of the sequence-parallel size")
        .range(1)
        .flag("--parallelism_config_sp_seq_length")
        .when_set("PARALLELISM_CONFIG_SP_SEQ_LENGTH")
        .since("1.12")
        .applies(splits_sequence, kSequenceIsSplit);
    row("parallelism_config_sp_seq_length_is_variable", Type::boolean, "Length changes",
        "Sequences differ in length from batch to batch")
        .flag("--parallelism_config_sp_seq_length_is_variable", true)
        .when_set("PARALLELISM_CONFIG_SP_SEQ_LENGTH_IS_VARIABLE")
        .since("1.12")
        .applies(splits_sequence, kSequenceIsSplit);
    row("parallelism_config_sp_attn_implementation", Type::text, "Attention",
        "sdpa, flash_attention_2, flash_attention_3 or a flash-attn kernel of the hub")
        .flag("--parallelism_config_sp_attn_implementation", "sdpa")
        .when_set("PARALLELISM_CONFIG_SP_ATTN_IMPLEMENTATION")
        .since("1.12")
        .applies(splits_sequence, kSequenceIsSplit);
}

}  // namespace trainyard::settings
