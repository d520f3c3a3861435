// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What ranks exchange in every step: one small all-reduce, which overlaps the last gradients, with the loss, the number of targets that it was
// summed over, and what any rank requests to happen after the step. Every rank gets the same answer, so all ranks act in the same step.

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/communicator.h"

namespace trainyard::train {

/// A profile requested by the user: numbers of steps and what to record, as in config::ProfileRecipe.
struct ProfileWish {
    std::int64_t active = 0, wait = 0, warmup = 0, repeat = 1, skip_first = 0;
    bool record_shapes = false, profile_memory = false, with_flops = false;
    bool operator==(const ProfileWish&) const = default;
};

/// What all ranks do after a step. Any rank may set a field; what one rank requests, all ranks do.
struct StepRequests {
    bool stop = false;
    bool without_saving =
        false;  ///< stop without a checkpoint; holds only if every rank that requests the stop sets it
    bool checkpoint = false;
    bool evaluate = false;
    bool pause = false;
    std::optional<double> lr;            ///< the new peak learning rate; set by one rank
    std::optional<ProfileWish> profile;  ///< from the next step on; set by one rank
};

class StepControl {
  public:
    StepControl(parallel::Communicator& ranks, at::Device device);

    struct Agreed {
        double loss_sum = 0;
        double targets = 0;
        double squares = 0;
        StepRequests requests;
    };
    /// Starts the all-reduce; one at a time. `loss_sum`: of this rank, 0-dim float64. `squares`: sum of squares of its gradients where those are
    /// not reduced over the ranks.
    void begin(const at::Tensor& loss_sum, double targets, const StepRequests& mine, double squares = 0);
    Agreed finish();
    /// Exchanges requests outside of a step, and waits for the answer.
    StepRequests agree(const StepRequests& mine);

  private:
    parallel::Communicator& ranks_;
    at::Tensor message_;  ///< float64; step_control.cpp has the layout
    parallel::Pending pending_;
};

}  // namespace trainyard::train
