// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Update rules that need a whole parameter at once. Inside this library.

#include "optim/update_rule.h"

namespace trainyard::optim {

/// Momentum whose update is made orthogonal by Newton-Schulz steps in bfloat16; matrices alone.
void update_muon(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);
/// Second moments of a matrix as the product of those of its rows and columns.
void update_adafactor(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);
void update_adalomo(const config::OptimizerSettings& settings, const Scalars& scalars, Slot& slot);

}  // namespace trainyard::optim
