// SPDX-License-Identifier: GPL-3.0-or-later
// Experts against a loop over tokens in fp64, with gradients, and divided among ranks against one rank; the
// load-balancing loss of a step over micro-batches and ranks against that of all its tokens at once.

#include "models/networks/expert_router.h"

#include <algorithm>
#include <mutex>

#include <ATen/ops/cat.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/autograd.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/parallel/expert_share.h"
#include "support/ranks.h"
#include "support/says.h"

namespace trainyard::models::expert_router {
namespace {

using test::says;

constexpr std::int64_t kExperts = 4, kWidth = 5;

struct Case {
    at::Tensor tokens, router;        ///< [tokens, width], [width, experts]
    std::vector<at::Tensor> experts;  ///< [width, width]
    std::vector<at::Tensor> leaves() const {
        std::vector<at::Tensor> all{tokens, router};
        all.insert(all.end(), experts.begin(), experts.end());
        return all;
    }
};

Case make_case(std::int64_t tokens, at::ScalarType dtype = at::kDouble) {
    at::manual_seed(5);
    const auto options = at::TensorOptions().dtype(dtype);
    const auto leaf = [&](at::IntArrayRef shape) { return at::randn(shape, options).set_requires_grad(true); };
    Case made{leaf({tokens, kWidth}), leaf({kWidth, kExperts}), {}};
    for (std::int64_t i = 0; i < kExperts; ++i)
        made.experts.push_back(leaf({kWidth, kWidth}));
    return made;
}

at::Tensor expert(const at::Tensor& rows, const at::Tensor& weight) {
    return at::matmul(rows, weight).tanh();
}

/// As the engine computes a block of experts. `share`: those of this rank.
at::Tensor with_order(const Case& one, const at::Tensor& tokens, const RouterOptions& options,
                      const parallel::ExpertShare* share = nullptr) {
    const Routing routing = route(at::matmul(tokens, one.router), options);
    const ExpertOrder order = order_by_expert(routing);
    const auto compute = [&](const at::Tensor& rows, const std::vector<std::int64_t>& counts, std::int64_t first) {
        std::vector<at::Tensor> results{rows.narrow(0, 0, 0)};
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < counts.size(); begin += counts[i++])
            if (counts[i] > 0)
                results.push_back(
                    expert(rows.narrow(0, begin, counts[i]), one.experts[static_cast<std::size_t>(first) + i]));
        return at::cat(results);
    };
    at::Tensor rows = rows_of_experts(tokens, order);
    if (share == nullptr) {
        rows = compute(rows, order.counts, 0);
    } else {
        const parallel::ExpertExchange exchange(*share, order.counts);
        rows = exchange.bring_back(compute(exchange.send(rows), exchange.counts(), share->first));
    }
    return weighted_results(rows, routing.weights, order);
}

/// A token at a time, with the rule of capacities as a loop.
at::Tensor by_token(const Case& one, const RouterOptions& options) {
    const at::Tensor probabilities = at::softmax(at::matmul(one.tokens, one.router), -1);
    const auto [weights, experts] = at::topk(probabilities, options.chosen, -1);
    const std::int64_t tokens = one.tokens.size(0);
    std::vector<std::vector<bool>> kept(static_cast<std::size_t>(tokens), std::vector<bool>(2, true));
    if (options.capacity_factor > 0) {
        const auto capacity = static_cast<std::int64_t>(std::ceil(
            static_cast<double>(tokens) / kExperts * options.capacity_factor * static_cast<double>(options.chosen)));
        std::vector<std::int64_t> used(kExperts, 0);
        for (std::int64_t choice = 0; choice < options.chosen; ++choice)
            for (std::int64_t token = 0; token < tokens; ++token) {
                std::int64_t& full = used[static_cast<std::size_t>(experts[token][choice].item<std::int64_t>())];
                if (full < capacity)
                    ++full;
                else
                    kept[static_cast<std::size_t>(token)][static_cast<std::size_t>(choice)] = false;
            }
    }
    std::vector<at::Tensor> rows;
    for (std::int64_t token = 0; token < tokens; ++token) {
        at::Tensor sum = at::zeros({kWidth}, one.tokens.options().requires_grad(false));
        const at::Tensor total = weights[token].sum();
        for (std::int64_t choice = 0; choice < options.chosen; ++choice)
            if (kept[static_cast<std::size_t>(token)][static_cast<std::size_t>(choice)])
                sum = sum.add(expert(one.tokens[token],
                                     one.experts[static_cast<std::size_t>(experts[token][choice].item<std::int64_t>())])
                                  .mul(weights[token][choice].div(total)));
        rows.push_back(sum);
    }
    return at::stack(rows);
}

std::vector<at::Tensor> gradients_of(const at::Tensor& out, const Case& one) {
    at::manual_seed(9);
    const at::Tensor direction = at::randn(out.sizes(), out.options().requires_grad(false));
    return torch::autograd::grad({out.mul(direction).sum()}, one.leaves(), {}, std::nullopt, false, true);
}

double apart(const at::Tensor& a, const at::Tensor& b) {
    return a.sub(b).abs().max().item<double>();
}

TEST(ExpertRouter, ExpertsAsALoopOverTokens) {
    for (const std::int64_t tokens : {1, 7, 40})
        for (const double factor : {0.0, 0.5, 1.0}) {
            const Case one = make_case(tokens);
            const RouterOptions options{.chosen = 2, .capacity_factor = factor};
            const at::Tensor expected = by_token(one, options), got = with_order(one, one.tokens, options);
            EXPECT_LT(apart(got, expected), 1e-12) << tokens << " tokens, factor " << factor;
            const std::vector<at::Tensor> right = gradients_of(expected, one), made = gradients_of(got, one);
            for (std::size_t i = 0; i < right.size(); ++i)
                if (right[i].defined())
                    EXPECT_LT(apart(made[i], right[i]), 1e-12) << tokens << " tokens, factor " << factor << ", " << i;
                else
                    EXPECT_FALSE(made[i].defined()) << i;
        }
}

/// Of a direction in which all inputs move: between choices the loss is smooth.
TEST(ExpertRouter, GradientsAreThoseOfDifferences) {
    Case one = make_case(12);
    const RouterOptions options{.chosen = 2, .capacity_factor = 0.75, .renormalises = true};
    const std::vector<at::Tensor> gradients = gradients_of(with_order(one, one.tokens, options), one);
    at::manual_seed(9);
    const at::Tensor direction = at::randn({12, kWidth}, at::kDouble);
    const auto value = [&] { return with_order(one, one.tokens, options).mul(direction).sum().item<double>(); };
    const at::NoGradGuard no_grad;
    const double step = 1e-6;
    const std::vector<at::Tensor> leaves = one.leaves();
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const at::Tensor way = at::randn(leaves[i].sizes(), at::kDouble);
        leaves[i].add_(way, step);
        const double above = value();
        leaves[i].sub_(way, 2 * step);
        const double below = value();
        leaves[i].add_(way, step);
        EXPECT_NEAR((above - below) / (2 * step), gradients[i].mul(way).sum().item<double>(), 1e-6) << i;
    }
}

