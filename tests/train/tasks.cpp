// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the tasks with the sample recipes: the batches that are read from the data, and that training learns from
// them.

#include <cmath>
#include <filesystem>
#include <memory>

#include <ATen/ops/arange.h>

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "config/inputs/recipe_inputs.h"
#include "config/recipe/recipe.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/held_out_metrics.h"
#include "train/sample_set.h"
#include "train/tasks/masked_tokens.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using test::says;
using testing::_;
using testing::HasSubstr;

std::filesystem::path samples() {
    return std::filesystem::path(TRAINYARD_TESTS_DIR).parent_path() / "resources" / "samples";
}

config::Recipe sample(const std::string& name) {
    return config::load_recipe(samples() / ("sample-" + name + ".yaml"));
}

Tree first_batch(const config::Recipe& recipe, std::int64_t rows) {
    std::vector<std::int64_t> indices;
    for (std::int64_t row = 0; row < rows; ++row)
        indices.push_back(row);
    return open_samples(recipe)->batch(false, indices, recipe.data.sequence_length);
}

TEST(Tasks, TextsHaveAClassAndAMask) {
    const Tree batch = first_batch(sample("classification"), 4);
    EXPECT_EQ(batch.at("tokens").as_tensor().sizes(), at::IntArrayRef({4, 96}));
    EXPECT_EQ(batch.at("labels").as_tensor().sizes(), at::IntArrayRef({4}));
    const at::Tensor mask = batch.at("attention_mask").as_tensor();
    EXPECT_TRUE(batch.at("tokens").as_tensor().ne(0).eq(mask.ne(0)).all().item<bool>())
        << "bytes of the text must not be masked as padding";
    EXPECT_EQ(batch.at("targets").as_tensor().sum().item<std::int64_t>(), 4);
}

TEST(Tasks, TwoTextsAreASampleWithAScore) {
    config::Recipe recipe = sample("embeddings");
    const Tree batch = first_batch(recipe, 4);
    EXPECT_EQ(batch.at("tokens").as_tensor().sizes(), at::IntArrayRef({4, 2, 64}));
    EXPECT_EQ(batch.at("attention_mask").as_tensor().sizes(), at::IntArrayRef({4, 2, 64}));
    EXPECT_NEAR(batch.at("labels").as_tensor()[0].item<double>(), 0.5, 1e-6);
    std::string second;
    for (std::int64_t i = 0; i < 64; ++i)
        if (const auto letter = batch.at("tokens").as_tensor()[0][1][i].item<std::int64_t>(); letter != 0)
            second += static_cast<char>(letter);
    EXPECT_EQ(second, "the chef slices the hound beside the stove");
    recipe.model.loss.clear();  // pairs without a score
    EXPECT_EQ(first_batch(recipe, 4).at("labels").as_tensor().scalar_type(), at::kLong);
}

TEST(Tasks, RankCorrelationIsSpearmans) {
    EXPECT_NEAR(spearman({1, 2, 3, 4}, {10, 20, 30, 25}), 0.8, 1e-12);
    EXPECT_NEAR(spearman({1, 2, 2, 3}, {1, 2, 3, 4}), 0.9486832980505138, 1e-12);  // scipy.stats.spearmanr
    EXPECT_NEAR(spearman({3, 1, 2}, {-3, -1, -2}), -1, 1e-12);
    EXPECT_TRUE(std::isnan(spearman({1, 1}, {1, 2})));
}

