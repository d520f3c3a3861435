// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard sweep` with real runs on this machine: from the file to the best run, with a kill in the middle.

#include <csignal>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/program.h"
#include "run/listing.h"
#include "run/run_labels.h"
#include "run/spec.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;
using test::Program;
using test::Said;
using testing::HasSubstr;

class SweepRuns : public testing::Test {
  protected:
    SweepRuns() {
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        std::string text;
        for (int i = 0; i < 2000; ++i)
            text += "line " + std::to_string(i * 7919 % 2000) + " of a text that repeats itself\n";
        write_file_atomically(folder_.path() / "text.txt", text);
        write_file_atomically(folder_.path() / "recipe.yaml",
                              "name: small\nmodel: {n_layer: 1, n_embd: 16, n_head: 2, n_positions: 16}\n"
                              "data: {path: text.txt, sequence_length: 16}\n"
                              "training: {steps: 20, batch_size: 4, evaluate_every: 5, evaluate_batches: 2}\n"
                              "checkpoint: {every: 1000}\n");
        write_file_atomically(sweep(),
                              "name: lr\nrecipe: recipe.yaml\nmethod: tpe\ntrials: 6\nat_once: 2\nstartup_trials: 3\n"
                              "launch: [--cpu]\nparameters:\n  optimizer.lr: {min: 1e-6, max: 0.1, scale: log}\n");
    }
    fs::path runs() const { return folder_.path() / "runs"; }
    fs::path sweep() const { return folder_.path() / "sweep.yaml"; }
    Json last_of(const std::string& out) const {
        const std::size_t end = out.find_last_not_of('\n'), begin = out.rfind('\n', end);
        return Json::parse(out.substr(begin == std::string::npos ? 0 : begin + 1));
    }
    /// By number: the values and the result.
    std::map<int, Json> trials_of(const std::string& what) const {
        const Said said = test::trainyard({"sweep", "--show", "--json", what});
        EXPECT_EQ(said.code, 0) << said.err;
        std::map<int, Json> trials;
        std::istringstream lines(said.out);
        for (std::string line; std::getline(lines, line);)
            if (const Json json = Json::parse(line); json.contains("trial"))
                trials[json["trial"]] = {json["values"], json["state"], json.value("value", Json())};
        return trials;
    }
    test::TemporaryFolder folder_;
};

