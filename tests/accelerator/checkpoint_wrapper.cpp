// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of activation checkpointing of a user's own modules with the Accelerator: all weights equal those without it.

#include <map>
#include <mutex>
#include <optional>

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adamw.h>

#include <gtest/gtest.h>

#include "accelerator/training.h"
#include "support/says.h"

namespace trainyard::accelerator {
namespace {

struct Layer : torch::nn::Module {
    Layer() {
        wide = register_module("wide", torch::nn::Linear(4, 16));
        norm = register_module("norm", torch::nn::BatchNorm1d(16));
        drop = register_module("drop", torch::nn::Dropout(0.2));
        narrow = register_module("narrow", torch::nn::Linear(16, 4));
    }
    std::tuple<at::Tensor, at::Tensor> forward(const at::Tensor& x, double scale, const at::Tensor& skip) {
        at::Tensor hidden = drop(norm(wide(x)).relu());
        return {narrow(hidden).mul(scale).add(skip), hidden.mean()};
    }
    torch::nn::Linear wide{nullptr}, narrow{nullptr};
    torch::nn::BatchNorm1d norm{nullptr};
    torch::nn::Dropout drop{nullptr};
};

struct DeepNet : torch::nn::Module {
    explicit DeepNet(bool checkpointed) : checkpointed_(checkpointed) {
        for (int i = 0; i < 3; ++i)
            layers.push_back(
                checkpoint_wrapper(register_module("layer" + std::to_string(i), std::make_shared<Layer>())));
        last = register_module("last", torch::nn::Linear(4, 1));
    }
    at::Tensor forward(const at::Tensor& x) {
        at::Tensor stream = x, extra;
        for (auto& layer : layers) {
            at::Tensor mean;
            std::tie(stream, mean) = checkpointed_ ? layer(stream, 0.5, x) : layer->forward(stream, 0.5, x);
            extra = extra.defined() ? extra.add(mean) : mean;
        }
        return last(stream).add(extra);
    }
    std::vector<CheckpointWrapper<Layer>> layers;
    torch::nn::Linear last{nullptr};

  private:
    bool checkpointed_;
};

NamedTensors train_deep(bool checkpointed, Precision precision, std::shared_ptr<parallel::ProcessState> process) {
    at::manual_seed(17);
    Accelerator accelerator({.mixed_precision = precision, .gradient_accumulation_steps = 2}, std::move(process));
    auto net = std::make_shared<DeepNet>(checkpointed);
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
    auto loader = accelerator.prepare(test::loader_over(test::samples(48), 4));
    at::manual_seed(static_cast<std::uint64_t>(100 + accelerator.process_index()));
    for (Tree& batch : *loader) {
        auto scope = accelerator.accumulate(model);
        at::Tensor loss = at::mse_loss(model(batch.at("x").as_tensor()), batch.at("y").as_tensor());
        accelerator.backward(loss);
        optimizer->step();
        optimizer->zero_grad();
    }
    NamedTensors state;
    for (const auto& [name, tensor] : accelerator.get_state_dict(model))
        state.emplace_back(name, tensor.clone());
    return state;
}

void expect_same_state(const NamedTensors& a, const NamedTensors& b, const std::string& what) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].first, b[i].first);
        EXPECT_TRUE(a[i].second.equal(b[i].second)) << what << ": " << a[i].first;
    }
}

TEST(CheckpointWrapper, EveryWeightAndStatisticIsAsWithoutIt) {
    for (Precision precision : {Precision::no, Precision::bf16})
        expect_same_state(train_deep(true, precision, test::alone()), train_deep(false, precision, test::alone()),
                          choice_name(precision));
}

TEST(CheckpointWrapper, NamesAreThoseOfTheModule) {
    NamedTensors state = train_deep(true, Precision::no, test::alone());
    EXPECT_EQ(state.front().first, "layer0.wide.weight");
}

TEST(CheckpointWrapper, GradientsOfSeveralRanksAreAveraged) {
    // LibTorch's generator is one per process, so ranks that are threads draw no random numbers here.
    struct Plain : torch::nn::Module {
        explicit Plain(bool on)
            : checkpointed(on), net(std::make_shared<test::Net>()), wrapped(checkpoint_wrapper(net)) {
            register_module("net", net);
        }
        at::Tensor forward(const at::Tensor& x) { return checkpointed ? wrapped(x) : net->forward(x); }
        bool checkpointed;
        std::shared_ptr<test::Net> net;
        CheckpointWrapper<test::Net> wrapped;
    };
    std::map<bool, at::Tensor> weights;
    for (bool checkpointed : {false, true})
        test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            Accelerator accelerator({}, process);
            auto net = std::make_shared<Plain>(checkpointed);
            auto model = accelerator.prepare(net);
            auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
            auto loader = accelerator.prepare(test::loader_over(test::samples(32), 4));
            for (Tree& batch : *loader) {
                accelerator.backward(at::mse_loss(model(batch.at("x").as_tensor()), batch.at("y").as_tensor()));
                optimizer->step();
                optimizer->zero_grad();
            }
            if (accelerator.is_main_process())
                weights[checkpointed] = net->net->flat();
        });
    EXPECT_TRUE(weights[true].equal(weights[false]));
}

