// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard sweep` with real runs on this machine: from the file to the best run, with a kill in the middle.

#include <csignal>
#include <map>
#include <string>

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
    EXPECT_THAT(said.err, HasSubstr("--show prints a sweep that was begun"));
    write_file_atomically(sweep(),
                          "recipe: recipe.yaml\ntrials: 2\nlaunch: [--num_procesess, 2]\n"
                          "parameters: {optimizer.lr: [1e-3]}\n");
    said = test::trainyard({"sweep", sweep().string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("--num_procesess"));
    EXPECT_FALSE(fs::exists(runs()));
}

TEST_F(SweepRuns, AMetricThatNoRunHasIsNamed) {
    write_file_atomically(sweep(),
                          "recipe: recipe.yaml\nmetric: eval/los\nmethod: grid\nlaunch: [--cpu]\n"
                          "parameters: {optimizer.lr: [1e-3, 1e-2]}\n");
    const Said said = test::trainyard({"sweep", sweep().string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("the run has no curve eval/los"));
}

}  // namespace
}  // namespace trainyard
