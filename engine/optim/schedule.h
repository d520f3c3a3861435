// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Learning-rate schedules under the names and arguments of transformers.get_scheduler and torch.optim.lr_scheduler: the same numbers
// to the last places (the recursive forms are kept, they round differently from the closed ones), the same state dictionaries, so
// that scheduler.bin of Accelerate loads. A schedule turns the rates (and momenta) of an Optimizer's groups.
//
//     auto schedule = optim::make_schedule("cosine", Tree::dict({{"num_warmup_steps", 100}, {"num_training_steps", 1000}}), optimizer);
//     optimizer.step(); schedule->step();
//
// Making one sets the rates of step 0. The schedule refers to the optimizer and must not outlive it.
//
// Names: linear cosine cosine_with_restarts polynomial constant constant_with_warmup inverse_sqrt reduce_lr_on_plateau
// cosine_with_min_lr cosine_warmup_with_min_lr warmup_stable_decay greedy (transformers; all take num_warmup_steps and
// num_training_steps); StepLR MultiStepLR ConstantLR LinearLR ExponentialLR PolynomialLR CosineAnnealingLR
// CosineAnnealingWarmRestarts CyclicLR OneCycleLR ReduceLROnPlateau (torch); SequentialLR {schedulers: [{name, arguments}, ...],
// milestones: [...]} and ChainedScheduler {schedulers: [...]}; WarmupLR WarmupDecayLR WarmupCosineLR OneCycle
// LRRangeTest (DeepSpeed).

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distributed/tensors/tree.h"
#include "optim/optimizer.h"

namespace trainyard::optim {

class Schedule : public Stateful {
  public:
    /// Goes on to the next step. `metric` is for schedules that follow one (they throw UserError without it); others do not look at
    /// it. Throws UserError, before any rate is changed, when the schedule has ended (OneCycleLR) or a rate would not be finite.
    virtual void step(std::optional<double> metric = {}) = 0;

    /// Rates of the groups as this schedule set them last (torch: get_last_lr).
    virtual std::vector<double> last_lr() const = 0;
    virtual std::int64_t last_epoch() const = 0;
    virtual bool needs_metric() const { return false; }
    /// Calls of step() and 1 for the making (torch: _step_count); the wrapper's guard of OneCycleLR. Nothing: it does not count.
    virtual std::optional<std::int64_t> step_count() const { return std::nullopt; }
    /// Number of steps after which step() must not be called any more (OneCycleLR).
    virtual std::optional<std::int64_t> total_steps() const { return std::nullopt; }

    /// load_state_dict() also sets the rates of the optimizer's groups to the state's `_last_lr`, so that the order in which
    /// optimizer and schedule are loaded does not matter.
};

/// Makes the schedule `name`. `arguments`: dictionary of keyword arguments, or None. `base_lrs`: the rates that the schedule scales,
/// one per group; empty: the optimizer's present ones. Throws InvalidInput with all problems of the arguments at once.
std::unique_ptr<Schedule> make_schedule(const std::string& name, const Tree& arguments, Optimizer& optimizer,
                                        const std::vector<double>& base_lrs = {});

/// Names that make_schedule() knows, in the order of the list above.
std::vector<std::string> schedule_names();

/// Rate of a group = its base rate times factor(step); one function, or one per group.
using RateFactor = std::function<double(std::int64_t step)>;
std::unique_ptr<Schedule> lambda_schedule(std::vector<RateFactor> factors, Optimizer& optimizer,
                                          const std::vector<double>& base_lrs = {});
/// The present rate times factor(step) at every step.
std::unique_ptr<Schedule> multiplicative_schedule(std::vector<RateFactor> factors, Optimizer& optimizer,
                                                  const std::vector<double>& base_lrs = {});

/// Makes one of the schedules that SequentialLR and ChainedScheduler join, on the common base rates.
using ScheduleMaker = std::function<std::unique_ptr<Schedule>(Optimizer&, const std::vector<double>& base_lrs)>;
/// Runs one schedule after the other: schedule i+1 starts from its step 0 at step milestones[i]. There is one milestone
/// fewer than schedules.
std::unique_ptr<Schedule> sequential_schedule(const std::vector<ScheduleMaker>& makers,
                                              std::vector<std::int64_t> milestones, Optimizer& optimizer,
                                              const std::vector<double>& base_lrs = {});
/// All at every step, one on the other's rates.
std::unique_ptr<Schedule> chained_schedule(const std::vector<ScheduleMaker>& makers, Optimizer& optimizer,
                                           const std::vector<double>& base_lrs = {});

}  // namespace trainyard::optim
