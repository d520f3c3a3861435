// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The mean over what was counted, not over ranks: with n targets here and N on all ranks (tokens that are not masked, samples of an
// uneven last batch), a mean over ranks of per-rank means is wrong unless all n are equal. Scale the summed loss by W / N instead: the
// mean over W ranks of its gradients is the gradient of (sum of all losses) / N, the same as one rank on the joined batch.
// Where the counts of the whole step are known before its backward: loss = summed_loss * loss_scale(communicator, my_targets). Where they are
// not, the step corrects the gradients afterwards (train/loop/update_flow.h; backward(sum, {.denominator = n}) of Accelerator).

#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

/// Collective. Ranks / (sum of `count` over the ranks), for gradients that will be averaged over ranks; 0 when all counts are 0.
double loss_scale(Communicator& communicator, double count);

}  // namespace trainyard::parallel
