// SPDX-License-Identifier: GPL-3.0-or-later
// A custom training loop on a device, compared with the CPU: precision, gradient accumulation, two ranks, checkpoints.

#include <ATen/ops/allclose.h>
#include <torch/optim/sgd.h>

#include <gtest/gtest.h>

#include "accelerator/training.h"
#include "device/device.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using test::Net;

struct DeviceSetup {
    Precision precision = Precision::no;
    std::int64_t accumulation = 1;
    std::int64_t zero_stage = 0;
    std::string save_to = {}, load_from = {};
    int epochs = 2;
};

at::Tensor trained(std::shared_ptr<parallel::ProcessState> process, const DeviceSetup& setup) {
    AcceleratorOptions options;
    options.mixed_precision = setup.precision;
    options.grad_scaler.init_scale = 256;
    options.gradient_accumulation_steps = setup.accumulation;
    options.zero_stage = setup.zero_stage;
    Accelerator accelerator(options, std::move(process));
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(
        std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.02).momentum(0.5)));
    auto loader = accelerator.prepare(test::loader_over(test::samples(64), 8));
    if (!setup.load_from.empty())
        accelerator.load_state(setup.load_from);
    for (int epoch = 0; epoch < setup.epochs; ++epoch)
        for (Tree& batch : *loader) {
            EXPECT_EQ(batch.at("x").as_tensor().device(), accelerator.device());
            const auto scope = accelerator.accumulate(model);
            const at::Tensor loss = test::loss_of(model(batch.at("x").as_tensor()), batch);
            accelerator.backward(loss);
            if (accelerator.sync_gradients())
                accelerator.clip_grad_norm(model, 1.0);
            optimizer->step();
            optimizer->zero_grad();
        }
    if (!setup.save_to.empty())
        accelerator.save_state(setup.save_to);
    return net->flat().cpu();
}

at::Tensor trained_on(const std::string& kind, int ranks, const DeviceSetup& setup = {}) {
    at::Tensor weights;
    test::on_ranks(
        ranks,
        [&](std::shared_ptr<parallel::ProcessState> process) {
            const bool first = process->rank() == 0;
            at::Tensor mine = trained(std::move(process), setup);
            if (first)
                weights = mine;
        },
        kind);
    return weights;
}

TEST(DeviceAccelerator, TrainsAsTheProcessorDoes) {
    test::guarded();
    for (Precision precision : {Precision::no, Precision::bf16, Precision::fp16})
        for (std::int64_t accumulation : {1, 2})
            for (int ranks : {1, 2}) {
                const DeviceSetup setup{.precision = precision, .accumulation = accumulation};
                const at::Tensor here = trained_on("cpu", ranks, setup), there = trained_on("guarded", ranks, setup);
                EXPECT_TRUE(at::allclose(there, here, 1e-5, 1e-6))
                    << choice_name(precision) << ", accumulation " << accumulation << ", " << ranks
                    << " ranks: " << (there - here).abs().max().item<double>();
            }
}

TEST(DeviceAccelerator, RanksShareOutTheOptimizersState) {
    test::guarded();
    for (std::int64_t stage : {1, 2})
        for (Precision precision : {Precision::no, Precision::fp16}) {
            const test::TemporaryFolder folder;
            const std::string state = (folder.path() / "state").string();
            const at::Tensor here = trained_on("cpu", 2, {.precision = precision});
            trained_on("guarded", 2, {.precision = precision, .zero_stage = stage, .save_to = state, .epochs = 1});
            const at::Tensor there = trained_on(
                "guarded", 2, {.precision = precision, .zero_stage = stage, .load_from = state, .epochs = 1});
            EXPECT_TRUE(at::allclose(there, here, 1e-5, 1e-6)) << stage << ", " << choice_name(precision);
        }
}

TEST(DeviceAccelerator, GoesOnFromItsCheckpoint) {
    test::guarded();
    test::TemporaryFolder folder;
    const std::string place = (folder.path() / "state").string();
    const at::Tensor whole = trained_on("guarded", 2, {.epochs = 2});
    trained_on("guarded", 2, {.save_to = place, .epochs = 1});
    EXPECT_TRUE(at::allclose(trained_on("guarded", 2, {.load_from = place, .epochs = 1}), whole, 0, 0));
}

}  // namespace
}  // namespace trainyard
