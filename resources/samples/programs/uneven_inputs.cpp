// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks with different numbers of batches: ranks that finish early take part in the others' collectives until all have
// finished.

#include <torch/optim/sgd.h>

#include "main.h"
#include "rings.h"

using namespace samples;

bool sample() {
    trainyard::Accelerator accelerator;
    accelerator.set_seed(7);
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.1));

    // Data of this rank only: rank r has r + 3 batches.
    auto mine =
        points(16 * (accelerator.process_index() + 3), 100 + static_cast<std::uint64_t>(accelerator.process_index()));
    auto loader = trainyard::data::prepare_data_loader({.dataset = mine, .batch_size = 16});
    int batches = 0;
    accelerator.join_uneven_inputs(
        [&] {
            for (trainyard::Tree& batch : *loader) {
                accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
                optimizer->step();
                optimizer->zero_grad();
                ++batches;
            }
        },
        {}, model);
    trainyard::Tree counts = accelerator.gather_object(trainyard::Tree::list({batches}));
    std::string line = "batches per rank:";
    for (const trainyard::Tree& count : counts.items())
        line += " " + std::to_string(count.as_integer());
    accelerator.print(line);
    return batches == accelerator.process_index() + 3;
}
