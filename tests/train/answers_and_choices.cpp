// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks question_answering and multiple_choice: heads, data, and the figures of evaluations.

#include <cmath>
#include <map>
#include <memory>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/flat_group.h"
#include "models/nn/model.h"
#include "models/spec/family.h"
#include "support/golden.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/held_out_metrics.h"
#include "train/sample_set.h"
#include "train/tasks/answer_text.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using test::says;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;

config::Recipe task_sample(const std::string& name) {
    return config::load_recipe(std::filesystem::path(TRAINYARD_TESTS_DIR).parent_path() / "resources" / "samples" /
                               ("sample-" + name + ".yaml"));
}

/// A small encoder whose parameters have the same values whatever its head is called.
struct SmallEncoder {
    SmallEncoder(const std::string& family, const std::string& task, std::int64_t labels) {
        config::ModelRecipe recipe;
        static_cast<families::ModelConfig&>(recipe) = families::find_family(family)->small();
        recipe.model_type = family;
        recipe.task = task;
        recipe.num_labels = labels;
        recipe.n_layer = 1;
        recipe.resid_pdrop = recipe.attn_pdrop = recipe.classifier_dropout = recipe.qa_dropout = 0;
        model = models::make_model(recipe);
        arena = std::make_unique<parallel::FlatArena>(model->groups(), at::kFloat, at::kCPU, true);
        at::NoGradGuard no_grad;
        for (const auto& group : arena->groups())
            for (const auto* parameter : group.parameters()) {
                std::string name = parameter->name();
                if (name.starts_with("qa_outputs."))
                    name = "classifier." + name.substr(11);
                const at::Tensor value = parameter->value();
                const auto seed = static_cast<double>(std::hash<std::string>()(name) % 1000);
                value.copy_(
                    at::arange(value.numel(), at::kDouble).mul(0.37).add(seed).sin().mul(0.3).view(value.sizes()));
                shapes[parameter->name()] = value.sizes().vec();
            }
    }
    std::unique_ptr<models::Model> model;
    std::unique_ptr<parallel::FlatArena> arena;
    std::map<std::string, std::vector<std::int64_t>> shapes;
};

at::Tensor some_tokens(std::int64_t rows, std::int64_t length) {
    return at::arange(rows * length, at::kLong).mul(29).remainder(200).add(5).view({rows, length});
}

parallel::StepContext step_of(const at::Tensor& tokens, const at::Tensor& labels, at::Tensor& logits) {
    parallel::StepContext context;
    context.tokens = tokens;
    context.labels = labels;
    context.training = false;
    context.loss_sum = at::zeros({}, at::kDouble);
    context.loss_scale = 1;
    context.logits = &logits;
    return context;
}

/// log of the softmax of `scores` at `right`.
double log_share(const at::Tensor& scores, std::int64_t right) {
    return scores[right].item<double>() - at::logsumexp(scores, {0}).item<double>();
}

class NewHeads : public ::testing::TestWithParam<const char*> {};

/// transformers' ...ForQuestionAnswering is a linear layer on every token, as ...ForTokenClassification, and its loss
/// is the mean of two cross entropies over the positions.
TEST_P(NewHeads, SpansAreTwoScoresOfEachToken) {
    SmallEncoder answers(GetParam(), "question_answering", 2), tags(GetParam(), "token_classification", 2);
    const std::int64_t width = answers.shapes.at("qa_outputs.weight")[1];
    EXPECT_THAT(answers.shapes.at("qa_outputs.weight"), ElementsAre(2, width));
    EXPECT_THAT(answers.shapes.at("qa_outputs.bias"), ElementsAre(2));
    const at::Tensor tokens = some_tokens(3, 12);
    at::Tensor logits, expected;
    const at::Tensor places =
        at::tensor({2, 5, 0, 1, 9, 11, 11, 1, 1, 9, -100, -100, -100, -100, -100}, at::kLong).view({3, 5});
    parallel::StepContext step = step_of(tokens, places, logits);
    const at::Tensor root = answers.model->forward(step);
    EXPECT_EQ(answers.model->count_targets(step), 2);
    at::NoGradGuard no_grad;
    parallel::StepContext without = step_of(tokens, {}, expected);
    expected = tags.model->forward(without);
    EXPECT_LT(logits.sub(expected).abs().max().item<float>(), 1e-6);
    const at::Tensor scores = expected.to(at::kDouble);
    double loss = 0;
    for (const auto& [row, begin, end] : {std::tuple{0, 2, 5}, {1, 11, 11}})
        loss -= (log_share(scores[row].select(1, 0), begin) + log_share(scores[row].select(1, 1), end)) / 2;
    EXPECT_NEAR(root.item<double>(), loss, 1e-5);
}

