// SPDX-License-Identifier: GPL-3.0-or-later
// What a settings file and flags set of a recipe: the functions behind `launch`, the wizard's memory panel and the
// checks before a start.

#include "launch/plan/recipe_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "launch/plan/counts.h"
#include "launch/plan/deepspeed_file.h"
#include "launch/plan/recipe_limit.h"
#include "launch/plan/recipe_settings.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::plan {
namespace {

using test::says;
using testing::ElementsAre;
using testing::StartsWith;
using testing::UnorderedElementsAre;

settings::Settings deepspeed() {
    settings::Settings settings;
    settings.set("distributed_type", "DEEPSPEED");
    return settings;
}

TEST(RecipeKeys, SettingsActWhereTheRecipeLeavesTheDefault) {
    settings::Settings settings = deepspeed();
    EXPECT_EQ(with_settings({}, settings).parallel.zero_stage, 2) << "DeepSpeed's own default";
    settings.set("deepspeed_config.zero_stage", std::int64_t{1});
    settings.set("deepspeed_config.gradient_clipping", "auto");
    settings.set("deepspeed_config.gradient_accumulation_steps", std::int64_t{4});
    config::Recipe recipe;
    recipe.training.max_grad_norm = 0.5;
    recipe = with_settings(recipe, settings);
    EXPECT_EQ(recipe.parallel.zero_stage, 1);
    EXPECT_EQ(recipe.training.gradient_accumulation_steps, 4);
    EXPECT_EQ(recipe.training.max_grad_norm, 0.5) << "auto is the recipe's own";
    settings.set("deepspeed_config.gradient_accumulation_steps", std::int64_t{8});
    try {
        with_settings(recipe, settings);
        FAIL() << "4 and 8 contradict";
    } catch (const InvalidInput& error) {
        ASSERT_EQ(error.problems().size(), 1U);
        EXPECT_EQ(error.problems()[0].key, "training.gradient_accumulation_steps");
        EXPECT_THAT(error.problems()[0].text(),
                    says("the recipe says {} and {} says {}: let them agree, or leave it out in one of them", 4,
                         "deepspeed_config.gradient_accumulation_steps", StartsWith("8")));
    }
}

TEST(RecipeKeys, AValueThatIsRefusedIsThatOfItsSetting) {
    settings::Settings settings;
    settings.set("mixed_precision", "half");
    try {
        with_settings({}, settings);
        FAIL() << "there is no such precision";
    } catch (const InvalidInput& error) {
        ASSERT_FALSE(error.problems().empty());
        EXPECT_EQ(error.problems()[0].file, "mixed_precision");
        EXPECT_EQ(error.problems()[0].key, "training.mixed_precision");
    }
}

TEST(RecipeKeys, LibrariesOfFp8AreScalings) {
    settings::Settings settings;
    settings.set("mixed_precision", "fp8");
    config::Recipe recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.training.mixed_precision, Precision::fp8);
    EXPECT_EQ(recipe.fp8, config::Fp8Recipe{});
    settings.set("fp8_config.backend", "TE");
    settings.set("fp8_config.margin", std::int64_t{2});
    settings.set("fp8_config.interval", std::int64_t{3});
    settings.set("fp8_config.amax_history_len", std::int64_t{16});
    settings.set("fp8_config.amax_compute_algo", "max");
    settings.set("fp8_config.fp8_format", "E4M3");
    settings.set("fp8_config.override_linear_precision", Value(Value::List{false, true, true}));
    recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.fp8.scaling, config::Fp8Scaling::delayed);
    EXPECT_EQ(recipe.fp8.margin, 2);
    EXPECT_EQ(recipe.fp8.interval, 3);
    EXPECT_EQ(recipe.fp8.amax_history_len, 16);
    EXPECT_EQ(recipe.fp8.amax_compute_algo, config::AmaxAlgorithm::max);
    EXPECT_EQ(recipe.fp8.fp8_format, config::Fp8Format::e4m3);
    EXPECT_THAT(recipe.fp8.full_precision, ElementsAre("dgrad", "wgrad"));
    settings.set("fp8_config.use_mxfp8_block_scaling", true);
    try {
        with_settings({}, settings);
        FAIL() << "blocks have neither history nor interval";
    } catch (const InvalidInput& error) {
        std::vector<std::string> keys;
        for (const Problem& problem : error.problems())
            keys.push_back(problem.key);
        EXPECT_THAT(keys, UnorderedElementsAre("fp8.interval", "fp8.amax_history_len", "fp8.amax_compute_algo",
                                               "fp8.full_precision"));
    }
    settings.set("fp8_config.interval", std::int64_t{1});
    settings.set("fp8_config.amax_history_len", std::int64_t{1024});
    settings.set("fp8_config.amax_compute_algo", "most_recent");
    settings.set("fp8_config.override_linear_precision", Value(Value::List{false, false, false}));
    recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.fp8.scaling, config::Fp8Scaling::mxfp8);
    EXPECT_EQ(recipe.fp8.margin, 0) << "of delayed scaling alone";
    settings.set("fp8_config.backend", "ao");
    recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.fp8.scaling, config::Fp8Scaling::tensorwise);
    EXPECT_EQ(recipe.fp8.fp8_format, config::Fp8Format::hybrid) << "of Transformer Engine alone";
    settings.set("fp8_config.enable_fsdp_float8_all_gather", true);
    EXPECT_FALSE(with_settings({}, settings).fp8.enable_fsdp_float8_all_gather) << "weights are whole";
    settings.set("distributed_type", "FSDP");
    settings.set("num_processes", std::int64_t{2});
    settings.set("fsdp_config.fsdp_version", std::int64_t{2});
    recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.parallel.zero_stage, 3);
    EXPECT_TRUE(recipe.fp8.enable_fsdp_float8_all_gather);
    settings.set("fp8_config.enable_fsdp_float8_all_gather", false);
    EXPECT_FALSE(with_settings({}, settings).fp8.enable_fsdp_float8_all_gather);
    settings.set("fp8_config.enable_fsdp_float8_all_gather", true);
    settings.set("fp8_config.backend", "TE");
    settings.set("fp8_config.use_mxfp8_block_scaling", false);
    EXPECT_FALSE(with_settings({}, settings).fp8.enable_fsdp_float8_all_gather) << "of torchao alone";
}

