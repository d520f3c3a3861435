// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The interface through which the loop, the schedules and the checkpoints use any optimizer: the engine's own on flat
// groups, or one of torch::optim through an adaptor. Options and state carry torch's names, so that a state dictionary
// (state_dict.h) fits optimizer.bin of Accelerate.

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe/optimizer_conflicts.h"
#include "distributed/tensors/tree.h"

namespace trainyard::parallel {
class Communicator;
}

namespace trainyard::optim {

class Optimizer : public Stateful {
  public:
    virtual std::size_t group_count() const = 0;
    virtual double lr(std::size_t group) const = 0;
    virtual void set_lr(std::size_t group, double lr) = 0;
    /// "momentum", or the first of "betas"; what a cyclic schedule turns. NaN when the optimizer has neither.
    virtual double momentum(std::size_t group) const = 0;
    virtual void set_momentum(std::size_t group, double momentum) = 0;
    /// Parameters of all groups, in the order of their numbers in the state dictionary.
    virtual std::vector<at::Tensor> parameters() const = 0;

    /// What the next step() divides gradients by on its way (means of sums, clipping). False: this one cannot; then
    /// that is to be done before.
    virtual bool set_gradient_divisor(double /*divisor*/) { return false; }
    /// Where ranks share out the state: all of it, on rank 0. Collective. state_dict() is this rank's share then.
    virtual Tree whole_state_dict() const { return state_dict(); }
    /// One update from the parameters' gradients; parameters without gradient are left alone.
    virtual void step() = 0;
    /// The same for optimizers that compute the loss several times in an update (LBFGS): `closure` clears the
    /// gradients, computes the loss and runs its backward. Returns the loss of the first call. Others call it once.
    virtual double step(const std::function<double()>& closure) {
        const double loss = closure();
        step();
        return loss;
    }
    virtual void zero_grad(bool set_to_none = true) = 0;

    /// Returns whether the gradients of the next update are to be sums over the ranks. No: they are each rank's own,
    /// and step() is collective (1-bit Adam).
    virtual bool sums_gradients() const { return true; }
    /// Tells an optimizer that averages over ranks which these are. They outlive it.
    virtual void exchange_over(parallel::Communicator& /*ranks*/) {}
    /// Collective. Ranks whose weights differ between two exchanges (0/1 Adam) get the same: before they are evaluated
    /// or saved.
    virtual void settle() {}
    /// What this rank alone has, to be saved and loaded beside the state dictionary; null: nothing.
    virtual Stateful* own_state() { return nullptr; }

    /// Returns the properties that decide which trainings it can be used in.
    virtual config::OptimizerTraits traits() const { return {.name = "this optimizer"}; }
    /// Schedule-free: the parameters become the averaged weights, which are to be evaluated and used; train() returns
    /// to those that step() updates. Others: no effect.
    virtual void eval() {}
    virtual void train() {}
    /// Whether the parameters differ from the weights to be evaluated: eval() is to be called first.
    virtual bool needs_eval() const { return false; }
};

/// A rank's elements of a parameter.
struct OwnedSlice {
    at::Tensor values;                ///< flat, of a parameter that is not trained whole
    std::vector<std::int64_t> shape;  ///< of the parameter
    std::int64_t begin = 0;           ///< of its elements
};

/// An optimizer of tensors that are given from outside: where ranks share out its state, those are their slices of
/// the parameters.
class SliceableOptimizer : public Optimizer {
  public:
    /// Returns whether each element is updated independently of the others and the state can be saved, so that slices
    /// give the same results as whole parameters.
    virtual bool is_element_wise() const = 0;
    /// As many as parameters(), in their order; before the first step, or before load_state_dict(), which takes
    /// states of whole parameters and of slices.
    virtual void replace_parameters(const std::vector<OwnedSlice>& slices) = 0;
    /// Moves the state to where the parameters are.
    virtual void move_state_to_parameters() = 0;
    /// The most tensors that the state of a parameter has, by its number in parameters().
    virtual std::size_t state_count(std::size_t parameter) const = 0;
    /// Calls `replace` for each tensor of the state that the parameter has by now, with its number in
    /// config::states_of(). What it returns, of the same shape, is the state from then on.
    using ReplaceState = std::function<at::Tensor(std::size_t number, const at::Tensor& state)>;
    virtual void replace_states(std::size_t parameter, const ReplaceState& replace) = 0;
};

}  // namespace trainyard::optim
