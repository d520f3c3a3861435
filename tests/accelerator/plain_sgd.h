// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The smallest optimizer and the smallest model, so that tests of the loop compute every number by hand.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include "optim/optimizer.h"

namespace trainyard::test {

/// weight -= lr * gradient; counts its steps.
class PlainSgd final : public optim::Optimizer {
  public:
    PlainSgd(std::vector<at::Tensor> parameters, double lr, std::int64_t* steps = nullptr)
        : parameters_(std::move(parameters)), lr_(lr), steps_(steps) {}
    std::size_t group_count() const override { return 1; }
    double lr(std::size_t) const override { return lr_; }
    void set_lr(std::size_t, double lr) override { lr_ = lr; }
    double momentum(std::size_t) const override { return std::numeric_limits<double>::quiet_NaN(); }
    void set_momentum(std::size_t, double) override {}
    std::vector<at::Tensor> parameters() const override { return parameters_; }
    void step() override {
        c10::NoGradGuard no_grad;
        if (steps_ != nullptr)
            ++*steps_;
        for (at::Tensor& parameter : parameters_)
            if (parameter.grad().defined())
                parameter.sub_(parameter.grad(), lr_);
    }
    void zero_grad(bool set_to_none) override {
        for (at::Tensor& parameter : parameters_)
            if (set_to_none)
                parameter.mutable_grad() = at::Tensor();
            else if (parameter.grad().defined())
                parameter.grad().zero_();
    }
    Tree state_dict() const override {
        return Tree::dict({{"state", Tree::dict()},
                           {"param_groups", Tree::list({Tree::dict({{"lr", lr_}, {"params", Tree::list()}})})}});
    }
    void load_state_dict(const Tree& state) override {
        lr_ = state.at("param_groups").items().at(0).at("lr").as_real();
    }

  private:
    std::vector<at::Tensor> parameters_;
    double lr_;
    std::int64_t* steps_;
};

/// weight * x, with one weight (or several) that begins at 0.
struct Scale {
    explicit Scale(std::int64_t size = 1) : weight(at::zeros({size}).set_requires_grad(true)) {}
    at::Tensor forward(const at::Tensor& x) { return x.mul(weight); }
    std::vector<std::pair<std::string, at::Tensor>> named_parameters() const { return {{"weight", weight}}; }
    std::vector<std::pair<std::string, at::Tensor>> named_buffers() const { return {}; }
    at::Tensor weight;
};

}  // namespace trainyard::test
