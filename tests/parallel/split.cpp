// SPDX-License-Identifier: GPL-3.0-or-later
// Shares of work, and gathering tensors of more than one dimension.

#include "distributed/parallel/split.h"

#include <ATen/ATen.h>

#include <gtest/gtest.h>

#include "support/ranks.h"

namespace trainyard::parallel {
namespace {

TEST(SplitBetween, FirstRanksTakeOneMore) {
    EXPECT_EQ(split_between(7, 0, 3), (Range{0, 3}));
    EXPECT_EQ(split_between(7, 1, 3), (Range{3, 5}));
    EXPECT_EQ(split_between(7, 2, 3), (Range{5, 7}));
    EXPECT_EQ(split_between(6, 2, 3), (Range{4, 6}));
    EXPECT_EQ(split_between(5, 0, 1), (Range{0, 5}));
}

TEST(SplitBetween, RanksBeyondTheLengthGetNothing) {
    EXPECT_EQ(split_between(2, 1, 4), (Range{1, 2}));
    EXPECT_EQ(split_between(2, 2, 4).size(), 0);
    EXPECT_EQ(split_between(0, 3, 4), (Range{0, 0}));
}

TEST(Gathering, TensorsOfTwoDimensions) {
    test::run_ranks(2, [](std::unique_ptr<World> world) {
        std::vector<int> ranks{0, 1};
        auto everyone = world->group(ranks, "everyone");
        at::Tensor all = at::zeros({2, 2, 3}, at::kFloat);
        everyone->all_gather(all, at::full({2, 3}, world->rank() + 1.0, at::kFloat), "test");
        EXPECT_EQ(all[0].sum().item<float>(), 6);
        EXPECT_EQ(all[1].sum().item<float>(), 12);
    });
}

}  // namespace
}  // namespace trainyard::parallel
