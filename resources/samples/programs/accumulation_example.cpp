// SPDX-License-Identifier: GPL-3.0-or-later
// Four micro-batches of two samples are one update of eight: the weight that is trained with accumulated gradients
// equals the
// weight after one step with the whole batch.

#include <cmath>
#include <cstdio>
#include <string>

#include <ATen/ops/arange.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/zeros.h>
#include <torch/nn/module.h>
#include <torch/optim/sgd.h>

#include "main.h"
#include "rings.h"

namespace {

struct SimpleLinearModel : torch::nn::Module {
    SimpleLinearModel() { weight = register_parameter("weight", at::zeros({1, 1})); }
    at::Tensor forward(const at::Tensor& inputs) { return inputs.matmul(weight); }
    at::Tensor weight;
};

std::string line(const char* what, const at::Tensor& weight) {
    char text[80];
    std::snprintf(text, sizeof text, "%s model weight is %.5f", what, weight.item<double>());
    return text;
}

}  // namespace

bool sample() {
    const at::Tensor x = at::arange(1, 9, at::kFloat).reshape({8, 1}), y = x * 2;
    trainyard::Accelerator accelerator({.gradient_accumulation_steps = 4});
    auto net = std::make_shared<SimpleLinearModel>(), whole = std::make_shared<SimpleLinearModel>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.02));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{
        .dataset = std::make_shared<trainyard::data::TensorDataset>(trainyard::Tree::dict({{"x", x}, {"y", y}})),
        .batch_size = 2});
    for (const auto& each : {net, whole})
        accelerator.print(line("initial", each->weight));
    for (trainyard::Tree& batch : *loader) {
        auto scope = accelerator.accumulate(model);
        accelerator.backward(at::mse_loss(model(batch.at("x").as_tensor()), batch.at("y").as_tensor()));
        optimizer->step();
        optimizer->zero_grad();
    }
    torch::optim::SGD whole_optimizer(whole->parameters(), 0.02);
    at::mse_loss(whole->forward(x), y).backward();
    whole_optimizer.step();
    const double with = net->weight.item<double>(), without = whole->weight.item<double>();
    accelerator.print(line("w/ accumulation, the final", net->weight));
    accelerator.print(line("w/o accumulation, the final", whole->weight));
    return std::abs(with - without) < 1e-5 && std::abs(without - 2.04) < 1e-5;
}