TEST(RecipeKeys, FormatsOfFp8ThatAreNotComputedAreRefused) {
    const auto refused = [](const char* key, const char* value, const char* backend) {
        Resolved resolved;
        resolved.file = "settings.yaml";
        for (const auto& [path, text] : {std::pair<std::string, const char*>{"mixed_precision", "fp8"},
                                         {"fp8_config.backend", backend},
                                         {key, value}}) {
            resolved.settings.set(path, text);
            resolved.origins[path] = Origin::file;
        }
        std::vector<std::string> keys;
        for (const Problem& problem : refused_settings(settings_of_recipe({}, resolved)))
            keys.push_back(problem.key);
        return keys;
    };
    EXPECT_THAT(refused("fp8_config.backend", "MSAMP", "MSAMP"), ElementsAre("fp8_config.backend"));
    EXPECT_THAT(refused("fp8_config.fp8_format", "E5M2", "TE"), ElementsAre("fp8_config.fp8_format"));
    EXPECT_THAT(refused("fp8_config.fp8_format", "HYBRID", "TE"), ElementsAre());
    EXPECT_THAT(refused("fp8_config.pad_inner_dim", "true", "AO"), ElementsAre());
}

TEST(RecipeKeys, OptimizerStateOnADiskHasAFolder) {
    settings::Settings settings = deepspeed();
    settings.set("deepspeed_config.offload_optimizer_device", "nvme");
    const config::Recipe recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.parallel.offload_optimizer_device, config::OffloadDevice::nvme);
    EXPECT_EQ(recipe.parallel.offload_optimizer_nvme_path, "/nvme");
}

TEST(RecipeKeys, DeepspeedsOwnFileTakesThePlaceOfTheKeys) {
    test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "ds.json";
    write_file_atomically(file, R"({"zero_optimization": {"stage": 1}, "gradient_clipping": 2.0})");
    settings::Settings settings = deepspeed();
    settings.set("deepspeed_config.deepspeed_config_file", file.string());
    const config::Recipe recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.parallel.zero_stage, 1);
    EXPECT_EQ(recipe.training.max_grad_norm, 2.0);
    std::filesystem::remove(file);
    EXPECT_THROW(with_settings({}, settings), UserError);
    settings.set("distributed_type", "MULTI_CPU");
    EXPECT_EQ(with_settings({}, settings), config::Recipe{}) << "the file is of another way of training";
}

