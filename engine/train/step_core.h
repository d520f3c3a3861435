#pragma once
// The core of a training step, whoever's loop it is (the recipe's Trainer, a program's with Accelerator): what the ranks tell each other about
// loss and targets, and the way of complete gradients to the optimizer: unscaled (fp16), measured, divided by what makes them a mean and clips them.
//
// The loss of a step is the mean over its counted targets, of all ranks and micro-batches: gradients are made for the targets that are expected and
// corrected once their real number is known. Correction and clipping are one division, which the optimizer does on the way where it can.

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "optim/grad_scaler.h"
#include "optim/optimizer.h"
#include "parallel/communicator.h"
#include "train/gradient_store.h"
#include "train/step_control.h"

namespace trainyard::train {

/// Norm of the gradients of all ranks, of the kind of torch's clip_grad_norm_ (2, infinity, any other p). Collective where they are shared out.
double gradient_norm(const GradientPieces& gradients, double norm_type = 2.0);
/// What gradients of this norm are to be divided by so that it is at most `max_norm`, as torch's clip_grad_norm_ does: by
/// max(1, (norm + 1e-6) / max_norm). 0: not clipped.
double clip_divisor(double norm, double max_norm);

class StepCore {
  public:
    /// `ranks`: those that the loss is summed over.
    StepCore(const optim::GradScalerOptions& scaler, at::Device device, parallel::Communicator& ranks);

    optim::GradScaler& scaler() { return scaler_; }
    const optim::GradScaler& scaler() const { return scaler_; }
    StepControl& control() { return control_; }
    /// What a summed loss is multiplied by before its backward, where `expected` targets are expected.
    double loss_factor(double expected) const { return scaler_.scale_value() / expected; }

    /// Starts the message about loss and targets of this rank; it travels beside the last gradients.
    void begin_totals(const at::Tensor& loss_sum, double targets, const Wishes& mine = {}, double squares = 0) {
        control_.begin(loss_sum, targets, mine, squares);
    }
    /// All ranks' totals. Gradients of sums, made for `expected` targets, are those of the mean behind division by divisor().
    StepControl::Agreed finish_totals(double expected);
    /// For gradients that are something else than sums made for an expected number.
    void set_divisor(double divisor) { correction_ = 1 / divisor; }

    /// fp16: divides the gradients by the scale, once in an update, and notes on all ranks alike whether one is not finite.
    void unscale(const void* owner, const GradientPieces& gradients);
    /// What the norm is behind the division by divisor().
    double norm(const GradientPieces& gradients, double norm_type = 2.0) const {
        return correction_ * gradient_norm(gradients, norm_type);
    }
    /// What the gradients as they lie there are to be divided by, clipping included (clip_divisor()).
    double divisor(double clip = 1) const { return clip / correction_; }

  private:
    optim::GradScaler scaler_;
    StepControl control_;
    double correction_ = 1;  ///< targets that gradients were made for / targets that there were
};

}  // namespace trainyard::train