/// ...ForMultipleChoice scores each choice as ...ForSequenceClassification with one output does, and takes the cross
/// entropy over the choices.
TEST_P(NewHeads, ChoicesAreComparedWithinASample) {
    SmallEncoder choices(GetParam(), "multiple_choice", 2), one(GetParam(), "sequence_classification", 1);
    EXPECT_EQ(choices.shapes.at("classifier.weight")[0], 1);
    const std::string family = GetParam();
    if (family == "roberta")  // whose classification head has layers of its own
        return;
    const at::Tensor tokens = some_tokens(6, 10);
    at::Tensor logits, unused;
    const at::Tensor labels = at::tensor({2, 0}, at::kLong);
    parallel::StepContext step = step_of(tokens.view({2, 3, 10}), labels, logits),
                          without = step_of(tokens, {}, unused);
    const at::Tensor root = choices.model->forward(step);
    at::NoGradGuard no_grad;
    const at::Tensor expected = one.model->forward(without).view({2, 3});
    EXPECT_LT(logits.sub(expected).abs().max().item<float>(), 1e-6);
    const at::Tensor scores = expected.to(at::kDouble);
    EXPECT_NEAR(root.item<double>(), -log_share(scores[0], 2) - log_share(scores[1], 0), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Families, NewHeads, ::testing::Values("bert", "roberta", "distilbert"));

class QuestionData : public ::testing::Test {
  protected:
    config::Recipe recipe(const std::string& rows, const std::string& keys = "sequence_length: 24, doc_stride: 4") {
        write_file_atomically(folder_.path() / "rows.jsonl", rows);
        return config::parse_recipe(
            "model: {model_type: bert, task: question_answering, vocab_size: 256, hidden_size: 16, num_hidden_layers: "
            "1, num_attention_heads: 2, intermediate_size: 16, max_position_embeddings: 96}\n"
            "data: {format: jsonl, path: rows.jsonl, validation_fraction: 0, " +
                keys +
                "}\n"
                "training: {steps: 2, batch_size: 1}\n",
            folder_.path() / "recipe.yaml");
    }
    std::string refusal(const std::string& rows, const std::string& keys = "sequence_length: 24, doc_stride: 4") {
        try {
            open_samples(recipe(rows, keys));
        } catch (const UserError& error) {
            return error.what();
        }
        return "is read";
    }
    test::TemporaryFolder folder_;
};

/// The text of the tokens that the labels of a row point at.
std::string labelled_text(const Tree& batch, std::int64_t row) {
    const at::Tensor labels = batch.at("labels").as_tensor()[row], tokens = batch.at("tokens").as_tensor()[row];
    std::string text;
    for (std::int64_t i = labels[0].item<std::int64_t>(); i <= labels[1].item<std::int64_t>(); ++i)
        text += static_cast<char>(tokens[i].item<std::int64_t>());
    return text;
}

TEST_F(QuestionData, LongTextsBecomePartsThatOverlap) {
    // "why?" and a newline leave 19 tokens, of which 4 are shared: parts begin every 15 bytes.
    const config::Recipe own =
        recipe(R"({"question": "  why?", "context": "aaaaaaaaaaaaaaaaaaXYbbbbbbbbbbbbbbbbbbbbZ", )"
               R"("answers": {"text": ["XY"], "answer_start": [18]}})"
               "\n");
    const std::unique_ptr<SampleSet> samples = open_samples(own);
    ASSERT_EQ(samples->training_samples(), 3);
    const std::vector<std::int64_t> all{0, 1, 2};
    const Tree batch = samples->batch(false, all, 24);
    const at::Tensor labels = batch.at("labels").as_tensor();
    EXPECT_EQ(labels[0][0].item<std::int64_t>(), 0) << "the first part has only the X";
    EXPECT_EQ(labelled_text(batch, 1), "XY");
    EXPECT_EQ(labels[2][1].item<std::int64_t>(), 0) << "the last part has none";
    EXPECT_EQ(labels[2][4].item<std::int64_t>() - labels[2][3].item<std::int64_t>(), 11) << "tokens of the last part";
    // No token of the text is left out (huggingface/transformers#2548): the parts without what they share are the text.
    std::string text;
    for (std::int64_t row = 0; row < 3; ++row)
        for (std::int64_t i = labels[row][3].item<std::int64_t>() + (row > 0 ? 4 : 0);
             i < labels[row][4].item<std::int64_t>(); ++i)
            text += static_cast<char>(batch.at("tokens").as_tensor()[row][i].item<std::int64_t>());
    EXPECT_EQ(text, "aaaaaaaaaaaaaaaaaaXYbbbbbbbbbbbbbbbbbbbbZ");
}

TEST_F(QuestionData, PlacesCountCharactersAndReachTheLastToken) {
    const config::Recipe own = recipe(
        "{\"question\": \"q?\", \"context\": \"\u00e9\u00e9 caf\u00e9\", \"answers\": {\"text\": [\"caf\u00e9\"], "
        "\"answer_start\": [3]}}\n"
        "{\"question\": \"q?\", \"context\": \"no answer\", \"answers\": {\"text\": [], \"answer_start\": []}}\n"
        "{\"question\": \"q?\", \"context\": \"ends in Z\", \"answers\": {\"text\": [\"Z\"], \"answer_start\": "
        "[8]}}\n");
    const std::vector<std::int64_t> all{0, 1, 2};
    const Tree batch = open_samples(own)->batch(false, all, 24);
    EXPECT_EQ(labelled_text(batch, 0), "caf\u00e9");
    EXPECT_EQ(batch.at("labels").as_tensor()[1][0].item<std::int64_t>(), 0);
    EXPECT_EQ(labelled_text(batch, 2), "Z") << "the last token of a text can be the answer";
}

TEST_F(QuestionData, WrongAnswersAreNamedByTheirRow) {
    const std::string good =
        R"({"question": "q", "context": "one two", "answers": {"text": ["two"], "answer_start": [4]}})"
        "\n";
    EXPECT_EQ(refusal(good), "is read");
    EXPECT_THAT(
        refusal(good + R"({"question": "q", "context": "one two", "answers": {"text": ["two"], "answer_start": [5]}})"
                       "\n"),
        says("{}: {}", "data.label_column", HasSubstr("the answer 'two' of row 2 is not at character 5 of its text")));
    EXPECT_THAT(refusal(R"({"question": "q", "context": "one two", "answer": "three"})"
                        "\n",
                        "sequence_length: 24, doc_stride: 4"),
                says("{}: {}", "data.label_column", HasSubstr("the answer 'three' of row 1 is not in its text")));
    EXPECT_THAT(refusal(R"({"question": "a question of more than its sample", "context": "one", "answer": "one"})"
                        "\n"),
                HasSubstr("row 1: the question has 35 tokens, which leaves 0 of 24 for the text"));
    EXPECT_THAT(refusal(R"({"question": "q", "answer": "one"})"
                        "\n"),
                HasSubstr("data.second_column"));
}

/// Parts and places as fast tokenizers give them, answers judged as SQuAD's program does.
TEST_F(QuestionData, IsCutAsTokenizersDo) {
    std::size_t compared = 0;
    for (const auto& folder : std::filesystem::directory_iterator(test::golden("questions"))) {
        const nlohmann::json golden = nlohmann::json::parse(read_file(folder.path() / "cases.json"));
        for (const nlohmann::json& one : golden.at("cases")) {
            SCOPED_TRACE(folder.path().filename().string() + ": " + one.at("row").dump());
            const std::string keys = "sequence_length: " + one.at("length").dump() +
                                     ", doc_stride: " + one.at("stride").dump() +
                                     ", tokenizer: " + folder.path().string();
            const std::unique_ptr<SampleSet> samples = open_samples(recipe(one.at("row").dump() + "\n", keys));
            const nlohmann::json& parts = one.at("parts");
            ASSERT_EQ(samples->training_samples(), std::ssize(parts));
            for (std::int64_t i = 0; i < std::ssize(parts); ++i, ++compared) {
                const nlohmann::json& part = parts[static_cast<std::size_t>(i)];
                const std::int64_t length = one.at("length");
                const Tree batch = samples->batch(false, std::vector<std::int64_t>{i}, length);
                const auto ids = part.at("ids").get<std::vector<std::int64_t>>(),
                           types = part.at("types").get<std::vector<std::int64_t>>();
                const auto row = [&](const char* name) {
                    return batch.at(name).as_tensor()[0].narrow(0, 0, std::ssize(ids));
                };
                EXPECT_TRUE(row("tokens").equal(at::tensor(ids, at::kLong)));
                EXPECT_TRUE(row("token_type_ids").equal(at::tensor(types, at::kLong)));
                EXPECT_EQ(batch.at("attention_mask").as_tensor().sum().item<std::int64_t>(), std::ssize(ids));
                const at::Tensor labels = batch.at("labels").as_tensor()[0];
                EXPECT_EQ(labels[0].item<std::int64_t>(), part.at("begin").get<std::int64_t>()) << "part " << i;
                EXPECT_EQ(labels[1].item<std::int64_t>(), part.at("end").get<std::int64_t>()) << "part " << i;
            }
        }
        for (const nlohmann::json& one : golden.at("judged")) {
            const auto found = one.at("found").get<std::string>(), wanted = one.at("wanted").get<std::string>();
            EXPECT_EQ(is_exact_match(found, wanted), one.at("exact").get<bool>()) << one;
            EXPECT_NEAR(answer_f1(found, wanted), one.at("f1").get<double>(), 1e-12) << one;
        }
    }
    EXPECT_GT(compared, 50u);
}

/// A sequence of words that is cut off keeps the token that ends it, as transformers' truncation does.
TEST_F(QuestionData, TaggedWordsKeepTheirEndWhereTheyAreCut) {
    write_file_atomically(
        folder_.path() / "words.jsonl",
        R"({"tokens": ["one", "two", "three", "four", "five", "six", "seven"], "tags": [0, 1, 0, 1, 0, 1, 0]})"
        "\n");
    const config::Recipe own = config::parse_recipe(
        "model: {model_type: bert, task: token_classification, num_labels: 2, vocab_size: 256, hidden_size: 16, "
        "num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, max_position_embeddings: 64}\n"
        "data: {format: jsonl, path: words.jsonl, validation_fraction: 0, sequence_length: 6, tokenizer: " +
            (test::own_golden("questions") / "bert").string() + "}\ntraining: {steps: 2, batch_size: 1}\n",
        folder_.path() / "recipe.yaml");
    const Tree batch = open_samples(own)->batch(false, std::vector<std::int64_t>{0}, 6);
    const at::Tensor tokens = batch.at("tokens").as_tensor()[0], labels = batch.at("labels").as_tensor()[0];
    EXPECT_EQ(tokens[0].item<std::int64_t>(), 2) << "[CLS]";
    EXPECT_EQ(tokens[5].item<std::int64_t>(), 3) << "[SEP]";
    EXPECT_EQ(labels[5].item<std::int64_t>(), -100);
}

TEST(AnswerText, IsComparedAsSquadDoes) {
    EXPECT_THAT(answer_words("  The Cat, a DOG\u2019s an\u00c9!"), ElementsAre("cat", "dog\u2019s", "an\u00e9"));
    EXPECT_TRUE(is_exact_match("the U.S.", "us"));
    EXPECT_FALSE(is_exact_match("two cats", "cats two"));
    EXPECT_DOUBLE_EQ(answer_f1("the red cat", "cat"), 2.0 / 3);    // precision 1/2, recall 1
    EXPECT_DOUBLE_EQ(answer_f1("a b b", "b b b c"), 2.0 * 2 / 6);  // shared: b b of (b b) and (b b b c)
    EXPECT_DOUBLE_EQ(answer_f1("", ""), 1);
    EXPECT_DOUBLE_EQ(answer_f1("cat", ""), 0);
}

/// The best answer of all parts of a text counts, and no answer where the text has none.
TEST_F(QuestionData, TheBestPartAnswers) {
    const config::Recipe own =
        recipe(R"({"question": "why?", "context": "aaaaaaaaaaaaaaaaaaXYbbbbbbbbbbbbbbbbbbbbZ", )"
               R"("answers": {"text": ["XY", "Z"], "answer_start": [18, 40]}})"
               "\n"
               R"({"question": "why?", "context": "nothing", "answers": {"text": [], "answer_start": []}})"
               "\n");
    const std::unique_ptr<SampleSet> samples = open_samples(own);
    // Token 5 + 3 of part 1 is character 15 + 3.
    const FoundAnswer wrong{0, 1, 5, 6, 0}, right{1, 2, 8, 9, 0}, part{1, 2, 8, 8, 0}, none{3, 1, 5, 6, 4};
    EXPECT_DOUBLE_EQ(samples->judge(std::vector{wrong, right, none}).exact_match, 1);
    EXPECT_DOUBLE_EQ(samples->judge(std::vector{wrong, part, none}).exact_match, 0.5);
    EXPECT_DOUBLE_EQ(samples->judge(std::vector{wrong, right}).f1, 1) << "only questions that were asked";
    const FoundAnswer said{3, 5, 5, 6, 4};
    EXPECT_DOUBLE_EQ(samples->judge(std::vector{said}).f1, 0);
}

/// Training must learn both tasks, and the figures must not depend on the number of ranks.
TEST(AnswersAndChoices, LearnTheSameOnEveryLayout) {
    struct Goal {
        const char* name;
        std::int64_t steps;
        const char* figure;
        double least;
    };
    for (const Goal& goal : {Goal{"questions", 250, "f1", 0.7}, Goal{"choices", 60, "accuracy", 0.8}}) {
        config::Recipe recipe = task_sample(goal.name);
        recipe.training.steps = goal.steps;
        std::map<std::string, double> alone, shared;
        auto train = [&](std::unique_ptr<parallel::World> world, int ranks, std::int64_t steps,
                         std::map<std::string, double>& made) {
            config::Recipe own = recipe;
            own.training.batch_size /= ranks;
            parallel::Mesh mesh(parallel::pipelines(1, ranks), std::move(world));
            Trainer trainer(own, mesh, at::kCPU);
            trainer.start();
            for (std::int64_t step = 0; step < steps; ++step)
                trainer.step();
            const Evaluation evaluation = trainer.evaluate().value();
            if (mesh.rank() != 0)
                return;
            made = {evaluation.metrics.begin(), evaluation.metrics.end()};
            made["loss"] = evaluation.loss;
        };
        train(parallel::World::connect({}, "cpu"), 1, 4, alone);
        test::run_ranks(3, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::pipelines(1, 3), std::move(world));
            config::Recipe of_three = recipe;
            of_three.training.batch_size = 7;  // 60 samples: the ranks evaluate 21, 21 and 18 of them
            of_three.training.evaluate_batches = 0;
            Trainer trainer(of_three, mesh, at::kCPU);
            trainer.start();
            const Evaluation evaluation = trainer.evaluate().value();
            if (mesh.rank() == 0)
                shared = {evaluation.metrics.begin(), evaluation.metrics.end()};
        });
        std::map<std::string, double> untrained;
        train(parallel::World::connect({}, "cpu"), 1, 0, untrained);
        for (const auto& [name, value] : shared)
            EXPECT_NEAR(value, untrained.at(name), 1e-9) << goal.name << ", " << name;
        EXPECT_TRUE(shared.contains(goal.figure));
        train(parallel::World::connect({}, "cpu"), 1, goal.steps, alone);
        EXPECT_GT(alone.at(goal.figure), goal.least) << goal.name;
    }
}

