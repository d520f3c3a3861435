// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard launch RECIPE` with ZeRO stages from the recipe, from a flag, and from settings files for
// DeepSpeed. Each setting takes effect or is refused with a message.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/truth.h"
#include "cli/program.h"
#include "cli/recipe_plan.h"
#include "config/accelerate/schema.h"
#include "launch/fake_run.h"
#include "support/says.h"

namespace trainyard::cli {
namespace {

namespace fs = std::filesystem;
using test::FakeRun;
using test::Said;
using test::says;
using testing::_;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::StartsWith;

class LaunchZero : public ::testing::Test {
  protected:
    /// Returns the output of a dry run: the plan, or the reason for its refusal.
    Said plan(std::vector<std::string> words) {
        words.insert(words.begin(), {"launch", "--dry-run", "--cpu"});
        words.push_back(fake_.recipe());
        return test::trainyard(words);
    }
    std::string settings(const std::string& deepspeed, int processes = 2) {
        const fs::path file = fake_.recipe().parent_path() / "settings.yaml";
        // DeepSpeed's own file has the precision.
        const bool own_file = deepspeed.find("deepspeed_config_file") != std::string::npos;
        write_file_atomically(file,
                              "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\ndebug: false\n"
                              "deepspeed_config:\n" +
                                  deepspeed + "machine_rank: 0\nmain_training_function: main\n" +
                                  (own_file ? "" : "mixed_precision: 'no'\n") +
                                  "num_machines: 1\nnum_processes: " + std::to_string(processes) + "\nuse_cpu: true\n",
                              false);
        return file.string();
    }
    void expect_refused(const std::string& deepspeed, const std::string& sentence) {
        Said said = plan({"--config_file", settings(deepspeed)});
        EXPECT_EQ(said.code, 2) << deepspeed;
        EXPECT_THAT(said.err, HasSubstr(sentence)) << deepspeed;
        EXPECT_TRUE(!fs::exists(fake_.runs()) || fs::is_empty(fake_.runs())) << deepspeed;
    }

    FakeRun fake_;
};

TEST_F(LaunchZero, AFlagSharesOut) {
    Said said = plan({"--zero_stage", "2", "--num_processes", "2"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(
        said.out,
        AllOf(HasSubstr("  zero_stage: 2\n"),
              says("ZeRO-2: optimizer state and gradients are sharded over {}", "2 ranks").after("# ").before("\n")));
    said = plan({"--zero_stage", "1", "--num_processes", "1"});
    EXPECT_THAT(said.out, says("ZeRO-{}: nothing is sharded, since there is one rank", 1).after("# ").before("\n"));
    EXPECT_THAT(plan({"--num_processes", "2"}).out, AllOf(HasSubstr("zero_stage: 0"), Not(HasSubstr("ZeRO"))));
    EXPECT_THAT(plan({"--zero_stage", "3", "--num_processes", "2"}).out,
                HasSubstr("ZeRO-3: optimizer state, gradients and weights are sharded over 2 ranks"));
    EXPECT_THAT(plan({"--zero_stage", "2", "--set", "parallel.comm_hook=fp16"}).err,
                HasSubstr("parallel.comm_hook: fp16 works on whole gradients"));
}

/// In a mesh with other dimensions, the ranks that shard are not all ranks.
TEST_F(LaunchZero, DataRanksAreNamedInAMesh) {
    Said said = plan({"--zero_stage", "3", "--num_processes", "2", "--set", "parallel.tp_size=2"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(
        said.out,
        says("ZeRO-{}: nothing is sharded, since the mesh ({}) has one data rank", 3, "tp 2").after("# ").before("\n"));
    EXPECT_THAT(said.out, HasSubstr(" 1 data rank × "));
    said = plan({"--zero_stage", "1", "--num_processes", "4", "--set", "parallel.tp_size=2"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out,
                says("ZeRO-1: optimizer state is sharded over {}", "groups of 2 data ranks (dp_shard 2 × tp 2)")
                    .after("# ")
                    .before("\n"));
    said = plan({"--num_processes", "4", "--set", "parallel.tp_size=2", "--set", "training.global_batch_size=9"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("9 samples cannot be shared evenly by 2 data ranks of 4 ranks: make it a multiple "
                                    "of 2, or start another number of ranks"));
}

TEST_F(LaunchZero, MonitorsOfDeepSpeedAreTheRunsOwn) {
    const fs::path file = fake_.recipe().parent_path() / "ds.json";
    write_file_atomically(file,
                          R"({"zero_optimization": {"stage": 1}, "tensorboard": {"enabled": true, "job_name": "x"},
                              "csv_monitor": {"enabled": true}, "wandb": {"enabled": true, "team": "t"},
                              "comet": {"enabled": true}, "flops_profiler": {"enabled": true, "profile_step": 5},
                              "comms_logger": {"enabled": false}})",
                          false);
    Said said = plan({"--config_file", settings("  deepspeed_config_file: " + file.string() + "\n")});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out,
                AllOf(HasSubstr("tensorboard.job_name x"), HasSubstr("the run's event files are in its own folder"),
                      HasSubstr("): applied: logging.trackers"), HasSubstr("): applied: profile.skip_first"),
                      HasSubstr("trackers: [tensorboard, csv, wandb, comet_ml]"),
                      HasSubstr("arguments of trackers are in logging.tracker_arguments"), HasSubstr("  active: 1\n"),
                      HasSubstr("  skip_first: 5\n"), HasSubstr("  with_flops: true\n")));
    EXPECT_THAT(said.out, ::testing::ContainsRegex("comms_logger.enabled false [^\n]*: it is off"));
    EXPECT_THAT(said.out, Not(says("the engine's own ZeRO does not need it")));
}

TEST_F(LaunchZero, SettingsOfDeepSpeedTakeEffect) {
    Said said = plan({"--config_file", settings("  zero_stage: 1\n  gradient_accumulation_steps: 4\n"
                                                "  gradient_clipping: 0.7\n  offload_optimizer_device: none\n"
                                                "  offload_param_device: none\n  zero3_init_flag: false\n")});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out,
                AllOf(HasSubstr("  zero_stage: 1\n"), HasSubstr("  gradient_accumulation_steps: 4\n"),
                      HasSubstr("  max_grad_norm: 0.7\n"), HasSubstr("num_processes: 2"),
                      says("ZeRO-1: optimizer state is sharded over {}", "2 ranks").after("# ").before("\n")));
    said = plan({"--config_file", settings("  gradient_accumulation_steps: auto\n  gradient_clipping: auto\n")});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("  zero_stage: 2\n"), HasSubstr("  gradient_accumulation_steps: 1\n")))
        << "DeepSpeed's own default";
    EXPECT_THAT(plan({"--config_file", settings("  zero_stage: 0\n")}).out, HasSubstr("  zero_stage: 0\n"));
}

TEST_F(LaunchZero, AFlagGoesBeforeTheFileAndTheRecipeMustAgreeWithIt) {
    const std::string file = settings("  zero_stage: 2\n  gradient_accumulation_steps: 4\n");
    EXPECT_THAT(plan({"--config_file", file, "--zero_stage", "1"}).out,
                AllOf(HasSubstr("  zero_stage: 1\n"), HasSubstr("  gradient_accumulation_steps: 4\n")));
    EXPECT_THAT(plan({"--config_file", file, "--set", "parallel.zero_stage=1"}).out, HasSubstr("  zero_stage: 1\n"));
    const fs::path recipe = fake_.recipe();
    write_file_atomically(recipe, read_file(recipe) + "\nparallel: {zero_stage: 1}\n", false);
    EXPECT_THAT(plan({}).out, HasSubstr("  zero_stage: 1\n"));
    Said said = plan({"--config_file", file});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("parallel.zero_stage: the recipe says 1 and deepspeed_config.zero_stage of " +
                                    file + " says 2: let them agree, or leave it out in one of them"));
    // A run.yaml is complete: the values resolved at its launch are used.
    const std::string again = (recipe.parent_path() / "run.yaml").string();
    write_file_atomically(again, plan({}).out, false);
    said = test::trainyard({"launch", "--dry-run", "--cpu", "--config_file", file, again});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("  zero_stage: 1\n"), HasSubstr("  gradient_accumulation_steps: 1\n")));
}

