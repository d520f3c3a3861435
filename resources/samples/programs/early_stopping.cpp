// SPDX-License-Identifier: GPL-3.0-or-later
// Early stopping with a trigger: when one rank's loss is low enough, all ranks stop at the same step.

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

    int steps = 0;
    bool stop = false;
    for (int epoch = 0; epoch < 20 && !stop; ++epoch)
        for (trainyard::Tree& batch : *loader) {
            at::Tensor loss = loss_of(model(x_of(batch)), label_of(batch));
            accelerator.backward(loss);
            optimizer->step();
            optimizer->zero_grad();
            ++steps;
            if (loss.item<double>() < 0.25)  // on this rank's batch
                accelerator.set_trigger();
            stop = accelerator.check_trigger();  // equal on all ranks
            if (stop)
                break;
        }
    accelerator.print("stopped after " + std::to_string(steps) + " steps");
    trainyard::Tree counts = accelerator.gather_object(trainyard::Tree::list({steps}));
    for (const trainyard::Tree& count : counts.items())
        stop = stop && count.as_integer() == steps;
    return stop;
}
