// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines of a recipe beside one rank: losses, norms and every weight by its name after five steps, where it is no
// matter of the layout alone (tests/layouts): few micro-batches, overflow, frozen stages.

#include <cmath>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <random>

#include <ATen/ops/empty.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

constexpr std::int64_t kPipelineSteps = 5;

struct PipelineLayout {
    int stages = 1;
    int replicas = 1;
    std::int64_t micro_batches = 4;
    std::string schedule = "1F1B";
    std::string text() const {
        return schedule + ", " + std::to_string(stages) + " stages x " + std::to_string(replicas) + " replicas, " +
               std::to_string(micro_batches) + " micro-batches";
    }
};

struct PipelineCurve {
    std::vector<double> losses, norms, scales;
    double evaluation = 0;
    std::map<std::string, at::Tensor> weights;  ///< of all stages
};

class PipelineTraining : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    config::Recipe recipe_;

    void SetUp() override {
        std::mt19937 random(21);
        std::ofstream text(folder_.path() / "text.txt");
        const char* words[] = {"stage ", "forward ", "micro-batch ", "bubble ", "tied\n"};
        for (int i = 0; i < 4000; ++i)
            text << words[random() % 5];
        text.close();
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = recipe_.model.n_positions = 16;
        recipe_.model.n_embd = 32;
        recipe_.model.n_layer = 4;
        recipe_.model.n_head = 2;
        recipe_.model.resid_pdrop = recipe_.model.embd_pdrop = 0.1;
        recipe_.training.steps = kPipelineSteps;
        recipe_.training.evaluate_batches = 3;
        recipe_.optimizer.lr = 1e-3;
        recipe_.optimizer.eps = 1e-6;  // a gradient that is rounding noise makes no step of full size
    }

    /// Sixteen samples a step on every layout, cut into the same micro-batches for the same number of them and
    /// replicas.
    config::Recipe with(const PipelineLayout& layout) const {
        config::Recipe recipe = recipe_;
        recipe.training.gradient_accumulation_steps = layout.micro_batches;
        recipe.training.batch_size = 16 / layout.micro_batches / layout.replicas;
        recipe.parallel.pp_size = layout.stages;
        recipe.parallel.pipeline_schedule = layout.schedule;
        return recipe;
    }

    static PipelineCurve train(const config::Recipe& recipe, const PipelineLayout& layout, std::int64_t steps) {
        PipelineCurve curve;
        std::mutex mutex;
        int ranks = layout.stages * layout.replicas;
        auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::pipelines(layout.stages, ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            std::vector<double> losses, norms, scales;
            while (trainer.position().step < steps) {
                StepReport report = trainer.step();
                losses.push_back(report.loss);
                norms.push_back(report.gradient_norm);
                scales.push_back(report.loss_scale);
            }
            double evaluation = trainer.evaluate().value().loss;
            std::lock_guard lock(mutex);
            if (curve.losses.empty()) {
                curve.losses = losses;
                curve.norms = norms;
                curve.scales = scales;
                curve.evaluation = evaluation;
            }
            EXPECT_EQ(curve.losses, losses) << "all ranks report the same";
            EXPECT_EQ(curve.scales, scales);
            EXPECT_EQ(curve.evaluation, evaluation);
            for (const auto& [name, weight] : trainer.weights()) {
                auto [place, is_new] = curve.weights.emplace(name, weight.clone());
                EXPECT_TRUE(is_new || place->second.equal(weight))
                    << name << " is not the same on all ranks that hold it";
            }
        };
        if (ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(ranks, body);
        return curve;
    }

    static void expect_same(const PipelineCurve& expected, const PipelineCurve& got, double tolerance,
                            const std::string& what) {
        ASSERT_EQ(expected.losses.size(), got.losses.size()) << what;
        for (std::size_t i = 0; i < expected.losses.size(); ++i) {
            EXPECT_NEAR(expected.losses[i], got.losses[i], tolerance) << what << ", step " << i + 1;
            EXPECT_NEAR(expected.norms[i], got.norms[i], 10 * tolerance) << what << ", step " << i + 1;
        }
        EXPECT_NEAR(expected.evaluation, got.evaluation, tolerance) << what;
        ASSERT_EQ(expected.weights.size(), got.weights.size()) << what;
        for (const auto& [name, weight] : expected.weights) {
            auto found = got.weights.find(name);
            ASSERT_NE(found, got.weights.end()) << what << ": " << name;
            EXPECT_LT(weight.sub(found->second).abs().max().item<double>(), tolerance) << what << ": " << name;
        }
    }
};

