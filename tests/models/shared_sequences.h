// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention of sequences that several ranks share, each a thread of this program, beside that of one rank.

#include <algorithm>
#include <mutex>
#include <string>

#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>

#include <gtest/gtest.h>

#include "models/nn/kernels/pack_heads.h"
#include "models/nn/kernels/shared_attention.h"
#include "models/oracle.h"
#include "support/ranks.h"

namespace trainyard::test {

/// [batch, positions, heads, width] each; `out` is [batch, positions, heads * width].
struct AttentionCase {
    at::Tensor query, key, value, dout;
};

inline AttentionCase random_attention(std::int64_t batch, std::int64_t length, std::int64_t heads,
                                      std::int64_t key_heads, std::int64_t width) {
    return {at::randn({batch, length, heads, width}), at::randn({batch, length, key_heads, width}),
            at::randn({batch, length, key_heads, width}), at::randn({batch, length, heads * width})};
}

struct AttentionOutcome {
    at::Tensor out, dquery, dkey, dvalue;
};

inline AttentionOutcome run_attention(const AttentionCase& one, at::ScalarType type, models::PlainAttention what,
                                      models::AttentionKernel kernel) {
    const at::Tensor query = leaf(one.query, type), key = leaf(one.key, type), value = leaf(one.value, type);
    const std::int64_t heads = query.size(2);
    what.key_heads = key.size(2);
    const at::Tensor packed = models::pack_heads(query, key, value, {});
    const at::Tensor out =
        what.sequence != nullptr ? models::shared_attention(packed, heads, what, kernel) : kernel(packed, heads, what);
    out.backward(one.dout.to(type));
    return {out.detach(), query.grad(), key.grad(), value.grad()};
}

/// The result on all ranks, in the order of the positions.
inline AttentionOutcome run_shared(const AttentionCase& one, at::ScalarType type, const models::PlainAttention& what,
                                   parallel::SequenceExchange exchange, int ranks, bool share_memory = true) {
    const std::int64_t length = one.query.size(1);
    AttentionOutcome whole;
    std::mutex mutex;
    run_ranks(
        ranks,
        [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(exchange == parallel::SequenceExchange::heads
                                    ? parallel::MeshShape{1, 1, 1, 1, ranks, 1}
                                    : parallel::MeshShape{1, 1, 1, ranks, 1, 1},
                                std::move(world));
            const auto share =
                parallel::sequence_share(mesh, exchange == parallel::SequenceExchange::ring, length).value();
            models::PlainAttention shared = what;
            shared.sequence = &share;
            const auto own = [&](const at::Tensor& x) { return parallel::select_positions(x, 1, share.positions); };
            const AttentionOutcome mine = run_attention({own(one.query), own(one.key), own(one.value), own(one.dout)},
                                                        type, shared, &models::attention);
            const std::lock_guard lock(mutex);
            for (auto member : {&AttentionOutcome::out, &AttentionOutcome::dquery, &AttentionOutcome::dkey,
                                &AttentionOutcome::dvalue}) {
                if (!(whole.*member).defined()) {
                    std::vector<std::int64_t> sizes = (mine.*member).sizes().vec();
                    sizes[1] = length;
                    whole.*member = at::full(sizes, NAN, (mine.*member).options());
                }
                std::int64_t row = 0;
                for (const parallel::PositionRun& run : share.positions) {
                    (whole.*member).narrow(1, run.first, run.count).copy_((mine.*member).narrow(1, row, run.count));
                    row += run.count;
                }
            }
        },
        share_memory);
    return whole;
}

inline void expect_same(const AttentionOutcome& expected, const AttentionOutcome& got, double tolerance) {
    // With one key in sight the probability is 1 and these gradients are 0.
    const auto apart = [](const at::Tensor& a, const at::Tensor& b) {
        const at::Tensor reference = b.to(at::kDouble);
        return a.to(at::kDouble).sub(reference).norm().item<double>() / std::max(1.0, reference.norm().item<double>());
    };
    EXPECT_LT(distance(got.out, expected.out), tolerance) << "result";
    EXPECT_LT(apart(got.dquery, expected.dquery), tolerance) << "gradient of the queries";
    EXPECT_LT(apart(got.dkey, expected.dkey), tolerance) << "gradient of the keys";
    EXPECT_LT(distance(got.dvalue, expected.dvalue), tolerance) << "gradient of the values";
}

inline const char* name_of(parallel::SequenceExchange exchange) {
    return exchange == parallel::SequenceExchange::ring         ? "ring"
           : exchange == parallel::SequenceExchange::all_gather ? "gathered"
                                                                : "heads";
}

}  // namespace trainyard::test
