// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the adapter for torch::optim: state dictionaries in the format of Python's classes, and bitwise exact
// resuming from them.
#include "optim/torch_optimizer.h"

#include <cmath>
#include <functional>
#include <memory>
#include <set>

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <torch/optim.h>

#include <gtest/gtest.h>

#include "base/error.h"

namespace trainyard {
namespace {

using Tensors = std::vector<at::Tensor>;
using Maker = std::function<std::unique_ptr<torch::optim::Optimizer>(std::vector<torch::optim::OptimizerParamGroup>)>;

struct Case {
    const char* name;
    Maker make;
    std::set<std::string> state, options;  ///< torch 2.11, Python
    double momentum;
};

const std::set<std::string> kAdamOptions{
    "lr",         "betas",          "eps",   "weight_decay",           "amsgrad", "maximize", "foreach",
    "capturable", "differentiable", "fused", "decoupled_weight_decay", "params"};

std::vector<Case> cases() {
    namespace to = torch::optim;
    return {
        {"SGD",
         [](auto groups) {
             return std::make_unique<to::SGD>(groups, to::SGDOptions(0.1).momentum(0.9).nesterov(true));
         },
         {"momentum_buffer"},
         {"lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize", "foreach", "differentiable", "fused",
          "params"},
         0.9},
        {"SGD without momentum",
         [](auto groups) { return std::make_unique<to::SGD>(groups, to::SGDOptions(0.1)); },
         {},
         {"lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize", "foreach", "differentiable", "fused",
          "params"},
         0.0},
        {"Adam",
         [](auto groups) {
             return std::make_unique<to::Adam>(groups, to::AdamOptions(0.1).betas({0.8, 0.99}));
         },
         {"step", "exp_avg", "exp_avg_sq"},
         kAdamOptions,
         0.8},
        {"AdamW",
         [](auto groups) { return std::make_unique<to::AdamW>(groups, to::AdamWOptions(0.1).amsgrad(true)); },
         {"step", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"},
         kAdamOptions,
         0.9},
        {"RMSprop",
         [](auto groups) {
             return std::make_unique<to::RMSprop>(groups, to::RMSpropOptions(0.01).momentum(0.5).centered(true));
         },
         {"step", "square_avg", "momentum_buffer", "grad_avg"},
         {"lr", "momentum", "alpha", "eps", "centered", "weight_decay", "capturable", "foreach", "maximize",
          "differentiable", "params"},
         0.5},
        {"Adagrad",
         [](auto groups) { return std::make_unique<to::Adagrad>(groups, to::AdagradOptions(0.1).lr_decay(0.01)); },
         {"step", "sum"},
         {"lr", "lr_decay", "eps", "weight_decay", "initial_accumulator_value", "foreach", "maximize", "differentiable",
          "fused", "params"},
         std::nan("")},
    };
}

Tensors weights() {
    Tensors tensors;
    for (const std::int64_t size : {3, 4, 2})
        tensors.push_back(at::linspace(-1, 2, size).set_requires_grad(true));
    return tensors;
}

optim::TorchOptimizer over(const Case& each, const Tensors& tensors) {
    std::vector<torch::optim::OptimizerParamGroup> groups;
    groups.emplace_back(Tensors{tensors[0], tensors[1]});
    groups.emplace_back(Tensors{tensors[2]});
    return optim::TorchOptimizer(each.make(std::move(groups)));
}

void train(optim::Optimizer& optimizer, const Tensors& tensors, int from, int to) {
    for (int step = from; step < to; ++step) {
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            at::Tensor weight = tensors[i];
            weight.mutable_grad() = weight.detach().mul(0.5).add(0.1 * step);
        }
        optimizer.step();
        optimizer.zero_grad();
        for (const at::Tensor& weight : tensors)
            EXPECT_FALSE(weight.grad().defined());
    }
}

std::set<std::string> keys(const Tree& dict) {
    std::set<std::string> names;
    for (const Tree::Entry& entry : dict.entries())
        names.insert(to_string(entry.key));
    return names;
}

TEST(TorchOptimizer, StateHasPythonsNamesAndGoesOn) {
    for (const Case& each : cases()) {
        SCOPED_TRACE(each.name);
        const Tensors whole = weights(), half = weights();
        optim::TorchOptimizer straight = over(each, whole), first = over(each, half);
        ASSERT_EQ(straight.group_count(), 2U);
        EXPECT_EQ(straight.parameters().size(), 3U);
        straight.set_lr(1, 0.03);
        train(straight, whole, 0, 6);
        first.set_lr(1, 0.03);
        train(first, half, 0, 3);

        const Tree state = first.state_dict();
        const Tree::List& groups = state.at("param_groups").items();
        ASSERT_EQ(groups.size(), 2U);
        EXPECT_EQ(keys(groups[0]), each.options);
        EXPECT_TRUE(groups[1].at("params") == Tree::list({2}));
        EXPECT_DOUBLE_EQ(groups[1].at("lr").as_real(), 0.03);
        EXPECT_EQ(state.at("state").entries().size(), each.state.empty() ? 0U : 3U);
        if (!each.state.empty()) {
            EXPECT_EQ(keys(state.at("state").at(2)), each.state);
            if (each.state.contains("step")) {
                EXPECT_EQ(state.at("state").at(0).at("step").as_tensor().item<double>(), 3.0);
            }
        }

        optim::TorchOptimizer second = over(each, half);
        second.load_state_dict(state);
        EXPECT_DOUBLE_EQ(second.lr(1), 0.03);
        EXPECT_TRUE(second.state_dict() == state);
        train(second, half, 3, 6);
        for (std::size_t i = 0; i < whole.size(); ++i)
            EXPECT_TRUE(at::equal(whole[i], half[i]));
        // The loaded dictionary must not share memory with the state of the optimizer.
        EXPECT_FALSE(each.state.contains("exp_avg") &&
                     at::equal(state.at("state").at(0).at("exp_avg").as_tensor(),
                               second.state_dict().at("state").at(0).at("exp_avg").as_tensor()));
    }
}

TEST(TorchOptimizer, RatesAndMomenta) {
    for (const Case& each : cases()) {
        SCOPED_TRACE(each.name);
        optim::TorchOptimizer optimizer = over(each, weights());
        if (std::isnan(each.momentum)) {
            EXPECT_TRUE(std::isnan(optimizer.momentum(0)));
            continue;
        }
        EXPECT_DOUBLE_EQ(optimizer.momentum(0), each.momentum);
        optimizer.set_momentum(1, 0.25);
        EXPECT_DOUBLE_EQ(optimizer.momentum(0), each.momentum);
        EXPECT_DOUBLE_EQ(optimizer.momentum(1), 0.25);
    }
}

TEST(TorchOptimizer, WhatDoesNotFitChangesNothing) {
    const Case adam = cases()[2];
    const Tensors tensors = weights();
    optim::TorchOptimizer optimizer = over(adam, tensors);
    train(optimizer, tensors, 0, 2);
    const Tree before = optimizer.state_dict();
    Tree wrong_shape = before, maximizes = before, fewer = before, no_lr = before;
    wrong_shape.at("state").entries();
    wrong_shape.find("state")->find(1)->set("exp_avg", at::full({7}, 1.0));
    maximizes.find("param_groups")->items()[1].set("maximize", true);
    fewer.find("param_groups")->items().pop_back();
    no_lr.find("param_groups")->items()[0] = Tree::dict({{"params", Tree::list({0, 1})}});
    for (const Tree& wrong : {wrong_shape, maximizes, fewer, no_lr, Tree::dict()}) {
        EXPECT_THROW(optimizer.load_state_dict(wrong), UserError);
        EXPECT_TRUE(optimizer.state_dict() == before);
    }
    // Steps as plain numbers, as some writers keep them, and missing state of a parameter that never had a gradient.
    Tree plain = before;
    plain.find("state")->find(0)->set("step", 2);
    std::erase_if(plain.find("state")->entries(), [](const Tree::Entry& entry) { return to_string(entry.key) == "2"; });
    optimizer.load_state_dict(plain);
    EXPECT_EQ(optimizer.state_dict().at("state").entries().size(), 2U);
}

TEST(TorchOptimizer, OthersStepButHaveNoState) {
    class Own final : public torch::optim::Optimizer {
      public:
        explicit Own(const Tensors& parameters)
            : Optimizer({torch::optim::OptimizerParamGroup(parameters)},
                        std::make_unique<torch::optim::SGDOptions>(0.1)) {}
        at::Tensor step(LossClosure) override { return {}; }
    };
    const Tensors tensors = weights();
    optim::TorchOptimizer optimizer(std::make_unique<Own>(tensors));
    EXPECT_THROW(optimizer.state_dict(), UserError);
    EXPECT_GT(optimizer.lr(0), 0.0);
}

TEST(TorchOptimizer, LbfgsGoesOnFromItsStateAsIfItHadNotStopped) {
    const auto make = [](const Tensors& tensors) {
        return optim::TorchOptimizer(std::make_unique<torch::optim::LBFGS>(
            tensors, torch::optim::LBFGSOptions(0.3).max_iter(3).history_size(4).line_search_fn("strong_wolfe")));
    };
    const auto advance = [](optim::TorchOptimizer& optimizer, const Tensors& tensors, int steps) {
        for (int i = 0; i < steps; ++i)
            optimizer.step([&] {
                optimizer.zero_grad();
                at::Tensor loss = at::zeros({});
                for (const at::Tensor& tensor : tensors)
                    loss = loss + (tensor - 1).pow(4).sum() + tensor.sin().sum();
                loss.backward();
                return loss.item<double>();
            });
    };
    Tensors whole = weights(), part = weights();
    for (Tensors* tensors : {&whole, &part})
        for (at::Tensor& tensor : *tensors)
            tensor = tensor.detach().clone().requires_grad_(true);
    optim::TorchOptimizer uninterrupted = make(whole), stopped = make(part);
    EXPECT_TRUE(stopped.state_dict().at("state").entries().empty());
    advance(uninterrupted, whole, 6);
    advance(stopped, part, 3);
    optim::TorchOptimizer resumed = make(part);
    resumed.load_state_dict(stopped.state_dict());
    advance(resumed, part, 3);
    for (std::size_t i = 0; i < whole.size(); ++i)
        EXPECT_TRUE(whole[i].equal(part[i])) << i;
    Tree wrong = stopped.state_dict();
    wrong.find("state")->find(0)->set("d", at::zeros({3}));
    const Tree before = resumed.state_dict();
    EXPECT_THROW(resumed.load_state_dict(wrong), UserError);
    EXPECT_TRUE(resumed.state_dict() == before);
}

}  // namespace
}  // namespace trainyard
