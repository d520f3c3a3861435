// SPDX-License-Identifier: GPL-3.0-or-later
// The batch that the weights see stays 16 whatever fits in memory: a batch size that runs out of memory is halved, and
// twice as many micro-batches are accumulated.

#include <new>
#include <utility>
#include <vector>

#include <ATen/ops/allclose.h>
#include <torch/optim/sgd.h>

#include <trainyard/memory.h>

#include "main.h"
#include "rings.h"

using namespace samples;

namespace {

constexpr std::int64_t kObservedBatch = 16;

/// The weights after an epoch. More than `fits` samples at once stand for a network that runs out of memory.
std::vector<at::Tensor> train(std::int64_t batch_size, std::int64_t accumulation_steps, std::int64_t fits) {
    trainyard::Accelerator accelerator({.gradient_accumulation_steps = accumulation_steps});
    accelerator.set_seed(7);
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), 0.1));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(640), .batch_size = batch_size});
    for (trainyard::Tree& batch : *loader) {
        if (batch_size > fits)
            throw std::bad_alloc();
        auto scope = accelerator.accumulate(model);
        accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
        optimizer->step();
        optimizer->zero_grad();
    }
    std::vector<at::Tensor> weights;
    for (const at::Tensor& weight : net->parameters())
        weights.push_back(weight.detach().clone());
    return weights;
}

}  // namespace

bool sample() {
    std::vector<std::pair<std::int64_t, std::int64_t>> tried;
    auto with_what_fits = trainyard::accelerator::find_executable_accumulation(
        [&](std::int64_t batch_size, std::int64_t accumulation_steps) {
            tried.emplace_back(batch_size, accumulation_steps);
            return train(batch_size, accumulation_steps, 5);
        },
        kObservedBatch);
    const std::vector<at::Tensor> small = with_what_fits(), whole = train(kObservedBatch, 1, kObservedBatch);
    bool equal = small.size() == whole.size();
    for (std::size_t i = 0; equal && i < small.size(); ++i)
        equal = at::allclose(small[i], whole[i], 1e-4, 1e-5);
    trainyard::Accelerator accelerator;
    for (const auto& [batch_size, steps] : tried)
        accelerator.print("batches of " + std::to_string(batch_size) + ", " + std::to_string(steps) + " for an update");
    return equal && tried == std::vector<std::pair<std::int64_t, std::int64_t>>{{16, 1}, {8, 2}, {4, 4}};
}
