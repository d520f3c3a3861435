// SPDX-License-Identifier: GPL-3.0-or-later
// External models must train equally on every layout: the network of the sample plug-in, and a module saved with
// torch.jit.save.

#include <fstream>
#include <map>
#include <mutex>

#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>

#include "base/error.h"
#include "config/recipe/recipe.h"
#include "layouts/mesh_layout.h"
#include "models/nn/model.h"
#include "support/golden.h"
#include "support/golden_tensors.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using test::says;
using testing::_;
using testing::HasSubstr;
using testing::StartsWith;

struct Trained {
    std::vector<double> losses;
    Evaluation evaluation;
    std::map<std::string, at::Tensor> weights;
};

Trained train_on(const config::Recipe& recipe, int ranks, std::int64_t steps = 6) {
    Trained made;
    std::mutex mutex;
    auto body = [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::pipelines(1, ranks), std::move(world));
        Trainer trainer(recipe, mesh, at::kCPU);
        trainer.start();
        std::vector<double> losses;
        for (std::int64_t step = 0; step < steps; ++step)
            losses.push_back(trainer.step().loss);
        const Evaluation evaluation = trainer.evaluate().value();
        const NamedTensors weights = trainer.weights();
        std::lock_guard lock(mutex);
        made.losses = losses;
        made.evaluation = evaluation;
        for (const auto& [name, weight] : weights)
            made.weights.insert_or_assign(name, weight.clone());
    };
    if (ranks == 1)
        body(parallel::World::connect({}, "cpu"));
    else
        test::run_ranks(ranks, body);
    return made;
}

void expect_same(const Trained& expected, const Trained& got, const std::string& what) {
    for (std::size_t i = 0; i < expected.losses.size(); ++i)
        EXPECT_NEAR(expected.losses[i], got.losses[i], 1e-5) << what << ", step " << i + 1;
    ASSERT_EQ(expected.evaluation.metrics.size(), got.evaluation.metrics.size()) << what;
    for (std::size_t i = 0; i < expected.evaluation.metrics.size(); ++i)
        EXPECT_NEAR(expected.evaluation.metrics[i].second, got.evaluation.metrics[i].second, 1e-4) << what;
    ASSERT_EQ(expected.weights.size(), got.weights.size()) << what;
    for (const auto& [name, weight] : expected.weights)
        EXPECT_LT(weight.sub(got.weights.at(name)).abs().max().item<double>(), 2e-5) << what << ": " << name;
}

struct Subject {
    const char* name;
    std::string model;  ///< flow YAML
};

class ExternalModels : public testing::TestWithParam<Subject> {
  protected:
    config::Recipe recipe(const std::string& training, const std::string& more = "") const {
        return config::parse_recipe(
            std::string("plugins: ") + TRAINYARD_SAMPLE_PLUGIN + "\nmodel: " + GetParam().model +
                "\ndata: {plugin: spirals, arguments: {points: 256}, validation_fraction: 0.25}\n"
                "optimizer: {lr: 1.0e-2, eps: 1.0e-6}\n"
                "training: {steps: 6, metrics: confidence, evaluate_batches: 0, " +
                training + "}\n" + more,
            folder_.path() / "recipe.yaml");
    }
    test::TemporaryFolder folder_;
};

TEST_P(ExternalModels, TrainTheSameOnEveryLayout) {
    const Trained expected = train_on(recipe("batch_size: 16"), 1);
    config::Recipe longer = recipe("batch_size: 16");
    longer.training.steps = 200;
    EXPECT_LT(train_on(longer, 1, 200).evaluation.loss, 0.9 * train_on(longer, 1, 0).evaluation.loss);
    EXPECT_GT(expected.weights.size(), 3u);
    expect_same(expected, train_on(recipe("batch_size: 4, gradient_accumulation_steps: 4"), 1), "accumulated");
    expect_same(expected, train_on(recipe("batch_size: 8"), 2), "two ranks");
    for (const char* stage : {"1", "2"})
        expect_same(expected,
                    train_on(recipe("batch_size: 8", std::string("parallel: {zero_stage: ") + stage + "}\n"), 2),
                    std::string("ZeRO ") + stage);
}

TEST_P(ExternalModels, ComputeIn16BitsAndKeepWhatIsFrozen) {
    config::Recipe usual = recipe("batch_size: 16"), low = recipe("batch_size: 16, mixed_precision: bf16");
    const Trained expected = train_on(usual, 1), rounded = train_on(low, 1);
    EXPECT_NEAR(expected.losses.front(), rounded.losses.front(), 0.05);
    EXPECT_NE(expected.losses.front(), rounded.losses.front()) << "nothing was computed in bf16";
    usual.model.freeze = {"first.*"};
    const Trained frozen = train_on(usual, 1), start = train_on(usual, 1, 0);
    EXPECT_TRUE(frozen.weights.at("first.weight").equal(start.weights.at("first.weight")));
    EXPECT_FALSE(frozen.weights.at("second.weight").equal(start.weights.at("second.weight")));
}

