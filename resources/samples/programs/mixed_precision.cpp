// SPDX-License-Identifier: GPL-3.0-or-later
// bf16: matrix products in bfloat16; weights, losses and outputs in fp32. With fp16 instead, the loss is scaled, too.

#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;
using trainyard::Precision;

bool sample() {
    trainyard::Accelerator accelerator({.mixed_precision = Precision::bf16});
    accelerator.set_seed(7);

    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(1024), .batch_size = 64});

    double last = 0;
    at::ScalarType dtype = at::kDouble;
    for (int epoch = 0; epoch < 8; ++epoch)
        for (trainyard::Tree& batch : *loader) {
            at::Tensor scores = model(x_of(batch));
            dtype = scores.scalar_type();
            at::Tensor loss;
            {
                auto exact = accelerator.autocast(
                    {.enabled = false});  // an fp32 region, for operations that are sensitive to rounding
                loss = loss_of(scores, label_of(batch));
            }
            accelerator.backward(loss);
            optimizer->step();
            optimizer->zero_grad();
            last = loss.item<double>();
        }
    accelerator.print("loss " + std::to_string(last) + ", skipped steps " + std::to_string(optimizer->skipped_steps()));
    return dtype == at::kFloat && last < 0.5;
}
