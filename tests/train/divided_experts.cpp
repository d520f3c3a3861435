// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that a mixture-of-experts model trains equally on every layout. Its load-balancing loss is computed over all
// micro-batches and data ranks of a step, and data ranks may divide the experts (parallel.ep_size). Compares losses,
// norms, evaluation, weights and their averages, and resumes checkpoints on other layouts.

#include <fstream>
#include <map>
#include <mutex>
#include <random>

#include <ATen/ops/full.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "checkpoint/files/manifest.h"
#include "config/recipe/recipe.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/same_curve.h"
#include "train/trainer.h"

namespace trainyard::train::divided_experts {
namespace {

constexpr std::int64_t kSteps = 6, kSavedStep = 4, kSamples = 16;

struct Layout {
    int replicas = 1, cp = 1, stages = 1, of_experts = 1;
    std::int64_t micro_batches = 1, zero_stage = 0;
    config::Recomputation recomputes = config::Recomputation::no;
    Precision precision = Precision::no;

    int ranks() const { return replicas * cp * stages; }
    std::string text() const {
        return "dp " + std::to_string(replicas) + ", cp " + std::to_string(cp) + ", pp " + std::to_string(stages) +
               ", ep " + std::to_string(of_experts) + ", micro-batches " + std::to_string(micro_batches) + ", zero " +
               std::to_string(zero_stage) +
               (recomputes == config::Recomputation::no ? "" : fmt::format(", recomputed ({})", recomputes)) +
               (precision == Precision::no ? "" : std::string(", ") + choice_name(precision));
    }
};

struct Outcome {
    std::vector<double> losses, norms;
    double evaluation = 0, average_evaluation = 0;
    std::map<std::string, at::Tensor> weights, averages;  ///< whole
};

class DividedExperts : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;

    void SetUp() override {
        std::mt19937 random(31);
        std::ofstream text(folder_.path() / "text.txt");
        const char* words[] = {"expert ", "router ", "token ", "choice ", "slot\n"};
        for (int i = 0; i < 3000; ++i)
            text << words[random() % 5];
    }

    config::Recipe recipe(const Layout& layout, const std::string& more = {}) const {
        config::Recipe made = config::parse_recipe(
            "model: {model_type: mixtral, hidden_size: 32, intermediate_size: 24, num_hidden_layers: 2, "
            "num_attention_heads: 4, num_local_experts: 4, attention_dropout: 0.1, output_router_logits: yes, "
            "router_aux_loss_coef: 0.5}\n"
            "data: {path: text.txt, sequence_length: 16}\n"
            "optimizer: {lr: 1.0e-3, eps: 1.0e-6}\n" +
                more,
            folder_.path() / "recipe.yaml");
        made.training.steps = kSteps;
        made.training.evaluate_batches = 0;  // all held-out samples
        made.training.ema_decay = 0.5;
        made.training.mixed_precision = layout.precision;
        made.training.gradient_accumulation_steps = layout.micro_batches;
        made.training.batch_size = kSamples / layout.micro_batches / layout.replicas;
        made.training.activation_checkpointing = layout.recomputes;
        made.parallel.pp_size = layout.stages;
        made.parallel.cp_size = layout.cp;
        made.parallel.ep_size = layout.of_experts;
        made.parallel.zero_stage = layout.zero_stage;
        made.parallel.bucket_cap_mb = 0.01;
        for (const Problem& problem : config::check_recipe(made))
            ADD_FAILURE() << layout.text() << ": " << problem.key << ": " << problem.message.text();
        EXPECT_EQ(config::on_ranks(made, layout.ranks()).data_ranks(layout.ranks()), layout.replicas);
        return made;
    }

    /// Ranks that hold the same elements must have the same values.
    static void put_together(const std::vector<checkpoint::LogicalTensor>& parts,
                             std::map<std::string, at::Tensor>& whole, const std::string& what) {
        for (const checkpoint::LogicalTensor& part : parts) {
            at::Tensor& all = whole[part.name];
            if (!all.defined())
                all = at::full(part.shape, std::nan(""), at::kFloat);
            at::Tensor view = all;
            for (std::size_t d = 0; d < part.box.size.size(); ++d)
                view = view.narrow(static_cast<std::int64_t>(d), part.box.offset[d], part.box.size[d]);
            EXPECT_TRUE(view.isnan().logical_or(view.eq(part.local)).all().item<bool>())
                << part.name << " is not the same on all ranks of " << what;
            view.copy_(part.local);
        }
    }

