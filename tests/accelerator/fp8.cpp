// SPDX-License-Identifier: GPL-3.0-or-later
// mixed_precision fp8 of an Accelerator: what its layers compute, with every handler; the handlers and the launch's
// environment as Accelerate reads them (golden/quantization/recipes); scales of ranks and in checkpoints.

#include <cstdlib>
#include <fstream>
#include <map>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/optim/sgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <trainyard/accelerator.h>

#include "accelerator/float8_modules.h"
#include "accelerator/training.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "models/nn/quantization/fp8_layers.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

// A namespace of its own: the suite's other files have nets and variables, too.
namespace trainyard::fp8_test {
namespace {

using accelerator::Float8Modules;
using accelerator::fp8_recipe;
using accelerator::Fp8RecipeHandler;
using Json = nlohmann::ordered_json;

/// 16 -> 32 -> 32 -> 32 -> 4: two layers between the first and the last, which stay.
struct Float8Net : torch::nn::Module {
    Float8Net() {
        first = register_module("first", torch::nn::Linear(16, 32));
        second = register_module("second", torch::nn::Linear(32, 32));
        third = register_module("third", torch::nn::Linear(32, 32));
        last = register_module("last", torch::nn::Linear(32, 4));
        const at::NoGradGuard no_grad;
        at::Generator random = at::detail::createCPUGenerator(7);  // ranks are threads of one program
        for (const at::Tensor& parameter : parameters())
            parameter.normal_(0, 0.2, random);
    }
    at::Tensor forward(const at::Tensor& x) { return last(at::tanh(third(at::tanh(second(at::tanh(first(x))))))); }
    torch::nn::Linear first{nullptr}, second{nullptr}, third{nullptr}, last{nullptr};
};

const std::vector<Fp8RecipeHandler>& handlers() {
    static const std::vector<Fp8RecipeHandler> all{
        AORecipeKwargs{}, TERecipeKwargs{.amax_history_len = 3}, TERecipeKwargs{.use_mxfp8_block_scaling = true},
        AORecipeKwargs{.recipe_name = "rowwise"}, AORecipeKwargs{.recipe_name = "rowwise_with_gw_hp"}};
    return all;
}

/// The layers of Float8Net as these casts compute them, in bf16. The casts outlive the backward.
at::Tensor oracle(Float8Net& net, const models::OperandCasts& casts, const at::Tensor& x) {
    const auto plain = [](torch::nn::Linear& layer, const at::Tensor& input) {
        return at::linear(input.to(at::kBFloat16), layer->weight.to(at::kBFloat16), layer->bias.to(at::kBFloat16));
    };
    const auto fp8 = [&](torch::nn::Linear& layer, const at::Tensor& input) {
        return models::cast_linear(input.to(at::kBFloat16), layer->weight.to(at::kBFloat16), {}, casts)
            .add(layer->bias.to(at::kBFloat16));
    };
    at::Tensor y = at::tanh(plain(net.first, x));
    y = at::tanh(fp8(net.second, y));
    y = at::tanh(fp8(net.third, y));
    return plain(net.last, y).to(at::kFloat);
}

TEST(AcceleratorFp8, LayersBetweenTheFirstAndTheLastAreMultipliedInFp8) {
    const at::Tensor x = at::randn({5, 16});
    for (const Fp8RecipeHandler& handler : handlers()) {
        const auto casts = models::make_fp8_casts(fp8_recipe(handler));
        SCOPED_TRACE(choice_name(fp8_recipe(handler).scaling));
        Accelerator accelerator({.mixed_precision = Precision::fp8, .fp8 = handler}, test::alone());
        auto net = std::make_shared<Float8Net>();
        auto model = accelerator.prepare(net);
        EXPECT_EQ(model.model().float8()->names(), (std::vector<std::string>{"second", "third"}));
        const at::Tensor y = model(x), expected = oracle(*net, *casts, x);
        EXPECT_EQ(y.scalar_type(), at::kFloat);
        const auto expect_close = [](const at::Tensor& found, const at::Tensor& wanted) {
            EXPECT_LE(found.sub(wanted).abs().max().item<double>(), 1e-6 * wanted.abs().max().item<double>());
        };
        expect_close(y.detach(), expected.detach());
        y.square().sum().backward();
        std::vector<at::Tensor> gradients;
        for (const at::Tensor& parameter : net->parameters())
            gradients.push_back(parameter.grad().clone());
        net->zero_grad();
        expected.square().sum().backward();
        std::size_t at = 0;
        for (const at::Tensor& parameter : net->parameters())
            expect_close(gradients[at++], parameter.grad());
        const at::Tensor outside = net->forward(x);
        EXPECT_FALSE(at::equal(outside, y)) << "outside of the prepared model nothing changes";
    }
}

struct Trained {
    std::vector<double> losses;
    std::vector<at::Tensor> parameters;
    Tree scales;
};

/// Steps on four samples each, which the ranks divide.
Trained train(std::shared_ptr<parallel::ProcessState> process, const Fp8RecipeHandler& handler, int steps,
              std::int64_t zero_stage = 0, const std::filesystem::path& save = {},
              const std::filesystem::path& load = {}, int save_after = 0, int micro_batches = 1) {
    Accelerator accelerator({.mixed_precision = Precision::fp8,
                             .fp8 = handler,
                             .gradient_accumulation_steps = micro_batches,
                             .zero_stage = zero_stage},
                            process);
    auto net = std::make_shared<Float8Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.1));
    if (!load.empty())
        accelerator.load_state(load);
    Trained result;
    const int ranks = accelerator.num_processes(), rank = accelerator.process_index();
    for (int step = load.empty() ? 0 : save_after; step < steps; ++step) {
        at::Generator random = at::detail::createCPUGenerator(static_cast<std::uint64_t>(100 + step));
        const at::Tensor x = at::empty({4, 16}).normal_(0, 1, random), wanted = at::empty({4, 4}).normal_(0, 1, random);
        double loss = 0;
        for (int part = 0; part < micro_batches; ++part) {
            const std::int64_t count = 4 / ranks / micro_batches, first = (rank * micro_batches + part) * count;
            auto scope = accelerator.accumulate(model);
            const at::Tensor own = (model(x.narrow(0, first, count)) - wanted.narrow(0, first, count)).square().mean();
            accelerator.backward(own);
            loss += own.item<double>() / micro_batches;
            optimizer->step();
            optimizer->zero_grad();
        }
        result.losses.push_back(accelerator.reduce(at::full({1}, loss), parallel::Reduction::mean).item<double>());
        if (!save.empty() && step + 1 == save_after)
            accelerator.save_state(save);
    }
    for (const auto& [name, tensor] : model.model().state_dict())
        result.parameters.push_back(tensor.detach().clone());
    result.scales = model.model().float8()->state_dict().map_tensors([](const at::Tensor& t) { return t.clone(); });
    return result;
}

