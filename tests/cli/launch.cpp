// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the command `trainyard launch`: exit codes and messages, and that a refused launch starts nothing.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/listen_socket.h"
#include "base/progress.h"
#include "cli/program.h"
#include "formats/weights/source_changes.h"
#include "formats/weights/write_weights.h"
#include "launch/fake_run.h"
#include "run/listing.h"
#include "run/spec.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;
using test::FakeRun;
using test::Program;
using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A recipe, the fake worker's directives, and the run that came of it.
class Launch : public testing::Test {
  protected:
    Launch() { act("", 20); }
    void act(const std::string& directives, int steps) {
        ::setenv("FAKE_DO", directives.c_str(), 1);
        ::setenv("FAKE_STEPS", std::to_string(steps).c_str(), 1);
        ::setenv("FAKE_STEP_MS", "10", 1);
    }
    Said launch(std::vector<std::string> flags) {
        flags.insert(flags.begin(), "launch");
        flags.push_back(fake_.recipe());
        return test::trainyard(flags);
    }
    std::vector<run::ListedRun> runs() const { return run::list_runs(fake_.runs()); }
    /// Hands the run to the fixture, which ends it with the test.
    void adopt() { fake_.paths = runs().at(0).paths; }
    bool has_no_runs() const { return !fs::exists(fake_.runs()) || fs::is_empty(fake_.runs()); }

    FakeRun fake_;
};

TEST_F(Launch, FollowsToTheEnd) {
    Said said = launch({"--num_processes", "2"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("step 20/20 [##############################] 100 %  loss 0.2500"));
    EXPECT_THAT(said.out, ContainsRegex("\nfinished 20 steps in .*, loss 0.2500\n$"));
    EXPECT_EQ(said.err, "");
    ASSERT_EQ(runs().size(), 1u);
    EXPECT_THAT(said.out, StartsWith(runs()[0].paths.id() + "\n" + runs()[0].paths.root().string() + "\n"));
    EXPECT_EQ(runs()[0].state->ranks.size(), 2u);
}

// The rate of steps, as tqdm shows it, and no time left where no step is.
TEST_F(Launch, ProgressHasStepsPerSecondAndNoTimeLeftAtTheEnd) {
    act("", 60);
    ::setenv("FAKE_STEP_MS", "30", 1);
    Said said = launch({});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out,
                ContainsRegex("step [0-9]+/60 \\[#+ *\\] +[0-9]+ %  loss [0-9.]+  [0-9.]+ steps/s  1.00 k tokens/s"));
    EXPECT_THAT(said.out, ContainsRegex("step 60/60 \\[#+\\] 100 %  loss 0.0833  [0-9.]+ steps/s  1.00 k tokens/s\n"));
}

TEST_F(Launch, APortThatAnotherLaunchHasReservedIsRefused) {
    const int port = free_port("127.0.0.1");
    const FileDescriptor reservation = reserve_port(port);
    Said said = launch({"--main_process_port", std::to_string(port)});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(
        said.err,
        AllOf(HasSubstr("--main_process_port"),
              says("port {} of this machine is in use by another launch: give another one, or 0 for a free one", _)));
    EXPECT_TRUE(has_no_runs());
}