TEST(ExpertExchange, RanksThatDivideExpertsAsOneRank) {
    constexpr std::int64_t kTokens = 24;
    const RouterOptions options{.chosen = 2};
    for (const int ranks : {2, 4})
        for (const int of_experts : {2, 4}) {
            if (of_experts > ranks)
                continue;
            const Case whole = make_case(kTokens);
            const at::Tensor expected = with_order(whole, whole.tokens, options);
            const std::vector<at::Tensor> right = gradients_of(expected, whole);
            std::vector<at::Tensor> outputs(static_cast<std::size_t>(ranks)), of_tokens(outputs);
            std::vector<at::Tensor> sums;
            for (const at::Tensor& leaf : whole.leaves())
                sums.push_back(at::zeros_like(leaf.detach()));
            std::mutex mutex;
            test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
                parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
                const auto share = parallel::expert_share(mesh, of_experts, kExperts);
                const auto rank = static_cast<std::int64_t>(mesh.rank());
                // Ranks have different numbers of tokens, the last one none.
                const std::int64_t each = kTokens / (ranks - 1), begin = rank * each;
                const std::int64_t count = rank + 1 < ranks ? each : 0;
                Case mine = whole;
                const auto copy = [](const at::Tensor& leaf) { return leaf.detach().clone().set_requires_grad(true); };
                mine.tokens = copy(whole.tokens.narrow(0, count > 0 ? begin : 0, count));
                mine.router = copy(whole.router);
                for (at::Tensor& one : mine.experts)
                    one = copy(one);
                at::Tensor direction;
                {
                    const std::lock_guard lock(mutex);
                    at::manual_seed(9);
                    direction = at::randn(expected.sizes(), at::kDouble).narrow(0, count > 0 ? begin : 0, count);
                }
                const at::Tensor out = with_order(mine, mine.tokens, options, &*share);
                const auto made =
                    torch::autograd::grad({out.mul(direction).sum()}, mine.leaves(), {}, std::nullopt, false, true);
                const std::lock_guard lock(mutex);
                outputs[static_cast<std::size_t>(rank)] = out.detach();
                for (std::size_t i = 1; i < made.size(); ++i)
                    if (made[i].defined())
                        sums[i].add_(made[i]);
                of_tokens[static_cast<std::size_t>(rank)] = made[0];
                for (std::size_t i = 2; i < made.size(); ++i)
                    EXPECT_TRUE(!made[i].defined() || share->has(static_cast<std::int64_t>(i) - 2))
                        << "expert " << i - 2 << " is on another rank";
            });
            sums[0] = at::cat(of_tokens);
            EXPECT_LT(apart(at::cat(outputs), expected), 1e-12) << ranks << " ranks";
            for (std::size_t i = 0; i < right.size(); ++i)
                EXPECT_LT(apart(sums[i], right[i]), 1e-12) << ranks << " ranks, " << of_experts << " of experts, " << i;
        }
}

