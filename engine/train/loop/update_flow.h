// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// UpdateFlow: runs one optimizer update, from the first micro-batch to the new weights. The recipe's Trainer drives it
// by the actions of its schedule table, accelerator::GradientFlow by a program's calls. In this order:
//
//     begin_update()                      totals of loss and targets begin at 0
//     begin_backward(last) end_backward() around each micro-batch's backward; the losses were multiplied by
// loss_factor()
//     finish_counted() | finish_means()   collective: gradients become sums over the ranks, the ranks tell each other
// loss and targets
//     unscale() measure()                 fp16: divided by the loss scale; their norm
//     judge()                             the run's health, which may leave the update out
//     clip()                              to which norm the update clips
//     update()                            the optimizer, values to the ranks that hold copies, Local SGD, averages
// and schedules that follow, the loss scale
//
// The loss of a step is the mean over its counted targets, of all ranks and micro-batches: gradients are made for the
// targets that are expected and corrected once their real number is known. Correction and clipping are one division,
// which the optimizer does on the way where it can.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/message.h"
#include "distributed/parallel/communicator.h"
#include "optim/grad_scaler.h"
#include "optim/optimizer.h"
#include "train/loop/gradient_store.h"
#include "train/loop/health.h"
#include "train/loop/phase_clock.h"
#include "train/loop/step_control.h"

namespace trainyard::train {

/// Norm of the gradients of all ranks, of the kind of torch's clip_grad_norm_ (2, infinity, any other p). Collective
/// where they are shared out.
double gradient_norm(const GradientPieces& gradients, double norm_type = 2.0);
/// What gradients of this norm are to be divided by so that it is at most `max_norm`, as torch's clip_grad_norm_
/// does: by max(1, (norm + 1e-6) / max_norm). 0: not clipped.
double clip_divisor(double norm, double max_norm);

class UpdateFlow {
  public:
    /// `ranks`: those that the loss is summed over.
    UpdateFlow(const optim::GradScalerOptions& scaler, at::Device device, parallel::Communicator& ranks);

    optim::GradScaler& scaler() { return scaler_; }
    const optim::GradScaler& scaler() const { return scaler_; }
    StepControl& control() { return control_; }
    /// Measures the time of each phase of a step; the flow enters its own phases.
    PhaseClock& phases() { return phases_; }

    // What it drives; not owned. An optimizer that no store feeds updates from `.grad` of its parameters.
    void add(GradientStore& store) { stores_.push_back(&store); }
    void forget_stores() { stores_.clear(); }
    void add(optim::Optimizer& optimizer) { optimizers_.push_back(&optimizer); }
    void remove(optim::Optimizer& optimizer);
    GradientStore* store_of(const optim::Optimizer& optimizer) const;
    /// Called behind every update of that optimizer, in this order: averages of its weights, its schedule.
    void follow(const optim::Optimizer& optimizer, std::function<void()> follower) {
        followers_[&optimizer].push_back(std::move(follower));
    }

    // --- micro-batches
    // ------------------------------------------------------------------------------------------------------------------------

    void begin_update();
    /// Factor of a summed loss before its backward, if the update is expected to have `expected` targets.
    double loss_factor(double expected) const { return scaler_.scale_value() / expected; }
    /// Of this rank's micro-batches so far: losses, 0-dim float64, to be added to in place; their targets.
    const at::Tensor& loss_sum() const { return loss_sum_; }
    void count_targets(double targets) { targets_ += targets; }
    double targets() const { return targets_; }
    /// `last`: no other backward of this update follows.
    void begin_backward(bool last);
    void end_backward();
    /// Multiplies what was summed up so far, between two micro-batches.
    void scale_gradients(double factor, const std::vector<at::Tensor>& averaged);

    // --- gradients
    // ----------------------------------------------------------------------------------------------------------------------------

    /// Collective. Gradients of summed losses, made for `expected` targets, become those of the mean over all
    /// targets, behind the division that update() makes. `averaged`: those that are `.grad` of a parameter and were
    /// averaged over the ranks; corrected in place.
    const StepControl::Agreed& finish_counted(double expected, const StepRequests& requests = {},
                                              const std::vector<at::Tensor>& averaged = {});
    /// Collective. Gradients of mean losses: the sums of the stores over the ranks become means.
    void finish_means();
    /// fp16: divides the gradients by the scale, once in an update, and notes on all ranks alike whether one is not
    /// finite.
    void unscale(optim::Optimizer& optimizer);
    /// The norm of this rank's update, before clipping; behind unscale(). Under Local SGD ranks have different ones.
    double measure(GradientStore& store, double norm_type = 2.0);
    /// The next update() from this store clips its gradients, whose measure() is `norm`.
    void clip(GradientStore& store, double norm, double max_norm) {
        clip_divisors_[&store] = clip_divisor(norm, max_norm);
    }

    // --- the update
    // ---------------------------------------------------------------------------------------------------------------------------

    /// fp16: the gradients overflowed while the scale is sought. The update is left out, and nothing is wrong.
    bool overflowed(double loss, double norm) const;
    /// What the health of the run says of an update with this loss and norm (of all ranks), `step` counted from 1;
    /// skips the update where it demands so. `first_bad` names the first gradient that is not finite, and is asked
    /// only where one is not.
    HealthVerdict judge(HealthMonitor& monitor, std::int64_t step, double loss, double norm,
                        const std::function<Message()>& first_bad);
    /// No optimizer steps in this update.
    void skip_update() { skips_ = true; }
    /// Behind the gradients' unscale(). Collective where values are shared out. False: left out. The loss scale moves
    /// when all optimizers have stepped, or, if one sits this update out, before the next backward.
    bool update(optim::Optimizer& optimizer);
    /// Of an optimizer that computes the loss several times, from `.grad` of its parameters. Returns the loss of the
    /// first call.
    double update(optim::Optimizer& optimizer, const std::function<double()>& closure);

  private:
    bool is_local() const;
    /// An optimizer exchanges what it makes of each rank's own gradients.
    bool holds_gradients() const;
    void move_scale();
    void run_followers(const optim::Optimizer& optimizer);

    parallel::Communicator& ranks_;
    optim::GradScaler scaler_;
    StepControl control_;
    PhaseClock phases_;
    std::vector<GradientStore*> stores_;
    std::vector<optim::Optimizer*> optimizers_;
    std::map<const optim::Optimizer*, std::vector<std::function<void()>>> followers_;
    at::Tensor loss_sum_;
    double targets_ = 0;
    StepControl::Agreed agreed_;
    double correction_ = 1;  ///< targets that gradients were made for / targets that there were
    std::map<const GradientStore*, double> clip_divisors_;  ///< of this update
    std::map<const GradientStore*, double> local_norms_;    ///< where is_local(): measured already
    bool skips_ = false;
    std::set<const optim::Optimizer*> stepped_;  ///< since the scale last moved
};

}  // namespace trainyard::train
