// SPDX-License-Identifier: GPL-3.0-or-later
// Ring attention at 4,096 positions equals full attention, and its peak memory follows the positions of a rank.
// packaging/test -L layouts

#include <optional>

#include "models/shared_sequences.h"
#include "support/allocation_peak.h"

namespace trainyard::models {
namespace {

using parallel::SequenceExchange;

constexpr std::int64_t kLength = 4096, kAttentionHeads = 4, kWidth = 32;

TEST(LongAttention, EqualsFullAttentionAt4096Positions) {
    const test::AttentionCase one = test::random_attention(1, kLength, kAttentionHeads, 2, kWidth);
    const test::AttentionOutcome expected = test::run_attention(one, at::kFloat, {}, &attention);
    for (SequenceExchange exchange : {SequenceExchange::ring, SequenceExchange::all_gather})
        for (int ranks : {2, 4}) {
            SCOPED_TRACE(std::string(test::name_of(exchange)) + " of " + std::to_string(ranks));
            test::expect_same(expected, test::run_shared(one, at::kFloat, {}, exchange, ranks), 1e-5);
        }
}

/// Bytes that a rank needs at most besides its inputs, whose number is `length` over all ranks.
double peak_of_rank(std::int64_t length, int ranks) {
    std::uint64_t bytes = 0;
    test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh({1, 1, 1, ranks, 1, 1}, std::move(world));
        const auto share = parallel::sequence_share(mesh, true, length).value();
        const test::AttentionCase own =
            test::random_attention(1, length / ranks, kAttentionHeads, kAttentionHeads, kWidth);
        PlainAttention what;
        what.sequence = &share;
        share.ranks->barrier("before");
        std::optional<test::AllocationPeak> peak;
        if (mesh.rank() == 0)
            peak.emplace();
        share.ranks->barrier("counting");
        test::run_attention(own, at::kFloat, what, &attention);
        share.ranks->barrier("done");
        if (peak)
            bytes = peak->bytes();
        share.ranks->barrier("read");
    });
    return static_cast<double>(bytes) / ranks;
}

TEST(LongAttention, PeakMemoryFollowsThePositionsOfARank) {
    const double of_1024 = peak_of_rank(2048, 2);
    EXPECT_GT(of_1024, 1024.0 * kAttentionHeads * kWidth * 4 * 6) << "packed inputs, keys, result";
    EXPECT_LT(peak_of_rank(4096, 4), 1.2 * of_1024) << "twice the sequence on twice the ranks; a buffer more travels";
    EXPECT_GT(peak_of_rank(4096, 2), 1.8 * of_1024) << "twice the sequence";
}

}  // namespace
}  // namespace trainyard::models
