// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of evaluations: entities as seqeval counts them, classes of pixels as scikit-learn does.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "config/recipe/recipe.h"
#include "support/golden.h"
#include "support/ranks.h"
#include "support/says.h"
#include "train/held_out_metrics.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using nlohmann::json;
using test::says;
using testing::_;
using testing::HasSubstr;

constexpr std::int64_t kPadded = -100;

std::map<std::string, double> curves_of(HeldOutMetrics& metrics) {
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    const HeldOutValues values = metrics.values(mesh.everyone());
    return {values.begin(), values.end()};
}

/// Logits [rows, longest, classes] of these classes, and labels with padding in front, between and after them.
std::pair<at::Tensor, at::Tensor> batch_of_words(const json& found, const json& wanted, std::int64_t classes) {
    std::size_t longest = 0;
    for (const json& row : wanted)
        longest = std::max(longest, row.size());
    const auto length = static_cast<std::int64_t>(2 * longest + 2);
    const at::Tensor outputs = at::zeros({std::ssize(wanted), length, classes});
    const at::Tensor labels = at::full({std::ssize(wanted), length}, kPadded, at::kLong);
    for (std::int64_t row = 0; row < std::ssize(wanted); ++row) {
        const json &own = found[static_cast<std::size_t>(row)], &right = wanted[static_cast<std::size_t>(row)];
        for (std::int64_t i = 0; i < std::ssize(right); ++i) {
            const std::int64_t place = 2 * i + 1;
            outputs[row][place][own[static_cast<std::size_t>(i)].get<std::int64_t>()] = 1;
            labels[row][place] = right[static_cast<std::size_t>(i)].get<std::int64_t>();
            outputs[row][place + 1][classes - 1] = 1;  // a part of a word: its class does not count
        }
    }
    return {outputs, labels};
}

TEST(GoldenEntities, AreThoseOfSeqeval) {
    std::size_t seen = 0;
    const json golden = json::parse(read_file(test::golden("entities.json")));
    for (const json& one : golden.at("cases")) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        const json& given = one.at("input");
        json names = json::object();
        for (const json& name : given.at("classes"))
            names[std::to_string(names.size())] = name;
        const auto classes = static_cast<std::int64_t>(names.size());
        const config::Recipe recipe = config::parse_recipe(
            fmt::format("model: {{model_type: bert, task: token_classification, num_labels: {}, id2label: {}}}\n"
                        "data: {{format: jsonl, path: x}}\ntraining: {{metrics: seqeval, entity_scheme: {}}}\n",
                        classes, names.dump(), given.at("scheme").get<std::string>()),
            "/r.yaml");
        HeldOutMetrics metrics(recipe);
        metrics.reset();
        // Two rows are two batches.
        const json &found = given.at("found"), &wanted = given.at("wanted");
        const std::size_t first = (wanted.size() + 1) / 2;
        for (const auto& [begin, end] : {std::pair{std::size_t{0}, first}, {first, wanted.size()}}) {
            if (begin == end)
                continue;
            const auto part = [&](const json& rows) {
                json made = json::array();
                for (std::size_t i = begin; i < end; ++i)
                    made.push_back(rows[i]);
                return made;
            };
            const auto [outputs, labels] = batch_of_words(part(found), part(wanted), classes);
            metrics.update(outputs, labels);
        }
        std::map<std::string, double> made = curves_of(metrics);
        made.erase("accuracy");
        const auto expected = one.at("expected").get<std::map<std::string, double>>();
        ASSERT_EQ(made.size(), expected.size());
        for (const auto& [curve, value] : expected)
            EXPECT_NEAR(made.at(curve), value, 1e-12) << curve;
        ++seen;
    }
    EXPECT_GT(seen, 0u);
}

TEST(GoldenPixels, FiguresAreThoseOfScikitLearn) {
    std::size_t seen = 0;
    const json golden = json::parse(read_file(test::golden("pixel_figures.json")));
    for (const json& one : golden.at("cases")) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        const auto wanted = one.at("input").at("wanted").get<std::vector<std::int64_t>>(),
                   found = one.at("input").at("found").get<std::vector<std::int64_t>>();
        const std::int64_t classes = one.at("input").at("classes"), pixels = std::ssize(wanted);
        HeldOutMetrics metrics(config::parse_recipe(
            fmt::format("model: {{model_type: segformer, num_labels: {}}}\ndata: {{format: images, path: x, mask_path: "
                        "y}}\n",
                        classes),
            "/r.yaml"));
        metrics.reset();
        const at::Tensor labels = at::tensor(wanted, at::kLong).view({1, 1, pixels});
        const at::Tensor outputs = at::zeros({1, 1, pixels, classes});
        for (std::int64_t i = 0; i < pixels; ++i)
            outputs[0][0][i][found[static_cast<std::size_t>(i)]] = 1;
        const std::int64_t half = pixels / 2;
        metrics.update(outputs.narrow(2, 0, half), labels.narrow(2, 0, half));
        metrics.update(outputs.narrow(2, half, pixels - half), labels.narrow(2, half, pixels - half));
        const auto made = curves_of(metrics);
        const auto expected = one.at("expected").get<std::map<std::string, double>>();
        ASSERT_EQ(made.size(), expected.size());
        for (const auto& [curve, value] : expected)
            EXPECT_NEAR(made.at(curve), value, 1e-12) << curve;
        ++seen;
    }
    EXPECT_GT(seen, 0u);
}