/// Values that are auto take hidden_size, or the largest of hidden_sizes where a model has one for each stage.
TEST(RecipeKeys, BucketsFollowTheHiddenSizeOfTheModel) {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "ds.json";
    write_file_atomically(file, R"({"zero_optimization": {"stage": 3, "reduce_bucket_size": "auto",
        "stage3_prefetch_bucket_size": "auto", "stage3_param_persistence_threshold": "auto"}})");
    settings::Settings settings = deepspeed();
    settings.set("deepspeed_config.deepspeed_config_file", file.string());
    const auto expect_hidden_size = [&](const std::string& model, std::int64_t hidden, const std::string& data = {}) {
        const config::Recipe recipe =
            config::parse_recipe("model: " + model + "\ndata: {path: x" + data + "}\n", "/recipe.yaml");
        const auto zero =
            nlohmann::json::parse(resolved_deepspeed(settings, Paradigm::deepspeed, recipe, 2)).at("zero_optimization");
        EXPECT_EQ(zero.at("reduce_bucket_size"), hidden * hidden) << model;
        EXPECT_EQ(zero.at("stage3_param_persistence_threshold"), 10 * hidden) << model;
    };
    expect_hidden_size("{n_embd: 48, n_head: 4}", 48);
    expect_hidden_size("{model_type: llama, hidden_size: 64, num_attention_heads: 4}", 64);
    expect_hidden_size("{model_type: resnet, hidden_sizes: [16, 96, 32], depths: [1, 1, 1]}", 96, ", format: images");
}

TEST(RecipeKeys, MeshAndActivationCheckpointingOfFsdp) {
    settings::Settings settings;
    settings.set("distributed_type", "FSDP");
    settings.set("fsdp_config.fsdp_activation_checkpointing", true);
    settings.set("parallelism_config.parallelism_config_dp_replicate_size", std::int64_t{2});
    const config::Recipe recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.parallel.dp_replicate_size, 2);
    EXPECT_EQ(recipe.training.activation_checkpointing, config::Recomputation::full);
}

TEST(RecipeKeys, RanksThatShareSequences) {
    settings::Settings settings;
    settings.set("distributed_type", "FSDP");
    settings.set("fsdp_config.fsdp_version", std::int64_t{2});
    settings.set("parallelism_config.parallelism_config_cp_size", std::int64_t{4});
    config::Recipe recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.parallel.cp_size, 4);
    EXPECT_EQ(recipe.parallel.cp_rotate_method, config::RotateMethod::allgather);
    settings.set("parallelism_config.parallelism_config_cp_comm_strategy", "alltoall");
    EXPECT_EQ(with_settings({}, settings).parallel.cp_rotate_method, config::RotateMethod::alltoall);
    settings::Settings of_heads = deepspeed();
    of_heads.set("parallelism_config.parallelism_config_sp_size", std::int64_t{2});
    EXPECT_EQ(with_settings({}, of_heads).parallel.sp_size, 2);
}

