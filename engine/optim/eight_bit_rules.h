// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Update rules of bitsandbytes' 8-bit optimizers: the moments are codes of dynamic tables, 256 elements share a
// magnitude; small parameters have fp32 moments (min_8bit_size). An update uses its new moments before they become
// codes again. Weight decay of Adam, AdEMAMix and Lion comes before the update, that of the others is a part of the
// gradient. Inside this library.
//
// Dettmers et al., "8-bit optimizers via block-wise quantization", ICLR 2022; Pagliardini et al., "The AdEMAMix
// optimizer", ICLR 2025.

#include "optim/update_rule.h"

namespace trainyard::optim {

void update_adam_8bit(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);
void update_lion_8bit(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);
void update_adagrad_8bit(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);
void update_rmsprop_8bit(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);
void update_sgd_8bit(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);
void update_ademamix_8bit(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);

/// The values of a state's codes, which dictionaries have beside it: "state1" (with sign), "state2" (without).
at::Tensor code_values(const std::string& state);

}  // namespace trainyard::optim
