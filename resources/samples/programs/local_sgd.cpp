// SPDX-License-Identifier: GPL-3.0-or-later
// Local SGD: ranks train independently and average their weights every 8 steps, with an eighth of the communication.

#include <torch/optim/sgd.h>

#include "main.h"
#include "rings.h"

using namespace samples;

bool sample() {
    trainyard::Accelerator accelerator;
    accelerator.set_seed(7);
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.2));
    auto loader =
        accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(2048), .batch_size = 16, .shuffle = true});

    double loss_sum = 0;
    auto local = accelerator.local_sgd(model, {.steps = 8});
    for (int epoch = 0; epoch < 4; ++epoch) {
        loss_sum = 0;
        for (trainyard::Tree& batch : *loader) {
            at::Tensor loss = loss_of(model(x_of(batch)), label_of(batch));
            accelerator.backward(loss);
            optimizer->step();
            optimizer->zero_grad();
            local.step();
            loss_sum += loss.item<double>();
        }
    }
    local.finish();  // averages once more, so that all ranks end with the same weights

    trainyard::Tree weights = accelerator.gather(trainyard::Tree(net->last->bias.detach().unsqueeze(0)));
    at::Tensor spread = weights.as_tensor().std(0, false).max();
    accelerator.print("largest difference between ranks " + std::to_string(spread.item<double>()));
    return spread.item<double>() < 1e-7;
}
