// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks divide the weights, their gradients and the state of the optimizer (ZeRO 3, FSDP): a rank has the weights of a
// block only while it computes. The trained weights are those of replicas.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;
using trainyard::accelerator::Block;

namespace {

/// Two networks of the samples, one after the other, as blocks whose weights are gathered one at a time.
struct Deep : torch::nn::Module {
    Deep()
        : first(trainyard::accelerator::wrap_block(register_module("first", std::make_shared<Net>()))),
          second(trainyard::accelerator::wrap_block(register_module("second", std::make_shared<Net>()))) {
        const at::NoGradGuard no_grad;
        for (at::Tensor& parameter : parameters())
            parameter.copy_(torch::linspace(-0.5, 0.6, parameter.numel()).reshape(parameter.sizes()));
    }
    at::Tensor forward(const at::Tensor& x) { return second(first(x)); }
    std::vector<Block*> blocks() { return {&first, &second}; }

    trainyard::accelerator::CheckpointWrapper<Net> first, second;
};

/// The weights after 20 steps, whole on the main process and empty on others.
trainyard::NamedTensors train(std::int64_t zero_stage) {
    trainyard::Accelerator accelerator({.zero_stage = zero_stage});
    auto net = std::make_shared<Deep>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(640), .batch_size = 16});
    int step = 0;
    for (trainyard::Tree& batch : *loader) {
        accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
        optimizer->step();
        optimizer->zero_grad();
        if (++step == 20)
            break;
    }
    trainyard::NamedTensors weights = accelerator.get_state_dict(model);  // collective where weights are divided
    for (auto& [name, weight] : weights)
        weight = weight.detach().clone();
    return weights;
}

}  // namespace

bool sample() {
    const trainyard::NamedTensors replicas = train(0), sharded = train(3);
    trainyard::Accelerator accelerator;
    if (!accelerator.is_main_process())
        return true;
    bool equal = sharded.size() == replicas.size() && sharded.size() == 8;
    for (std::size_t i = 0; equal && i < sharded.size(); ++i)
        equal =
            sharded[i].first == replicas[i].first && at::allclose(sharded[i].second, replicas[i].second, 1e-4, 1e-5);
    accelerator.print(std::to_string(sharded.size()) + " weights are " + (equal ? "equal" : "different"));
    return equal;
}
