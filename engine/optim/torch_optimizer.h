// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Any optimizer of torch::optim behind our interface. For Adam, AdamW, SGD, RMSprop and Adagrad momentum can be turned by schedules and the state
// dictionary has the names and kinds of torch's Python classes (state_dict.h).
// LBFGS has its Python class's state, too (lbfgs_state.h). Other classes step and have a learning rate; asking for their state is an error that says so.

#include <cstddef>
#include <memory>
#include <vector>

#include "optim/state_dict.h"

namespace torch::optim {
class Optimizer;
}

namespace trainyard::optim {

class TorchOptimizer final : public SliceableOptimizer {
  public:
    explicit TorchOptimizer(std::unique_ptr<torch::optim::Optimizer> inner);
    ~TorchOptimizer() override;

    torch::optim::Optimizer& inner() { return *inner_; }
    /// One of the classes above, whose state can be saved and whose updates are element by element.
    bool is_element_wise() const override;
    void replace_parameters(const std::vector<OwnedSlice>& slices) override;
    void move_state_to_parameters() override;
    std::size_t state_count(std::size_t parameter) const override;
    void replace_states(std::size_t parameter, const ReplaceState& replace) override;

    std::size_t group_count() const override;
    double lr(std::size_t group) const override;
    void set_lr(std::size_t group, double lr) override;
    double momentum(std::size_t group) const override;
    void set_momentum(std::size_t group, double momentum) override;
    std::vector<at::Tensor> parameters() const override;
    void step() override;
    double step(const std::function<double()>& closure) override;
    void zero_grad(bool set_to_none = true) override;
    config::OptimizerTraits traits() const override;

    Tree state_dict() const override;
    /// Throws UserError naming what does not fit (number of groups or parameters, shape of a state tensor, missing option); then nothing has
    /// changed. Options that only Python has (foreach, fused, ...) are ignored, except `maximize`, which would change the mathematics.
    void load_state_dict(const Tree& state) override;

  private:
    std::vector<StateGroup> state_groups() const;

    std::unique_ptr<torch::optim::Optimizer> inner_;
    std::vector<OwnedSlice> slices_;  ///< of the parameters; empty: they are whole
};

}  // namespace trainyard::optim