/// Figures of scikit-learn's f1_score, precision_score and recall_score for these labels.
TEST(ClassMetrics, AreThoseOfScikitLearn) {
    const auto values = [](std::int64_t classes, const std::vector<std::int64_t>& wanted,
                           const std::vector<std::int64_t>& found, const std::string& names) {
        const config::Recipe recipe = config::parse_recipe(
            "model: {model_type: bert, task: sequence_classification, vocab_size: 256, hidden_size: 16, "
            "num_hidden_layers: 1, "
            "num_attention_heads: 2, intermediate_size: 16, max_position_embeddings: 64, num_labels: " +
                std::to_string(classes) + "}\ndata: {format: jsonl, path: x}\ntraining: {metrics: [" + names + "]}\n",
            "/r.yaml");
        HeldOutMetrics metrics(recipe);
        const at::Tensor labels = at::tensor(wanted, at::kLong), outputs = at::zeros({std::ssize(found), classes});
        for (std::int64_t i = 0; i < std::ssize(found); ++i)
            outputs[i][found[static_cast<std::size_t>(i)]] = 1;
        metrics.update(outputs.narrow(0, 0, 2), labels.narrow(0, 0, 2));  // several batches
        metrics.update(outputs.narrow(0, 2, outputs.size(0) - 2), labels.narrow(0, 2, labels.size(0) - 2));
        parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
        HeldOutValues made = metrics.values(mesh.everyone());
        return std::map<std::string, double>(made.begin(), made.end());
    };
    // The example of scikit-learn's documentation.
    auto made = values(3, {0, 1, 2, 0, 1, 2, -100}, {0, 2, 1, 0, 0, 1, 1},
                       "f1, f1_macro, f1_micro, f1_weighted, precision, precision_micro, recall, recall_weighted");
    EXPECT_NEAR(made.at("f1_macro"), 0.26666666666666666, 1e-12);
    EXPECT_NEAR(made.at("f1"), 0.26666666666666666, 1e-12);
    EXPECT_NEAR(made.at("f1_micro"), 0.3333333333333333, 1e-12);
    EXPECT_NEAR(made.at("f1_weighted"), 0.26666666666666666, 1e-12);
    EXPECT_NEAR(made.at("precision"), 0.2222222222222222, 1e-12);
    EXPECT_NEAR(made.at("precision_micro"), 0.3333333333333333, 1e-12);
    EXPECT_NEAR(made.at("recall"), 0.3333333333333333, 1e-12);
    EXPECT_NEAR(made.at("recall_weighted"), 0.3333333333333333, 1e-12);
    // Of two classes the second is the one that is looked for: 1 found, 1 wrong, 2 missed.
    made = values(2, {1, 1, 1, 0, 0}, {1, 0, 0, 1, 0}, "f1, precision, recall");
    EXPECT_NEAR(made.at("precision"), 0.5, 1e-12);
    EXPECT_NEAR(made.at("recall"), 1.0 / 3, 1e-12);
    EXPECT_NEAR(made.at("f1"), 0.4, 1e-12);
    // A class that is neither found nor wanted is not averaged over; none found at all gives 0, not a division by 0.
    made = values(4, {0, 0, 1}, {0, 0, 1}, "f1_macro");
    EXPECT_NEAR(made.at("f1_macro"), 1, 1e-12);
    made = values(2, {1, 1, 1}, {0, 0, 0}, "f1, precision, recall");
    EXPECT_EQ(made.at("f1") + made.at("precision") + made.at("recall"), 0);
}

