// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch asks of a program by Accelerate's variables: it acts on the program's own modules, or is refused by
// its key.

#include <atomic>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accelerator/plugin_variables.h"
#include "accelerator/training.h"
#include "base/error.h"
#include "support/says.h"

namespace trainyard {
namespace {

using testing::HasSubstr;

/// Variables that are set as long as it lives.
class Variables {
  public:
    explicit Variables(const std::map<std::string, std::string>& values) : values_(values) {
        for (const auto& [name, value] : values_)
            ::setenv(name.c_str(), value.c_str(), 1);
    }
    ~Variables() {
        for (const auto& [name, value] : values_)
            ::unsetenv(name.c_str());
    }
    Variables(const Variables&) = delete;
    Variables& operator=(const Variables&) = delete;

  private:
    std::map<std::string, std::string> values_;
};

struct Small : torch::nn::Module {
    Small() { line = register_module("line", torch::nn::Linear(4, 4)); }
    at::Tensor forward(const at::Tensor& x) { return line(x).tanh(); }
    torch::nn::Linear line{nullptr};
};
struct Large : torch::nn::Module {
    Large() {
        up = register_module("up", torch::nn::Linear(4, 32));
        down = register_module("down", torch::nn::Linear(32, 4));
    }
    at::Tensor forward(const at::Tensor& x) {
        ++forwards;
        return down(up(x).relu());
    }
    int forwards = 0;
    torch::nn::Linear up{nullptr}, down{nullptr};
};
struct Blocks : torch::nn::Module {
    Blocks()
        : small(accelerator::wrap_block(register_module("small", std::make_shared<Small>()))),
          large(accelerator::wrap_block(register_module("large", std::make_shared<Large>()))) {}
    at::Tensor forward(const at::Tensor& x) { return large(small(x)); }
    std::vector<accelerator::Block*> blocks() { return {&small, &large}; }
    accelerator::CheckpointWrapper<Small> small;
    accelerator::CheckpointWrapper<Large> large;
};

const std::map<std::string, std::string> kUnsharded{{"ACCELERATE_USE_FSDP", "true"},
                                                    {"FSDP_VERSION", "1"},
                                                    {"FSDP_SHARDING_STRATEGY", "NO_SHARD"},
                                                    {"FSDP_OFFLOAD_PARAMS", "false"},
                                                    {"FSDP_ACTIVATION_CHECKPOINTING", "true"}};

std::map<std::string, std::string> with(std::map<std::string, std::string> values,
                                        const std::map<std::string, std::string>& more) {
    for (const auto& [name, value] : more)
        values[name] = value;
    return values;
}

TEST(Plugins, ActivationCheckpointingOfTheLaunchActsOnBlocks) {
    struct Expected {
        std::map<std::string, std::string> more;
        bool small, large;
    };
    for (const Expected& each : std::vector<Expected>{
             {{}, true, true},
             {{{"FSDP_AUTO_WRAP_POLICY", "NO_WRAP"}}, true, true},
             {{{"FSDP_ACTIVATION_CHECKPOINTING", "false"}}, false, false},
             {{{"FSDP_AUTO_WRAP_POLICY", "TRANSFORMER_BASED_WRAP"}, {"FSDP_TRANSFORMER_CLS_TO_WRAP", "Large"}},
              false,
              true},
             {{{"FSDP_AUTO_WRAP_POLICY", "TRANSFORMER_BASED_WRAP"}, {"FSDP_TRANSFORMER_CLS_TO_WRAP", "Large, Small"}},
              true,
              true},
             {{{"FSDP_AUTO_WRAP_POLICY", "SIZE_BASED_WRAP"}, {"FSDP_MIN_NUM_PARAMS", "100"}}, false, true},
             {{{"FSDP_AUTO_WRAP_POLICY", "SIZE_BASED_WRAP"}, {"FSDP_MIN_NUM_PARAMS", "5"}}, true, true}}) {
        const Variables variables(with(kUnsharded, each.more));
        Accelerator accelerator({}, test::alone());
        auto net = std::make_shared<Blocks>();
        auto model = accelerator.prepare(net);
        EXPECT_EQ(net->small.is_checkpointed(), each.small);
        EXPECT_EQ(net->large.is_checkpointed(), each.large);
        auto scope = accelerator.accumulate(model);
        accelerator.backward(model(at::full({2, 4}, 1.0)).mean());
        EXPECT_EQ(net->large->forwards, each.large ? 2 : 1);
        // Not of a model that is not trained.
        auto still = std::make_shared<Blocks>();
        auto prepared = accelerator.prepare_model(still, {.evaluation_mode = true});
        EXPECT_FALSE(still->small.is_checkpointed() || still->large.is_checkpointed());
    }
}

TEST(Plugins, ActivationCheckpointingNeedsBlocks) {
    const Variables variables(kUnsharded);
    Accelerator accelerator({}, test::alone());
    EXPECT_THAT([&] { accelerator.prepare(std::make_shared<test::Net>()); },
                testing::ThrowsMessage<UserError>(HasSubstr("give it blocks()")));
    const Variables other(
        {{"FSDP_AUTO_WRAP_POLICY", "TRANSFORMER_BASED_WRAP"}, {"FSDP_TRANSFORMER_CLS_TO_WRAP", "BertLayer"}});
    Accelerator second({}, test::alone());
    EXPECT_THAT([&] { second.prepare(std::make_shared<Blocks>()); },
                testing::ThrowsMessage<UserError>(HasSubstr("'BertLayer'")));
}

TEST(Plugins, StagesOfTheLaunchShareOut) {
    for (const auto& [stage, shares] :
         std::map<std::string, bool>{{"0", false}, {"1", true}, {"2", true}, {"3", true}, {"", true}}) {
        const Variables variables({{"ACCELERATE_USE_DEEPSPEED", "true"}, {"ACCELERATE_DEEPSPEED_ZERO_STAGE", stage}});
        test::on_ranks(2, [&, shares = shares](std::shared_ptr<parallel::ProcessState> process) {
            Accelerator accelerator({}, std::move(process));
            auto model = accelerator.prepare(std::make_shared<test::Net>());
            EXPECT_EQ(model.model().flat() != nullptr, shares);
            EXPECT_EQ(model.model().data_parallel() == nullptr, shares);
        });
    }
}

/// The first weight after one step of a gradient that is 4 everywhere.
double after_a_step(const std::map<std::string, std::string>& variables, int ranks, double own_clipping = 0) {
    const Variables set(variables);
    double weight = 0;
    test::on_ranks(ranks, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        struct Four : torch::nn::Module {
            Four() { weight = register_parameter("weight", at::full({4}, 1.0)); }
            at::Tensor forward(const at::Tensor& x) { return weight.mul(x).sum(); }
            at::Tensor weight;
        };
        Accelerator accelerator({}, std::move(process));
        auto net = std::make_shared<Four>();
        auto model = accelerator.prepare(net);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.5));
        auto scope = accelerator.accumulate(model);
        accelerator.backward(model(at::full({4}, 4.0)));
        if (own_clipping > 0)
            accelerator.clip_grad_norm(model, own_clipping);
        optimizer->step();
        const NamedTensors state = accelerator.get_state_dict(model);
        if (rank == 0)
            weight = state.front().second[0].item<double>();
    });
    return weight;
}

