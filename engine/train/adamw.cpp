#include "train/adamw.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

namespace trainyard::train {

AdamW::AdamW(parallel::FlatArena& arena, const config::OptimizerRecipe& recipe)
    : arena_(arena), recipe_(recipe), exp_avg_(arena.new_buffer()), exp_avg_sq_(arena.new_buffer()) {
    auto add = [&](Slices& slices, parallel::Range range) {
        if (range.size() == 0)
            return;
        slices.values.push_back(arena_.slice(arena_.values(), range));
        slices.gradients.push_back(arena_.slice(arena_.gradients(), range));
        slices.exp_avg.push_back(arena_.slice(exp_avg_, range));
        slices.exp_avg_sq.push_back(arena_.slice(exp_avg_sq_, range));
        slices.steps.push_back(at::zeros({}, arena_.values().options()));
    };
    for (const parallel::FlatGroup& group : arena_.groups()) {
        add(decayed_, group.decayed());
        add(plain_, group.plain());
    }
    decayed_.weight_decay = recipe_.weight_decay;
}

void AdamW::update(double lr, double gradient_divisor) {
    at::NoGradGuard no_grad;
    std::optional<at::Tensor> divisor;
    if (gradient_divisor != 1.0)
        divisor = at::full({}, gradient_divisor, arena_.values().options());
    for (Slices* slices : {&decayed_, &plain_}) {
        if (slices->values.empty())
            continue;
        for (at::Tensor& step : slices->steps)
            step.add_(1);
        at::_fused_adamw_(slices->values, slices->gradients, slices->exp_avg, slices->exp_avg_sq, {}, slices->steps, lr,
                          recipe_.beta1, recipe_.beta2, slices->weight_decay, recipe_.eps, false, false, divisor);
    }
    arena_.refresh_compute();
}

void AdamW::set_step(std::int64_t step) {
    for (Slices* slices : {&decayed_, &plain_})
        for (at::Tensor& tensor : slices->steps)
            tensor.fill_(static_cast<double>(step));
}

}  // namespace trainyard::train
