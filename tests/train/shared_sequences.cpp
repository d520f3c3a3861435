// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that share sequences (parallel.cp_size, sp_size) train as one rank does: losses, norms, evaluation and
// weights, with dropout, accumulation, replicas, ZeRO, pipelines and activation checkpointing; checkpoints continue on
// other layouts.

#include <fstream>
#include <map>
#include <mutex>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/recipe/recipe.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/same_curve.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

constexpr std::int64_t kSteps = 4, kSavedStep = 2, kSamples = 8;

struct FamilyCase {
    const char* name;
    const char* model;  ///< flow YAML
};

const FamilyCase kFamilyCases[] = {
    {"gpt2",
     "{n_embd: 32, n_layer: 2, n_head: 4, n_positions: 32, resid_pdrop: 0.1, embd_pdrop: 0.1, attn_pdrop: 0.1}"},
    {"llama",
     "{model_type: llama, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 4, "
     "num_key_value_heads: 2, attention_dropout: 0.1}"},
    {"llama_without_dropout",
     "{model_type: llama, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 4, "
     "num_key_value_heads: 1}"},
    {"gemma2",
     "{model_type: gemma2, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 4, "
     "num_key_value_heads: 2, head_dim: 8, sliding_window: 5}"},
    {"mixtral",
     "{model_type: mixtral, hidden_size: 32, intermediate_size: 24, num_hidden_layers: 2, num_attention_heads: 4, "
     "num_local_experts: 3, output_router_logits: yes}"},
    {"gpt_neox",
     "{model_type: gpt_neox, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 4, "
     "hidden_dropout: 0.1}"},
    {"opt",
     "{model_type: opt, hidden_size: 32, ffn_dim: 48, num_hidden_layers: 2, num_attention_heads: 4, dropout: 0.1}"},
    {"bloom", "{model_type: bloom, hidden_size: 32, n_layer: 2, n_head: 4}"},
    {"falcon_alibi",
     "{model_type: falcon, hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 4, alibi: yes, "
     "attention_dropout: 0.1}"},
};

struct Layout {
    int replicas = 1, cp = 1, sp = 1, stages = 1;
    bool rotates = false;
    std::int64_t micro_batches = 1, zero_stage = 0;
    config::Recomputation recomputes = config::Recomputation::no;

    int ranks() const { return replicas * cp * sp * stages; }
    std::string text() const {
        return "dp " + std::to_string(replicas) + ", cp " + std::to_string(cp) + (rotates ? " in a ring" : "") +
               ", sp " + std::to_string(sp) + ", pp " + std::to_string(stages) + ", micro-batches " +
               std::to_string(micro_batches) + ", zero " + std::to_string(zero_stage) +
               (recomputes == config::Recomputation::no ? "" : fmt::format(", recomputed ({})", recomputes));
    }
};

struct Outcome {
    std::vector<double> losses, norms;
    double evaluation = 0;
    std::map<std::string, at::Tensor> weights;  ///< as far as ranks have them whole
};

class SharedSequences : public ::testing::TestWithParam<FamilyCase> {
  protected:
    test::TemporaryFolder folder_;

    void SetUp() override {
        std::mt19937 random(23);
        std::ofstream text(folder_.path() / "text.txt");
        const char* words[] = {"ring ", "chunk ", "merge ", "heads ", "cut\n"};
        for (int i = 0; i < 3000; ++i)
            text << words[random() % 5];
    }

    config::Recipe recipe(const Layout& layout, const std::string& more = {}) const {
        config::Recipe made = config::parse_recipe(std::string("model: ") + GetParam().model +
                                                       "\ndata: {path: text.txt, sequence_length: 16}\n"
                                                       "optimizer: {lr: 1.0e-3, eps: 1.0e-6}\n" +
                                                       more,
                                                   folder_.path() / "recipe.yaml");
        made.training.steps = kSteps;
        made.training.evaluate_batches = 0;  // all held-out samples
        made.training.gradient_accumulation_steps = layout.micro_batches;
        made.training.batch_size = kSamples / layout.micro_batches / layout.replicas;
        made.training.activation_checkpointing = layout.recomputes;
        made.parallel.pp_size = layout.stages;
        made.parallel.cp_size = layout.cp;
        made.parallel.sp_size = layout.sp;
        made.parallel.zero_stage = layout.zero_stage;
        made.parallel.bucket_cap_mb = 0.01;
        if (layout.rotates)
            made.parallel.cp_rotate_method = config::RotateMethod::alltoall;
        for (const Problem& problem : config::check_recipe(made))
            ADD_FAILURE() << problem.key << ": " << problem.message.text();
        EXPECT_EQ(config::on_ranks(made, layout.ranks()).data_ranks(layout.ranks()), layout.replicas);
        return made;
    }

