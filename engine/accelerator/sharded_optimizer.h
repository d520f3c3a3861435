// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An optimizer (of torch::optim, or optim::make_optimizer) whose state the ranks share out: each updates the elements that it owns of every parameter
// of a FlatModule, by the optimizer itself, whose rules are element by element. Parameter groups, options, schedules and the state dictionary's names stay what they are.

#include <memory>
#include <vector>

#include "accelerator/flat_module.h"
#include "optim/optimizer.h"
#include "train/offloaded_state.h"

namespace trainyard::accelerator {

class ShardedOptimizer final : public optim::Optimizer {
  public:
    /// `inner` is element by element. `offload`: a folder for the state, which is updated a few parameters at a time
    /// then, with the same results. Throws UserError for parameters that are not the module's, without state to
    /// offload, and where the folder has no room for it.
    ShardedOptimizer(std::unique_ptr<optim::SliceableOptimizer> inner, std::shared_ptr<FlatModule> module,
                     const train::StateOffload& offload = {});
    ~ShardedOptimizer() override;
    ShardedOptimizer(const ShardedOptimizer&) = delete;
    ShardedOptimizer& operator=(const ShardedOptimizer&) = delete;

    std::size_t group_count() const override { return inner_->group_count(); }
    double lr(std::size_t group) const override { return inner_->lr(group); }
    void set_lr(std::size_t group, double lr) override { inner_->set_lr(group, lr); }
    double momentum(std::size_t group) const override { return inner_->momentum(group); }
    void set_momentum(std::size_t group, double momentum) override { inner_->set_momentum(group, momentum); }
    /// The module's own, whole.
    std::vector<at::Tensor> parameters() const override { return whole_; }

    bool set_gradient_divisor(double divisor) override {
        gradient_divisor_ = divisor;
        return true;
    }
    void step() override;
    void zero_grad(bool set_to_none = true) override;
    config::OptimizerTraits traits() const override { return inner_->traits(); }
    /// Of the elements that this rank owns: the module's values are to be published afterwards.
    void eval() override { inner_->eval(); }
    void train() override { inner_->train(); }
    bool needs_eval() const override { return inner_->needs_eval(); }
    /// This rank's share: state tensors are flat.
    Tree state_dict() const override { return inner_->state_dict(); }
    Tree whole_state_dict() const override;
    /// The elements of a parameter that state_dict() has, by its number there; all of one that is not divided.
    parallel::Range owned(std::size_t parameter) const;
    /// Ranks with the same elements have the same state; true on the first of them.
    bool is_first_copy() const { return module_->copies() == nullptr || module_->copies()->rank() == 0; }
    /// A share of this rank or a whole state. Throws UserError naming what does not fit; then nothing has changed.
    void load_state_dict(const Tree& state) override;
    /// Bytes of the state that are on a disk.
    std::uint64_t bytes_on_disk() const { return offloaded_ != nullptr ? offloaded_->bytes() : 0; }

  private:
    /// Parameters [begin, end) whose states are in memory together, and their elements in the file.
    struct StateSlice {
        std::size_t begin = 0, end = 0;
        parallel::Range elements;
    };
    void lay_out_states(const train::StateOffload& offload);
    void update(std::size_t begin, std::size_t end);
    /// Moves the states of a parameter to their place in the file, unless they are there.
    void place_states(std::size_t parameter);

    std::unique_ptr<optim::SliceableOptimizer> inner_;
    std::shared_ptr<FlatModule> module_;
    std::vector<at::Tensor> whole_;
    std::vector<const parallel::Parameter*> places_;    ///< of each of them; null where it is not trained
    std::vector<bool> is_repeated_;                     ///< it is one of those before it
    std::vector<at::Tensor> owned_;                     ///< what `inner_` updates: flat views of the values
    double gradient_divisor_ = 1;                       ///< of the next step
    std::unique_ptr<train::OffloadedState> offloaded_;  ///< null: states are in memory
    std::vector<StateSlice> state_slices_;
    std::vector<std::int64_t> state_begins_;  ///< of each parameter, in the buffers of the file
};

}  // namespace trainyard::accelerator
