// SPDX-License-Identifier: GPL-3.0-or-later
// Labels that are not counted: a training without any is refused as early as that is known, and a step or an evaluation
// without any has no loss.

#include <cmath>
#include <fstream>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "config/inputs/sequence_tokens.h"
#include "config/recipe/recipe.h"
#include "formats/tokenizers/tokenizer.h"
#include "support/golden.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/data_loader.h"
#include "train/sample_set.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using test::says;
using testing::_;
using testing::HasSubstr;

constexpr const char* kEncoder =
    "vocab_size: 256, hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 32, "
    "max_position_embeddings: 32";

class Targets : public ::testing::Test {
  protected:
    /// `data`: rows of a JSONL file.
    config::Recipe recipe(const std::string& model, const std::string& data, const std::string& keys,
                          const std::string& more = {}) {
        std::ofstream(folder_.path() / "data.jsonl") << data;
        return config::parse_recipe(
            "model: {" + model + "}\ndata: {format: jsonl, path: " + (folder_.path() / "data.jsonl").string() + ", " +
                keys + "}\ntraining: {steps: 4, batch_size: 2, evaluate_batches: 0}\n" + more,
            folder_.path() / "r.yaml");
    }
    static std::unique_ptr<Trainer> trainer(const config::Recipe& recipe, parallel::Mesh& mesh) {
        auto made = std::make_unique<Trainer>(recipe, mesh, at::kCPU);
        made->start();
        return made;
    }
    static std::string refusal(const config::Recipe& recipe) {
        parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
        try {
            (void)trainer(recipe, mesh);
        } catch (const UserError& error) {
            return error.what();
        }
        return "trains";
    }
    static std::string lines(const std::string& line, int count) {
        std::string all;
        for (int i = 0; i < count; ++i)
            all += line + "\n";
        return all;
    }

    test::TemporaryFolder folder_;
};

TEST_F(Targets, WithoutAnyNoTaskTrains) {
    const std::string encoder = std::string("model_type: bert, ") + kEncoder + ", num_labels: 2, task: ";
    const std::string none = "of the 10 training samples is counted";
    EXPECT_THAT(refusal(recipe(encoder + "sequence_classification", lines(R"({"text": "one two", "label": -100})", 10),
                               "column: text, label_column: label, sequence_length: 16, validation_fraction: 0")),
                HasSubstr(none));
    EXPECT_THAT(refusal(recipe(encoder + "token_classification",
                               lines(R"({"tokens": ["one", "two"], "tags": [-100, -100]})", 10),
                               "column: tokens, label_column: tags, sequence_length: 16, validation_fraction: 0")),
                HasSubstr(none));
    const std::string decoder = "model_type: gpt2, vocab_size: 256, n_positions: 32, n_embd: 16, n_layer: 1, n_head: 2";
    EXPECT_THAT(refusal(recipe(decoder, lines(R"({"m": [{"role": "user", "content": "who is there?"}]})", 10),
                               "column: m, chat: chatml, pack: no, sequence_length: 16, validation_fraction: 0")),
                HasSubstr(none))
        << "no reply";
    EXPECT_THAT(
        refusal(recipe(decoder,
                       lines(R"({"m": [{"role": "user", "content": "a question that is longer than a sample"},)"
                             R"( {"role": "assistant", "content": "yes"}]})",
                             10),
                       "column: m, chat: chatml, pack: no, sequence_length: 16, validation_fraction: 0")),
        says("data.path: no label of the {} training samples is counted, so nothing can be learnt: all are -100, "
             "masked, or cut off by data.sequence_length ({}). Check the labels, or make data.sequence_length larger",
             _, 16));
    EXPECT_EQ(
        refusal(recipe(encoder + "sequence_classification",
                       lines(R"({"text": "one two", "label": -100})", 9) + R"({"text": "one", "label": 1})" + "\n",
                       "column: text, label_column: label, sequence_length: 16, validation_fraction: 0")),
        "trains")
        << "one is enough";
}