TEST_P(ExternalModels, GoOnFromACheckpointAsIfNothingHadHappened) {
    config::Recipe all = recipe("batch_size: 16");
    const Trained expected = train_on(all, 1);
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    std::string saved;
    {
        Trainer trainer(all, mesh, at::kCPU);
        trainer.start();
        for (int step = 0; step < 3; ++step)
            trainer.step();
        saved = trainer.save(folder_.path() / "checkpoints").folder.string();
    }
    all.checkpoint.resume_from = saved;
    Trainer trainer(all, mesh, at::kCPU);
    trainer.start();
    EXPECT_EQ(trainer.position().step, 3);
    for (std::size_t step = 3; step < 6; ++step)
        EXPECT_EQ(trainer.step().loss, expected.losses[step]) << step;
    for (const auto& [name, weight] : trainer.weights())
        EXPECT_TRUE(weight.equal(expected.weights.at(name))) << name;
    // The checkpoint can also be used as initial weights.
    config::Recipe from = recipe("batch_size: 16");
    from.model.weights = saved;
    Trainer again(from, mesh, at::kCPU);
    EXPECT_THAT(again.start(), says("started from the weights in {}", _));
}

const Subject kSubjects[] = {
    {"plugin", "{model_type: plugin, plugin: mlp, arguments: {width: 16}, loss: focal}"},
    {"plugin_usual_loss", "{model_type: plugin, plugin: mlp, arguments: {width: 16}}"},
    {"torchscript", "{model_type: torchscript, script: " + test::golden("torchscript").string() + "/mlp.pt}"},
};

INSTANTIATE_TEST_SUITE_P(Models, ExternalModels, testing::ValuesIn(kSubjects),
                         [](const auto& place) { return std::string(place.param.name); });

TEST(ExternalModelsDrawing, DropoutIsTheSameAfterAResume) {
    test::TemporaryFolder folder;
    config::Recipe recipe = config::parse_recipe(
        std::string("plugins: ") + TRAINYARD_SAMPLE_PLUGIN +
            "\nmodel: {model_type: plugin, plugin: mlp, arguments: {dropout: 0.5}}\n"
            "data: {plugin: spirals, arguments: {points: 64}}\ntraining: {steps: 4, batch_size: 8}\n",
        folder.path() / "recipe.yaml");
    const Trained whole = train_on(recipe, 1, 4);
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    Trainer first(recipe, mesh, at::kCPU);
    first.start();
    first.step();
    first.step();
    recipe.checkpoint.resume_from = first.save(folder.path() / "checkpoints").folder.string();
    Trainer second(recipe, mesh, at::kCPU);
    second.start();
    EXPECT_EQ(second.step().loss, whole.losses[2]);
    EXPECT_EQ(second.step().loss, whole.losses[3]);
}

/// Outputs, loss and gradients of a module are those that Python computes.
TEST(TorchScriptGolden, LossAndGradients) {
    const std::filesystem::path folder = test::golden("torchscript");
    const weights::SafetensorsFile values(folder / "expected.safetensors");
    config::ModelRecipe recipe;
    recipe.model_type = "torchscript";
    recipe.task = "sequence_classification";
    recipe.script = (folder / "mlp.pt").string();
    const std::unique_ptr<models::Model> model = models::make_model(recipe);
    parallel::FlatArena arena(model->groups(), at::kFloat, at::kCPU, true);
    arena.initialise(1);
    model->start_values(arena);
    parallel::StepContext context;
    context.inputs.emplace_back("points", test::golden_tensor(values, "points"));
    context.labels = test::golden_tensor(values, "labels");
    context.loss_sum = at::zeros({}, at::kDouble);
    at::Tensor outputs;
    context.logits = &outputs;
    model->forward(context).backward();
    EXPECT_LT(outputs.sub(test::golden_tensor(values, "outputs")).abs().max().item<float>(), 1e-5);
    EXPECT_NEAR(context.loss_sum.item<double>(), test::golden_tensor(values, "loss").item<double>(), 1e-5);
    std::size_t compared = 0;
    for (const auto& group : arena.groups())
        for (const auto* parameter : group.parameters()) {
            const at::Tensor expected = test::golden_tensor(values, "gradient/" + parameter->name());
            EXPECT_LT(parameter->gradient().sub(expected).abs().max().item<float>(), 1e-5) << parameter->name();
            ++compared;
        }
    EXPECT_EQ(compared, 6u);
}

