// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Programs whose modules the ranks divide (zero_stage 3): modules with nested and shared blocks, a training that does
// the same on any number of ranks, and comparisons of the results.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adamw.h>

#include <gtest/gtest.h>

#include "accelerator/flat_module.h"
#include "accelerator/training.h"

namespace trainyard::full_sharding {

using accelerator::ShardingOptions;
using accelerator::StateDictType;
using accelerator::WrapPolicy;
using test::on_ranks;

struct Inner : torch::nn::Module {
    Inner() { line = register_module("line", torch::nn::Linear(7, 7)); }
    at::Tensor forward(at::Tensor x) {
        x.mul_(0.5);  // in place, on the input of the block
        return line(x).tanh();
    }
    torch::nn::Linear line{nullptr};
};

/// A block with a nested block, a frozen parameter, and a layer that is shared with other blocks.
struct Layer : torch::nn::Module {
    explicit Layer(torch::nn::Linear shared_layer)
        : shared(std::move(shared_layer)),
          inner(accelerator::wrap_block(register_module("inner", std::make_shared<Inner>()))) {
        register_module("shared", shared);
        up = register_module("up", torch::nn::Linear(7, 13));
        down = register_module("down", torch::nn::Linear(13, 7));
        frozen = register_parameter("frozen", at::full({7}, 0.25), false);
    }
    at::Tensor forward(const at::Tensor& x, double scale) {
        if (fails)
            throw std::runtime_error("a program's own exception");
        const at::Tensor hidden = at::gelu(up(x + frozen));
        return x + inner(shared(down(hidden))).mul(scale);
    }
    torch::nn::Linear shared, up{nullptr}, down{nullptr};
    at::Tensor frozen;
    accelerator::CheckpointWrapper<Inner> inner;
    bool fails = false;
};

struct Net : torch::nn::Module {
    Net() : shared(torch::nn::Linear(7, 7)) {
        in = register_module("in", torch::nn::Linear(4, 7));
        for (int i = 0; i < 3; ++i)
            layers.push_back(
                accelerator::wrap_block(register_module("layer" + std::to_string(i), std::make_shared<Layer>(shared))));
        pair.push_back(accelerator::wrap_block(register_module("pair", std::make_shared<Inner>())));
        out = register_module("out", torch::nn::Linear(7, 1));
        // Not random, because ranks that are threads share one generator.
        const at::NoGradGuard no_grad;
        for (const auto& parameter : named_parameters())
            if (parameter.value().requires_grad())
                parameter.value().copy_(at::arange(parameter.value().numel(), at::kFloat)
                                            .mul(static_cast<double>(parameter.key().size()))
                                            .sin()
                                            .mul(0.3)
                                            .reshape(parameter.value().sizes()));
    }
    at::Tensor forward(const at::Tensor& x) {
        at::Tensor hidden = in(x);
        for (const auto& layer : layers)
            hidden = layer(hidden, 0.5);
        hidden.relu_();  // in place, on the output of a block
        // One block twice, side by side.
        const at::Tensor left = hidden.mul(2), right = hidden.neg();
        return out(pair.front()(left) + pair.front()(right));
    }
    std::vector<accelerator::Block*> blocks() {
        std::vector<accelerator::Block*> all{&pair.front()};
        for (auto& layer : layers) {
            all.push_back(&layer);
            all.push_back(&layer->inner);
        }
        return all;
    }
    torch::nn::Linear shared, in{nullptr}, out{nullptr};
    std::vector<accelerator::CheckpointWrapper<Layer>> layers;
    std::vector<accelerator::CheckpointWrapper<Inner>> pair;
};

struct FullCase {
    int ranks = 2;
    std::int64_t accumulation = 1;
    ShardingOptions how = {};
    bool checkpointed = false;
    double max_norm = 0;
    std::int64_t stage = 3;
    bool repeats = false;  ///< the optimizer gets the shared layer once for each of its names
    bool on_each_node = false;
};

/// Batches of 12 samples on all ranks together.
struct FullTraining {
    FullTraining(const FullCase& what, std::shared_ptr<parallel::ProcessState> process)
        : max_norm(what.max_norm), accelerator(options_of(what), std::move(process)), net(std::make_shared<Net>()) {
        model = accelerator.prepare(net);
        std::vector<at::Tensor> parameters;
        for (const at::Tensor& parameter : net->parameters())
            if (what.repeats ||
                std::ranges::none_of(parameters, [&](const at::Tensor& one) { return one.is_same(parameter); }))
                parameters.push_back(parameter);
        optimizer = accelerator.prepare(
            std::make_unique<torch::optim::AdamW>(parameters, torch::optim::AdamWOptions(0.01).weight_decay(0.1)));
        loader = accelerator.prepare(test::loader_over(test::samples(240), 12 / accelerator.num_processes()));
    }
    static AcceleratorOptions options_of(const FullCase& what) {
        AcceleratorOptions options;
        options.gradient_accumulation_steps = what.accumulation;
        options.zero_stage = what.stage;
        options.sharding = what.how;
        options.project.save_on_each_node = what.on_each_node;
        if (what.checkpointed)
            options.activation_checkpointing = WrapPolicy{.classes = {"Layer"}};
        return options;
    }
    void run(int updates) {
        for (int done = 0; done < updates;)
            for (Tree& batch : *loader) {
                auto scope = accelerator.accumulate(model);
                const at::Tensor loss = test::loss_of(model(batch.at("x").as_tensor()), batch);
                accelerator.backward(loss);
                losses.push_back(
                    accelerator.reduce(loss.detach().reshape({1}), parallel::Reduction::mean).item<double>());
                if (max_norm > 0 && accelerator.sync_gradients())
                    norms.push_back(accelerator.clip_grad_norm(model, max_norm).item<double>());
                optimizer->step();
                optimizer->zero_grad();
                if (accelerator.sync_gradients() && ++done == updates)
                    return;
            }
    }
    NamedTensors state() const {
        NamedTensors copies;
        for (const auto& [name, tensor] : accelerator.get_state_dict(model))
            copies.emplace_back(name, tensor.clone());
        return copies;
    }
    parallel::UnitRooms& rooms() { return *model.model().flat()->sync()->rooms(); }
    const parallel::ValueRooms& values() { return *model.model().flat()->arena().value_rooms(); }