/// Only tokens of replies have labels, as the chat template beside the tokenizer marks them.
TEST_F(Targets, ConversationsAreTrainedAsTheChatTemplateWritesThem) {
    const std::filesystem::path tokenizer = folder_.path() / "tokenizer";
    std::filesystem::create_directories(tokenizer);
    std::filesystem::copy(test::golden("chat_masks") / "tokenizer.json", tokenizer / "tokenizer.json");
    write_file_atomically(tokenizer / "chat_template.jinja",
                          "{% for m in messages %}{{ m.role }}: {% if m.role == 'assistant' %}{% generation %}"
                          "{{ m.content }}<|im_end|>{% endgeneration %}{% else %}{{ m.content }}{% endif %}"
                          "{{ '\\n' }}{% endfor %}");
    const config::Recipe chats = recipe(
        "model_type: gpt2, vocab_size: 400, n_positions: 32, n_embd: 16, n_layer: 1, n_head: 2",
        lines(R"({"m": [{"role": "user", "content": "Hi there"}, {"role": "assistant", "content": "Hello!"}]})", 4),
        "column: m, chat: auto, pack: no, sequence_length: 32, validation_fraction: 0, tokenizer: tokenizer");
    const Tree batch = open_samples(chats)->batch(false, std::vector<std::int64_t>{0}, 32);
    const at::Tensor tokens = batch.at("tokens").as_tensor()[0], labels = batch.at("labels").as_tensor()[0];
    const auto tokens_of_file = tokenizers::Tokenizer::from_file(tokenizer / "tokenizer.json");
    std::vector<tokenizers::Id> learnt, all;
    for (std::int64_t i = 0; i < 32; ++i) {
        all.push_back(static_cast<tokenizers::Id>(tokens[i].item<std::int64_t>()));
        if (labels[i].item<std::int64_t>() != inputs::kUncountedLabel)
            learnt.push_back(all.back());
    }
    EXPECT_EQ(tokens_of_file.decode(learnt, false), "Hello!<|im_end|>");
    EXPECT_THAT(tokens_of_file.decode(all, false), HasSubstr("user: Hi there\nassistant: Hello!<|im_end|>"));
}

/// Whether a token is masked is drawn in each step, so that it is known only at the end that none was.
TEST_F(Targets, ATrainingThatCountedNoneFails) {
    config::Recipe masked =
        recipe(std::string("model_type: bert, ") + kEncoder + ", task: masked_lm",
               lines(R"({"text": "some words to be found"})", 10),
               "column: text, sequence_length: 16, validation_fraction: 0, mlm_probability: 1.0e-9");
    parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
    const auto training = trainer(masked, mesh);
    for (int step = 0; step < 3; ++step) {
        const StepReport report = training->step();
        EXPECT_EQ(report.targets, 0);
        EXPECT_TRUE(report.skipped);
        EXPECT_TRUE(std::isnan(report.loss)) << "and not 0, which would be the best there is";
    }
    EXPECT_THAT([&] { training->step(); },
                testing::Throws<UserError>(
                    says("nothing was learnt: no label of the last {} is counted. Check the labels of data.path, "
                         "data.sequence_length, and for masked_lm data.mlm_probability",
                         "4 steps")));
}

