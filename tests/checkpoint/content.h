// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A small made-up checkpoint.

#include <ATen/ops/full.h>

#include "checkpoint/checkpoint.h"
#include "optim/state_dict.h"

namespace trainyard::checkpoint {

/// `optimizer` has exp_avg as its first state.
inline Content make_content(std::int64_t step, double value, const char* optimizer = "lion") {
    Content content;
    content.weights = {LogicalTensor::of_whole("transformer.wte.weight", at::full({5, 4}, value)),
                       LogicalTensor::of_whole("transformer.ln_f.bias", at::full({4}, value + 1))};
    content.optimizer = {LogicalTensor::of_whole("exp_avg.transformer.wte.weight", at::full({5, 4}, value + 2))};
    optim::StateGroup group{config::OptimizerSettings(*config::find_optimizer(optimizer))};
    group.parameters = {{.shape = {5, 4},
                         .name = "transformer.wte.weight",
                         .updated = true,
                         .scalars = {{"step", 1}, {"mu_product", 1}},
                         .tensors = {content.optimizer[0].local}}};
    content.optimizer_state = optim::write_state_dict({group});
    content.position.step = step;
    content.position.samples = step * 12;
    content.position.tokens = step * 768;
    content.position.seed = 1234;
    content.position.training_blocks = 77;
    content.config_json = "{}\n";
    content.mesh = "1 rank";
    return content;
}

}  // namespace trainyard::checkpoint
