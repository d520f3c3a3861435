#pragma once
// AdamW on flat slices. On the CPU one pass of our own over values, gradients and moments, which writes the copy of the values in bfloat16
// on the way; elsewhere LibTorch's fused call, one for the decayed slices of all groups and one for the others. Moments are those of the
// slices that this rank owns (FlatArena::owned()), and these alone are updated.
// Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019.

#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe.h"
#include "parallel/flat_group.h"

namespace trainyard::train {

class AdamW {
  public:
    AdamW(parallel::FlatArena& arena, const config::OptimizerRecipe& recipe);

    /// One update with rate `lr`. The copy in the compute dtype is current afterwards, unless the arena is sharded: then the values of the
    /// other ranks are to come, and FlatArena::refresh_compute() behind them. Gradients are divided by `gradient_divisor` on the way (clipping), without a pass of their own;
    /// what the gradients' buffer holds afterwards is not said.
    void update(double lr, double gradient_divisor);
    /// Decay rate of the first moment from now on; cyclic schedules turn it.
    void set_beta1(double beta1) { recipe_.beta1 = beta1; }

    /// Buffers of optimizer state (FlatArena::state_view()).
    const at::Tensor& exp_avg() const { return exp_avg_; }
    const at::Tensor& exp_avg_sq() const { return exp_avg_sq_; }
    /// Updates done; counts the bias correction.
    void set_step(std::int64_t step) { step_ = step; }

  private:
    struct Piece {
        parallel::Range range;
        std::int64_t state;     ///< where it begins in the moments
        std::int64_t gradient;  ///< and in the gradients
        double weight_decay;
    };
    void update_on_cpu(double lr, double gradient_divisor);
    void update_fused(double lr, double gradient_divisor);

    parallel::FlatArena& arena_;
    config::OptimizerRecipe recipe_;
    at::Tensor exp_avg_, exp_avg_sq_;
    std::vector<Piece> pieces_;
    std::int64_t step_ = 0;
};

}  // namespace trainyard::train