/// Class figures of an evaluation do not depend on the number of ranks, perplexity is exp(loss).
TEST(ClassMetrics, OfAnEvaluationAreThoseOfOneRank) {
    config::Recipe recipe = task_sample("classification");
    recipe.training.metrics = {"f1", "precision_macro", "recall_weighted"};
    recipe.training.steps = 1;
    std::map<std::string, double> alone, shared;
    auto evaluate = [&](std::unique_ptr<parallel::World> world, int ranks, std::map<std::string, double>& made) {
        config::Recipe own = recipe;
        own.training.batch_size = ranks == 1 ? 16 : 7;
        parallel::Mesh mesh(parallel::pipelines(1, ranks), std::move(world));
        Trainer trainer(own, mesh, at::kCPU);
        trainer.start();
        const Evaluation evaluation = trainer.evaluate().value();
        if (mesh.rank() == 0)
            made = {evaluation.metrics.begin(), evaluation.metrics.end()};
    };
    evaluate(parallel::World::connect({}, "cpu"), 1, alone);
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) { evaluate(std::move(world), 2, shared); });
    ASSERT_EQ(alone.size(), 4u);
    EXPECT_EQ(alone, shared);

    recipe = task_sample("summaries");
    recipe.training.metrics = {"perplexity"};
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    Trainer trainer(recipe, mesh, at::kCPU);
    trainer.start();
    const Evaluation evaluation = trainer.evaluate().value();
    ASSERT_EQ(evaluation.metrics.size(), 1u);
    EXPECT_DOUBLE_EQ(evaluation.metrics[0].second, std::exp(evaluation.loss));
}