/// Held-out samples are divided unevenly, and every rank has the curves of one that has them all.
TEST(Entities, OfAnEvaluationAreThoseOfOneRank) {
    config::Recipe recipe = config::load_recipe(std::filesystem::path(TRAINYARD_TESTS_DIR).parent_path() / "resources" /
                                                "samples" / "sample-tags.yaml");
    ASSERT_EQ(recipe.training.metrics, std::vector<std::string>{"seqeval"});
    recipe.training.evaluate_batches = 0;
    const auto evaluate = [&](std::unique_ptr<parallel::World> world, int ranks, std::int64_t steps) {
        config::Recipe own = recipe;
        own.training.batch_size = ranks == 1 ? 16 : 7;
        parallel::Mesh mesh(parallel::pipelines(1, ranks), std::move(world));
        Trainer trainer(own, mesh, at::kCPU);
        trainer.start();
        for (std::int64_t step = 0; step < steps; ++step)
            trainer.step();
        const HeldOutValues values = trainer.evaluate().value().metrics;
        return std::map<std::string, double>(values.begin(), values.end());
    };
    const auto alone = evaluate(parallel::World::connect({}, "cpu"), 1, 0);
    EXPECT_TRUE(alone.contains("overall_f1") && alone.contains("PER_f1") && alone.contains("LOC_recall"));
    for (const int ranks : {2, 3})
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            EXPECT_EQ(evaluate(std::move(world), ranks, 0), alone) << ranks;
        });
    recipe.training.steps = 120;
    const auto trained = evaluate(parallel::World::connect({}, "cpu"), 1, 120);
    EXPECT_GT(trained.at("overall_f1"), std::max(0.5, alone.at("overall_f1") + 0.2));
}

TEST(Entities, WhatCannotBeCountedIsRefusedBeforeTheStart) {
    const auto problem_of = [](const std::string& model, const std::string& training,
                               const std::string& more = {}) -> std::string {
        try {
            config::parse_recipe("model: {model_type: bert, task: token_classification, " + model +
                                     "}\ndata: {format: jsonl, path: /x}\ntraining: {" + training + "}\n" + more,
                                 "/r.yaml");
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    };
    const std::string tags = "num_labels: 3, id2label: {0: O, 1: B-PER, 2: I-PER}";
    const std::string best = "checkpoint: {best_metric: eval/overall_f1, best_mode: max}\n";
    EXPECT_EQ(problem_of(tags, "metrics: seqeval", best), "");
    EXPECT_EQ(problem_of(tags, "metrics: [seqeval, f1], entity_scheme: IOB1"), "");
    EXPECT_THAT(
        problem_of("num_labels: 2, id2label: {0: O, 1: PER}", "metrics: seqeval"),
        testing::AllOf(HasSubstr("training.metrics"),
                       says("the class '{}' of model.id2label is not a tag of entities: seqeval needs names such "
                            "as I-PER and O, with the letters {} of training.entity_scheme {}",
                            "PER", "IOBES", "lenient")));
    EXPECT_THAT(problem_of("num_labels: 3", "metrics: seqeval"), HasSubstr("LABEL_0"));
    EXPECT_THAT(problem_of(tags, "metrics: seqeval, entity_scheme: IOE2"), HasSubstr("'B-PER'"));
    EXPECT_THAT(problem_of(tags, "entity_scheme: IOB2"),
                says("has an effect on the metric {} alone: add it to training.metrics, or leave this out", "seqeval"));
    EXPECT_THAT(problem_of(tags, "metrics: seqeval, entity_scheme: BIO"), HasSubstr("training.entity_scheme"));
    EXPECT_THAT(problem_of(tags, "metrics: f1", best),
                says("evaluations do not compute {}: add {} to training.metrics", "overall_f1", "seqeval"));
    EXPECT_THAT(problem_of("problem_type: multi_label_classification, " + tags, "metrics: seqeval"),
                says("{} is not a metric of {}: {}", "seqeval", "token_classification", _));
}

TEST(ClassOutcomes, OfSeveralLabelsCountEachClassForItself) {
    const config::Recipe recipe = config::parse_recipe(
        "model: {model_type: bert, task: sequence_classification, num_labels: 3, problem_type: "
        "multi_label_classification}\ndata: {format: jsonl, path: /x}\n",
        "/r.yaml");
    HeldOutMetrics metrics(recipe);
    EXPECT_TRUE(metrics.any()) << "the classes are counted, without any curve";
    metrics.reset();
    // Rows: a and b are labels, a and c are found; c is a label and is found; nothing of either.
    const at::Tensor outputs = at::tensor({2.0, -1.0, 3.0, -2.0, -2.0, 1.0, -1.0, -1.0, -4.0}).view({3, 3});
    const at::Tensor labels = at::tensor({1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}).view({3, 3});
    metrics.update(outputs, labels, 7);
    // What is not counted: a padded row.
    metrics.update(outputs.slice(0, 0, 1), at::full({1, 3}, std::numeric_limits<double>::quiet_NaN()), 10);
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    const std::optional<ClassOutcome> found = metrics.classes(mesh.everyone(), true);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->rows(), 4) << "the last one stands for no label";
    EXPECT_EQ(found->counts, (std::vector<std::int64_t>{1, 0, 0, 0,    // a
                                                        0, 0, 0, 1,    // b is missed
                                                        0, 0, 1, 0,    // c
                                                        0, 0, 1, 0}))  // c is found at a place without that label
        << "rows: labels";
    ASSERT_EQ(found->worst.size(), 4u);
    EXPECT_EQ(found->worst[0].number, 7);
    EXPECT_EQ(found->worst[0].label, 3);
    EXPECT_EQ(found->worst[0].found, 2);
    EXPECT_NEAR(found->worst[0].probability, 1 - 1 / (1 + std::exp(-3.0)), 1e-9);
    EXPECT_EQ(found->worst[1].label, 1);
    EXPECT_EQ(found->worst[1].found, 3);
}

}  // namespace
}  // namespace trainyard::train
