// SPDX-License-Identifier: GPL-3.0-or-later
// The simulated step: closed forms of time, messages, traffic and links, and its speed for thousands of ranks.

#include "estimate/step_simulation.h"

#include <algorithm>
#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "estimate/recipe_estimate.h"
#include "estimate/step_time.h"

namespace trainyard::estimate {
namespace {

ModelParts simulated_llama(int layers) {
    return model_parts(R"({"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": )" +
                           std::to_string(layers) +
                           R"(, "num_attention_heads": 16, "num_key_value_heads": 4, "intermediate_size": 4096,
                              "vocab_size": 32000})",
                       "llama");
}

Hardware gpus(std::int64_t hosts) {
    Hardware hardware;
    hardware.device = *find_device("H100");
    hardware.hosts = hosts;
    hardware.devices_per_host = 8;
    hardware.network = usual_network(hardware.device);
    return hardware;
}

/// Products only, and links without latency.
SimulationRates plain_rates() {
    SimulationRates rates;
    rates.product = 1e12;
    rates.link = rates.network = 1e30;
    return rates;
}

const Exchange* find_exchange(const SimulatedStep& step, const std::string& dimension, const std::string& operation) {
    const auto found = std::ranges::find_if(step.exchanges, [&](const Exchange& exchange) {
        return exchange.dimension == dimension && exchange.operation == operation;
    });
    return found == step.exchanges.end() ? nullptr : &*found;
}

TEST(StepSimulation, ProductsTakeTheTimeOfTheirOperations) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.accumulation = 4;
    const SimulatedStep one = simulate_step(model, setup, gpus(1), plain_rates());
    EXPECT_NEAR(one.seconds, flops_per_token(model, setup) * one.tokens / 1e12, 1e-6 * one.seconds);
    EXPECT_EQ(one.messages, 0);
    EXPECT_EQ(one.idle, 0);
    // Without exchanges, half of the matrices take half of the time, and replicas the same time.
    setup.layout.tp = 2;
    EXPECT_NEAR(simulate_step(model, setup, gpus(1), plain_rates()).seconds, one.seconds / 2, 1e-6 * one.seconds);
    setup.layout = {.dp_replicate = 8};
    const SimulatedStep replicas = simulate_step(model, setup, gpus(1), plain_rates());
    EXPECT_NEAR(replicas.seconds, one.seconds, 1e-6 * one.seconds);
    EXPECT_EQ(replicas.tokens, 8 * one.tokens);
}

TEST(StepSimulation, ThePipelineIsTheSameTable) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.layout.pp = 4;
    setup.accumulation = 12;
    for (const char* schedule : {"GPipe", "1F1B"}) {
        setup.pipeline_schedule = schedule;
        const SimulatedStep step = simulate_step(model, setup, gpus(1), plain_rates());
        ASSERT_EQ(step.stages.size(), 4u);
        double busiest = 0;
        for (const SimulatedStage& stage : step.stages)
            busiest = std::max(busiest, stage.busy);
        // The busiest stage is the last one, with the head: the others wait for it, and only the way there is idle.
        EXPECT_GT(step.seconds, busiest);
        EXPECT_LT(step.seconds, busiest * (1 + 3.0 / 12));
        EXPECT_EQ(step.stages.front().kept_micro_batches, std::string(schedule) == "GPipe" ? 12 : 4);
        const Exchange* sends = find_exchange(step, "pp", "send");
        ASSERT_NE(sends, nullptr);
        EXPECT_EQ(sends->count, 2 * 12) << "a stage in the middle sends forward and back";
        EXPECT_EQ(sends->message_bytes, 1024.0 * setup.sequence * 2);
        EXPECT_EQ(step.messages, 2 * 12 * 3);
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(step.stages[i].memory, estimate_memory(model, setup, gpus(1).device).stages[i].total());
    }
}

