// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of layouts: closed forms of the papers, on models whose numbers are known.

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/recipe/recipe.h"
#include "estimate/recipe_estimate.h"
#include "estimate/training_memory.h"
#include "support/says.h"

namespace trainyard::estimate {
namespace {

ModelParts llama(const char* more = "") {
    return model_parts(
        std::string(R"({"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 16,
        "num_key_value_heads": 4, "intermediate_size": 4096, "vocab_size": 32000)") +
            more + "}",
        "llama");
}

double part(const ModelParts& model, const TrainingSetup& setup, Part which, Place place = Place::device) {
    return estimate_memory(model, setup, *find_device("H100")).fullest().bytes_of(which, place);
}

TEST(Layouts, ABlockOfLlamaIsCounted) {
    const ModelParts model = llama();
    ASSERT_EQ(model.blocks.size(), 1u);
    const BlockShape& block = model.blocks.front();
    EXPECT_EQ(block.count, 8);
    const double matrices = 1024.0 * 1024 * 2 + 2 * 1024 * 256 + 3 * 1024 * 4096;
    EXPECT_EQ(block.products, matrices);
    EXPECT_EQ(block.split_parameters, matrices);
    EXPECT_EQ(block.parameters, matrices + 2 * 1024);
    EXPECT_EQ(block.attention_width, 1024);
    EXPECT_EQ(block.key_value_width, 512);
    EXPECT_EQ(block.norm_inputs, 2 * 1024);
    EXPECT_EQ(block.product_inputs, 2 * 1024);
    EXPECT_EQ(block.attention_values, 1024 + 512 + 1024);
    EXPECT_EQ(block.opened, 2 * 4096);
    EXPECT_EQ(block.activated, 4096);
    EXPECT_EQ(model.width, 1024);
    EXPECT_EQ(model.vocabulary, 32000);
    EXPECT_EQ(model.embedding_parameters, 32000.0 * 1024);
    EXPECT_EQ(model.head_parameters, 32000.0 * 1024 + 1024);
}

TEST(Layouts, AFusedProjectionHasKeysAndValues) {
    const ModelParts model = model_parts(R"({"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4})", "gpt2");
    EXPECT_EQ(model.blocks.front().attention_width, 64);
    EXPECT_EQ(model.blocks.front().key_value_width, 2 * 64);
}

TEST(Layouts, SharedSequencesAndExpertsTakeBuffersOfARecipe) {
    config::Recipe recipe;
    recipe.parallel.cp_size = 2;
    const RecipePlan two = plan_of(recipe, 2);
    const Device processor = cpu_device(64e9, 2);
    const double tokens = static_cast<double>(two.setup.batch * two.setup.sequence);
    const double exchanged = 4 * two.model.blocks.front().key_value_width * tokens;
    EXPECT_NEAR(estimate_memory(two.model, two.setup, processor).fullest().bytes_of(Part::buckets), 1.3 * exchanged, 1);
    recipe.parallel.cp_size = 4;
    const RecipePlan four = plan_of(recipe, 4);
    EXPECT_NEAR(estimate_memory(four.model, four.setup, processor).fullest().bytes_of(Part::buckets), 1.3 * exchanged,
                1)
        << "each has the keys of the whole sequence";
    // Ranks of a host have the program's files once; groups of ranks have memory for their messages.
    const auto program = [](const RecipePlan& plan, int ranks) {
        return estimate_memory(plan.model, plan.setup, cpu_device(64e9, ranks)).fullest().bytes_of(Part::base);
    };
    const RecipePlan one = plan_of(config::Recipe(), 1);
    EXPECT_NEAR(program(one, 1), kCpuProgram, 1);
    constexpr double kMebibyte = 1024 * 1024;
    EXPECT_NEAR(program(two, 2), kCpuProgram - kCpuProgramFiles / 2 + 20 * kMebibyte, 1);
    EXPECT_NEAR(program(four, 4), kCpuProgram - kCpuProgramFiles * 3 / 4 + 20 * kMebibyte, 1);
    config::Recipe both;
    both.parallel.pp_size = both.parallel.tp_size = 2;
    both.training.gradient_accumulation_steps = 4;
    EXPECT_NEAR(program(plan_of(both, 8), 8), kCpuProgram - kCpuProgramFiles * 7 / 8 + (4 + 2 * 16 + 8) * kMebibyte, 1);
    recipe.parallel.cp_size = 1;
    recipe.parallel.tp_size = 2;
    const RecipePlan tensor = plan_of(recipe, 2);
    const RankMemory divided = estimate_memory(tensor.model, tensor.setup, processor).fullest();
    EXPECT_EQ(divided.bytes_of(Part::rounding), divided.bytes_of(Part::weights));
    EXPECT_EQ(estimate_memory(tensor.model, tensor.setup, *find_device("H100")).fullest().bytes_of(Part::buckets), 0);
}

TEST(Layouts, ZeroDividesStateByStage) {
    // Rajbhandari et al., 2020, figure 1: 2 + 2 + 12 bytes a parameter with 16-bit weights; K = 12.
    const ModelParts model = llama();
    const double all = model.parameters();
    TrainingSetup setup;
    setup.half_weights = true;
    setup.layout.dp_shard = 8;
    const auto state = [&](std::int64_t stage) {
        setup.zero_stage = stage;
        return part(model, setup, Part::weights) + part(model, setup, Part::gradients) +
               part(model, setup, Part::optimizer);
    };
    EXPECT_NEAR(state(0), 16 * all, 16);
    EXPECT_NEAR(state(1), (4 + 12.0 / 8) * all, 16);
    EXPECT_NEAR(state(2), (2 + 14.0 / 8) * all, 16);
    EXPECT_NEAR(state(3), 16.0 / 8 * all, 16);
    EXPECT_NEAR(part(model, setup, Part::compute_copy),
                2 * (2 * model.blocks[0].parameters + 2 * 32000.0 * 1024 + 1024), 16);
}

TEST(Layouts, TensorParallelismDividesMatricesAndTheirValues) {
    const ModelParts model = llama();
    TrainingSetup one, four;
    four.layout.tp = 4;
    EXPECT_LT(part(model, four, Part::weights), part(model, one, Part::weights) / 3.9);
    EXPECT_GT(part(model, four, Part::weights), part(model, one, Part::weights) / 4.0) << "norms are whole";
    const double kept = part(model, one, Part::activations), divided = part(model, four, Part::activations);
    EXPECT_LT(divided, kept / 2);
    EXPECT_GT(divided, kept / 4) << "the residual stream is whole";
}

TEST(Layouts, ContextAndSequenceParallelismDivideTokens) {
    const ModelParts model = llama();
    TrainingSetup one, two;
    one.sequence = two.sequence = 8192;
    two.layout.cp = 2;
    EXPECT_NEAR(part(model, two, Part::activations), part(model, one, Part::activations) / 2, 1);
    two.layout.cp = 1;
    two.layout.sp = 2;
    EXPECT_LE(part(model, two, Part::activations), part(model, one, Part::activations) / 2);
    EXPECT_EQ(part(model, two, Part::weights), part(model, one, Part::weights));
}

TEST(Layouts, ExpertsAreSharedOut) {
    const ModelParts model = model_parts(
        R"({"model_type": "mixtral", "hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
            "intermediate_size": 512, "vocab_size": 1000, "num_local_experts": 8, "num_experts_per_tok": 2})",
        "mixtral");
    const double experts = 2 * 8 * 3 * 256.0 * 512;
    EXPECT_EQ(2 * model.blocks.front().expert_parameters, experts);
    EXPECT_EQ(model.blocks.front().opened, 2 * 2 * 512) << "a token goes to two experts";
    TrainingSetup one, four;
    one.layout.dp_replicate = four.layout.dp_replicate = 4;
    four.layout.ep = 4;
    EXPECT_EQ(part(model, one, Part::weights) - part(model, four, Part::weights), 4 * experts * 3 / 4);
}