TEST(RecipeKeys, MegatronsSizesAreThoseOfTheMesh) {
    settings::Settings settings;
    settings.set("distributed_type", "MEGATRON_LM");
    const auto set = [&](const char* name, auto value) {
        settings.set(std::string("megatron_lm_config.megatron_lm_") + name, value);
    };
    set("sequence_parallelism", true);
    EXPECT_FALSE(with_settings({}, settings).parallel.tp_sequence_parallel) << "without ranks that share layers";
    set("tp_degree", std::int64_t{2});
    set("pp_degree", std::int64_t{2});
    set("num_micro_batches", std::int64_t{4});
    set("use_distributed_optimizer", true);
    set("recompute_activations", true);
    set("gradient_clipping", 0.5);
    const config::Recipe recipe = with_settings({}, settings);
    EXPECT_EQ(recipe.parallel.tp_size, 2);
    EXPECT_TRUE(recipe.parallel.tp_sequence_parallel);
    EXPECT_EQ(recipe.parallel.pp_size, 2);
    EXPECT_EQ(recipe.training.gradient_accumulation_steps, 4);
    EXPECT_EQ(recipe.parallel.zero_stage, 1);
    EXPECT_EQ(recipe.training.activation_checkpointing, config::Recomputation::selective);
    EXPECT_EQ(recipe.training.max_grad_norm, 0.5);
    set("recompute_granularity", "full");
    EXPECT_EQ(with_settings({}, settings).training.activation_checkpointing, config::Recomputation::selective)
        << "as in Megatron-LM, recompute_activations wins";
    set("recompute_activations", false);
    EXPECT_EQ(with_settings({}, settings).training.activation_checkpointing, config::Recomputation::full);
    set("recompute_granularity", "selective");
    EXPECT_EQ(with_settings({}, settings).training.activation_checkpointing, config::Recomputation::selective);
    set("recompute_granularity", Value());
    config::Recipe recomputes;
    recomputes.training.activation_checkpointing = config::Recomputation::full;
    EXPECT_THROW(with_settings(recomputes, settings), InvalidInput) << "recompute_activations is false";
    EXPECT_EQ(config::check_recipe(recipe).size(), 0U);
    const config::Recipe of_experts = config::parse_recipe("model: {model_type: mixtral}\ndata: {path: a}\n", "r.yaml");
    set("expert_model_parallel_size", std::int64_t{2});
    set("context_parallel_size", std::int64_t{2});
    EXPECT_EQ(with_settings(of_experts, settings).parallel.ep_size, 2);
    EXPECT_EQ(with_settings(of_experts, settings).parallel.cp_size, 2);
    const Flags flags = parse_flags({"--use_megatron_lm", "--num_processes", "2", "--megatron_lm_tp_degree", "2",
                                     "--megatron_lm_use_custom_fsdp", "true", "r.yaml"});
    const Resolved resolved = resolve(flags, std::nullopt, settings::Machine(), {});
    std::string tensor;
    for (const config::GivenKey& one : recipe_keys(flags, resolved))
        if (one.key == "parallel.tp_size")
            tensor = one.value;
    EXPECT_EQ(tensor, "2");
    const std::vector<Problem> refused = refused_settings(settings_of_recipe(flags, resolved));
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].key, "--megatron_lm_use_custom_fsdp");
}

TEST(RecipeKeys, HybridShardingHasACopyOnEachMachine) {
    settings::Settings settings;
    settings.set("distributed_type", "FSDP");
    settings.set("fsdp_config.fsdp_sharding_strategy", "HYBRID_SHARD");
    settings.set("num_machines", std::int64_t{2});
    settings.set("num_processes", std::int64_t{8});
    const config::ParallelRecipe parallel = with_settings({}, settings).parallel;
    EXPECT_EQ(parallel.zero_stage, 3);
    EXPECT_EQ(parallel.dp_replicate_size, 2);
    EXPECT_EQ(parallel.dp_shard_size, 4);
    EXPECT_FALSE(recipe_limit(settings));
    settings.set("num_processes", std::int64_t{7});
    ASSERT_TRUE(recipe_limit(settings));
    EXPECT_EQ(recipe_limit(settings)->key, "fsdp_config.fsdp_sharding_strategy");
    settings.set("num_machines", std::int64_t{1});
    EXPECT_EQ(with_settings({}, settings).parallel.dp_replicate_size, 0) << "one machine has one copy";
}

