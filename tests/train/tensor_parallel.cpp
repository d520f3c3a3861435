// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of tensor parallelism (parallel.tp_size): losses, norms, evaluation and weights equal those of one rank, with
// dropout, gradient accumulation, replicas and ZeRO. Checkpoints have the same tensors as those of one rank, and can be
// resumed on other layouts.

#include <fstream>
#include <map>
#include <mutex>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "config/recipe/recipe.h"
#include "support/megatron_writer.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/same_curve.h"
#include "train/trainer.h"

namespace trainyard::train::tensor_parallel {
namespace {

constexpr std::int64_t kSteps = 6, kSavedStep = 4, kSamples = 8;

struct FamilyCase {
    const char* name;
    const char* model;  ///< flow YAML
};

const FamilyCase kFamilyCases[] = {
    // An odd vocabulary: ranks have one token more than others.
    {"gpt2",
     "{n_embd: 32, n_layer: 2, n_head: 4, n_positions: 32, vocab_size: 259, resid_pdrop: 0.1, embd_pdrop: 0.1, "
     "attn_pdrop: 0.1}"},
    {"llama",
     "{model_type: llama, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 8, "
     "num_key_value_heads: 4, attention_dropout: 0.1, tie_word_embeddings: false}"},
    // Each key/value head is replicated on two of 4 ranks.
    {"qwen2",
     "{model_type: qwen2, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 8, "
     "num_key_value_heads: 2, attention_dropout: 0.1}"},
    {"qwen3",
     "{model_type: qwen3, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 4, "
     "num_key_value_heads: 1, head_dim: 8, vocab_size: 257}"},
    {"phi3",
     "{model_type: phi3, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 8, "
     "num_key_value_heads: 4, resid_pdrop: 0.1}"},
    {"gemma2",
     "{model_type: gemma2, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 4, "
     "num_key_value_heads: 4, head_dim: 8, sliding_window: 5}"},
    {"gpt_neox",
     "{model_type: gpt_neox, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 4, "
     "hidden_dropout: 0.1}"},
    {"opt",
     "{model_type: opt, hidden_size: 32, ffn_dim: 48, num_hidden_layers: 2, num_attention_heads: 4, dropout: 0.1}"},
    {"bloom",
     "{model_type: bloom, hidden_size: 32, n_layer: 2, n_head: 4, hidden_dropout: 0.1, attention_dropout: 0.1}"},
    // All heads share one of keys and values: each rank has the whole projection.
    {"falcon",
     "{model_type: falcon, hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 4, hidden_dropout: 0.1}"},
    {"falcon_groups",
     "{model_type: falcon, hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 8, num_kv_heads: 4, "
     "new_decoder_architecture: yes, bias: yes}"},
    {"mpt", "{model_type: mpt, d_model: 32, n_layers: 2, n_heads: 4, attn_config: {attn_pdrop: 0.1, clip_qkv: 0.5}}"},
};

struct Layout {
    int replicas = 1, tp = 1, shards = 1, cp = 1, sp = 1, stages = 1;
    std::int64_t micro_batches = 1, zero_stage = 0;
    config::Recomputation recomputes = config::Recomputation::no;
    bool divides_positions = false;

    int ranks() const { return replicas * shards * tp * cp * sp * stages; }
    std::string text() const {
        return "dp " + std::to_string(replicas) + ", shards " + std::to_string(shards) + ", tp " + std::to_string(tp) +
               ", cp " + std::to_string(cp) + ", sp " + std::to_string(sp) + ", pp " + std::to_string(stages) +
               ", micro-batches " + std::to_string(micro_batches) + ", zero " + std::to_string(zero_stage) +
               (recomputes == config::Recomputation::no ? "" : fmt::format(", recomputed ({})", recomputes)) +
               (divides_positions ? ", positions divided" : "");
    }
};

struct Outcome {
    std::vector<double> losses, norms;
    double evaluation = 0;
    std::map<std::string, at::Tensor> weights, gradients;
};

class SharedLayers : public ::testing::TestWithParam<FamilyCase> {
  protected:
    test::TemporaryFolder folder_;
    std::string weights_;  ///< to start from