TEST_F(Targets, AStepWithoutAnyLeavesTheWeightsAndTheOthersAlone) {
    const std::string model =
        std::string("model_type: bert, ") + kEncoder + ", num_labels: 2, task: sequence_classification";
    const std::string counted = R"({"text": "one two", "label": 1})", ignored = R"({"text": "three", "label": -100})";
    for (const int ranks : {1, 2}) {
        // Steps of two samples: counted, not counted, one of two counted.
        config::Recipe one = recipe(model,
                                    counted + "\n" + counted + "\n" + ignored + "\n" + ignored + "\n" + counted + "\n" +
                                        ignored + "\n" + counted + "\n" + counted + "\n",
                                    "column: text, label_column: label, sequence_length: 16, validation_fraction: 0, "
                                    "shuffle: no",
                                    "optimizer: {weight_decay: 0.5}");
        one.training.batch_size = 2 / ranks;
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            const auto training = trainer(one, mesh);
            EXPECT_EQ(training->step().targets, 2);
            std::map<std::string, at::Tensor> before;
            for (const auto& [name, weight] : training->weights())
                before[name] = weight.clone();
            const StepReport empty = training->step();
            EXPECT_EQ(empty.targets, 0);
            EXPECT_TRUE(std::isnan(empty.loss));
            for (const auto& [name, weight] : training->weights())
                EXPECT_TRUE(weight.equal(before.at(name))) << name;
            const StepReport half = training->step();
            EXPECT_EQ(half.targets, 1);
            EXPECT_FALSE(half.skipped);
            EXPECT_TRUE(std::isfinite(half.loss));
            EXPECT_GT(half.loss, 0);
        });
    }
}

TEST_F(Targets, HeldOutSamplesWithoutAnyHaveNoLoss) {
    const config::Recipe held_out =
        recipe(std::string("model_type: bert, ") + kEncoder + ", num_labels: 2, task: sequence_classification",
               lines(R"({"text": "one two", "label": 1})", 8) + lines(R"({"text": "one two", "label": -100})", 2),
               "column: text, label_column: label, sequence_length: 16, validation_fraction: 0.2");
    parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
    const auto training = trainer(held_out, mesh);
    EXPECT_THAT(training->remarks_on_data(),
                testing::Contains(
                    says("no label of {} that are held out is counted, so there is no eval/loss: check the labels, "
                         "or make data.validation_fraction or data.sequence_length larger",
                         "2 samples")));
    training->step();
    EXPECT_FALSE(training->evaluate().has_value());
    EXPECT_FALSE(training->metric().has_value()) << "no checkpoint is the best by it";
}

/// Samples of any task: the first label that is counted may be anywhere.
TEST_F(Targets, AreLookedForUntilThereIsOne) {
    class Samples final : public SampleSet {
      public:
        Samples(std::int64_t size, std::int64_t counted) : size_(size), counted_(counted) {}
        std::int64_t training_samples() const override { return size_; }
        std::int64_t validation_samples() const override { return 0; }
        std::int64_t targets_per_sample(std::int64_t length) const override { return length - 1; }
        Tree batch(bool, std::span<const std::int64_t> indices, std::int64_t length) const override {
            const auto rows = static_cast<std::int64_t>(indices.size());
            const at::Tensor targets = at::zeros({rows}, at::kLong);
            for (std::int64_t row = 0; row < rows; ++row)
                if (indices[static_cast<std::size_t>(row)] == counted_)
                    targets[row] = 1;
            read += rows;
            return Tree::dict({{"tokens", at::zeros({rows, length}, at::kLong)},
                               {"labels", at::full({rows, length}, -100, at::kLong)},
                               {"targets", targets}});
        }
        mutable std::int64_t read = 0;

      private:
        std::int64_t size_, counted_;
    };
    config::Recipe recipe;
    recipe.data.num_workers = 0;
    const auto require = [&](const std::shared_ptr<Samples>& samples) {
        DataLoader(recipe, data::Shard{0, 1}, at::kCPU, samples).require_targets();
    };
    for (const std::int64_t counted : {0, 1, 63, 64, 65, 199})
        EXPECT_NO_THROW(require(std::make_shared<Samples>(200, counted))) << counted;
    EXPECT_THROW(require(std::make_shared<Samples>(200, -1)), UserError);
    const auto usual = std::make_shared<Samples>(1'000'000, 0);
    require(usual);
    EXPECT_LE(usual->read, 2) << "the first sample is enough";
}

}  // namespace
}  // namespace trainyard::train
