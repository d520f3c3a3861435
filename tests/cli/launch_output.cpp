// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the output and environment of ranks, for recipes and programs: --tee, --redirects, --log_dir,
// --local_ranks_filter, and the environment variables of the launch.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/program.h"
#include "launch/fake_run.h"
#include "run/listing.h"
#include "support/says.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;
using test::FakeRun;
using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class LaunchOutput : public testing::Test {
  protected:
    LaunchOutput() {
        ::setenv("FAKE_DO", "0:print:3,1:print:3", 1);
        ::setenv("FAKE_STEPS", "6", 1);
        ::setenv("FAKE_STEP_MS", "10", 1);
        for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "NCCL_DEBUG"})
            ::unsetenv(name);
    }
    ~LaunchOutput() override { ::unsetenv("NCCL_DEBUG"); }
    Said recipe(std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"launch", "--cpu", "--num_processes", "2"});
        flags.push_back(fake_.recipe());
        return test::trainyard(flags);
    }
    Said program(std::vector<std::string> flags, const std::string& script) {
        const fs::path file = fake_.folder() / "program";
        write_file_atomically(file, "#!/bin/sh\n" + script + "\n", false, 0700);
        flags.insert(flags.begin(),
                     {"launch", "--cpu", "--num_processes", "2", "--main_process_port", "0", "--no_python"});
        flags.push_back(file);
        return test::trainyard(flags);
    }
    fs::path logs() const { return fake_.folder() / "own logs"; }

    FakeRun fake_;
};

TEST_F(LaunchOutput, TeedStreamsOfARecipeAreShownWithTheRankAndKeptInFiles) {
    Said said = recipe({"--tee", "2", "--log_dir", logs(), "--local_ranks_filter", "1"});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("[default1]:rank 1 says hello at step 3\n"), Not(HasSubstr("[default0]"))));
    for (int rank : {0, 1})
        EXPECT_EQ(read_file(logs() / std::to_string(rank) / "stderr.log"),
                  "rank " + std::to_string(rank) + " says hello at step 3\n");
    EXPECT_FALSE(fs::exists(logs() / "0" / "stdout.log"));
    const run::RunPaths run = run::list_runs(fake_.runs()).at(0).paths;
    EXPECT_EQ(read_file(run.console_log()), "[default1]:rank 1 says hello at step 3\n");
    EXPECT_THAT(read_file(run.rank_log(0)), HasSubstr("rank 0 says hello")) << "the run's own logs have everything";
}

TEST_F(LaunchOutput, RedirectedStreamsOfARecipeHaveFiles) {
    Said said = recipe({"--redirects", "1:3", "--log_dir", logs()});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, Not(HasSubstr("says hello")));
    EXPECT_EQ(read_file(logs() / "1" / "stderr.log"), "rank 1 says hello at step 3\n");
    EXPECT_FALSE(fs::exists(logs() / "0"));
}

TEST_F(LaunchOutput, WhatCannotBeIsSaidBeforeTheStart) {
    Said said = recipe({"--tee", "5"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err,
                says("{} {}: give 0 (nothing), 1 (stdout), 2 (stderr) or 3 (both), or for single ranks as in 0:1,1:3",
                     EndsWith("--tee"), 5));
    write_file_atomically(fake_.folder() / "file", "", false);
    said = recipe({"--tee", "3", "--log_dir", fake_.folder() / "file" / "in"});
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.err, says("--log_dir {} cannot be written: {}: name another folder",
                               (fake_.folder() / "file" / "in").string(), _));
    EXPECT_TRUE(run::list_runs(fake_.runs()).empty());
    said = recipe({"--log_dir", logs()});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.err,
                HasSubstr("--log_dir " + logs().string() + " has no effect: it counts only with --tee or --redirects"));
    EXPECT_FALSE(fs::exists(logs()));
}

TEST_F(LaunchOutput, ADetachedProgramHasItsFiles) {
    Said said = program({"--detach", "--tee", "3", "--log_dir", logs()}, "echo out of $RANK");
    ASSERT_EQ(said.code, 0) << said.err;
    fake_.paths = run::list_runs(fake_.runs()).at(0).paths;
    EXPECT_EQ(fake_.wait_until_over().status, run::Status::finished);
    EXPECT_EQ(read_file(logs() / "1" / "stdout.log"), "out of 1\n");
    said = test::trainyard({"runs", "follow", fake_.paths->id()});
    EXPECT_THAT(said.out, AllOf(HasSubstr("[default0]:out of 0\n"), HasSubstr("[default1]:out of 1\n")));
}

TEST_F(LaunchOutput, VariablesOfNcclReachTheRanksOfAllMachines) {
    ::setenv("NCCL_DEBUG", "INFO", 1);
    Json plan = Json::parse(recipe({"--dry-run", "--json"}).out);
    ASSERT_FALSE(plan.at("ranks").empty());
    for (const Json& rank : plan["ranks"])
        EXPECT_EQ(rank["environment"]["NCCL_DEBUG"], "INFO");
    for (const bool script : {false, true}) {
        const std::vector<std::string> flags{"--hosts", "gpu-a:1,gpu-b:1", "--dry-run", "--json"};
        std::vector<std::string> words{"launch"};
        words.insert(words.end(), flags.begin(), flags.end());
        if (script) {
            write_file_atomically(fake_.folder() / "program", "#!/bin/sh\n", false, 0700);
            words.push_back("--no_python");
        }
        words.push_back(script ? fake_.folder() / "program" : fake_.recipe());
        const Said said = test::trainyard(words);
        ASSERT_EQ(said.code, 0) << said.err;
        EXPECT_THAT(Json::parse(said.out)["run_yaml"].get<std::string>(), HasSubstr("NCCL_DEBUG: \"INFO\"")) << script;
    }
}

TEST_F(LaunchOutput, ThePlanHasWhatTheStartAdds) {
    Json plan = Json::parse(program({"--dry-run", "--json"}, "true").out);
    EXPECT_EQ(plan["environment"]["GOMP_SPINCOUNT"], "2000");
    Said said = program({}, "echo spins $GOMP_SPINCOUNT");
    EXPECT_THAT(said.out, HasSubstr("spins 2000\n")) << "as the plan says";
    ::setenv("GOMP_SPINCOUNT", "7", 1);
    plan = Json::parse(program({"--dry-run", "--json"}, "true").out);
    EXPECT_FALSE(plan["environment"].contains("GOMP_SPINCOUNT")) << "the user's own is left alone";
    ::unsetenv("GOMP_SPINCOUNT");
    const std::vector<std::string> machines{
        "--num_machines",    "2",         "--machine_rank",      "0",
        "--main_process_ip", "127.0.0.1", "--main_process_port", std::to_string(20000 + ::getpid() % 10000),
        "--dry-run",         "--json"};
    for (const Said& planned : {recipe(machines), program(machines, "true")}) {
        ASSERT_EQ(planned.code, 0) << planned.err;
        EXPECT_THAT(Json::parse(planned.out)["machine_environment"]["NCCL_SOCKET_IFNAME"].get<std::string>(),
                    says("the machine's network interface that reaches the others, unless its environment names one"));
    }
}

}  // namespace
}  // namespace trainyard