TEST(ExpertExchange, WhatDoesNotDivideIsRefused) {
    test::run_ranks(4, [](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::replicas(4), std::move(world));
        const auto said = [&](int ranks, std::int64_t experts) {
            try {
                parallel::expert_share(mesh, ranks, experts);
            } catch (const UserError& error) {
                return std::string(error.what());
            }
            return std::string();
        };
        EXPECT_EQ(said(2, 6), "");
        EXPECT_THAT(said(4, 6),
                    says("parallel.ep_size: {}",
                         says("{}: {} experts do not divide among the ranks: take a divisor of {}", 4, 6, 6)));
        EXPECT_THAT(said(3, 6),
                    says("parallel.ep_size: {}",
                         says("{} cannot be divided into groups of {} ranks that divide the experts: start a multiple "
                              "of {} ranks, or change ep_size",
                              "4 ranks", 3, 3)));
    });
}

/// Parts of micro-batches on ranks sum to the loss of all tokens, and so do their gradients.
TEST(RouterStep, PartsSumToTheLossOfTheStep) {
    constexpr std::int64_t kTokens = 24, kMicroBatches = 3;
    constexpr double kFactor = 0.02, kTargets = 23;
    const RouterOptions options{.chosen = 2};
    at::manual_seed(3);
    const at::Tensor logits = at::randn({kTokens, kExperts}).set_requires_grad(true);
    const auto sums_of = [&](const at::Tensor& rows) {
        RouterSums sums{at::zeros({kExperts}), at::zeros({2, kExperts})};
        add_to_sums(sums, route(rows, options), {});
        return sums;
    };
    const at::Tensor whole = load_balancing_loss(sums_of(logits)).mul(kFactor * kTargets);
    whole.backward();
    const at::Tensor right = logits.grad();
    for (const int ranks : {1, 2}) {
        double total = 0, evaluated = 0;
        at::Tensor gradient = at::zeros_like(right);
        std::mutex mutex;
        const auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            RouterStep step(&mesh.data(), 2, kExperts, kFactor, at::kCPU);
            const std::int64_t count = kTokens / ranks / kMicroBatches;
            const at::Tensor mine = logits.detach()
                                        .narrow(0, mesh.rank() * kTokens / ranks, kTokens / ranks)
                                        .clone()
                                        .set_requires_grad(true);
            step.begin(RouterStep::Pass::count);
            for (std::int64_t i = 0; i < kMicroBatches; ++i)
                step.add(sums_of(mine.narrow(0, i * count, count)), kTargets / ranks / kMicroBatches);
            step.settle();
            double own = 0;
            for (std::int64_t i = 0; i < kMicroBatches; ++i) {
                const at::Tensor part = step.part_of(sums_of(mine.narrow(0, i * count, count)).probabilities);
                own += part.item<double>();
                part.backward();
            }
            const std::lock_guard lock(mutex);
            total += own;
            evaluated += step.added_part().item<double>();
            gradient.narrow(0, mesh.rank() * kTokens / ranks, kTokens / ranks).copy_(mine.grad());
        };
        if (ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(ranks, body);
        EXPECT_NEAR(total, whole.item<double>(), 1e-6) << ranks;
        EXPECT_NEAR(evaluated, whole.item<double>(), 1e-6) << ranks;
        EXPECT_LT(apart(gradient, right), 1e-7) << ranks;
    }
}

}  // namespace
}  // namespace trainyard::models::expert_router
