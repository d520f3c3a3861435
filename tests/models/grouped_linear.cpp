// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the products of groups of rows with a matrix each against LibTorch's products and gradients of each group,
// with empty groups, and of capacities that each sample has for itself.

#include "models/nn/kernels/grouped_linear.h"

#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "distributed/parallel/flat_group.h"
#include "models/networks/expert_router.h"

namespace trainyard::models {
namespace {

TEST(GroupedLinear, EqualsTheProductsOfEachGroup) {
    constexpr std::int64_t kIn = 24, kOut = 40;
    for (const std::vector<std::int64_t>& counts :
         {std::vector<std::int64_t>{3, 0, 17, 5, 0, 1}, {0, 0, 0, 0, 0, 0}, {0, 9, 0, 0, 0, 0}}) {
        std::vector<std::unique_ptr<parallel::Parameter>> weights;
        parallel::GroupRequest request{"experts", {}};
        std::vector<parallel::Parameter*> all;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            weights.push_back(
                std::make_unique<parallel::Parameter>("w" + std::to_string(i), std::vector<std::int64_t>{kOut, kIn},
                                                      parallel::Initialiser{parallel::Initialiser::Kind::normal, 0.5}));
            request.parameters.push_back(weights.back().get());
            all.push_back(weights.back().get());
        }
        parallel::FlatArena arena({request}, at::kFloat, at::kCPU, false);
        arena.initialise(11);
        std::int64_t rows = 0;
        for (const std::int64_t count : counts)
            rows += count;
        const at::Tensor values = at::randn({rows, kIn}), dy = at::randn({rows, kOut});
        const at::Tensor x = values.clone().set_requires_grad(true), same = values.clone().set_requires_grad(true);
        const at::Tensor y = grouped_linear(x, counts, all);
        y.backward(dy);
        arena.groups().front().settle_gradients();
        std::vector<at::Tensor> parts{at::zeros({0, kOut})}, leaves;
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < counts.size(); begin += counts[i], ++i) {
            leaves.push_back(all[i]->value().detach().clone().set_requires_grad(true));
            parts.push_back(same.narrow(0, begin, counts[i]).mm(leaves[i].t()));
        }
        const at::Tensor expected = at::cat(parts);
        expected.backward(dy);
        EXPECT_TRUE(y.allclose(expected, 1e-5, 1e-5));
        if (rows > 0) {
            EXPECT_TRUE(x.grad().allclose(same.grad(), 1e-5, 1e-5));
        }
        for (std::size_t i = 0; i < counts.size(); ++i)
            EXPECT_TRUE(all[i]->gradient().allclose(
                leaves[i].grad().defined() ? leaves[i].grad() : at::zeros({kOut, kIn}), 1e-5, 1e-5))
                << i;
    }
}

TEST(ExpertCapacity, OfASampleDoesNotDependOnTheOthers) {
    constexpr std::int64_t kTokens = 12, kExperts = 4;
    RouterOptions options{.chosen = 2, .capacity_factor = 0.75, .group = kTokens};
    const at::Tensor first = at::randn({kTokens, kExperts}), second = at::randn({kTokens, kExperts});
    const Routing both = route(at::cat({first, second}), options), alone = route(second, options);
    EXPECT_EQ(both.capacity, alone.capacity);
    EXPECT_TRUE(both.slots.narrow(0, kTokens, kTokens).equal(alone.slots));
    EXPECT_TRUE(both.weights.narrow(0, kTokens, kTokens).equal(alone.weights));
    EXPECT_TRUE(alone.slots.lt(0).any().item<bool>()) << "with three quarters of an even share some are dropped";
    EXPECT_EQ(alone.capacity, 5) << "of an even share of 6, rounded up";
    options.group = 0;
    EXPECT_EQ(route(at::cat({first, second}), options).capacity, 9) << "one group of all tokens";
}

}  // namespace
}  // namespace trainyard::models
