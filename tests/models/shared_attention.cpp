// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of sequences that 2 and 4 ranks share equals the plain formula on one rank: ring, gathered keys, exchanged
// heads.

#include <string>
#include <utility>
#include <vector>

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include "models/shared_sequences.h"

namespace trainyard::models {
namespace {

using parallel::SequenceExchange;
using test::AttentionCase;
using test::AttentionOutcome;

class SharedAttention : public ::testing::TestWithParam<std::tuple<SequenceExchange, int>> {
  protected:
    SequenceExchange exchange() const { return std::get<0>(GetParam()); }
    int ranks() const { return std::get<1>(GetParam()); }

    void expect_as_one_rank(const AttentionCase& one, at::ScalarType type, const PlainAttention& what,
                            double tolerance) const {
        SCOPED_TRACE("window " + std::to_string(what.window) + ", cap " + std::to_string(what.score_cap) +
                     (what.causal ? "" : ", all keys"));
        const AttentionOutcome expected = test::run_attention(one, at::kDouble, what, &causal_attention_plain);
        test::expect_same(expected, test::run_shared(one, type, what, exchange(), ranks()), tolerance);
    }
};

TEST_P(SharedAttention, EqualsThePlainFormula) {
    expect_as_one_rank(test::random_attention(2, 48, 4, 4, 8), at::kFloat, {}, 1e-5);
    expect_as_one_rank(test::random_attention(1, 528, 4, 4, 6), at::kFloat, {.scale = 0.7}, 1e-5);
}

/// The plain formula has probabilities in fp32, so that this is beside LibTorch's.
TEST_P(SharedAttention, EqualsLibTorchInFp64) {
    const AttentionCase one = test::random_attention(2, 48, 4, 2, 8);
    test::expect_same(test::run_attention(one, at::kDouble, {}, &attention),
                      test::run_shared(one, at::kDouble, {}, exchange(), ranks()), 1e-10);
}

TEST_P(SharedAttention, KeysOfGroupedHeads) {
    for (std::int64_t key_heads : {1, 2, 4})
        expect_as_one_rank(test::random_attention(2, 32, 8, key_heads, 4), at::kFloat, {}, 1e-5);
}

TEST_P(SharedAttention, HalfTypes) {
    for (auto [type, tolerance] : {std::pair(at::kBFloat16, 2e-2), std::pair(at::kHalf, 5e-3)}) {
        AttentionCase one = test::random_attention(1, 80, 4, 2, 8);
        for (at::Tensor* x : {&one.query, &one.key, &one.value, &one.dout})
            *x = x->to(type);
        expect_as_one_rank(one, type, {}, tolerance);
    }
}

TEST_P(SharedAttention, WindowsCapsAndAllKeys) {
    for (std::int64_t window : {1, 3, 20, 47, 100})
        expect_as_one_rank(test::random_attention(2, 48, 4, 2, 4), at::kFloat, {.window = window}, 1e-5);
    expect_as_one_rank(test::random_attention(2, 48, 4, 2, 4), at::kFloat, {.score_cap = 2.0}, 1e-5);
    expect_as_one_rank(test::random_attention(2, 48, 4, 2, 4), at::kFloat, {.causal = false}, 1e-5);
}

TEST_P(SharedAttention, DropsTheProbabilitiesThatOneRankDrops) {
    PlainAttention what{.key = {7, 3, 2, 5}, .dropout = 0.3};
    expect_as_one_rank(test::random_attention(2, 48, 4, 2, 4), at::kFloat, what, 1e-5);
    // More scores than the plain formula makes at a time.
    expect_as_one_rank(test::random_attention(1, 1056, 4, 4, 4), at::kFloat, what, 1e-5);
    AttentionCase one = test::random_attention(2, 48, 4, 4, 4);
    const AttentionOutcome dropped = test::run_shared(one, at::kFloat, what, exchange(), ranks()),
                           whole = test::run_shared(one, at::kFloat, {}, exchange(), ranks());
    EXPECT_GT(test::distance(dropped.out, whole.out), 0.1);
}

TEST_P(SharedAttention, OverSockets) {
    const AttentionCase one = test::random_attention(1, 32, 4, 4, 4);
    test::expect_same(test::run_attention(one, at::kDouble, {}, &causal_attention_plain),
                      test::run_shared(one, at::kFloat, {}, exchange(), ranks(), false), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(All, SharedAttention,
                         ::testing::Combine(::testing::Values(SequenceExchange::ring, SequenceExchange::all_gather,
                                                              SequenceExchange::heads),
                                            ::testing::Values(2, 4)),
                         [](const auto& one) {
                             return std::string(test::name_of(std::get<0>(one.param))) + "_of_" +
                                    std::to_string(std::get<1>(one.param));
                         });

/// Attention has one exchange for 2 * (ranks - 1) messages in the ring forward, and only its own part of the gradients.
TEST(SharedAttentionTraffic, GroupedKeysTravelOnce) {
    const auto sent = [](std::int64_t key_heads) {
        const AttentionCase one = test::random_attention(1, 32, 4, key_heads, 4);
        std::uint64_t bytes = 0;
        test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh({1, 1, 1, 2, 1, 1}, std::move(world));
            const auto share = parallel::sequence_share(mesh, true, 32).value();
            PlainAttention what;
            what.sequence = &share;
            const auto own = [&](const at::Tensor& x) { return parallel::select_positions(x, 1, share.positions); };
            test::run_attention({own(one.query), own(one.key), own(one.value), own(one.dout)}, at::kFloat, what,
                                &attention);
            if (mesh.rank() == 0)
                bytes = share.ranks->stats().operations(parallel::CollectiveKind::send).bytes;
        });
        return bytes;
    };
    // Keys and values of 16 positions go to the other rank in forward and in backward, and two sums of gradients do.
    EXPECT_EQ(sent(4), 4U * 2 * 16 * 4 * 4 * 4);
    EXPECT_EQ(sent(1), sent(4) / 4);
}

TEST(SharedDropout, DropsTheElementsOfTheWholeSequence) {
    const at::Tensor x = at::ones({3, 24, 5});
    const DropoutKey key{5, 11, 2, 4};
    const at::Tensor whole = counter_dropout(x, key, 0.4);
    EXPECT_GT(whole.eq(0).sum().item<std::int64_t>(), 0);
    for (int ranks : {2, 3, 4})
        for (int rank = 0; rank < ranks; ++rank) {
            const parallel::PositionRuns runs = parallel::balanced_positions(rank, ranks, 24);
            DropoutKey own = key;
            own.positions = &runs;
            EXPECT_TRUE(at::equal(counter_dropout(parallel::select_positions(x, 1, runs), own, 0.4),
                                  parallel::select_positions(whole, 1, runs)));
        }
}

TEST(SequenceShare, SumsAndTheirGradientsAreOverAllRanks) {
    test::run_ranks(2, [](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh({1, 1, 1, 2, 1, 1}, std::move(world));
        const auto share = parallel::sequence_share(mesh, true, 8).value();
        const at::Tensor part = test::leaf(at::full({3}, mesh.rank() + 1.0), at::kFloat);
        const at::Tensor sum = parallel::sum_over_sequence(part, share, "test");
        EXPECT_TRUE(at::equal(sum, at::full({3}, 3.0f)));
        sum.sum().mul(mesh.rank() + 1).backward();
        EXPECT_TRUE(at::equal(part.grad(), at::full({3}, 3.0f)));
    });
}

}  // namespace
}  // namespace trainyard::models