    void SetUp() override {
        std::mt19937 random(23);
        std::ofstream text(folder_.path() / "text.txt");
        const char* words[] = {"ring ", "chunk ", "merge ", "heads ", "cut\n"};
        for (int i = 0; i < 3000; ++i)
            text << words[random() % 5];
    }

    std::string data_ = "path: text.txt";

    config::Recipe recipe(const Layout& layout, const std::string& more) const {
        config::Recipe made = config::parse_recipe(std::string("model: ") + GetParam().model + "\ndata: {" + data_ +
                                                       ", sequence_length: 16}\n"
                                                       "optimizer: {lr: 1.0e-3, eps: 1.0e-6}\n" +
                                                       more,
                                                   folder_.path() / "recipe.yaml");
        made.model.weights = weights_;
        made.training.steps = kSteps;
        made.training.evaluate_batches = 0;  // all held-out samples
        made.training.gradient_accumulation_steps = layout.micro_batches;
        made.training.batch_size = kSamples / layout.micro_batches / layout.replicas / layout.shards;
        made.training.activation_checkpointing = layout.recomputes;
        made.parallel.tp_size = layout.tp;
        made.parallel.tp_sequence_parallel = layout.divides_positions;
        made.parallel.cp_size = layout.cp;
        made.parallel.sp_size = layout.sp;
        made.parallel.pp_size = layout.stages;
        made.parallel.zero_stage = layout.zero_stage;
        made.parallel.bucket_cap_mb = 0.01;
        if (layout.shards > 1 && layout.replicas > 1) {
            made.parallel.dp_shard_size = layout.shards;
            made.parallel.dp_replicate_size = layout.replicas;
        }
        for (const Problem& problem : config::check_recipe(made))
            ADD_FAILURE() << problem.key << ": " << problem.message.text();
        EXPECT_EQ(config::on_ranks(made, layout.ranks()).data_ranks(layout.ranks()), layout.replicas * layout.shards);
        return made;
    }

