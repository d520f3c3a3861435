// SPDX-License-Identifier: GPL-3.0-or-later
// launch --export: the script starts what the plan says, with no Trainyard around.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/file.h"
#include "launch/plan/plan.h"
#include "support/temporary_folder.h"

namespace trainyard::plan {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Script : public testing::Test {
  protected:
    Plan plan_of(const std::vector<std::string>& words) {
        settings::Machine machine;
        machine.device = "cuda";
        machine.device_count = 2;
        machine.physical_cores = 4;
        machine.free_port = 43210;
        Flags flags = parse_flags(words);
        return make_plan(flags, resolve(flags, std::nullopt, machine, {}), machine, {}, "python3");
    }
    /// Exit code of the script in the test's folder.
    int run(const Plan& plan) {
        std::ofstream(folder_.path() / "run.sh") << plan_script(plan, {"trainyard", "launch", "it's"});
        int status = std::system(("cd " + folder_.path().string() + " && bash run.sh").c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    std::string said(const char* name) { return read_file(folder_.path() / name); }
    test::TemporaryFolder folder_;
};

TEST_F(Script, RanksGetTheirVariablesAndOddWordsArriveWhole) {
    Plan plan = plan_of({"--multi_gpu", "--num_processes", "2", "--no_python", "sh", "-c",
                         "printf '%s %s %s %s' $RANK $WORLD_SIZE $MASTER_PORT \"$1\" >said.$LOCAL_RANK", "sh",
                         "a 'quoted' $HOME\nword"});
    EXPECT_EQ(run(plan), 0);
    EXPECT_EQ(said("said.0"), "0 2 29500 a 'quoted' $HOME\nword");
    EXPECT_EQ(said("said.1"), "1 2 29500 a 'quoted' $HOME\nword");
}

TEST_F(Script, TheFirstFailureEndsTheOthersAndIsItsExitCode) {
    Plan plan = plan_of({"--multi_gpu", "--num_processes", "2", "--no_python", "sh", "-c",
                         "[ $RANK = 1 ] && exit 7; echo $$ >pid; exec sleep 600"});
    EXPECT_EQ(run(plan), 7);
}

TEST_F(Script, OneProcessIsTheScriptItself) {
    Plan plan = plan_of({"--cpu", "--num_processes", "1", "--mixed_precision", "no", "--no_python", "sh", "-c",
                         "echo $ACCELERATE_MIXED_PRECISION >said; exit 3"});
    EXPECT_EQ(run(plan), 3);
    EXPECT_EQ(said("said"), "no\n");
    std::string text = plan_script(plan, {"trainyard", "launch", "x\ny"});
    EXPECT_THAT(text, StartsWith("#!/usr/bin/env bash\n# trainyard launch 'x y'\n# starts one process"));
    EXPECT_THAT(text, HasSubstr("\nexec sh -c "));
}

TEST_F(Script, WhatStartsItselfIsRefused) {
    EXPECT_THROW(plan_script(plan_of({"--use_deepspeed", "--num_processes", "2", "x.py"}), {}), UserError);
}

}  // namespace
}  // namespace trainyard::plan
