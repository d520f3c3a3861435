// SPDX-License-Identifier: GPL-3.0-or-later
// Own modules that are trained where a device map puts their layers: on several devices of one process, alone and as
// replicas of several ranks. Losses, weights and checkpoints equal those of one device bit for bit.

#include <fstream>
#include <iterator>

#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/big_models.h>

#include "accelerator/training.h"
#include "base/error.h"
#include "device/device.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::dispatch {
namespace {

using accelerator::Accelerator;
using accelerator::AcceleratorOptions;
using accelerator::Block;
using accelerator::CheckpointWrapper;
using accelerator::wrap_block;

struct TrainedLayer : torch::nn::Module {
    TrainedLayer()
        : wide(register_module("wide", torch::nn::Linear(4, 12))),
          norm(register_module("norm", torch::nn::BatchNorm1d(12))),
          narrow(register_module("narrow", torch::nn::Linear(12, 4))) {}
    at::Tensor forward(const at::Tensor& x) { return narrow(norm(wide(x)).relu()) + x; }
    torch::nn::Linear wide;
    torch::nn::BatchNorm1d norm;
    torch::nn::Linear narrow;
};

/// Three blocks, elements of a Sequential, and a parameter of the network itself.
struct TrainedNet : torch::nn::Module {
    TrainedNet() {
        for (int i = 0; i < 3; ++i)
            layers.push_back(
                wrap_block(register_module("layer" + std::to_string(i), std::make_shared<TrainedLayer>())));
        tail = register_module(
            "tail", torch::nn::Sequential(torch::nn::Linear(4, 8), torch::nn::ReLU(), torch::nn::Linear(8, 1)));
        scale = register_parameter("scale", at::full({1}, 1.25));
    }
    at::Tensor forward(const at::Tensor& x) {
        at::Tensor stream = x * scale;
        for (auto& layer : layers)
            stream = layer(stream);
        return tail->forward(stream);
    }
    std::vector<Block*> blocks() {
        std::vector<Block*> all;
        for (auto& layer : layers)
            all.push_back(&layer);
        return all;
    }
    std::vector<CheckpointWrapper<TrainedLayer>> layers;
    torch::nn::Sequential tail{nullptr};
    at::Tensor scale;
};

const DeviceMap two_devices{{"", "guarded:0"}, {"layer1", "guarded:1"}, {"tail", "guarded:1"}};

std::shared_ptr<TrainedNet> fresh_net() {
    auto net = std::make_shared<TrainedNet>();
    for (auto& parameter : net->named_parameters()) {
        const at::NoGradGuard no_grad;
        parameter.value().copy_(
            at::linspace(-0.4, 0.6, parameter.value().numel()).sin().reshape(parameter.value().sizes()));
    }
    return net;
}

struct MapSetup {
    DeviceMap map = {};  ///< empty: the whole network on the device of the rank
    Precision precision = Precision::no;
    std::int64_t accumulation = 1;
    bool views = false;
    std::string save_to = {}, load_from = {};
    int epochs = 2;
};

struct Trained {
    std::vector<float> losses;
    NamedTensors weights;
};

Trained train_on(const std::shared_ptr<parallel::ProcessState>& process, const MapSetup& setup) {
    AcceleratorOptions options;
    options.mixed_precision = setup.precision;
    options.grad_scaler.init_scale = 256;
    options.gradient_accumulation_steps = setup.accumulation;
    options.data_parallel.gradient_as_bucket_view = setup.views;
    Accelerator accelerator(options, process);
    const auto net = fresh_net();
    Trained result;
    const auto train = [&](auto model) {
        auto optimizer = accelerator.prepare(
            std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.02).momentum(0.5)));
        auto loader = accelerator.prepare(test::loader_over(test::samples(64), 8));
        if (!setup.load_from.empty())
            accelerator.load_state(setup.load_from);
        for (int epoch = 0; epoch < setup.epochs; ++epoch)
            for (Tree& batch : *loader) {
                const auto scope = accelerator.accumulate(model);
                const at::Tensor output = model(batch.at("x").as_tensor());
                EXPECT_EQ(output.device(), accelerator.device());
                const at::Tensor loss = test::loss_of(output, batch);
                accelerator.backward(loss);
                if (accelerator.sync_gradients())
                    accelerator.clip_grad_norm(model, 1.0);
                optimizer->step();
                optimizer->zero_grad();
                result.losses.push_back(loss.item<float>());
            }
        if (!setup.save_to.empty())
            accelerator.save_state(setup.save_to);
    };
    if (setup.map.empty()) {
        train(accelerator.prepare(net));
    } else {
        const DeviceMap own = device_map_of_rank(setup.map, process->local_rank(), process->local_world_size());
        const auto placed = dispatch_model(net, own, {.accelerator = "guarded"});
        train(accelerator.prepare(placed));
        EXPECT_TRUE(accelerator.prepare(placed) == accelerator.prepare(placed)) << "copies are one model";
        for (const auto& item : net->named_parameters())
            EXPECT_EQ(item.value().device().str(), config::place_in(own, item.key())->second) << item.key();
    }
    for (const auto& item : net->named_parameters())
        result.weights.emplace_back(item.key(), item.value().detach().cpu().clone());
    for (const auto& item : net->named_buffers())
        result.weights.emplace_back(item.key(), item.value().detach().cpu().clone());
    return result;
}

