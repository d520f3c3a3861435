// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An optimizer that only has rates and momenta: what a schedule turns.

#include <cmath>
#include <string>
#include <vector>

#include "optim/optimizer.h"

namespace trainyard::test {

class PlainOptimizer final : public optim::Optimizer {
  public:
    explicit PlainOptimizer(std::vector<double> lrs, double momentum = 0, std::string key = "momentum")
        : lrs_(std::move(lrs)), momenta_(lrs_.size(), momentum), key_(std::move(key)) {}

    std::size_t group_count() const override { return lrs_.size(); }
    double lr(std::size_t group) const override { return lrs_.at(group); }
    void set_lr(std::size_t group, double lr) override { lrs_.at(group) = lr; }
    double momentum(std::size_t group) const override { return key_.empty() ? std::nan("") : momenta_.at(group); }
    void set_momentum(std::size_t group, double momentum) override { momenta_.at(group) = momentum; }
    std::vector<at::Tensor> parameters() const override { return {}; }
    void step() override {}
    void zero_grad(bool) override {}
    Tree state_dict() const override {
        Tree groups = Tree::list();
        for (std::size_t group = 0; group < lrs_.size(); ++group) {
            Tree entry = Tree::dict({{"lr", lrs_[group]}});
            if (key_ == "betas")
                entry.set("betas", Tree::tuple({momenta_[group], 0.999}));
            else if (!key_.empty())
                entry.set("momentum", momenta_[group]);
            groups.append(std::move(entry));
        }
        return Tree::dict({{"state", Tree::dict()}, {"param_groups", std::move(groups)}});
    }
    void load_state_dict(const Tree&) override {}

    const std::vector<double>& lrs() const { return lrs_; }

  private:
    std::vector<double> lrs_, momenta_;
    std::string key_;
};

}  // namespace trainyard::test
