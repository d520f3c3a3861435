// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks share the state of the optimizer and the gradients (ZeRO 2): less memory on each rank, the same weights.
// Activations of blocks are recomputed in the backward pass instead of being stored. The settings of this program can
// also be given to a launch:
//
//     trainyard launch --use_deepspeed --zero_stage 2 --no_python --num_processes 2 ./zero

#include <cstdint>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;

namespace {

/// The network of all samples, as a block of a larger network, so that it can be checkpointed.
struct Wrapped : torch::nn::Module {
    Wrapped() : inner(trainyard::accelerator::wrap_block(register_module("inner", std::make_shared<Net>()))) {
        const at::NoGradGuard no_grad;
        for (at::Tensor& parameter : parameters())
            parameter.copy_(torch::linspace(-0.5, 0.6, parameter.numel()).reshape(parameter.sizes()));
    }
    at::Tensor forward(const at::Tensor& x) { return inner(x); }
    std::vector<trainyard::accelerator::Block*> blocks() { return {&inner}; }

    trainyard::accelerator::CheckpointWrapper<Net> inner;
};

/// Returns the weights after 20 steps, and the number of elements of the optimizer's state on this rank.
std::pair<at::Tensor, std::int64_t> train(trainyard::AcceleratorOptions options) {
    trainyard::Accelerator accelerator(std::move(options));
    auto net = std::make_shared<Wrapped>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 1e-2));
    auto loader = accelerator.prepare(trainyard::data::LoaderSpec{.dataset = points(640), .batch_size = 16});
    int step = 0;
    for (trainyard::Tree& batch : *loader) {
        accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
        accelerator.clip_grad_norm(model, 1.0);
        optimizer->step();
        optimizer->zero_grad();
        if (++step == 20)
            break;
    }
    std::int64_t kept = 0;
    const trainyard::Tree state = optimizer->state_dict();
    for (const trainyard::Tree::Entry& parameter : state.at("state").entries())
        kept += parameter.value.at("exp_avg").as_tensor().numel();
    return {net->inner->last->weight.detach().clone(), kept};
}

}  // namespace

bool sample() {
    const auto [replicas, all] = train({.zero_stage = 0});
    const auto [shared, own] =
        train({.zero_stage = 2, .activation_checkpointing = trainyard::accelerator::WrapPolicy{.classes = {"Net"}}});
    trainyard::Accelerator accelerator;
    const bool less = accelerator.num_processes() == 1 ? own == all : own < all;
    accelerator.print("a rank keeps " + std::to_string(own) + " of " + std::to_string(all) +
                      " numbers of each kind of optimizer state");
    return less && at::allclose(replicas, shared, 1e-5, 1e-6);
}
