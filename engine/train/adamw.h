#pragma once
// AdamW on flat slices. On the CPU one pass of our own over values, gradients and moments, which writes the copy of the values in bfloat16
// on the way; elsewhere LibTorch's fused call, one for the decayed slices of all groups and one for the others. Moments are those of the
// slices that this rank owns (FlatArena::owned()), and these alone are updated.
// Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019.

#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe.h"
#include "optim/optimizer.h"
#include "parallel/flat_group.h"

namespace trainyard::train {

class AdamW final : public optim::Optimizer {
  public:
    /// `arena` outlives it.
    AdamW(parallel::FlatArena& arena, const config::OptimizerRecipe& recipe);

    /// One group: all have the same rate and betas.
    std::size_t group_count() const override { return 1; }
    double lr(std::size_t) const override { return recipe_.lr; }
    void set_lr(std::size_t, double lr) override { recipe_.lr = lr; }
    double momentum(std::size_t) const override { return recipe_.beta1; }
    void set_momentum(std::size_t, double beta1) override { recipe_.beta1 = beta1; }
    /// Values of what is trained, in the order of the arena.
    std::vector<at::Tensor> parameters() const override;

    /// Gradients are divided without a pass of their own; what their buffer holds after the step is not said.
    bool set_gradient_divisor(double divisor) override {
        gradient_divisor_ = divisor;
        return true;
    }
    /// One update. The copy in the compute dtype is current afterwards, unless the arena is sharded: then the values of the other ranks are
    /// to come, and FlatArena::refresh_compute() behind them.
    void step() override;
    void zero_grad(bool set_to_none = true) override;
    /// torch's names, numbers in the order of parameters(). Throws UserError where the arena is sharded: no rank has all of it.
    Tree state_dict() const override;
    /// Throws UserError naming every state that does not fit; then nothing has changed.
    void load_state_dict(const Tree& state) override;

    const parallel::FlatArena& arena() const { return arena_; }
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
    void update_on_cpu();
    void update_fused();
    std::vector<const parallel::Parameter*> trained() const;

    parallel::FlatArena& arena_;
    config::OptimizerRecipe recipe_;
    at::Tensor exp_avg_, exp_avg_sq_;
    std::vector<Piece> pieces_;
    std::int64_t step_ = 0;
    double gradient_divisor_ = 1;  ///< of the next step
};

}  // namespace trainyard::train