float scale_of(const Tree& scales, const char* layer, const char* operand) {
    return scales.at(layer).at(operand).at("scale").as_tensor().item<float>();
}

TEST(AcceleratorFp8, ScalesAreThoseOfAllRanksAndMicroBatches) {
    const Fp8RecipeHandler handler = TERecipeKwargs{.amax_history_len = 4, .amax_compute_algo = "max"};
    const Trained expected = train(test::alone(), handler, 5);
    EXPECT_LT(expected.losses.back(), 2 * expected.losses.front());
    for (const auto& [ranks, stage, parts] : {std::tuple{2, 0, 1}, {2, 2, 1}, {2, 3, 1}, {1, 0, 2}, {2, 0, 2}}) {
        SCOPED_TRACE(testing::Message() << ranks << " ranks, stage " << stage << ", " << parts << " parts");
        Trained found;
        test::on_ranks(ranks, [&, stage = stage, parts = parts](std::shared_ptr<parallel::ProcessState> process) {
            const bool first = process->rank() == 0;
            Trained mine = train(std::move(process), handler, 5, stage, {}, {}, 0, parts);
            if (first)
                found = std::move(mine);
        });
        for (std::size_t i = 0; i < expected.losses.size(); ++i)
            EXPECT_NEAR(found.losses[i], expected.losses[i], 2e-2 * expected.losses[i]) << i;
        for (const char* layer : {"second", "third"})
            for (const char* operand : {"input", "weight"})
                EXPECT_NEAR(scale_of(found.scales, layer, operand) / scale_of(expected.scales, layer, operand), 1, 0.02)
                    << layer << " " << operand;
    }
}