    Outcome train(const Layout& layout, std::int64_t steps = kSteps, const std::filesystem::path& resume_from = {},
                  const std::filesystem::path& save_to = {}, bool one_disk = true) const {
        config::Recipe made = recipe(layout);
        made.checkpoint.resume_from = resume_from.string();
        Outcome outcome;
        std::mutex mutex;
        const auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh({layout.stages, layout.replicas, 1, layout.cp, 1, 1}, std::move(world));
            Trainer trainer(made, mesh, at::kCPU, {.one_disk = one_disk});
            trainer.start();
            Outcome mine;
            while (trainer.position().step < steps) {
                const StepReport report = trainer.step();
                mine.losses.push_back(report.loss);
                mine.norms.push_back(report.gradient_norm);
            }
            const Evaluation evaluation = trainer.evaluate().value();
            if (!save_to.empty())
                trainer.save(save_to);
            const checkpoint::Content content = trainer.content();
            const std::lock_guard lock(mutex);
            put_together(content.weights, outcome.weights, layout.text());
            put_together(content.average, outcome.averages, layout.text());
            if (mesh.rank() == 0) {
                outcome.losses = mine.losses;
                outcome.norms = mine.norms;
                outcome.evaluation = evaluation.loss;
                outcome.average_evaluation = evaluation.average_loss.value();
            }
        };
        if (layout.ranks() == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(layout.ranks(), body);
        return outcome;
    }

