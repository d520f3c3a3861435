// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the router of experts with transformers' Mixtral (choices, weights, load-balancing loss and its gradients)
// and with GShard's rule for capacities, and tests the exchange of tokens between ranks that divide the experts.

#include <cmath>
#include <fstream>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include <ATen/ops/full_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "distributed/parallel/expert_share.h"
#include "models/networks/expert_router.h"
#include "support/golden.h"
#include "support/ranks.h"

namespace trainyard::models::moe_routing {
namespace {

using nlohmann::json;

/// Tolerance of weights, losses and gradients.
constexpr double kTolerance = 1e-6;

at::Tensor table_of(const json& rows) {
    std::vector<at::Tensor> made;
    for (const json& row : rows)
        made.push_back(at::tensor(row.get<std::vector<double>>(), at::kDouble));
    return at::stack(made).to(at::kFloat);
}

std::vector<std::vector<std::int64_t>> numbers_of(const at::Tensor& table) {
    std::vector<std::vector<std::int64_t>> rows;
    for (const at::Tensor& row : table.unbind(0)) {
        const at::Tensor flat = row.contiguous();
        rows.emplace_back(flat.const_data_ptr<std::int64_t>(), flat.const_data_ptr<std::int64_t>() + flat.numel());
    }
    return rows;
}

void expect_near(const at::Tensor& got, const json& expected) {
    EXPECT_LE(got.sub(table_of(expected)).abs().max().item<double>(), kTolerance);
}

void judge_route(const json& input, const json& expected) {
    RouterOptions options{.chosen = input.at("top_k").get<std::int64_t>()};
    if (expected.contains("error")) {
        EXPECT_THROW(route(table_of(input.at("logits")), options), std::invalid_argument);
        return;
    }
    const Routing routing = route(table_of(input.at("logits")), options);
    EXPECT_EQ(json(numbers_of(routing.experts)), expected.at("experts"));
    expect_near(routing.weights, expected.at("weights"));
    EXPECT_EQ(json(order_by_expert(routing).counts), expected.at("tokens_of_expert"));
}

void judge_loss(const json& input, const json& expected) {
    std::vector<at::Tensor> layers;
    for (const json& layer : input.at("layers"))
        layers.push_back(table_of(layer).set_requires_grad(true));
    const at::Tensor counted = input.contains("mask") ? table_of(input.at("mask")).reshape({-1}) : at::Tensor();
    const RouterOptions options{.chosen = input.at("top_k").get<std::int64_t>()};
    const std::int64_t experts = layers.front().size(1);
    RouterSums sums{at::zeros({experts}), at::zeros({options.chosen, experts})};
    for (const at::Tensor& layer : layers)
        add_to_sums(sums, route(layer, options), counted);
    const at::Tensor loss = load_balancing_loss(sums);
    if (expected.at("loss").is_string()) {
        EXPECT_EQ(expected.at("loss"), "nan");
        EXPECT_TRUE(std::isnan(loss.item<double>()));
        return;
    }
    EXPECT_NEAR(loss.item<double>(), expected.at("loss").get<double>(),
                kTolerance * std::max(1.0, expected.at("loss").get<double>()));
    loss.backward();
    for (std::size_t i = 0; i < layers.size(); ++i)
        expect_near(layers[i].grad(), expected.at("gradients").at(i));
}

void judge_capacity(const json& input, const json& expected) {
    const RouterOptions options{.chosen = input.at("top_k").get<std::int64_t>(),
                                .normalises = input.value("normalise", true),
                                .capacity_factor = input.at("factor").get<double>(),
                                .least_capacity = input.value("minimum", std::int64_t{1}),
                                .counts_masked = !input.value("count_only_unmasked", false),
                                .renormalises = input.value("renormalise", false)};
    const at::Tensor counted = input.contains("mask")
                                   ? at::tensor(input.at("mask").get<std::vector<std::int64_t>>(), at::kLong)
                                   : at::Tensor();
    const Routing routing = route(table_of(input.at("logits")), options, counted);
    EXPECT_EQ(routing.capacity, expected.at("capacity"));
    EXPECT_EQ(json(numbers_of(routing.experts)), expected.at("experts"));
    expect_near(routing.weights, expected.at("weights"));
    json slots = json::array(), without_expert = json::array();
    std::int64_t dropped = 0;
    const auto rows = numbers_of(routing.slots);
    for (std::size_t token = 0; token < rows.size(); ++token) {
        const bool counts = !counted.defined() || counted[static_cast<std::int64_t>(token)].item<std::int64_t>() != 0;
        bool any = false;
        json row = json::array();
        for (const std::int64_t slot : rows[token]) {
            row.push_back(slot < 0 ? json() : json(slot));
            any = any || slot >= 0;
            dropped += counts && slot < 0 ? 1 : 0;
        }
        slots.push_back(row);
        if (counts && !any)
            without_expert.push_back(token);
    }
    EXPECT_EQ(slots, expected.at("slots"));
    EXPECT_EQ(dropped, expected.at("dropped_choices"));
    EXPECT_EQ(without_expert, expected.at("tokens_without_expert"));
    const ExpertOrder order = order_by_expert(routing);
    EXPECT_EQ(json(order.counts), expected.at("kept_of_expert"));
    std::int64_t begin = 0;
    for (std::size_t expert = 0; expert < order.counts.size(); begin += order.counts[expert++])
        for (std::int64_t row = begin; row < begin + order.counts[expert]; ++row)
            EXPECT_EQ(routing.experts.reshape({-1})[order.choices[row].item<std::int64_t>()].item<std::int64_t>(),
                      static_cast<std::int64_t>(expert));
}

/// Each rank sends rows [rank, token, choice]; experts see them in the order of the file.
void judge_dispatch(const json& input, const json& expected) {
    const int ranks = input.at("ranks").get<int>();
    const json& logits = input.at("logits");
    const std::int64_t experts = std::ssize(logits.at(0).at(0));
    const RouterOptions options{.chosen = input.at("top_k").get<std::int64_t>()};
    json sends = json::array(), receives = json::array(), seen = json::array();
    std::mutex mutex;
    const auto body = [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
        const int rank = mesh.rank();
        mesh.data().barrier("all ranks are there");
        const auto share = parallel::expert_share(mesh, ranks, experts);
        const Routing routing = route(table_of(logits.at(static_cast<std::size_t>(rank))), options);
        const ExpertOrder order = order_by_expert(routing);
        const std::int64_t own = experts / ranks;
        std::vector<std::int64_t> sent;
        for (int to = 0; to < ranks; ++to)
            sent.push_back(std::accumulate(order.counts.begin() + to * own, order.counts.begin() + (to + 1) * own,
                                           std::int64_t{0}));
        const at::Tensor names =
            at::stack({at::full_like(order.choices, rank), order.choices.floor_divide(order.chosen),
                       order.choices.remainder(order.chosen)},
                      1);
        at::Tensor rows = names;
        std::vector<std::int64_t> counts = order.counts, came(1, names.size(0));
        if (share) {
            const parallel::ExpertExchange exchange(*share, order.counts);
            rows = exchange.send(names.to(at::kDouble));
            counts = exchange.counts();
            EXPECT_TRUE(exchange.bring_back(rows).equal(names.to(at::kDouble)));
            came.assign(static_cast<std::size_t>(ranks), 0);
            for (const auto& row : numbers_of(rows.to(at::kLong)))
                ++came[static_cast<std::size_t>(row.front())];
        }
        const std::lock_guard lock(mutex);
        sends[static_cast<std::size_t>(rank)] = sent;
        receives[static_cast<std::size_t>(rank)] = came;
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < counts.size(); begin += counts[i++])
            seen[static_cast<std::size_t>(rank * own) + i] = numbers_of(rows.narrow(0, begin, counts[i]).to(at::kLong));
    };
    const auto run = [&] {
        if (ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(ranks, body);
    };
    if (expected.contains("error")) {
        EXPECT_THROW(run(), UserError);
        return;
    }
    run();
    EXPECT_EQ(sends, expected.at("sends"));
    EXPECT_EQ(receives, expected.at("receives"));
    EXPECT_EQ(seen, expected.at("tokens_of_expert"));
}

TEST(GoldenMoeRouting, EveryCase) {
    const json all = json::parse(std::ifstream(test::golden("moe_routing.json")));
    ASSERT_FALSE(all.at("cases").empty());
    for (const json& one : all.at("cases")) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        const json &input = one.at("input"), &expected = one.at("expected");
        const std::string kind = input.at("kind");
        if (kind == "route")
            judge_route(input, expected);
        else if (kind == "loss")
            judge_loss(input, expected);
        else if (kind == "capacity")
            judge_capacity(input, expected);
        else if (kind == "dispatch")
            judge_dispatch(input, expected);
        else
            ADD_FAILURE() << "no test of the kind " << kind;
    }
}

}  // namespace
}  // namespace trainyard::models::moe_routing