/// Has no random initialization, because ranks are threads and share LibTorch's generator of the process.
struct Step : torch::nn::Module {
    Step() {
        wide = register_module("wide", torch::nn::Linear(4, 16));
        narrow = register_module("narrow", torch::nn::Linear(16, 4));
    }
    at::Tensor forward(const at::Tensor& x) {
        ++forwards;
        return x.add(narrow(wide(x).relu()));
    }
    torch::nn::Linear wide{nullptr}, narrow{nullptr};
    int forwards = 0;
};

struct WideStep : Step {};

/// Two small blocks, a large one, and a head that is not wrapped as a block.
struct CutNet : torch::nn::Module {
    CutNet() {
        for (int i = 0; i < 2; ++i)
            steps.push_back(wrap_block(register_module("step" + std::to_string(i), std::make_shared<Step>())));
        wide = std::make_unique<CheckpointWrapper<WideStep>>(
            wrap_block(register_module("wide", std::make_shared<WideStep>())));
        head = register_module("head", torch::nn::Linear(4, 1));
        double phase = 0;
        at::NoGradGuard no_grad;
        for (at::Tensor& parameter : parameters()) {
            phase += 0.3;
            parameter.copy_(at::linspace(phase, phase + 5, parameter.numel()).sin().mul(0.4).view_as(parameter));
        }
    }
    std::vector<Block*> blocks() { return {&steps[0], &steps[1], wide.get()}; }
    at::Tensor forward(const at::Tensor& x) { return head((*wide)(steps[1](steps[0](x)))); }
    std::vector<CheckpointWrapper<Step>> steps;
    std::unique_ptr<CheckpointWrapper<WideStep>> wide;
    torch::nn::Linear head{nullptr};
};

TEST(WrapPolicy, BlocksOfAUsersModelAreRecomputedAndEveryWeightIsAsWithout) {
    constexpr int kUpdates = 5;
    for (int ranks : {1, 2}) {
        std::mutex mutex;
        std::map<int, NamedTensors> plain;
        const std::vector<std::pair<std::optional<WrapPolicy>, std::vector<int>>> cases{
            {std::nullopt, {1, 1, 1}},
            {WrapPolicy{}, {2, 2, 2}},
            {WrapPolicy{.classes = {"Step"}}, {2, 2, 1}},
            {WrapPolicy{.classes = {"WideStep"}}, {1, 1, 2}},
            {WrapPolicy{.min_parameters = 100}, {2, 2, 2}}};
        for (std::size_t which = 0; which < cases.size(); ++which)
            test::on_ranks(ranks, [&](std::shared_ptr<parallel::ProcessState> process) {
                Accelerator accelerator({}, process);
                auto net = std::make_shared<CutNet>();
                auto model = accelerator.prepare_model(net, {.activation_checkpointing = cases[which].first});
                auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
                auto loader = accelerator.prepare(test::loader_over(test::samples(4 * kUpdates * ranks), 4));
                for (Tree& batch : *loader) {
                    accelerator.backward(at::mse_loss(model(batch.at("x").as_tensor()), batch.at("y").as_tensor()));
                    optimizer->step();
                    optimizer->zero_grad();
                }
                const std::vector<int> forwards{net->steps[0]->forwards, net->steps[1]->forwards,
                                                (*net->wide)->forwards};
                for (std::size_t i = 0; i < forwards.size(); ++i)
                    EXPECT_EQ(forwards[i], kUpdates * cases[which].second[i]) << "case " << which << ", block " << i;
                NamedTensors state;
                for (const auto& [name, tensor] : accelerator.get_state_dict(model))
                    state.emplace_back(name, tensor.clone());
                std::lock_guard lock(mutex);
                if (which == 0)
                    plain[accelerator.process_index()] = state;
                else
                    expect_same_state(plain[accelerator.process_index()], state,
                                      std::to_string(ranks) + " ranks, case " + std::to_string(which));
            });
        EXPECT_EQ(plain.size(), static_cast<std::size_t>(ranks));
        EXPECT_EQ(plain[0].front().first, "step0.wide.weight") << "names are those of the modules";
    }
}

TEST(WrapPolicy, WhatItCannotChooseIsRefused) {
    const auto problem = [](const auto& net, WrapPolicy policy) -> std::string {
        Accelerator accelerator({}, test::alone());
        try {
            accelerator.prepare_model(net, {.activation_checkpointing = std::move(policy)});
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(problem(std::make_shared<CutNet>(), {.classes = {"Layer"}}).find("'Layer'"), std::string::npos);
    EXPECT_NE(problem(std::make_shared<CutNet>(), {.min_parameters = 10000}).find("10000"), std::string::npos);
    EXPECT_THAT(problem(std::make_shared<test::Net>(), {}),
                test::says("activation checkpointing is asked for, but the model names no block: give it blocks(), "
                           "which returns the modules that it wrapped with wrap_block"));
    EXPECT_EQ(problem(std::make_shared<CutNet>(), {}), "");
}

}  // namespace
}  // namespace trainyard::accelerator
