// SPDX-License-Identifier: GPL-3.0-or-later
// A program on Trainyard's library that trains a layer for a few steps: its main process prints the state and the
// weights, whichever program started its ranks.

#include <ATen/ops/linspace.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <fmt/format.h>
#include <trainyard/accelerator.h>

int main() {
    trainyard::Accelerator accelerator;
    accelerator.set_seed(3);
    const auto net = std::make_shared<torch::nn::LinearImpl>(4, 2);
    auto model = accelerator.prepare(net);
    auto optimizer =
        accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.1)));
    for (int step = 0; step < 5; ++step) {
        const double own = accelerator.process_index() + step;  // samples of this rank
        accelerator.backward(model(at::linspace(-1, own, 12).reshape({3, 4})).square().mean());
        optimizer->step();
        optimizer->zero_grad();
    }
    std::string weights = "weights";
    for (const at::Tensor& weight : net->parameters())
        for (std::int64_t i = 0; i < weight.numel(); ++i)
            weights += fmt::format(" {:.9g}", weight.view(-1)[i].item<float>());
    accelerator.print(accelerator.describe() + weights);
    return 0;
}