/// With a LayerNorm, which Transformer Engine replaces as well, and computes in more than 8 bits: it stays here.
struct NormedNet : torch::nn::Module {
    NormedNet() : norm(torch::nn::LayerNormOptions({32})) {
        register_module("net", net);
        register_module("norm", norm);
    }
    at::Tensor forward(const at::Tensor& x) {
        const at::Tensor hidden = at::tanh(net->second(at::tanh(net->first(x))));
        return net->last(at::tanh(net->third(norm(hidden))));
    }
    std::shared_ptr<Float8Net> net = std::make_shared<Float8Net>();
    torch::nn::LayerNorm norm;
};

/// Six ways to train, each in fp8 beside bf16.
TEST(AcceleratorFp8, EveryWayOfTrainingIsNearBf16) {
    using accelerator::AcceleratorOptions;
    AcceleratorOptions fsdp;
    fsdp.fsdp_plugin = accelerator::FullyShardedDataParallelPlugin{.sharding_strategy = "FULL_SHARD"};
    std::vector<std::pair<int, AcceleratorOptions>> ways{{1, {}}, {2, {}}, {2, fsdp}};
    for (const std::int64_t stage : {1, 2, 3}) {
        AcceleratorOptions options;
        options.zero_stage = stage;
        ways.emplace_back(2, options);
    }
    const auto losses_of = [](int ranks, const AcceleratorOptions& options) {
        std::vector<double> losses;
        const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
            Accelerator accelerator(options, std::move(process));
            auto net = std::make_shared<NormedNet>();
            auto model = accelerator.prepare(net);
            auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.05));
            if (options.mixed_precision == Precision::fp8) {
                EXPECT_EQ(model.model().float8()->names(), (std::vector<std::string>{"net.second", "net.third"}));
            }
            for (std::uint64_t step = 0; step < 6; ++step) {
                at::Generator random = at::detail::createCPUGenerator(100 + step % 2);
                const at::Tensor x = at::empty({8, 16}).normal_(0, 1, random),
                                 wanted = at::empty({8, 4}).normal_(0, 1, random);
                const std::int64_t count = 8 / accelerator.num_processes(), first = accelerator.process_index() * count;
                const at::Tensor loss =
                    (model(x.narrow(0, first, count)) - wanted.narrow(0, first, count)).square().mean();
                accelerator.backward(loss);
                optimizer->step();
                optimizer->zero_grad();
                const double mean =
                    accelerator.reduce(loss.detach().to(at::kFloat), parallel::Reduction::mean).item<double>();
                if (accelerator.is_main_process())
                    losses.push_back(mean);
            }
        };
        if (ranks == 1)
            body(test::alone());
        else
            test::on_ranks(ranks, body);
        return losses;
    };
    for (std::size_t way = 0; way < ways.size(); ++way) {
        AcceleratorOptions wide = ways[way].second;
        wide.mixed_precision = Precision::bf16;
        const std::vector<double> expected = losses_of(ways[way].first, wide);
        for (const Fp8RecipeHandler& handler : handlers()) {
            SCOPED_TRACE(testing::Message() << way << " " << choice_name(fp8_recipe(handler).scaling));
            AcceleratorOptions narrow = ways[way].second;
            narrow.mixed_precision = Precision::fp8;
            narrow.fp8 = handler;
            const std::vector<double> found = losses_of(ways[way].first, narrow);
            ASSERT_EQ(found.size(), 6u);
            EXPECT_LT(expected.back(), expected.front());
            EXPECT_NE(found, expected);
            for (std::size_t i = 0; i < found.size(); ++i)
                EXPECT_NEAR(found[i], expected[i], 5e-2 * expected[i]) << i;
        }
    }
}