TEST_F(Launch, AFlagWhoseConditionFailsIsNamedOnTheTerminal) {
    Said said = launch({"--fsdp_offload_params", "true", "--nodes", "1"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.err, AllOf(HasSubstr("note: --fsdp_offload_params true has no effect: it counts only when"),
                                HasSubstr("note: --nodes 1 has no effect: it counts only with --slurm")));
}

class LaunchVariables : public Launch {
  protected:
    ~LaunchVariables() override {
        for (const auto& [name, value] : set_)
            ::unsetenv(name.c_str());
    }
    void set(const std::map<std::string, std::string>& variables) {
        for (const auto& [name, value] : variables)
            ::setenv(name.c_str(), value.c_str(), 1);
        set_ = variables;
    }
    std::map<std::string, std::string> set_;
};

TEST_F(LaunchVariables, OfMpiThatAreLeftInAShellAreNamed) {
    for (const std::string prefix : {"PMI_", "MV2_COMM_WORLD_", "JSM_NAMESPACE_"}) {
        set({{prefix + "SIZE", "4"}, {prefix + "RANK", "0"}});
        Said said = launch({});
        EXPECT_EQ(said.code, 2);
        EXPECT_THAT(said.err, AllOf(HasSubstr("main_process_ip is missing"), HasSubstr(prefix + "SIZE=4"),
                                    HasSubstr(prefix + "RANK=0"), HasSubstr("--num_machines 1"),
                                    HasSubstr("unset " + prefix + "SIZE")));
        EXPECT_THAT(launch({"--num_processes", "2"}).err, HasSubstr("unset " + prefix + "SIZE"));
        EXPECT_EQ(launch({"--num_machines", "1"}).code, 0);
        for (const auto& [name, value] : set_)
            ::unsetenv(name.c_str());
    }
}

TEST_F(LaunchVariables, OfMpiThatALaunchWaitsForAreNamedWithTheMachines) {
    set({{"OMPI_COMM_WORLD_SIZE", "4"},
         {"OMPI_COMM_WORLD_RANK", "0"},
         {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
         {"OMPI_COMM_WORLD_LOCAL_RANK", "0"}});
    Said said = launch({"--rdzv_conf", "join_timeout=1"});
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.err, AllOf(HasSubstr("OMPI_COMM_WORLD_SIZE=4"), HasSubstr("--num_machines 1")));
    EXPECT_THAT(said.out, says("{}, up to {}", says("waiting for {}", "machine 1, machine 2, machine 3").at_end(),
                               StartsWith("1.00 s")));
}

/// A machine whose head cannot be reached says why while it tries again.
TEST_F(Launch, AHeadThatCannotBeReachedIsReportedBeforeTheTimeIsOver) {
    const std::vector<std::string> machines{"--num_machines",      "2",     "--num_processes", "2",
                                            "--main_process_port", "29659", "--rdzv_conf",     "join_timeout=4"};
    std::vector<std::string> other = machines;
    other.insert(other.end(), {"--machine_rank", "1", "--main_process_ip", "no.such.host.invalid"});
    EXPECT_THAT(launch(other).err,
                says("no answer yet from the head of the run at {}:{}: {}: trying again for up to {}",
                     "no.such.host.invalid", 29659, _, StartsWith("4.00 s")));
    std::vector<std::string> head = machines;
    head.insert(head.end(), {"--machine_rank", "0", "--main_process_ip", "192.0.2.1"});
    EXPECT_THAT(launch(head).err,
                says("{} is not an address of this machine: give one of its own, or start this on the "
                     "machine that has it",
                     EndsWith("192.0.2.1")));
}

TEST_F(LaunchVariables, OfASlurmJobOnOtherMachinesAreNotUsed) {
    set({{"SLURM_JOB_ID", "42"}, {"SLURM_JOB_NODELIST", "gpu[01-04]"}, {"SLURM_TASKS_PER_NODE", "1(x4)"}});
    Said said = launch({"--num_processes", "1"});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(
        said.err,
        AllOf(
            says("SLURM's variables are not used: this machine, {}, is not one of the machines of job {} "
                 "(SLURM_JOB_NODELIST={}); start the command there with srun, or unset SLURM_JOB_ID if the job is over",
                 _, _, _),
            says("SLURM's variables are not used: this machine, {}, is not one of the machines of job {} "
                 "(SLURM_JOB_NODELIST={}); start the command there with srun, or unset SLURM_JOB_ID if the job is over",
                 _, _, StartsWith("gpu[01-04]")),
            says("SLURM's variables are not used: this machine, {}, is not one of the machines of job {} "
                 "(SLURM_JOB_NODELIST={}); start the command there with srun, or unset SLURM_JOB_ID if the job is over",
                 _, _, _)));
}

TEST_F(Launch, AFailureIsOneSentenceTheSameAsInTheState) {
    act("0:print:3,0:signal:7:9", 1000);
    Said said = launch({"--num-processes=2"});
    EXPECT_EQ(said.code, 1);
    run::RunState state = *runs().at(0).state;
    ASSERT_TRUE(state.first_failure);
    EXPECT_THAT(said.err, StartsWith(state.first_failure->message.text() + "\n"));
    EXPECT_THAT(said.err, EndsWith("  rank 0 says hello at step 3\n"));
    EXPECT_THAT(said.out, Not(HasSubstr("failure")));
}

TEST_F(Launch, AllProblemsAtOnceAndNothingMade) {
    std::ofstream(fake_.recipe(), std::ios::trunc) << "trainig: {steps: 3}\nmodel: {n_layer: many}\n";
    Said said = launch({"--num_processes", "0", "--main_process_port", "70000", "--num_cpu_threads_per_process", "-2"});
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.out, "");
    EXPECT_THAT(said.err, AllOf(HasSubstr("recipe.yaml:1:1"), says(": did you mean '{}'?", "training"),
                                HasSubstr("n_layer"), HasSubstr("--num_processes: 0 ranks"),
                                says("{} is not a port: give 1 to 65535, or 0 for a free one", EndsWith("70000")),
                                HasSubstr("--num_cpu_threads_per_process")));
    EXPECT_TRUE(has_no_runs());
}