TEST_F(LaunchZero, WhatTheEngineDoesNotDoIsRefused) {
    expect_refused("  zero_stage: 2\n  offload_optimizer_device: nvme\n  offload_optimizer_nvme_path: /fast/none\n",
                   "parallel.offload_optimizer_nvme_path: the folder /fast/none does not exist: make it, or name "
                   "another one");
    expect_refused("  zero_stage: 3\n  offload_param_device: nvme\n  offload_param_nvme_path: /fast/none\n",
                   "parallel.offload_param_nvme_path: the folder /fast/none does not exist: make it, or name another "
                   "one");
}

TEST_F(LaunchZero, WeightsOnTheProcessorAreNotOffloaded) {
    for (const auto& [stage, reason] : {std::pair("2", says("it counts only when {}", "zero_stage is 3")),
                                        {"3", says("ranks train on the processor, so this is in its memory anyway")}}) {
        const Said said = plan({"--json", "--config_file",
                                settings("  zero_stage: " + std::string(stage) + "\n  offload_param_device: cpu\n")});
        EXPECT_EQ(said.code, 0) << said.err;
        const nlohmann::json row =
            test::row_of(nlohmann::json::parse(said.out), "deepspeed_config.offload_param_device");
        ASSERT_FALSE(row.is_null());
        EXPECT_EQ(row["effect"], "ignored");
        EXPECT_THAT(row["reason"].get<std::string>(), reason);
    }
}

TEST_F(LaunchZero, ExpertsAreGatheredWithTheirBlock) {
    const Said said = plan({"--config_file", settings("  zero_stage: 3\n  deepspeed_moe_layer_cls_names: Experts\n")});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("  zero_stage: 3\n"),
                                says("the experts of a block are gathered together in any case").after("ignored: ")));
}

