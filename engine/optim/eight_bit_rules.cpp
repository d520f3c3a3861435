// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/eight_bit_rules.h"

#include <algorithm>
#include <cmath>

#include <ATen/ops/bucketize.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/tensor.h>

#include "formats/weights/quantization/blocks.h"

namespace trainyard::optim {

namespace {

using Settings = config::OptimizerSettings;

constexpr std::int64_t kBlock = 256;

/// Rows [rows, count] as [rows, blocks, 256], the last block filled with zeros.
at::Tensor blocks_of_rows(const at::Tensor& rows) {
    const std::int64_t rest = (kBlock - rows.size(1) % kBlock) % kBlock;
    return (rest == 0 ? rows : at::constant_pad_nd(rows, {0, rest})).view({rows.size(0), -1, kBlock});
}

/// A moment in fp32, [rows, count] with the parameter's elements in each row. A moment of codes has magnitudes.
class Moment {
  public:
    Moment(const at::Tensor& state, const at::Tensor& absmax, std::int64_t count, bool has_sign)
        : state_(state), absmax_(absmax), has_sign_(has_sign) {
        const at::Tensor rows = state.view({count == 0 ? 1 : state.numel() / count, count});
        if (!absmax.defined()) {
            wide_ = rows;
            return;
        }
        const at::Tensor values = table(has_sign).to(state.device());
        const at::Tensor wide = values.index_select(0, state.view({-1}).to(at::kInt)).view(rows.sizes());
        wide_ = blocks_of_rows(wide)
                    .mul_(absmax.view({rows.size(0), -1, 1}))
                    .view({rows.size(0), -1})
                    .narrow(1, 0, count)
                    .contiguous();
    }

    /// The row as a flat tensor, to be changed in place.
    at::Tensor row(std::int64_t number = 0) const { return wide_.select(0, number); }

    /// Writes the codes and magnitudes of a changed moment; fp32 moments were changed themselves.
    void store() const {
        if (!absmax_.defined())
            return;
        const at::Tensor blocks = blocks_of_rows(wide_);
        absmax_.copy_(blocks.abs().amax(2).view(absmax_.sizes()));
        const at::Tensor divisor = absmax_.view({wide_.size(0), -1, 1}).clamp_min(quantization::kSmallestMagnitude);
        const at::Tensor shares = blocks.mul(divisor.reciprocal());
        if (wide_.size(1) % kBlock != 0)  // as quantization::encode_blocks()
            shares.select(1, -1).copy_(blocks.select(1, -1).div(divisor.select(1, -1)));
        const std::vector<float>& bounds = quantization::dynamic_table(has_sign_).bounds();
        const at::Tensor found =
            at::bucketize(shares.clamp_(-1, 1), at::tensor(bounds).to(wide_.device()), /*out_int32=*/true);
        state_.view(wide_.sizes()).copy_(found.view({wide_.size(0), -1}).narrow(1, 0, wide_.size(1)));
    }

    static at::Tensor table(bool has_sign) { return at::tensor(quantization::dynamic_table(has_sign).values()); }

  private:
    at::Tensor state_, absmax_, wide_;
    bool has_sign_;
};

/// Value, gradient and moments of a slot in fp32 while it is updated.
struct WideSlot {
    at::Tensor value, gradient;
    std::vector<Moment> moments;

    WideSlot(const Slot& slot, std::size_t count)
        : value(slot.value.reshape({-1}).to(at::kFloat)), gradient(slot.gradient.reshape({-1}).to(at::kFloat)) {
        const bool narrow = slot.states.size() > count;
        for (std::size_t i = 0; i < count; ++i)
            moments.emplace_back(slot.states[i], narrow ? slot.states[count + i] : at::Tensor(), slot.value.numel(),
                                 i == 0);
    }

    void store(Slot& slot) const {
        slot.value.copy_(value.view(slot.value.sizes()));
        for (const Moment& moment : moments)
            moment.store();
    }

