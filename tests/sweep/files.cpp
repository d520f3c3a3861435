// SPDX-License-Identifier: GPL-3.0-or-later
// sweep.yaml: what it says, and every mistake in it at once.

#include <cmath>
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "sweep/suggest.h"
#include "sweep/sweep_file.h"

namespace trainyard::sweep {
namespace {

using test::says;
using testing::_;
using testing::ElementsAre;
using testing::Pair;

class SweepFiles : public testing::Test {
  protected:
    SweepFiles() {
        write_file_atomically(folder_.path() / "gpt2.yaml",
                              "name: small\nmodel: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\n"
                              "data: {path: text.txt, sequence_length: 32}\n");
    }
    SweepFile parse(const std::string& yaml) const { return parse_sweep(yaml, folder_.path() / "sweep.yaml"); }
    std::vector<Problem> problems(const std::string& yaml) const {
        try {
            parse(yaml);
        } catch (const InvalidInput& error) {
            return error.problems();
        }
        return {};
    }
    test::TemporaryFolder folder_;
};

TEST_F(SweepFiles, AGridIsEveryCombination) {
    const SweepFile sweep = parse(
        "recipe: gpt2.yaml\n"
        "method: grid\n"
        "parameters:\n"
        "  optimizer.lr: {min: 1e-4, max: 1e-2, scale: log, count: 3}\n"
        "  training.batch_size: [2, 4]\n"
        "  model.n_layer: {min: 2, max: 6, step: 2}\n"
        "  optimizer.betas: [[0.9, 0.95], [0.9, 0.999]]\n");
    EXPECT_EQ(sweep.trials, 3 * 2 * 3 * 2);
    EXPECT_EQ(sweep.name, "small");
    EXPECT_THAT(suggest(sweep, 0, {}), ElementsAre("0.0001", "2", "2", "[0.9, 0.95]"));
    EXPECT_THAT(suggest(sweep, 35, {}), ElementsAre("0.01", "4", "6", "[0.9, 0.999]"));
    EXPECT_THAT(
        assignments(sweep, suggest(sweep, 12, {})),
        ElementsAre("optimizer.lr=0.001", "training.batch_size=2", "model.n_layer=2", "optimizer.betas=[0.9, 0.95]"));
    std::set<Point> points;
    for (std::int64_t i = 0; i < sweep.trials; ++i)
        points.insert(suggest(sweep, i, {}));
    EXPECT_EQ(std::ssize(points), sweep.trials);
}

TEST_F(SweepFiles, RandomValuesAreOfTheirRanges) {
    SweepFile sweep = parse(
        "recipe: gpt2.yaml\nmethod: random\ntrials: 400\nseed: 3\n"
        "parameters:\n"
        "  optimizer.lr: {min: 1e-5, max: 1e-1, scale: log}\n"
        "  training.batch_size: {min: 1, max: 4}\n"
        "  optimizer.weight_decay: {min: 0.0, max: 0.3, step: 0.1}\n");
    int below = 0;
    std::map<std::string, int> batches, decays;
    for (std::int64_t i = 0; i < sweep.trials; ++i) {
        const Point point = suggest(sweep, i, {});
        EXPECT_EQ(point, suggest(sweep, i, {}));
        const double lr = std::stod(point[0]);
        EXPECT_TRUE(lr >= 1e-5 && lr <= 1e-1) << point[0];
        below += lr < 1e-3;
        ++batches[point[1]];
        ++decays[point[2]];
    }
    EXPECT_NEAR(below, 200, 50);  // half of the decades: 5 standard deviations
    ASSERT_THAT(batches, ElementsAre(Pair("1", _), Pair("2", _), Pair("3", _), Pair("4", _)));
    ASSERT_THAT(decays, ElementsAre(Pair("0", _), Pair("0.1", _), Pair("0.2", _), Pair("0.3", _)));
    for (const auto& [text, count] : batches)
        EXPECT_NEAR(count, 100, 43) << text;
    sweep.seed = 4;
    EXPECT_NE(suggest(sweep, 0, {}), suggest(parse("recipe: gpt2.yaml\nmethod: random\ntrials: 4\nseed: 3\n"
                                                   "parameters: {optimizer.lr: {min: 1e-5, max: 1e-1, scale: log}}\n"),
                                             0, {}));
}

// Public reports: a point is tried once as long as others are left; whole numbers as the ends of a real key.
TEST_F(SweepFiles, NoPointIsTriedTwice) {
    for (const char* method : {"random", "tpe"}) {
        const SweepFile sweep =
            parse(std::string("recipe: gpt2.yaml\ntrials: 24\nstartup_trials: 6\nmethod: ") + method +
                  "\nparameters:\n  training.batch_size: {min: 1, max: 6}\n"
                  "  model.n_layer: {min: 1, max: 4}\n");
        std::vector<Point> points;
        std::vector<Sample> history;
        for (std::int64_t i = 0; i < sweep.trials; ++i) {
            points.push_back(suggest(sweep, i, history, points));
            history.push_back({points.back(), std::abs(std::stod(points.back()[0]) - 2)});
        }
        EXPECT_EQ(std::ssize(std::set<Point>(points.begin(), points.end())), 24) << method;
    }
    const std::vector<Problem> few = problems(
        "recipe: gpt2.yaml\ntrials: 5\nmethod: random\nparameters:\n  training.batch_size: [1, 2]\n"
        "  model.n_layer: [1, 2]\n");
    ASSERT_EQ(few.size(), 1u);
    EXPECT_THAT(few[0].message, says("the parameters have {} combinations, fewer than {} trials: use a grid", 4, 5));
}

TEST_F(SweepFiles, WholeNumbersAreEndsOfARealKey) {
    const SweepFile sweep = parse(
        "recipe: gpt2.yaml\ntrials: 20\nmethod: random\nparameters:\n  optimizer.weight_decay: {min: 0, max: 1}\n");
    int between = 0;
    for (std::int64_t i = 0; i < sweep.trials; ++i) {
        const double value = std::stod(suggest(sweep, i, {})[0]);
        between += value > 0 && value < 1;
    }
    EXPECT_EQ(between, 20);
}

TEST_F(SweepFiles, WordsOfAProgramHaveItsValues) {
    const SweepFile sweep = parse(
        "program: [python3, train.py, '--lr={lr}', '{flag}', '{\"a\": {lr}}']\nmethod: grid\n"
        "parameters: {lr: [1e-5, 0.1], flag: [--fast, '']}\n");
    EXPECT_EQ(sweep.name, "python3");
    const Point point = suggest(sweep, 1, {});
    EXPECT_EQ(filled_in(sweep, point, sweep.program[2]), "--lr=1e-5");
    EXPECT_EQ(filled_in(sweep, point, sweep.program[3]), "");
    EXPECT_EQ(filled_in(sweep, point, sweep.program[4]), R"({"a": 1e-5})");
}

TEST_F(SweepFiles, EveryMistakeIsNamedWithItsPlace) {
    const std::vector<Problem> all = problems(
        "recipe: gpt2.yaml\n"
        "metod: grid\n"
        "direction: up\n"
        "at_once: 0\n"
        "parameters:\n"
        "  optimizer.lr: {min: 1, max: 0.1}\n"
        "  training.steps: {min: 1}\n"
        "  model.n_layer: {min: 0, max: 4, scale: log}\n"
        "  model.n_head: {values: [1, 2], min: 3}\n"
        "  training.seed: 7\n"
        "  data.path: [a, a]\n");
    std::map<std::string, std::pair<int, Message>> by_key;
    for (const Problem& problem : all)
        by_key[problem.key] = {problem.line, problem.message};
    ASSERT_EQ(by_key.size(), 9u);
    EXPECT_EQ(by_key["metod"].first, 2);
    EXPECT_THAT(by_key["metod"].second, says("unknown key '{}'{}", "metod", _));
    EXPECT_THAT(by_key["direction"].second, says("must be one of {}, not {}", "minimize, maximize", _));
    EXPECT_THAT(by_key["at_once"].second, says("must be a whole number from {} to {}, not {}", 1, 1000, _));
    EXPECT_EQ(by_key["parameters.optimizer.lr"].first, 6);
    EXPECT_THAT(by_key["parameters.optimizer.lr"].second,
                says("min is {} and max {}: min must be smaller", "1", "0.1"));
    EXPECT_THAT(by_key["parameters.training.steps"].second,
                says("a range needs min and max, or write a list of values"));
    EXPECT_THAT(by_key["parameters.model.n_layer"].second, says("min is {}: a logarithmic scale begins above 0", "0"));
    EXPECT_THAT(by_key["parameters.model.n_head"].second, says("has values and a range: leave one of them out"));
    EXPECT_THAT(by_key["parameters.training.seed"].second,
                says("a list of values, or a range with min and max, was expected, not {}", _));
    EXPECT_THAT(by_key["parameters.data.path"].second, says("the value {} is there twice", "a"));
}

TEST_F(SweepFiles, ValuesAreTriedInTheRecipe) {
    const std::vector<Problem> all = problems(
        "recipe: gpt2.yaml\n"
        "trials: 4\n"
        "early_stopping: median\n"
        "parameters:\n"
        "  optimizer.larning_rate: [1, 2]\n"
        "  training.batch_size: [4, many]\n"
        "  model.n_head: {min: 2, max: 5}\n");
    ASSERT_EQ(all.size(), 4u) << (all.empty() ? "" : all[0].text().text());
    EXPECT_EQ(all[0].key, "parameters.optimizer.larning_rate");
    EXPECT_EQ(all[0].line, 5);
    EXPECT_EQ(all[1].key, "parameters.training.batch_size");
    EXPECT_EQ(all[2].key, "parameters.model.n_head");  // 32 is not divisible by 5
    EXPECT_THAT(all[3].message,
                says("{} is known only at the end of a trial: set training.evaluate_every in the recipe", "eval/loss"));
}

TEST_F(SweepFiles, WhatIsMissingIsNamed) {
    const std::vector<Problem> none = problems("method: grid\n");
    ASSERT_EQ(none.size(), 2u);
    EXPECT_EQ(none[0].key, "recipe");
    EXPECT_EQ(none[1].key, "parameters");
    const std::vector<Problem> size = problems("recipe: gpt2.yaml\nparameters: {optimizer.lr: [1, 2]}\n");
    ASSERT_EQ(size.size(), 1u);
    EXPECT_THAT(size[0].message, says("the number of trials is missing"));
    const std::vector<Problem> recipe =
        problems("recipe: nothing.yaml\ntrials: 2\nparameters: {optimizer.lr: [1, 2]}\n");
    ASSERT_EQ(recipe.size(), 1u);
    EXPECT_EQ(recipe[0].key, "recipe");
    EXPECT_EQ(problems("- a\n").size(), 1u);
    EXPECT_EQ(problems("recipe: {a: 1}\nmethod: [grid]\nparameters: []\n").size(), 3u);
    EXPECT_EQ(problems("recipe: gpt2.yaml\nmethod: grid\nparameters: {optimizer.lr: {min: 0, max: 1.5}}\n").size(), 1u);
}

}  // namespace
}  // namespace trainyard::sweep