TEST_F(Launch, MissingDataIsASentenceAndNothingMade) {
    Said said = launch({"--set", "data.path=/nowhere/at/all"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, AllOf(HasSubstr("data.path"), HasSubstr("/nowhere/at/all")));
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    EXPECT_TRUE(has_no_runs());
}

TEST_F(Launch, ProblemsForPrograms) {
    Said said = launch({"--json", "--num_processes", "0"});
    EXPECT_EQ(said.code, 2);
    Json problems = Json::parse(said.out)["problems"];
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0]["key"], "--num_processes");
    EXPECT_THAT(problems[0]["text"].get<std::string>(), HasSubstr("0 ranks"));
    EXPECT_TRUE(problems[0]["message_message"].contains("form")) << problems;
    EXPECT_EQ(problems[0]["text_message"]["form"], "{}: {}");
}

TEST_F(Launch, FlagsMayStandBehindTheRecipe) {
    Said said = test::trainyard({"launch", "--set", "training.steps=7", fake_.recipe(), "--num_processes", "2", "--set",
                                 "training.seed=9", "--dry-run"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("num_processes: 2"), HasSubstr("steps: 7"), HasSubstr("seed: 9")));
}

TEST_F(Launch, TheSamplesCanBeStarted) {
    int samples = 0;
    for (const auto& entry : fs::directory_iterator(TRAINYARD_SOURCE_DIR "/resources/samples")) {
        if (entry.path().extension() != ".yaml")
            continue;
        ++samples;
        const std::string recipe = read_file(entry.path());
        std::vector<std::string> words{"launch", entry.path(), "--cpu", "--dry-run"};
        // Samples of layouts name the number of ranks that they need in a comment.
        if (recipe.find("--num_processes 2") != std::string::npos)
            words.insert(words.end(), {"--num_processes", "2"});
        // Perl's documentation may not be installed here.
        if (recipe.find("/usr/share/perl") != std::string::npos)
            words.insert(words.end(), {"--set", "data.path=" + (fake_.recipe().parent_path() / "text.txt").string()});
        Said said = test::trainyard(words);
        EXPECT_EQ(said.code, 0) << entry.path() << ": " << said.err;
        EXPECT_THAT(said.out, HasSubstr("name: " + entry.path().stem().string() + "\n"));
    }
    EXPECT_GE(samples, 4);
}

TEST_F(Launch, SettingsAreCheckedTogether) {
    Said said = test::trainyard(
        {"launch", fake_.recipe(), "--dry-run", "--set", "schedule.warmup_steps=200", "--set", "training.steps=300"});
    EXPECT_EQ(said.code, 0) << said.err;
}