TEST(StepSimulation, RingsSendWhatTheirFormulasSay) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.precision = ProductFormat::no;
    setup.layout = {.dp_replicate = 2, .tp = 4};
    setup.accumulation = 3;
    SimulationRates rates = plain_rates();
    rates.link = 1e9;
    rates.latency = 1e-5;
    const SimulatedStep step = simulate_step(model, setup, gpus(1), rates);
    const Exchange* sums = find_exchange(step, "tp", "all_reduce");
    ASSERT_NE(sums, nullptr);
    const double values = 4.0 * 1024 * static_cast<double>(setup.sequence);
    EXPECT_EQ(sums->count, 3 * (4 * 8 + 2)) << "two a block forward and backward, token table and head";
    EXPECT_EQ(sums->message_bytes, values);
    EXPECT_DOUBLE_EQ(sums->sent_bytes, sums->count * 2 * values * 3 / 4);
    EXPECT_NEAR(sums->seconds, sums->sent_bytes / 1e9 + sums->count * 6 * 1e-5, 1e-9);
    const Exchange* gradients = find_exchange(step, "dp_replicate", "all_reduce");
    ASSERT_NE(gradients, nullptr);
    EXPECT_EQ(gradients->count, 1);
    EXPECT_GT(gradients->message_bytes, 4 * model.parameters() / 4) << "norms are whole";
    EXPECT_DOUBLE_EQ(gradients->sent_bytes, gradients->message_bytes);
    EXPECT_DOUBLE_EQ(step.sent_inside(), 8 * (sums->sent_bytes + gradients->sent_bytes));
    EXPECT_EQ(step.sent_between(), 0);
}

TEST(StepSimulation, MoreTensorParallelRanksThanKeyHeadsHaveCopiesOfKeys) {
    constexpr double kLayers = 8, kWidth = 1024, kOwnKeys = 2 * 64, kRanks = 4;  // keys and values of one head each
    const ModelParts model = model_parts(
        R"({"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 16,
            "num_key_value_heads": 2, "intermediate_size": 4096, "vocab_size": 32000})",
        "llama");
    TrainingSetup setup;
    setup.precision = ProductFormat::no;
    setup.layout = {.tp = 4, .cp = 2};
    const double tokens = static_cast<double>(setup.batch * setup.sequence) / 2;
    const SimulatedStep contexts = simulate_step(model, setup, gpus(1), plain_rates());
    const Exchange *gathers = find_exchange(contexts, "cp", "all_gather"),
                   *sums = find_exchange(contexts, "cp", "reduce_scatter");
    ASSERT_TRUE(gathers != nullptr && sums != nullptr);
    EXPECT_DOUBLE_EQ(gathers->message_bytes, 4 * 2 * tokens * kOwnKeys);
    EXPECT_DOUBLE_EQ(gathers->sent_bytes + sums->sent_bytes, 3 * kLayers * 4 * tokens * kOwnKeys);
    EXPECT_DOUBLE_EQ(step_time(model, setup, gpus(1)).traffic.context, gathers->sent_bytes + sums->sent_bytes);
    setup.layout = {.tp = 4, .sp = 2};
    const SimulatedStep sequences = simulate_step(model, setup, gpus(1), plain_rates());
    const Exchange* heads = find_exchange(sequences, "sp", "all_to_all");
    ASSERT_NE(heads, nullptr);
    EXPECT_DOUBLE_EQ(heads->message_bytes, 4 * tokens * (2 * kWidth / kRanks + kOwnKeys) / 4);
    // Each rank multiplies with the keys and values of its head.
    const double products =
        kLayers * ((2 * kWidth * kWidth + 3 * kWidth * 4096) / kRanks + kWidth * kOwnKeys) + 32000 * kWidth / kRanks;
    const double attention = kLayers * 4 * kWidth * static_cast<double>(setup.sequence) / kRanks;
    const double seconds = tokens * 3 * (2 * products + attention) / 1e12;
    EXPECT_NEAR(sequences.seconds, seconds, 1e-6 * seconds);
    Hardware hardware = gpus(1);
    hardware.device.flops32 = 1e12;
    hardware.device.utilisation = 1;
    EXPECT_NEAR(step_time(model, setup, hardware).compute, seconds, 1e-6 * seconds);
}

/// Each tensor parallel rank gathers the parameters that they do not divide (norms, positions, biases).
TEST(StepSimulation, ShardsOfTensorParallelRanksAreThoseOfTheOtherEstimates) {
    config::Recipe recipe;
    recipe.parallel.tp_size = 2;
    RecipePlan plan = plan_of(recipe, 4);
    plan.setup.precision = ProductFormat::no;
    plan.setup.layout = {.dp_shard = 2, .tp = 2};
    plan.setup.zero_stage = 3;
    const Exchange gathers =
        *find_exchange(simulate_step(plan.model, plan.setup, gpus(1), plain_rates()), "dp_shard", "all_gather");
    EXPECT_NEAR(step_time(plan.model, plan.setup, gpus(1)).traffic.weights, gathers.sent_bytes,
                1e-9 * gathers.sent_bytes);
    const MemoryEstimate memory = estimate_memory(plan.model, plan.setup, gpus(1).device);
    const double passes = 2 * static_cast<double>(plan.setup.accumulation);
    EXPECT_NEAR(gathers.sent_bytes / passes, memory.stages.front().bytes_of(Part::weights), 8);
}