    Outcome train(const Layout& layout, const std::string& more = {}, std::int64_t steps = kSteps,
                  const std::filesystem::path& resume_from = {}, const std::filesystem::path& save_to = {}) const {
        config::Recipe made = recipe(layout, more);
        made.checkpoint.resume_from = resume_from.string();
        Outcome outcome;
        std::mutex mutex;
        const auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh({layout.stages, layout.replicas, 1, layout.cp, layout.sp, 1}, std::move(world));
            Trainer trainer(made, mesh, at::kCPU);
            trainer.start();
            Outcome mine;
            while (trainer.position().step < steps) {
                const StepReport report = trainer.step();
                mine.losses.push_back(report.loss);
                mine.norms.push_back(report.gradient_norm);
                EXPECT_EQ(report.targets, kSamples * 15) << "every label but a sample's first is counted once";
            }
            mine.evaluation = trainer.evaluate().value().loss;
            if (!save_to.empty())
                trainer.save(save_to);
            const std::lock_guard lock(mutex);
            if (layout.zero_stage < 3)
                for (const auto& [name, weight] : trainer.weights())
                    outcome.weights.emplace(name, weight.clone());
            if (mesh.rank() == 0) {
                outcome.losses = mine.losses;
                outcome.norms = mine.norms;
                outcome.evaluation = mine.evaluation;
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
        for (const auto& [name, weight] : got.weights)
            EXPECT_LT(weight.sub(expected.weights.at(name)).abs().max().item<double>(), 2e-5) << what << ": " << name;
    }
};

TEST_P(SharedSequences, TheCurveOfOneRank) {
    const Outcome expected = train({});
    EXPECT_LT(expected.losses.back(), expected.losses.front());
    const Layout layouts[] = {
        {.cp = 2},
        {.cp = 2, .rotates = true},
        {.cp = 2, .rotates = true, .micro_batches = 2},
        {.cp = 4},
        {.cp = 4, .rotates = true, .recomputes = config::Recomputation::full},
        {.sp = 2},
        {.cp = 2, .rotates = true, .recomputes = config::Recomputation::selective},
        {.sp = 4, .micro_batches = 2, .recomputes = config::Recomputation::selective},
        {.replicas = 2, .cp = 2, .rotates = true},
        {.replicas = 2, .sp = 2, .micro_batches = 2},
        {.replicas = 2, .cp = 2, .rotates = true, .zero_stage = 1},
        {.replicas = 2, .cp = 2, .micro_batches = 2, .zero_stage = 2},
        {.cp = 4, .rotates = true, .zero_stage = 2},
        {.cp = 2, .rotates = true, .zero_stage = 3},
        {.cp = 2, .stages = 2, .rotates = true, .micro_batches = 2},
    };
    for (const Layout& layout : layouts)
        expect_same(expected, train(layout), layout.text());
}

INSTANTIATE_TEST_SUITE_P(Families, SharedSequences, ::testing::ValuesIn(kFamilyCases),
                         [](const auto& one) { return std::string(one.param.name); });

class SharedCheckpoints : public SharedSequences {};

TEST_P(SharedCheckpoints, ContinueOnOtherLayouts) {
    const Outcome expected = train({});
    const Layout layouts[] = {{},
                              {.cp = 2, .rotates = true},
                              {.sp = 2},
                              {.replicas = 2, .cp = 2, .zero_stage = 1},
                              {.cp = 4, .rotates = true, .zero_stage = 2}};
    for (std::size_t i = 0; i < std::size(layouts); ++i) {
        const std::string first = layouts[i].text();
        const std::filesystem::path place = folder_.path() / first;
        train(layouts[i], {}, kSavedStep, {}, place);
        for (std::size_t j = 0; j < std::size(layouts); ++j)
            if (test::is_continued(i, j, std::size(layouts)))
                expect_same(expected, train(layouts[j], {}, kSteps, place), first + ", then " + layouts[j].text());
    }
}

TEST_P(SharedCheckpoints, DocumentsOfUnevenLength) {
    // A sample a line, of which only what is there is counted, also where a cut goes through the end.
    Layout one, ring{.cp = 2, .rotates = true}, heads{.sp = 4};
    const auto run = [&](const Layout& layout) {
        config::Recipe made = recipe(layout);
        made.data.format = config::DataFormat::text;
        made.data.pack = false;
        std::vector<double> losses;
        const auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh({1, 1, 1, layout.cp, layout.sp, 1}, std::move(world));
            Trainer trainer(made, mesh, at::kCPU);
            trainer.start();
            std::vector<double> mine;
            while (trainer.position().step < kSteps) {
                const StepReport report = trainer.step();
                mine.push_back(report.loss);
                mine.push_back(static_cast<double>(report.targets));
            }
            if (mesh.rank() == 0)
                losses = mine;
        };
        if (layout.ranks() == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(layout.ranks(), body);
        return losses;
    };
    const std::vector<double> expected = run(one);
    EXPECT_LT(expected[1], kSamples * 15) << "some labels are not counted";
    for (const Layout& layout : {ring, heads})
        EXPECT_THAT(run(layout), ::testing::Pointwise(::testing::DoubleNear(1e-5), expected)) << layout.text();
}

INSTANTIATE_TEST_SUITE_P(Families, SharedCheckpoints, ::testing::Values(kFamilyCases[0], kFamilyCases[1]),
                         [](const auto& one) { return std::string(one.param.name); });

/// Refused before any rank starts, with the key and the numbers.
TEST(SharedSequencesRefused, WhatDoesNotDivideOrHasNoCausalAttention) {
    const auto said = [](const std::string& recipe) {
        try {
            config::on_ranks(config::parse_recipe(recipe, "recipe.yaml"), 4);
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string data = "\ndata: {path: text.txt, sequence_length: 16}\n";
    using ::testing::AllOf;
    using ::testing::HasSubstr;
    EXPECT_EQ(said("model: {n_head: 4}" + data + "parallel: {cp_size: 2}\n"), "");
    EXPECT_THAT(said("model: {n_head: 4}\ndata: {path: text.txt, sequence_length: 18}\nparallel: {cp_size: 2}\n"),
                AllOf(HasSubstr("parallel.cp_size"), HasSubstr("18"), HasSubstr("multiple of 4")));
    EXPECT_THAT(said("model: {n_head: 4}\ndata: {path: text.txt, sequence_length: 18}\nparallel: {sp_size: 4}\n"),
                AllOf(HasSubstr("parallel.sp_size"), HasSubstr("18"), HasSubstr("multiple of 4")));
    EXPECT_THAT(
        said("model: {n_head: 2, n_embd: 32}" + data + "parallel: {sp_size: 4}\n"),
        AllOf(HasSubstr("parallel.sp_size"), test::says("{}: the attention heads ({}) do not divide among the ranks: "
                                                        "take a divisor of {}, or share the sequences by "
                                                        "parallel.cp_size",
                                                        testing::_, 2, testing::_)));
    EXPECT_THAT(
        said("model: {model_type: llama, num_attention_heads: 12, num_key_value_heads: 6, hidden_size: 48}" + data +
             "parallel: {sp_size: 4}\n"),
        AllOf(HasSubstr("parallel.sp_size"),
              test::says("{}: {} heads of keys and values neither divide among the ranks nor can be repeated evenly: "
                         "take a divisor or a multiple of {}, or share the sequences by parallel.cp_size",
                         testing::_, testing::EndsWith("6"), testing::_)));
    EXPECT_THAT(said("model: {model_type: bert, task: masked_lm}" + data + "parallel: {cp_size: 2}\n"),
                AllOf(HasSubstr("parallel.cp_size"), HasSubstr("causal attention"), HasSubstr("bert")));
    EXPECT_EQ(said("model: {n_head: 4}" + data + "parallel: {cp_size: 2, sp_size: 2}\n"), "");
    EXPECT_THAT(said("model: {n_head: 4}\ndata: {path: text.txt, sequence_length: 18}\n"
                     "parallel: {cp_size: 2, sp_size: 2}\n"),
                AllOf(HasSubstr("parallel.cp_size"), HasSubstr("18"), HasSubstr("multiple of 4")));
    EXPECT_THAT(said("model: {n_head: 4}" + data + "parallel: {cp_size: 2}\ntraining: {local_sgd_steps: 2}\n"),
                HasSubstr("training.local_sgd_steps"));
    EXPECT_THAT(said("model: {n_head: 4}\ndata: {path: text.txt, sequence_length: 24}\nparallel: {cp_size: 3}\n"),
                AllOf(HasSubstr("parallel.cp_size"), HasSubstr("4 ranks"), HasSubstr("3 ranks each")));
    EXPECT_THAT(said("model: {n_head: 4}" + data + "parallel: {cp_size: 2, dp_replicate_size: 4}\n"),
                AllOf(HasSubstr("parallel.dp_replicate_size"), HasSubstr("needs 8 ranks")));
}

}  // namespace
}  // namespace trainyard::train
