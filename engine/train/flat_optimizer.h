// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The optimizer of a recipe on flat slices: any of config/recipe/optimizer_kinds.h, with the recipe's parameter groups.
// States are those of the slices that this rank owns (FlatArena::owned()), and these alone are updated; of optimizers
// that need whole parameters the arena must not be sharded. AdamW has passes of its own: on the CPU one over values,
// gradients and moments, which writes the copy of the values in the compute dtype on the way; elsewhere LibTorch's
// fused call. Others are updated by optim/update_rule.h. On the CPU states may be on a disk (offloaded_state.h): the
// update goes through them in slices, with the same results.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/one_bit_mean.h"
#include "optim/optimizer.h"
#include "optim/state_dict.h"
#include "train/loop/backward_update.h"
#include "train/loop/flat_gradients.h"
#include "train/offloaded_state.h"

namespace trainyard::train {

class FlatOptimizer final : public optim::Optimizer, public ParameterUpdater {
  public:
    /// `arena` outlives it. Throws InvalidInput for what is wrong with the recipe, UserError where the arena's slices
    /// do not do, or states cannot lie where `offload` says.
    FlatOptimizer(parallel::FlatArena& arena, const config::OptimizerRecipe& recipe, const StateOffload& offload = {});
    /// Of a model whose ranks may share out the state (parallel.zero_stage): whole_state_dict() is then possible.
    /// `model` outlives it.
    FlatOptimizer(FlatGradients& model, const config::OptimizerRecipe& recipe, const StateOffload& offload = {});

    /// One group to the outside: the others' rates are fixed multiples of its rate.
    std::size_t group_count() const override { return 1; }
    double lr(std::size_t) const override { return lr_; }
    void set_lr(std::size_t, double lr) override { lr_ = lr; }
    double momentum(std::size_t) const override;
    void set_momentum(std::size_t, double momentum) override;
    /// Values of what is trained, in the order of the arena; where values are sharded they have memory only while their
    /// units compute.
    std::vector<at::Tensor> parameters() const override;

    /// Gradients are divided without a pass of their own; what their buffer holds after the step is not said.
    bool set_gradient_divisor(double divisor) override {
        gradient_divisor_ = divisor;
        return true;
    }
    /// One update. The copy in the compute dtype is current afterwards, unless the arena is sharded: then the values of
    /// the other ranks must be gathered first, and FlatArena::refresh_compute() called after that.
    using Optimizer::step;
    void step() override;
    /// Of an arena that keeps no gradients. step() ends the step.
    void begin_step() override;
    void update(const parallel::Parameter& parameter) override;
    void zero_grad(bool set_to_none = true) override;
    /// torch's names, numbers in the order of parameters(). Where the arena is sharded this rank's share: state tensors
    /// are flat.
    Tree state_dict() const override;
    /// Throws UserError where the arena is sharded and the optimizer was made without the model.
    Tree whole_state_dict() const override;
    /// A share of this rank or a whole state. Throws UserError naming a state that does not fit; then nothing has
    /// changed.
    void load_state_dict(const Tree& state) override;

    const parallel::FlatArena& arena() const { return arena_; }
    /// The parameters that are trained, in the order of the arena.
    std::vector<const parallel::Parameter*> trained() const;
    /// Null: states and values are in memory. Callers that read or write whole states or values must hold an
    /// OffloadedState::Passing.
    OffloadedState* offloaded() const { return offloaded_.get(); }

    /// A tensor of the state: this rank's elements of it, flat, or where the optimizer needs whole parameters all of it
    /// in a shape of its own.
    struct State {
        std::string name;  ///< torch's: exp_avg
        const parallel::Parameter* parameter;
        at::Tensor own;
        bool is_slice;  ///< of FlatArena::owned_of(parameter)
    };
    /// In the order of the arena.
    std::vector<State> states() const;
    /// Numbers of the groups' states besides the count of updates, to be saved beside the tensors: {number of the
    /// group: {name: value}}.
    Tree scalars() const;
    void load_scalars(const Tree& scalars);
    /// States of optimizer.bin by the numbers that it has of parameters, where all groups have one optimizer.
    /// Parameters without a number begin with zeros. Throws UserError naming a state that does not fit; then nothing
    /// has changed.
    void load_states(const Tree& state, const std::map<std::string, std::int64_t>& numbers);
    /// Updates done; counts the bias correction.
    void set_step(std::int64_t step);

    bool sums_gradients() const override;
    void settle() override;
    Stateful* own_state() override { return mean_.get(); }

    /// Parameters with the same settings, as torch groups them, with the rate and momentum of the next step and the
    /// elements of the states that this rank has.
    std::vector<optim::StateGroup> state_groups() const;

