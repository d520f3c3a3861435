// SPDX-License-Identifier: GPL-3.0-or-later
// A learning rate with warm-up and cosine decay; schedules have the names of transformers and torch.

#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;
using trainyard::Tree;

bool sample() {
    trainyard::Accelerator accelerator;
    accelerator.set_seed(7);
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
    auto schedule = accelerator.prepare(trainyard::optim::make_schedule(
        "cosine", Tree::dict({{"num_warmup_steps", 10}, {"num_training_steps", 100}}), *optimizer));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(512), .batch_size = 8});

    int step = 0;
    double highest = 0;
    while (step < 100)
        for (Tree& batch : *loader) {
            accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
            optimizer->step();
            schedule->step();  // one step per update, on any number of ranks
            optimizer->zero_grad();
            highest = std::max(highest, schedule->last_lr()[0]);
            if (++step == 100)
                break;
        }
    accelerator.print("highest rate " + std::to_string(highest) + ", last " + std::to_string(schedule->last_lr()[0]));
    return std::abs(highest - 1e-2) < 1e-9 && schedule->last_lr()[0] < 1e-8;
}