    double max_norm;
    Accelerator accelerator;
    std::shared_ptr<Net> net;
    accelerator::Prepared<Net> model;
    std::shared_ptr<accelerator::PreparedOptimizer> optimizer;
    std::shared_ptr<data::Loader> loader;
    std::vector<double> losses, norms;
};

/// The results of rank 0 after a number of updates.
struct Outcome {
    std::vector<double> losses, norms;
    NamedTensors state;
};

inline Outcome outcome_of(const FullCase& what, int updates) {
    Outcome outcome;
    const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training(what, std::move(process));
        training.run(updates);
        NamedTensors state = training.state();
        if (rank == 0)
            outcome = {training.losses, training.norms, std::move(state)};
    };
    if (what.ranks == 1)
        body(test::alone());
    else
        on_ranks(what.ranks, body);
    return outcome;
}

inline void expect_near(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], 1e-5 * std::max(1.0, std::abs(b[i]))) << what << ", number " << i;
}

inline void expect_near(const NamedTensors& a, const NamedTensors& b, const std::string& what,
                        double tolerance = 1e-5) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].first, b[i].first) << what;
        EXPECT_LE(a[i].second.sub(b[i].second).abs().max().item<double>(), tolerance) << what << ", " << a[i].first;
    }
}

/// Each once.
inline std::vector<at::Tensor> parameters_of(const Net& net) {
    std::vector<at::Tensor> parameters;
    for (const at::Tensor& parameter : net.parameters())
        if (std::ranges::none_of(parameters, [&](const at::Tensor& one) { return one.is_same(parameter); }))
            parameters.push_back(parameter);
    return parameters;
}

inline NamedTensors copies_of(const NamedTensors& named) {
    NamedTensors copies;
    for (const auto& [name, tensor] : named)
        copies.emplace_back(name, tensor.clone());
    return copies;
}

/// `body` on one rank and on two; what it returns, by the number of ranks, is rank 0's.
inline std::map<int, NamedTensors> on_one_and_two(
    const std::function<NamedTensors(std::shared_ptr<parallel::ProcessState>)>& body) {
    std::map<int, NamedTensors> results;
    results[1] = copies_of(body(test::alone()));
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        const NamedTensors own = copies_of(body(std::move(process)));
        if (rank == 0)
            results[2] = own;
    });
    return results;
}

/// The samples of a rank of a step: all ranks have 4.
inline at::Tensor samples_of(const Accelerator& accelerator, int step) {
    const at::Tensor all = at::arange(16, at::kFloat).add(step).sin().reshape({4, 4});
    const std::int64_t own = 4 / accelerator.num_processes();
    return all.narrow(0, accelerator.process_index() * own, own);
}

struct Generator : torch::nn::Module {
    Generator() : block(accelerator::wrap_block(register_module("block", std::make_shared<Inner>()))) {
        in = register_module("in", torch::nn::Linear(4, 7));
        out = register_module("out", torch::nn::Linear(7, 4));
        const at::NoGradGuard no_grad;
        for (const at::Tensor& parameter : parameters())
            parameter.copy_(at::arange(parameter.numel(), at::kFloat).cos().mul(0.3).reshape(parameter.sizes()));
    }
    at::Tensor forward(const at::Tensor& x) { return out(block(in(x))); }
    std::vector<accelerator::Block*> blocks() { return {&block}; }
    accelerator::CheckpointWrapper<Inner> block;
    torch::nn::Linear in{nullptr}, out{nullptr};
};

}  // namespace trainyard::full_sharding