std::string refusal_of(const config::Recipe& recipe) {
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    try {
        Trainer trainer(recipe, mesh, at::kCPU);
        trainer.start();
        trainer.step();
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

TEST(ExternalModelsRefused, InOneSentence) {
    auto recipe = [](const std::string& model, const std::string& library = TRAINYARD_SAMPLE_PLUGIN) {
        return config::parse_recipe("plugins: " + library + "\nmodel: {" + model +
                                        "}\ndata: {plugin: spirals, arguments: {points: 64}}\n"
                                        "training: {steps: 1, batch_size: 4}\n",
                                    "recipe.yaml");
    };
    const std::string scripts = test::golden("torchscript").string();
    EXPECT_THAT(refusal_of(recipe("model_type: plugin, plugin: mpl")), says(": did you mean '{}'?", "mlp"));
    EXPECT_THAT(refusal_of(recipe("model_type: plugin, plugin: mlp, loss: focus")),
                says("{} has no {} named '{}'{}", _, "loss", "focus", _));
    EXPECT_THAT(
        refusal_of(recipe("model_type: plugin, plugin: halves", std::string("[") + TRAINYARD_SAMPLE_PLUGIN + ", " +
                                                                    TRAINYARD_PLUGINS_FOLDER + "/plugin_throws.so]")),
        says("{} has the parameter {} in {}: parameters must be float32, and training.mixed_precision makes products "
             "of 16 bits",
             _, "weight", "Half"));
    EXPECT_THAT(refusal_of(recipe("model_type: torchscript, script: " + scripts + "/README.md")),
                says("model.script: {} was not written by torch.jit.save, or it is damaged ({}): write it with "
                     "torch.jit.save(torch.jit.script(module), file)",
                     _, _));
    EXPECT_THAT(refusal_of(recipe("model_type: torchscript, script: " + scripts + "/two_inputs.pt")),
                says("{} wants the input '{}', and a batch has {}: name the arguments of its forward like these", _,
                     "weights_of_points", StartsWith("points")));
}

TEST(ExternalModelsRefused, BeforeTheStartWhereTheRecipeSaysIt) {
    auto problem_of = [](const std::string& yaml) -> std::string {
        try {
            config::parse_recipe(yaml, "r.yaml");
            return "";
        } catch (const InvalidInput& error) {
            return error.what();
        }
    };
    EXPECT_THAT(problem_of("model: {model_type: plugin, plugin: mlp}\n"),
                says("is of a plug-in, and the recipe names none: name its shared library in plugins"));
    EXPECT_THAT(problem_of("plugins: a.so\nmodel: {model_type: plugin}\n"), HasSubstr("model.plugin: missing"));
    EXPECT_THAT(problem_of("model: {model_type: torchscript}\ndata: {format: jsonl}\n"),
                says("missing: name the file that torch.jit.save wrote"));
    EXPECT_THAT(problem_of("model: {script: a.pt}\n"),
                says("has an effect on torchscript alone, and model.model_type is {}: leave one out", _));
    EXPECT_THAT(problem_of("plugins: a.so\nmodel: {model_type: plugin, plugin: a}\ndata: {plugin: b}\nlora: {r: 4}\n"),
                says("adapters need a built-in model, not {}: set it to 0", _));
    EXPECT_THAT(problem_of("plugins: a.so\ndata: {plugin: b, path: text.txt}\n"),
                says("the data set of a plug-in reads no files of the recipe: leave one out, and name its files in "
                     "data.arguments"));
    EXPECT_THAT(problem_of("data: {arguments: {a: 1}}\n"),
                says("has no effect without data.plugin: name the data set"));
    EXPECT_THAT(problem_of("training: {metrics: recall}\n"), HasSubstr("training.metrics"));
    EXPECT_EQ(problem_of("plugins: a.so\nmodel: {loss: focal}\n"), "");
    EXPECT_THAT(problem_of("plugins: a.so\nmodel: {model_type: bert, task: masked_lm, loss: focal}\n"),
                says("has no effect on {}, only on causal_lm, on classification and on models of one's own: leave it "
                     "out",
                     StartsWith("masked_lm")));
    EXPECT_THAT(problem_of("model: {model_type: bert, task: sequence_classification, loss: cosine_similarity}\n"
                           "data: {format: jsonl}\n"),
                says("{} is for sentence_embedding, not {}: leave it out", _, _));
    const std::string good =
        "plugins: /a.so\nmodel: {model_type: plugin, plugin: a, arguments: {width: 3}}\n"
        "data: {plugin: b, arguments: {n: 2, name: x}}\ntraining: {metrics: [c, d]}\n";
    const config::Recipe recipe = config::parse_recipe(good, "r.yaml");
    EXPECT_EQ(config::parse_recipe(config::to_yaml(recipe), "r.yaml"), recipe);
}

/// A loss of a plug-in gets whole logits on every mesh: of all positions, and of the whole vocabulary.
TEST(LossesOfPlugins, TrainLanguageModelsOnEveryMesh) {
    using layouts::MeshLayout;
    layouts::MeshTraining training;
    const std::string more = std::string("plugins: [\"") + TRAINYARD_SAMPLE_PLUGIN + "\"]\n";
    for (const MeshLayout& layout : {MeshLayout{0, {2, 2, 1, 1, 1, 1}, 1, 1, 0, false, more},
                                     {0, {1, 1, 1, 1, 1, 2}, 1, 2, 0, false, more},
                                     {0, {1, 1, 1, 2, 1, 2}, 1, 1, 0, true, more},
                                     {1, {1, 1, 2, 1, 1, 2}, 1, 1, 3, true, more},
                                     {1, {1, 1, 1, 2, 2, 1}, 1, 1, 0, false, more},
                                     {2, {2, 2, 1, 1, 1, 1}, 2, 1, 0, false, more},
                                     {2, {1, 2, 1, 1, 1, 2}, 2, 1, 0, false, more}}) {
        MeshLayout focal = layout;
        focal.loss = "focal";
        layouts::expect_curve_of_one_rank(training, focal);
        // Each value is that of the cross entropy times a factor below 1.
        const double first = training.of_one_rank(focal).losses.front();
        EXPECT_LT(first, 0.995 * training.of_one_rank(layout).losses.front());
        EXPECT_GT(first, 0.9 * training.of_one_rank(layout).losses.front());
    }
}

/// Stages of a pipeline, and ranks that share layers, call a step with the same batches; the last stage has its loss.
TEST(StepsOfPlugins, TrainLanguageModelsOnEveryMesh) {
    using layouts::MeshLayout;
    layouts::MeshTraining training;
    const auto more = [](const std::string& step) {
        return std::string("plugins: [\"") + TRAINYARD_PLUGINS_FOLDER +
               "/plugin_steps.so\"]\ntraining: {step_function: " + step + "}\n";
    };
    const std::string weighted = more("weighted");
    for (const MeshLayout& layout :
         {MeshLayout{0, {4, 1, 1, 1, 1, 1}, 1, 1, 0, false, weighted},
          {0, {2, 2, 1, 1, 1, 1}, 1, 2, 0, false, weighted + "parallel: {pipeline_schedule: ZBVZeroBubble}\n"},
          {1, {2, 1, 1, 1, 1, 2}, 1, 1, 0, true, weighted},
          {1, {1, 1, 2, 1, 1, 2}, 1, 1, 3, false, weighted},
          {2, {2, 2, 1, 1, 1, 1}, 2, 1, 0, false, weighted}})
        layouts::expect_curve_of_one_rank(training, layout);
    const layouts::MeshOutcome& plain = training.of_one_rank({});
    const auto with = [&](const std::string& step) { return training.of_one_rank({.more = more(step)}).losses; };
    EXPECT_EQ(with("nothing"), plain.losses);
    EXPECT_THAT(with("usual"), testing::Pointwise(testing::DoubleNear(1e-5), plain.losses));
    EXPECT_GT(with("weighted").front(), 1.4 * plain.losses.front()) << "half of the labels count twice";
    MeshLayout context{0, {1, 1, 1, 2, 1, 1}, 1, 1, 0, false, weighted};
    EXPECT_THAT(training.refusal(context),
                says("does not work with {} {}: {}", "parallel.cp_size", 2, "it changes whole samples; leave it out"));
}

TEST(StepsOfPlugins, AreRefusedInOneSentence) {
    const auto said = [](const std::string& step, const std::string& model = "n_layer: 1") {
        return refusal_of(config::parse_recipe(
            std::string("plugins: [\"") + TRAINYARD_PLUGINS_FOLDER + "/plugin_steps.so\", \"" +
                TRAINYARD_SAMPLE_PLUGIN + "\"]\nmodel: {" + model + "}\ndata: {path: \"" + __FILE__ +
                "\", sequence_length: 16}\ntraining: {steps: 1, batch_size: 2, step_function: " + step + "}\n",
            "recipe.yaml"));
    };
    EXPECT_THAT(said("weigted"), says(": did you mean '{}'?", "weighted"));
    EXPECT_THAT(said("weighted", "n_layer: 1, loss: focal"),
                says("training.step_function: the step '{}' has a loss, and model.loss is {}: leave one out",
                     "weighted", "focal"));
    EXPECT_THAT(said("other_rows"), says("the step '{}' made {} of other rows than the batch has, which are {}",
                                         "other_rows", "input_ids", 2));
    EXPECT_THAT(said("unhappy"), HasSubstr("the step 'unhappy' of the plug-in steps: the batch is not to its taste"));
    EXPECT_EQ(said("nothing"), "");
}

}  // namespace
}  // namespace trainyard::train
