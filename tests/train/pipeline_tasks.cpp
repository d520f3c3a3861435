// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of pipeline stages with models whose blocks pass several tensors, or tensors of different shapes: T5 with its
// two stacks, SegFormer with its stages, and ResNet; running statistics must equal those of one rank with the same
// micro-batches.

#include <map>
#include <mutex>

#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <gtest/gtest.h>

#include "config/recipe/recipe.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

struct TaskLayout {
    int ranks = 1, stages = 1;
    const char* schedule = "1F1B";
    config::Recomputation recomputes = config::Recomputation::no;
};

struct PipelinedTask {
    const char* name;
    const char* sample;
    const char* model;  ///< replaces the model of the sample; flow-style YAML
    Precision precision = Precision::no;
    const char* batches = "";  ///< buffer that counts the batches of running statistics; empty: there are none
};

constexpr std::int64_t kTaskSteps = 3;
constexpr const char* kT5 =
    "{model_type: t5, vocab_size: 256, d_model: 16, d_kv: 8, d_ff: 24, num_layers: 2, num_decoder_layers: 3, "
    "num_heads: 2, dropout_rate: 0.1}";
constexpr const char* kResNet =
    "{model_type: resnet, num_channels: 1, embedding_size: 8, hidden_sizes: [8, 16], depths: [2, 2], layer_type: "
    "basic, num_labels: 10}";

constexpr const char* kSegformer =
    "{model_type: segformer, depths: [2, 2], hidden_sizes: [8, 16], sr_ratios: [2, 1], patch_sizes: [7, 3], strides: "
    "[4, 2], stage_heads: [1, 2], mlp_ratios: [2, 2], decoder_hidden_size: 8, num_labels: 3, drop_path_rate: 0.2, "
    "hidden_dropout_prob: 0.1, attention_probs_dropout_prob: 0.1, classifier_dropout_prob: 0.1}";

config::Recipe parse_model(const std::string& model, int stages = 1) {
    const std::string format = model == kT5 ? "jsonl" : model == kResNet ? "numpy" : "images, mask_path: m";
    return config::parse_recipe("model: " + model + "\ndata: {format: " + format +
                                    ", path: x}\nparallel: {pp_size: " + std::to_string(stages) + "}\n",
                                "x");
}

struct TaskOutcome {
    std::vector<double> losses;
    double evaluation = 0;
    std::map<std::string, at::Tensor> weights;  ///< with running statistics
};

class TasksInPipelines : public ::testing::TestWithParam<PipelinedTask> {
  protected:
    static config::Recipe recipe(const TaskLayout& layout) {
        const auto samples = std::filesystem::path(TRAINYARD_TESTS_DIR).parent_path() / "resources" / "samples";
        config::Recipe recipe = config::load_recipe(samples / (std::string("sample-") + GetParam().sample + ".yaml"));
        recipe.model = parse_model(GetParam().model).model;
        recipe.optimizer.lr = 1e-3;
        recipe.optimizer.eps = 1e-6;
        recipe.schedule = {};
        recipe.training.steps = kTaskSteps;
        recipe.training.evaluate_batches = 3;
        recipe.training.gradient_accumulation_steps = 4;
        recipe.training.batch_size = 4 / (layout.ranks / layout.stages);
        recipe.training.activation_checkpointing = layout.recomputes;
        recipe.training.mixed_precision = GetParam().precision;
        recipe.parallel.pp_size = layout.stages;
        if (layout.stages > 1)
            recipe.parallel.pipeline_schedule = layout.schedule;
        for (const Problem& problem : config::check_recipe(recipe))
            ADD_FAILURE() << problem.key << ": " << problem.message;
        return recipe;
    }