/// Tables written by spreadsheets: all rows of a table that pandas can read are read, and a table that it refuses is
/// refused by both the check and the ranks.
TEST(Tasks, TablesOfSpreadsheets) {
    test::TemporaryFolder folder;
    config::Recipe recipe = config::parse_recipe(
        "model: {model_type: bert, task: sequence_classification, num_labels: 2, vocab_size: 256, hidden_size: 16, "
        "num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, max_position_embeddings: 64}\n"
        "data: {format: csv, path: x, column: text, label_column: label, sequence_length: 24, "
        "validation_fraction: 0.2}\n"
        "training: {steps: 2, batch_size: 2}\n",
        folder.path() / "recipe.yaml");
    const auto lines = [](const std::string& head, const std::string& row, const std::string& end) {
        std::string text = head + end;
        for (int i = 0; i < 40; ++i)
            text += row + end;
        return text;
    };
    const auto write = [&](const std::string& name, const std::string& text) {
        std::filesystem::create_directories((folder.path() / name).parent_path());
        write_file_atomically(folder.path() / name, text);
        recipe.data.paths = {(folder.path() / name).string()};
    };
    const auto samples_of = [&] {
        const std::unique_ptr<SampleSet> samples = open_samples(recipe);
        return samples->training_samples() + samples->validation_samples();
    };
    write("cr_only.csv", lines("text,label", "some words,1", "\r"));
    EXPECT_EQ(samples_of(), 40);
    write("mark.csv", "\xef\xbb\xbf" + lines("\"text\",\"label\"", "\"some, words\",1", "\r\n"));
    EXPECT_EQ(samples_of(), 40);
    write("digits.csv", lines("text;label", "12,5;1", "\n"));
    EXPECT_EQ(samples_of(), 40) << "a column of numbers is text where the task wants text";
    for (const char* other : {"label,text", "text,label,note", "note,label,text"}) {
        const std::string name = std::string("set-") + other;
        write(name + "/a.csv", lines("text,label", "some words,1", "\n"));
        write(name + "/b.csv", lines(other,
                                     other == std::string("label,text")        ? "1,some words"
                                     : other == std::string("text,label,note") ? "some words,1,x"
                                                                               : "5,1,some words",
                                     "\n"));
        recipe.data.paths = {(folder.path() / name).string()};
        EXPECT_EQ(samples_of(), 80) << other;
    }
    for (const std::string& text :
         {lines("text,label", "gr\xfc\xdf some words,1", "\n"), std::string("\xff\xfet\0e\0x\0t\0,\0l\0\n\0", 16)}) {
        write("bad.csv", text);
        std::string refusal;
        try {
            open_samples(recipe);
        } catch (const UserError& error) {
            refusal = error.what();
        }
        const std::vector<inputs::InputProblem> problems = inputs::check_recipe_inputs(recipe, 2);
        ASSERT_EQ(problems.size(), 1u);
        EXPECT_THAT(problems[0].message, HasSubstr(recipe.data.paths[0]));
        EXPECT_THAT(refusal, HasSubstr(problems[0].message));
    }
}

/// Training with both losses of embeddings must learn, and the score of a pair must not depend on the number of ranks.
TEST(Tasks, EmbeddingsLearnTheSameOnEveryLayout) {
    config::Recipe recipe = sample("embeddings");
    recipe.training.steps = 150;
    recipe.training.batch_size = 16;
    std::vector<double> losses, sharded;
    auto train = [&](std::unique_ptr<parallel::World> world, int ranks, std::int64_t steps, std::vector<double>& made) {
        config::Recipe own = recipe;
        own.training.batch_size = 16 / ranks;
        parallel::Mesh mesh(parallel::pipelines(1, ranks), std::move(world));
        Trainer trainer(own, mesh, at::kCPU);
        trainer.start();
        std::vector<double> mine;
        for (std::int64_t step = 0; step < steps; ++step)
            mine.push_back(trainer.step().loss);
        const Evaluation evaluation = trainer.evaluate().value();
        mine.push_back(evaluation.metrics.at(0).second);
        if (mesh.rank() == 0)
            made = mine;
    };
    train(parallel::World::connect({}, "cpu"), 1, 3, losses);
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) { train(std::move(world), 2, 3, sharded); });
    ASSERT_EQ(losses.size(), sharded.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
        EXPECT_NEAR(losses[i], sharded[i], 2e-4) << i;
    train(parallel::World::connect({}, "cpu"), 1, 150, losses);
    EXPECT_GT(losses.back(), 0.3) << "spearman";
    recipe.model.loss = "multiple_negatives_ranking";
    recipe.data.label_column.clear();
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    Trainer trainer(recipe, mesh, at::kCPU);
    trainer.start();
    const double before = trainer.evaluate().value().loss;
    for (int step = 0; step < 100; ++step)
        trainer.step();
    EXPECT_LT(trainer.evaluate().value().loss, 0.9 * before);
}

TEST(Tasks, WordsHaveAClassAtTheirFirstToken) {
    const Tree batch = first_batch(sample("tags"), 8);
    const at::Tensor labels = batch.at("labels").as_tensor();
    EXPECT_EQ(labels.ne(-100).sum().item<std::int64_t>(), batch.at("targets").as_tensor().sum().item<std::int64_t>());
    EXPECT_LT(labels.ne(-100).sum().item<std::int64_t>(),
              batch.at("attention_mask").as_tensor().sum().item<std::int64_t>() / 2);
    EXPECT_EQ(labels.max().item<std::int64_t>(), 2);
}