TEST(StepSimulation, TensorParallelRanksThatShareThePositionsSendAsMuchAndComputeLess) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.precision = ProductFormat::no;
    setup.layout.tp = 4;
    SimulationRates rates = plain_rates();
    rates.link = 1e9;
    const SimulatedStep sums = simulate_step(model, setup, gpus(1), rates);
    setup.tp_sequence_parallel = true;
    const SimulatedStep parts = simulate_step(model, setup, gpus(1), rates);
    EXPECT_EQ(find_exchange(parts, "tp", "all_reduce"), nullptr);
    const Exchange* gathered = find_exchange(parts, "tp", "all_gather");
    const Exchange* scattered = find_exchange(parts, "tp", "reduce_scatter");
    ASSERT_TRUE(gathered != nullptr && scattered != nullptr);
    EXPECT_EQ(gathered->count, 4 * 8 + 2) << "two a block forward and backward, head and token table";
    EXPECT_EQ(scattered->count, 4 * 8 + 2);
    EXPECT_DOUBLE_EQ(gathered->sent_bytes + scattered->sent_bytes, find_exchange(sums, "tp", "all_reduce")->sent_bytes);
    rates.memory = 1e11;
    SimulationRates whole_rates = rates;
    setup.tp_sequence_parallel = false;
    EXPECT_LT(parts.seconds, simulate_step(model, setup, gpus(1), whole_rates).seconds);
    setup.tp_sequence_parallel = true;
    const double operations = simulate_step(model, setup, gpus(1), rates).compute - parts.compute;
    setup.tp_sequence_parallel = false;
    EXPECT_LT(operations, simulate_step(model, setup, gpus(1), rates).compute - sums.compute);
    EXPECT_LT(parts.stages[0].memory, sums.stages[0].memory);
}

/// Blocks without experts exchange no rows, and their matrices count as they are.
TEST(StepSimulation, BlocksWithoutExpertsExchangeNone) {
    const auto parts = [](const char* keys) {
        return model_parts(std::string(R"({"model_type": "qwen2_moe", "hidden_size": 256, "num_hidden_layers": 4,
            "num_attention_heads": 8, "num_key_value_heads": 4, "intermediate_size": 512, "moe_intermediate_size": 128,
            "shared_expert_intermediate_size": 64, "vocab_size": 256, "num_experts": 8, "num_experts_per_tok": 2)") +
                               keys + "}",
                           "qwen2_moe");
    };
    const ModelParts all = parts(""), some = parts(R"(, "mlp_only_layers": [0, 1, 2])");
    ASSERT_EQ(some.blocks.size(), 2u);
    EXPECT_EQ(some.blocks[0].count, 3);
    EXPECT_EQ(some.blocks[0].expert_parameters, 0);
    EXPECT_EQ(some.blocks[0].parameters - all.blocks[0].parameters,
              3.0 * 256 * 512 - (8 * 3.0 * 256 * 128 + 3.0 * 256 * 64 + 8 * 256 + 256));
    EXPECT_EQ(some.blocks[1].parameters, all.blocks[0].parameters);
    EXPECT_EQ(some.experts, 8);
    TrainingSetup setup;
    setup.layout = {.dp_replicate = 2, .ep = 2};
    const SimulatedStep of_all = simulate_step(all, setup, gpus(1), plain_rates()),
                        of_some = simulate_step(some, setup, gpus(1), plain_rates());
    const Exchange *rows = find_exchange(of_all, "ep", "all_to_all"),
                   *fewer = find_exchange(of_some, "ep", "all_to_all");
    ASSERT_TRUE(rows != nullptr && fewer != nullptr);
    EXPECT_EQ(rows->count, 4 * fewer->count);
    EXPECT_EQ(rows->message_bytes, fewer->message_bytes);
    // A stage without experts exchanges nothing of them.
    setup.layout.pp = 2;
    setup.accumulation = 4;
    const SimulatedStep stages = simulate_step(some, setup, gpus(1), plain_rates());
    const Exchange* of_stage = find_exchange(stages, "ep", "all_to_all");
    ASSERT_NE(of_stage, nullptr);
    EXPECT_EQ(of_stage->count, 4 * fewer->count);
}