TEST_F(Launch, WrongUsageNamesTheMend) {
    EXPECT_THAT(launch({"--num_proceses", "2"}).err, says("{}: did you mean '{}'?", _, "--num_processes"));
    Said behind = test::trainyard({"launch", fake_.recipe(), "--cpuu"});
    EXPECT_EQ(behind.code, 2);
    EXPECT_THAT(behind.err, says("{}: did you mean '{}'?", _, "--cpu"));
    EXPECT_THAT(test::trainyard({"launch", fake_.recipe(), "word"}).err,
                says("'{}' comes after the recipe: a recipe takes no arguments", _));
    EXPECT_EQ(test::trainyard({"launch"}).code, 2);
    EXPECT_EQ(test::trainyard({"lunch"}).code, 2);
    EXPECT_EQ(test::trainyard({}).code, 2);
    Said missing = test::trainyard({"launch", "/none.yaml"});
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, HasSubstr("/none.yaml"));
    EXPECT_TRUE(has_no_runs());
}

TEST_F(Launch, AnUnknownKeyHasTheNearestOnesAndTheCommandThatPrintsAll) {
    const Said said = launch({"--set", "hang_timeout_s=30"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("{}; `trainyard launch RECIPE --dry-run` prints every key", _));
    EXPECT_THAT(said.err, says("unknown key '{}'{}", "hang_timeout_s", _));
    EXPECT_LT(said.err.size(), 400u) << said.err;
    EXPECT_TRUE(has_no_runs());
}

TEST_F(Launch, NoWorkerNoRun) {
    ::setenv("TRAINYARD_WORKER", "/nowhere/trainyard-worker", 1);
    Said said = launch({});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("{} cannot be run: {}: build trainyard-worker, or name it in TRAINYARD_WORKER",
                               EndsWith("/nowhere/trainyard-worker"), _));
    EXPECT_TRUE(has_no_runs());
}

TEST_F(Launch, DryRunPrintsAFileThatStartsTheSameRun) {
    Said said =
        launch({"--dry-run", "--num_processes", "2", "--set", "training.steps=77", "--mixed_precision", "bf16"});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(has_no_runs());
    fs::path file = fake_.recipe().parent_path() / "again.yaml";
    std::ofstream(file) << said.out;
    run::RunSpec spec = run::read_spec(file);
    EXPECT_EQ(spec.recipe.training.steps, 77);
    EXPECT_EQ(spec.recipe.training.mixed_precision, Precision::bf16);
    EXPECT_EQ(spec.launch.num_processes, 2);
    Said again = test::trainyard({"launch", file});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(runs().at(0).state->ranks.size(), 2u);
    EXPECT_EQ(run::read_spec(runs()[0].paths.spec()).recipe.training.steps, 77);
}

// The plan has the same messages about the weights as the log of the run, for example about omitted parts of names.
TEST_F(Launch, DryRunReportsHowTheWeightsWillBeRead) {
    const test::TemporaryFolder folder;
    const fs::path wrapped = folder.path() / "wrapped", recipe = folder.path() / "recipe.yaml";
    const fs::path golden = test::own_golden("models") / "gpt2";
    Progress progress;
    weights::write_weights(*weights::renamed(weights::open_weights(golden), {{"*", "module.*"}}), {.output = wrapped},
                           progress);
    fs::copy_file(golden / "config.json", wrapped / "config.json");
    write_file_atomically(folder.path() / "text.txt", std::string(4000, 'a'));
    write_file_atomically(recipe, "model: {model_type: gpt2, weights: " + wrapped.string() +
                                      "}\ndata: {path: text.txt, sequence_length: 8}\ntraining: {batch_size: 1}\n");
    const Said plan = test::trainyard({"launch", "--dry-run", recipe.string()});
    ASSERT_EQ(plan.code, 0) << plan.err;
    EXPECT_THAT(plan.out,
                ContainsRegex("\n# note: [^\n]*wrapped has names of wrapped modules, whose part module\\. was"));
    const Said json = test::trainyard({"launch", "--dry-run", "--json", recipe.string()});
    EXPECT_THAT(nlohmann::json::parse(json.out)["notes"].at(0).get<std::string>(),
                says("{} has names of wrapped modules, whose part {} was left out", _, EndsWith("module.")));
    const Said plain = test::trainyard(
        {"launch", "--dry-run", "--json", "--set", "model.weights=" + golden.string(), recipe.string()});
    EXPECT_FALSE(nlohmann::json::parse(plain.out).contains("notes"));
}

