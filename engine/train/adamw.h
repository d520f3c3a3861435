#pragma once
// AdamW on flat slices: one fused call for the decayed slices of all groups, one for the others.
// Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019; LibTorch's _fused_adamw_.

#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe.h"
#include "parallel/flat_group.h"

namespace trainyard::train {

class AdamW {
  public:
    AdamW(parallel::FlatArena& arena, const config::OptimizerRecipe& recipe);

    /// One update with rate `lr`. Gradients are divided by `gradient_divisor` on the way (clipping), without a pass of their own.
    void update(double lr, double gradient_divisor);
    /// Decay rate of the first moment from now on; cyclic schedules turn it.
    void set_beta1(double beta1) { recipe_.beta1 = beta1; }

    const at::Tensor& exp_avg() const { return exp_avg_; }
    const at::Tensor& exp_avg_sq() const { return exp_avg_sq_; }
    /// Updates done; counts the bias correction.
    void set_step(std::int64_t step);

  private:
    struct Slices {
        std::vector<at::Tensor> values, gradients, exp_avg, exp_avg_sq, steps;
        double weight_decay = 0;
    };
    parallel::FlatArena& arena_;
    config::OptimizerRecipe recipe_;
    at::Tensor exp_avg_, exp_avg_sq_;
    Slices decayed_, plain_;
};

}  // namespace trainyard::train