TEST(Plugins, GradientClippingOfTheLaunch) {
    for (const int ranks : {1, 2})
        for (const char* stage : {"0", "1", "2", "3"}) {
            std::map<std::string, std::string> variables{{"ACCELERATE_USE_DEEPSPEED", "true"},
                                                         {"ACCELERATE_DEEPSPEED_ZERO_STAGE", stage}};
            EXPECT_NEAR(after_a_step(variables, ranks), -1, 1e-6);  // 1 - 0.5 * 4
            for (const char* none : {"auto", "0", "0.0"})
                EXPECT_NEAR(after_a_step(with(variables, {{"ACCELERATE_GRADIENT_CLIPPING", none}}), ranks), -1, 1e-6);
            variables["ACCELERATE_GRADIENT_CLIPPING"] = "2.0";  // the norm is 8: gradients of 1
            EXPECT_NEAR(after_a_step(variables, ranks), 0.5, 1e-5) << ranks << stage;
            EXPECT_NEAR(after_a_step(variables, ranks, 4), 0, 1e-5);  // the program's own comes first
        }
}

TEST(Plugins, WhatTheLibraryDoesNotDoIsRefusedByItsKey) {
    const std::map<std::string, std::string> deepspeed{{"ACCELERATE_USE_DEEPSPEED", "true"}},
        fsdp{{"ACCELERATE_USE_FSDP", "true"}}, mesh{{"ACCELERATE_USE_PARALLELISM_CONFIG", "true"}};
    struct Refused {
        std::map<std::string, std::string> variables;
        std::string words;
    };
    for (const Refused& each : std::vector<Refused>{
             {with(deepspeed, {{"ACCELERATE_DEEPSPEED_ZERO_STAGE", "two"}}), "ACCELERATE_DEEPSPEED_ZERO_STAGE"},
             {with(deepspeed, {{"ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_DEVICE", "nvme"}}), "offload_param_device nvme"},
             {with(deepspeed, {{"ACCELERATE_DEEPSPEED_CONFIG_FILE", "ds.json"}}), "ds.json is not an existing"},
             {with(deepspeed, {{"ACCELERATE_DEEPSPEED_CONFIG_FILE", R"({"optimizer": {"type": "AdamW"}})"}}),
              "zero_optimization is missing in DeepSpeed's file"},
             {with(deepspeed, {{"ACCELERATE_DEEPSPEED_CONFIG_FILE",
                                R"({"zero_optimization": {"stage": 1}, "tensorboard": {"enabled": true}})"}}),
              "a program on this library decides it itself"},
             {with(deepspeed, {{"ACCELERATE_DEEPSPEED_CONFIG_FILE", R"({"warp": 9})"}}), "warp 9 of"},
             {with(deepspeed, {{"ACCELERATE_GRADIENT_CLIPPING", "much"}}), "gradient_clipping much"},
             {with(fsdp, {{"FSDP_STATE_DICT_TYPE", "WHOLE"}}), "fsdp_state_dict_type WHOLE"},
             {with(fsdp, {{"FSDP_STATE_DICT_TYPE", "2"}}), "fsdp_state_dict_type LOCAL_STATE_DICT"},
             {with(with(fsdp, mesh), {{"FSDP_VERSION", "2"}, {"PARALLELISM_CONFIG_DP_SHARD_SIZE", "4"}}),
              "the mesh (dp_replicate 1 × dp_shard 4) needs 4 ranks instead of 1"},
             {with(kUnsharded, {{"FSDP_AUTO_WRAP_POLICY", "OTHER"}}), "fsdp_auto_wrap_policy OTHER"},
             {{{"ACCELERATE_USE_MEGATRON_LM", "true"}}, "MEGATRON_LM"},
             {with(mesh, {{"PARALLELISM_CONFIG_TP_SIZE", "2"}}), "parallelism_config_tp_size 2"},
             {with(mesh, {{"PARALLELISM_CONFIG_DP_SHARD_SIZE", "2"}}), "parallelism_config_dp_shard_size 2"}}) {
        const Variables variables(each.variables);
        EXPECT_THAT([&] { Accelerator({}, test::alone()); }, testing::ThrowsMessage<UserError>(HasSubstr(each.words)));
    }
    {
        const Variables none(with(deepspeed, {{"ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_DEVICE", "none"},
                                              {"ACCELERATE_DEEPSPEED_ZERO3_INIT", "false"}}));
        EXPECT_NO_THROW(Accelerator({}, test::alone()));
    }
    // Leaf modules are of stage 3 alone, and must be blocks of the model.
    const Variables experts(with(deepspeed, {{"ACCELERATE_DEEPSPEED_MOE_LAYER_CLS_NAMES", "Mixtral"}}));
    Accelerator second({}, test::alone());
    EXPECT_NO_THROW(second.prepare(std::make_shared<Blocks>()));
    const Variables third_stage(with(deepspeed, {{"ACCELERATE_DEEPSPEED_ZERO_STAGE", "3"}}));
    Accelerator third({}, test::alone());
    EXPECT_THAT([&] { third.prepare(std::make_shared<Blocks>()); },
                testing::ThrowsMessage<UserError>(HasSubstr("'Mixtral'")));
}

