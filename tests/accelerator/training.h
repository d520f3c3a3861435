// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A small network and its training through the Accelerator, on any number of ranks: what the tests of the loop and of checkpoints compare.

#include <functional>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/zeros.h>
#include <c10/core/DeviceGuard.h>
#include <torch/nn/module.h>

#include <trainyard/accelerator.h>

#include "data/dataset.h"
#include "distributed/parallel/process_state.h"
#include "support/ranks.h"

namespace trainyard::test {

/// Two layers with weights that are the same in every run; notes the format of its products.
struct Net : torch::nn::Module {
    Net() {
        first = register_parameter("first", at::linspace(-0.5, 0.7, 32).reshape({8, 4}).clone());
        bias = register_parameter("bias", at::zeros({8}));
        second = register_parameter("second", at::linspace(0.4, -0.3, 8).reshape({1, 8}).clone());
    }
    at::Tensor forward(const at::Tensor& x) {
        const at::Tensor hidden = at::linear(x, first, bias);
        seen = hidden.scalar_type();
        return at::linear(hidden.relu(), second);
    }
    at::Tensor flat() const {
        return at::cat({first.detach().reshape({-1}), bias.detach().reshape({-1}), second.detach().reshape({-1})})
            .clone();
    }
    at::Tensor first, bias, second;
    at::ScalarType seen = at::kFloat;
};

/// The state of a process that is the only one.
inline std::shared_ptr<parallel::ProcessState> alone() {
    return std::make_shared<parallel::ProcessState>();
}

inline std::shared_ptr<data::Dataset> samples(std::int64_t count) {
    const at::Tensor x = at::linspace(-2, 2, count * 4).reshape({count, 4}).sin();
    return std::make_shared<data::TensorDataset>(Tree::dict({{"x", x}, {"y", x.sum(1, true).mul(0.5).add(0.25)}}));
}

inline data::LoaderSpec loader_over(std::shared_ptr<data::Dataset> dataset, std::int64_t batch_size,
                                    bool shuffle = false) {
    data::LoaderSpec spec;
    spec.dataset = std::move(dataset);
    spec.batch_size = batch_size;
    spec.shuffle = shuffle;
    return spec;
}

inline at::Tensor loss_of(const at::Tensor& prediction, const Tree& batch) {
    return at::mse_loss(prediction, batch.at("y").as_tensor());
}

/// `body` on `size` ranks at once, each on a device of this kind. Without `share_memory`, they use sockets.
inline void on_ranks(int size, const std::function<void(std::shared_ptr<parallel::ProcessState>)>& body,
                     const std::string& kind = "cpu", bool share_memory = true) {
    run_ranks(
        size,
        [&](std::unique_ptr<parallel::World> world) {
            parallel::ProcessPlace place;
            place.rank = place.local_rank = world->rank();
            place.world_size = place.local_world_size = world->size();
            const at::Device device(world->device());
            const c10::OptionalDeviceGuard guard(device);
            body(std::make_shared<parallel::ProcessState>(std::shared_ptr<parallel::World>(std::move(world)), place,
                                                          device));
        },
        share_memory, kind);
}

}  // namespace trainyard::test