/// Every way of FSDP reaches a row of the engine's table, also with --cpu.
TEST_F(LaunchZero, WaysOfFsdpAreRowsOfTheTable) {
    const std::string file = settings("  zero_stage: 2\n", 4);
    std::string usual = read_file(file);
    usual.replace(usual.find("DEEPSPEED"), 9, "FSDP");
    struct Way {
        std::string keys;
        std::vector<std::string> lines;
    };
    for (const Way& way : std::vector<Way>{
             {"fsdp_version: 1", {"zero_stage: 3"}},
             {"fsdp_version: 1, fsdp_sharding_strategy: FULL_SHARD", {"zero_stage: 3"}},
             {"fsdp_version: 1, fsdp_sharding_strategy: SHARD_GRAD_OP", {"zero_stage: 2"}},
             {"fsdp_version: 1, fsdp_sharding_strategy: NO_SHARD", {"zero_stage: 0"}},
             {"fsdp_version: 1, fsdp_sharding_strategy: HYBRID_SHARD", {"zero_stage: 3"}},
             {"fsdp_version: 1, fsdp_sharding_strategy: HYBRID_SHARD_ZERO2", {"zero_stage: 2"}},
             {"fsdp_version: 2", {"zero_stage: 3"}},
             {"fsdp_version: 2, fsdp_reshard_after_forward: false", {"zero_stage: 2"}},
             {"fsdp_version: 2, fsdp_activation_checkpointing: true",
              {"zero_stage: 3", "activation_checkpointing: full"}},
             {"fsdp_version: 2, fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP", {"zero_stage: 3", "wrap: block"}},
             {"fsdp_version: 2, fsdp_auto_wrap_policy: NO_WRAP", {"wrap: none"}},
             {"fsdp_version: 2, fsdp_auto_wrap_policy: SIZE_BASED_WRAP, fsdp_min_num_params: 5000",
              {"wrap: size", "wrap_min_params: 5000"}},
             {R"(fsdp_version: 1, fsdp_ignored_modules: 'transformer\.h\.0')",
              {"zero_stage: 3", R"(ignored_modules: "transformer\\.h\\.0")"}},
             {"fsdp_version: 2}\nparallelism_config: {parallelism_config_dp_replicate_size: 2, "
              "parallelism_config_dp_shard_size: 2",
              {"zero_stage: 3", "dp_replicate_size: 2", "dp_shard_size: 2"}}}) {
        write_file_atomically(file, usual + "fsdp_config: {" + way.keys + "}\n", false);
        const Said said = plan({"--config_file", file});
        EXPECT_EQ(said.code, 0) << way.keys << said.err;
        for (const std::string& line : way.lines)
            EXPECT_THAT(said.out, HasSubstr("  " + line + "\n")) << way.keys;
    }
}

/// A value that is not the usual one, and that the schema accepts for stages of ZeRO and FSDP.
std::string valid_other_value(const settings::Key& key) {
    const std::string usual = key.standard().display();
    if (key.name == "zero_stage" || key.name == "fsdp_version")
        return key.name == "zero_stage" ? "1" : "2";
    switch (key.type) {
        case settings::Type::boolean:
            return truth_of(usual) == Truth::yes ? "false" : "true";
        case settings::Type::integer:
            return "7";
        case settings::Type::number:
            return "0.25";
        case settings::Type::choice:
            for (const std::string_view choice : key.choices)
                if (choice != usual && choice != "none")
                    return std::string(choice);
            return usual;
        default:
            return "/tmp";
    }
}

/// Every key of the way of training acts, is refused, or has a row that says why not; so has one that does not exist.
TEST_F(LaunchZero, NoKeyOfASettingsFileIsDropped) {
    const std::string file = settings("  zero_stage: 3\n");
    const std::string head = read_file(file).substr(0, read_file(file).find("deepspeed_config:"));
    const auto expect_named = [&](std::string way, const std::string& table, const std::string& base,
                                  const std::string& name, const std::string& value) {
        std::string text = head;
        text.replace(text.find("DEEPSPEED"), 9, way);
        text += "mixed_precision: 'no'\nnum_machines: 1\nnum_processes: 2\nuse_cpu: true\n" + table + ":\n";
        if (!base.starts_with(name))
            text += "  " + base + "\n";
        write_file_atomically(file, text + "  " + name + ": " + value + "\n", false);
        const Said said = plan({"--config_file", file});
        const std::string row = "# setting " + table + "." + name + " " + value + " (" + file + "): ";
        EXPECT_THAT(said.code == 0 ? said.out : said.err, HasSubstr(said.code == 0 ? row : name)) << text;
    };
    int keys = 0;
    for (const trainyard::settings::Key& key : trainyard::settings::schema()) {
        const bool of_fsdp = key.section == trainyard::settings::Section::fsdp;
        if ((!of_fsdp && key.section != trainyard::settings::Section::deepspeed) ||
            key.name == "deepspeed_config_file" || !key.until.empty())
            continue;
        ++keys;
        expect_named(of_fsdp ? "FSDP" : "DEEPSPEED", of_fsdp ? "fsdp_config" : "deepspeed_config",
                     of_fsdp ? "fsdp_version: 1" : "zero_stage: 3", std::string(key.name), valid_other_value(key));
    }
    EXPECT_GT(keys, 25);
    expect_named("FSDP", "fsdp_config", "fsdp_version: 1", "fsdp_shard_strategy", "1");
    expect_named("DEEPSPEED", "deepspeed_config", "zero_stage: 3", "zero_hpz_partition_size", "2");
    const Said said = plan({"--config_file", file});
    EXPECT_THAT(said.out, says("there is no such key: correct its name, or take it out"));
}

/// The first rank alone reads weights where FSDP's settings say so.
TEST_F(LaunchZero, RamEfficientLoadingIsAKeyOfTheRecipe) {
    const std::string file = settings("  zero_stage: 3\n");
    std::string usual = read_file(file);
    usual.replace(usual.find("DEEPSPEED"), 9, "FSDP");
    for (const bool first_reads : {true, false}) {
        write_file_atomically(file,
                              usual + "fsdp_config: {fsdp_version: 2, fsdp_cpu_ram_efficient_loading: " +
                                  (first_reads ? "true" : "false") + "}\n",
                              false);
        const Said said = plan({"--config_file", file});
        EXPECT_EQ(said.code, 0) << said.err;
        EXPECT_THAT(said.out, HasSubstr(first_reads ? "  cpu_ram_efficient_loading: true\n"
                                                    : "  cpu_ram_efficient_loading: false\n"));
    }
}