/// Ranks on processors have in main memory what these settings move there; devices keep it.
TEST(Plugins, OffloadingToTheHostIsThereOnProcessors) {
    const std::map<std::string, std::string> deepspeed{{"ACCELERATE_USE_DEEPSPEED", "true"}},
        fsdp{{"ACCELERATE_USE_FSDP", "true"}};
    struct Moved {
        std::map<std::string, std::string> variables;
        std::string words;
    };
    for (const Moved& each :
         std::vector<Moved>{{with(deepspeed, {{"ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_DEVICE", "cpu"}}),
                             "offload_optimizer_device cpu"},
                            {with(with(deepspeed, {{"ACCELERATE_DEEPSPEED_ZERO_STAGE", "3"}}),
                                  {{"ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_DEVICE", "cpu"}}),
                             "offload_param_device cpu"},
                            {with(fsdp, {{"FSDP_OFFLOAD_PARAMS", "true"}}), "fsdp_offload_params true"},
                            {with(kUnsharded, {{"FSDP_ACTIVATION_CHECKPOINTING_OFFLOAD", "true"}}),
                             "fsdp_activation_checkpointing_offload true"}}) {
        const Variables variables(each.variables);
        EXPECT_NO_THROW(accelerator::read_plugins({.on_cpu = true})) << each.words;
        EXPECT_THAT([] { accelerator::read_plugins({.on_cpu = false}); },
                    testing::ThrowsMessage<UserError>(HasSubstr(each.words)));
    }
}