TEST(StepSimulation, TheFullestRankOfExpertsAndTheirCapacityCount) {
    const ModelParts model = model_parts(
        R"({"model_type": "mixtral", "hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 8,
            "num_key_value_heads": 4, "intermediate_size": 512, "vocab_size": 256, "num_local_experts": 8,
            "num_experts_per_tok": 2, "max_position_embeddings": 1024})",
        "mixtral");
    TrainingSetup setup;
    setup.layout = {.dp_replicate = 2, .ep = 2};
    SimulationRates rates = plain_rates();
    rates.expert_load = 1;
    const double even = simulate_step(model, setup, gpus(1), rates).seconds;
    rates.expert_load = 2;
    const double uneven = simulate_step(model, setup, gpus(1), rates).seconds;
    // 2 of 8 experts of three matrices a token, three times an operation of two.
    EXPECT_NEAR(uneven - even, 6 * 4 * 2 * 3 * 256.0 * 512 * static_cast<double>(setup.sequence) / 1e12, 1e-3 * even);
    // So do the operations on the rows, which are values between the products, inputs and outputs; the rows that are
    // copied for the exchange are of bf16, too.
    SimulationRates slow = rates;
    slow.memory = 1e10;
    const auto operations = [&](double load) {
        slow.expert_load = rates.expert_load = load;
        return simulate_step(model, setup, gpus(1), slow).compute - simulate_step(model, setup, gpus(1), rates).compute;
    };
    const double rows = 2 * 4.0 * static_cast<double>(setup.sequence);  // bytes
    EXPECT_NEAR(operations(2) - operations(1),
                rows * ((3 + 5) * 2 * (256 * 2 + 512 * 3) + (1 + 2) * 2 * 2 * 2 * 256) / 1e10, 1e-6 * operations(1));
    // Gradients of experts are summed over the ranks that have the same: of two ranks none.
    const SimulatedStep two = simulate_step(model, setup, gpus(1), rates);
    setup.layout.dp_replicate = 4;
    const SimulatedStep four = simulate_step(model, setup, gpus(1), rates);
    const Exchange* dense = find_exchange(two, "dp_replicate", "all_reduce");
    const Exchange* of_experts = find_exchange(four, "dp_replicate / ep", "all_reduce");
    ASSERT_TRUE(dense != nullptr && of_experts != nullptr);
    EXPECT_EQ(find_exchange(two, "dp_replicate / ep", "all_reduce"), nullptr);
    EXPECT_EQ(of_experts->ranks, 2);
    EXPECT_DOUBLE_EQ(dense->message_bytes + 2 * of_experts->message_bytes,
                     model.parameters() * (setup.half_weights ? 2 : 4));
    setup.layout.dp_replicate = 2;
    // Without a measured load it is that of the setup: a quarter more rows on the fuller of two ranks.
    rates.expert_load = 0;
    EXPECT_NEAR(simulate_step(model, setup, gpus(1), rates).seconds, even + (uneven - even) / 4, 1e-6 * even);
    const double memory = estimate_memory(model, setup, gpus(1).device).total();
    setup.expert_capacity_factor = 0.5;
    EXPECT_NEAR(simulate_step(model, setup, gpus(1), rates).seconds, even - (uneven - even) / 2, 1e-6 * even);
    EXPECT_LT(estimate_memory(model, setup, gpus(1).device).total(), memory);
    setup.expert_capacity_factor = 1.25;  // not reached
    EXPECT_EQ(estimate_memory(model, setup, gpus(1).device).total(), memory);
    // Two processors for four ranks: three ranks have 2/3 of a share each, then the fourth is twice as fast.
    setup.layout = {.dp_replicate = 4, .ep = 4};
    setup.expert_capacity_factor = 0;
    SimulationRates turns = rates;
    turns.expert_load = 1;
    const double even_turns = simulate_step(model, setup, gpus(1), turns).seconds;
    turns.expert_load = 2;
    const double own_device = simulate_step(model, setup, gpus(1), turns).seconds - even_turns;
    turns.processors = 2;
    EXPECT_NEAR(simulate_step(model, setup, gpus(1), turns).seconds, even_turns + own_device / 3, 1e-6 * even);
    setup.layout = {.dp_replicate = 2, .ep = 2};
    setup.expert_capacity_factor = 1.25;
    // A measured load has no effect where each rank has all experts.
    TrainingSetup replicas = setup;
    replicas.layout = {.dp_replicate = 2};
    replicas.expert_capacity_factor = 0;
    const double without = simulate_step(model, replicas, gpus(1), rates).seconds;
    rates.expert_load = 2;
    EXPECT_EQ(simulate_step(model, replicas, gpus(1), rates).seconds, without);
    rates.expert_load = 0;
    // Experts of one rank are full, too.
    setup.layout = {.dp_replicate = 2};
    setup.expert_capacity_factor = 0.5;
    const double full = simulate_step(model, setup, gpus(1), rates).seconds;
    EXPECT_NEAR(full, even - (uneven - even) / 2, 1e-6 * even);
    setup.expert_capacity_factor = 0;
    EXPECT_THAT(check_setup(model, setup), testing::IsEmpty());
    setup.expert_capacity_factor = 1;
    EXPECT_THAT(check_setup(simulated_llama(2), setup), testing::SizeIs(1));
}

