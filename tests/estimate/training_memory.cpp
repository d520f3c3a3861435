// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/training_memory.h"

#include <gtest/gtest.h>

#include "config/recipe/recipe.h"
#include "config/recipe/zero_plus_plus.h"
#include "distributed/pipeline/simulator.h"
#include "estimate/estimate_file.h"
#include "estimate/recipe_estimate.h"
#include "models/spec/family.h"

namespace trainyard::estimate {
namespace {

double part(const MemoryEstimate& estimate, Part which) {
    return estimate.fullest().bytes_of(which);
}

double part(const config::Recipe& recipe, Part which, std::int64_t ranks = 1) {
    return part(estimate_memory(recipe, ranks), which);
}

TEST(TrainingMemory, CountsParametersExactly) {
    // GPT-2 small, as transformers counts it.
    config::ModelRecipe small;
    small.vocab_size = 50257;
    small.n_positions = 1024;
    small.n_embd = 768;
    small.n_layer = small.n_head = 12;
    EXPECT_EQ(families::parameter_count(small), 124'439'808);
    EXPECT_EQ(model_parts(small).parameters(), 124'439'808);
    small.n_inner = 100;
    EXPECT_EQ(families::parameter_count(small), 124'439'808 - 12 * (2 * 768 + 1) * (3072 - 100));
    EXPECT_EQ(model_parts(small).parameters(), 124'439'808 - 12 * (2 * 768 + 1) * (3072 - 100));
    small.tie_word_embeddings = false;
    EXPECT_EQ(model_parts(small).parameters(), families::parameter_count(small));
    // The two sample recipes.
    config::ModelRecipe tiny;
    EXPECT_EQ(families::parameter_count(tiny), 834'304);
}

TEST(TrainingMemory, StateIsSixteenBytesAParameter) {
    config::Recipe recipe;
    const MemoryEstimate estimate = estimate_memory(recipe);
    EXPECT_EQ(part(estimate, Part::weights) + part(estimate, Part::gradients) + part(estimate, Part::optimizer),
              16 * 834'304);
    EXPECT_EQ(part(estimate, Part::compute_copy), 0);
    recipe.training.mixed_precision = Precision::bf16;
    EXPECT_EQ(part(recipe, Part::compute_copy), 2 * 834'304);
    EXPECT_LT(part(recipe, Part::activations), part(estimate, Part::activations));
}

TEST(TrainingMemory, FrozenParametersHaveValuesAlone) {
    config::Recipe recipe;
    recipe.model.freeze = {"transformer.wte.weight", "transformer.wpe.*"};
    const double frozen = (256 + 64) * 128;
    const MemoryEstimate estimate = estimate_memory(recipe);
    EXPECT_EQ(estimate.parameter_count, 834'304);
    EXPECT_EQ(part(estimate, Part::weights), 4 * 834'304);
    EXPECT_NEAR(part(estimate, Part::gradients), 4 * (834'304 - frozen), 1);
    EXPECT_NEAR(part(estimate, Part::optimizer), 8 * (834'304 - frozen), 1);
}

TEST(TrainingMemory, RanksShareOutWhatTheStageOfZeroSays) {
    config::Recipe recipe;
    recipe.model.n_layer = 48;
    recipe.parallel.bucket_cap_mb = 0.1;
    const auto all = static_cast<double>(families::parameter_count(recipe.model));
    recipe.parallel.zero_stage = 1;
    EXPECT_EQ(part(recipe, Part::optimizer, 4), 2 * all);
    EXPECT_EQ(part(recipe, Part::gradients, 4), 4 * all);
    EXPECT_EQ(part(recipe, Part::optimizer), 8 * all) << "a single rank cannot shard";
    recipe.parallel.zero_stage = 2;
    EXPECT_EQ(part(recipe, Part::optimizer, 4), 2 * all);
    EXPECT_EQ(part(recipe, Part::gradients, 4), all);
    EXPECT_GT(part(recipe, Part::buckets, 4), 0);
    EXPECT_LT(part(recipe, Part::buckets, 4), all / 2);
    EXPECT_EQ(part(recipe, Part::weights, 4), 4 * all);
    recipe.parallel.zero_stage = 0;
    for (Part each : {Part::weights, Part::gradients, Part::optimizer, Part::activations})
        EXPECT_EQ(part(recipe, each, 4), part(recipe, each)) << "replicas share nothing";
}

TEST(TrainingMemory, ActivationsGrowWithTheMicroBatchOnly) {
    config::Recipe recipe;
    const MemoryEstimate one = estimate_memory(recipe);
    recipe.training.gradient_accumulation_steps = 8;
    EXPECT_EQ(estimate_memory(recipe).total(), one.total());
    recipe.training.batch_size *= 2;
    EXPECT_EQ(part(recipe, Part::activations), 2 * part(one, Part::activations));
    EXPECT_EQ(part(recipe, Part::optimizer), part(one, Part::optimizer));
}

TEST(TrainingMemory, ALargeVocabularyIsCutInChunks) {
    config::Recipe recipe;
    recipe.model.vocab_size = 50257;
    recipe.training.batch_size = 64;
    EXPECT_LT(part(recipe, Part::logits), 64.0 * 64 * 50257 * 4) << "the size of all logits";
}

TEST(TrainingMemory, OptimizersKeepWhatTheirUpdateRulesKeep) {
    for (const auto& [name, bytes] : {std::pair{"adamw", 8.0},
                                      {"adam", 8.0},
                                      {"onebit_adam", 8.0},
                                      {"zero_one_adam", 16.0},
                                      {"sgd", 0.0},
                                      {"sgd_momentum", 4.0},
                                      {"lion", 4.0},
                                      {"asgd", 4.0},
                                      {"muon", 4.0},
                                      {"lomo", 0.0},
                                      {"adafactor", 0.05},
                                      {"adalomo", 0.05},
                                      {"schedule_free_adamw", 8.0},
                                      {"adamw_8bit", 2 * (1 + 4.0 / 256)},
                                      {"ademamix_8bit", 3 * (1 + 4.0 / 256)}})
        EXPECT_DOUBLE_EQ(optimizer_row(name).state_bytes, bytes) << name;
}

/// Each rank has errors of all trained parameters, and those of the chunk that it adds up.
TEST(TrainingMemory, ErrorsThatAreFedBackCount) {
    config::Recipe recipe;
    recipe.optimizer.name = "onebit_adam";
    EXPECT_DOUBLE_EQ(part(recipe, Part::optimizer, 4), part(recipe, Part::optimizer) * (8 + 4 + 1) / 8);
}

TEST(TrainingMemory, ValuesOfTheTreeAreThoseThatTheFamilyKeeps) {
    // The activations computed from the module tree of a block must equal those that the family's kernels save.
    families::ModelConfig model;
    model.n_inner = 300;
    ModelParts own = model_parts(model), tree = own;
    tree.recipe.reset();
    TrainingSetup setup;
    Device device;
    device.cpu = true;
    for (const ProductFormat precision : {ProductFormat::no, ProductFormat::bf16})
        for (const Recomputation checkpointing : {Recomputation::no, Recomputation::full}) {
            setup.precision = precision;
            setup.checkpointing = checkpointing;
            const double known = part(estimate_memory(own, setup, device), Part::activations);
            EXPECT_NEAR(part(estimate_memory(tree, setup, device), Part::activations), known, 0.02 * known)
                << choice_name(precision);
        }
}

TEST(TrainingMemory, AnImageIsAsLongAsItsPatchesAndItsClass) {
    const config::Recipe recipe = config::parse_recipe(
        "model: {model_type: vit, task: image_classification, image_size: 32, patch_size: 4}\n"
        "data: {format: images, path: digits}\n",
        "r.yaml");
    const RecipePlan plan = plan_of(recipe, 1);
    EXPECT_EQ(plan.setup.sequence, 65);
    EXPECT_EQ(recipe_of(plan.setup, recipe), recipe) << "the recipe has no sequence of its own";
}

TEST(TrainingMemory, StagesKeepWhatTheSimulatedScheduleKeeps) {
    TrainingSetup setup;
    for (const char* schedule :
         {"GPipe", "1F1B", "Interleaved1F1B", "InterleavedZeroBubble", "LoopedBFS", "ZBVZeroBubble", "DualPipeV"})
        for (int stages : {2, 3, 4})
            for (int micro_batches : {1, 2, 3, 8}) {
                const pipeline::PipelineSize size = pipeline::resolve_size(schedule, {stages, 0, micro_batches});
                if (pipeline::schedule_refusal(schedule, size))
                    continue;
                setup.pipeline_schedule = schedule;
                setup.layout.pp = stages;
                setup.accumulation = micro_batches;
                const std::vector<pipeline::StageTimes> times(static_cast<std::size_t>(stages * size.stages_per_rank),
                                                              {1, 1, 1});
                const pipeline::Simulation simulated =
                    pipeline::simulate(pipeline::make_schedule(schedule, stages, micro_batches), times);
                for (int stage = 0; stage < stages; ++stage) {
                    const double kept = kept_micro_batches(setup, stage) * size.stages_per_rank;
                    const int simulated_kept = simulated.ranks[static_cast<std::size_t>(stage)].peak_activations;
                    // Few micro-batches do not fill a V: the estimate is a limit.
                    if (std::string(schedule) == "ZBVZeroBubble" && micro_batches < 2 * stages - 1)
                        EXPECT_GE(kept, simulated_kept) << stages << " " << micro_batches << " " << stage;
                    else
                        EXPECT_EQ(kept, simulated_kept)
                            << schedule << " " << stages << " " << micro_batches << " " << stage;
                }
            }
}

TEST(TrainingMemory, StagesHoldTheirBlocksOnceForEachMicroBatchUnderWay) {
    config::Recipe recipe;
    recipe.model.n_layer = 6;
    recipe.training.gradient_accumulation_steps = 4;
    const double whole = part(recipe, Part::activations);
    recipe.parallel.pp_size = 2;
    const auto of_schedule = [&](const char* name) {
        recipe.parallel.pipeline_schedule = name;
        return estimate_memory(recipe, 2);
    };
    // Three of six blocks, for two micro-batches or for all four.
    for (const char* name : {"1F1B", "ZBH1"})
        EXPECT_DOUBLE_EQ(of_schedule(name).stages[0].bytes_of(Part::activations), whole) << name;
    EXPECT_DOUBLE_EQ(of_schedule("GPipe").stages[0].bytes_of(Part::activations), 2 * whole);
    // On a CPU, the next micro-batch reuses the memory freed by the last one (tensors.memory_meter), so no
    // fragmentation is added.
    for (const char* name : {"1F1B", "ZBH1", "GPipe"})
        for (const RankMemory& stage : of_schedule(name).stages)
            EXPECT_EQ(stage.bytes_of(Part::rounding), 0) << name << stage.stage;
}

TEST(TrainingMemory, WeightsThatAreRoundedStochasticallyHaveNoMasters) {
    config::Recipe recipe;
    recipe.training.mixed_precision = Precision::bf16;
    const auto parameters = static_cast<double>(families::parameter_count(recipe.model));
    EXPECT_DOUBLE_EQ(part(recipe, Part::weights), 4 * parameters);
    EXPECT_DOUBLE_EQ(part(recipe, Part::compute_copy), 2 * parameters);
    const double gradients = part(recipe, Part::gradients), optimizer = part(recipe, Part::optimizer);
    recipe.optimizer.arguments = "{amsgrad: true, bf16_stochastic_round: true}";
    EXPECT_DOUBLE_EQ(part(recipe, Part::weights), 2 * parameters);
    EXPECT_EQ(part(recipe, Part::compute_copy), 0);
    EXPECT_DOUBLE_EQ(part(recipe, Part::gradients), gradients);
    EXPECT_DOUBLE_EQ(part(recipe, Part::optimizer), optimizer);
    // A new run has the argument that the estimate showed, beside its others.
    TrainingSetup setup = setup_of(recipe, 1);
    EXPECT_TRUE(setup.bf16_stochastic_round);
    EXPECT_EQ(recipe_of(setup, recipe).optimizer.arguments, recipe.optimizer.arguments);
    setup.bf16_stochastic_round = false;
    recipe = recipe_of(setup, recipe);
    EXPECT_EQ(recipe.optimizer.arguments, "{amsgrad: true}");
    setup.bf16_stochastic_round = true;
    EXPECT_EQ(recipe_of(setup, recipe).optimizer.arguments, "{amsgrad: true, bf16_stochastic_round: true}");
    // Local SGD averages masters.
    recipe = recipe_of(setup, recipe);
    recipe.training.local_sgd_steps = 4;
    EXPECT_FALSE(setup_of(recipe, 2).bf16_stochastic_round);
}

TEST(TrainingMemory, ModulesThatStayWholeAndSecondCopiesCount) {
    config::Recipe recipe;
    recipe.parallel.zero_stage = 3;
    const auto parameters = static_cast<double>(families::parameter_count(recipe.model));
    const double sharded = part(recipe, Part::compute_copy, 4);
    recipe.parallel.zero_hpz_partition_size = 2;
    EXPECT_NEAR(part(recipe, Part::compute_copy, 4), sharded + 4 * parameters / 2, 1e-3 * parameters);
    recipe.parallel.zero_quantized_weights = true;
    // Two layers are on their way as codes, and only the one that computes has its values.
    const auto width = static_cast<double>(recipe.model.n_embd), block = 12 * width * width + 13 * width;
    EXPECT_NEAR(part(recipe, Part::compute_copy, 4),
                sharded - 4 * block + config::kInt8CodeBytes * (parameters / 2 + 2 * block), 1e-3 * parameters);
    recipe.parallel.zero_hpz_partition_size = 1;
    recipe.parallel.zero_quantized_weights = false;
    recipe.parallel.ignored_modules = "transformer\\.wte";
    const auto table = static_cast<double>(recipe.model.vocab_size * recipe.model.n_embd);
    EXPECT_NEAR(part(recipe, Part::compute_copy, 4), sharded + 4 * table, 1e-3 * parameters);
    recipe.parallel.ignored_modules = ".*";
    EXPECT_NEAR(part(recipe, Part::compute_copy, 4), sharded + 4 * parameters, 1e-3 * parameters);
    recipe.parallel.ignored_modules.clear();
    recipe.training.mixed_precision = Precision::fp8;
    recipe.fp8.scaling = config::Fp8Scaling::tensorwise;
    const double in_bf16 = part(recipe, Part::compute_copy, 4);
    recipe.fp8.enable_fsdp_float8_all_gather = true;
    // Two layers in fp8 instead of one in bf16.
    EXPECT_NEAR(part(recipe, Part::compute_copy, 4), in_bf16, 1e-3 * parameters);
    const config::Recipe in_fp8 = recipe_of(setup_of(recipe, 4), config::Recipe());
    EXPECT_TRUE(in_fp8.fp8.enable_fsdp_float8_all_gather);
    EXPECT_EQ(in_fp8.fp8.scaling, config::Fp8Scaling::tensorwise);
    recipe.fp8 = {};
    recipe.training.mixed_precision = Precision::no;
    // A new run has the keys that the estimate showed.
    recipe.parallel.zero_hpz_partition_size = 2;
    recipe.parallel.zero_quantized_gradients = true;
    TrainingSetup setup = setup_of(recipe, 4);
    EXPECT_EQ(setup.zero_hpz_partition_size, 2);
    EXPECT_TRUE(setup.zero_quantized_gradients && !setup.zero_quantized_weights);
    const config::Recipe made = recipe_of(setup, config::Recipe());
    EXPECT_EQ(made.parallel.zero_hpz_partition_size, 2);
    EXPECT_TRUE(made.parallel.zero_quantized_gradients && !made.parallel.zero_quantized_weights);
}

TEST(TrainingMemory, EveryNumberExplainsItself) {
    std::vector<Explanation> why;
    TrainingSetup setup;
    setup.layout = {.dp_shard = 4, .tp = 2, .pp = 2};
    setup.zero_stage = 3;
    setup.offload_optimizer = Offload::cpu;
    const ModelParts model = model_parts(R"({"model_type": "llama", "num_hidden_layers": 4})", "llama");
    const MemoryEstimate estimate = estimate_memory(model, setup, *find_device("H100"), &why);
    for (std::size_t place = 0; place < kPlaces; ++place) {
        double sum = 0;
        for (const Explanation& one : why) {
            EXPECT_FALSE(one.formula.empty());
            sum += one.place == static_cast<Place>(place) ? one.bytes : 0;
        }
        EXPECT_DOUBLE_EQ(sum, estimate.fullest().total(static_cast<Place>(place)));
    }
}

TEST(TrainingMemory, TheFileHoldsWhatWasPredictedAndMeasured) {
    config::Recipe recipe;
    EstimateFile file = estimate_file(recipe, 1, "cpu");
    EXPECT_EQ(file.predicted_total, static_cast<std::uint64_t>(estimate_memory(recipe).total()));
    EXPECT_FALSE(file.error());
    EXPECT_FALSE(parse_estimate_file(to_json(file))->measured);
    file.measured = {.peak_resident = file.predicted_total * 2, .parts = {{"weights", 7}}, .step_seconds = 0.5};
    const auto read = parse_estimate_file(to_json(file));
    ASSERT_TRUE(read);
    EXPECT_DOUBLE_EQ(*read->error(), 1);
    EXPECT_EQ(bytes_of(read->measured->parts, "weights"), 7u);
    EXPECT_EQ(bytes_of(read->predicted, "optimizer"), bytes_of(file.predicted, "optimizer"));
    EXPECT_EQ(to_json(*read), to_json(file));
    for (const char* damaged :
         {"", "[]", "{", "{\"predicted\": 3}", "{\"predicted\": {\"memory\": {\"total\": \"x\"}}}"})
        EXPECT_FALSE(parse_estimate_file(damaged)) << damaged;
}

/// The frames of a recording follow from its longest duration and the model's convolutions, whose weights are not
/// blocks.
TEST(TrainingMemory, OfRecordingsTheFramesAreTheSequence) {
    const auto memory_of = [](const char* seconds) {
        const config::Recipe recipe = config::parse_recipe(
            std::string("model: {model_type: wav2vec2, hidden_size: 128}\ndata: {format: audio, path: x, "
                        "max_duration_in_seconds: ") +
                seconds + "}\n",
            "r.yaml");
        return estimate_memory(recipe, 1);
    };
    const MemoryEstimate shorter = memory_of("4"), longer = memory_of("8");
    EXPECT_EQ(shorter.parameter_count, longer.parameter_count);
    EXPECT_EQ(shorter.fullest().bytes_of(Part::optimizer), longer.fullest().bytes_of(Part::optimizer));
    EXPECT_GT(longer.fullest().bytes_of(Part::activations), 1.8 * shorter.fullest().bytes_of(Part::activations));
    const config::Recipe recipe = config::parse_recipe(
        "model: {model_type: wav2vec2, hidden_size: 128}\ndata: {format: audio, path: x}\n", "r.yaml");
    EXPECT_EQ(shorter.parameter_count, static_cast<double>(families::parameter_count(recipe.model)));
    const ModelParts parts = model_parts(recipe.model);
    ASSERT_EQ(parts.blocks.size(), 1u);
    EXPECT_EQ(parts.blocks.front().count, 4);
    EXPECT_EQ(parts.width, 128);
}

/// Networks for images of any size are launched without an estimate; the room of their checkpoints is known.
TEST(TrainingMemory, OfImagesOfAnySizeTheCheckpointAloneIsKnown) {
    for (const char* yaml : {"model: {model_type: resnet}\ndata: {format: numpy, path: x}\n",
                             "model: {model_type: segformer}\ndata: {format: images, path: x, mask_path: y}\n"}) {
        const config::Recipe recipe = config::parse_recipe(yaml, "r.yaml");
        const MemoryEstimate known = estimate_memory(recipe, 2);
        EXPECT_EQ(known.parameter_count, static_cast<double>(families::parameter_count(recipe.model))) << yaml;
        EXPECT_GE(known.checkpoint, 12 * known.parameter_count) << yaml;
        EXPECT_EQ(known.total(), 0) << yaml;
        EXPECT_THROW(model_parts(recipe.model), UserError) << yaml;
    }
}

}  // namespace
}  // namespace trainyard::estimate