TEST(AcceleratorFp8, DividedWeightsAreGatheredAsEightBitValues) {
    const auto train_with = [](std::optional<bool> gathers, std::uint64_t& bytes) {
        Trained found;
        test::on_ranks(
            2,
            [&](std::shared_ptr<parallel::ProcessState> process) {
                Trained mine = train(process, AORecipeKwargs{.enable_fsdp_float8_all_gather = gathers}, 5, 3);
                if (process->rank() > 0)
                    return;
                found = std::move(mine);
                bytes = process->everyone().stats().operations(parallel::CollectiveKind::all_gather).bytes;
            },
            "cpu", false);
        return found;
    };
    std::uint64_t full = 0, eight_bits = 0, usual = 0;
    const Trained expected = train_with(false, full), found = train_with(true, eight_bits);
    EXPECT_EQ(found.losses, expected.losses);
    for (std::size_t i = 0; i < expected.parameters.size(); ++i)
        EXPECT_TRUE(at::equal(found.parameters[i], expected.parameters[i])) << i;
    EXPECT_LT(static_cast<double>(eight_bits), 0.7 * static_cast<double>(full));
    EXPECT_EQ(train_with(std::nullopt, usual).losses, expected.losses);
    EXPECT_EQ(usual, eight_bits) << "as in Accelerate it is on";
    ::setenv(kEnvFp8Gather, "false", 1);
    train_with(std::nullopt, usual);
    ::unsetenv(kEnvFp8Gather);
    EXPECT_EQ(usual, full);
}

TEST(AcceleratorFp8, CheckpointsHaveTheScales) {
    const test::TemporaryFolder folder;
    for (std::size_t number = 0; number < handlers().size(); ++number) {
        const Fp8RecipeHandler& handler = handlers()[number];
        const std::filesystem::path to = folder.path() / std::to_string(number);
        const Trained expected = train(test::alone(), handler, 6);
        train(test::alone(), handler, 3, 0, to, {}, 3);
        EXPECT_EQ(std::filesystem::exists(to / "custom_checkpoint_0.pkl"),
                  fp8_recipe(handler).scaling == config::Fp8Scaling::delayed);
        const Trained resumed = train(test::alone(), handler, 6, 0, {}, to, 3);
        EXPECT_EQ(resumed.losses, std::vector<double>(expected.losses.begin() + 3, expected.losses.end()));
        for (std::size_t i = 0; i < expected.parameters.size(); ++i)
            EXPECT_TRUE(at::equal(resumed.parameters[i], expected.parameters[i])) << i;
    }
}

TEST(AcceleratorFp8, EveryLayoutContinuesWithItsScales) {
    const test::TemporaryFolder folder;
    int number = 0;
    for (const Fp8RecipeHandler& handler : {handlers()[1], handlers()[3]})
        for (const auto& [ranks, stage, parts] : {std::tuple{1, 0, 2}, {2, 0, 2}, {2, 2, 1}, {2, 3, 2}}) {
            SCOPED_TRACE(testing::Message() << choice_name(fp8_recipe(handler).scaling) << ", " << ranks
                                            << " ranks, stage " << stage << ", " << parts << " parts");
            const std::filesystem::path saved = folder.path() / std::to_string(number++);
            const auto run = [&, ranks = ranks, stage = stage, parts = parts](
                                 int steps, const std::filesystem::path& save, const std::filesystem::path& load) {
                Trained found;
                const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
                    const bool first = process->rank() == 0;
                    Trained mine = train(std::move(process), handler, steps, stage, save, load, 3, parts);
                    if (first)
                        found = std::move(mine);
                };
                if (ranks == 1)
                    body(test::alone());
                else
                    test::on_ranks(ranks, body);
                return found;
            };
            const Trained expected = run(6, {}, {});
            run(3, saved, {});
            const Trained resumed = run(6, {}, saved);
            ASSERT_EQ(expected.losses.size(), 6u);
            EXPECT_EQ(resumed.losses, std::vector<double>(expected.losses.begin() + 3, expected.losses.end()));
            ASSERT_EQ(resumed.parameters.size(), expected.parameters.size());
            for (std::size_t i = 0; i < expected.parameters.size(); ++i)
                EXPECT_TRUE(at::equal(resumed.parameters[i], expected.parameters[i])) << i;
            if (fp8_recipe(handler).scaling == config::Fp8Scaling::delayed) {
                for (const char* layer : {"second", "third"})
                    for (const char* operand : {"input", "weight", "gradient"})
                        EXPECT_TRUE(at::equal(resumed.scales.at(layer).at(operand).at("amax_history").as_tensor(),
                                              expected.scales.at(layer).at(operand).at("amax_history").as_tensor()))
                            << layer << " " << operand;
            }
        }
}