TEST(Layouts, LoraTrainsLittleOfAQuantisedModel) {
    const ModelParts model = llama();
    TrainingSetup setup;
    setup.lora_rank = 8;
    setup.weight_bits = 4;
    double rows_and_columns = 0;  // q, k, v, o and the three of the feed-forward network
    for (double sides :
         {1024 + 1024.0, 1024 + 256.0, 1024 + 256.0, 1024 + 1024.0, 1024 + 4096.0, 1024 + 4096.0, 1024 + 4096.0})
        rows_and_columns += sides;
    const double adapter = 8 * 8 * rows_and_columns;
    EXPECT_EQ(part(model, setup, Part::gradients), 4 * adapter);
    EXPECT_EQ(part(model, setup, Part::optimizer), 8 * adapter);
    EXPECT_EQ(part(model, setup, Part::weights), 0.5625 * model.parameters() + 4 * adapter);
}

TEST(Layouts, QuantizedMatricesOfARecipeTakeTheirBits) {
    config::Recipe recipe;
    recipe.model.lora.r = 8;
    recipe.model.weights = "base";
    recipe.model.quantization.method = config::Quantization::no;
    const RecipePlan full = plan_of(recipe, 1);
    const double tables = full.model.embedding_parameters + full.model.head_parameters,
                 blocks = full.model.parameters() - tables,
                 adapters = part(full.model, full.setup, Part::weights) - 4 * full.model.parameters();
    struct Format {
        config::Quantization method;
        bool double_quant;
        double bytes;
    };
    for (const Format& format : {Format{config::Quantization::nf4, false, 0.5 + 4.0 / 64},
                                 Format{config::Quantization::fp4, true, 0.5 + (1 + 4.0 / 256) / 64},
                                 Format{config::Quantization::int8, false, 1}}) {
        recipe.model.quantization.method = format.method;
        recipe.model.quantization.bnb_4bit_use_double_quant = format.double_quant;
        const RecipePlan plan = plan_of(recipe, 1);
        EXPECT_DOUBLE_EQ(part(plan.model, plan.setup, Part::weights), format.bytes * blocks + 4 * tables + adapters);
        EXPECT_EQ(recipe_of(plan.setup, recipe).model.quantization, recipe.model.quantization);
        TrainingSetup dense = plan.setup;
        dense.weight_bits = 0;
        EXPECT_EQ(recipe_of(dense, recipe).model.quantization, config::QuantizationRecipe());
    }
}