TEST(StepSimulation, ProcessorsCopyTheMessagesOfAPipelineOnBothSides) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.precision = ProductFormat::no;
    setup.layout.pp = 2;
    setup.accumulation = 4;
    Hardware host = gpus(1);
    host.device.cpu = true;
    host.devices_per_host = 2;
    SimulationRates rates = plain_rates();
    const SimulatedStep free = simulate_step(model, setup, host, rates);
    rates.message_rate = 1e9;
    const SimulatedStep copied = simulate_step(model, setup, host, rates);
    const double message = 4.0 * 1024 * static_cast<double>(setup.sequence) / 1e9;
    EXPECT_NEAR(find_exchange(copied, "pp", "send")->seconds, 4 * message, 1e-6 * message);
    for (std::size_t i = 0; i < 2; ++i)  // it sends four and receives four, half of the time of each
        EXPECT_NEAR(copied.stages[i].busy - free.stages[i].busy, 8 * message / 2, 1e-6 * message);
}

TEST(StepSimulation, GroupsOfProcessorsCopyHardlyLessThanAllRanks) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.precision = ProductFormat::no;
    setup.layout = {.dp_replicate = 2, .tp = 2};
    Hardware host = gpus(1);
    host.device.cpu = true;
    host.devices_per_host = 4;
    SimulationRates rates = plain_rates();
    rates.link = 1e9;
    for (const char* dimension : {"tp", "dp_replicate"}) {
        const SimulatedStep step = simulate_step(model, setup, host, rates);
        const Exchange* sum = find_exchange(step, dimension, "all_reduce");
        ASSERT_NE(sum, nullptr);
        // An all-reduce of four ranks takes the time of its ring. Every rank of two groups of two copies its tensor in
        // and the result out as they do, and reads both parts of its half instead of four parts of its quarter.
        const double of_four = 2 * 3.0 / 4 * sum->message_bytes / 1e9;
        EXPECT_NEAR(sum->seconds, sum->count * of_four * (2 + 1.5 + 2) / (2 + 1.25 + 2), 1e-9 * sum->seconds);
    }
    // Two meetings in each; on one processor all four ranks take their turn.
    rates.link = 1e30;
    rates.latency = 1e-6;
    for (const double processors : {0, 1}) {
        rates.processors = processors;
        const SimulatedStep step = simulate_step(model, setup, host, rates);
        const Exchange* sum = find_exchange(step, "tp", "all_reduce");
        EXPECT_NEAR(sum->seconds, sum->count * 2 * (processors == 1 ? 3 : 1) * 1e-6, 1e-9 * sum->seconds);
    }
    // Ranks of different hosts do not share memory.
    rates = plain_rates();
    rates.network = 1e9;
    host.hosts = 4;
    host.devices_per_host = 1;
    const SimulatedStep between = simulate_step(model, setup, host, rates);
    const Exchange* sum = find_exchange(between, "tp", "all_reduce");
    EXPECT_NEAR(sum->seconds, sum->sent_bytes / 1e9, 1e-9 * sum->seconds);
}

TEST(StepSimulation, ProcessorsReadTheWeightsInEveryMicroBatch) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.precision = ProductFormat::no;
    setup.batch = 2;
    Hardware host = gpus(1);
    host.device.cpu = true;
    SimulationRates rates = plain_rates();
    rates.memory = 1e9;
    const double one = simulate_step(model, setup, host, rates).seconds;
    setup.batch = 1;
    setup.accumulation = 2;
    const double two = simulate_step(model, setup, host, rates).seconds;
    const double block = 1024.0 * 1024 * 2 + 2 * 1024 * 256 + 3 * 1024 * 4096,
                 matrices = 8 * block + 32000.0 * 1024;  // with the head
    // Forward, backward, and the gradients that are read and written.
    EXPECT_NEAR(two - one, 4 * 4 * matrices / 1e9, 1e-6 * one);
    setup.lora_rank = 8;  // without gradients of the weights
    const double adapters = simulate_step(model, setup, host, rates).compute;
    setup.batch = 2;
    setup.accumulation = 1;
    EXPECT_NEAR(adapters - simulate_step(model, setup, host, rates).compute, 2 * 4 * matrices / 1e9, 1e-6 * one);
}

