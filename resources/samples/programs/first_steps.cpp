// SPDX-License-Identifier: GPL-3.0-or-later
// The loop that all other samples extend: prepare, forward, backward, step. It runs unchanged on one rank or many.

#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;

bool sample() {
    trainyard::Accelerator accelerator;
    accelerator.set_seed(7);

    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
    auto loader =
        accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(1024), .batch_size = 32, .shuffle = true});

    double first = 0, last = 0;
    for (int epoch = 0; epoch < 5; ++epoch) {
        double sum = 0;
        int batches = 0;
        for (trainyard::Tree& batch : *loader) {
            at::Tensor loss = loss_of(model(x_of(batch)), label_of(batch));
            accelerator.backward(loss);
            optimizer->step();
            optimizer->zero_grad();
            sum += loss.item<double>();
            ++batches;
        }
        last = sum / batches;
        if (epoch == 0)
            first = last;
        accelerator.print("epoch " + std::to_string(epoch) + " loss " + std::to_string(last));
    }
    return last < 0.7 * first;
}