/// Modules that are not quantized take the bytes of the number format of products, and those that stay fp32 four.
TEST(Layouts, ModulesThatStayTakeTheirBytes) {
    config::Recipe recipe;
    recipe.model.lora.r = 8;
    recipe.model.weights = "base";
    recipe.training.mixed_precision = Precision::bf16;
    config::QuantizationRecipe& quantization = recipe.model.quantization;
    quantization.method = config::Quantization::nf4;
    const RecipePlan all = plan_of(recipe, 1);
    const auto width = static_cast<double>(recipe.model.n_embd), layers = static_cast<double>(recipe.model.n_layer);
    const double packed = part(all.model, all.setup, Part::weights), bytes = 0.5 + 4.0 / 64;
    quantization.skip_modules = {"c_fc"};
    quantization.keep_in_fp32_modules = {"transformer.h.1.attn.c_attn"};
    const double expected = packed + (2 - bytes) * layers * 4 * width * width + (4 - bytes) * 3 * width * width;
    const RecipePlan kept = plan_of(recipe, 1);
    EXPECT_DOUBLE_EQ(part(kept.model, kept.setup, Part::weights), expected);
    EXPECT_EQ(recipe_of(kept.setup, recipe).model.quantization, quantization);
    TrainingSetup typed = all.setup;  // flags and rows of the page
    set_field(typed, "skip_modules", "c_fc");
    set_field(typed, "keep_in_fp32_modules", " transformer.h.1.attn.c_attn,");
    EXPECT_DOUBLE_EQ(part(all.model, typed, Part::weights), expected);
    EXPECT_TRUE(check_setup(all.model, typed).empty());
    EXPECT_EQ(recipe_of(typed, recipe).model.quantization, quantization);
    set_field(typed, "skip_modules", "c_fc,o_proj");
    const std::vector<Problem> problems = check_setup(all.model, typed);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems.front().key, "skip_modules");
    EXPECT_THAT(problems.front().message,
                test::says_only("{}: '{}' is not a matrix of the model's blocks, which are {}", "skip_modules",
                                "o_proj", "attn.c_attn, attn.c_proj, mlp.c_fc, mlp.c_proj"));
    typed.weight_bits = 0;
    EXPECT_EQ(check_setup(all.model, typed).size(), 2u);
}

