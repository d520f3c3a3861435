// SPDX-License-Identifier: GPL-3.0-or-later
// The trials of a sweep with runs that a test makes up: what is tried and what is best depends neither on how long
// trials take, nor on an interruption, nor on a host that is lost.

#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/number.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "sweep/sweep.h"

namespace trainyard::sweep {
namespace {

using test::says;
using testing::_;

constexpr int kSteps = 8;

/// Curves that fall to a value that the parameters decide; each look is a few steps further.
class FakeRuns : public TrialRunner {
  public:
    struct Run {
        std::string name, host;
        Point point;
        int steps = 0;
        bool is_stopped = false;
    };
    std::map<std::string, Run> runs;
    std::set<std::string> dark;  ///< hosts that cannot be reached
    std::mt19937 speed{1};
    int most_at_once = 0;
    std::set<std::string> refused_keys;  ///< values that no run can be started with

    static double loss_at(const Point& point, int step) {
        const double off = std::log10(parse_number<double>(point[0]).value()) + 2.5;
        if (point[0].starts_with("0.9"))
            return std::nan("");
        return off * off + 1.0 / step + (point[1] == "4" ? 0 : 0.3);
    }

    std::string start(const Trial& trial, const std::string& name) override {
        if (dark.contains(trial.host))
            throw HostLost{Message("{} does not answer", trial.host)};
        if (refused_keys.contains(trial.point[1]))
            throw UserError("the batch does not fit");
        const std::string id = "run-" + name;
        EXPECT_FALSE(runs.contains(id)) << "started twice";
        runs[id] = {name, trial.host, trial.point};
        int live = 0;
        for (const auto& [other, run] : runs)
            live += run.steps < kSteps && !run.is_stopped && !dark.contains(run.host);
        most_at_once = std::max(most_at_once, live);
        return id;
    }
    std::string find(const std::string& name) override {
        for (const auto& [id, run] : runs)
            if (run.name == name)
                return id;
        return {};
    }
    Look look(const Trial& trial) override {
        Run& run = runs.at(trial.run);
        Look look;
        if (dark.contains(run.host))
            return {Look::State::unreachable, {}, Message("{} does not answer", run.host)};
        if (!is_over(trial.state))
            run.steps = std::min<int>(kSteps, run.steps + static_cast<int>(speed() % 4));
        for (int step = 1; step <= run.steps; ++step)
            look.curve.push_back({step, loss_at(run.point, step)});
        look.state = run.steps == kSteps ? Look::State::finished : Look::State::running;
        return look;
    }
    void stop(const Trial& trial) override { runs.at(trial.run).is_stopped = true; }
};

class Trials : public testing::Test {
  protected:
    Trials() {
        write_file_atomically(folder_.path() / "gpt2.yaml",
                              "model: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\n"
                              "data: {path: text.txt, sequence_length: 32}\ntraining: {evaluate_every: 1}\n");
    }
    fs::path make(const std::string& more) {
        const std::string yaml =
            "name: lr\nrecipe: gpt2.yaml\nmetric: eval/loss\n"
            "early_stopping: {startup_trials: 3, warmup_steps: 2}\n"
            "parameters:\n  optimizer.lr: {min: 1e-5, max: 1.0, scale: log}\n  training.batch_size: [2, 4]\n" +
            more;
        return Sweep::create(parse_sweep(yaml, folder_.path() / "sweep.yaml"), yaml, folder_.path() / "sweeps");
    }
    /// Number, values, state, value of each trial.
    using Results = std::map<std::int64_t, std::tuple<Point, TrialState, std::optional<double>, std::int64_t>>;
    static Results results(const Sweep& sweep) {
        Results all;
        for (const auto& [number, trial] : sweep.trials())
            all[number] = {trial.point, trial.state, trial.value, trial.step};
        return all;
    }
    test::TemporaryFolder folder_;
};

TEST_F(Trials, SpeedAndInterruptionsChangeNothing) {
    std::optional<Results> expected;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        FakeRuns runs;
        runs.speed.seed(seed);
        const fs::path folder = make("method: tpe\ntrials: 40\nat_once: 3\nstartup_trials: 8\nseed: 5\n");
        std::optional<Sweep> sweep(std::in_place, folder, runs);
        std::mt19937 dice(seed);
        while (sweep->advance())
            if (seed > 1 && dice() % 4 == 0)
                sweep.emplace(folder, runs);  // as after a kill: all is read from the folder
        EXPECT_LE(runs.most_at_once, 3);
        const Results now = results(*sweep);
        ASSERT_EQ(now.size(), 40u);
        if (!expected) {
            expected = now;
            int stopped = 0;
            for (const auto& [number, one] : now)
                stopped += std::get<TrialState>(one) == TrialState::stopped;
            EXPECT_GT(stopped, 5);
            EXPECT_LT(stopped, 35);
            const Trial& best = sweep->trials().at(*sweep->best());
            EXPECT_LT(*best.value, 0.2);
            EXPECT_EQ(best.point[1], "4");
        }
        EXPECT_EQ(now, *expected) << seed;
        EXPECT_FALSE(sweep->advance());
        EXPECT_EQ(runs.runs.size(), 40u);
    }
}

TEST_F(Trials, ALostHostChangesNothing) {
    std::optional<Results> expected;
    for (const bool loses : {false, true}) {
        FakeRuns runs;
        Sweep sweep(make("method: tpe\ntrials: 16\nat_once: 2\nhosts: [a, b]\nstartup_trials: 5\n"), runs);
        while (sweep.advance())
            if (loses && std::ssize(sweep.trials()) >= 7)
                runs.dark.insert("b");
        if (!loses)
            expected = results(sweep);
        EXPECT_EQ(results(sweep), *expected);
        EXPECT_EQ(sweep.lost_hosts().size(), loses ? 1u : 0u);
        std::set<std::string> hosts;
        bool again = false;
        for (const auto& [number, trial] : sweep.trials()) {
            hosts.insert(trial.host);
            again = again || trial.attempt > 1;
        }
        EXPECT_EQ(hosts, (std::set<std::string>{"a", "b"}));
        EXPECT_EQ(again, loses);
        for (const auto& [id, run] : runs.runs)
            EXPECT_TRUE(run.is_stopped || run.steps == kSteps || !runs.dark.contains(run.host)) << id;
    }
}

TEST_F(Trials, WithoutAHostItSaysSo) {
    FakeRuns runs;
    runs.dark = {"a", "b"};
    Sweep sweep(make("method: random\ntrials: 4\nhosts: [a, b]\n"), runs);
    try {
        sweep.advance();
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.message(),
                    says("no host of the sweep can be used: {}; run the same command again when one is back", _));
    }
}

