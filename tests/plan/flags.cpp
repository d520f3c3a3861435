// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of launch: spellings, all problems at once, what belongs to the program.

#include "launch/plan/flags.h"

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