/// Falcon with one head of keys and values: every tensor parallel rank has and multiplies its whole projection.
TEST(Layouts, AProjectionWithOneKeyHeadIsWholeOnEachRank) {
    config::Recipe recipe = config::parse_recipe(
        "model: {model_type: falcon, hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 4, multi_query: true, "
        "new_decoder_architecture: false, ffn_hidden_size: 128, vocab_size: 64, max_position_embeddings: 16}\n"
        "data: {path: a, sequence_length: 16}\n",
        "/r/r.yaml");
    recipe.parallel.tp_size = 2;
    recipe.model.lora.r = 8;
    recipe.model.weights = "base";
    recipe.training.mixed_precision = Precision::bf16;
    recipe.model.quantization.method = config::Quantization::nf4;
    const RecipePlan all = plan_of(recipe, 2);
    const BlockShape& block = all.model.blocks.front();
    const double projection = 32 * (4 + 2) * 8, divided = 32 * 32 + 2 * 32 * 128;
    EXPECT_EQ(block.products_on_rank(2), projection + divided / 2);
    EXPECT_EQ(block.keys_on_rank(2), 2 * 8);
    EXPECT_EQ(block.attention_on_rank(2), 2 * 8 + 2 * 32 / 2) << "queries and output of the rank's heads";
    recipe.model.quantization.skip_modules = {"query_key_value"};
    const RecipePlan kept = plan_of(recipe, 2);
    EXPECT_DOUBLE_EQ(part(kept.model, kept.setup, Part::weights),
                     part(all.model, all.setup, Part::weights) + (2 - (0.5 + 4.0 / 64)) * 2 * projection);
}

TEST(Layouts, OffloadingMovesStateToTheHostOrTheDisk) {
    const ModelParts model = llama();
    TrainingSetup setup;
    const double state = part(model, setup, Part::optimizer);
    setup.offload_optimizer = Offload::cpu;
    EXPECT_EQ(part(model, setup, Part::optimizer), 0);
    EXPECT_EQ(part(model, setup, Part::optimizer, Place::host), state);
    setup.offload_optimizer = Offload::disk;
    EXPECT_EQ(part(model, setup, Part::optimizer, Place::disk), state);
    EXPECT_LT(part(model, setup, Part::optimizer, Place::host), state / 2);
    setup.offload_param = Offload::cpu;
    EXPECT_EQ(part(model, setup, Part::weights), 0);
    EXPECT_EQ(part(model, setup, Part::weights, Place::host), 4 * model.parameters());
}

TEST(Layouts, AProcessorOffloadsNothingToItself) {
    const ModelParts model = llama();
    TrainingSetup setup;
    const Device processor = cpu_device(64e9, 1);
    const RankMemory plain = estimate_memory(model, setup, processor).fullest();
    setup.offload_optimizer = setup.offload_param = Offload::cpu;
    const RankMemory offloaded = estimate_memory(model, setup, processor).fullest();
    EXPECT_EQ(offloaded.bytes, plain.bytes);
    EXPECT_EQ(offloaded.total(Place::host), 0);
    setup.offload_optimizer = Offload::disk;
    EXPECT_EQ(estimate_memory(model, setup, processor).fullest().bytes_of(Part::optimizer, Place::disk),
              plain.bytes_of(Part::optimizer));
}

TEST(Layouts, WhatContradictsTheModelIsNamedWithItsField) {
    const ModelParts model = llama(R"(, "max_position_embeddings": 4096)");
    TrainingSetup setup;
    setup.layout = {.tp = 3, .cp = 3, .pp = 9, .ep = 2};
    setup.sequence = 8192;
    setup.weight_bits = 4;
    std::map<std::string, std::string> problems;
    for (const Problem& problem : check_setup(model, setup))
        problems[problem.key] = problem.message;
    EXPECT_THAT(problems["tp"],
                test::says_only("tp {} does not divide the heads ({}): use {}", 3, 16, "1, 2, 4, 8 or 16"));
    EXPECT_EQ(problems.count("cp") + problems.count("pp") + problems.count("ep") + problems.count("sequence") +
                  problems.count("weight_bits"),
              5u);
    EXPECT_TRUE(check_setup(model, TrainingSetup{}).empty());
    EXPECT_THROW(split_model(model, 9, 64), UserError);
}

