// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The network and data of all samples: a small classifier of points near the origin and points around them.

#include <cmath>
#include <cstdint>
#include <memory>

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tanh.h>
#include <torch/csrc/autograd/generated/variable_factories.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include <trainyard/accelerator.h>

namespace samples {

struct Net : torch::nn::Module {
    Net()
        : hidden(register_module("hidden", torch::nn::Linear(2, 32))),
          last(register_module("last", torch::nn::Linear(32, 2))) {}
    at::Tensor forward(const at::Tensor& x) { return last(at::tanh(hidden(x))); }

    torch::nn::Linear hidden, last;
};

/// `count` points [count, 2] as "x", and as "label" whether each is near the origin, int64 [count]. The same seed gives
/// the same points.
inline std::shared_ptr<trainyard::data::TensorDataset> points(std::int64_t count, std::uint64_t seed = 1) {
    at::Generator generator = at::detail::createCPUGenerator(seed);
    at::Tensor x = at::rand({count, 2}, generator) * 4 - 2;
    at::Tensor label = (x.pow(2).sum(1) < 1.5).to(at::kLong);
    return std::make_shared<trainyard::data::TensorDataset>(trainyard::Tree::dict({{"x", x}, {"label", label}}));
}

inline at::Tensor x_of(const trainyard::Tree& batch) {
    return batch.at("x").as_tensor();
}
inline at::Tensor label_of(const trainyard::Tree& batch) {
    return batch.at("label").as_tensor();
}
inline at::Tensor loss_of(const at::Tensor& scores, const at::Tensor& labels) {
    return at::cross_entropy_loss(scores, labels);
}

}  // namespace samples
