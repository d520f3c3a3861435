// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/schema.h"

#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "config/accelerate/check.h"
#include "support/says.h"

namespace trainyard::settings {
namespace {

bool stands_in_file(const Key& key) {
    return key.section != Section::launch;
}

TEST(Schema, NamesEachKeyOnce) {
    std::set<std::pair<bool, std::string>> paths;
    for (const Key& key : schema())
        EXPECT_TRUE(paths.emplace(key.section == Section::sagemaker, key.path()).second) << key.path();
}

TEST(Schema, FindsEachKeyByItsPathAndOtherSpellings) {
    for (const Key& key : schema()) {
        if (!stands_in_file(key))
            continue;
        bool sagemaker = key.section == Section::sagemaker;
        EXPECT_EQ(find_key(key.path(), sagemaker), &key) << key.path();
        for (std::string_view alias : key.aliases)
            EXPECT_EQ(find_key(std::string(table_name(key.section)) + "." + std::string(alias)), &key) << alias;
    }
    EXPECT_EQ(find_key("fsdp_config.version"), find_key("fsdp_config.fsdp_version"));
    EXPECT_EQ(find_key("fp8_config.fp8_backend"), find_key("fp8_config.backend"));
    EXPECT_EQ(find_key("dynamo_config.mode"), find_key("dynamo_config.dynamo_mode"));
    EXPECT_EQ(find_key("megatron_lm_config.tp_degree"), nullptr) << "Accelerate needs the full name there";
    EXPECT_EQ(find_key("deepspeed_config.deepspeed_zero_stage"), nullptr);
    EXPECT_EQ(find_key("num_processes", true), nullptr) << "SageMaker does not have this key";
    EXPECT_NE(find_key("ec2_instance_type", true), nullptr);
    EXPECT_EQ(find_key("ec2_instance_type"), nullptr);
    EXPECT_NE(find_key("distributed_type")->choices, find_key("distributed_type", true)->choices);
}

TEST(Schema, FlagsAreUniqueAndTakeHyphens) {
    std::set<std::string> names;
    for (const Key& key : schema()) {
        if (key.flag.kind == FlagKind::none)
            continue;
        EXPECT_TRUE(key.flag.name.starts_with("--")) << key.flag.name;
        EXPECT_TRUE(names.insert(std::string(key.flag.name)).second) << key.flag.name;
        EXPECT_FALSE(key.flag.group.empty()) << key.flag.name << " needs a heading in --help";
        EXPECT_EQ(find_flag(key.flag.name), &key);
        std::string hyphens(key.flag.name);
        std::ranges::replace(hyphens, '_', '-');
        EXPECT_EQ(find_flag(hyphens), &key) << hyphens;
    }
    EXPECT_EQ(find_flag("-m"), find_flag("--module"));
    EXPECT_EQ(find_flag("--dry_run"), find_flag("--dry-run"));
    EXPECT_EQ(find_flag("--nothing"), nullptr);
    EXPECT_EQ(find_flag(""), nullptr);
    EXPECT_EQ(find_flag("--"), nullptr);
}

/// Every flag of Accelerate's launch parser.
TEST(Schema, HasEveryFlagOfTheReference) {
    for (std::string_view flag : {"config_file",
                                  "quiet",
                                  "module",
                                  "no_python",
                                  "debug",
                                  "cpu",
                                  "multi_gpu",
                                  "tpu",
                                  "mixed_precision",
                                  "num_processes",
                                  "num_machines",
                                  "num_cpu_threads_per_process",
                                  "enable_cpu_affinity",
                                  "dynamo_backend",
                                  "dynamo_mode",
                                  "dynamo_use_fullgraph",
                                  "dynamo_use_dynamic",
                                  "dynamo_use_regional_compilation",
                                  "use_deepspeed",
                                  "use_fsdp",
                                  "use_parallelism_config",
                                  "use_megatron_lm",
                                  "gpu_ids",
                                  "same_network",
                                  "machine_rank",
                                  "main_process_ip",
                                  "main_process_port",
                                  "tee",
                                  "log_dir",
                                  "role",
                                  "rdzv_backend",
                                  "rdzv_conf",
                                  "max_restarts",
                                  "monitor_interval",
                                  "tpu_cluster",
                                  "no_tpu_cluster",
                                  "tpu_use_sudo",
                                  "vm",
                                  "env",
                                  "main_training_function",
                                  "downcast_bf16",
                                  "deepspeed_config_file",
                                  "zero_stage",
                                  "offload_optimizer_device",
                                  "offload_param_device",
                                  "offload_optimizer_nvme_path",
                                  "offload_param_nvme_path",
                                  "gradient_accumulation_steps",
                                  "gradient_clipping",
                                  "zero3_init_flag",
                                  "zero3_save_16bit_model",
                                  "deepspeed_hostfile",
                                  "deepspeed_exclusion_filter",
                                  "deepspeed_inclusion_filter",
                                  "deepspeed_multinode_launcher",
                                  "deepspeed_moe_layer_cls_names",
                                  "fsdp_version",
                                  "fsdp_offload_params",
                                  "fsdp_min_num_params",
                                  "fsdp_sharding_strategy",
                                  "fsdp_reshard_after_forward",
                                  "fsdp_auto_wrap_policy",
                                  "fsdp_transformer_layer_cls_to_wrap",
                                  "fsdp_backward_prefetch",
                                  "fsdp_state_dict_type",
                                  "fsdp_forward_prefetch",
                                  "fsdp_use_orig_params",
                                  "fsdp_cpu_ram_efficient_loading",
                                  "fsdp_sync_module_states",
                                  "fsdp_activation_checkpointing",
                                  "megatron_lm_tp_degree",
                                  "megatron_lm_pp_degree",
                                  "megatron_lm_num_micro_batches",
                                  "megatron_lm_gradient_clipping",
                                  "megatron_lm_recompute_granularity",
                                  "megatron_lm_use_rotary_position_embeddings",
                                  "fp8_backend",
                                  "fp8_use_autocast_during_eval",
                                  "fp8_margin",
                                  "fp8_interval",
                                  "fp8_format",
                                  "fp8_amax_history_len",
                                  "fp8_amax_compute_algo",
                                  "fp8_override_linear_precision",
                                  "fp8_opt_level",
                                  "fp8_enable_fsdp_float8_all_gather",
                                  "fp8_pad_inner_dim",
                                  "parallelism_config_dp_replicate_size",
                                  "parallelism_config_dp_shard_size",
                                  "parallelism_config_tp_size",
                                  "parallelism_config_cp_size",
                                  "parallelism_config_sp_size",
                                  "parallelism_config_cp_backend",
                                  "parallelism_config_cp_comm_strategy",
                                  "parallelism_config_sp_backend",
                                  "parallelism_config_sp_seq_length",
                                  "parallelism_config_sp_seq_length_is_variable",
                                  "parallelism_config_sp_attn_implementation",
                                  "mpirun_hostfile",
                                  "aws_access_key_id",
                                  "aws_secret_access_key"})
        EXPECT_NE(find_flag(flag), nullptr) << flag;
}

TEST(Schema, EachKeyIsExplainedAndItsDefaultsFit) {
    for (const Key& key : schema()) {
        SCOPED_TRACE(key.path());
        EXPECT_FALSE(key.label.empty());
        EXPECT_FALSE(key.help.empty());
        EXPECT_FALSE(key.help.ends_with('.'));
        EXPECT_EQ(key.applies == nullptr, key.applies_when.empty());
        EXPECT_EQ(key.type == Type::choice, !key.choices.empty());
        std::set<std::string_view> choices(key.choices.begin(), key.choices.end());
        EXPECT_EQ(choices.size(), key.choices.size());
        EXPECT_LE(key.range.least, key.range.most);
        if (!stands_in_file(key))
            continue;
        bool sagemaker = key.section == Section::sagemaker;
        bool open = key.name == "num_processes";  // -1: to be given at the launch
        EXPECT_EQ(check_value(key.path(), open ? Value() : key.fallback, sagemaker), std::nullopt);
        EXPECT_EQ(check_value(key.path(), key.flag.fallback, sagemaker), std::nullopt);
        EXPECT_EQ(check_value(key.path(), key.effective, sagemaker), std::nullopt);
        for (std::string_view choice : key.choices)
            EXPECT_EQ(check_value(key.path(), Value(choice), sagemaker), std::nullopt) << choice;
    }
}

TEST(Schema, KeyReferenceIsUpToDate) {
    std::ifstream stream(std::string(TRAINYARD_SOURCE_DIR) + "/engine/config/accelerate/KEYS.md");
    std::stringstream file;
    file << stream.rdbuf();
    EXPECT_TRUE(file.str() == keys_markdown())
        << "regenerate it: TRAINYARD_WRITE_KEYS=1 build/release/tests/test_settings_schema";
    if (std::getenv("TRAINYARD_WRITE_KEYS") != nullptr)
        std::ofstream(std::string(TRAINYARD_SOURCE_DIR) + "/engine/config/accelerate/KEYS.md") << keys_markdown();
}

TEST(Schema, TypedTextBecomesTheKeysType) {
    EXPECT_EQ(value_from_text("num_processes", "8"), Value(8));
    EXPECT_EQ(value_from_text("use_cpu", "yes"), Value(true));
    EXPECT_EQ(value_from_text("use_cpu", "False"), Value(false));
    EXPECT_EQ(value_from_text("fsdp_config.fsdp_min_num_params", "1e8"), Value(100000000));
    EXPECT_EQ(value_from_text("gpu_ids", "0,1"), Value("0,1"));
    EXPECT_EQ(value_from_text("deepspeed_config.gradient_clipping", "0.5"), Value(0.5));
    EXPECT_EQ(value_from_text("deepspeed_config.gradient_clipping", "auto"), Value("auto"));
    EXPECT_EQ(value_from_text("dynamo_config.dynamo_backend", "inductor"), Value("INDUCTOR"));
    EXPECT_EQ(value_from_text("fp8_config.override_linear_precision", "false,false,true"),
              Value(Value::List{false, false, true}));
    EXPECT_EQ(value_from_text("tpu_env", "A=1,B=2"), Value(Value::List{"A=1", "B=2"}));
    EXPECT_TRUE(value_from_text("num_processes", " ").is_null());
    EXPECT_EQ(value_from_text("num_processes", "four"), Value("four"));
    EXPECT_THAT(check_value("num_processes", Value("four")).value(),
                testing::StrEq("num_processes the text \"four\" is not a whole number: use one such as 1"));
    EXPECT_THAT(
        check_value("main_process_port", Value(99999)).value(),
        test::says_only("{} is not a port: use 0 to 65535, 0 picks a free one", 99999).after("main_process_port "));
    EXPECT_THAT(check_value("distributed_type", Value("MULTI_GPUS")).value(),
                test::says("{} is not known: did you mean '{}'?", testing::_, "MULTI_GPU"));
    EXPECT_EQ(check_value("anything", Value("goes")), std::nullopt);
}

}  // namespace
}  // namespace trainyard::settings
