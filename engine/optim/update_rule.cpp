// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/update_rule.h"

#include <cmath>
#include <stdexcept>

#include <ATen/Parallel.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "optim/eight_bit_rules.h"
#include "optim/matrix_rules.h"
#include "optim/one_bit_rules.h"

namespace trainyard::optim {

namespace {

using Settings = config::OptimizerSettings;

/// tensor *= factor. Tensor::mul_(Scalar) puts the factor first, and 16-bit kernels of the CPU round a first factor
/// to 16 bits.
const at::Tensor& scale(const at::Tensor& tensor, double factor) {
    return tensor.mul_(at::native::wrapped_scalar_tensor(factor));
}

double step_of(const Scalars& scalars) {
    return scalars.find("step")->second;
}

/// torch keeps these numbers in fp32.
double in_fp32(double number) {
    return static_cast<double>(static_cast<float>(number));
}

/// The gradient to follow: its sign, and the weight decay that is a part of it.
at::Tensor followed(const Settings& settings, const Slot& slot, bool decays) {
    at::Tensor gradient = settings.has("maximize") && settings.flag("maximize") ? slot.gradient.neg() : slot.gradient;
    const double decay = decays && settings.has("weight_decay") ? settings.number("weight_decay") : 0;
    return decay == 0 ? gradient : gradient.add(slot.value, decay);
}

/// Weight decay beside the gradient. Returns whether it is so.
bool decay_apart(const Settings& settings, const Slot& slot) {
    if (!settings.flag("decoupled_weight_decay"))
        return false;
    if (const double decay = settings.number("weight_decay"); decay != 0)
        scale(slot.value, 1 - settings.number("lr") * decay);
    return true;
}

struct Betas {
    double first, second;
    explicit Betas(const Settings& settings)
        : first(settings.numbers("betas")[0]), second(settings.numbers("betas")[1]) {}
};

void move_square(at::Tensor& square, double kept, const at::Tensor& gradient) {
    scale(square, kept).addcmul_(gradient, gradient, 1 - kept);
}

void adam(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const bool apart = decay_apart(settings, slot);
    const at::Tensor gradient = followed(settings, slot, !apart);
    const Betas betas(settings);
    const double step = step_of(scalars);
    const double correction1 = 1 - std::pow(betas.first, step), correction2 = 1 - std::pow(betas.second, step);
    slot.states[0].lerp_(gradient, 1 - betas.first);
    move_square(slot.states[1], betas.second, gradient);
    if (settings.flag("amsgrad"))
        at::maximum_out(slot.states[2], slot.states[2], slot.states[1]);
    const at::Tensor& second = settings.flag("amsgrad") ? slot.states[2] : slot.states[1];
    const at::Tensor denominator = second.sqrt().div_(std::sqrt(correction2)).add_(settings.number("eps"));
    slot.value.addcdiv_(slot.states[0], denominator, -settings.number("lr") / correction1);
}

void sgd(const Settings& settings, const Scalars& scalars, Slot& slot) {
    at::Tensor gradient = followed(settings, slot, true);
    if (const double momentum = settings.number("momentum"); momentum != 0) {
        at::Tensor& buffer = slot.states[0];
        if (step_of(scalars) == 1)
            buffer.copy_(gradient);
        else
            scale(buffer, momentum).add_(gradient, 1 - settings.number("dampening"));
        gradient = settings.flag("nesterov") ? gradient.add(buffer, momentum) : buffer;
    }
    slot.value.add_(gradient, -settings.number("lr"));
}

void adamax(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const at::Tensor gradient = followed(settings, slot, true);
    const Betas betas(settings);
    slot.states[0].lerp_(gradient, 1 - betas.first);
    at::maximum_out(slot.states[1], scale(slot.states[1], betas.second), gradient.abs().add_(settings.number("eps")));
    slot.value.addcdiv_(slot.states[0], slot.states[1],
                        -settings.number("lr") / (1 - std::pow(betas.first, step_of(scalars))));
}

double nadam_momentum(const Settings& settings, double step) {
    return Betas(settings).first * (1.0 - 0.5 * std::pow(0.96, step * settings.number("momentum_decay")));
}

void begin_nadam(const Settings& settings, Scalars& scalars) {
    double& product = scalars["mu_product"];
    product = in_fp32(product * nadam_momentum(settings, step_of(scalars)));
}

void nadam(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const bool apart = decay_apart(settings, slot);
    const at::Tensor gradient = followed(settings, slot, !apart);
    const Betas betas(settings);
    const double step = step_of(scalars), lr = settings.number("lr");
    const double mu = nadam_momentum(settings, step), next = nadam_momentum(settings, step + 1);
    const double product = scalars.find("mu_product")->second;
    slot.states[0].lerp_(gradient, 1 - betas.first);
    move_square(slot.states[1], betas.second, gradient);
    const at::Tensor denominator =
        slot.states[1].div(1 - std::pow(betas.second, step)).sqrt_().add_(settings.number("eps"));
    slot.value.addcdiv_(gradient, denominator, -lr * (1 - mu) / (1 - product));
    slot.value.addcdiv_(slot.states[0], denominator, -lr * next / (1 - product * next));
}

void radam(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const bool apart = decay_apart(settings, slot);
    const at::Tensor gradient = followed(settings, slot, !apart);
    const Betas betas(settings);
    const double step = step_of(scalars), lr = settings.number("lr");
    slot.states[0].lerp_(gradient, 1 - betas.first);
    move_square(slot.states[1], betas.second, gradient);
    const double power = std::pow(betas.second, step), correction2 = 1 - power;
    const at::Tensor corrected = slot.states[0].div(1 - std::pow(betas.first, step));
    const double longest = 2 / (1 - betas.second) - 1, length = longest - 2 * step * power / correction2;
    if (length <= 5) {
        slot.value.add_(corrected.mul(lr), -1.0);
        return;
    }
    const double rectified =
        std::sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
    const at::Tensor adaptive =
        slot.states[1].sqrt().add_(settings.number("eps")).reciprocal_().mul_(std::sqrt(correction2));
    slot.value.add_(corrected.mul(lr).mul_(adaptive).mul_(rectified), -1.0);
}

void start_adagrad(const Settings& settings, Slot& slot) {
    slot.states[0].fill_(settings.number("initial_accumulator_value"));
}

void adagrad(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const at::Tensor gradient = followed(settings, slot, true);
    slot.states[0].addcmul_(gradient, gradient, 1);
    slot.value.addcdiv_(gradient, slot.states[0].sqrt().add_(settings.number("eps")),
                        -settings.number("lr") / (1 + (step_of(scalars) - 1) * settings.number("lr_decay")));
}

void adadelta(const Settings& settings, const Scalars&, Slot& slot) {
    const at::Tensor gradient = followed(settings, slot, true);
    const double rho = settings.number("rho"), eps = settings.number("eps");
    move_square(slot.states[0], rho, gradient);
    const at::Tensor deviation = slot.states[0].add(eps).sqrt_();
    const at::Tensor delta = slot.states[1].add(eps).sqrt_().div_(deviation).mul_(gradient);
    move_square(slot.states[1], rho, delta);
    slot.value.add_(delta, -settings.number("lr"));
}

void rmsprop(const Settings& settings, const Scalars&, Slot& slot) {
    const at::Tensor gradient = followed(settings, slot, true);
    const double alpha = settings.number("alpha"), momentum = settings.number("momentum"), lr = settings.number("lr");
    move_square(slot.states[0], alpha, gradient);
    at::Tensor average;
    if (settings.flag("centered")) {
        at::Tensor& mean = slot.states.back();
        mean.lerp_(gradient, 1 - alpha);
        average = slot.states[0].addcmul(mean, mean, -1).sqrt_();
    } else {
        average = slot.states[0].sqrt();
    }
    average.add_(settings.number("eps"));
    if (momentum > 0) {
        scale(slot.states[1], momentum).addcdiv_(gradient, average);
        slot.value.add_(slot.states[1], -lr);
    } else {
        slot.value.addcdiv_(gradient, average, -lr);
    }
}

void start_rprop(const Settings& settings, Slot& slot) {
    slot.states[1].fill_(settings.number("lr"));
}

void rprop(const Settings& settings, const Scalars&, Slot& slot) {
    at::Tensor gradient = followed(settings, slot, false);
    const double less = settings.numbers("etas")[0], more = settings.numbers("etas")[1];
    const at::Tensor sign = gradient.mul(slot.states[0]).sign_();
    const at::Tensor turned = sign.lt(0);
    const at::Tensor factor = at::full_like(sign, 1.0).masked_fill_(sign.gt(0), more).masked_fill_(turned, less);
    slot.states[1].mul_(factor).clamp_(settings.numbers("step_sizes")[0], settings.numbers("step_sizes")[1]);
    gradient = gradient.masked_fill(turned, 0);
    slot.value.addcmul_(gradient.sign(), slot.states[1], -1);
    slot.states[0].copy_(gradient);
}

void begin_asgd(const Settings& settings, Scalars& scalars) {
    if (step_of(scalars) == 1)
        scalars["eta"] = in_fp32(settings.number("lr"));
}

void asgd(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const at::Tensor gradient = followed(settings, slot, true);
    const double eta = scalars.find("eta")->second, mu = scalars.find("mu")->second;
    scale(slot.value, 1 - settings.number("lambd") * eta).add_(gradient, -eta);
    if (mu == 1)
        slot.states[0].copy_(slot.value);
    else
        slot.states[0].add_(scale(slot.value.sub(slot.states[0]), mu));
}

void end_asgd(const Settings& settings, Scalars& scalars) {
    const double step = step_of(scalars), lr = settings.number("lr");
    scalars["eta"] = in_fp32(lr / std::pow(1 + settings.number("lambd") * lr * step, settings.number("alpha")));
    scalars["mu"] = in_fp32(1 / std::max(1.0, step - settings.number("t0")));
}

void lion(const Settings& settings, const Scalars&, Slot& slot) {
    const Betas betas(settings);
    const double lr = settings.number("lr");
    if (const double decay = settings.number("weight_decay"); decay != 0)
        scale(slot.value, 1 - lr * decay);
    slot.value.add_(slot.states[0].lerp(slot.gradient, 1 - betas.first).sign_(), -lr);
    slot.states[0].lerp_(slot.gradient, 1 - betas.second);
}

// --- schedule-free: the model is trained at y, between the steps z and their average x
// ------------------------------------------------------

double inertia(const Settings& settings) {
    return settings.momentum();
}

void start_schedule_free(const Settings&, Slot& slot) {
    slot.states[0].copy_(slot.value);
}

void begin_schedule_free(const Settings& settings, Scalars& scalars) {
    const double step = step_of(scalars), warm_up = settings.number("warmup_steps");
    const double lr = settings.number("lr") * (step <= warm_up ? step / warm_up : 1.0);
    scalars["k"] = step;
    scalars["lr_max"] = std::max(scalars["lr_max"], lr);
    const double weight =
        std::pow(step, settings.number("r")) * std::pow(scalars["lr_max"], settings.number("weight_lr_power"));
    scalars["weight_sum"] += weight;
    scalars["share"] = scalars["weight_sum"] > 0 ? weight / scalars["weight_sum"] : 0;
    scalars["rate"] = lr;
}

void schedule_free_step(const Settings& settings, const Scalars& scalars, Slot& slot, at::Tensor direction) {
    const double share = scalars.find("share")->second, rate = scalars.find("rate")->second;
    if (const double decay = settings.number("weight_decay"); decay != 0)
        direction.add_(slot.value, decay);
    slot.value.lerp_(slot.states[0], share).add_(direction, rate * (inertia(settings) * (1 - share) - 1));
    slot.states[0].sub_(direction, rate);
}

void schedule_free_sgd(const Settings& settings, const Scalars& scalars, Slot& slot) {
    schedule_free_step(settings, scalars, slot, slot.gradient);
}

void schedule_free_adamw(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const double kept = settings.numbers("betas")[1];
    move_square(slot.states[1], kept, slot.gradient);
    const at::Tensor denominator =
        slot.states[1].div(1 - std::pow(kept, step_of(scalars))).sqrt_().add_(settings.number("eps"));
    schedule_free_step(settings, scalars, slot, slot.gradient.div_(denominator));
}

void lomo(const Settings& settings, const Scalars&, Slot& slot) {
    if (const double most = settings.number("clip_grad_value"); !std::isnan(most))
        slot.gradient.clamp_(-most, most);
    const double lr = settings.number("lr");
    if (const double decay = settings.number("weight_decay"); decay != 0)
        scale(slot.value, 1 - lr * decay);
    slot.value.add_(slot.gradient, -lr);
}

constexpr UpdateRule kRules[] = {
    {"adam", nullptr, nullptr, adam, nullptr},
    {"adamw", nullptr, nullptr, adam, nullptr},
    {"sgd", nullptr, nullptr, sgd, nullptr},
    {"adamax", nullptr, nullptr, adamax, nullptr},
    {"nadam", nullptr, begin_nadam, nadam, nullptr},
    {"radam", nullptr, nullptr, radam, nullptr},
    {"adagrad", start_adagrad, nullptr, adagrad, nullptr},
    {"adadelta", nullptr, nullptr, adadelta, nullptr},
    {"rmsprop", nullptr, nullptr, rmsprop, nullptr},
    {"rprop", start_rprop, nullptr, rprop, nullptr},
    {"asgd", nullptr, begin_asgd, asgd, end_asgd},
    {"lion", nullptr, nullptr, lion, nullptr},
    {"schedule_free_adamw", start_schedule_free, begin_schedule_free, schedule_free_adamw, nullptr},
    {"schedule_free_sgd", start_schedule_free, begin_schedule_free, schedule_free_sgd, nullptr},
    {"lomo", nullptr, nullptr, lomo, nullptr},
    {"muon", nullptr, nullptr, update_muon, nullptr},
    {"adafactor", nullptr, nullptr, update_adafactor, nullptr},
    {"adalomo", nullptr, nullptr, update_adalomo, nullptr},
    {"adamw_8bit", nullptr, nullptr, update_adam_8bit, nullptr},
    {"adam_8bit", nullptr, nullptr, update_adam_8bit, nullptr},
    {"lion_8bit", nullptr, nullptr, update_lion_8bit, nullptr},
    {"adagrad_8bit", nullptr, nullptr, update_adagrad_8bit, nullptr},
    {"rmsprop_8bit", nullptr, nullptr, update_rmsprop_8bit, nullptr},
    {"sgd_8bit", nullptr, nullptr, update_sgd_8bit, nullptr},
    {"ademamix_8bit", nullptr, nullptr, update_ademamix_8bit, nullptr},
    {"onebit_adam", nullptr, nullptr, update_one_bit_adam, nullptr, &kOneBitExchange},
    {"zero_one_adam", nullptr, begin_zero_one_adam, update_zero_one_adam, end_zero_one_adam, &kZeroOneExchange},
};

}  // namespace

const UpdateRule& rule_of(const config::OptimizerKind& kind) {
    for (const UpdateRule& rule : kRules)
        if (kind.name == rule.kind)
            return rule;
    throw std::logic_error("no update rule of " + kind.name);
}

std::vector<at::Tensor> new_states(const Settings& settings, const at::Tensor& value) {
    at::NoGradGuard no_grad;
    std::vector<at::Tensor> states;
    for (const config::OptimizerState& state : config::states_of(settings, value.sizes().vec())) {
        // A state that torch keeps in the parameter's number format, or one of a format of its own.
        const at::ScalarType type = state.element_bytes == 1     ? at::kByte
                                    : settings.kind().own_dtypes ? at::kFloat
                                                                 : value.scalar_type();
        states.push_back(at::zeros(state.shape, value.options().dtype(type).requires_grad(false)));
    }
    return states;
}

Scalars new_scalars(const Settings& settings) {
    Scalars scalars{{"step", 0}};
    for (const auto& [name, first] : settings.kind().first_scalars)
        scalars[name] = first;
    return scalars;
}

void add_pieces(const Slot& slot, bool element_wise, std::vector<Slot>& pieces) {
    const bool cuts = element_wise && slot.value.is_cpu() && slot.value.is_contiguous() &&
                      slot.gradient.is_contiguous() && slot.value.numel() > kUpdatePiece;
    if (!cuts) {
        pieces.push_back(slot);
        return;
    }
    for (std::int64_t begin = 0; begin < slot.value.numel(); begin += kUpdatePiece) {
        const std::int64_t count = std::min(kUpdatePiece, slot.value.numel() - begin);
        const auto cut = [&](const at::Tensor& tensor) { return tensor.view(-1).narrow(0, begin, count); };
        Slot piece{cut(slot.value), cut(slot.gradient), {}};
        for (const at::Tensor& state : slot.states)
            piece.states.push_back(cut(state));
        pieces.push_back(std::move(piece));
    }
}

void begin_update(const Settings& settings, Scalars& scalars) {
    scalars["step"] += 1;
    if (const UpdateRule& rule = rule_of(settings.kind()); rule.begin != nullptr)
        rule.begin(settings, scalars);
}

void end_update(const Settings& settings, Scalars& scalars) {
    if (const UpdateRule& rule = rule_of(settings.kind()); rule.end != nullptr)
        rule.end(settings, scalars);
}

namespace {

/// Threads share slots that are pieces.
template <class Update>
void for_slots(const Settings& settings, std::span<Slot> slots, const Update& update) {
    at::NoGradGuard no_grad;
    const bool together = settings.kind().element_wise && slots.size() > 1 && slots.front().value.is_cpu();
    if (together)
        at::parallel_for(0, std::ssize(slots), 1, [&](std::int64_t begin, std::int64_t end) {
            at::NoGradGuard no_grad_here;
            for (std::int64_t i = begin; i < end; ++i)
                update(slots[static_cast<std::size_t>(i)]);
        });
    else
        for (Slot& slot : slots)
            update(slot);
}

}  // namespace

void update_slots(const Settings& settings, const Scalars& scalars, std::span<Slot> slots, double divisor) {
    const UpdateRule& rule = rule_of(settings.kind());
    const bool is_first = step_of(scalars) == 1;
    for_slots(settings, slots, [&](Slot& slot) {
        if (divisor != 1)
            slot.gradient.div_(divisor);
        if (is_first && rule.start != nullptr)
            rule.start(settings, slot);
        rule.update(settings, scalars, slot);
    });
}

void prepare_slots(const Settings& settings, const Scalars& scalars, std::span<Slot> slots, double divisor) {
    const ExchangeRule& rule = *rule_of(settings.kind()).exchange;
    for_slots(settings, slots, [&](Slot& slot) {
        if (divisor != 1)
            slot.gradient.div_(divisor);
        rule.prepare(settings, scalars, slot);
    });
}

at::Tensor exchanged_tensor(const Slot& slot, int exchanged) {
    return (exchanged == ExchangeRule::kGradient ? slot.gradient : slot.states.at(static_cast<std::size_t>(exchanged)))
        .view(-1);
}

int unsettled_state(const Settings& settings, const Scalars& scalars) {
    const ExchangeRule* rule = rule_of(settings.kind()).exchange;
    return rule != nullptr && rule->unsettled != nullptr ? rule->unsettled(scalars) : ExchangeRule::kNothing;
}

void settle_slots(const Settings& settings, const Scalars& scalars, std::span<Slot> slots) {
    const ExchangeRule& rule = *rule_of(settings.kind()).exchange;
    for_slots(settings, slots, [&](Slot& slot) { rule.settle(settings, scalars, slot); });
}

at::Tensor averaged_value(const Settings& settings, const Slot& slot) {
    at::NoGradGuard no_grad;
    return slot.value.lerp(slot.states.at(0), 1 - 1 / inertia(settings));
}

}  // namespace trainyard::optim