// The last host is waited for: its trial may be going on.
TEST_F(Trials, TheLastHostIsWaitedFor) {
    FakeRuns runs;
    Sweep sweep(make("method: random\ntrials: 3\nhosts: [a]\n"), runs);
    ASSERT_TRUE(sweep.advance());
    runs.dark = {"a"};
    for (int i = 0; i < 5; ++i)
        ASSERT_TRUE(sweep.advance());
    runs.dark.clear();
    while (sweep.advance()) {
    }
    EXPECT_EQ(runs.runs.size(), 3u);
    EXPECT_EQ(sweep.trials().at(0).attempt, 1);
}

TEST_F(Trials, OneThatCannotStartFailsAlone) {
    FakeRuns runs;
    runs.refused_keys = {"2"};
    Sweep sweep(make("method: random\ntrials: 12\nseed: 1\n"), runs);
    while (sweep.advance()) {
    }
    int failed = 0;
    for (const auto& [number, trial] : sweep.trials())
        if (trial.state == TrialState::failed) {
            ++failed;
            EXPECT_EQ(trial.problem.text(), "the batch does not fit");
        }
    EXPECT_GT(failed, 0);
    EXPECT_LT(failed, 12);
    ASSERT_TRUE(sweep.best());
    EXPECT_EQ(sweep.trials().at(*sweep.best()).point[1], "4");
}

