// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Update rules of optimizers whose ranks send signs of momenta (distributed/parallel/one_bit_mean.h) instead of
// gradients. Inside this library.
//
// 1-bit Adam: Adam for freeze_step updates; from then on the second moment is frozen, and the ranks average their
// momenta. 0/1 Adam: the second moment is updated at growing intervals, from sums of gradients, and between them the
// ranks average gradients as signs; after var_freeze_step updates it is frozen, ranks train for themselves, and average
// what they have accumulated at growing intervals. Elements whose second moment is zero when it is used never had a
// gradient: they stay as they are, which DeepSpeed leaves to a mask that its user gives (exp_avg_mask).
//
// Tang et al., "1-bit Adam: communication efficient large-scale training with Adam's convergence speed", ICML 2021;
// Lu et al., "Maximizing communication efficiency for large-scale training via 0/1 Adam", ICLR 2023. Intervals are
// DeepSpeed's.

#include "optim/update_rule.h"

namespace trainyard::optim {

extern const ExchangeRule kOneBitExchange, kZeroOneExchange;

void update_one_bit_adam(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);

void begin_zero_one_adam(const config::OptimizerSettings& settings, Scalars& scalars);
void update_zero_one_adam(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);
void end_zero_one_adam(const config::OptimizerSettings& settings, Scalars& scalars);

}  // namespace trainyard::optim