TEST_F(LaunchZero, LayersThatTheModelDoesNotHaveAreRefused) {
    const std::string file = settings("  zero_stage: 2\n");
    std::string usual = read_file(file);
    usual.replace(usual.find("DEEPSPEED"), 9, "FSDP");
    const auto with = [&](const std::string& classes) {
        write_file_atomically(file,
                              usual +
                                  "fsdp_config: {fsdp_version: 2, fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP, "
                                  "fsdp_transformer_layer_cls_to_wrap: '" +
                                  classes + "'}\n",
                              false);
        return plan({"--config_file", file});
    };
    EXPECT_EQ(with("GPT2Block").code, 0);
    const Said said = with("GPT2Block, LlamaDecoderLayer");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("the model has no class {}: use {}", "LlamaDecoderLayer", StartsWith("GPT2Block"))
                              .after("fsdp_config.fsdp_transformer_layer_cls_to_wrap: "));
}

TEST_F(LaunchZero, OffloadingWithoutAWayOfTrainingIsRefusedOnOtherDevices) {
    const auto typed = [&](const std::vector<std::string>& device) {
        std::vector<std::string> words{"launch", "--dry-run", "--offload_optimizer_device", "cpu"};
        words.insert(words.end(), device.begin(), device.end());
        words.push_back(fake_.recipe().string());
        return test::trainyard(words);
    };
    EXPECT_THAT(typed({"--cpu"}).out, says("ranks train on the processor, so this is in its memory anyway"));
    const Said said = typed({"--device", "cuda"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("recipes keep optimizer state on the device they train on"));
}

TEST_F(LaunchZero, AProcessorHasNothingToOffloadToItself) {
    const std::string file = settings("  zero_stage: 2\n  offload_optimizer_device: cpu\n");
    const Said said = plan({"--config_file", file});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("  zero_stage: 2\n"),
                                says("ranks train on the processor, so this is in its memory anyway")));
    // On another device the setting would have an effect that the engine does not implement.
    std::string on_gpu = read_file(file);
    on_gpu.replace(on_gpu.find("use_cpu: true"), 13, "use_cpu: false");
    write_file_atomically(file, on_gpu, false);
    const Said refused = test::trainyard({"launch", "--dry-run", "--config_file", file, fake_.recipe().string()});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("offload_optimizer_device: cpu of "),
                                   HasSubstr("recipes keep optimizer state on the device they train on")));
}

TEST_F(LaunchZero, TheOptimizerStateGoesToADisk) {
    const std::string folder = fake_.recipe().parent_path().string();
    const auto is_there = [&](const Said& said) {
        EXPECT_EQ(said.code, 0) << said.err;
        EXPECT_THAT(said.out, AllOf(HasSubstr("  zero_stage: 2\n"), HasSubstr("  offload_optimizer_device: nvme\n"),
                                    HasSubstr("  offload_optimizer_nvme_path: \"" + folder + "\"\n")));
    };
    const std::string file = settings(
        "  zero_stage: 2\n  offload_optimizer_device: nvme\n"
        "  offload_optimizer_nvme_path: " +
        folder + "\n");
    const Said said = plan({"--config_file", file});
    is_there(said);
    EXPECT_THAT(said.out, AllOf(HasSubstr("# setting deepspeed_config.offload_optimizer_device nvme (" + file +
                                          "): applied: parallel.offload_optimizer_device"),
                                HasSubstr("): applied: parallel.offload_optimizer_nvme_path")));
    is_there(
        plan({"--zero_stage", "2", "--offload_optimizer_device", "nvme", "--offload_optimizer_nvme_path", folder}));
    is_there(plan({"--set", "parallel.zero_stage=2", "--set", "parallel.offload_optimizer_device=nvme", "--set",
                   "parallel.offload_optimizer_nvme_path=" + folder}));
    const fs::path own = fake_.recipe().parent_path() / "own.json";
    write_file_atomically(
        own,
        R"({"zero_optimization": {"stage": 2, "offload_optimizer": {"device": "nvme", "nvme_path": ")" + folder +
            R"(", "buffer_count": 4}}})",
        false);
    const Said json = plan({"--config_file", settings("  deepspeed_config_file: " + own.string() + "\n")});
    is_there(json);
    EXPECT_THAT(json.out, HasSubstr("# setting zero_optimization.offload_optimizer.buffer_count 4 (" + own.string() +
                                    "): ignored: the engine's own offloading does not need it"));
    const auto refused = [&](const std::vector<std::string>& more, const std::string& words) {
        std::vector<std::string> flags{"--set", "parallel.offload_optimizer_device=nvme"};
        flags.insert(flags.end(), more.begin(), more.end());
        const Said answer = plan(flags);
        EXPECT_EQ(answer.code, 2);
        EXPECT_THAT(answer.err, HasSubstr(words));
    };
    const std::string path = "parallel.offload_optimizer_nvme_path=" + folder;
    refused({}, "parallel.offload_optimizer_device: nvme needs a folder");
    refused({"--set", path, "--set", "optimizer.name=adafactor"},
            "the state of adafactor is not updated element by element after backward, and cannot be kept on a disk");
    refused({"--set", path, "--set", "optimizer.name=sgd"}, "sgd without momentum has no state");
    EXPECT_THAT(test::trainyard({"launch", "--dry-run", "--device", "npu", "--device_library", "/none", "--set",
                                 "parallel.offload_optimizer_device=nvme", "--set", path, fake_.recipe().string()})
                    .err,
                says("this version offloads optimizer state to disk only for ranks on processors, and these train on "
                     "{}: set it to none, or start with --cpu",
                     _));
    EXPECT_THAT(plan({"--set", path}).err, says("has no effect without {}: set that to nvme, or leave the folder out",
                                                "parallel.offload_optimizer_device"));
}