// A public report: what failed can be tried again, at most `at_once` at a time, and nothing else changes.
TEST_F(Trials, WhatFailedIsTriedAgain) {
    FakeRuns runs;
    runs.refused_keys = {"2"};
    const fs::path folder = make("method: random\ntrials: 12\nseed: 1\nat_once: 2\n");
    Results before;
    {
        Sweep sweep(folder, runs);
        while (sweep.advance()) {
        }
        before = results(sweep);
    }
    runs.refused_keys.clear();
    Sweep sweep(folder, runs);
    EXPECT_FALSE(sweep.advance());
    sweep.retry_failed();
    while (sweep.advance()) {
    }
    EXPECT_LE(runs.most_at_once, 2);
    for (const auto& [number, trial] : sweep.trials()) {
        EXPECT_NE(trial.state, TrialState::failed);
        EXPECT_EQ(trial.point, std::get<Point>(before.at(number)));
        EXPECT_EQ(trial.attempt, std::get<TrialState>(before.at(number)) == TrialState::failed ? 2 : 1);
    }
}

TEST_F(Trials, AfterThreeFailuresAndNothingElseItEnds) {
    FakeRuns runs;
    runs.refused_keys = {"2", "4"};
    Sweep sweep(make("method: random\ntrials: 1000\n"), runs);
    try {
        while (sweep.advance()) {
        }
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.message(), says("the first {} trials failed, and none of the others is over: {}", 3, _));
    }
}

TEST_F(Trials, ALineThatWasNotWrittenToItsEndIsNotThere) {
    FakeRuns runs;
    const fs::path folder = make("method: random\ntrials: 4\n");
    {
        Sweep sweep(folder, runs);
        while (std::ssize(sweep.trials()) < 2)
            sweep.advance();
    }
    const std::string whole = read_file(folder / "trials.jsonl");
    write_file_atomically(folder / "trials.jsonl", whole + R"({"number":1,"poi)");
    Sweep sweep(folder, runs);
    while (sweep.advance()) {
    }
    EXPECT_EQ(runs.runs.size(), 4u);
    Sweep again(folder, runs);
    EXPECT_EQ(results(again), results(sweep));
}

TEST_F(Trials, ADamagedLogIsRefused) {
    FakeRuns runs;
    const fs::path folder = make("method: random\ntrials: 4\n");
    for (const char* line :
         {R"({"number":4,"point":["1","2"],"state":"finished"})", R"({"number":0,"point":["1"],"state":"finished"})",
          R"({"number":0,"point":["1","2"],"state":"never"})", R"({"number":0)", "[]"}) {
        write_file_atomically(folder / "trials.jsonl", std::string(line) + "\n");
        EXPECT_THROW(Sweep(folder, runs), UserError) << line;
    }
}

TEST_F(Trials, WhatMatteredIsTheParameterThatDecides) {
    FakeRuns runs;
    Sweep sweep(make("method: random\ntrials: 60\n"), runs);
    while (sweep.advance()) {
    }
    const std::vector<double> shares = importance(sweep.file(), sweep.trials());
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_GT(shares[0], 0.6);
    EXPECT_LT(shares[1], 0.4);
    // optuna/optuna issue 3382: a trial with an infinite value changes neither the shares nor the best one.
    std::map<std::int64_t, Trial> trials = sweep.trials();
    Trial& diverged = trials[60] = trials.at(0);
    diverged.value = sweep.file().direction == Direction::minimize ? -HUGE_VAL : HUGE_VAL;
    EXPECT_EQ(importance(sweep.file(), trials), shares);
    EXPECT_EQ(best_trial(sweep.file(), trials), best_trial(sweep.file(), sweep.trials()));
}

}  // namespace
}  // namespace trainyard::sweep