Trained train_on_ranks(int ranks, const MapSetup& setup) {
    Trained first;
    test::on_ranks(
        ranks,
        [&](std::shared_ptr<parallel::ProcessState> process) {
            const bool is_first = process->rank() == 0;
            Trained mine = train_on(process, setup);
            if (is_first)
                first = std::move(mine);
        },
        "guarded");
    return first;
}

void expect_same(const Trained& one, const Trained& other) {
    EXPECT_EQ(one.losses, other.losses);
    ASSERT_EQ(one.weights.size(), other.weights.size());
    for (std::size_t i = 0; i < one.weights.size(); ++i)
        EXPECT_TRUE(one.weights[i].second.equal(other.weights[i].second)) << one.weights[i].first;
}

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    EXPECT_TRUE(in) << file;
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(TrainedModules, LayersOnTwoDevicesTrainAsOnOne) {
    test::guarded(3);
    for (const int ranks : {1, 2})
        for (const Precision precision : {Precision::no, Precision::bf16, Precision::fp16})
            for (const std::int64_t accumulation : {1, 2}) {
                SCOPED_TRACE(testing::Message()
                             << ranks << " ranks, " << choice_name(precision) << ", accumulation " << accumulation);
                MapSetup setup{.precision = precision, .accumulation = accumulation};
                const Trained whole = train_on_ranks(ranks, setup);
                setup.map = two_devices;
                expect_same(train_on_ranks(ranks, setup), whole);
                setup.views = true;
                expect_same(train_on_ranks(ranks, setup), whole);
            }
}

TEST(TrainedModules, CheckpointsAreThoseOfOneDevice) {
    test::guarded(3);
    for (const int ranks : {1, 2}) {
        SCOPED_TRACE(ranks);
        const test::TemporaryFolder folder;
        const std::string placed = (folder.path() / "placed").string(), one = (folder.path() / "one").string();
        const Trained whole = train_on_ranks(ranks, {});
        train_on_ranks(ranks, {.map = two_devices, .save_to = placed, .epochs = 1});
        train_on_ranks(ranks, {.save_to = one, .epochs = 1});
        EXPECT_EQ(bytes_of(std::filesystem::path(placed) / "model.safetensors"),
                  bytes_of(std::filesystem::path(one) / "model.safetensors"));
        // Each continues from what the other saved.
        Trained rest = train_on_ranks(ranks, {.load_from = placed, .epochs = 1});
        expect_same(train_on_ranks(ranks, {.map = two_devices, .load_from = one, .epochs = 1}), rest);
        EXPECT_TRUE(std::equal(rest.losses.begin(), rest.losses.end(), whole.losses.end() - std::ssize(rest.losses)));
        rest.losses = whole.losses;
        expect_same(rest, whole);
    }
}