TEST_F(LaunchZero, WeightsGoToADisk) {
    const std::string folder = fake_.recipe().parent_path().string();
    const auto is_there = [&](const Said& said) {
        EXPECT_EQ(said.code, 0) << said.err;
        EXPECT_THAT(said.out, AllOf(HasSubstr("  zero_stage: 3\n"), HasSubstr("  offload_param_device: nvme\n"),
                                    HasSubstr("  offload_param_nvme_path: \"" + folder + "\"\n")));
    };
    const std::string of_file = "  zero_stage: 3\n  offload_param_device: nvme\n  offload_param_nvme_path: ";
    const std::string file = settings(of_file + folder + "\n");
    const Said said = plan({"--config_file", file});
    is_there(said);
    EXPECT_THAT(said.out, AllOf(HasSubstr("# setting deepspeed_config.offload_param_device nvme (" + file +
                                          "): applied: parallel.offload_param_device"),
                                HasSubstr("): applied: parallel.offload_param_nvme_path")));
    is_there(plan({"--zero_stage", "3", "--offload_param_device", "nvme", "--offload_param_nvme_path", folder}));
    is_there(plan({"--set", "parallel.zero_stage=3", "--set", "parallel.offload_param_device=nvme", "--set",
                   "parallel.offload_param_nvme_path=" + folder}));
    const fs::path own = fake_.recipe().parent_path() / "own.json";
    write_file_atomically(own,
                          R"({"zero_optimization": {"stage": 3, "offload_param": {"device": "nvme", "nvme_path": ")" +
                              folder + R"(", "buffer_size": 4}}})",
                          false);
    is_there(plan({"--config_file", settings("  deepspeed_config_file: " + own.string() + "\n")}));
    const std::string path = "parallel.offload_param_nvme_path=" + folder, nvme = "parallel.offload_param_device=nvme";
    EXPECT_THAT(plan({"--set", nvme, "--set", "parallel.zero_stage=3"}).err,
                says("nvme needs a folder: set {} to one on a fast local disk", "parallel.offload_param_nvme_path"));
    EXPECT_THAT(plan({"--set", nvme, "--set", path, "--set", "parallel.zero_stage=2"}).err,
                says("weights are kept on a disk with ZeRO stage 3, which reads those of a unit before it computes, "
                     "and zero_stage is {}: set it to 3, or offload_param_device to none",
                     2));
    EXPECT_THAT(plan({"--set", path}).err, says("has no effect without {}: set that to nvme, or leave the folder out",
                                                "parallel.offload_param_device"));
    EXPECT_THAT(test::trainyard({"launch", "--dry-run", "--device", "npu", "--device_library", "/none", "--set",
                                 "parallel.zero_stage=3", "--set", nvme, "--set", path, fake_.recipe().string()})
                    .err,
                says("this version offloads weights to disk only for ranks on processors, and these train on {}: set "
                     "it to none, or start with --cpu",
                     _));
    // A disk without room is refused before a rank starts, with the needed and the free bytes.
    EXPECT_THAT(plan({"--config_file", file, "--set", "model.n_embd=16384", "--set", "model.n_layer=2000"}).err,
                says("the disk of {} has no room for {}: it takes {}, {} are free; make room, or name another folder",
                     folder, "the weights and gradients of all ranks", _, _));
}

TEST_F(LaunchZero, NorHasFsdpOnAProcessor) {
    const std::string file = settings("  zero_stage: 2\n");
    std::string fsdp = read_file(file);
    fsdp.replace(fsdp.find("DEEPSPEED"), 9, "FSDP");
    fsdp += "fsdp_config:\n  fsdp_version: 1\n  fsdp_sharding_strategy: NO_SHARD\n  fsdp_offload_params: true\n";
    write_file_atomically(file, fsdp, false);
    const Said said = plan({"--config_file", file});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, says("ranks train on the processor, so this is in its memory anyway"));
    fsdp.replace(fsdp.find("use_cpu: true"), 13, "use_cpu: false");
    write_file_atomically(file, fsdp, false);
    const Said refused = test::trainyard({"launch", "--dry-run", "--config_file", file, fake_.recipe().string()});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(
        refused.err,
        says("recipes keep everything on the device they train on: set it to false").after("applied to a recipe: "));
}

TEST_F(LaunchZero, ProcessorsCountHoweverTheyAreAskedFor) {
    const std::string file = settings("  zero_stage: 2\n  offload_optimizer_device: cpu\n");
    std::string text = read_file(file);
    text.replace(text.find("use_cpu: true"), 13, "use_cpu: false");
    const std::string deepspeed = text;
    text.replace(text.find("DEEPSPEED"), 9, "FSDP");
    const std::string fsdp =
        text + "fsdp_config: {fsdp_version: 1, fsdp_sharding_strategy: NO_SHARD, fsdp_offload_params: true}\n";
    for (const std::string& settings_text : {deepspeed, fsdp}) {
        const auto said = [&](bool in_file, std::vector<std::string> flags) {
            std::string whole = settings_text;
            if (in_file)
                whole.replace(whole.find("use_cpu: false"), 14, "use_cpu: true");
            write_file_atomically(file, whole, false);
            flags.insert(flags.begin(), {"launch", "--dry-run", "--config_file", file});
            flags.push_back(fake_.recipe().string());
            return test::trainyard(flags);
        };
        for (const Said& answer : {said(true, {}), said(false, {"--cpu"}), said(false, {"--device", "cpu"})}) {
            EXPECT_EQ(answer.code, 0) << answer.err;
            EXPECT_THAT(answer.out,
                        AllOf(says("ranks train on the processor, so this is in its memory anyway").after("ignored: "),
                              HasSubstr("ACCELERATE_USE_CPU=True"), HasSubstr("\n  device: cpu\n")));
        }
        // A device on the command line overrides the one of the file.
        for (const Said& answer : {said(false, {}), said(true, {"--device", "cuda"})}) {
            EXPECT_EQ(answer.code, 2) << answer.out;
            EXPECT_THAT(answer.err, HasSubstr("on the device they train on"));
        }
    }
}