TEST(StepSimulation, GradientsOfAdaptersAloneTravel) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.precision = ProductFormat::no;
    setup.layout.dp_replicate = 2;
    setup.lora_rank = 16;
    const SimulatedStep step = simulate_step(model, setup, gpus(1), plain_rates());
    const Exchange* gradients = find_exchange(step, "dp_replicate", "all_reduce");
    ASSERT_NE(gradients, nullptr);
    // A and B of queries, keys, values and output, gate, up and down of each block.
    const double sides = 2048 + 2 * (1024 + 256) + 2048 + 3 * (1024 + 4096);
    EXPECT_DOUBLE_EQ(gradients->message_bytes, 4.0 * 16 * 8 * sides);
    // The other prediction of a step's bytes is the same: a ring of two ranks sends each gradient once.
    EXPECT_DOUBLE_EQ(step_time(model, setup, gpus(1)).traffic.gradients, 4.0 * 16 * 8 * sides);
}

/// A recipe's adapters have the rank and the modules that it names, in memory, in traffic and in time.
TEST(StepSimulation, AdaptersOfARecipeAreThoseOfItsModules) {
    config::Recipe recipe;
    recipe.model.lora.r = 512;  // adapters as large as a third of the model
    recipe.model.lora.target_modules = {"c_attn", "mlp.c_fc"};
    const auto width = static_cast<double>(recipe.model.n_embd), layers = static_cast<double>(recipe.model.n_layer);
    const double adapters = 512 * layers * (width + 3 * width + width + 4 * width);
    const auto bytes_of = [&](double expected) {
        const RecipePlan plan = plan_of(recipe, 2);
        const MemoryEstimate memory = estimate_memory(plan.model, plan.setup, *find_device("H100"));
        EXPECT_NEAR(memory.trained_count, expected, 1);
        EXPECT_NEAR(memory.fullest().bytes_of(Part::gradients), 4 * expected, 4);
        EXPECT_NEAR(step_time(plan.model, plan.setup, gpus(1)).traffic.gradients, 4 * expected, 4);
        const SimulatedStep step = simulate_step(plan.model, plan.setup, gpus(1), plain_rates());
        EXPECT_NEAR(find_exchange(step, "dp_replicate", "all_reduce")->message_bytes, 4 * expected, 4);
        return plan;
    };
    const RecipePlan plan = bytes_of(adapters);
    EXPECT_GT(adapters, 0.1 * plan.model.parameters());
    recipe.model.lora.target_modules = {"all-linear"};
    EXPECT_NEAR(bytes_of(512 * layers * (4 + 2 + 5 + 5) * width).setup.adapted_share, 1, 1e-12);
    // Modules that are trained whole beside them count, too.
    recipe.model.lora.target_modules = {"c_attn"};
    recipe.model.lora.modules_to_save = {"ln_f"};
    bytes_of(512 * layers * 4 * width + 2 * width);
}

TEST(StepSimulation, LinksBetweenHostsAreThoseOfTheMesh) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.layout = {.dp_replicate = 4, .tp = 8};
    const SimulatedStep inside = simulate_step(model, setup, gpus(4), usual_rates(setup, gpus(4)));
    EXPECT_FALSE(find_exchange(inside, "tp", "all_reduce")->between_hosts);
    const Exchange* gradients = find_exchange(inside, "dp_replicate", "all_reduce");
    EXPECT_TRUE(gradients->between_hosts);
    // Every rank of a host sends its gradients to the same rank of the next host.
    std::vector<std::pair<int, int>> between;
    for (const LinkTraffic& link : inside.links)
        if (link.from != link.to) {
            between.emplace_back(link.from, link.to);
            EXPECT_DOUBLE_EQ(link.bytes, 8 * gradients->sent_bytes);
        }
    EXPECT_THAT(between, testing::ElementsAre(std::pair(0, 1), std::pair(1, 2), std::pair(2, 3), std::pair(3, 0)));
    // Tensor parallel ranks on two hosts take longer than inside a host.
    setup.layout = {.dp_replicate = 2, .tp = 16};
    const SimulatedStep across = simulate_step(model, setup, gpus(4), usual_rates(setup, gpus(4)));
    EXPECT_TRUE(find_exchange(across, "tp", "all_reduce")->between_hosts);
    EXPECT_GT(find_exchange(across, "tp", "all_reduce")->seconds,
              2 * find_exchange(inside, "tp", "all_reduce")->seconds);
}