TEST_F(PipelineTraining, AStageForEachBlockAndFewerMicroBatchesThanStages) {
    PipelineCurve expected = train(with({1, 1, 2}), {1, 1, 2}, kPipelineSteps);
    for (const char* schedule : {"GPipe", "1F1B", "ZBH1"}) {
        PipelineLayout layout{4, 1, 2, schedule};
        expect_same(expected, train(with(layout), layout, kPipelineSteps), 2e-6, layout.text());
    }
    std::unique_ptr<models::Model> model = models::make_model(recipe_.model);
    EXPECT_THROW(stages_of_rank(*model, 0, {0, 1, 2, 3, 4}, 16), UserError) << "more stages than blocks";
}

/// The tied table of GPT-2 is on the first stage and the last: one rank of a V, two of a loop.
TEST_F(PipelineTraining, SeveralStagesOnARankTrainAsOneRank) {
    recipe_.model.n_layer = 8;
    const PipelineCurve expected = train(with({1, 1}), {1, 1}, kPipelineSteps);
    for (const std::string& schedule : pipeline::schedule_names())
        for (const int ranks : {2, 4}) {
            const PipelineLayout layout{ranks, 1, 4, schedule};
            if (!pipeline::schedule_refusal(schedule, {ranks, 0, 4}))
                expect_same(expected, train(with(layout), layout, kPipelineSteps), 1e-5, layout.text());
        }
    config::Recipe recipe = with({2, 1, 4, "LoopedBFS"});
    recipe.parallel.pp_stages_per_rank = 4;
    expect_same(expected, train(recipe, {2, 1, 4, "LoopedBFS"}, kPipelineSteps), 1e-5, "four stages on each rank");
    const std::unique_ptr<models::Model> model = models::make_model(recipe_.model);
    EXPECT_TRUE(stages_of_rank(*model, 0, {0, 1, 1, 0}, 16).tied.empty());
    EXPECT_FALSE(stages_of_rank(*model, 0, {0, 1, 0, 1}, 16).tied.empty());
}

TEST_F(PipelineTraining, LlamaWithATiedTableTrainsAsOneRank) {
    recipe_.model = config::parse_recipe(
                        "model: {model_type: llama, vocab_size: 256, hidden_size: 32, "
                        "intermediate_size: 48, num_hidden_layers: 4, num_attention_heads: 4, "
                        "num_key_value_heads: 2, max_position_embeddings: 16, tie_word_embeddings: "
                        "true}\ndata: {format: bytes, path: x, sequence_length: 16}\n",
                        "x")
                        .model;
    const PipelineCurve expected = train(with({1, 1}), {1, 1}, kPipelineSteps);
    for (const PipelineLayout& layout : {PipelineLayout{2, 1, 4, "Interleaved1F1B"}, {2, 2, 2, "ZBVZeroBubble"}})
        expect_same(layout.micro_batches == 4 ? expected : train(with({1, 1, 2}), {1, 1, 2}, kPipelineSteps),
                    train(with(layout), layout, kPipelineSteps), 1e-5, layout.text());
}

TEST_F(PipelineTraining, AHeadOfItsOwnIsOnTheLastStageAlone) {
    recipe_.model.tie_word_embeddings = false;
    recipe_.model.activation_function = "silu";
    recipe_.model.scale_attn_by_inverse_layer_idx = true;
    PipelineCurve expected = train(with({1, 1}), {1, 1}, kPipelineSteps);
    EXPECT_TRUE(expected.weights.contains("lm_head.weight"));
    PipelineLayout layout{2, 1, 4, "1F1B"};
    expect_same(expected, train(with(layout), layout, kPipelineSteps), 2e-6, layout.text());
}

TEST_F(PipelineTraining, AnOverflowOfOneStageHalvesTheScaleOfAll) {
    recipe_.training.mixed_precision = Precision::fp16;
    recipe_.training.loss_scale = 1e8;
    PipelineCurve expected = train(with({1, 1}), {1, 1}, 12);
    EXPECT_LT(expected.scales.back(), expected.scales.front()) << "it must overflow at first";
    EXPECT_TRUE(std::isfinite(expected.norms.back()));
    PipelineLayout layout{2, 1, 4, "1F1B"};
    PipelineCurve got = train(with(layout), layout, 12);
    EXPECT_EQ(got.scales, expected.scales);
    EXPECT_NEAR(got.losses.back(), expected.losses.back(), 2e-3);
}