TEST_F(LaunchZero, DeepSpeedsOwnFileIsReadKeyByKey) {
    const fs::path own = fake_.recipe().parent_path() / "ds.json";
    auto plan_of = [&](const std::string& json) {
        write_file_atomically(own, json, false);
        return plan({"--config_file", settings("  deepspeed_config_file: " + own.string() + "\n")});
    };
    Said said = plan_of(R"({
        "zero_optimization": {"stage": 1, "overlap_comm": true, "offload_optimizer": {"device": "cpu"}},
        "gradient_accumulation_steps": 4, "gradient_clipping": 0.7, "train_micro_batch_size_per_gpu": 3,
        "train_batch_size": 24, "bf16": {"enabled": true}, "fp16": {"enabled": false, "loss_scale": 0},
        "optimizer": {"type": "AdamW", "params": {"lr": 0.00125, "betas": [0.8, 0.97], "weight_decay": "auto"}},
        "scheduler": {"type": "WarmupDecayLR", "params": {"warmup_min_lr": "auto", "warmup_num_steps": 5, "total_num_steps": "auto"}},
        "steps_per_print": 10})");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("  zero_stage: 1\n"), HasSubstr("  gradient_accumulation_steps: 4\n"),
                                HasSubstr("  max_grad_norm: 0.7\n"), HasSubstr("  batch_size: 3\n"),
                                HasSubstr("  mixed_precision: bf16\n"), HasSubstr("  lr: 0.00125\n"),
                                HasSubstr("  name: WarmupDecayLR\n"), HasSubstr("warmup_num_steps: 5")));
    EXPECT_THAT(said.out, AllOf(HasSubstr("# setting optimizer.params.lr 0.00125 (" + own.string() + "): applied"),
                                HasSubstr("# setting zero_optimization.offload_optimizer.device cpu (" + own.string() +
                                          "): ignored: ranks train on the processor"),
                                HasSubstr("# setting optimizer.params.weight_decay auto (" + own.string() +
                                          "): applied: the recipe's value"),
                                HasSubstr("# setting scheduler.params.warmup_num_steps 5 (" + own.string() +
                                          "): applied: schedule.arguments"),
                                HasSubstr("# setting zero_optimization.overlap_comm true (" + own.string() +
                                          "): ignored: the engine's own ZeRO does not need it")));
    const std::vector<std::pair<std::string, std::string>> refused{
        {R"({"zero_optimization": {"stage": 3, "offload_param": {"device": "gpu"}}})",
         "zero_optimization.offload_param.device: gpu of "},
        {R"({"zero_optimization": {"stage": 3, "zero_quantized_nontrainable_weights": true}})",
         "frozen weights are sent as those that are trained: set zero_quantized_weights instead"},
        {R"({"zero_optimization": {"stage": 2, "zero_quantized_gradients": true}})",
         "says how ranks exchange weights and gradients that ZeRO stage 3 shards, and zero_stage is 2"},
        {R"({"optimizer": {"type": "Lamb"}})", "optimizer.type: Lamb of "},
        {R"({"optimizer": {"type": "OneBitAdam", "params": {"max_grad_norm": 1.0}}})",
         "DeepSpeed does not take it there, either: set gradient_clipping"},
        {R"({"optimizer": {"type": "AdamW", "params": {"eps": "auto"}}})", "optimizer.params.eps: auto of "},
        {R"({"scheduler": {"type": "StepLR"}})", "scheduler.type: StepLR of "},
        {R"({"scheduler": {"type": "OneCycle", "params": {"cycle_min_lr": "auto"}}})",
         "scheduler.params.cycle_min_lr: auto of "},
        {R"({"fp16": {"enabled": true}, "bf16": {"enabled": true}})", "keep one of the two formats"},
        {R"({"train_batch_size": 7, "train_micro_batch_size_per_gpu": 3, "gradient_accumulation_steps": 4})",
         "3 × gradient_accumulation_steps 4 × 2 ranks"},
        {R"({"train_batch_size": 7})", "train_batch_size: 7 of "},
        {R"({"fp16": {"enabled": true, "loss_scale": 128}})", "fp16.loss_scale: 128 of "},
        {R"({"curriculum_learning": {"enabled": true}})", "curriculum_learning.enabled: true of "},
        {R"({"no_such_key": 5})", "no_such_key: 5 of "},
        {R"({"gradient_allreduce_op": "sum"})", "gradient_allreduce_op: sum of "},
        {R"({"managed_gradient_accumulation": false, "bf16": {"enabled": true, "bf16_optimizer_states": true}})",
         "bf16.bf16_optimizer_states: true of "},
        {"[1]", "holds no table of keys"},
        {"{", "is not valid JSON here: "}};
    for (const auto& [json, words] : refused) {
        said = plan_of(json);
        EXPECT_EQ(said.code, 2) << json;
        EXPECT_THAT(said.err, AllOf(HasSubstr(words), HasSubstr(own.string()))) << json;
    }
    said = plan_of(R"({"zero_optimization": {"stage": 3, "zero_hpz_partition_size": 2, "zero_quantized_weights": true,
        "zero_quantized_gradients": true}})");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("  zero_hpz_partition_size: 2\n"), HasSubstr("  zero_quantized_weights: "),
                                HasSubstr("  zero_quantized_gradients: "),
                                HasSubstr("# setting zero_optimization.zero_hpz_partition_size 2 (" + own.string() +
                                          "): applied: parallel.zero_hpz_partition_size")));
    said = plan_of(R"({"zero_optimization": {"stage": 3, "zero_hpz_partition_size": 3}})");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("parallel.zero_hpz_partition_size: 2 ranks that shard the weights do not divide"));
    said = plan_of(R"({"optimizer": {"type": "Adam", "params": {"adam_w_mode": false, "weight_decay": 0.1}}})");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("  name: adam\n")) << "its weight decay is a part of the gradient";
    said = plan_of(R"({"optimizer": {"type": "OneBitAdam", "params": {"lr": 0.002, "freeze_step": 23000,
        "cuda_aware": false, "comm_backend_name": "nccl"}}})");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("  name: onebit_adam\n"), HasSubstr("freeze_step: 23000"),
                                HasSubstr("# setting optimizer.params.comm_backend_name nccl (" + own.string() +
                                          "): ignored: ranks send signs as they send everything else")));
    said = plan_of(R"({"zero_optimization": {"stage": 2}, "optimizer": {"type": "ZeroOneAdam"}})");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("does not go with {}, which exchanges signs of momenta instead of gradients: {}",
                               "zero_one_adam", _));
    EXPECT_EQ(plan_of(R"({"curriculum_learning": {"enabled": false, "seqlen": 5}, "fp16": {"enabled": true,
        "initial_scale_power": 10, "loss_scale_window": 200}})")
                  .code,
              0);
    EXPECT_THAT(plan_of(R"({"fp16": {"enabled": true, "initial_scale_power": 10}})").out,
                AllOf(HasSubstr("mixed_precision: fp16"), HasSubstr("loss_scale: 1024")));
    const fs::path recipe = fake_.recipe();
    write_file_atomically(recipe, read_file(recipe) + "\nparallel: {zero_stage: 1}\n", false);
    EXPECT_THAT(plan_of(R"({"zero_optimization": {"stage": 2}})").err,
                says("the recipe says {} and {} says {}: let them agree, or leave it out in one of them", 1,
                     "zero_optimization.stage of " + own.string(), StartsWith("2")));
    fs::remove(own);
    EXPECT_EQ(plan({"--config_file", settings("  deepspeed_config_file: " + own.string() + "\n")}).code, 2);
}