/// Ways of training and keys that a recipe accepts have no limit, and those that it refuses have one with the same key.
TEST(RecipeKeys, OneTableLimitsRecipesAndPrograms) {
    struct Row {
        const char* type;
        std::vector<std::pair<std::string, Value>> keys;
        std::string recipe, program;  ///< key of the limit; empty: none
    };
    const std::string fsdp = "fsdp_config.", deepspeed = "deepspeed_config.", mesh = "parallelism_config.";
    for (const Row& row :
         std::vector<Row>{{"MULTI_GPU", {}, "", ""},
                          {"FSDP", {}, "", ""},
                          {"FSDP", {{fsdp + "fsdp_sharding_strategy", "NO_SHARD"}}, "", ""},
                          {"FSDP", {{fsdp + "fsdp_version", 2}}, "", ""},
                          {"FSDP", {{fsdp + "fsdp_offload_params", true}, {"use_cpu", true}}, "", ""},
                          {"FSDP", {{fsdp + "fsdp_ignored_modules", "head"}}, "", ""},
                          {"FSDP",
                           {{fsdp + "fsdp_sharding_strategy", "NO_SHARD"}, {fsdp + "fsdp_offload_params", true}},
                           fsdp + "fsdp_offload_params",
                           fsdp + "fsdp_offload_params"},
                          {"DEEPSPEED", {{deepspeed + "zero_stage", 2}}, "", ""},
                          {"DEEPSPEED", {{deepspeed + "zero_stage", 3}}, "", ""},
                          {"DEEPSPEED",
                           {{deepspeed + "zero_stage", 1}, {deepspeed + "offload_optimizer_device", "cpu"}},
                           deepspeed + "offload_optimizer_device",
                           deepspeed + "offload_optimizer_device"},
                          {"MULTI_GPU",
                           {{mesh + "parallelism_config_dp_shard_size", 2}},
                           mesh + "parallelism_config_dp_shard_size",
                           mesh + "parallelism_config_dp_shard_size"},
                          {"MEGATRON_LM", {}, "", "distributed_type"}}) {
        settings::Settings settings;
        settings.set("distributed_type", row.type);
        for (const auto& [key, value] : row.keys)
            settings.set(key, value);
        const std::string what = std::string(row.type) + (row.keys.empty() ? "" : " " + row.keys.back().first);
        const auto limit = recipe_limit(settings);
        EXPECT_EQ(limit ? limit->key : "", row.recipe) << what;
        const std::string type = row.type;
        const Paradigm asked = type == "FSDP"          ? Paradigm::fsdp
                               : type == "DEEPSPEED"   ? Paradigm::deepspeed
                               : type == "MEGATRON_LM" ? Paradigm::megatron
                                                       : Paradigm::multi_device;
        const auto refused = program_limit(settings, asked, recipe_mesh(settings));
        EXPECT_EQ(refused ? refused->key : "", row.program) << what;
        if (refused) {
            EXPECT_GT(refused->sentence().text().size(), 20u);
        }
    }
}

TEST(RecipeKeys, FlagsAreOverridesAndLeaveOutWhatTheFileSays) {
    const Flags flags = parse_flags({"--use_deepspeed", "--zero_stage", "1", "--gradient_clipping", "auto", "r.yaml"});
    EXPECT_THAT(typed_recipe_keys(flags, {}), ElementsAre("parallel.zero_stage=1"));
    settings::Machine machine;
    const Resolved resolved = resolve(flags, std::nullopt, machine, {});
    for (const config::GivenKey& one : recipe_keys(flags, resolved))
        EXPECT_NE(one.key, "parallel.zero_stage") << one.source;
    EXPECT_TRUE(refused_settings(settings_of_recipe(flags, resolved)).empty());
}

TEST(RecipeKeys, ATypedBackendOfFp8KeepsTheBlockScalingOfTheFile) {
    const Flags flags =
        parse_flags({"--fp8_backend", "TE", "--fp8_override_linear_precision", "true,false,true", "r.yaml"});
    EXPECT_THAT(typed_recipe_keys(flags, {}), ElementsAre("fp8.scaling=delayed", "fp8.full_precision=[fprop, wgrad]"));
    settings::Settings settings;
    settings.set("fp8_config.use_mxfp8_block_scaling", true);
    EXPECT_EQ(typed_recipe_keys(flags, settings).front(), "fp8.scaling=mxfp8");
    EXPECT_THAT(typed_recipe_keys(parse_flags({"--fp8_margin", "2", "r.yaml"}), settings), ElementsAre())
        << "scales that are powers of two have no margin";
}

TEST(RecipeKeys, HostsWithoutANumberShareTheRestEvenly) {
    Flags flags = parse_flags({"--hosts", "a:2,b,c", "--num_processes", "6", "r.yaml"});
    const std::vector<HostRanks> hosts = host_shares(flags);
    ASSERT_EQ(hosts.size(), 3U);
    EXPECT_EQ(hosts[0].ranks, 2);
    EXPECT_EQ(hosts[1].ranks, 2);
    EXPECT_EQ(hosts[2].ranks, 2);
    EXPECT_EQ(as_one_machine(flags).number("num_processes"), 6);
    EXPECT_TRUE(as_one_machine(flags).hosts.empty());
    flags.typed.insert_or_assign("num_processes", Value(std::int64_t{5}));
    EXPECT_THROW(host_shares(flags), UserError) << "3 ranks on 2 hosts";
}

}  // namespace
}  // namespace trainyard::plan