TEST(Layouts, SettingsSayWhatASetupIs) {
    TrainingSetup setup;
    const auto back = [&] {
        TrainingSetup read;
        read.layout.pp = setup.layout.pp;  // the recipe's
        apply_settings(read, settings_of(setup, 1));
        return read;
    };
    setup.layout.dp_replicate = 4;
    EXPECT_EQ(back().layout, setup.layout);
    for (std::int64_t stage : {1, 2, 3}) {
        setup.layout = {.dp_shard = 8};
        setup.zero_stage = stage;
        setup.accumulation = 4;
        setup.offload_optimizer = Offload::cpu;
        const TrainingSetup read = back();
        EXPECT_EQ(read.layout, setup.layout);
        EXPECT_EQ(read.zero_stage, stage);
        EXPECT_EQ(read.accumulation, 4);
        EXPECT_EQ(read.offload_optimizer, Offload::cpu);
    }
    setup.layout = {.dp_shard = 4, .tp = 2};
    EXPECT_EQ(back().layout, setup.layout);
    EXPECT_EQ(back().zero_stage, 3);
    setup.layout = {.dp_shard = 2, .tp = 2, .pp = 2};
    setup.zero_stage = 1;
    EXPECT_EQ(back().layout, setup.layout);
    EXPECT_EQ(back().zero_stage, 1);
    for (std::int64_t stage : {1, 2, 3}) {
        setup.layout = {.dp_replicate = 2, .dp_shard = 4};
        setup.zero_stage = stage;
        EXPECT_EQ(back().layout, setup.layout) << stage;
        EXPECT_EQ(back().zero_stage, stage);
    }
}

TEST(Layouts, ARecipeSaysWhatTheEngineShards) {
    const config::Recipe base = config::parse_recipe(
        "model: {n_layer: 4, n_head: 4, n_embd: 64, vocab_size: 256, n_positions: 64}\ndata: {path: a}\n", "/r/r.yaml");
    for (const Layout& layout : {Layout{.dp_shard = 8}, Layout{.dp_replicate = 2, .dp_shard = 4},
                                 Layout{.dp_shard = 4, .pp = 2}, Layout{.dp_replicate = 4, .pp = 2}}) {
        TrainingSetup setup = plan_of(base, 1).setup;
        setup.layout = layout;
        setup.zero_stage = layout.dp_shard > 1 ? 3 : 0;
        const config::Recipe recipe = recipe_of(setup, base);
        const TrainingSetup said = plan_of(recipe, layout.ranks()).setup;
        EXPECT_EQ(said.layout, layout);
        EXPECT_EQ(said.zero_stage, setup.zero_stage);
        EXPECT_EQ(recipe.parallel.pp_size, layout.pp);
        // The settings beside it agree with it.
        TrainingSetup both = said;
        apply_settings(both, settings_of(setup, 1));
        EXPECT_EQ(both.layout, layout);
        EXPECT_EQ(both.zero_stage, setup.zero_stage);
        EXPECT_EQ(config::check_recipe(recipe).size(), 0u);
    }
}

/// What New run writes: a recipe, and settings that agree with it.
TEST(Layouts, ARecipeHasEveryDimensionAdaptersAndBits) {
    const config::Recipe dense = config::parse_recipe(
                             "model: {model_type: llama, hidden_size: 64, intermediate_size: 96, num_hidden_layers: 4, "
                             "num_attention_heads: 4, num_key_value_heads: 4}\ndata: {path: a}\n",
                             "/r/r.yaml"),
                         sparse = config::parse_recipe(
                             "model: {model_type: mixtral, hidden_size: 64, intermediate_size: 96, num_hidden_layers: "
                             "4, num_attention_heads: 4, num_key_value_heads: 4, num_local_experts: 4}\n"
                             "data: {path: a}\n",
                             "/r/r.yaml");
    for (const bool has_experts : {false, true}) {
        const config::Recipe& base = has_experts ? sparse : dense;
        for (Layout layout :
             {Layout{.dp_shard = 2, .cp = 2}, Layout{.dp_shard = 2, .sp = 2}, Layout{.dp_shard = 2, .tp = 2},
              Layout{.dp_replicate = 2, .tp = 2, .pp = 2}, Layout{.dp_shard = 4}}) {
            layout.ep = has_experts ? 2 : 1;
            for (const auto& [lora, bits] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {8, 0}, {8, 8}, {8, 4}}) {
                TrainingSetup setup = plan_of(base, 1).setup;
                setup.layout = layout;
                setup.zero_stage = layout.dp_shard > 1 ? 3 : 0;
                setup.lora_rank = lora;
                setup.weight_bits = bits;
                const TrainingSetup said = plan_of(recipe_of(setup, base), layout.ranks()).setup;
                EXPECT_EQ(said.layout, layout);
                EXPECT_EQ(said.zero_stage, setup.zero_stage);
                EXPECT_EQ(said.lora_rank, lora);
                if (bits > 0) {
                    EXPECT_EQ(said.weight_bits, bits);
                }
                const settings::Settings settings = settings_of(setup, 1);
                EXPECT_NE(settings.text("distributed_type"), "MEGATRON_LM");
                TrainingSetup both = said;
                apply_settings(both, settings);
                EXPECT_EQ(both.layout, layout);
                EXPECT_EQ(both.zero_stage, setup.zero_stage);
            }
        }
    }
}