TEST(StepSimulation, ProcessorsServeSomeRanksAtATime) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.layout.pp = 4;
    setup.accumulation = 8;
    Hardware host = gpus(1);
    host.devices_per_host = 4;
    SimulationRates rates = plain_rates();
    const SimulatedStep own = simulate_step(model, setup, host, rates);
    // All four at a time, each at a quarter of the speed: one processor for the work of all.
    rates.processors = 1;
    rates.product /= 4;
    const SimulatedStep shared = simulate_step(model, setup, host, rates);
    EXPECT_NEAR(shared.seconds, flops_per_token(model, setup) * shared.tokens / 1e12, 1e-6 * shared.seconds);
    EXPECT_LT(own.seconds, shared.seconds);
}

TEST(StepSimulation, ZeroPlusPlusSendsWhatItsFormulasSay) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.layout.dp_shard = 16;
    setup.zero_stage = 3;
    setup.accumulation = 2;
    const auto sent = [&](const std::string& dimension, const std::string& operation) {
        const SimulatedStep step = simulate_step(model, setup, gpus(2), plain_rates());
        const Exchange* found = find_exchange(step, dimension, operation);
        return found == nullptr ? 0.0 : found->sent_bytes;
    };
    const auto between = [&] { return simulate_step(model, setup, gpus(2), plain_rates()).sent_between(); };
    const double weights = sent("dp_shard", "all_gather"), gradients = sent("dp_shard", "reduce_scatter"),
                 plain_between = between();
    EXPECT_GT(weights, 0);
    // A second copy on each host: of four gathers of a step one is over both hosts.
    setup.zero_hpz_partition_size = 8;
    EXPECT_NEAR(sent("dp_shard", "all_gather"), weights / 4, 1e-6 * weights);
    EXPECT_NEAR(sent("dp_shard (hpz)", "all_gather"), weights * 3 / 4 * (7.0 / 8) / (15.0 / 16), 1e-6 * weights);
    EXPECT_LT(between(), plain_between);
    // 8 and 4 bits and a scale for each 128 elements instead of 16 and 32 bits.
    setup.zero_hpz_partition_size = 1;
    setup.zero_quantized_weights = setup.zero_quantized_gradients = true;
    EXPECT_NEAR(sent("dp_shard", "all_gather"), weights * (1 + 4.0 / 128) / 2, 1e-6 * weights);
    EXPECT_NEAR(sent("dp_shard", "all_to_all"), gradients * (0.5 + 4.0 / 128) / 4, 1e-6 * gradients);
    EXPECT_EQ(sent("dp_shard", "reduce_scatter"), 0);
    // Modules that stay whole are gathered once, after the update.
    setup.zero_quantized_weights = setup.zero_quantized_gradients = false;
    setup.ignored_share = 1;
    EXPECT_NEAR(sent("dp_shard", "all_gather"), weights / 4, 1e-6 * weights);
    // The other prediction of a step's bytes is the same.
    for (const std::int64_t copies : {1, 8})
        for (const bool codes : {false, true}) {
            setup.ignored_share = 0;
            setup.zero_hpz_partition_size = copies;
            setup.zero_quantized_weights = setup.zero_quantized_gradients = codes;
            const StepTraffic traffic = step_time(model, setup, gpus(2)).traffic;
            EXPECT_NEAR(traffic.weights, sent("dp_shard", "all_gather") + sent("dp_shard (hpz)", "all_gather"),
                        1e-6 * weights);
            EXPECT_NEAR(traffic.gradients, sent("dp_shard", codes ? "all_to_all" : "reduce_scatter"), 1e-6 * gradients);
        }
    setup.zero_hpz_partition_size = 3;
    EXPECT_THROW(simulate_step(model, setup, gpus(2), plain_rates()), InvalidInput);
}

TEST(StepSimulation, LargeTensorsHaveTheRateOfTheirSize) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.precision = ProductFormat::no;
    setup.layout.dp_replicate = 8;
    SimulationRates rates = plain_rates();
    const double bytes = 4 * model.parameters();
    const auto seconds = [&](std::vector<LinkRate> links) {
        rates.links = std::move(links);
        return find_exchange(simulate_step(model, setup, gpus(1), rates), "dp_replicate", "all_reduce")->seconds;
    };
    const double sent = 2 * bytes * 7 / 8;
    EXPECT_NEAR(seconds({{1e3, 8e9}, {1e6, 4e9}}), sent / 4e9, 1e-6 * sent / 4e9) << "beyond the last one";
    EXPECT_NEAR(seconds({{2 * bytes, 2e9}, {4 * bytes, 1e9}}), sent / 2e9, 1e-6 * sent / 2e9) << "before the first one";
    EXPECT_NEAR(seconds({{bytes / 10, 3e9}, {bytes * 10, 1e9}}), sent / 2e9, 1e-6 * sent / 2e9) << "between two";
}

