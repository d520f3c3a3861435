// SPDX-License-Identifier: GPL-3.0-or-later
// Data that can only be read sequentially: rank 0 reads and scatters it, and no sample is seen twice.

#include <ATen/ops/full.h>

#include "main.h"
#include "rings.h"

using trainyard::Tree;
namespace data = trainyard::data;

bool sample() {
    trainyard::Accelerator accelerator;
    auto stream = std::make_shared<data::FunctionStream>([](std::int64_t) {
        return [i = std::int64_t{0}]() mutable -> std::optional<Tree> {
            if (i == 22)
                return std::nullopt;
            return Tree::dict({{"number", at::full({1}, i++, at::kLong)}});
        };
    });
    auto loader = accelerator.prepare(data::LoaderSpec{.stream = stream, .batch_size = 4});
    std::int64_t sum = 0, seen = 0;
    for (Tree& batch : *loader) {
        at::Tensor numbers = accelerator.gather_for_metrics(batch.at("number").as_tensor());
        sum += numbers.sum().item<std::int64_t>();
        seen += numbers.size(0);
    }
    accelerator.print("saw " + std::to_string(seen) + " numbers, their sum is " + std::to_string(sum));
    return seen == 22 && sum == 21 * 22 / 2;
}