TEST(Plugins, ZeroPlusPlusOfDeepSpeedsFileActs) {
    const std::string file = R"({"zero_optimization": {"stage": 3, "zero_hpz_partition_size": 2,
        "zero_quantized_weights": true, "zero_quantized_gradients": true}})";
    const Variables variables({{"ACCELERATE_USE_DEEPSPEED", "true"}, {"ACCELERATE_DEEPSPEED_CONFIG_FILE", file}});
    const accelerator::ShardingOptions how = accelerator::read_plugins({.processes = 4}).sharding;
    EXPECT_EQ(how.zero_hpz_partition_size, 2);
    EXPECT_TRUE(how.zero_quantized_weights);
    EXPECT_TRUE(how.zero_quantized_gradients);
}

TEST(Plugins, OptimizerStateGoesToTheDiskThatTheLaunchNames) {
    const std::map<std::string, std::string> second{{"ACCELERATE_USE_DEEPSPEED", "true"},
                                                    {"ACCELERATE_DEEPSPEED_ZERO_STAGE", "2"},
                                                    {"ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_DEVICE", "nvme"}};
    {
        const Variables variables(with(second, {{"ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_NVME_PATH", "/fast"}}));
        EXPECT_EQ(accelerator::read_plugins({.on_cpu = true}).sharding.offload_optimizer_folder, "/fast");
        EXPECT_THAT([] { accelerator::read_plugins({.on_cpu = false}); },
                    testing::ThrowsMessage<UserError>(HasSubstr("offload_optimizer_device nvme")));
    }
    {
        const Variables usual(second);
        EXPECT_EQ(accelerator::read_plugins({.on_cpu = true}).sharding.offload_optimizer_folder, "/nvme");
    }
    const Variables file({{"ACCELERATE_USE_DEEPSPEED", "true"},
                          {"ACCELERATE_DEEPSPEED_CONFIG_FILE",
                           R"({"zero_optimization": {"stage": 1,
                               "offload_optimizer": {"device": "nvme", "nvme_path": "/other"}}})"}});
    EXPECT_EQ(accelerator::read_plugins({.on_cpu = true}).sharding.offload_optimizer_folder, "/other");
}

TEST(Plugins, WeightsGoToTheDiskThatTheLaunchNames) {
    const std::map<std::string, std::string> third{{"ACCELERATE_USE_DEEPSPEED", "true"},
                                                   {"ACCELERATE_DEEPSPEED_ZERO_STAGE", "3"},
                                                   {"ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_DEVICE", "nvme"}};
    {
        const Variables variables(with(third, {{"ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_NVME_PATH", "/fast"}}));
        EXPECT_EQ(accelerator::read_plugins({.on_cpu = true}).sharding.offload_folder, "/fast");
        EXPECT_THAT([] { accelerator::read_plugins({.on_cpu = false}); },
                    testing::ThrowsMessage<UserError>(HasSubstr("offload_param_device nvme")));
    }
    const Variables usual(third);
    EXPECT_EQ(accelerator::read_plugins({.on_cpu = true}).sharding.offload_folder, "/nvme");
}

