// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/spec.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

using testing::HasSubstr;

RunSpec example(const fs::path& folder) {
    std::ofstream(folder / "recipe.yaml")
        << "name: \"a: b\"\ndata: {path: text}\ntraining: {steps: 7, seed: 18446744073709551615}\n";
    RunSpec spec;
    spec.recipe = config::load_recipe(folder / "recipe.yaml");
    spec.launch.num_processes = 2;
    spec.launch.main_process_port = 29501;
    spec.launch.num_cpu_threads_per_process = 3;
    spec.recipe_file = (folder / "recipe.yaml").string();
    spec.command = {"trainyard", "launch", "with blank", "quote\" and \\", "- dash", "", "new\nline"};
    spec.versions = {{"trainyard", "0.1.0"}, {"libtorch", "2.10"}};
    spec.git = {{"commit", "0123456789012345678901234567890123456789"}, {"dirty", "no"}};
    spec.created = 1795250000.125;
    return spec;
}

TEST(Spec, TheSameRunComesOutOfTheFile) {
    test::TemporaryFolder folder;
    RunPaths run(folder.path());
    RunSpec spec = example(folder.path());
    write_spec(run, spec);
    RunSpec read = read_spec(run.spec());
    EXPECT_EQ(config::to_yaml(read.recipe), config::to_yaml(spec.recipe));
    EXPECT_EQ(read.recipe.name, "a: b");
    EXPECT_EQ(read.recipe.training.seed, 18446744073709551615ull);
    EXPECT_EQ(read.launch.num_processes, 2);
    EXPECT_EQ(read.launch.main_process_port, 29501);
    EXPECT_EQ(read.launch.num_cpu_threads_per_process, 3);
    EXPECT_TRUE(read.launch.machines.empty()) << "this machine alone has no list";
    EXPECT_FALSE(read.program);
    EXPECT_EQ(read.command, spec.command);
    EXPECT_EQ(read.versions, spec.versions) << "versions stay text, 2.10 is not 2.1";
    EXPECT_EQ(read.git, spec.git);
    EXPECT_DOUBLE_EQ(read.created, spec.created);
    EXPECT_EQ(to_yaml(read), to_yaml(spec));
}

TEST(Spec, AProgramOnSeveralMachines) {
    test::TemporaryFolder folder;
    RunPaths run(folder.path());
    RunSpec spec;
    spec.recipe.name = "train gpt";
    spec.program.emplace();
    spec.program->command = {"python3", "-u", "train.py", "--text", "a \"quoted\" word\nand a line", ""};
    spec.program->environment = {{"ACCELERATE_USE_CPU", "True"}, {"EMPTY", ""}};
    spec.program->directory = "/home/me/my code";
    spec.program->rendezvous = false;
    spec.program->role = "trainer";
    spec.program->run_id = "job: 7";
    spec.launch.machines = {{"gpu-a", 2, "10.0.0.1"}, {"me@gpu-b", 3, "10.0.0.2"}};
    spec.launch.num_processes = 5;
    spec.launch.max_restarts = 3;
    spec.launch.min_machines = 1;
    spec.launch.join_timeout_s = 60.5;
    spec.launch.hang_timeout_s = 0;
    spec.launch.stop_timeout_s = 12;
    spec.launch.cpu_affinity = true;
    write_spec(run, spec);
    EXPECT_TRUE(is_spec_file(run.spec()));
    RunSpec read = read_spec(run.spec());
    ASSERT_TRUE(read.program);
    EXPECT_EQ(read.recipe.name, "train gpt");
    EXPECT_EQ(read.program->command, spec.program->command);
    EXPECT_EQ(read.program->environment, spec.program->environment);
    EXPECT_EQ(read.launch.machines, spec.launch.machines);
    EXPECT_EQ(read.launch.max_restarts, 3);
    EXPECT_EQ(to_yaml(read), to_yaml(spec));
}

TEST(Spec, ARecipeAndARunAreToldApart) {
    test::TemporaryFolder folder;
    RunPaths run(folder.path());
    write_spec(run, example(folder.path()));
    EXPECT_TRUE(is_spec_file(run.spec()));
    EXPECT_FALSE(is_spec_file(folder.path() / "recipe.yaml"));
    EXPECT_THROW(is_spec_file(folder.path() / "none.yaml"), UserError);
}

