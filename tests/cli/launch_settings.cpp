// SPDX-License-Identifier: GPL-3.0-or-later
// Tests every key of a settings file and every flag of `launch` with a recipe: an applied setting changes the plan, an
// ignored one is reported with the reason, and none is dropped silently. The keys are those of the schema, from which
// engine/config/accelerate/KEYS.md is generated.

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/recipe_plan.h"
#include "config/accelerate/schema.h"
#include "launch/supervisor/rank_orders.h"
#include "support/says.h"

namespace trainyard::cli {
namespace {

using Json = nlohmann::json;
using settings::Key;
using settings::Section;
using test::effect_of;
using test::other_value;
using test::row_of;
using test::Said;
using test::says;
using test::words_of;
using ::testing::AllOf;
using testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::StartsWith;

class LaunchSettingsOfRecipe : public test::RecipePlan {};

TEST_F(LaunchSettingsOfRecipe, EveryKeyOfAFileIsAppliedOrNamed) {
    const Said usual = plan({"--config_file", file({})});
    ASSERT_EQ(usual.code, 0) << usual.err;
    const std::string before = effect_of(Json::parse(usual.out));
    int applied = 0, named = 0;
    for (const Key& key : settings::schema()) {
        if (key.section == Section::launch || key.section == Section::sagemaker || key.name == "compute_environment")
            continue;
        const std::string path = key.path(), value = key.name == "num_processes" ? "3" : other_value(key);
        const Said said = plan({"--config_file", file({{path, value}})});
        if (said.code != 0) {
            EXPECT_EQ(said.code, 2) << path << ": " << said.err;
            // The message has the name of the key, of its table, or of the feature that it enables.
            EXPECT_THAT(said.err,
                        ::testing::AnyOf(HasSubstr(std::string(key.name)),
                                         HasSubstr(key.section == Section::parallelism ? "parallelism_config: a mesh"
                                                                                       : "2 machines meet")))
                << path << " " << value;
            ++named;
            continue;
        }
        const Json after = Json::parse(said.out);
        const Json row = row_of(after, path);
        if (row.is_null()) {
            ADD_FAILURE() << path << " is dropped silently";
            continue;
        }
        EXPECT_GT(words_of(row).size(), 8u) << path;
        EXPECT_NE(row["effect"], "refused") << path << ": a refused setting must not give a plan";
        expect_effect(row, before != effect_of(after), path + " " + value, path, applied, named);
    }
    EXPECT_GE(applied, 4);
    EXPECT_GE(named, 80);
}

/// Also where the way of training depends on them.
TEST_F(LaunchSettingsOfRecipe, EveryKeyOfShardingIsFollowedToItsEffect) {
    using Keys = std::map<std::string, std::string>;
    int applied = 0, named = 0;
    for (const auto& [section, base] : std::vector<std::pair<Section, Keys>>{
             {Section::fsdp,
              {{"distributed_type", "FSDP"},
               {"fsdp_config.fsdp_version", "1"},
               {"fsdp_config.fsdp_auto_wrap_policy", "'SIZE_BASED_WRAP'"}}},
             {Section::fsdp,
              {{"distributed_type", "FSDP"},
               {"fsdp_config.fsdp_version", "2"},
               {"fsdp_config.fsdp_auto_wrap_policy", "'TRANSFORMER_BASED_WRAP'"}}},
             {Section::deepspeed, {{"distributed_type", "DEEPSPEED"}, {"deepspeed_config.zero_stage", "3"}}}}) {
        const Said usual = plan({"--config_file", file(base)});
        ASSERT_EQ(usual.code, 0) << usual.err;
        const std::string before = effect_of(Json::parse(usual.out));
        for (const Key& key : settings::schema()) {
            const std::string path = key.path();
            Keys keys = base;
            keys[path] = other_value(key);
            // Both versions shard weights alike.
            if (key.section != section || keys == base || path == "fsdp_config.fsdp_version")
                continue;
            SCOPED_TRACE(path + " " + keys[path] + " beside " + base.begin()->second);
            const Said said = plan({"--config_file", file(keys)});
            if (said.code != 0) {
                EXPECT_EQ(said.code, 2);
                EXPECT_THAT(said.err, HasSubstr(std::string(key.name)));
                ++named;
                continue;
            }
            const Json after = Json::parse(said.out), row = row_of(after, path);
            ASSERT_FALSE(row.is_null()) << "dropped silently";
            EXPECT_GT(words_of(row).size(), 8u);
            expect_effect(row, before != effect_of(after), path, path, applied, named);
        }
    }
    EXPECT_GE(applied, 6);
    EXPECT_GE(named, 20);
}

TEST_F(LaunchSettingsOfRecipe, EveryFlagIsAppliedOrNamed) {
    const std::string settings_file = file({});
    const Said usual = plan({"--config_file", settings_file});
    ASSERT_EQ(usual.code, 0) << usual.err;
    const std::string before = effect_of(Json::parse(usual.out));
    // These ask for something else than a plan, or are part of how this test asks.
    const std::set<std::string_view> kOther{"module", "no_python", "config_file", "dry_run", "json",
                                            "check",  "slurm",     "hosts",       "hostfile"};
    // Flags that belong to the launch and do not change the planned run.
    const std::set<std::string> kOfLaunch{"--queue", "--detach",          "--run_dir",
                                          "--cpu",   "--mpirun_hostfile", "--standalone"};
    for (const Key& key : settings::schema()) {
        if (key.flag.kind == settings::FlagKind::none || kOther.contains(key.name) || key.section == Section::sagemaker)
            continue;
        std::string value = other_value(key);
        if (value.front() == '\'')
            value = value.substr(1, value.size() - 2);
        if (key.name == "num_processes")
            value = "3";
        if (key.name == "set")
            value = "training.steps=77";
        if (key.name == "run_dir")
            value = (fake_.recipe().parent_path() / "own_run").string();
        std::vector<std::string> words{"--config_file", settings_file, std::string(key.flag.name)};
        if (key.flag.kind == settings::FlagKind::value || key.flag.kind == settings::FlagKind::repeated)
            words.push_back(value);
        const Said said = plan(words);
        const std::string flag(key.flag.name);
        if (said.code != 0) {
            EXPECT_EQ(said.code, 2) << flag << ": " << said.err;
            // The message has the name of the key, or of the feature that it enables.
            static const std::map<std::string_view, std::string> kAsksFor{
                {"num_machines", "2 machines meet"},
                {"tpu_use_cluster", "tpu_name"},
                {"tpu", "not with TPU"},
                {"backend", "fp8.scaling: has no effect"},
                {"override_linear_precision", "fp8.full_precision: has no effect"}};
            auto asks = kAsksFor.find(key.name);
            EXPECT_THAT(said.err, ::testing::AnyOf(HasSubstr(flag), HasSubstr(std::string(key.name)),
                                                   HasSubstr(asks == kAsksFor.end() ? flag : asks->second)))
                << value;
            continue;
        }
        const Json after = Json::parse(said.out, nullptr, false);
        ASSERT_FALSE(after.is_discarded()) << flag << ": " << said.out;
        const Json row = row_of(after, flag);
        ASSERT_FALSE(row.is_null()) << flag << " is dropped silently";
        EXPECT_GT(words_of(row).size(), 8u) << flag;
        const bool changes = row["effect"] == "applied" && !kOfLaunch.contains(flag) &&
                             key.standard().display() != value &&
                             words_of(row).find("way of training") == std::string::npos;
        if (changes) {
            EXPECT_TRUE(before != effect_of(after)) << flag << " " << value << " has no effect";
        } else if (row["effect"] == "ignored") {
            EXPECT_TRUE(before == effect_of(after)) << flag << " " << value << " has an effect";
        }
    }
}

TEST_F(LaunchSettingsOfRecipe, WhatAFileSaysReachesTheRun) {
    Said said = plan({"--config_file", file({{"debug", "true"}, {"enable_cpu_affinity", "true"}})});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(),
                AllOf(HasSubstr("  debug: true\n"), HasSubstr("cpu_affinity: true\n")));
    said = plan({"--config_file", file({{"dynamo_config.dynamo_backend", "INDUCTOR"}})});
    EXPECT_EQ(said.code, 0) << "the setting of a Python compiler must not prevent training: " << said.err;
    said = test::trainyard({"launch", "--dry-run", "--config_file",
                            file({{"dynamo_config.dynamo_backend", "INDUCTOR"}, {"debug", "true"}}), fake_.recipe()});
    EXPECT_THAT(
        said.out,
        AllOf(HasSubstr("# setting dynamo_config.dynamo_backend INDUCTOR ("),
              says("the engine's kernels are compiled already: there is no Python to compile").after("): ignored: "),
              HasSubstr("# setting debug true ("), HasSubstr("): applied: parallel.debug")));
    EXPECT_THAT(said.out, Not(HasSubstr("# setting num_machines"))) << "default settings must not be listed";
    said = plan({"--config_file", file({}), "--tee", "3", "--log_dir", "somewhere"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(),
                AllOf(HasSubstr("tee: \"3\"\n"), HasSubstr("/somewhere\"\n")));
}

TEST_F(LaunchSettingsOfRecipe, SizesOfTheMeshActOrAreRefusedByKey) {
    const auto mesh = [&](const std::string& type, const std::string& key, const std::string& size,
                          std::map<std::string, std::string> more = {}) {
        more["distributed_type"] = type;
        more["parallelism_config.parallelism_config_" + key] = size;
        return plan({"--config_file", file(std::move(more))});
    };
    const std::map<std::string, std::string> second{{"fsdp_config.fsdp_version", "2"}};
    Said said = mesh("FSDP", "dp_replicate_size", "2", second);
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(), HasSubstr("dp_replicate_size: 2\n"));
    said = mesh("FSDP", "dp_replicate_size", "3", second);
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("the mesh of {} and {} needs {} instead of {}: start {}, or make the size {}", "1 stage",
                               "3 replicas", "3 ranks", 2, "3 ranks", StartsWith("2"))
                              .after("parallel.dp_replicate_size: "));
    said = mesh("DEEPSPEED", "dp_shard_size", "2", {{"deepspeed_config.zero_stage", "1"}});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(), HasSubstr("dp_shard_size: 2\n"));
    said = mesh("FSDP", "dp_shard_size", "2", second);
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(),
                AllOf(HasSubstr("dp_shard_size: 2\n"), HasSubstr("zero_stage: 3\n")));
    EXPECT_THAT(mesh("MULTI_CPU", "dp_shard_size", "2").err, HasSubstr("nothing is sharded without FSDP or ZeRO"));
    for (const char* type : {"MULTI_CPU", "DEEPSPEED"}) {
        said = mesh(type, "tp_size", "2");
        ASSERT_EQ(said.code, 0) << said.err;
        EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(), HasSubstr("tp_size: 2\n"));
    }
    said = mesh("FSDP", "cp_size", "2", second);
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(), HasSubstr("cp_size: 2\n"));
    said = mesh("DEEPSPEED", "sp_size", "2");
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(), HasSubstr("sp_size: 2\n"));

    const std::string usual = file({{"num_processes", "4"}});
    said = plan({"--config_file", usual, "--use_parallelism_config", "--parallelism_config_dp_replicate_size", "2",
                 "--set", "parallel.pp_size=2", "--set", "model.n_layer=2"});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(),
                AllOf(HasSubstr("dp_replicate_size: 2\n"), HasSubstr("pp_size: 2\n")));
    said = plan({"--config_file", usual, "--parallelism_config_dp_replicate_size", "2"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("it counts only with --use_parallelism_config"));
    EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(), HasSubstr("dp_replicate_size: 0\n"));
    EXPECT_THAT(plan({"--config_file", usual, "--set", "parallel.tp_size=4", "--set", "model.n_head=2"}).err,
                says("{}: {} ({}) does not divide among the ranks: take a divisor of {}",
                     EndsWith("parallel.tp_size: 4"), "model.n_head", 2, 2));
    EXPECT_THAT(plan({"--config_file", usual, "--set", "parallel.tp_size=3", "--set", "model.n_head=3", "--set",
                      "model.n_embd=96"})
                    .err,
                says("{} cannot be divided into groups of {} ranks that share each layer: start a multiple of {} "
                     "ranks, or change tp_size",
                     EndsWith("4 ranks"), 3, 3));
    EXPECT_THAT(plan({"--config_file", usual, "--set", "parallel.cp_size=3"}).err, HasSubstr("parallel.cp_size: 3: "));
    EXPECT_THAT(
        plan({"--config_file", usual, "--set", "parallel.dp_shard_size=4"}).err,
        HasSubstr(
            "parallel.dp_shard_size: 4 ranks can shard optimizer state, gradients and weights, which needs ZeRO"));
}

TEST(RankOrdersOfDevices, TheDevicesOfTheSettingsAreThoseThatRanksSee) {
    run::RunSpec spec;
    spec.launch.num_processes = 2;
    spec.launch.gpu_ids = "2,3";
    for (const auto& [device, variable] :
         {std::pair("cuda", "CUDA_VISIBLE_DEVICES"), {"npu", "ASCEND_RT_VISIBLE_DEVICES"}}) {
        spec.launch.device = device;
        const auto orders =
            launch::rank_orders(run::RunPaths("/run"), spec, run::machines_of(spec.launch), {}, "worker");
        ASSERT_EQ(orders.size(), 1u);
        ASSERT_TRUE(orders[0].environment.contains(variable)) << device;
        EXPECT_EQ(orders[0].environment.at(variable), "2,3");
    }
    EXPECT_EQ(run::parse_spec(run::to_yaml(spec), "run.yaml").launch.gpu_ids, "2,3");
}

}  // namespace
}  // namespace trainyard::cli
