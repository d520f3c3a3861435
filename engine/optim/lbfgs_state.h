// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The state of torch::optim::LBFGS as its Python class has it: one entry, of parameter 0, with flat vectors over all parameters.

#include "config/recipe/optimizer_kinds.h"
#include "distributed/tensors/tree.h"

namespace torch::optim {
class LBFGS;
struct LBFGSOptions;
}  // namespace torch::optim

namespace trainyard::optim {

torch::optim::LBFGSOptions lbfgs_options(const config::OptimizerSettings& settings);
Tree lbfgs_state_dict(torch::optim::LBFGS& optimizer);
/// Throws UserError naming what does not fit; then nothing has changed.
void load_lbfgs_state_dict(torch::optim::LBFGS& optimizer, const Tree& saved);

}  // namespace trainyard::optim
