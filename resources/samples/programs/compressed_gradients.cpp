// SPDX-License-Identifier: GPL-3.0-or-later
// Sends gradients as rank-1 factors (PowerSGD) after ten uncompressed steps, for slow networks.

#include <torch/optim/sgd.h>

#include <trainyard/comm_hook.h>

#include "main.h"
#include "rings.h"

using namespace samples;
using trainyard::Tree;

bool sample() {
    trainyard::AcceleratorOptions options;
    options.data_parallel.comm_hook = trainyard::parallel::make_comm_hook(
        trainyard::CommHookType::power_sgd, trainyard::Precision::no,
        Tree::dict({{"matrix_approximation_rank", 1}, {"start_powerSGD_iter", 10}}));
    trainyard::Accelerator accelerator(options);
    accelerator.set_seed(7);

    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.3));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(2048), .batch_size = 32});
    double first = 0, last = 0;
    for (int epoch = 0; epoch < 10; ++epoch)
        for (Tree& batch : *loader) {
            at::Tensor loss = loss_of(model(x_of(batch)), label_of(batch));
            accelerator.backward(loss);
            optimizer->step();
            optimizer->zero_grad();
            last = loss.item<double>();
            if (first == 0)
                first = last;
        }
    accelerator.print("loss from " + std::to_string(first) + " to " + std::to_string(last));
    return last < first;
}