TEST(Plugins, StrategiesOfTheLaunchDivideWeights) {
    struct Expected {
        std::map<std::string, std::string> more;
        accelerator::Launch launch;
        std::int64_t stage;
        bool by_block, reshards;
        std::int64_t replicas;
        accelerator::StateDictType state_dict;
    };
    using accelerator::StateDictType;
    const std::map<std::string, std::string> second{{"FSDP_VERSION", "2"}},
        mesh = with(second, {{"ACCELERATE_USE_PARALLELISM_CONFIG", "true"}});
    for (const Expected& each : std::vector<Expected>{
             {{}, {}, 3, false, true, 1, StateDictType::full},
             {{{"FSDP_SHARDING_STRATEGY", "1"}}, {}, 3, false, true, 1, StateDictType::full},
             {{{"FSDP_SHARDING_STRATEGY", "SHARD_GRAD_OP"}}, {}, 2, false, true, 1, StateDictType::full},
             {{{"FSDP_SHARDING_STRATEGY", "NO_SHARD"}}, {}, 0, false, true, 1, StateDictType::full},
             {{{"FSDP_SHARDING_STRATEGY", "HYBRID_SHARD"}}, {true, 4, 2}, 3, false, true, 2, StateDictType::full},
             {{{"FSDP_SHARDING_STRATEGY", "HYBRID_SHARD"}}, {true, 4, 4}, 3, false, true, 1, StateDictType::full},
             {{{"FSDP_SHARDING_STRATEGY", "HYBRID_SHARD_ZERO2"}}, {true, 4, 2}, 2, false, true, 2, StateDictType::full},
             {second, {}, 3, false, true, 1, StateDictType::sharded},
             {with(second, {{"FSDP_RESHARD_AFTER_FORWARD", "false"}}), {}, 2, false, true, 1, StateDictType::sharded},
             {with(second, {{"FSDP_AUTO_WRAP_POLICY", "SIZE_BASED_WRAP"}}),
              {},
              3,
              true,
              true,
              1,
              StateDictType::sharded},
             {with(second, {{"FSDP_STATE_DICT_TYPE", "FULL_STATE_DICT"}}), {}, 3, false, true, 1, StateDictType::full},
             {with(mesh, {{"PARALLELISM_CONFIG_DP_REPLICATE_SIZE", "2"}, {"PARALLELISM_CONFIG_DP_SHARD_SIZE", "2"}}),
              {true, 4, 4},
              3,
              false,
              true,
              2,
              StateDictType::sharded}}) {
        const Variables variables(with({{"ACCELERATE_USE_FSDP", "true"}}, each.more));
        const accelerator::Plugins plugins = accelerator::read_plugins(each.launch);
        const std::string what = testing::PrintToString(each.more);
        EXPECT_EQ(plugins.zero_stage, each.stage) << what;
        EXPECT_EQ(plugins.sharding.by_block, each.by_block) << what;
        EXPECT_EQ(plugins.sharding.reshard_after_forward, each.reshards) << what;
        EXPECT_EQ(plugins.sharding.dp_replicate, each.replicas) << what;
        EXPECT_EQ(plugins.sharding.state_dict, each.state_dict) << what;
    }
}

/// Nobody is at the address: connecting would wait for the other ranks.
TEST(Plugins, ContradictionsAreRefusedBeforeTheRanksConnect) {
    const std::map<std::string, std::string> three{{"RANK", "0"},
                                                   {"LOCAL_RANK", "0"},
                                                   {"WORLD_SIZE", "3"},
                                                   {"LOCAL_WORLD_SIZE", "3"},
                                                   {"MASTER_ADDR", "127.0.0.1"},
                                                   {"MASTER_PORT", "9"},
                                                   {"ACCELERATE_USE_CPU", "true"}};
    struct Refused {
        std::map<std::string, std::string> variables;
        AcceleratorOptions options;
        std::string words;
    };
    const std::map<std::string, std::string> mesh{{"ACCELERATE_USE_FSDP", "true"},
                                                  {"FSDP_VERSION", "2"},
                                                  {"ACCELERATE_USE_PARALLELISM_CONFIG", "true"},
                                                  {"PARALLELISM_CONFIG_DP_REPLICATE_SIZE", "2"}};
    for (const Refused& each : std::vector<Refused>{
             {{},
              {.zero_stage = 3, .sharding = accelerator::ShardingOptions{.dp_replicate = 2}},
              "3 ranks cannot be divided into 2 replicas of the model (dp_replicate)"},
             {with(mesh, {{"PARALLELISM_CONFIG_DP_SHARD_SIZE", "2"}}), {}, "needs 4 ranks instead of 3"},
             {with(mesh, {{"PARALLELISM_CONFIG_TP_SIZE", "2"}}), {}, "parallelism_config_tp_size 2"}}) {
        const Variables variables(with(three, each.variables));
        EXPECT_THAT([&] { Accelerator accelerator(each.options); },
                    testing::ThrowsMessage<UserError>(HasSubstr(each.words)));
    }
}

