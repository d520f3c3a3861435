// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard runs continue` with real runs: a run that is over continues with more steps, bit for bit as an
// uninterrupted run of that length, or the difference is said before the start.

#include "launch/supervisor/continuation.h"

#include <algorithm>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "cli/program.h"
#include "formats/events/event_file.h"
#include "run/listing.h"
#include "run/spec.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using test::says;
using testing::_;
using testing::HasSubstr;
using testing::Not;
using Curves = std::map<std::string, std::map<std::int64_t, double>>;

class RunsContinue : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        std::ofstream text(folder_.path() / "text.txt");
        for (int i = 0; i < 3000; ++i)
            text << "line " << i * 7919 % 3000 << " of a text that repeats itself\n";
    }
    /// Trains `steps` steps; `more` ends the recipe.
    run::RunPaths train(const std::string& name, int steps, const std::string& more = {}) {
        const auto recipe = folder_.path() / (name + ".yaml");
        std::ofstream(recipe) << "name: " << name
                              << "\nmodel: {n_layer: 1, n_embd: 16, n_head: 2, n_positions: 16, resid_pdrop: 0.1}\n"
                                 "data: {path: text.txt, sequence_length: 16}\n"
                                 "training: {steps: "
                              << steps << ", batch_size: 4, evaluate_batches: 2}\ncheckpoint: {every: 1000}\n"
                              << more;
        const test::Said said = test::trainyard({"launch", "--cpu", recipe.string()});
        EXPECT_EQ(said.code, 0) << said.err;
        return newest();
    }
    run::RunPaths newest() const {
        std::vector<run::ListedRun> runs = run::list_runs(folder_.path() / "runs");
        return std::ranges::max_element(runs, {}, [](const run::ListedRun& run) { return run.state->created; })->paths;
    }
    static Curves curves_of(const run::RunPaths& run) {
        Curves curves;
        for (const auto& entry : std::filesystem::directory_iterator(run.metrics()))
            if (entry.path().filename().string().starts_with("events.out.tfevents"))
                for (const events::Scalar& scalar : events::EventFileReader(entry.path()).poll())
                    curves[scalar.tag][scalar.step] = scalar.value;
        return curves;
    }
    /// Losses and rates of the steps after `step`.
    static void expect_equal_after(int step, const run::RunPaths& continued, const run::RunPaths& whole) {
        Curves a = curves_of(continued), b = curves_of(whole);
        for (const char* tag : {"train/loss", "train/lr", "train/grad_norm"}) {
            std::erase_if(b[tag], [step](const auto& point) { return point.first <= step; });
            EXPECT_FALSE(b[tag].empty()) << tag;
            EXPECT_EQ(a[tag], b[tag]) << tag;
        }
    }

    test::TemporaryFolder folder_;
};

TEST_F(RunsContinue, AFinishedRunIsAsOneThatWasNeverInterrupted) {
    const run::RunPaths first = train("constant", 8, "schedule: {name: constant, warmup_steps: 2}\n");
    const run::RunPaths whole = train("whole", 14, "schedule: {name: constant, warmup_steps: 2}\n");
    const test::Said said = test::trainyard({"runs", "continue", "constant", "--steps", "14", "--name", "longer"});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.err, Not(HasSubstr("learning rate"))) << "nothing differs";
    const run::RunPaths longer = newest();
    EXPECT_EQ(run::read_state(longer)->name, "longer");
    EXPECT_EQ(run::read_state(longer)->progress.step, 14);
    EXPECT_EQ(run::read_spec(longer.spec()).recipe.checkpoint.resume_from, first.root().string());
    expect_equal_after(8, longer, whole);
}

TEST_F(RunsContinue, AScheduleThatEndsElsewhereIsSaidBeforeTheStart) {
    train("cosine", 8, "schedule: {min_lr_ratio: 0.1}\n");
    const test::Said plan = test::trainyard({"runs", "continue", "cosine", "--steps", "14", "--dry-run"});
    EXPECT_EQ(plan.code, 0) << plan.err;
    EXPECT_THAT(plan.out,
                says("the first {} steps were trained with a learning rate whose decay ends at step {}, and the rest "
                     "with one whose decay ends at step {}: a run of {} steps from the start would have other rates in "
                     "its first {} steps; schedule.decay_steps={} keeps the schedule of the run before",
                     8, 8, 14, 14, 8, 8));
    EXPECT_EQ(run::list_runs(folder_.path() / "runs").size(), 1u) << "nothing was started";

    // With the schedule of the run: as an uninterrupted run whose decay ends there.
    const test::Said kept =
        test::trainyard({"runs", "continue", "cosine", "--steps", "14", "--keep-schedule", "--name", "kept"});
    ASSERT_EQ(kept.code, 0) << kept.err;
    EXPECT_THAT(kept.err, Not(HasSubstr("learning rate")));
    const run::RunPaths longer = newest();
    const run::RunPaths whole = train("whole", 14, "schedule: {min_lr_ratio: 0.1, decay_steps: 8}\n");
    expect_equal_after(8, longer, whole);
    // Differences of a run are reported for the runs that continue it, too.
    const test::Said again = test::trainyard({"runs", "continue", "kept", "--steps", "20", "--dry-run"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.out, Not(HasSubstr("would have other rates"))) << "decay_steps is a setting of the run now";
}

TEST_F(RunsContinue, TheFirstStepHasTheRateOfTheNewSchedule) {
    for (const char* name : {"cosine", "polynomial", "cosine_with_restarts", "WarmupDecayLR"}) {
        SCOPED_TRACE(name);
        const std::string schedule = std::string("schedule: {name: ") + name + "}\n";
        train(name, 6, schedule);
        const test::Said said = test::trainyard({"runs", "continue", name, "--steps", "10"});
        ASSERT_EQ(said.code, 0) << said.err;
        std::map<std::int64_t, double> longer = curves_of(newest())["train/lr"];
        std::map<std::int64_t, double> whole = curves_of(train("whole", 10, schedule))["train/lr"];
        std::erase_if(whole, [](const auto& point) { return point.first <= 6; });
        EXPECT_EQ(whole.size(), 4u);
        EXPECT_EQ(longer, whole);
    }
}

TEST_F(RunsContinue, WhatCannotContinueIsRefusedWithItsReason) {
    const run::RunPaths run = train("linear", 6, "schedule: {name: linear}\n");
    test::Said said = test::trainyard({"runs", "continue", "linear", "--steps", "6"});
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.err, says("{} steps are not more than the {} that run {} has trained: give a larger number", 6, 6,
                               run.id()));
    said = test::trainyard({"runs", "continue", "linear", "--steps", "9", "--keep-schedule"});
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.err, says("the schedule of run {} ends at step {} with a learning rate of 0, at which nothing is "
                               "learnt: let it end at the new last step",
                               run.id(), 6));
    std::filesystem::remove_all(run.checkpoints());
    said = test::trainyard({"runs", "continue", "linear", "--steps", "9"});
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.err, says("run {} has no good checkpoint to continue from", run.id()));

    const test::Said program = test::trainyard({"launch", "--cpu", "--no_python", "/bin/true"});
    ASSERT_EQ(program.code, 0) << program.err;
    said = test::trainyard({"runs", "continue", newest().id(), "--steps", "9"});
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.err, says("run {} is a program, which decides itself how long it trains: start it again with its "
                               "own arguments",
                               newest().id()));
    EXPECT_EQ(run::list_runs(folder_.path() / "runs").size(), 2u) << "nothing was started";
}

}  // namespace
}  // namespace trainyard