/// DeepSpeed's own file sets these keys: neither settings nor flags may, unless it leaves them open.
TEST_F(LaunchZero, DoubleConfigurationIsRefusedBeforeRanksStart) {
    const std::string own = (fake_.recipe().parent_path() / "ds.json").string(), name = "deepspeed_config_file: " + own;
    write_file_atomically(own, R"({"zero_optimization": {"stage": 2}, "bf16": {"enabled": true},
                                   "gradient_clipping": "auto", "gradient_accumulation_steps": 4})",
                          false);
    const auto twice = [&](const char* key) {
        return says("{} cannot be given next to deepspeed_config_file: remove it here and set it in DeepSpeed's JSON",
                    key);
    };
    const auto precision_twice = says(
        "mixed_precision cannot be given next to deepspeed_config_file: remove it here and set fp16 or bf16 in "
        "DeepSpeed's JSON");
    const std::string program = (fake_.recipe().parent_path() / "program.py").string();
    write_file_atomically(program, "print(1)\n", false);
    const auto of_program = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"launch", "--dry-run", "--use_deepspeed"});
        words.push_back(program);
        return test::trainyard(words);
    };
    // Accelerate also counts a key without a value.
    const std::string both = settings("  " + name + "\n  zero_stage:\n  gradient_clipping: 0.5\n");
    for (const Said& said : {plan({"--config_file", both}), of_program({"--config_file", both}),
                             test::trainyard({"config", "validate", both}),
                             test::trainyard({"estimate-memory", fake_.recipe().string(), "--config_file", both}),
                             test::trainyard({"to-fsdp", "--config_file", both, "--output_file", own + ".yaml"})}) {
        EXPECT_NE(said.code, 0) << said.out;
        EXPECT_THAT(said.err + said.out, AllOf(twice("zero_stage"), twice("gradient_clipping")));
    }
    EXPECT_TRUE(!fs::exists(fake_.runs()) || fs::is_empty(fake_.runs()));
    const std::string one = settings("  " + name + "\n");
    for (const Said& said :
         {plan({"--config_file", one, "--zero_stage", "3"}), of_program({"--config_file", one, "--zero_stage", "3"}),
          of_program({"--num_processes", "2", "--deepspeed_config_file", own, "--zero_stage", "3"})}) {
        EXPECT_EQ(said.code, 2) << said.out;
        EXPECT_THAT(said.err, twice("zero_stage").after("--zero_stage: "));
    }
    const Said fp16 = of_program({"--config_file", one, "--mixed_precision", "fp16"});
    EXPECT_EQ(fp16.code, 2) << fp16.out;
    EXPECT_THAT(fp16.err, precision_twice.after("--mixed_precision: "));
    const std::vector<std::string> fitting{"--config_file",       one,  "--mixed_precision", "bf16",
                                           "--gradient_clipping", "0.5"};
    EXPECT_EQ(plan(fitting).code, 0) << "the file says bf16, too, and leaves gradient_clipping open";
    EXPECT_THAT(of_program(fitting).err, Not(HasSubstr("deepspeed_config_file")));
    const Said both_ways = of_program(
        {"--config_file", settings("  " + name + "\n  gradient_clipping: 1\n"), "--gradient_clipping", "0.5"});
    EXPECT_EQ(both_ways.code, 2) << "ranks refuse the key of the settings, although the file leaves it open";
    settings("  " + name + "\n");
    write_file_atomically(one, read_file(one) + "mixed_precision: bf16\n", false);
    const Said said = of_program({"--config_file", one});
    EXPECT_EQ(said.code, 2) << said.out;
    EXPECT_THAT(said.err, precision_twice);
}