    /// The weights to use are others than those that are trained (schedule-free): whether; this rank's elements of
    /// them, under their names, flat.
    bool averages() const;
    NamedTensors averaged_values() const;
    config::OptimizerTraits traits() const override;
    /// The averaged weights are in the arena until train(): GradientStore::publish_values() afterwards, as after
    /// SwapGuard.
    void eval() override;
    void train() override;
    bool needs_eval() const override;
    /// Puts them into the arena until it dies; the copy in the compute dtype is the caller's to refresh.
    class [[nodiscard]] SwapGuard {
      public:
        explicit SwapGuard(FlatOptimizer& optimizer) : optimizer_(optimizer), plain_(optimizer.swap_in_averages()) {}
        ~SwapGuard() { optimizer_.restore(plain_); }
        SwapGuard(const SwapGuard&) = delete;
        SwapGuard& operator=(const SwapGuard&) = delete;

      private:
        FlatOptimizer& optimizer_;
        NamedTensors plain_;
    };

  private:
    struct Part {
        const parallel::Parameter* parameter;
        optim::Slot slot;
        at::Tensor rounded;  ///< the same elements in the compute dtype; undefined where it is fp32
    };
    /// Elements of a part of the group from `begin` on.
    struct Origin {
        std::size_t part;
        std::int64_t begin;
    };
    struct Group {
        std::size_t plan;  ///< group of the plan
        config::OptimizerSettings settings;
        std::vector<Part> parts;
        std::vector<optim::Slot> pieces;
        std::vector<Origin> origins;       ///< of the pieces
        std::vector<at::Tensor> rounded;   ///< of the pieces
        std::vector<std::int64_t> places;  ///< of the pieces in a buffer of states, rising
    };
    /// Of each group its pieces [first, second) that are updated together.
    using Pieces = std::vector<std::pair<std::size_t, std::size_t>>;
    Group& group_for(const parallel::Parameter& parameter);
    /// The groups of state_dict(), with the numbers of their parameters.
    std::vector<optim::StateGroup> numbered_groups() const;
    /// Puts the averaged weights into the arena; returns the values that were there.
    NamedTensors swap_in_averages();
    void restore(const NamedTensors& values);
    /// Tells the model whether the gradients of the next update are summed over the ranks.
    void hold_gradients();
    /// Before an update: averages what the ranks exchange instead of gradients.
    void exchange();
    double divisor_of(const Group& group) const;
    /// Sets the numbers of trained parameters.
    void average(const std::map<const parallel::Parameter*, parallel::OneBitMean::Item>& tensors);
    void make_states(bool sliced, const StateOffload& offload);
    void cut_slices();
    void update_pieces(const Pieces& pieces);
    /// Rounds fp32 values of a part from `begin` on after an update (config::kStochasticRounding).
    void round_value(const Group& group, const Part& part, std::int64_t begin, const at::Tensor& values) const;
    /// Values in the compute dtype alone are updated in fp32, a piece at a time.
    bool has_narrow_values() const { return arena_.values().scalar_type() != at::kFloat; }
    void update_narrow(const Group& group, std::pair<std::size_t, std::size_t> pieces, const optim::Scalars& scalars);
    /// The new values of a part from `begin` on, rounded to `to`.
    void write_narrow(const Group& group, const Part& part, std::int64_t begin, const at::Tensor& values,
                      const at::Tensor& to) const;
    void update_adamw_on_cpu(const Group& group, std::pair<std::size_t, std::size_t> pieces,
                             const optim::Scalars& scalars);
    void update_adamw_fused(const Group& group, const optim::Scalars& scalars);
    const Group* group_of(const parallel::Parameter& parameter, const Part** part) const;
    void load_states(const std::vector<optim::StateGroup>& groups);

    parallel::FlatArena& arena_;
    FlatGradients* model_ = nullptr;              ///< of the arena, if it was given
    std::unique_ptr<parallel::OneBitMean> mean_;  ///< of trained(); null: no exchange, or the model was not given
    config::OptimizerPlan plan_;
    double lr_;
    std::vector<Group> groups_;
    std::vector<optim::Scalars> scalars_;        ///< of the plan's groups
    std::vector<at::Tensor> buffers_;            ///< of states, where all of them are slices
    std::unique_ptr<OffloadedState> offloaded_;  ///< has the buffers, where they are not in memory
    std::vector<parallel::Range> slices_;        ///< of the buffers, as they are updated one behind the other
    std::vector<Pieces> pieces_;                 ///< of each of the slices
    double gradient_divisor_ = 1;                ///< of the next step
    std::optional<NamedTensors> plain_;          ///< from eval() to train(): the values that are trained
};

}  // namespace trainyard::train
