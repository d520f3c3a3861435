// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of launch: spellings, all problems at once, what belongs to the program.

#include "launch/plan/flags.h"

#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/accelerate/schema.h"
#include "support/says.h"

namespace trainyard::plan {
namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Problem> problems(const std::vector<std::string>& words) {
    try {
        parse_flags(words);
    } catch (const InvalidInput& error) {
        return error.problems();
    }
    return {};
}

std::string refusal(const std::vector<std::string>& words) {
    std::string all;
    for (const Problem& problem : problems(words))
        all += problem.text().text() + "\n";
    return all;
}

TEST(Flags, HyphensUnderscoresAndEquals) {
    Flags flags = parse_flags({"--num-processes=3", "--mixed_precision", "bf16", "--multi-gpu", "train.py"});
    EXPECT_EQ(flags.typed.at("num_processes"), Value(3));
    EXPECT_EQ(flags.typed.at("mixed_precision"), Value("bf16"));
    EXPECT_TRUE(flags.is_on("multi_gpu"));
    EXPECT_FALSE(flags.has("cpu"));
    EXPECT_EQ(flags.program, "train.py");
}

TEST(Flags, WhatStandsBehindTheProgramIsItsOwn) {
    Flags flags = parse_flags({"--cpu", "train.py", "--num-processes", "3", "--", "-m", "--help"});
    EXPECT_THAT(flags.arguments, ElementsAre("--num-processes", "3", "--", "-m", "--help"));
    EXPECT_FALSE(flags.has("num_processes"));
}

TEST(Flags, BehindARecipeStandFlags) {
    Flags flags = parse_flags({"--set", "a=1", "recipe.yaml", "--cpu", "--set", "b=2", "--dry-run"});
    EXPECT_TRUE(flags.is_on("cpu"));
    EXPECT_TRUE(flags.is_on("dry_run"));
    EXPECT_EQ(flags.typed.at("set"), Value(Value::List{"a=1", "b=2"}));
    EXPECT_THAT(refusal({"recipe.yaml", "word"}), says("'{}' comes after the recipe: a recipe takes no arguments", _));
    EXPECT_THAT(parse_flags({"--no_python", "run.yaml", "word"}).arguments, ElementsAre("word"));
}

TEST(Flags, ShortOnes) {
    Flags flags = parse_flags({"-qm", "-t3", "pkg.train", "a"});
    EXPECT_TRUE(flags.is_on("quiet"));
    EXPECT_TRUE(flags.is_on("module"));
    EXPECT_EQ(flags.typed.at("tee"), Value("3"));
    EXPECT_EQ(flags.program, "pkg.train");
    EXPECT_THAT(refusal({"-x", "train.py"}), says("unknown flag '{}' of launch", "-x"));
    EXPECT_THAT(refusal({"--m", "train.py"}), says("unknown flag '{}' of launch", "--m"));
}

TEST(Flags, SwitchesCanBeTurnedOff) {
    EXPECT_FALSE(parse_flags({"--same_network=false", "train.py"}).is_on("same_network"));
    EXPECT_TRUE(parse_flags({"--same_network=yes", "train.py"}).is_on("same_network"));
    EXPECT_FALSE(parse_flags({"--no_tpu_cluster", "train.py"}).is_on("no_tpu_cluster"));
    EXPECT_THAT(refusal({"--cpu=maybe", "train.py"}),
                says("'{}' is neither true nor false: give the flag alone, or =false", _));
}

TEST(Flags, TruthValuesAreRead) {
    EXPECT_EQ(parse_flags({"--fsdp_offload_params", "no", "x.py"}).typed.at("fsdp_offload_params"), Value(false));
    EXPECT_EQ(parse_flags({"--megatron_lm_no_load_optim", "false", "x.py"}).typed.at("megatron_lm_no_load_optim"),
              Value(false));
    EXPECT_EQ(parse_flags({"--gradient_clipping", "1", "x.py"}).typed.at("gradient_clipping"), Value(1.0));
    EXPECT_EQ(parse_flags({"--num_processes", "-1", "x.py"}).typed.at("num_processes"), Value(-1));
    EXPECT_EQ(parse_flags({"--vm", "a", "--vm", "b", "x.py"}).typed.at("vm"), Value(Value::List{"a", "b"}));
}

TEST(Flags, AllProblemsAtOnce) {
    std::vector<std::string> words{"--num_proceses=2",      "--mixed_precision", "fp23", "--num_machines", "many",
                                   "--fsdp_offload_params", "perhaps",           "--cpu"};
    EXPECT_EQ(problems(words).size(), 5u) << refusal(words);
    EXPECT_THAT(
        refusal(words),
        AllOf(says("{}: did you mean '{}'?", _, "--num_processes"), HasSubstr("fp23"), HasSubstr("many"),
              HasSubstr("perhaps"),
              says("launch needs a program: trainyard launch [flags] RECIPE.yaml, or SCRIPT.py with its arguments")));
    EXPECT_THAT(refusal({"--num_processes", "--cpu", "x.py"}), says("a value must follow"));
    EXPECT_THAT(refusal({"--num_processes"}), says("a value must follow"));
}

TEST(Flags, Hosts) {
    Flags flags = parse_flags({"--hosts", "gpu-a:4,gpu-b", "train.py"});
    ASSERT_EQ(flags.hosts.size(), 2u);
    EXPECT_EQ(flags.hosts[0].host, "gpu-a");
    EXPECT_EQ(flags.hosts[0].ranks, 4);
    EXPECT_EQ(flags.hosts[1].ranks, 0);
    for (const char* bad : {"", "a,,b", "a:0", "a:x", "a b", "-oProxyCommand=x", "a,a", "a/b", "a;id", "$(id)", "a|b"})
        EXPECT_NE(refusal({std::string("--hosts=") + bad, "train.py"}), "") << bad;
}

/// What the flags of a program come to: those that Accelerate has.
std::map<std::string, std::string> meaning(std::vector<std::string> words) {
    words.emplace_back("train.py");
    std::map<std::string, std::string> all;
    for (const auto& [name, value] : parse_flags(words).typed)
        if (name != "nnodes" && name != "nproc_per_node" && name != "rdzv_endpoint" && name != "standalone")
            all[name] = value.display();
    return all;
}

TEST(Flags, TorchrunsFlagsMeanTheSame) {
    EXPECT_EQ(meaning({"--nproc_per_node", "4"}), meaning({"--num_processes", "4"}));
    EXPECT_EQ(meaning({"--nproc-per-node=4", "--nnodes=2", "--node-rank", "1", "--master-addr", "gpu-a",
                       "--master-port", "29511"}),
              meaning({"--num_processes", "8", "--num_machines", "2", "--machine_rank", "1", "--main_process_ip",
                       "gpu-a", "--main_process_port", "29511"}));
    EXPECT_EQ(
        meaning({"--nnodes", "2", "--node_rank", "0", "--rdzv_endpoint", "gpu-a:29511", "--rdzv_backend", "c10d"}),
        meaning({"--num_machines", "2", "--machine_rank", "0", "--main_process_ip", "gpu-a", "--main_process_port",
                 "29511", "--rdzv_backend", "c10d"}));
    EXPECT_EQ(meaning({"--rdzv-endpoint=gpu-a"}), meaning({"--main_process_ip", "gpu-a"}));
    EXPECT_EQ(meaning({"--rdzv-endpoint=[fe80::1]:29511"}),
              meaning({"--main_process_ip", "[fe80::1]", "--main_process_port", "29511"}));
    EXPECT_EQ(meaning({"--nnodes", "1:4", "--rdzv_conf", "timeout=9"}),
              meaning({"--num_machines", "4", "--rdzv_conf", "timeout=9,min_nodes=1"}));
    EXPECT_EQ(meaning({"--standalone", "--nproc_per_node=2"}),
              meaning({"--num_machines", "1", "--main_process_port", "0", "--num_processes", "2"}));
    EXPECT_EQ(meaning({"--nproc_per_node", "gpu"}), meaning({}));
    EXPECT_EQ(meaning({"--nproc_per_node", "cpu"}).at("cpu"), "True");
    EXPECT_EQ(meaning({"--use_fsdp", "--fsdp_backward_prefetch_policy", "BACKWARD_POST"}),
              meaning({"--use_fsdp", "--fsdp_backward_prefetch", "BACKWARD_POST"}));
}

TEST(Flags, SpellingsThatContradictAreNamed) {
    const auto contradiction = [](const char* value, const char* flag, const char* other) {
        return says("{} contradicts {} {}: give one of the two", value, flag, other);
    };
    EXPECT_THAT(refusal({"--machine_rank", "1", "--node_rank", "0", "train.py"}),
                contradiction("0", "--machine_rank", "1"));
    EXPECT_THAT(refusal({"--num_processes", "3", "--nproc_per_node", "2", "train.py"}),
                contradiction("2", "--num_processes", "3"));
    EXPECT_THAT(refusal({"--master_port", "1", "--rdzv_endpoint", "a:2", "train.py"}),
                contradiction("2", "--master_port", "1"));
    EXPECT_THAT(refusal({"--nnodes", "2", "--standalone", "train.py"}), contradiction("1", "--nnodes", "2"));
    EXPECT_EQ(refusal({"--num_processes", "4", "--nnodes", "2", "--nproc_per_node", "2", "train.py"}), "");
    EXPECT_EQ(refusal({"--num_processes", "4", "--num-processes", "2", "train.py"}), "")
        << "as argparse: the last counts";
    for (const char* bad : {"--nnodes=0", "--nnodes=3:1", "--nnodes=x", "--nproc_per_node=0", "--nproc_per_node=all",
                            "--rdzv_endpoint=:1", "--rdzv_endpoint=a:b"})
        EXPECT_THAT(refusal({bad, "train.py"}), says("'{}' is not of the form {}", _, _)) << bad;
}

TEST(Flags, HelpIsOfWhatWasTyped) {
    const auto groups = [](std::vector<std::string> words) {
        words.emplace_back("-h");
        std::vector<std::string> found;
        std::istringstream lines(flags_help(parse_flags(words)));
        for (std::string line; std::getline(lines, line);)
            if (!line.empty() && line[0] != ' ' && line.ends_with(':'))
                found.push_back(line.substr(0, line.size() - 1));
        return found;
    };
    const std::vector<std::string> all = groups({});
    const auto with = [](const char* group) {
        std::vector<std::string> expected{"General", "Resources", "Several machines"};
        return expected.push_back(group), expected;
    };
    for (const auto& [words, group] :
         std::vector<std::pair<std::vector<std::string>, const char*>>{{{"--fp8_backend", "te"}, "FP8"},
                                                                       {{"--use_fsdp"}, "FSDP"},
                                                                       {{"--fsdp_version=2"}, "FSDP"},
                                                                       {{"--use_deepspeed"}, "DeepSpeed"},
                                                                       {{"--tpu"}, "TPU"}}) {
        const std::vector<std::string> shown = groups(words);
        EXPECT_THAT(shown, testing::IsSupersetOf(with(group)));
        EXPECT_THAT(all, testing::IsSupersetOf(shown));
        for (const char* other : {"FP8", "FSDP", "DeepSpeed", "TPU", "Megatron-LM", "SLURM", "Amazon"})
            if (std::string(other) != group) {
                EXPECT_THAT(shown, testing::Not(testing::Contains(std::string(other)))) << group;
            }
    }
    EXPECT_THAT(all, testing::IsSupersetOf({"FP8", "FSDP", "DeepSpeed", "TPU", "Megatron-LM", "SLURM", "Amazon"}));
}

TEST(Flags, HelpNamesEveryFlag) {
    EXPECT_TRUE(parse_flags({"--cpu", "--help", "train.py"}).is_on("help"));
    EXPECT_TRUE(parse_flags({"recipe.yaml", "extra", "--help"}).is_on("help"));
    EXPECT_FALSE(parse_flags({"train.py", "--help"}).is_on("help"));  // an argument of the script
    std::string help = flags_help();
    for (const settings::Key& key : settings::schema())
        if (key.flag.kind != settings::FlagKind::none) {
            EXPECT_THAT(help, HasSubstr(std::string(key.flag.name)));
        }
}

}  // namespace
}  // namespace trainyard::plan
