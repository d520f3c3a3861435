// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The optimizers of config/recipe/optimizer_kinds.h for the parameters of any torch module, by name:
//
//     auto optimizer = accelerator.prepare(optim::make_optimizer("Lion", net->named_parameters().pairs(),
// Tree::dict({{"lr", 1e-4}})));
//
// Options have the names of torch.optim and of the papers' packages. "groups" gives parameters, by patterns (fnmatch)
// of their names, options or an optimizer of their own: {"groups": {"*.bias": {"weight_decay": 0.0}, "embed.*":
// {"name": "AdamW", "lr": 1e-4}}}. The state dictionary has the names and kinds of torch's classes, so that
// optimizer.bin of Accelerate fits in both directions.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "optim/optimizer.h"
#include "optim/state_dict.h"

namespace trainyard::parallel {
class OneBitMean;
}

namespace trainyard::optim {

class RuleOptimizer final : public SliceableOptimizer {
  public:
    struct Group {
        config::OptimizerSettings settings;
        std::vector<at::Tensor> parameters;
    };
    /// Throws UserError for an optimizer that needs a closure, and for a parameter whose shape the optimizer cannot
    /// update.
    explicit RuleOptimizer(std::vector<Group> groups);
    ~RuleOptimizer() override;

    std::size_t group_count() const override { return groups_.size(); }
    double lr(std::size_t group) const override { return groups_.at(group).settings.number("lr"); }
    void set_lr(std::size_t group, double lr) override;
    double momentum(std::size_t group) const override { return groups_.at(group).settings.momentum(); }
    void set_momentum(std::size_t group, double momentum) override {
        groups_.at(group).settings.set_momentum(momentum);
    }
    std::vector<at::Tensor> parameters() const override;
    const config::OptimizerSettings& settings(std::size_t group) const { return groups_.at(group).settings; }

    using Optimizer::step;
    void step() override;
    void zero_grad(bool set_to_none = true) override;
    Tree state_dict() const override;
    void load_state_dict(const Tree& state) override;

    bool sums_gradients() const override;
    void exchange_over(parallel::Communicator& ranks) override;
    void settle() override;
    Stateful* own_state() override;

    bool is_element_wise() const override;
    void replace_parameters(const std::vector<OwnedSlice>& slices) override;
    void move_state_to_parameters() override;
    std::size_t state_count(std::size_t parameter) const override;
    void replace_states(std::size_t parameter, const ReplaceState& replace) override;

    /// Every parameter is updated as soon as backward has its gradient, which is released then: gradients of a model
    /// never exist together (LOMO; any other rule works this way, too). One backward is one update: nothing is
    /// accumulated or clipped by norm. step() only ends the update: a second backward before it throws UserError.
    void update_in_backward();

    config::OptimizerTraits traits() const override;
    void eval() override;
    void train() override;
    bool needs_eval() const override;

  private:
    struct OfParameter {
        Slot slot;
        Scalars scalars;
        bool begun = false;
        bool updated = false;  ///< in this backward, before step()
    };
    void update(std::size_t group, OfParameter& one, const at::Tensor& parameter);
    void update_rounded(std::size_t group, OfParameter& one);
    void begin_state(std::size_t group, OfParameter& one, const at::Tensor& parameter) const;
    /// Updates of the groups with an exchange rule. A parameter without a gradient has one of zeros, so that all count
    /// alike.
    void exchange_and_update();
    bool exchanges() const;
    void move_to(bool average);
    void require_training() const;
    void end_backward();
    std::vector<StateGroup> state_groups() const;

    std::vector<Group> groups_;
    std::vector<OwnedSlice> slices_;                ///< of the parameters; empty: they are whole
    std::vector<std::vector<OfParameter>> states_;  ///< [group][parameter]
    std::shared_ptr<bool> alive_;                   ///< of hooks that outlive it
    std::unique_ptr<parallel::OneBitMean> mean_;    ///< of all parameters; null: there is one rank, or no exchange
    bool in_backward_ = false, is_average_ = false;
};

/// By any of its names. Throws InvalidInput with everything that is wrong with the options. LBFGS steps with a closure.
std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const NamedTensors& parameters,
                                          const Tree& options = {});
std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const std::vector<at::Tensor>& parameters,
                                          const Tree& options = {});

}  // namespace trainyard::optim