TEST(Spec, DamageIsASentenceWithTheFile) {
    test::TemporaryFolder folder;
    fs::path file = folder.path() / "run.yaml";
    RunSpec spec = example(folder.path());
    std::string whole = to_yaml(spec);
    for (const std::string& text :
         {std::string("recipe: [1"), std::string("just text"), std::string("recipe: {}\nlaunch: 3\n"),
          whole.substr(0, whole.find("launch:")) + "launch:\n  num_processes: many\n",
          whole.substr(0, whole.find("launch:")) + "launch:\n  machines: here\n",
          std::string("launch: {}\nprogram: {command: []}\n"), std::string("launch: {}\nprogram: 7\n")}) {
        std::ofstream(file, std::ios::trunc) << text;
        try {
            read_spec(file);
            FAIL() << "was read: " << text;
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), HasSubstr("run.yaml")) << text;
        }
    }
}

TEST(Spec, TheTextOfAProgram) {
    RunSpec spec;
    spec.recipe.name = "train gpt";
    spec.program.emplace().command = {"sh", "-c", "echo \"hi\"\n"};
    spec.program->environment = {{"KEY", ""}};
    spec.launch.num_processes = 3;
    spec.launch.machines = {{"gpu-a", 2, "10.0.0.1"}, {"gpu-b", 1, ""}};
    spec.launch.hang_timeout_s = 0.1;
    spec.launch.gpu_ids = "0,2";
    spec.launch.output.tee = "3";
    spec.versions = {{"yes", "2.10"}};
    EXPECT_EQ(to_yaml(spec), R"(name: "train gpt"
program:
  command: ["sh", "-c", "echo \"hi\"\n"]
  environment:
    KEY: ""
  directory: ""
  rendezvous: true
  role: "default"
  run_id: "none"
launch:
  num_processes: 3
  device: cpu
  main_process_ip: 127.0.0.1
  main_process_port: 0
  num_cpu_threads_per_process: 0
  machines:
    - {host: "gpu-a", ranks: 2, address: "10.0.0.1"}
    - {host: "gpu-b", ranks: 1, address: ""}
  max_restarts: 0
  min_machines: 0
  join_timeout_s: 600
  hang_timeout_s: 0.10000000000000001
  stop_timeout_s: 30
  cpu_affinity: false
  gpu_ids: "0,2"
  output:
    local_ranks_filter: ""
    log_dir: ""
    redirects: "0"
    tee: "3"
versions:
  yes: "2.10"
git:
  {}
recipe_file: ""
command: []
created: ")" + iso_time(0) + "\"\n");
}

/// The problems of a run.yaml of that text.
std::vector<Problem> problems_of(const std::string& text) {
    try {
        parse_spec(text, "/runs/x/run.yaml");
    } catch (const InvalidInput& error) {
        return error.problems();
    }
    return {};
}

TEST(Spec, ProblemsAreAtThePlacesOfTheFileThatWasWritten) {
    const std::string text =
        "# a comment that a second parse would not see\n"
        "launch: {num_processes: 2}\n"
        "\n"
        "recipe:\n"
        "    # four blanks\n"
        "    data: {path: text}\n"
        "    training:\n"
        "        stpes: 7\n"
        "        batch_size: many\n";
    const std::vector<Problem> found = problems_of(text);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].line, 8);
    EXPECT_EQ(found[0].column, 9);
    EXPECT_EQ(found[0].key, "training.stpes");
    EXPECT_EQ(found[1].line, 9);
    EXPECT_EQ(found[1].column, 21);
    EXPECT_EQ(found[1].key, "training.batch_size");

    const std::vector<Problem> launch = problems_of(
        "recipe: {data: {path: text}}\nlaunch:\n  num_processes: two\n  cpu_affinity: 7\n  machines: [{ranks: [1]}]\n"
        "versions: [1]\n");
    ASSERT_EQ(launch.size(), 4u);
    EXPECT_EQ(launch[0].text(), "/runs/x/run.yaml:3:18: launch.num_processes: expected a number, got 'two'");
    EXPECT_EQ(launch[1].text(), "/runs/x/run.yaml:4:17: launch.cpu_affinity: expected true or false, got '7'");
    EXPECT_EQ(launch[2].text(), "/runs/x/run.yaml:5:22: launch.machines.ranks: expected a number, got a list");
    EXPECT_EQ(launch[3].text(), "/runs/x/run.yaml:6:11: versions: expected a table of keys, got a list");
}

}  // namespace
}  // namespace trainyard::run