TEST(Tasks, OnlyRepliesAreLearnt) {
    config::Recipe recipe = sample("chat");
    recipe.data.pack = false;
    const Tree batch = first_batch(recipe, 1);
    const at::Tensor labels = batch.at("labels").as_tensor()[0], tokens = batch.at("tokens").as_tensor()[0];
    std::string learnt;
    for (std::int64_t i = 0; i < labels.size(0); ++i)
        if (labels[i].item<std::int64_t>() != -100) {
            EXPECT_EQ(labels[i].item<std::int64_t>(), tokens[i].item<std::int64_t>());
            learnt += static_cast<char>(labels[i].item<std::int64_t>());
        }
    EXPECT_THAT(learnt, testing::MatchesRegex(R"([0-9] \+ [0-9] = [0-9]+<\|im_end\|>You are welcome\.<\|im_end\|>)"));
    EXPECT_EQ(batch.at("targets").as_tensor().item<std::int64_t>(), std::ssize(learnt));
    recipe.data.pack = true;
    const Tree packed = first_batch(recipe, 3);
    EXPECT_EQ(packed.at("tokens").as_tensor().eq(0).sum().item<std::int64_t>(), 0) << "blocks are full";
}

TEST(Tasks, AFifthOfTheTokensIsToBeFoundTheSameOnEveryLayout) {
    config::Recipe recipe = sample("masked");
    recipe.data.mlm_probability = 0.2;
    const MaskedTokens masks(recipe);
    Batch batch;
    batch.tokens = batch.labels = at::arange(8 * 512, at::kLong).remainder(256).view({8, 512});
    const Batch whole = masks(batch, 7);
    const double share = static_cast<double>(whole.targets) / (8 * 512);
    EXPECT_NEAR(share, 0.2, 0.03);
    const at::Tensor chosen = whole.labels.ne(-100);
    EXPECT_EQ(chosen.sum().item<std::int64_t>(), whole.targets);
    EXPECT_TRUE(
        whole.tokens.masked_select(chosen.logical_not()).equal(batch.tokens.masked_select(chosen.logical_not())));
    const double masked = whole.tokens.eq(256).sum().item<double>() / static_cast<double>(whole.targets);
    EXPECT_NEAR(masked, 0.8, 0.06);
    Batch part;
    part.tokens = part.labels = batch.tokens.narrow(0, 3, 2);
    part.first_sample = 3;
    EXPECT_TRUE(masks(part, 7).tokens.equal(whole.tokens.narrow(0, 3, 2)));
    EXPECT_FALSE(masks(batch, 8).tokens.equal(whole.tokens)) << "another step masks others";
}

TEST(Tasks, WhatDoesNotFitIsSaidWithNames) {
    auto refusal = [](config::Recipe recipe) -> std::string {
        try {
            open_samples(recipe);
            return "";
        } catch (const UserError& error) {
            return error.what();
        }
    };
    config::Recipe recipe = sample("classification");
    recipe.data.label_column = "lable";
    EXPECT_THAT(refusal(recipe), HasSubstr("has no column 'lable': did you mean 'label'"));
    recipe = sample("classification");
    recipe.model.id2label.text = R"({"0":"bad","1":"good"})";
    EXPECT_THAT(refusal(recipe), test::says("{} holds the class '{}', and model.id2label has {}", testing::_,
                                            "negative", testing::StartsWith("bad, good")));
    recipe = sample("digits");
    recipe.model.num_labels = 5;
    EXPECT_THAT(refusal(recipe),
                test::says("{} holds the class {}, and model.num_labels is {}: classes are whole numbers from 0 to {}",
                           testing::_, testing::_, testing::StartsWith("5"), testing::_));
    recipe = sample("digits");
    recipe.model.num_channels = 3;
    EXPECT_THAT(refusal(recipe), HasSubstr("num_channels"));
    recipe = sample("chat");
    recipe.data.column = "text";
    EXPECT_THAT(refusal(recipe), says("{} has no column '{}'{}", _, "text", _));
}

/// A few steps must improve the accuracy of samples with classes, and the loss of the others.
TEST(Tasks, SamplesLearn) {
    struct Goal {
        const char* name;
        std::int64_t steps;
        double accuracy;  ///< 0: the loss halves
    };
    for (const Goal& goal : {Goal{"classification", 200, 0.7}, Goal{"tags", 60, 0.9}, Goal{"summaries", 60, 0},
                             Goal{"chat", 40, 0}, Goal{"digits", 200, 0.7}}) {
        config::Recipe recipe = sample(goal.name);
        recipe.training.steps = goal.steps;
        parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
        Trainer trainer(recipe, mesh, at::kCPU);
        trainer.start();
        const double before = trainer.evaluate().value().loss;
        for (std::int64_t step = 0; step < goal.steps; ++step)
            trainer.step();
        const Evaluation after = trainer.evaluate().value();
        if (goal.accuracy > 0) {
            EXPECT_GT(after.accuracy().value_or(0), goal.accuracy) << goal.name;
        } else {
            EXPECT_LT(after.loss, before / 2) << goal.name;
        }
    }
}

}  // namespace
}  // namespace trainyard::train
