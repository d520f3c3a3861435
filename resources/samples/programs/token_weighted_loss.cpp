// SPDX-License-Identifier: GPL-3.0-or-later
// Batches with different numbers of targets: the loss is the mean over all targets of all ranks and micro-batches, not
// a mean of means.

#include <ATen/Functions.h>
#include <torch/optim/sgd.h>

#include <trainyard/loss_denominator.h>

#include "main.h"
#include "rings.h"

using namespace samples;

bool sample() {
    trainyard::Accelerator accelerator;
    accelerator.set_seed(7);
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.5));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(640), .batch_size = 32});

    double first = 0, last = 0;
    for (int epoch = 0; epoch < 20; ++epoch)
        for (trainyard::Tree& batch : *loader) {
            at::Tensor labels = label_of(batch).masked_fill(x_of(batch).select(1, 0) > 1.2, -100);  // ignored targets
            at::Tensor summed = at::cross_entropy_loss(model(x_of(batch)), labels, {}, at::Reduction::Sum, -100);
            auto targets = labels.ne(-100).sum().item<double>();
            // Gradients are averaged over ranks; with this scale the result is (sum of losses) / (targets of all
            // ranks).
            accelerator.backward(summed * trainyard::parallel::loss_scale(accelerator.process().everyone(), targets));
            optimizer->step();
            optimizer->zero_grad();
            last = summed.item<double>() / targets;
            if (first == 0)
                first = last;
        }
    accelerator.print("loss per target from " + std::to_string(first) + " to " + std::to_string(last));
    return last < first;
}