TEST(StepSimulation, SignsAreAnEighthOfAByteEachWay) {
    const ModelParts model = simulated_llama(8);
    TrainingSetup setup;
    setup.layout.dp_replicate = 8;
    SimulationRates rates = plain_rates();
    rates.memory = 1e12;
    rates.link = 1e9;
    const SimulatedStep plain = simulate_step(model, setup, gpus(1), rates);
    for (const char* name : {"onebit_adam", "zero_one_adam"}) {
        setup.optimizer = name;
        const SimulatedStep step = simulate_step(model, setup, gpus(1), rates);
        EXPECT_EQ(find_exchange(step, "dp_replicate", "all_reduce"), nullptr) << name;
        for (const char* operation : {"all_to_all", "all_gather"}) {
            const Exchange* signs = find_exchange(step, "dp_replicate", operation);
            ASSERT_NE(signs, nullptr) << name << " " << operation;
            EXPECT_EQ(signs->count, 1);
            EXPECT_NEAR(signs->message_bytes, model.parameters() / 8, 1);
            EXPECT_NEAR(signs->sent_bytes, model.parameters() / 8 * 7 / 8, 1);
        }
        EXPECT_NEAR(step_time(model, setup, gpus(1)).traffic.gradients, step.sent_inside() / 8, 1);
        EXPECT_GT(step.update, 3 * plain.update) << "signs are made and added up";
    }
    // A rank alone exchanges nothing.
    setup.layout.dp_replicate = 1;
    EXPECT_TRUE(simulate_step(model, setup, gpus(1), rates).exchanges.empty());
}

TEST(StepSimulation, FourThousandRanksTakeAMomentAndKeepTheirMesh) {
    const ModelParts model = simulated_llama(64);
    TrainingSetup setup;
    setup.layout = {.dp_replicate = 2, .dp_shard = 16, .tp = 8, .pp = 16};
    setup.zero_stage = 2;
    setup.accumulation = 64;
    const auto begin = std::chrono::steady_clock::now();
    const SimulatedStep step = simulate_step(model, setup, gpus(512), usual_rates(setup, gpus(512)));
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 2);
    EXPECT_EQ(step.ranks(), 4096);
    EXPECT_EQ(step.host_of(4095), 511);
    EXPECT_EQ(step.stages.size(), 16u);
    EXPECT_GT(step.sent_between(), 0);
    EXPECT_LE(step.fullest_link(), step.sent_between());
    setup.layout.dp_replicate = 1 << 20;
    EXPECT_THROW(simulate_step(model, setup, gpus(512), usual_rates(setup, gpus(512))), UserError);
    setup.layout = {.tp = 3};
    EXPECT_THROW(simulate_step(model, setup, gpus(1), usual_rates(setup, gpus(1))), InvalidInput);
}

TEST(StepSimulation, SuggestedLayoutsKeepTheSamplesAndTensorParallelRanksInAHost) {
    const ModelParts model = simulated_llama(32);
    TrainingSetup setup;
    setup.batch = 4;
    setup.layout.dp_replicate = 16;
    const auto found = suggest_layouts(model, setup, gpus(2), 16, [](const TrainingSetup&) { return true; });
    ASSERT_GT(found.size(), 3u);
    for (const TrainingSetup& layout : found) {
        EXPECT_EQ(layout.layout.ranks(), 16);
        EXPECT_LE(layout.layout.tp, 8);
        EXPECT_EQ(layout.batch * layout.accumulation * layout.layout.data_ranks(), 4 * 16);
    }
    const auto none = suggest_layouts(model, setup, gpus(2), 16, [](const TrainingSetup&) { return false; });
    EXPECT_TRUE(none.empty());
    // A model that no replica can hold is divided.
    TrainingSetup large = setup;
    large.layout.dp_replicate = 16;
    const ModelParts huge = model_parts(
        R"({"model_type": "llama", "hidden_size": 8192, "num_hidden_layers": 40, "num_attention_heads": 64,
            "num_key_value_heads": 8, "intermediate_size": 28672, "vocab_size": 32000})",
        "llama");
    const auto divided = suggest_layouts(huge, large, gpus(2), 16, [](const TrainingSetup&) { return true; });
    ASSERT_FALSE(divided.empty());
    EXPECT_GT(divided.front().layout.tp * divided.front().layout.pp, 1);
}

}  // namespace
}  // namespace trainyard::estimate