    Outcome train(const Layout& layout, const std::string& more = {}, std::int64_t steps = kSteps,
                  const std::filesystem::path& resume_from = {}, const std::filesystem::path& save_to = {}) const {
        config::Recipe made = recipe(layout, more);
        made.checkpoint.resume_from = resume_from.string();
        Outcome outcome;
        std::mutex mutex;
        const auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh({layout.stages, layout.replicas, layout.shards, layout.cp, layout.sp, layout.tp},
                                std::move(world));
            Trainer trainer(made, mesh, at::kCPU);
            trainer.start();
            Outcome mine;
            while (trainer.position().step < steps) {
                const StepReport report = trainer.step();
                mine.losses.push_back(report.loss);
                mine.norms.push_back(report.gradient_norm);
                EXPECT_EQ(report.targets, kSamples * 15) << "every label but a sample's first is counted once";
                EXPECT_EQ(std::isnan(report.own_loss), !trainer.computes_loss());
            }
            mine.evaluation = trainer.evaluate().value().loss;
            if (!save_to.empty())
                trainer.save(save_to);
            const NamedTensors gradients = trainer.gradients(), weights = trainer.weights();
            const std::lock_guard lock(mutex);
            // Collects the gradients and weights of all pipeline stages.
            if (mesh.data().rank() == 0 && mesh.coordinate(parallel::Dimension::tp) == 0) {
                for (const auto& [name, gradient] : gradients)
                    outcome.gradients.emplace(name, gradient.clone());
                for (const auto& [name, weight] : weights)
                    outcome.weights.emplace(name, weight.clone());
            }
            if (mesh.rank() > 0)
                return;
            outcome.losses = mine.losses;
            outcome.norms = mine.norms;
            outcome.evaluation = mine.evaluation;
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
        EXPECT_EQ(got.weights.size(), expected.weights.size()) << what;
        for (const auto& [name, weight] : got.weights)
            EXPECT_LT(weight.sub(expected.weights.at(name)).abs().max().item<double>(), 5e-5) << what << ": " << name;
        EXPECT_EQ(got.gradients.size(), expected.gradients.size()) << what;
        for (const auto& [name, gradient] : got.gradients)
            EXPECT_LT(gradient.sub(expected.gradients.at(name)).abs().max().item<double>(), 1e-4)
                << what << ": gradient of " << name;
    }
};

/// Each rank has the slopes of its own heads (BLOOM, MPT) and the one head of keys that all heads share (Falcon).
/// Others took those of the first heads on each rank (bigscience's Megatron-DeepSpeed issue 227), or divided the one
/// head (lmdeploy pull request 582).
TEST_P(SharedLayers, TheCurveOfOneRank) {
    const Outcome expected = train({});
    EXPECT_LT(expected.losses.back(), expected.losses.front());
    const Layout layouts[] = {
        {.tp = 2},
        {.tp = 2, .micro_batches = 2},
        {.tp = 4, .recomputes = config::Recomputation::full},
        {.tp = 2, .recomputes = config::Recomputation::selective},
        {.replicas = 2, .tp = 2},
        {.replicas = 2, .tp = 2, .micro_batches = 2},
        {.tp = 2, .shards = 2, .zero_stage = 1},
        {.tp = 2, .shards = 2, .micro_batches = 2, .zero_stage = 2},
        {.tp = 2, .shards = 2, .zero_stage = 3},
        {.tp = 2, .cp = 2},
        {.tp = 2, .sp = 2},
        {.tp = 2, .stages = 2, .micro_batches = 2},
    };
    for (const Layout& layout : layouts)
        expect_same(expected, train(layout), layout.text());
}

/// Norms see a part of the positions, those of queries and keys a part of the heads. Other programs count such weights
/// once a rank in the norm of the gradients (NeMo RL pull request 3788, TransformerEngine pull request 715), or have
/// other ones on each rank after a while (Megatron-LM issue 599).
TEST_P(SharedLayers, TheCurveOfOneRankWithDividedPositions) {
    const Outcome expected = train({});
    const Layout layouts[] = {
        {.tp = 2, .divides_positions = true},
        {.tp = 4, .micro_batches = 2, .recomputes = config::Recomputation::full, .divides_positions = true},
        {.tp = 2,
         .shards = 2,
         .zero_stage = 3,
         .recomputes = config::Recomputation::selective,
         .divides_positions = true},
        {.tp = 2, .cp = 2, .divides_positions = true}};
    for (const Layout& layout : layouts)
        expect_same(expected, train(layout), layout.text());
}

INSTANTIATE_TEST_SUITE_P(Families, SharedLayers, ::testing::ValuesIn(kFamilyCases),
                         [](const auto& one) { return std::string(one.param.name); });

/// An indexed data set of Megatron-LM: the ranks of a tensor-parallel group train on the samples of one rank, those of
/// other groups on others.
class IndexedSets : public SharedLayers {};

TEST_P(IndexedSets, AreReadOnceForATensorParallelGroup) {
    const std::string text = read_file(folder_.path() / "text.txt");
    test::MegatronWriter set(folder_.path() / "set", formats::ElementType::u16);
    for (std::size_t begin = 0; begin < text.size(); begin += 500) {
        std::vector<std::int64_t> tokens;
        for (const char letter : text.substr(begin, 500))
            tokens.push_back(static_cast<unsigned char>(letter));
        set.add_sequence(tokens);
    }
    set.end_document();
    set.finish();
    data_ = "path: set, format: megatron";
    const Outcome expected = train({});
    EXPECT_LT(expected.losses.back(), expected.losses.front());
    for (const Layout& layout : {Layout{.tp = 2}, Layout{.replicas = 2, .tp = 2}})
        expect_same(expected, train(layout), layout.text());
}

INSTANTIATE_TEST_SUITE_P(Families, IndexedSets, ::testing::Values(kFamilyCases[0]),
                         [](const auto& one) { return std::string(one.param.name); });

class CheckpointsOfSharedLayers : public SharedLayers {};

TEST_P(CheckpointsOfSharedLayers, HaveTheSameTensorsAndContinueOnOtherLayouts) {
    const std::string more = "training: {ema_decay: 0.9}\n";
    const Outcome expected = train({}, more);
    const std::filesystem::path plain = folder_.path() / "plain";
    train({}, more, kSavedStep, {}, plain);
    const NamedTensors saved = checkpoint::read_weights(plain / "checkpoint_4");
    const std::vector<Layout> layouts{{},
                                      {.tp = 2},
                                      {.tp = 4},
                                      {.replicas = 2, .tp = 2},
                                      {.tp = 2, .shards = 2, .zero_stage = 2},
                                      {.tp = 2, .shards = 2, .zero_stage = 3}};
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        const Layout& first = layouts[i];
        const std::filesystem::path place = folder_.path() / first.text();
        train(first, more, kSavedStep, {}, place);
        std::map<std::string, at::Tensor> whole;
        for (const auto& [name, tensor] : checkpoint::read_weights(place / "checkpoint_4"))
            EXPECT_TRUE(whole.emplace(name, tensor).second) << name << " is there twice";
        EXPECT_EQ(whole.size(), saved.size()) << first.text();
        for (const auto& [name, tensor] : saved) {
            ASSERT_TRUE(whole.contains(name)) << first.text() << ": " << name;
            ASSERT_EQ(whole.at(name).sizes(), tensor.sizes()) << first.text() << ": " << name;
            EXPECT_LT(whole.at(name).sub(tensor).abs().max().item<double>(), 5e-5) << first.text() << ": " << name;
        }
        for (std::size_t j = 0; j < layouts.size(); ++j)
            if (test::is_continued(i, j, layouts.size()))
                expect_same(expected, train(layouts[j], more, kSteps, place),
                            first.text() + ", then " + layouts[j].text());
    }
}

/// Partial sums of outputs are rounded to 16 bits before they are added.
TEST_P(CheckpointsOfSharedLayers, NearlyTheCurveOfOneRankInHalfPrecision) {
    for (const char* precision : {"bf16", "fp16"}) {
        const std::string more = std::string("training: {mixed_precision: ") + precision + ", loss_scale: 1024}\n";
        const Outcome expected = train({}, more), got = train({.replicas = 2, .tp = 2}, more);
        EXPECT_THAT(got.losses, ::testing::Pointwise(::testing::DoubleNear(5e-3), expected.losses)) << precision;
        EXPECT_NEAR(got.evaluation, expected.evaluation, 5e-3) << precision;
    }
}

TEST_P(CheckpointsOfSharedLayers, WeightsAloneStartAnyLayout) {
    const std::filesystem::path place = folder_.path() / "weights";
    train({.tp = 2}, {}, kSavedStep, {}, place);
    weights_ = (place / "checkpoint_4").string();
    const Outcome expected = train({});
    for (const int tp : {2, 4})
        expect_same(expected, train({.tp = tp}), "weights on " + std::to_string(tp) + " ranks");
}

INSTANTIATE_TEST_SUITE_P(Families, CheckpointsOfSharedLayers,
                         ::testing::Values(kFamilyCases[0], kFamilyCases[1], kFamilyCases[2]),
                         [](const auto& one) { return std::string(one.param.name); });

/// Refused before any rank starts, with the key and the numbers.
TEST(SharedLayersRefused, WhatDoesNotDivideOrGoTogether) {
    const auto said = [](const std::string& model, const std::string& more = {}, int tp = 4, int ranks = 4) {
        try {
            config::on_ranks(
                config::parse_recipe("model: {" + model + "}\ndata: {path: text.txt}\nparallel: {tp_size: " +
                                         std::to_string(tp) + "}\n" + more,
                                     "recipe.yaml"),
                ranks);
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    using ::testing::_;
    using ::testing::AllOf;
    using ::testing::EndsWith;
    using ::testing::HasSubstr;
    EXPECT_EQ(said("n_head: 4"), "");
    EXPECT_EQ(said("n_head: 4, vocab_size: 257"), "") << "ranks may have one token more";
    const auto does_not_divide = [](const std::string& key, int size, int ranks) {
        return test::says("{}: {} ({}) does not divide among the ranks: take a divisor of {}",
                          EndsWith("parallel.tp_size: " + std::to_string(ranks)), key, size, size);
    };
    EXPECT_THAT(said("n_head: 2, n_embd: 32"), does_not_divide("model.n_head", 2, 4));
    EXPECT_THAT(said("n_head: 4, n_inner: 30"), does_not_divide("model.n_inner", 30, 4));
    const std::string llama = "model_type: llama, hidden_size: 48, num_attention_heads: 12, ";
    EXPECT_THAT(
        said(llama + "num_key_value_heads: 6"),
        test::says("{}: {} ({}) neither divides among the ranks nor can be repeated evenly: take a divisor or a "
                   "multiple of {}",
                   EndsWith("parallel.tp_size: 4"), "model.num_key_value_heads", 6, 6));
    EXPECT_EQ(said(llama + "num_key_value_heads: 2"), "") << "two ranks have each head";
    EXPECT_THAT(said("model_type: phi3, hidden_size: 48, num_attention_heads: 12, num_key_value_heads: 2"),
                does_not_divide("model.num_key_value_heads", 2, 4));
    EXPECT_THAT(said(llama + "num_key_value_heads: 4, intermediate_size: 50"),
                does_not_divide("model.intermediate_size", 50, 4));
    EXPECT_THAT(said("n_head: 4, vocab_size: 3"),
                test::says("{}: {} ({}) is less than one for each rank: take at most {}",
                           EndsWith("parallel.tp_size: 4"), "model.vocab_size", 3, 3));
    const auto no_plan = [](const std::string& type, const std::string& task) {
        return test::says(
            "{}: ranks share the layers of GPT-2 and of decoders that are trained as causal_lm, and this is {}, "
            "trained "
            "as {}: set it to 1",
            EndsWith("parallel.tp_size: 4"), type, task);
    };
    EXPECT_THAT(said("model_type: bert, task: masked_lm"), no_plan("bert", "masked_lm"));
    EXPECT_EQ(said("model_type: mixtral, num_attention_heads: 4, num_key_value_heads: 4"), "");
    EXPECT_THAT(said("n_head: 4", {}, 4, 6),
                test::says("{} cannot be divided into groups of {} ranks that share each layer: start a multiple of {} "
                           "ranks, or change tp_size",
                           EndsWith("6 ranks"), 4, 4));
    const auto conflicts = [](const std::string& key, const std::string& instead) {
        return test::says("does not work with {} {}: {}", "parallel.tp_size", 4, instead).after(key + ": ");
    };
    const std::pair<const char*, std::pair<const char*, const char*>> all[] = {
        {"parallel.comm_hook=batched_power_sgd", {"parallel.comm_hook", "use power_sgd, fp16 or bf16"}},
        {"training.local_sgd_steps=4", {"training.local_sgd_steps", "set it to 0"}},
        {"optimizer.name=adafactor",
         {"optimizer.name", "use one that updates each element independently, such as adamw"}},
    };
    for (const auto& [setting, refusal] : all) {
        config::Recipe recipe = config::parse_recipe(
            "model: {n_head: 4}\ndata: {path: text.txt, sequence_length: 16}\nparallel: {tp_size: 4}\n", "recipe.yaml");
        std::string found;
        try {
            config::apply_overrides(recipe, {setting});
            for (const Problem& problem : config::check_recipe(recipe))
                found += problem.key + ": " + problem.message.text() + "\n";
        } catch (const InvalidInput& error) {
            found = error.what();
        }
        EXPECT_THAT(found, conflicts(refusal.first, refusal.second)) << setting;
    }
}

}  // namespace
}  // namespace trainyard::train::tensor_parallel