TEST(Plugins, IgnoredModulesOfTheLaunchStayWhole) {
    const Variables variables({{"ACCELERATE_USE_FSDP", "true"},
                               {"FSDP_VERSION", "1"},
                               {"FSDP_SHARDING_STRATEGY", "FULL_SHARD"},
                               {"FSDP_IGNORED_MODULES", "small|head"}});
    test::on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator accelerator({}, std::move(process));
        auto net = std::make_shared<Blocks>();
        auto model = accelerator.prepare(net);
        EXPECT_GT(net->small->line->weight.storage().nbytes(), 0U);
        EXPECT_EQ(net->large->up->weight.storage().nbytes(), 0U);
    });
}

/// FSDP's cpu_ram_efficient_loading: one process reads, the others have no memory until the weights come.
TEST(Plugins, TheMainProcessAloneReadsWeights) {
    const auto train = [](accelerator::FullyShardedDataParallelPlugin plugin, bool same_start, int steps = 3) {
        std::atomic<int> readers = 0;
        std::vector<at::Tensor> weights(2);
        test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            const bool is_main = process->is_main_process();
            const bool once = plugin.cpu_ram_efficient_loading.value_or(false);
            AcceleratorOptions options;
            options.fsdp_plugin = plugin;
            Accelerator accelerator(options, process);
            auto net = std::make_shared<test::Net>();
            accelerator.read_weights(*net, [&] {
                ++readers;
                const at::NoGradGuard no_grad;
                for (const at::Tensor& parameter : net->parameters())
                    parameter.mul_(same_start || is_main ? 1.5 : 100);
            });
            EXPECT_EQ(accelerator.reads_weights(), is_main || !once);
            EXPECT_EQ(net->first.is_meta(), once && !is_main);
            auto optimizer = std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.05));
            auto model = accelerator.prepare(net);
            auto prepared = accelerator.prepare(std::move(optimizer));
            for (int step = 0; step < steps; ++step) {
                accelerator.backward(model(at::full({2, 4}, 0.3 + step)).square().mean());
                prepared->step();
                prepared->zero_grad();
            }
            at::Tensor all;
            for (const auto& [name, weight] : accelerator.get_state_dict(model))
                all = all.defined() ? at::cat({all, weight.reshape({-1})}) : weight.reshape({-1}).clone();
            if (is_main)
                weights[0] = all;
            process->wait_for_everyone();
        });
        return std::pair(weights[0], readers.load());
    };
    for (const char* strategy : {"FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD"}) {
        SCOPED_TRACE(strategy);
        const auto [expected, both] = train({.sharding_strategy = strategy}, true);
        const auto [got, one] = train({.sharding_strategy = strategy, .cpu_ram_efficient_loading = true}, false);
        EXPECT_EQ(both, 2);
        EXPECT_EQ(one, 1);
        EXPECT_TRUE(got.equal(expected));
    }
    // A rank keeps its own weights in its share if they are not synchronized.
    const auto [mixed, two] = train({.sharding_strategy = "FULL_SHARD", .sync_module_states = false}, false, 0);
    const at::Tensor ratio = mixed.div(test::Net().flat());
    EXPECT_GE(ratio.sub(1.5).abs().lt(0.01).sum().item<std::int64_t>(), 8);
    EXPECT_GE(ratio.sub(100).abs().lt(0.01).sum().item<std::int64_t>(), 8);
    EXPECT_EQ(two, 2);

    test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        AcceleratorOptions options;
        options.fsdp_plugin = accelerator::FullyShardedDataParallelPlugin{.cpu_ram_efficient_loading = true};
        Accelerator accelerator(options, process);
        auto net = std::make_shared<test::Net>();
        EXPECT_THAT([&] { accelerator.read_weights(*net, [] { throw UserError("no file is there"); }); },
                    testing::ThrowsMessage<UserError>("no file is there"));
        options.fsdp_plugin->sync_module_states = false;
        EXPECT_THAT([&] { Accelerator contradicting(options, process); },
                    testing::ThrowsMessage<UserError>(test::says(
                        "only the first process reads the weights (fsdp_cpu_ram_efficient_loading), so the others must "
                        "receive them: set fsdp_sync_module_states to true, or fsdp_cpu_ram_efficient_loading to "
                        "false")));
    });
}

