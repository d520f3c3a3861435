#pragma once
// The mean over what was counted, not over ranks: with n targets here and N on all ranks (tokens that are not masked, samples of an
// uneven last batch), a mean over ranks of per-rank means is wrong unless all n are equal. Scale the summed loss by W / N instead: the
// mean over W ranks of its gradients is the gradient of (sum of all losses) / N, the same as one rank on the joined batch.
//
// Two ways, equal up to rounding:
//   before: counts of the whole step are known:   loss = summed_loss * loss_scale(communicator, my_targets)
//   after:  LossDenominator d; for each micro-batch { summed_loss.backward(); d.add(targets); }  d.divide(gradients, communicator)

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "parallel/communicator.h"

namespace trainyard::parallel {

/// Collective. Ranks / (sum of `count` over the ranks), for gradients that will be averaged over ranks; 0 when all counts are 0.
double loss_scale(Communicator& communicator, double count);

/// Counts the targets of one step's micro-batches.
class LossDenominator {
  public:
    void add(double count) { count_ += count; }
    double local() const { return count_; }
    /// Collective. Multiplies gradients, averaged over the ranks already, by ranks / all targets, and starts a new count. Undefined ones
    /// are passed over. Returns the number of targets of all ranks.
    double divide(const std::vector<at::Tensor>& gradients, Communicator& communicator);

  private:
    double count_ = 0;
};

}  // namespace trainyard::parallel