    void decay_value(const Settings& settings) const {
        if (const double decay = settings.number("weight_decay"); decay != 0)
            value.mul_(1 - settings.number("lr") * decay);
    }
    void decay_gradient(const Settings& settings) {
        if (const double decay = settings.number("weight_decay"); decay != 0)
            gradient = gradient.add(value, decay);
    }
};

double step_number(const Scalars& scalars) {
    return scalars.find("step")->second;
}

void move_mean(const at::Tensor& mean, double beta, const at::Tensor& gradient) {
    mean.mul_(beta).add_(gradient, 1 - beta);
}

void move_mean_square(const at::Tensor& mean, double beta, const at::Tensor& gradient) {
    mean.mul_(beta).addcmul_(gradient, gradient, 1 - beta);
}

/// sqrt(square / (1 - beta^step)) + eps
at::Tensor corrected_deviation(const at::Tensor& square, double beta, double step, double eps) {
    return square.sqrt().div_(std::sqrt(1 - std::pow(beta, step))).add_(eps);
}

/// The factor of AdEMAMix's slow mean, and its beta: both grow to their values where a schedule is given.
std::pair<double, double> slow_mean(const Settings& settings, double step) {
    double alpha = settings.number("alpha"), beta = settings.numbers("betas")[2];
    if (const double steps = settings.number("t_alpha"); !std::isnan(steps))
        alpha = std::min(alpha, step * alpha / steps);
    if (const double steps = settings.number("t_beta3"); !std::isnan(steps)) {
        const double from = std::log(settings.numbers("betas")[0]), to = std::log(beta), share = step / steps;
        beta = std::min(beta, std::exp(from * to / ((1 - share) * to + share * from)));
    }
    return {alpha, beta};
}

}  // namespace

void update_adam_8bit(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const WideSlot wide(slot, 2);
    const double beta1 = settings.numbers("betas")[0], beta2 = settings.numbers("betas")[1];
    const double step = step_number(scalars);
    const at::Tensor mean = wide.moments[0].row(), square = wide.moments[1].row();
    move_mean(mean, beta1, wide.gradient);
    move_mean_square(square, beta2, wide.gradient);
    wide.decay_value(settings);
    wide.value.addcdiv_(mean, corrected_deviation(square, beta2, step, settings.number("eps")),
                        -settings.number("lr") / (1 - std::pow(beta1, step)));
    wide.store(slot);
}

void update_ademamix_8bit(const Settings& settings, const Scalars& scalars, Slot& slot) {
    const WideSlot wide(slot, 2);
    const double beta1 = settings.numbers("betas")[0], beta2 = settings.numbers("betas")[1];
    const double step = step_number(scalars);
    const auto [alpha, beta3] = slow_mean(settings, step);
    const at::Tensor fast = wide.moments[0].row(0), slow = wide.moments[0].row(1), square = wide.moments[1].row();
    move_mean(fast, beta1, wide.gradient);
    move_mean(slow, beta3, wide.gradient);
    move_mean_square(square, beta2, wide.gradient);
    wide.decay_value(settings);
    const at::Tensor mixed = fast.div(1 - std::pow(beta1, step)).add_(slow, alpha);
    wide.value.addcdiv_(mixed, corrected_deviation(square, beta2, step, settings.number("eps")),
                        -settings.number("lr"));
    wide.store(slot);
}

void update_lion_8bit(const Settings& settings, const Scalars&, Slot& slot) {
    const WideSlot wide(slot, 1);
    const double beta1 = settings.numbers("betas")[0], beta2 = settings.numbers("betas")[1];
    const at::Tensor mean = wide.moments[0].row();
    wide.decay_value(settings);
    wide.value.add_(mean.mul(beta1).add_(wide.gradient, 1 - beta1).sign_(), -settings.number("lr"));
    move_mean(mean, beta2, wide.gradient);
    wide.store(slot);
}

void update_adagrad_8bit(const Settings& settings, const Scalars&, Slot& slot) {
    WideSlot wide(slot, 1);
    wide.decay_gradient(settings);
    const at::Tensor sum = wide.moments[0].row();
    sum.addcmul_(wide.gradient, wide.gradient);
    wide.value.addcdiv_(wide.gradient, sum.sqrt().add_(settings.number("eps")), -settings.number("lr"));
    wide.store(slot);
}

void update_rmsprop_8bit(const Settings& settings, const Scalars&, Slot& slot) {
    WideSlot wide(slot, 1);
    wide.decay_gradient(settings);
    const at::Tensor square = wide.moments[0].row();
    move_mean_square(square, settings.number("alpha"), wide.gradient);
    wide.value.addcdiv_(wide.gradient, square.sqrt().add_(settings.number("eps")), -settings.number("lr"));
    wide.store(slot);
}

void update_sgd_8bit(const Settings& settings, const Scalars& scalars, Slot& slot) {
    WideSlot wide(slot, 1);
    wide.decay_gradient(settings);
    const at::Tensor momentum = wide.moments[0].row();
    if (step_number(scalars) == 1)
        momentum.copy_(wide.gradient);
    else
        momentum.mul_(settings.number("momentum")).add_(wide.gradient);
    wide.value.add_(momentum, -settings.number("lr"));
    wide.store(slot);
}

at::Tensor code_values(const std::string& state) {
    return Moment::table(state == "state1");
}

}  // namespace trainyard::optim