    /// `expected` may have more steps; the last ones are compared.
    static void expect_same(const Outcome& expected, const Outcome& got, const std::string& what) {
        ASSERT_NO_FATAL_FAILURE(test::expect_same_curve(expected, got, what));
        EXPECT_NEAR(expected.average_evaluation, got.average_evaluation, 1e-5) << what;
        for (const auto& [mine, theirs] :
             {std::pair(&expected.weights, &got.weights), {&expected.averages, &got.averages}}) {
            ASSERT_EQ(mine->size(), theirs->size()) << what;
            for (const auto& [name, weight] : *mine)
                EXPECT_LT(weight.sub(theirs->at(name)).abs().max().item<double>(), 2e-5) << what << ": " << name;
        }
    }
};

TEST_F(DividedExperts, TheCurveOfOneRank) {
    parallel::Mesh alone(parallel::replicas(1), parallel::World::connect({}, "cpu"));
    const DataLoader data(recipe({}), alone.batch(), at::kCPU);
    ASSERT_EQ(data.evaluation_samples() % 4, 1) << "one rank of four has the last sample";
    const Outcome expected = train({});
    EXPECT_LT(expected.losses.back(), expected.losses.front());
    for (const Layout& layout : {
             Layout{.micro_batches = 2},
             Layout{.micro_batches = 4, .recomputes = config::Recomputation::full},
             Layout{.replicas = 2},
             Layout{.replicas = 4},
             Layout{.replicas = 2, .micro_batches = 2},
             Layout{.replicas = 2, .zero_stage = 1},
             Layout{.replicas = 4, .micro_batches = 2, .zero_stage = 2},
             Layout{.replicas = 2, .micro_batches = 2, .zero_stage = 3},
             Layout{.cp = 2, .micro_batches = 2},
             Layout{.stages = 2, .micro_batches = 2},
             Layout{.replicas = 2, .of_experts = 2},
             Layout{.replicas = 4, .of_experts = 4},
             Layout{.replicas = 4, .of_experts = 2},
             Layout{.replicas = 2, .of_experts = 2, .micro_batches = 2, .recomputes = config::Recomputation::full},
             Layout{.replicas = 4, .of_experts = 2, .micro_batches = 4, .recomputes = config::Recomputation::selective},
             // Three of the ranks that divide the experts have no samples of the last held-out batch.
             Layout{.replicas = 4, .of_experts = 4, .micro_batches = 4},
             Layout{.cp = 2, .of_experts = 2},
             Layout{.replicas = 2, .cp = 2, .of_experts = 4, .micro_batches = 2},
         })
        expect_same(expected, train(layout), layout.text());
}

/// The loss counts: without its factor the curve is another.
TEST_F(DividedExperts, TheLossOfRoutersIsPartOfTheCurve) {
    const Outcome with = train({}, 1);
    config::Recipe made = recipe({});
    made.model.router_aux_loss_coef = 0;
    parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
    Trainer trainer(made, mesh, at::kCPU);
    trainer.start();
    EXPECT_GT(with.losses.front() - trainer.step().loss, 0.5) << "the loss of balanced routers is 2 at least";
}

TEST_F(DividedExperts, HalfPrecisionOnDividedExperts) {
    for (const Precision precision : {Precision::bf16, Precision::fp16}) {
        const Outcome one = train({.precision = precision});
        const Outcome divided = train({.replicas = 2, .of_experts = 2, .precision = precision});
        ASSERT_EQ(one.losses.size(), divided.losses.size());
        for (std::size_t i = 0; i < one.losses.size(); ++i)
            EXPECT_NEAR(one.losses[i], divided.losses[i], 5e-3) << choice_name(precision) << ", step " << i + 1;
    }
}

TEST_F(DividedExperts, CheckpointsContinueOnOtherLayouts) {
    const Outcome expected = train({});
    const Layout layouts[] = {{},
                              {.replicas = 2, .of_experts = 2},
                              {.replicas = 2, .zero_stage = 3},
                              {.replicas = 4, .of_experts = 2, .micro_batches = 2},
                              {.replicas = 4, .of_experts = 4},
                              {.replicas = 2, .zero_stage = 2},
                              {.replicas = 4, .of_experts = 2},
                              {.stages = 2, .micro_batches = 2}};
    for (std::size_t i = 0; i < std::size(layouts); ++i) {
        const Layout& first = layouts[i];
        const std::filesystem::path place = folder_.path() / first.text();
        train(first, kSavedStep, {}, place);
        for (std::size_t j = 0; j < std::size(layouts); ++j) {
            const Layout& second = layouts[j];
            if (test::is_continued(i, j, std::size(layouts)) && (first.of_experts > 1 || second.of_experts > 1))
                expect_same(expected, train(second, kSteps, place), first.text() + ", then " + second.text());
        }
    }
}

/// Every tensor of the model once, under Hugging Face's names, whichever ranks write the files.
TEST_F(DividedExperts, CheckpointsHoldTheWholeModel) {
    const Layout layout{.replicas = 4, .of_experts = 2};
    train({}, kSavedStep, {}, folder_.path() / "one");
    train(layout, kSavedStep, {}, folder_.path() / "divided");
    train(layout, kSavedStep, {}, folder_.path() / "sent", false);
    const auto names_of = [&](const char* folder) {
        std::map<std::string, std::vector<std::string>> names;  // of a kind of file
        const auto files = checkpoint::read_manifest(folder_.path() / folder / "checkpoint_4").files;
        for (const auto& [file, record] : files)
            if (file.ends_with(".safetensors"))
                for (const auto& [tensor, hash] : record.tensors)  // boxes are numbered: name#0
                    names[file.substr(0, file.find_first_of("-."))].push_back(tensor.substr(0, tensor.find('#')));
        for (auto& [kind, all] : names)
            std::ranges::sort(all);
        return names;
    };
    const auto whole = names_of("one"), divided = names_of("divided");
    EXPECT_EQ(whole.at("model"), divided.at("model"));
    EXPECT_EQ(whole.at("average"), divided.at("average"));
    EXPECT_EQ(divided, names_of("sent"));
    const auto files = checkpoint::read_manifest(folder_.path() / "divided" / "checkpoint_4").files;
    EXPECT_TRUE(files.contains("model-00001-of-00002.safetensors"));
    EXPECT_TRUE(files.contains("model-00002-of-00002.safetensors"));
}

/// The message must name the key and the numbers, and the recipe must be refused before any rank starts.
TEST(DividedExpertsRefused, WhatDoesNotDivideOrDoesNotGoTogether) {
    using test::says;
    using ::testing::AllOf;
    using ::testing::HasSubstr;
    const auto said = [](const std::string& more, const std::string& model = "num_local_experts: 6", int ranks = 8) {
        const std::string type = model.starts_with("{") ? model : "{model_type: mixtral, " + model + "}";
        try {
            config::on_ranks(
                config::parse_recipe("model: " + type + "\ndata: {path: text.txt}\n" + more, "recipe.yaml"), ranks);
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(said("parallel: {ep_size: 2}\n"), "");
    EXPECT_THAT(
        said("parallel: {ep_size: 4}\n"),
        AllOf(HasSubstr("parallel.ep_size"), says("{}: {} experts do not divide among the ranks: take a divisor of {}",
                                                  testing::EndsWith("4"), 6, testing::_)));
    EXPECT_THAT(said("parallel: {ep_size: 3}\n"),
                AllOf(HasSubstr("parallel.ep_size"),
                      says("{} cannot be divided into groups of {} ranks that divide the experts: start a multiple of "
                           "{} ranks, or change ep_size",
                           testing::EndsWith("8 ranks"), 3, testing::_)));
    EXPECT_THAT(said("parallel: {ep_size: 2}\n", "{model_type: llama}"),
                AllOf(HasSubstr("parallel.ep_size"),
                      says("{}: ranks divide the experts of a model among themselves, and {} has none: set it to 1, or "
                           "take a model with experts, such as mixtral",
                           testing::EndsWith("2"), "llama")));
    EXPECT_THAT(said("parallel: {ep_size: 2}\ntraining: {local_sgd_steps: 2}\n"),
                AllOf(HasSubstr("training.local_sgd_steps"),
                      says("does not work with {} {}: {}", "parallel.ep_size", 2, testing::_)));
    EXPECT_EQ(said("parallel: {ep_size: 2}\ngeneration: {every: 2}\n"), "") << "ranks write samples together";
}

}  // namespace
}  // namespace trainyard::train::divided_experts