TEST(Layouts, FieldsAreReadByName) {
    TrainingSetup setup;
    for (const SetupField& field : setup_fields()) {
        const std::string before = field_text(setup, field);
        set_field(setup, field.name, before);
        EXPECT_EQ(setup, TrainingSetup{}) << field.name;
    }
    set_field(setup, "tp", "4");
    EXPECT_EQ(setup.layout.tp, 4);
    for (auto [name, value] : {std::pair{"tp", "0"},
                               {"tp", "4x"},
                               {"precision", "fp4"},
                               {"half_weights", "maybe"},
                               {"tpp", "1"},
                               {"zero_stage", "4"}})
        EXPECT_THROW(set_field(setup, name, value), UserError) << name;
}

TEST(Layouts, SettingsOfAccelerateBecomeASetup) {
    settings::Settings settings;
    settings.set("distributed_type", Value("FSDP"));
    settings.set("num_processes", Value(std::int64_t{8}));
    settings.set("mixed_precision", Value("bf16"));
    settings.set("fsdp_config.fsdp_sharding_strategy", Value("SHARD_GRAD_OP"));
    TrainingSetup setup;
    apply_settings(setup, settings);
    EXPECT_EQ(setup.zero_stage, 2);
    EXPECT_EQ(setup.layout.dp_shard, 8);
    settings.set("parallelism_config.parallelism_config_tp_size", Value(std::int64_t{2}));
    settings.set("fsdp_config.fsdp_sharding_strategy", Value("FULL_SHARD"));
    apply_settings(setup, settings);
    EXPECT_EQ(setup.zero_stage, 3);
    EXPECT_EQ(setup.layout.tp, 2);
    EXPECT_EQ(setup.layout.dp_shard, 4);
    EXPECT_EQ(setup.layout.ranks(), 8);
}

TEST(Layouts, SoDoesDeepSpeedsOwnFile) {
    settings::Settings settings;
    settings.set("distributed_type", Value("DEEPSPEED"));
    settings.set("num_processes", Value(std::int64_t{8}));
    settings.set("deepspeed_config.deepspeed_config_file",
                 Value(R"({"zero_optimization": {"stage": 3, "zero_hpz_partition_size": 4,
                     "zero_quantized_weights": true, "zero_quantized_gradients": true,
                     "offload_optimizer": {"device": "nvme"}, "offload_param": {"device": "cpu"}},
                     "train_micro_batch_size_per_gpu": 3, "gradient_accumulation_steps": 5,
                     "fp16": {"enabled": true}, "bf16": {"enabled": "auto"}})"));
    TrainingSetup setup;
    apply_settings(setup, settings);
    EXPECT_EQ(setup.zero_stage, 3);
    EXPECT_EQ(setup.zero_hpz_partition_size, 4);
    EXPECT_TRUE(setup.zero_quantized_weights && setup.zero_quantized_gradients);
    EXPECT_EQ(setup.offload_optimizer, Offload::disk);
    EXPECT_EQ(setup.offload_param, Offload::cpu);
    EXPECT_EQ(setup.batch, 3);
    EXPECT_EQ(setup.accumulation, 5);
    EXPECT_EQ(setup.precision, ProductFormat::fp16);
    EXPECT_EQ(setup.layout.dp_shard, 8);
}

}  // namespace
}  // namespace trainyard::estimate