/// Keys that change how DeepSpeed does something, with the same result, do not keep a recipe from training.
TEST_F(LaunchZero, KeysOfDeepSpeedAloneAreIgnoredWithTheirReason) {
    const fs::path own = fake_.recipe().parent_path() / "ds.json";
    write_file_atomically(own,
                          R"({
        "zero_optimization": {"stage": 3, "overlap_comm": true, "memory_efficient_linear": true,
                              "stage3_max_live_parameters": 1e9, "stage3_param_persistence_threshold": 1e5,
                              "use_multi_rank_bucket_allreduce": true, "pipeline_loading_checkpoint": true},
        "aio": {"block_size": 1048576, "queue_depth": 8, "single_submit": false, "overlap_events": true},
        "checkpoint": {"tag_validation": "Warn", "use_node_local_storage": false},
        "activation_checkpointing": {"partition_activations": false, "number_checkpoints": null},
        "elasticity": {"enabled": false, "max_train_batch_size": 2000},
        "communication_data_type": "fp32", "gradient_predivide_factor": 1.0, "wall_clock_breakdown": true,
        "gradient_allreduce_op": "mean", "managed_gradient_accumulation": true,
        "optimizer": {"type": "SGD", "params": {"lr": 0.25, "momentum": 0.5, "nesterov": true}}})",
                          false);
    const Said said = plan({"--config_file", settings("  deepspeed_config_file: " + own.string() + "\n")});
    EXPECT_EQ(said.code, 0) << said.err;
    for (const char* key : {"aio.block_size 1048576", "checkpoint.tag_validation Warn", "gradient_predivide_factor 1.0",
                            "zero_optimization.memory_efficient_linear true"})
        EXPECT_THAT(said.out, HasSubstr(std::string("# setting ") + key + " (" + own.string() + "): ignored: ")) << key;
    EXPECT_THAT(said.out, HasSubstr("# setting zero_optimization.stage3_param_persistence_threshold 100000.0 (" +
                                    own.string() + "): ignored: small weights travel with all weights of their unit"));
    EXPECT_THAT(said.out, HasSubstr("# setting gradient_allreduce_op mean (" + own.string() + "): applied: as always"));
    EXPECT_THAT(said.out, AllOf(HasSubstr("  name: sgd\n"), HasSubstr("  lr: 0.25\n"), HasSubstr("momentum: 0.5"),
                                HasSubstr("nesterov: true")));
}

TEST_F(LaunchZero, TheDryRunShowsWhatDeepSpeedWouldReceive) {
    const fs::path own = fake_.recipe().parent_path() / "ds.json";
    write_file_atomically(
        own,
        R"({"zero_optimization": {"stage": 3, "reduce_bucket_size": "auto"}, "gradient_clipping": "auto",
                              "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
                              "gradient_accumulation_steps": "auto",
                              "optimizer": {"type": "AdamW", "params": {"lr": "auto", "weight_decay": "auto"}},
                              "scheduler": {"type": "WarmupDecayLR", "params": {"total_num_steps": "auto", "warmup_num_steps": 3}}})",
        false);
    const Said said = plan({"--json", "--config_file", settings("  deepspeed_config_file: " + own.string() + "\n"),
                            "--set", "training.batch_size=6", "--set", "training.gradient_accumulation_steps=2",
                            "--set", "training.steps=50", "--set", "optimizer.lr=0.25"});
    ASSERT_EQ(said.code, 0) << said.err;
    const nlohmann::json resolved = nlohmann::json::parse(said.out).at("deepspeed");
    EXPECT_EQ(resolved["train_micro_batch_size_per_gpu"], 6);
    EXPECT_EQ(resolved["gradient_accumulation_steps"], 2);
    EXPECT_EQ(resolved["train_batch_size"], 24) << "of 2 ranks";
    EXPECT_EQ(resolved["gradient_clipping"], 1.0);
    EXPECT_EQ(resolved["optimizer"]["params"]["lr"], 0.25);
    EXPECT_EQ(resolved["scheduler"]["params"]["total_num_steps"], 50);
    EXPECT_TRUE(resolved["zero_optimization"]["reduce_bucket_size"].is_number());
}

TEST_F(LaunchZero, DebugModeComesFromRecipeFlagAndSettings) {
    auto has = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"--num_processes", "2"});
        const Said said = plan(words);
        EXPECT_EQ(said.code, 0) << said.err;
        const bool key = said.out.find("  debug: true\n") != std::string::npos;
        EXPECT_EQ(key, said.out.find("ACCELERATE_DEBUG_MODE=true") != std::string::npos) << "the ranks' own variable";
        return key;
    };
    EXPECT_FALSE(has({}));
    EXPECT_TRUE(has({"--set", "parallel.debug=true"}));
    EXPECT_TRUE(has({"--debug"}));
    const std::string file = settings("  zero_stage: 0\n");
    EXPECT_FALSE(has({"--config_file", file}));
    std::string text = read_file(file);
    text.replace(text.find("debug: false"), 12, "debug: true");
    write_file_atomically(file, text, false);
    EXPECT_TRUE(has({"--config_file", file}));
}

}  // namespace
}  // namespace trainyard::cli