TEST(ClassMetrics, ThatDoNotFitAreRefusedBeforeTheStart) {
    const auto problem_of = [](const std::string& model, const std::string& more) -> std::string {
        try {
            config::parse_recipe("model: {" + model + "}\n" + more, "/r.yaml");
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    };
    const std::string lm = "model_type: gpt2", data = "data: {path: /x}\n", table = "data: {format: jsonl, path: /x}\n";
    EXPECT_THAT(problem_of(lm, data + "training: {metrics: f1}\n"),
                says("{} is not a metric of {}: {}", "f1", "causal_lm", _));
    EXPECT_THAT(problem_of(lm, data + "training: {metrics: perplexty}\n"), HasSubstr("perplexity"));
    EXPECT_EQ(problem_of(lm, data + "training: {metrics: perplexity}\n"), "");
    EXPECT_THAT(problem_of(lm, data + "checkpoint: {best_metric: eval/perplexity}\n"),
                says("evaluations do not compute {}: add {} to training.metrics", "perplexity", "perplexity"));
    EXPECT_THAT(problem_of(lm, data + "checkpoint: {best_metric: eval/exact_match}\n"),
                says("evaluations of {} do not compute {}: take another curve", "causal_lm", "exact_match"));
    const std::string answers = "model_type: bert, task: question_answering";
    EXPECT_EQ(problem_of(answers,
                         "data: {format: jsonl, path: /x, sequence_length: 64, doc_stride: 16}\ncheckpoint: "
                         "{best_metric: eval/f1, best_mode: max}\n"),
              "");
    EXPECT_EQ(problem_of(answers, table), "") << "a stride that is left out fits";
    EXPECT_THAT(problem_of(answers, "data: {format: jsonl, path: /x, doc_stride: 64}\n"), HasSubstr("data.doc_stride"));
    EXPECT_THAT(problem_of(answers, "data: {format: text, path: /x, doc_stride: 1}\n"), HasSubstr("data.format"));
    EXPECT_THAT(problem_of(answers + ", num_labels: 3", "data: {format: jsonl, path: /x, doc_stride: 1}\n"),
                HasSubstr("num_labels"));
    EXPECT_THAT(problem_of(lm, "data: {path: /x, doc_stride: 3}\n"), HasSubstr("data.doc_stride"));
    EXPECT_THAT(problem_of("model_type: bert, task: multiple_choice", table + "parallel: {pp_size: 2}\n"),
                says("{} is not trained in pipeline stages in this version: set it to 1", "multiple_choice"));
    EXPECT_THAT(
        problem_of("model_type: bert, task: multiple_choice", "data: {format: jsonl, path: /x, choice_columns: [a]}\n"),
        HasSubstr("data.choice_columns"));
}

}  // namespace
}  // namespace trainyard::train
