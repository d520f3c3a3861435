// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/one_bit_rules.h"

#include <algorithm>
#include <cmath>

#include <ATen/ScalarOps.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/lerp.h>

namespace trainyard::optim {

namespace {

using Settings = config::OptimizerSettings;

enum OneBitState : int { kMomentum, kSecondMoment, kAccumulator, kSynchronized };

double scalar(const Scalars& scalars, const char* name) {
    return scalars.find(name)->second;
}

double beta(const Settings& settings, std::size_t number) {
    return settings.numbers("betas")[number];
}

/// 1 - beta^updates, or 1 without bias correction.
double correction(const Settings& settings, std::size_t number, double updates) {
    return settings.flag("bias_correction") ? 1 - std::pow(beta(settings, number), updates) : 1;
}

/// The rate of this update, which takes the place of a correction of the momentum.
double corrected_rate(const Settings& settings, const Scalars& scalars) {
    return settings.number("lr") / correction(settings, 0, scalar(scalars, "step"));
}

void decay(const Settings& settings, const at::Tensor& value) {
    if (const double decay = settings.number("weight_decay"); decay != 0)
        value.mul_(at::native::wrapped_scalar_tensor(1 - settings.number("lr") * decay));
}

void move_momentum(const Settings& settings, Slot& slot) {
    slot.states[kMomentum].lerp_(slot.gradient, 1 - beta(settings, 0));
}

/// In the order of operations of torch's Adam.
void move_second_moment(const Settings& settings, Slot& slot) {
    const double beta2 = beta(settings, 1);
    slot.states[kSecondMoment].mul_(beta2).addcmul_(slot.gradient, slot.gradient, 1 - beta2);
}

/// `updates`: of the second moment.
at::Tensor denominator(const Settings& settings, const Slot& slot, double updates) {
    return slot.states[kSecondMoment]
        .sqrt()
        .div_(std::sqrt(correction(settings, 1, updates)))
        .add_(settings.number("eps"));
}

/// Signs cannot be zero.
void mask(const Slot& slot, const at::Tensor& averaged) {
    averaged.masked_fill_(slot.states[kSecondMoment].eq(0), 0);
}

// --- 1-bit Adam ------------------------------------------------------------------------------------------------------

bool compresses(const Settings& settings, double step) {
    return step > settings.number("freeze_step");
}

}  // namespace

void update_one_bit_adam(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const double step = scalar(scalars, "step");
    decay(settings, slot.value);
    if (compresses(settings, step)) {
        mask(slot, slot.states[kMomentum]);
    } else {
        move_momentum(settings, slot);
        move_second_moment(settings, slot);
    }
    slot.value.addcdiv_(slot.states[kMomentum],
                        denominator(settings, slot, std::min(step, settings.number("freeze_step"))),
                        -corrected_rate(settings, scalars));
}

const ExchangeRule kOneBitExchange{
    .sums_gradients = [](const Settings& settings,
                         const Scalars& scalars) { return !compresses(settings, scalar(scalars, "step") + 1); },
    .exchanged =
        [](const Settings& settings, const Scalars& scalars) {
            return compresses(settings, scalar(scalars, "step")) ? int{kMomentum} : ExchangeRule::kNothing;
        },
    .forgets_errors = [](const Settings&, const Scalars&) { return false; },
    .is_adamw =
        [](const Settings& settings, const Scalars& scalars) {
            return settings.flag("bias_correction") && !compresses(settings, scalar(scalars, "step"));
        },
    .prepare =
        [](const Settings& settings, const Scalars& scalars, Slot& slot) {
            if (compresses(settings, scalar(scalars, "step")))
                move_momentum(settings, slot);
        }};

// --- 0/1 Adam --------------------------------------------------------------------------------------------------------

namespace {

bool is_frozen(const Settings& settings, double step) {
    return step > settings.number("var_freeze_step");
}

/// Reads the parameters of updates that are not frozen.
bool moves_second_moment(const Scalars& scalars, double step) {
    return std::fmod(step, scalar(scalars, "var_interval")) == 0;
}

/// Of frozen updates: the ranks average what they accumulated.
bool synchronizes(const Scalars& scalars) {
    return std::fmod(scalar(scalars, "step"), scalar(scalars, "local_step_interval")) == 0;
}

/// The accumulated momentum is the mean over the ranks: the weights are made again from those that all ranks had.
void settle_zero_one(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const at::Tensor& accumulated = slot.states[kAccumulator];
    mask(slot, accumulated);
    slot.states[kMomentum].copy_(accumulated).mul_(1 / scalar(scalars, "lrs"));
    slot.value.copy_(slot.states[kSynchronized])
        .addcdiv_(accumulated, denominator(settings, slot, scalar(scalars, "var_updates")), -1);
    accumulated.zero_();
}

void end_local_steps(Scalars& scalars) {
    scalars["local_steps"] = scalars["lrs"] = 0;
}

void prepare_zero_one(const Settings& settings, const Scalars& scalars, Slot& slot) {
    if (!is_frozen(settings, scalar(scalars, "step")))
        return;
    if (scalar(scalars, "local_steps") == 1)
        slot.states[kSynchronized].copy_(slot.value);
    decay(settings, slot.states[kSynchronized]);
    decay(settings, slot.value);
    move_momentum(settings, slot);
    mask(slot, slot.states[kMomentum]);
    const double rate = corrected_rate(settings, scalars);
    slot.states[kAccumulator].add_(slot.states[kMomentum], rate);
    slot.value.addcdiv_(slot.states[kMomentum], denominator(settings, slot, scalar(scalars, "var_updates")), -rate);
}

}  // namespace

void begin_zero_one_adam(const Settings& settings, Scalars& scalars) {
    const double step = scalar(scalars, "step");
    if (is_frozen(settings, step)) {
        scalars["local_steps"] += 1;
        scalars["lrs"] += corrected_rate(settings, scalars);
    } else if (moves_second_moment(scalars, step)) {
        scalars["var_updates"] += 1;
    }
}

void update_zero_one_adam(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const double step = scalar(scalars, "step");
    if (is_frozen(settings, step)) {
        if (synchronizes(scalars))
            settle_zero_one(settings, scalars, slot);
        return;
    }
    if (moves_second_moment(scalars, step))
        move_second_moment(settings, slot);
    else
        mask(slot, slot.gradient);
    decay(settings, slot.value);
    move_momentum(settings, slot);
    slot.value.addcdiv_(slot.states[kMomentum], denominator(settings, slot, scalar(scalars, "var_updates")),
                        -corrected_rate(settings, scalars));
}

/// The interval of the second moment doubles after each var_update_scaler updates of it, that of the exchange after
/// each local_step_scaler local steps.
void end_zero_one_adam(const Settings& settings, Scalars& scalars) {
    const double step = scalar(scalars, "step");
    if (is_frozen(settings, step)) {
        if (synchronizes(scalars))
            end_local_steps(scalars);
        if (double& counter = scalars["local_step_counter"]; ++counter == settings.number("local_step_scaler")) {
            counter = 0;
            double& interval = scalars["local_step_interval"];
            interval = std::min(settings.number("local_step_clipper"), 2 * interval);
        }
    } else if (moves_second_moment(scalars, step)) {
        if (double& counter = scalars["var_counter"]; ++counter == settings.number("var_update_scaler")) {
            counter = 0;
            scalars["var_interval"] *= 2;
        }
    }
}

const ExchangeRule kZeroOneExchange{
    .sums_gradients =
        [](const Settings& settings, const Scalars& scalars) {
            const double next = scalar(scalars, "step") + 1;
            return !is_frozen(settings, next) && moves_second_moment(scalars, next);
        },
    .exchanged =
        [](const Settings& settings, const Scalars& scalars) {
            const double step = scalar(scalars, "step");
            if (is_frozen(settings, step))
                return synchronizes(scalars) ? int{kAccumulator} : ExchangeRule::kNothing;
            return moves_second_moment(scalars, step) ? ExchangeRule::kNothing : ExchangeRule::kGradient;
        },
    .forgets_errors =
        [](const Settings& settings, const Scalars& scalars) {
            return scalar(scalars, "step") == settings.number("var_freeze_step") + 1;
        },
    .is_adamw =
        [](const Settings& settings, const Scalars& scalars) {
            const double step = scalar(scalars, "step");
            return settings.flag("bias_correction") && !is_frozen(settings, step) &&
                   scalar(scalars, "var_updates") == step;
        },
    .prepare = prepare_zero_one,
    .unsettled = [](const Scalars& scalars) -> int {
        const auto steps = scalars.find("local_steps");
        return steps != scalars.end() && steps->second > 0 ? int{kAccumulator} : ExchangeRule::kNothing;
    },
    .settle = settle_zero_one,
    .end_settle = end_local_steps};

}  // namespace trainyard::optim