/// The model is not known then, and nothing else is said of it: no other model is taken for its size.
TEST_F(Launch, AModelOfTimmThatCannotBeTrainedIsNamed) {
    const test::TemporaryFolder folder;
    const fs::path model = folder.path() / "resnet", recipe = folder.path() / "recipe.yaml";
    fs::copy(test::own_golden("models") / "gpt2", model, fs::copy_options::recursive);
    write_file_atomically(model / "config.json", R"({"architecture": "resnet50", "num_classes": 1000})");
    write_file_atomically(folder.path() / "text.txt", std::string(4000, 'a'));
    write_file_atomically(recipe, "model: {weights: resnet, task: image_classification}\ndata: {path: text.txt}\n");
    const Said said = test::trainyard({"launch", "--dry-run", "--cpu", recipe.string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("{}: {} of timm cannot be trained: {}", EndsWith("config.json"), "resnet50", _));
    EXPECT_THAT(said.err, Not(HasSubstr("gpt2'")));
}

TEST_F(Launch, SettingsOfFsdpWithoutShardingTrainReplicasAndCheckpointActivations) {
    fs::path settings = fake_.recipe().parent_path() / "fsdp.yaml";
    auto write = [&](const std::string& strategy, bool checkpointing, bool offload) {
        std::ofstream(settings) << "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nuse_cpu: true\n"
                                   "num_processes: 2\nfsdp_config:\n  fsdp_version: 1\n  fsdp_sharding_strategy: "
                                << strategy
                                << "\n  fsdp_activation_checkpointing: " << (checkpointing ? "true" : "false")
                                << "\n  fsdp_offload_params: " << (offload ? "true" : "false") << "\n";
    };
    for (bool checkpointing : {false, true}) {
        write("NO_SHARD", checkpointing, false);
        Said said = launch({"--dry-run", "--config_file", settings});
        ASSERT_EQ(said.code, 0) << said.err;
        EXPECT_THAT(said.out,
                    HasSubstr(checkpointing ? "activation_checkpointing: full" : "activation_checkpointing: \"no\""));
        EXPECT_THAT(said.out, HasSubstr("# 2 ranks"));
    }
    Said typed = launch({"--dry-run", "--config_file", settings, "--set", "training.activation_checkpointing=false"});
    EXPECT_THAT(typed.out, HasSubstr("activation_checkpointing: \"no\"")) << "flags must take precedence";
    write("FULL_SHARD", true, false);
    Said sharded = launch({"--dry-run", "--config_file", settings});
    ASSERT_EQ(sharded.code, 0) << sharded.err;
    EXPECT_THAT(sharded.out, HasSubstr("  zero_stage: 3\n"));
    write("NO_SHARD", true, true);
    Said offloaded = launch({"--dry-run", "--config_file", settings});
    EXPECT_EQ(offloaded.code, 0) << offloaded.err;
    EXPECT_THAT(offloaded.out, says("ranks train on the processor, so this is in its memory anyway"));
    EXPECT_THAT(offloaded.out, HasSubstr("fsdp_activation_checkpointing true (" + settings.string() +
                                         "): applied: training.activation_checkpointing"));
}

TEST_F(Launch, APipelineIsPlannedOrRefusedBeforeTheStart) {
    auto staged = [&](const char* stages, const char* ranks) {
        return launch({"--dry-run", "--cpu", "--num_processes", ranks, "--set",
                       std::string("parallel.pp_size=") + stages, "--set", "training.gradient_accumulation_steps=4"});
    };
    Said said = staged("2", "4");
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("× 2 pipelines × 4 micro-steps)\n# pipeline: 1F1B over 2 stages (blocks "));
    Said many = staged("500", "500");
    EXPECT_EQ(many.code, 2);
    EXPECT_THAT(many.err, says("{} pipeline stages cannot be cut from a model of {} ({}): give from 1 to {}",
                               EndsWith("500"), _, _, _));
    Said uneven = staged("2", "3");
    EXPECT_EQ(uneven.code, 2);
    EXPECT_THAT(
        uneven.err,
        says("{} cannot be shared among pipelines of {} stages: start a multiple of {} ranks, or change pp_size",
             EndsWith("3 ranks"), 2, _));
    EXPECT_TRUE(has_no_runs());
}