TEST_F(SweepRuns, ItGoesOnAfterAKillAsIfNothingHadHappened) {
    const Said whole = test::trainyard({"sweep", "--json", sweep().string()});
    ASSERT_EQ(whole.code, 0) << whole.err;
    const Json end = last_of(whole.out);
    const std::string name = end["sweep"];
    const std::map<int, Json> expected = trials_of(name);
    ASSERT_EQ(expected.size(), 6u);
    const run::RunPaths best(runs() / end["best"]["run"].get<std::string>());
    const run::RunSpec spec = run::read_spec(best.spec());
    EXPECT_EQ(std::to_string(spec.recipe.optimizer.lr),
              std::to_string(std::stod(end["best"]["values"]["optimizer.lr"].get<std::string>())));
    EXPECT_THAT(run::labels_or_none(best).tags, testing::ElementsAre("lr"));
    for (const auto& [number, trial] : expected)
        EXPECT_GE(trial[2].get<double>(), end["best"]["value"].get<double>());
    EXPECT_EQ(run::list_runs(runs()).size(), 6u);

    {
        Program killed({std::string(TRAINYARD_BIN_DIR) + "/trainyard", "sweep", "--json", sweep().string()});
        const double until = monotonic_seconds() + 60;
        while (run::list_runs(runs()).size() < 9 && monotonic_seconds() < until)
            ::usleep(20'000);
        ::kill(killed.pid(), SIGKILL);
    }
    std::string second;
    for (const auto& entry : fs::directory_iterator(runs() / ".sweeps"))
        if (entry.path().filename() != name)
            second = entry.path().filename();
    const Said rest = test::trainyard({"sweep", "--json", second});
    ASSERT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(trials_of(second), expected);
    EXPECT_EQ(run::list_runs(runs()).size(), 12u);
    EXPECT_EQ(last_of(rest.out)["best"]["values"], end["best"]["values"]);
}

TEST_F(SweepRuns, OneProcessAtATimeContinuesIt) {
    Program first({std::string(TRAINYARD_BIN_DIR) + "/trainyard", "sweep", "--json", sweep().string()});
    const double until = monotonic_seconds() + 60;
    while (run::list_runs(runs()).empty() && monotonic_seconds() < until)
        ::usleep(20'000);
    const std::string name = fs::directory_iterator(runs() / ".sweeps")->path().filename();
    const Said second = test::trainyard({"sweep", name});
    EXPECT_EQ(second.code, 2);
    EXPECT_THAT(second.err, HasSubstr("another process continues the sweep " + name));
    EXPECT_EQ(test::trainyard({"sweep", "--show", name}).code, 0);
    EXPECT_EQ(test::trainyard({"sweep", "--show", "lr"}).code, 0) << "by its name without digits";
    EXPECT_EQ(test::trainyard({"sweep", "--dry-run", name}).code, 2);
    EXPECT_EQ(first.wait().code, 0);
}

TEST_F(SweepRuns, WhatIsPlannedIsShownBeforeTheStart) {
    const Said said = test::trainyard({"sweep", "--dry-run", sweep().string()});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("lr: 6 trials (tpe), 2 at once, minimize eval/loss\n"));
    EXPECT_THAT(said.out, HasSubstr("trial   2  optimizer.lr="));
    EXPECT_THAT(said.out, HasSubstr("3 more, with values that follow from the results of these"));
    EXPECT_FALSE(fs::exists(runs()));
}

TEST_F(SweepRuns, BadInputIsNamedAndStartsNothing) {
    write_file_atomically(sweep(), "recipe: recipe.yaml\ntrials: 0\nparameters: {optimizer.lrr: [1]}\n");
    Said said = test::trainyard({"sweep", sweep().string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("sweep.yaml:2:9: trials: must be a whole number from 1 to 100000"));
    said = test::trainyard({"sweep", "no-such-sweep"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("no-such-sweep"));
    said = test::trainyard({"sweep", "--show", sweep().string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("--show is for a sweep that was begun"));
    write_file_atomically(sweep(),
                          "recipe: recipe.yaml\ntrials: 2\nlaunch: [--num_procesess, 2]\n"
                          "parameters: {optimizer.lr: [1e-3]}\n");
    said = test::trainyard({"sweep", sweep().string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("--num_procesess"));
    EXPECT_FALSE(fs::exists(runs()));
}

TEST_F(SweepRuns, AMetricThatNoRunHasIsNamedBeforeTheStart) {
    write_file_atomically(sweep(),
                          "recipe: recipe.yaml\nmetric: eval/los\nmethod: grid\nlaunch: [--cpu]\n"
                          "parameters: {optimizer.lr: [1e-3, 1e-2]}\n");
    const Said said = test::trainyard({"sweep", sweep().string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("no run of this recipe has a curve 'eval/los': did you mean 'eval/loss'?"));
    EXPECT_FALSE(fs::exists(runs()));
}

// A sweep without a terminal is paused, continued, stopped, given more trials and deleted by its name.
TEST_F(SweepRuns, ItIsPausedContinuedStoppedAndDeleted) {
    write_file_atomically(sweep(),
                          "name: lr\nrecipe: recipe.yaml\nmethod: random\ntrials: 4\nat_once: 2\nlaunch: [--cpu]\n"
                          "parameters:\n  optimizer.lr: {min: 1e-4, max: 0.1, scale: log}\n");
    const Said started = test::trainyard({"sweep", "--detach", "--json", sweep().string()});
    ASSERT_EQ(started.code, 0) << started.err;
    const std::string name = last_of(started.out)["sweep"];
    const auto state = [&]() -> std::string {
        for (const Json& one : Json::parse(test::trainyard({"sweep", "--json"}).out))
            if (one["sweep"] == name)
                return one["state"];
        return "";
    };
    const auto wait_for = [&](const std::string& wanted) {
        const double until = monotonic_seconds() + 120;
        while (state() != wanted && monotonic_seconds() < until)
            ::usleep(50'000);
        return state() == wanted;
    };
    EXPECT_EQ(state(), "running");
    EXPECT_EQ(test::trainyard({"sweep", "--delete", "--yes", name}).code, 2) << "it runs";
    EXPECT_EQ(test::trainyard({"sweep", "--pause", name}).code, 0);
    ASSERT_TRUE(wait_for("paused")) << state();
    EXPECT_LT(trials_of(name).size(), 4u);
    EXPECT_EQ(test::trainyard({"sweep", "--pause", name}).code, 2) << "no process continues it";
    ASSERT_EQ(test::trainyard({"sweep", "--detach", name}).code, 0);
    EXPECT_EQ(test::trainyard({"sweep", "--stop", name}).code, 0);
    ASSERT_TRUE(wait_for("stopped") || state() == "finished") << state();
    for (const run::ListedRun& run : run::list_runs(runs()))
        EXPECT_TRUE(run.state && run::is_over(run.state->status)) << run.paths.id();
    // As many trials as asked for first, and two more, with the values of a sweep that was never interrupted.
    ASSERT_EQ(test::trainyard({"sweep", "--json", name}).code, 0);
    ASSERT_EQ(test::trainyard({"sweep", "--trials", "6", "--json", name}).code, 0);
    const std::map<int, Json> all = trials_of(name);
    ASSERT_EQ(all.size(), 6u);
    for (const auto& [number, trial] : all)
        EXPECT_EQ(trial[1], "finished") << number;
    EXPECT_EQ(test::trainyard({"sweep", "--trials", "5", name}).code, 2);
    EXPECT_EQ(state(), "finished");
    const Said unsure = test::trainyard({"sweep", "--delete", name});
    EXPECT_EQ(unsure.code, 2);
    EXPECT_THAT(unsure.err, HasSubstr("nobody can be asked here: add --yes"));
    const std::size_t left = run::list_runs(runs()).size();
    EXPECT_EQ(test::trainyard({"sweep", "--delete", "--yes", name}).code, 0);
    EXPECT_EQ(state(), "");
    EXPECT_FALSE(fs::exists(runs() / ".sweeps" / name));
    EXPECT_EQ(run::list_runs(runs()).size(), left);
}

// A program gets its values as flags and variables, in the folder of the sweep's file, and writes its own curve.
TEST_F(SweepRuns, TrialsOfAProgram) {
    const fs::path program = folder_.path() / "train.sh";
    write_file_atomically(program,
                          "#!/bin/sh\n"
                          "for step in 1 2 3; do\n"
                          "  echo \"{'loss': $(($LAYERS * 10 + $2 - step)).5, 'step': $step}\"\n"
                          "done\n"
                          "pwd > place-$LAYERS-$2.txt\n");
    fs::permissions(program, fs::perms::owner_all);
    write_file_atomically(sweep(),
                          "program: [./train.sh, --width, '{width}']\nenvironment: {LAYERS: '{layers}'}\n"
                          "method: grid\nat_once: 2\nmetric: loss\nlaunch: [--cpu, --num_processes, '1']\n"
                          "parameters: {layers: [1, 2], width: ['3', 4]}\n");
    const Said said = test::trainyard({"sweep", "--json", sweep().string()});
    for (const char* layers : {"1", "2"})
        for (const char* width : {"3", "4"})
            EXPECT_EQ(read_file(folder_.path() / fmt::format("place-{}-{}.txt", layers, width)),
                      folder_.path().string() + "\n")
                << said.err;
    ASSERT_EQ(run::list_runs(runs()).size(), 4u) << said.err;
    EXPECT_EQ(said.code, 0) << said.err << said.out;
    const Json best = last_of(said.out)["best"];
    EXPECT_EQ(best["value"], 10.5) << best;
    EXPECT_EQ(best["values"]["layers"], "1");
    EXPECT_EQ(best["step"], 3);
}

// Accelerators of trials at the same time are others, and are free again for later ones.
TEST_F(SweepRuns, TrialsDoNotShareAccelerators) {
    const fs::path program = folder_.path() / "train.sh";
    write_file_atomically(program,
                          "#!/bin/sh\n"
                          "mkdir busy-$CUDA_VISIBLE_DEVICES || echo $1 >> shared.txt\n"
                          "echo $CUDA_VISIBLE_DEVICES > devices-$1.txt\nsleep 0.3\nrmdir busy-$CUDA_VISIBLE_DEVICES\n");
    fs::permissions(program, fs::perms::owner_all);
    const std::string rest =
        "program: [./train.sh, '{part}']\nmethod: grid\nat_once: 2\nmetric: loss\ndevices: 2\n"
        "parameters: {part: [0, 1]}\n";
    write_file_atomically(sweep(), rest + "launch: [--num_processes, '1', --gpu_ids, '4,5,7']\n");
    const Said few = test::trainyard({"sweep", sweep().string()});
    EXPECT_EQ(few.code, 2);
    EXPECT_THAT(few.err, HasSubstr("2 trials at once with 2 accelerators each need 4, and this machine has 3"));
    write_file_atomically(sweep(), rest + "launch: [--num_processes, '1', --gpu_ids, '4,5,7,6']\n");
    const Said said = test::trainyard({"sweep", "--json", sweep().string()});
    std::set<std::string> seen;
    for (int part = 0; part < 2; ++part)
        seen.insert(read_file(folder_.path() / fmt::format("devices-{}.txt", part)));
    EXPECT_EQ(seen, (std::set<std::string>{"4,5\n", "7,6\n"})) << said.err;
    EXPECT_FALSE(fs::exists(folder_.path() / "shared.txt"));
}

// The same for a recipe, on the test device: what the ranks of a trial may use is in its run.yaml.
TEST_F(SweepRuns, ATrialOfARecipeHasItsAccelerators) {
    write_file_atomically(sweep(),
                          "recipe: recipe.yaml\nmethod: grid\nat_once: 2\ndevices: 1\n"
                          "launch: [--device, guarded, --device_library, " TRAINYARD_GUARDED_DEVICE
                          "]\n"
                          "parameters: {optimizer.lr: [1e-3, 1e-2]}\n");
    const Said said = test::trainyard({"sweep", "--json", sweep().string()});
    EXPECT_EQ(said.code, 0) << said.err << said.out;
    std::multiset<std::string> ids;
    for (const run::ListedRun& run : run::list_runs(runs()))
        ids.insert(run::read_spec(run.paths.spec()).launch.gpu_ids);
    EXPECT_EQ(ids, (std::multiset<std::string>{"0", "1"}));
    for (const auto& [number, trial] : trials_of(last_of(said.out)["sweep"]))
        EXPECT_EQ(trial[1], "finished") << number;
}

TEST_F(SweepRuns, AllMistakesAtOnce) {
    write_file_atomically(sweep(),
                          "recipe: recipe.yaml\nmethod: tpee\nmetric: train/losss\nlaunch: [--num_procesess, '2']\n"
                          "parameters:\n"
                          "  optimizer.lr: {min: 0, max: 0.1, scale: log}\n"
                          "  optimizer.lrr: [1]\n"
                          "  training.batch_size: {min: 4, max: 4}\n"
                          "  training.steps: []\n");
    const Said said = test::trainyard({"sweep", sweep().string()});
    EXPECT_EQ(said.code, 2);
    for (const char* words :
         {"method: must be one of grid, random, tpe", "metric: no run of this recipe has a curve 'train/losss'",
          "--num_procesess", "optimizer.lr: min is 0: a logarithmic scale begins above 0", "optimizer.lrr",
          "training.batch_size: min is 4 and max 4: min must be smaller",
          "training.steps: the list of values is empty"})
        EXPECT_THAT(said.err, HasSubstr(words));
    EXPECT_FALSE(fs::exists(runs()));
    write_file_atomically(sweep(),
                          "program: [./nothing.sh, '{lr}', '{\"a\": 1}', '{depth}']\ntrials: 2\n"
                          "parameters: {lr: [1, 2], width: [1]}\n");
    const Said program = test::trainyard({"sweep", sweep().string()});
    EXPECT_EQ(program.code, 2);
    for (const char* words : {"nothing.sh does not exist", "{depth} is not one of the parameters",
                              "parameters.width: the program is not given this value"})
        EXPECT_THAT(program.err, HasSubstr(words));
    EXPECT_THAT(program.err, testing::Not(HasSubstr("\"a\"")));
}

}  // namespace
}  // namespace trainyard