TEST_F(PipelineTraining, AveragesOfAllStagesAreThoseOfOneRank) {
    recipe_.training.swa_start = 2;
    recipe_.training.swa_lr = 5e-4;
    recipe_.training.swa_anneal_steps = 2;
    const auto averaged = [&](const PipelineLayout& layout, std::int64_t resumed_at) {
        config::Recipe recipe = with(layout);
        const std::filesystem::path place = folder_.path() / layout.text() / std::to_string(resumed_at);
        const int ranks = layout.stages * layout.replicas;
        std::mutex mutex;
        std::optional<double> loss;
        const auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::pipelines(layout.stages, ranks), std::move(world));
            std::int64_t first = 0;
            for (const std::int64_t last : {resumed_at, kPipelineSteps}) {
                config::Recipe part = recipe;
                if (first > 0)
                    part.checkpoint.resume_from = place.string();
                Trainer trainer(part, mesh, at::kCPU);
                trainer.start();
                EXPECT_EQ(trainer.position().step, first);
                while (trainer.position().step < last)
                    trainer.step();
                if (last == kPipelineSteps) {
                    const std::optional<double> mine = trainer.evaluate().value().average_loss;
                    std::lock_guard lock(mutex);
                    EXPECT_TRUE(!loss || loss == mine) << "all ranks report the same";
                    loss = mine;
                }
                trainer.save(place);
                first = last;
            }
        };
        if (ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(ranks, body);
        // Whole again, from what the stages wrote.
        std::map<std::string, at::Tensor> averages;
        checkpoint::Content stored;
        const std::unique_ptr<models::Model> model = models::make_model(recipe.model);
        for (const parallel::Unit* unit : model->units())
            for (const parallel::Parameter* parameter : unit->parameters()) {
                averages[parameter->name()] = at::empty(parameter->shape());
                stored.average.push_back(
                    checkpoint::LogicalTensor::of_whole(parameter->name(), averages[parameter->name()]));
            }
        EXPECT_TRUE(
            checkpoint::load(place / ("checkpoint_" + std::to_string(kPipelineSteps)), stored).without_average.empty());
        return std::pair(averages, loss.value());
    };
    const auto [expected, expected_loss] = averaged({1, 1}, 3);
    for (const PipelineLayout& layout : {PipelineLayout{2, 1}, PipelineLayout{2, 2, 4, "ZBH1"}}) {
        const auto [got, loss] = averaged(layout, 3);
        EXPECT_NEAR(loss, expected_loss, 2e-6) << layout.text();
        ASSERT_EQ(got.size(), expected.size());
        for (const auto& [name, average] : expected)
            EXPECT_LT(average.sub(got.at(name)).abs().max().item<double>(), 2e-6) << layout.text() << ": " << name;
    }
}

TEST_F(PipelineTraining, ARankWithOtherWeightsIsNamedOnAllStages) {
    const PipelineLayout layout{2, 2, 2, "Interleaved1F1B"};
    config::Recipe recipe = with(layout);
    recipe.health.divergence_every = 1;
    constexpr int kDiverged = 3;  // the second replica of the last rank of the pipeline
    test::run_ranks(4, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::pipelines(layout.stages, 4), std::move(world));
        Trainer trainer(recipe, mesh, at::kCPU);
        trainer.start();
        const StepReport same = trainer.step();
        EXPECT_EQ(same.diverged, std::optional(false));
        EXPECT_TRUE(same.notices.empty());
        if (mesh.rank() == kDiverged)
            trainer.weights().back().second.add_(0.25);
        const StepReport other = trainer.step();
        EXPECT_EQ(other.diverged, std::optional(mesh.rank() == kDiverged));
        ASSERT_EQ(other.notices.size(), 1u);
        EXPECT_NE(other.notices[0].text.text().find("the parameters of rank 3 differ"), std::string::npos)
            << other.notices[0].text.text();
    });
}

TEST_F(PipelineTraining, ThePipelineOfTheFirstRankIsAskedForItsParts) {
    const PipelineLayout layout{2, 2, 2, "Interleaved1F1B"};
    test::run_ranks(4, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::pipelines(layout.stages, 4), std::move(world));
        const Trainer trainer(with(layout), mesh, at::kCPU);
        EXPECT_TRUE(trainer.has_pipeline());
        std::vector<std::int64_t> asked;
        for (const Tree& part : trainer.from_first_pipeline(Tree(static_cast<std::int64_t>(mesh.rank())), "ranks"))
            asked.push_back(part.as_integer());
        EXPECT_EQ(asked, mesh.coordinate(parallel::Dimension::dp_replicate) == 0 ? (std::vector<std::int64_t>{0, 2})
                                                                                 : std::vector<std::int64_t>());
    });
}

TEST_F(PipelineTraining, AFrozenFirstStageTrainsTheOthers) {
    recipe_.model.freeze = {"transformer.wte.weight", "transformer.wpe.weight", "transformer.h.0.*",
                            "transformer.h.1.*"};
    PipelineCurve expected = train(with({1, 1}), {1, 1}, kPipelineSteps);
    PipelineLayout layout{2, 1, 4, "1F1B"};
    expect_same(expected, train(with(layout), layout, kPipelineSteps), 2e-6, layout.text());
}

}  // namespace
}  // namespace trainyard::train