TEST_F(Launch, AFolderWithoutACheckpointIsRefusedBeforeTheStart) {
    const test::TemporaryFolder folder;
    const fs::path empty = folder.path() / "empty";
    fs::create_directories(empty);
    const Said said = launch({"--cpu", "--set", "checkpoint.resume_from=" + empty.string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err,
                says("{} has no checkpoint of a run: give the folder of a run or of one of its checkpoints, or "
                     "start from weights with model.weights",
                     EndsWith("checkpoint.resume_from: " + empty.string())));
    EXPECT_TRUE(has_no_runs());
}

TEST_F(Launch, DetachReturnsWhileTheRunGoesOn) {
    act("", 100'000);
    Said said = launch({"--detach", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    Json answer = Json::parse(said.out);
    fake_.paths = run::RunPaths(answer["path"].get<std::string>());
    EXPECT_EQ(answer["run_id"], fake_.paths->id());
    EXPECT_EQ(fake_.wait_for_step(3).status, run::Status::running);
}

TEST_F(Launch, TheRunsFolderCanBeChosenOnce) {
    fs::path folder = fake_.recipe().parent_path() / "my run";
    EXPECT_EQ(launch({"--run_dir", folder}).code, 0);
    EXPECT_TRUE(fs::exists(folder / "state.json"));
    Said again = launch({"--run-dir", folder});
    EXPECT_EQ(again.code, 2);
    EXPECT_THAT(again.err, says("{} is there already and not empty: name another folder", _));
}

TEST_F(Launch, CtrlCLeavesTheRunAndSaysHowToComeBack) {
    act("", 100'000);
    Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
    program.read_until([](const Said& said) { return said.out.find("step ") != std::string::npos; });
    adopt();
    ::kill(program.pid(), SIGINT);
    const Said& said = program.wait();
    EXPECT_EQ(said.code, 130);
    std::string id = fake_.paths->id();
    EXPECT_THAT(said.out, says("The run continues: trainyard runs follow {0}, trainyard runs stop {0}", id));
    std::int64_t step = fake_.state()->progress.step;
    EXPECT_GT(fake_.wait_for_step(step + 5).progress.step, step);
}

/// `runs` finds a run outside of the list by its folder alone.
TEST_F(Launch, CtrlCNamesAFolderOutsideOfTheListByItsPath) {
    act("", 100'000);
    const fs::path folder = fake_.recipe().parent_path() / "my run";
    Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe(), "--run_dir", folder});
    program.read_until([](const Said& said) { return said.out.find("step ") != std::string::npos; });
    fake_.paths = run::RunPaths(folder);
    ::kill(program.pid(), SIGINT);
    EXPECT_THAT(program.wait().out, says("The run continues: trainyard runs follow {0}, trainyard runs stop {0}",
                                         "'" + folder.string() + "'"));
    EXPECT_EQ(test::trainyard({"runs", "show", folder}).code, 0);
}

TEST_F(Launch, TheFollowersDeathIsNotTheRuns) {
    act("", 100'000);
    {
        Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
        program.read_until([](const Said& said) { return said.out.find("step ") != std::string::npos; });
        adopt();
    }  // SIGKILL
    std::int64_t step = fake_.state()->progress.step;
    EXPECT_GT(fake_.wait_for_step(step + 5).progress.step, step);
}

TEST_F(Launch, VersionAndHelp) {
    EXPECT_EQ(test::trainyard({"--version"}).out, "trainyard " TRAINYARD_VERSION "\n");
    Said help = test::trainyard({"launch", "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.out, AllOf(HasSubstr("--num_processes"), HasSubstr("--detach"), HasSubstr("RECIPE.yaml")));
    Said environment = test::trainyard({"env", "--json"});
    EXPECT_EQ(environment.code, 0);
    EXPECT_EQ(Json::parse(environment.out)["trainyard"], TRAINYARD_VERSION);
    EXPECT_GE(Json::parse(environment.out)["cores"].get<int>(), 1);
    if (Json::parse(environment.out)["default_device"] == "cpu") {
        EXPECT_EQ(Json::parse(environment.out)["collective_backend"], "gloo");
    }
}

}  // namespace
}  // namespace trainyard
