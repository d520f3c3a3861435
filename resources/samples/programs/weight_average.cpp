// SPDX-License-Identifier: GPL-3.0-or-later
// An exponential moving average (EMA) of the weights, used for evaluation while training continues with the plain
// weights.

#include <ATen/ops/argmax.h>
#include <torch/optim/sgd.h>

#include "main.h"
#include "rings.h"

using namespace samples;
namespace train = trainyard::train;

bool sample() {
    trainyard::Accelerator accelerator;
    accelerator.set_seed(7);
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.5));
    auto loader =
        accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(1024), .batch_size = 8, .shuffle = true});
    auto test = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(500, 2), .batch_size = 50});

    auto average = accelerator.prepare_average(model, train::exponential(0.99, true));  // saved in checkpoints
    for (int epoch = 0; epoch < 4; ++epoch)
        for (trainyard::Tree& batch : *loader) {
            accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
            optimizer->step();  // updates the average, too
            optimizer->zero_grad();
        }

    auto accuracy = [&] {
        double right = 0;
        for (trainyard::Tree& batch : *test)
            right += accelerator.gather_for_metrics(at::argmax(model(x_of(batch)), -1).eq(label_of(batch)))
                         .sum()
                         .item<double>();
        return right / 500;
    };
    double plain = accuracy(), averaged = 0;
    {
        auto swapped = average->swap_in();
        averaged = accuracy();
    }
    accelerator.print("plain " + std::to_string(plain) + ", averaged " + std::to_string(averaged));
    return averaged > 0.8;
}
