#pragma once
// What the ranks tell each other in every step, in one small message that travels beside the last gradients: the loss, the number of
// targets it was summed over, and what anybody wishes to happen after the step. So all ranks do the same at the same time.

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

#include "parallel/communicator.h"

namespace trainyard::train {

/// What all ranks agree to do after a step. Each rank may ask; all do what anybody asked for.
struct Wishes {
    bool stop = false;
    bool without_saving = false;  ///< the stop: no checkpoint. Only where all who stop want it so
    bool checkpoint = false;
    bool evaluate = false;
    bool pause = false;
    std::optional<double> lr;  ///< the new highest learning rate; asked for by one rank
    std::int64_t profile = 0;  ///< record so many steps from the next one on; asked for by one rank
};

class StepControl {
  public:
    StepControl(parallel::Communicator& ranks, at::Device device);

    struct Agreed {
        double loss_sum = 0;
        double targets = 0;
        double squares = 0;
        Wishes wishes;
    };
    /// Starts the message. `loss_sum`: 0-dim float64 of this rank. `squares`: of its gradients, where they are not reduced. Not more than one at
    /// a time.
    void begin(const at::Tensor& loss_sum, double targets, const Wishes& mine, double squares = 0);
    Agreed finish();
    /// Wishes alone, at once.
    Wishes agree(const Wishes& mine);

  private:
    parallel::Communicator& ranks_;
    at::Tensor message_;  ///< the places of step_control.cpp, float64
    parallel::Pending pending_;
};

}  // namespace trainyard::train
