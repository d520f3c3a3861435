// SPDX-License-Identifier: GPL-3.0-or-later
// Four micro-batches per update: the gradients of a large batch with the memory of a small one. Ranks communicate once
// per update.

#include <torch/optim/sgd.h>

#include "main.h"
#include "rings.h"

using namespace samples;

bool sample() {
    trainyard::Accelerator accelerator({.gradient_accumulation_steps = 4});
    accelerator.set_seed(7);

    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.1));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(1000), .batch_size = 20});

    int micro_batches = 0, updates = 0;
    for (trainyard::Tree& batch : *loader) {
        auto scope = accelerator.accumulate(model);  // until the end of this iteration
        accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
        if (accelerator
                .sync_gradients()) {  // also for the last, shorter group, whose gradients are divided by its own number of micro-batches
            accelerator.clip_grad_norm(model, 1.0);
            ++updates;
        }
        optimizer->step();  // step() and zero_grad() do nothing while gradients accumulate
        optimizer->zero_grad();
        ++micro_batches;
    }
    accelerator.print(std::to_string(micro_batches) + " micro-batches, " + std::to_string(updates) + " updates");
    return updates == (micro_batches + 3) / 4;
}