TEST(TrainedModules, RanksHaveDevicesOfTheirOwn) {
    const DeviceMap map{{"a", "0"}, {"b", "guarded:1"}, {"c", "cpu"}, {"d", "disk"}};
    EXPECT_EQ(device_map_of_rank(map, 0, 1), map);
    EXPECT_EQ(device_map_of_rank(map, 2, 3), (DeviceMap{{"a", "2"}, {"b", "guarded:5"}, {"c", "cpu"}, {"d", "disk"}}));
    EXPECT_THAT([] { device_map_of_rank({{"", "everywhere"}}, 0, 2); }, testing::Throws<UserError>());
}

TEST(TrainedModules, AMapOfSeveralPlacesIsRecognised) {
    test::guarded(3);
    const auto several = [](const DeviceMap& map) {
        const test::TemporaryFolder folder;
        return Accelerator::verify_device_map(
            dispatch_model(fresh_net(), map, {.offload_dir = folder.path(), .accelerator = "guarded"}));
    };
    EXPECT_TRUE(several(two_devices));
    EXPECT_TRUE(several({{"", "cpu"}, {"tail", "disk"}}));
    EXPECT_FALSE(several({{"", "guarded:0"}, {"layer1", "guarded:0"}})) << "one place";
    EXPECT_FALSE(Accelerator::verify_device_map(*fresh_net()));
}

TEST(TrainedModules, WhatCannotBeTrainedIsOneSentence) {
    test::guarded(3);
    const auto refused = [](int ranks, const AcceleratorOptions& options, const DeviceMap& map, const auto& sentence,
                            bool of_module = false) {
        std::vector<std::string> said(static_cast<std::size_t>(ranks));
        const test::TemporaryFolder folder;
        test::on_ranks(
            ranks,
            [&](std::shared_ptr<parallel::ProcessState> process) {
                std::string& mine = said[static_cast<std::size_t>(process->rank())];
                Accelerator accelerator(options, std::move(process));
                const auto net = fresh_net();
                const auto placed =
                    dispatch_model(net, map,
                                   {.offload_dir = folder.path() / std::to_string(accelerator.process_index()),
                                    .accelerator = "guarded"});
                try {
                    if (of_module)
                        accelerator.prepare(net);
                    else
                        accelerator.prepare(placed);
                } catch (const UserError& error) {
                    mine = error.what();
                }
            },
            "guarded");
        for (const std::string& one : said)
            EXPECT_THAT(one, sentence);
    };
    refused(2, {}, two_devices,
            test::says("local ranks {} and {} both put weights on {}: give each rank devices of its own "
                       "(dispatch::device_map_of_rank)",
                       "0", "1", "guarded:0"));
    refused(2, {.zero_stage = 2}, {{"", "cpu"}, {"tail", "disk"}},
            test::says("zero_stage is {}, and ranks divide models that are on one device each: set it to 0 for a model "
                       "with a device map",
                       "2"));
    refused(1, {.mixed_precision = Precision::fp8}, two_devices,
            test::says("mixed_precision is fp8, which models with a device map do not have: set it to bf16"));
    refused(1, {}, {{"", "guarded:0"}, {"layer1.wide.bias", "cpu"}},
            test::says("the device map keeps {} where it does not compute, and it is trained: give it the device of "
                       "its block, or freeze it",
                       "layer1.wide.bias"));
    refused(1, {}, two_devices,
            test::says("the model is on {}: to train it there, prepare what dispatch_model() returned, and not its "
                       "module",
                       "guarded:0, guarded:1"),
            true);
}

}  // namespace
}  // namespace trainyard::dispatch