    /// Until `steps`, then saved where a folder is given.
    static TaskOutcome train(const TaskLayout& layout, std::int64_t steps = kTaskSteps,
                             const std::filesystem::path& save_to = {}, const std::string& resume_from = {}) {
        config::Recipe recipe = TasksInPipelines::recipe(layout);
        recipe.checkpoint.resume_from = resume_from;
        TaskOutcome made;
        std::mutex mutex;
        const auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::pipelines(layout.stages, layout.ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            std::vector<double> losses;
            while (trainer.position().step < steps)
                losses.push_back(trainer.step().loss);
            const double evaluation = trainer.evaluate().value().loss;
            if (!save_to.empty())
                trainer.save(save_to);
            std::lock_guard lock(mutex);
            made.losses = losses;
            made.evaluation = evaluation;
            for (const checkpoint::LogicalTensor& part : trainer.content().weights) {
                EXPECT_EQ(part.local.numel(), at::zeros(part.shape).numel()) << part.name << " is whole without ZeRO";
                made.weights[part.name] = part.local.clone();
            }
        };
        if (layout.ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(layout.ranks, body);
        return made;
    }

    static void expect_same(const TaskOutcome& expected, const TaskOutcome& got, double tolerance,
                            const std::string& what) {
        ASSERT_EQ(expected.losses.size(), got.losses.size()) << what;
        for (std::size_t i = 0; i < expected.losses.size(); ++i)
            EXPECT_NEAR(expected.losses[i], got.losses[i], tolerance) << what << ", step " << i + 1;
        EXPECT_NEAR(expected.evaluation, got.evaluation, tolerance) << what;
        ASSERT_EQ(expected.weights.size(), got.weights.size()) << what;
        for (const auto& [name, weight] : expected.weights) {
            ASSERT_TRUE(got.weights.contains(name)) << what << ": " << name;
            const at::Tensor apart = weight.to(at::kDouble).sub(got.weights.at(name).to(at::kDouble)).abs();
            EXPECT_LE(apart.max().item<double>(), tolerance) << what << ": " << name;
        }
    }

    static bool has_statistics() { return *GetParam().batches != '\0'; }
};

TEST_P(TasksInPipelines, TheWeightsOfOneRank) {
    const double tolerance = GetParam().precision == Precision::bf16 ? 2e-3 : 2e-6;
    const TaskOutcome expected = train({});
    expect_same(expected, train({2, 2, "GPipe"}), tolerance, "two stages, GPipe");
    expect_same(expected, train({4, 4, "1F1B"}), tolerance, "four stages, 1F1B");
    expect_same(expected, train({2, 2, "ZBH1"}), tolerance, "two stages, ZBH1");
    expect_same(expected, train({2, 2, "1F1B", config::Recomputation::full}), tolerance, "two stages, recomputed");
    expect_same(expected, train({2, 2, "Interleaved1F1B", config::Recomputation::selective}), tolerance,
                "two ranks of two stages, recomputed");
    expect_same(expected, train({2, 2, "ZBVZeroBubble"}), tolerance, "two ranks of two stages, ZBV");
    // Statistics of a batch are a rank's own, so that two replicas are not one rank.
    if (!has_statistics())
        expect_same(expected, train({4, 2, "1F1B"}), tolerance, "two stages of two replicas");
    if (has_statistics()) {
        EXPECT_EQ(expected.weights.at(GetParam().batches).item<std::int64_t>(), 12)
            << "three steps of four micro-batches";
    }
    // A checkpoint of several stages can be resumed on one rank, and vice versa.
    const test::TemporaryFolder folder;
    const auto resumed = [&](const TaskLayout& first, const TaskLayout& second) {
        const std::filesystem::path place = folder.path() / std::to_string(first.stages);
        train(first, kTaskSteps - 1, place);
        TaskOutcome made = train(second, kTaskSteps, {}, (place / "checkpoint_2").string());
        made.losses.insert(made.losses.begin(), expected.losses.begin(), expected.losses.end() - 1);
        return made;
    };
    expect_same(expected, resumed({2, 2}, {}), tolerance, "two stages, then one rank");
    expect_same(expected, resumed({}, {2, 2}), tolerance, "one rank, then two stages");
}

INSTANTIATE_TEST_SUITE_P(Tasks, TasksInPipelines,
                         ::testing::Values(PipelinedTask{"T5", "summaries", kT5},
                                           PipelinedTask{"T5Bfloat16", "summaries", kT5, Precision::bf16},
                                           PipelinedTask{"ResNet", "digits", kResNet, Precision::no,
                                                         "resnet.embedder.embedder.normalization.num_batches_tracked"},
                                           PipelinedTask{"SegFormer", "segmentation", kSegformer, Precision::no,
                                                         "decode_head.batch_norm.num_batches_tracked"}),
                         [](const auto& made) { return std::string(made.param.name); });

TEST(PipelineStages, MoreStagesThanBlocksAreRefused) {
    const auto problem = [](const std::string& model, int stages) -> std::string {
        try {
            parse_model(model, stages);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(problem(kT5, 5), "");
    EXPECT_NE(problem(kT5, 6).find("cannot be cut from a model of 5 blocks"), std::string::npos) << problem(kT5, 6);
    EXPECT_EQ(problem(kResNet, 4), "");
    EXPECT_NE(problem(kResNet, 5).find("cannot be cut from a model of 4 blocks"), std::string::npos);
}

}  // namespace
}  // namespace trainyard::train