TEST(Plugins, DeepspeedsOwnFileCountsOverOtherVariables) {
    const Variables variables({{"ACCELERATE_USE_DEEPSPEED", "true"},
                               {"ACCELERATE_GRADIENT_ACCUMULATION_STEPS", "2"},
                               {"ACCELERATE_DEEPSPEED_CONFIG_FILE",
                                R"({"zero_optimization": {"stage": 1}, "gradient_accumulation_steps": 3})"}});
    const Accelerator accelerator({}, test::alone());
    EXPECT_EQ(accelerator.gradient_accumulation_steps(), 3);
}

/// Another launcher passes the keys of its settings file next to DeepSpeed's file.
TEST(Plugins, DoubleConfigurationIsRefused) {
    const std::string file = R"({"zero_optimization": {"stage": 1}, "gradient_clipping": "auto"})";
    const std::map<std::string, std::string> named{{"ACCELERATE_USE_DEEPSPEED", "true"},
                                                   {"ACCELERATE_DEEPSPEED_CONFIG_FILE", file}};
    const auto twice = [&](const char* key) {
        return test::says(
            "{} cannot be given next to deepspeed_config_file: remove it here and set it in DeepSpeed's JSON", key);
    };
    {
        const Variables variables(
            with(named, {{"ACCELERATE_CONFIG_DS_FIELDS", "deepspeed_config_file,zero_stage,offload_param_device"}}));
        EXPECT_THAT([&] { Accelerator accelerator({}, test::alone()); },
                    testing::ThrowsMessage<InvalidInput>(AllOf(twice("zero_stage"), twice("offload_param_device"),
                                                               Not(HasSubstr("zero_optimization")))));
    }
    {
        const Variables variables(
            with(named, {{"ACCELERATE_CONFIG_DS_FIELDS", "deepspeed_config_file,mixed_precision"}}));
        EXPECT_THAT([&] { Accelerator accelerator({}, test::alone()); },
                    testing::ThrowsMessage<InvalidInput>(test::says(
                        "mixed_precision cannot be given next to deepspeed_config_file: remove it here and set fp16 or "
                        "bf16 in DeepSpeed's JSON")));
    }
    const Variables variables(with(named, {{"ACCELERATE_CONFIG_DS_FIELDS", "deepspeed_config_file,zero3_init_flag"}}));
    EXPECT_NO_THROW(Accelerator({}, test::alone()));
}

/// As in Accelerate, a plug-in in code gives what is `auto` in DeepSpeed's file, and nothing else.
TEST(Plugins, DeepspeedsFileCountsOverAPlugInInCode) {
    AcceleratorOptions options;
    const auto plugins_next_to = [&options](const char* file) {
        options.deepspeed_plugin = accelerator::DeepSpeedPlugin{.hf_ds_config = file,
                                                                .zero_stage = 2,
                                                                .gradient_accumulation_steps = 3,
                                                                .gradient_clipping = 0.5,
                                                                .offload_param_device = "nvme",
                                                                .offload_param_nvme_path = "/disk",
                                                                .zero3_save_16bit_model = true};
        return accelerator::read_plugins({true, 1, 1}, accelerator::PluginVariables(options));
    };
    accelerator::Plugins plugins = plugins_next_to(R"({"zero_optimization": {"stage": 3}})");
    EXPECT_EQ(plugins.zero_stage, 3);
    EXPECT_EQ(plugins.gradient_clipping, std::nullopt);
    EXPECT_EQ(plugins.gradient_accumulation_steps, std::nullopt);
    EXPECT_EQ(plugins.sharding.offload_folder, "");
    EXPECT_FALSE(plugins.sharding.save_16bit_model);
    plugins = plugins_next_to(R"({"zero_optimization": {"stage": "auto"}, "gradient_clipping": "auto"})");
    EXPECT_EQ(plugins.zero_stage, 2);
    EXPECT_EQ(plugins.gradient_clipping, 0.5);
}

}  // namespace
}  // namespace trainyard
