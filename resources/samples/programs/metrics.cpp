// SPDX-License-Identifier: GPL-3.0-or-later
// Accuracy over all ranks. No sample is counted twice, although 1001 samples cannot be divided evenly.

#include <ATen/ops/argmax.h>

#include "main.h"
#include "rings.h"

using namespace samples;

bool sample() {
    trainyard::Accelerator accelerator;
    accelerator.set_seed(7);
    auto model = accelerator.prepare(std::make_shared<Net>());
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(1001), .batch_size = 16});

    std::int64_t right = 0, seen = 0;
    for (trainyard::Tree& batch : *loader) {
        at::Tensor predicted = at::argmax(model(x_of(batch)), -1);
        trainyard::Tree all = accelerator.gather_for_metrics(
            trainyard::Tree::dict({{"predicted", predicted}, {"label", label_of(batch)}}));
        right += all.at("predicted").as_tensor().eq(all.at("label").as_tensor()).sum().item<std::int64_t>();
        seen += all.at("label").as_tensor().size(0);
    }
    accelerator.print(std::to_string(right) + " of " + std::to_string(seen) + " right");
    return seen == 1001;
}
