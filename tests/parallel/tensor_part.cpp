// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of tensors that the ranks of a tensor-parallel group have: which elements they are, and that they start as
// those of the whole tensor do.

#include "distributed/parallel/tensor_part.h"

#include <numeric>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <gtest/gtest.h>

#include "distributed/parallel/flat_group.h"
#include "support/ranks.h"

namespace trainyard::parallel::tensor_parts {
namespace {

constexpr std::uint64_t kSeed = 5;

std::shared_ptr<Communicator> group_of_all(World& world) {
    std::vector<int> all(static_cast<std::size_t>(world.size()));
    std::iota(all.begin(), all.end(), 0);
    return world.group(all, "tp");
}

TEST(TensorParts, SectionsAreDividedByThemselves) {
    test::run_ranks(2, [](std::unique_ptr<World> world) {
        const std::shared_ptr<Communicator> ranks = group_of_all(*world);
        // Queries of 4, keys and values of 2 columns.
        const TensorPart part{ranks.get(), Placement::column, {3, 8}, 1, {4, 2, 2}};
        const std::int64_t rank = ranks->rank();
        EXPECT_EQ(part.ranges(),
                  (std::vector<Range>{{2 * rank, 2 * rank + 2}, {4 + rank, 5 + rank}, {6 + rank, 7 + rank}}));
        EXPECT_EQ(part.shape_of(1), (std::vector<std::int64_t>{3, 4}));
        const at::Tensor whole = at::arange(24, at::kFloat).view({3, 8});
        const at::Tensor own = part.select(whole);
        const auto first = static_cast<float>(2 * rank);
        EXPECT_EQ(own[1][0].item<float>(), 8 + first);
        EXPECT_EQ(own[1][2].item<float>(), 12 + static_cast<float>(rank));
        EXPECT_TRUE(part.gather(own, "parts").equal(whole));
    });
}

TEST(TensorParts, ThatAreUnevenComeTogether) {
    test::run_ranks(4, [](std::unique_ptr<World> world) {
        const std::shared_ptr<Communicator> ranks = group_of_all(*world);
        const TensorPart part{ranks.get(), Placement::vocabulary, {6, 2}, 0, {6}};
        EXPECT_EQ(part.ranges().front().size(), ranks->rank() < 2 ? 2 : 1);
        const at::Tensor whole = at::arange(12, at::kFloat).view({6, 2});
        EXPECT_TRUE(part.gather(part.select(whole), "rows").equal(whole));
    });
}

TEST(TensorParts, StartAsTheWholeTensorDoes) {
    Parameter whole("w", {10, 12}, {Initialiser::Kind::normal, 1});
    FlatArena one({{"group", {&whole}}}, at::kFloat, at::kCPU, false);
    one.initialise(kSeed);
    for (const bool columns : {false, true})
        for (const std::int64_t stage : {0, 3})
            test::run_ranks(2, [&](std::unique_ptr<World> world) {
                const std::shared_ptr<Communicator> ranks = group_of_all(*world);
                Parameter own("w", {10, 12}, {Initialiser::Kind::normal, 1});
                TensorPart part{ranks.get(), Placement::column, {10, 12}, 0, {10}};
                if (columns)
                    part = {ranks.get(), Placement::column, {10, 12}, 1, {3, 9}};  // 2 and 5, 1 and 4
                own.divide(std::make_shared<TensorPart>(part));
                ArenaOptions options;
                options.sharding = sharding_of_stage(stage);
                options.ranks = 2;  // of another group, in the same place
                options.rank = ranks->rank();
                FlatArena arena({{"group", {&own}}}, at::kFloat, at::kCPU, false, options);
                arena.initialise(kSeed);
                const Range held = arena.held_of(own);
                const at::Tensor expected = part.select(whole.value()).reshape({-1}).narrow(0, held.begin, held.size());
                EXPECT_TRUE(arena.held_value(own).equal(expected)) << columns << ", stage " << stage;
                EXPECT_GT(held.size(), 0);
                arena.set_value(own, whole.value().add(1));
                EXPECT_TRUE(arena.held_value(own).equal(expected.add(1)));
            });
}

TEST(TensorParts, SumsOfInputsAndOutputs) {
    test::run_ranks(3, [](std::unique_ptr<World> world) {
        const std::shared_ptr<Communicator> ranks = group_of_all(*world);
        const at::Tensor x = at::full({4}, 2.0).set_requires_grad(true);
        const double factor = 1 + ranks->rank();
        const at::Tensor y = sum_outputs(share_input(x, *ranks, "w").mul(factor), *ranks, "w");
        EXPECT_TRUE(y.equal(at::full({4}, 12.0))) << "2 * (1 + 2 + 3)";
        y.backward(at::ones({4}));
        EXPECT_TRUE(x.grad().equal(at::full({4}, 6.0))) << "each rank's factor once";
    });
}

/// Positions of a rank become those of all ranks and back, and so do their gradients.
TEST(TensorParts, PositionsAreGatheredAndScattered) {
    test::run_ranks(2, [](std::unique_ptr<World> world) {
        const std::shared_ptr<Communicator> ranks = group_of_all(*world);
        const std::int64_t rank = ranks->rank();
        const at::Tensor whole = at::arange(24, at::kFloat).view({2, 4, 3});
        at::Tensor own = own_positions(whole, *ranks).clone().set_requires_grad(true);
        const at::Tensor all = gather_positions(own, *ranks, PositionParts::summed, "x");
        EXPECT_TRUE(all.equal(whole));
        all.backward(whole.mul(rank + 1));  // a part on each rank: 1 and 2 times
        EXPECT_TRUE(own.grad().equal(own_positions(whole, *ranks).mul(3)));
        own.mutable_grad() = at::Tensor();
        gather_positions(own, *ranks, PositionParts::equal, "x").backward(whole);
        EXPECT_TRUE(own.grad().equal(own_positions(whole, *ranks)));
        at::Tensor part = whole.mul(rank + 1).set_requires_grad(true);
        const at::Tensor sum = scatter_positions(part, *ranks, PositionParts::summed, "x");
        EXPECT_TRUE(sum.equal(own_positions(whole, *ranks).mul(3)));
        sum.backward(own_positions(whole, *ranks));
        EXPECT_TRUE(part.grad().equal(whole));
    });
}

}  // namespace
}  // namespace trainyard::parallel::tensor_parts
