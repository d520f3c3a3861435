// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An optimizer inside the training loop (AcceleratedOptimizer): step() and zero_grad() do nothing while gradients
// accumulate; under fp16 the gradients are unscaled first and a step with an infinity in them is left out.

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "optim/optimizer.h"

namespace trainyard::accelerator {

class GradientFlow;

/// An optimizer in a training loop: while gradients accumulate, step() and zero_grad() have no effect; under fp16,
/// gradients are unscaled first, and a step with gradients that are not finite is skipped.
class PreparedOptimizer final : public optim::Optimizer {
  public:
    /// Wraps an optimizer. Called by Accelerator::prepare.
    PreparedOptimizer(std::unique_ptr<optim::Optimizer> inner, std::shared_ptr<GradientFlow> flow);
    ~PreparedOptimizer() override;
    PreparedOptimizer(const PreparedOptimizer&) = delete;
    PreparedOptimizer& operator=(const PreparedOptimizer&) = delete;

    /// Runs one update. No effect while gradients accumulate. Collective on several ranks.
    void step() override;
    /// LBFGS runs the closure several times in an update: its gradients are averaged over the ranks, and so is the loss
    /// that the optimizer sees. For other optimizers the closure runs once, before step().
    double step(const std::function<double()>& closure) override;
    /// Clears the gradients. No effect while gradients accumulate.
    void zero_grad(bool set_to_none = true) override;
    /// The last step() that was not passed over for accumulation left the weights alone.
    bool step_was_skipped() const { return skipped_; }
    std::int64_t skipped_steps() const { return skipped_steps_; }  ///< since the start

    /// Returns the wrapped optimizer.
    optim::Optimizer& inner() { return *inner_; }
    /// Returns the wrapped optimizer.
    const optim::Optimizer& inner() const { return *inner_; }

    /// Returns the number of parameter groups.
    std::size_t group_count() const override { return inner_->group_count(); }
    /// Returns the learning rate of a group.
    double lr(std::size_t group) const override { return inner_->lr(group); }
    /// Sets the learning rate of a group.
    void set_lr(std::size_t group, double lr) override { inner_->set_lr(group, lr); }
    /// Returns the momentum, or the first of `betas`, of a group; NaN for optimizers without either.
    double momentum(std::size_t group) const override { return inner_->momentum(group); }
    /// Sets the momentum, or the first of `betas`, of a group.
    void set_momentum(std::size_t group, double momentum) override { inner_->set_momentum(group, momentum); }
    /// Returns the parameters of all groups, in the order of the state dictionary.
    std::vector<at::Tensor> parameters() const override { return inner_->parameters(); }
    /// Returns the properties that decide which trainings the optimizer can be used in.
    config::OptimizerTraits traits() const override { return inner_->traits(); }
    /// Returns whether the next update needs gradients that are sums over the ranks.
    bool sums_gradients() const override { return inner_->sums_gradients(); }
    /// 0/1 Adam: ranks whose weights differ get the same. Collective.
    void settle() override;
    /// Returns what this rank alone has, to be saved beside the state dictionary; null: nothing.
    Stateful* own_state() override { return inner_->own_state(); }
    /// Schedule-free: the model gets the averaged weights, to be evaluated or saved alone; train() returns to those
    /// that are trained. Collective where ranks share out the optimizer's state.
    void eval() override;
    /// Returns to the weights that are trained, after eval().
    void train() override;
    /// Returns whether eval() is to be called before the weights are evaluated or saved.
    bool needs_eval() const override { return inner_->needs_eval(); }
    /// Returns the state under torch's names; where ranks divide it, this rank's share.
    Tree state_dict() const override { return inner_->state_dict(); }
    /// Returns the whole state, on rank 0. Collective where ranks divide it.
    Tree whole_state_dict() const override { return inner_->whole_state_dict(); }
    /// Restores the state of state_dict().
    void load_state_dict(const Tree& state) override { inner_->load_state_dict(state); }

  private:
    std::unique_ptr<optim::Optimizer> inner_;
    std::shared_ptr<GradientFlow> flow_;
    bool skipped_ = false;
    std::int64_t skipped_steps_ = 0;
};

}  // namespace trainyard::accelerator