TEST(AcceleratorFp8, AFilterChoosesTheLayersByTheirNames) {
    std::vector<std::string> first, last;
    const auto all = [&](const accelerator::Fp8LayerInfo& layer) {
        if (layer.is_first)
            first.push_back(layer.name);
        if (layer.is_last)
            last.push_back(layer.name);
        return layer.name != "second" && layer.out_features % 16 == 0;
    };
    for (const Fp8RecipeHandler& handler :
         {Fp8RecipeHandler(AORecipeKwargs{.recipe_name = "rowwise", .module_filter_func = all}),
          Fp8RecipeHandler(TERecipeKwargs{.module_filter_func = all})}) {
        Accelerator accelerator({.mixed_precision = Precision::fp8, .fp8 = handler}, test::alone());
        auto model = accelerator.prepare(std::make_shared<Float8Net>());
        EXPECT_EQ(model.model().float8()->names(), (std::vector<std::string>{"first", "third"}));
        EXPECT_FALSE(model(at::randn({5, 16})).isnan().any().item<bool>());
    }
    EXPECT_EQ(first, (std::vector<std::string>{"first", "first"}));
    EXPECT_EQ(last, (std::vector<std::string>{"last", "last"}));
    const auto message_of = [](const Fp8RecipeHandler& handler) {
        try {
            Accelerator accelerator({.mixed_precision = Precision::fp8, .fp8 = handler}, test::alone());
            accelerator.prepare(std::make_shared<Float8Net>());
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(message_of(AORecipeKwargs{.module_filter_func = [](const auto&) { return true; }}),
                testing::HasSubstr("last has 32 inputs and 4 outputs, and fp8 needs multiples of 16"));
    EXPECT_THAT(message_of(AORecipeKwargs{.module_filter_func = [](const auto&) { return false; }}),
                testing::HasSubstr("chooses no Linear layer"));
    EXPECT_THAT(message_of(AORecipeKwargs{.recipe_name = "blockwise"}),
                testing::HasSubstr("recipe_name is 'blockwise': choose tensorwise, rowwise or rowwise_with_gw_hp"));
}

/// A model whose block runs again in the backward.
struct CheckpointedFloat8Net : torch::nn::Module {
    CheckpointedFloat8Net() : net(accelerator::wrap_block(register_module("net", std::make_shared<Float8Net>()))) {}
    at::Tensor forward(const at::Tensor& x) { return net(x); }
    std::vector<accelerator::Block*> blocks() { return {&net}; }
    accelerator::CheckpointWrapper<Float8Net> net;
};

TEST(AcceleratorFp8, BlocksThatRunAgainAreMultipliedInFp8Again) {
    at::Generator random = at::detail::createCPUGenerator(11);
    const at::Tensor x = at::empty({5, 16}).normal_(0, 1, random);
    for (const Fp8RecipeHandler& handler : handlers()) {
        SCOPED_TRACE(choice_name(fp8_recipe(handler).scaling));
        const auto gradients_of = [&](bool again) {
            Accelerator accelerator({.mixed_precision = Precision::fp8, .fp8 = handler}, test::alone());
            auto net = std::make_shared<CheckpointedFloat8Net>();
            auto model = again ? accelerator.prepare_model(net, {.activation_checkpointing = accelerator::WrapPolicy{}})
                               : accelerator.prepare_model(net);
            EXPECT_EQ(net->net.is_checkpointed(), again);
            accelerator.backward(model(x).square().sum());
            std::vector<at::Tensor> gradients;
            for (const at::Tensor& parameter : net->parameters())
                gradients.push_back(parameter.grad().clone());
            return gradients;
        };
        const std::vector<at::Tensor> expected = gradients_of(false), found = gradients_of(true);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_TRUE(at::equal(found[i], expected[i])) << i;
    }
}

/// What other libraries call levels: products alone are in 8 bits; weights, gradients, results and moments are fp32.
/// Levels of MS-AMP are refused by its name, also those that it does not have.
TEST(AcceleratorFp8, EveryPartHasItsFormat) {
    Accelerator accelerator({.mixed_precision = Precision::fp8, .fp8 = AORecipeKwargs{}}, test::alone());
    auto net = std::make_shared<Float8Net>();
    auto model = accelerator.prepare(net);
    auto optimizer =
        std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
    torch::optim::SGD& own = *optimizer;
    auto prepared = accelerator.prepare(std::move(optimizer));
    const at::Tensor y = model(at::ones({2, 16}));
    EXPECT_EQ(y.scalar_type(), at::kFloat);
    accelerator.backward(y.square().sum());
    for (const at::Tensor& parameter : net->parameters()) {
        EXPECT_EQ(parameter.scalar_type(), at::kFloat);
        EXPECT_EQ(parameter.grad().scalar_type(), at::kFloat);
    }
    prepared->step();
    EXPECT_EQ(own.state().size(), net->parameters().size());
    for (const auto& [parameter, state] : own.state())
        EXPECT_EQ(static_cast<const torch::optim::SGDParamState&>(*state).momentum_buffer().scalar_type(), at::kFloat);
    for (const char* level : {"O1", "O2", "O3"})
        EXPECT_THAT([&] { fp8_recipe(MSAMPRecipeKwargs{.opt_level = level}); },
                    testing::ThrowsMessage<UserError>(testing::HasSubstr("Microsoft has abandoned MS-AMP")))
            << level;
}

// Public reports of other libraries, each tried here.

/// torchao 643: a model in fp8 fails in inference mode. torchao 571 and 3111: numbers of tokens that are not multiples
/// of
/// 16. bitsandbytes 1070: second derivatives are wrong without a word.
TEST(AcceleratorFp8, ReportsOfInferenceModeOddNumbersOfTokensAndSecondDerivatives) {
    for (const Fp8RecipeHandler& handler : handlers()) {
        SCOPED_TRACE(choice_name(fp8_recipe(handler).scaling));
        Accelerator accelerator({.mixed_precision = Precision::fp8, .fp8 = handler}, test::alone());
        auto model = accelerator.prepare(std::make_shared<Float8Net>());
        for (const std::int64_t tokens : {1, 3, 17}) {
            const at::Tensor x = at::ones({1, tokens, 16}).mul(0.5);
            at::Tensor used;
            {
                const c10::InferenceMode inference;
                used = model(x);
            }
            const at::Tensor y = model(x);
            EXPECT_TRUE(at::equal(used, y.detach()));
            accelerator.backward(y.square().sum());
        }
        const at::Tensor x = at::ones({2, 16}).set_requires_grad(true);
        EXPECT_THROW(torch::autograd::grad({model(x).square().sum()}, {x}, {}, true, true), UserError);
    }
}

/// torchtune 2833: fp8 beside adapters, whose rank is too small for it, and whose base has no gradients.
TEST(AcceleratorFp8, AdaptersBesideFrozenLayersStayWide) {
    struct Adapted : torch::nn::Module {
        Adapted() {
            register_module("net", net);
            register_module("down", down);
            register_module("up", up);
            for (const at::Tensor& parameter : net->parameters())
                parameter.set_requires_grad(false);
        }
        at::Tensor forward(const at::Tensor& x) { return net->forward(x) + up(down(x)); }
        std::shared_ptr<Float8Net> net = std::make_shared<Float8Net>();
        torch::nn::Linear down{16, 4}, up{4, 4};
    };
    for (const Fp8RecipeHandler& handler : handlers()) {
        SCOPED_TRACE(choice_name(fp8_recipe(handler).scaling));
        Accelerator accelerator({.mixed_precision = Precision::fp8, .fp8 = handler}, test::alone());
        auto net = std::make_shared<Adapted>();
        auto model = accelerator.prepare(net);
        for (const std::string& name : model.model().float8()->names())
            EXPECT_TRUE(name.starts_with("net.")) << name;
        accelerator.backward(model(at::ones({3, 16})).square().sum());
        EXPECT_TRUE(net->down->weight.grad().defined());
        EXPECT_FALSE(net->net->second->weight.grad().defined());
    }
}

TEST(AcceleratorFp8, WhatCannotBeComputedIsRefused) {
    const auto message_of = [](const AcceleratorOptions& options) {
        try {
            Accelerator accelerator(options, test::alone());
            accelerator.prepare(std::make_shared<Float8Net>());
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(message_of({.mixed_precision = Precision::fp8, .fp8 = MSAMPRecipeKwargs{}}),
              "fp8_backend MSAMP: Microsoft has abandoned MS-AMP, and its formats are not computed here: set it to TE "
              "or AO");
    EXPECT_EQ(message_of({.mixed_precision = Precision::bf16, .fp8 = AORecipeKwargs{}}),
              "fp8 has no effect with mixed_precision bf16: set that to fp8, or leave this out");
    EXPECT_THAT(message_of({.mixed_precision = Precision::fp8,
                            .fp8 = TERecipeKwargs{.margin = -1, .fp8_format = "E5M2", .amax_history_len = 0}}),
                testing::AllOf(testing::HasSubstr("fp8.margin"), testing::HasSubstr("fp8.amax_history_len"),
                               testing::HasSubstr("E5M2 has too few digits")));
    EXPECT_THAT(message_of({.mixed_precision = Precision::fp8,
                            .fp8 = TERecipeKwargs{.interval = 3,
                                                  .override_linear_precision = {{true, false, false}},
                                                  .use_mxfp8_block_scaling = true}}),
                testing::AllOf(testing::HasSubstr("interval has no effect with use_mxfp8_block_scaling"),
                               testing::HasSubstr("override_linear_precision has no effect with")));
    auto small = std::make_shared<torch::nn::SequentialImpl>(torch::nn::Linear(8, 8), torch::nn::Linear(8, 8),
                                                             torch::nn::Linear(8, 8));
    Accelerator accelerator({.mixed_precision = Precision::fp8}, test::alone());
    EXPECT_THROW(accelerator.prepare(small), UserError);
}

/// A variable of the environment while it lives.
class Float8Variables {
  public:
    explicit Float8Variables(const Json& values) {
        for (const auto& [name, value] : values.items()) {
            names_.push_back(name);
            ::setenv(name.c_str(), value.get<std::string>().c_str(), 1);
        }
    }
    ~Float8Variables() {
        for (const std::string& name : names_)
            ::unsetenv(name.c_str());
    }
    Float8Variables(const Float8Variables&) = delete;
    Float8Variables& operator=(const Float8Variables&) = delete;

  private:
    std::vector<std::string> names_;
};

/// Nothing where C++ has no such handler, keyword or type.
std::optional<Fp8RecipeHandler> handler_of(const std::string& name, const Json& kwargs) {
    if (name == "AORecipeKwargs")
        return AORecipeKwargs{};
    if (name == "MSAMPRecipeKwargs")
        return MSAMPRecipeKwargs{};
    if (name != "TERecipeKwargs")
        return std::nullopt;
    TERecipeKwargs te;
    for (const auto& [key, value] : kwargs.items()) {
        std::optional<std::int64_t>* whole = key == "margin"             ? &te.margin
                                             : key == "interval"         ? &te.interval
                                             : key == "amax_history_len" ? &te.amax_history_len
                                                                         : nullptr;
        if (whole != nullptr && value.is_number_integer())
            *whole = value.get<std::int64_t>();
        else if (key == "fp8_format")
            te.fp8_format = value.get<std::string>();
        else if (key == "amax_compute_algo")
            te.amax_compute_algo = value.get<std::string>();
        else if (key == "override_linear_precision")
            te.override_linear_precision = {value[0].get<bool>(), value[1].get<bool>(), value[2].get<bool>()};
        else if (key == "use_mxfp8_block_scaling")
            te.use_mxfp8_block_scaling = value.get<bool>();
        else if (key != "use_autocast_during_eval")  // evaluation is computed in fp8 in any case
            return std::nullopt;
    }
    return te;
}

// Differences on purpose: nothing has to be installed; numbers are checked; MS-AMP and pure E5M2 are refused;
// $ACCELERATE_FP8_BACKEND may be in lower case; FP8RecipeKwargs, which Accelerate removes, and two handlers at once do
// not exist; every device can multiply in fp8, where its own products cannot by decoding.
TEST(AcceleratorFp8, HandlersAreReadAsAccelerateReadsThem) {
    std::ifstream file(test::golden("quantization") / "recipes.json");
    const Json cases = Json::parse(file);
    std::map<std::string, int> judged;
    for (const Json& one : cases) {
        const std::string kind = one.at("kind");
        if (kind == "bnb_config" || one.contains("packages") || one.contains("mxfp8_device") ||
            one.contains("fp8_device"))
            continue;
        SCOPED_TRACE(one.dump().substr(0, 300));
        const Json& expected = one.at("expected");
        const Float8Variables variables(one.value("env", Json::object()));
        std::optional<Fp8RecipeHandler> handler;
        if (kind == "accelerator") {
            const Json& handlers = one.at("handlers");
            if (handlers.size() > 1)
                continue;
            if (handlers.size() == 1 && !(handler = handler_of(handlers[0][0], handlers[0][1])))
                continue;
            ++judged[kind];
            const std::string precision = one.value("mixed_precision", "fp8");
            const bool abandoned = expected.value("backend", "") == "MSAMP";
            const std::string backend = one.value("env", Json::object()).value("ACCELERATE_FP8_BACKEND", "");
            const auto make = [&] {
                return Accelerator({.mixed_precision = parse_precision(precision), .fp8 = handler}, test::alone());
            };
            if (abandoned || (expected.contains("error") && backend != "te")) {
                EXPECT_THROW(make(), UserError);
                continue;
            }
            make();
            const config::Fp8Scaling scaling = fp8_recipe(handler).scaling;
            EXPECT_EQ(scaling == config::Fp8Scaling::tensorwise, expected.value("backend", "TE") == "AO");
            continue;
        }
        handler = handler_of(one.at("class"), one.at("kwargs"));
        if (!handler)
            continue;
        ++judged[kind];
        const Json values = kind == "handler" ? expected.value("values", Json()) : expected.value("kwargs", Json());
        const bool unchecked =
            values.is_object() && (values.value("margin", 0) < 0 || values.value("amax_history_len", 1) < 1 ||
                                   values.value("fp8_format", "") == "E5M2");
        const bool blocks_with_history = kind == "handler" && values.is_object() &&
                                         values.value("use_mxfp8_block_scaling", false) &&
                                         values.value("amax_history_len", 1024) != 1024;
        if (expected.contains("error") || unchecked || blocks_with_history || one.at("class") == "MSAMPRecipeKwargs") {
            if (one.at("class") != "AORecipeKwargs") {  // its keywords have nothing to act on here
                EXPECT_THROW(fp8_recipe(handler), UserError);
            }
            continue;
        }
        const config::Fp8Recipe recipe = fp8_recipe(handler);
        if (one.at("class") == "AORecipeKwargs") {
            EXPECT_EQ(recipe.scaling, config::Fp8Scaling::tensorwise);
            EXPECT_EQ(values.at("config").at("cast_config_grad_output"), "dyn_ten_e5m2");
            continue;
        }
        const bool blocks = kind == "handler" ? values.at("use_mxfp8_block_scaling").get<bool>()
                                              : expected.at("recipe") == "MXFP8BlockScaling";
        EXPECT_EQ(recipe.scaling, blocks ? config::Fp8Scaling::mxfp8 : config::Fp8Scaling::delayed);
        EXPECT_EQ(choice_name(recipe.fp8_format), values.value("fp8_format", "HYBRID"));
        if (blocks)
            continue;
        EXPECT_EQ(recipe.margin, values.value("margin", 0));
        EXPECT_EQ(recipe.interval, values.value("interval", 1));
        EXPECT_EQ(recipe.amax_history_len, values.value("amax_history_len", 1024));
        EXPECT_EQ(choice_name(recipe.amax_compute_algo), values.value("amax_compute_algo", "most_recent"));
        std::vector<std::string> full;
        const Json flags = values.value("override_linear_precision", Json{false, false, false});
        for (const auto& [number, product] : {std::pair{0, "fprop"}, {1, "dgrad"}, {2, "wgrad"}})
            if (flags.at(static_cast<std::size_t>(number)).get<bool>())
                full.emplace_back(product);
        EXPECT_EQ(recipe.full_precision, full);
    }
    EXPECT_GE(judged["handler"], 20);
    EXPECT_GE(judged["engine_recipe"], 6);
    EXPECT_GE(judged["accelerator"], 8);
}

}  // namespace
}  // namespace trainyard::fp8_test
