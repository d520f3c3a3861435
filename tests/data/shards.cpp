// SPDX-License-Identifier: GPL-3.0-or-later
// Sharded batches: golden.data_sharding has reference tables; these are properties for all sizes.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "data/order.h"
#include "data_sets.h"

namespace trainyard::data {
namespace {

using test::Numbers;

Batches numbered(std::int64_t n, std::int64_t size, bool drop_last = false) {
    return {Order::sequential(n), size, drop_last, {}};
}

/// How often all ranks together get each number, starting at `first`.
std::map<std::int64_t, int> uses(const Batches& batches, std::int64_t count, ShardOptions options,
                                 std::int64_t first = 0) {
    std::map<std::int64_t, int> result;
    for (std::int64_t index = 0; index < count; ++index) {
        BatchShard shard(batches, {index, count}, options, first);
        for (std::int64_t i = 0; i < shard.count(); ++i)
            for (std::int64_t number : shard[i])
                ++result[number];
    }
    return result;
}

TEST(BatchShard, EveryOptionKeepsItsPromiseForAllSizes) {
    for (std::int64_t n = 0; n <= 20; ++n)
        for (std::int64_t size : {1, 2, 3, 4, 6})
            for (std::int64_t count : {1, 2, 3, 4})
                for (bool split : {false, true})
                    for (bool even : {false, true}) {
                        if (split && size % count != 0)
                            continue;
                        SCOPED_TRACE("n " + std::to_string(n) + " size " + std::to_string(size) + " ranks " +
                                     std::to_string(count) + (split ? " split" : "") + (even ? " even" : ""));
                        std::int64_t step = split ? size : size * count;
                        ShardOptions options{split, even};
                        auto used = uses(numbered(n, size), count, options);
                        EXPECT_EQ(static_cast<std::int64_t>(used.size()), n) << "no sample is lost";
                        std::int64_t total = 0;
                        for (auto [number, times] : used)
                            total += times;
                        EXPECT_EQ(total, even ? (n + step - 1) / step * step : n);
                        for (std::int64_t index = 0; index < count; ++index) {
                            BatchShard shard(numbered(n, size), {index, count}, options);
                            EXPECT_EQ(shard.tail(), n % step);
                            EXPECT_EQ(shard.samples_after(shard.steps()), n);
                            for (std::int64_t i = 0; i < shard.count(); ++i) {
                                std::size_t got = shard[i].size();
                                EXPECT_GT(got, 0u);
                                if (even || i < n / step) {
                                    EXPECT_EQ(static_cast<std::int64_t>(got), step / count);
                                }
                            }
                        }
                        for (auto [number, times] : uses(numbered(n, size, true), count, options))
                            EXPECT_EQ(times, 1) << "dropping short batches repeats nothing";
                    }
}

TEST(BatchShard, GoesOnBehindAnyStepOnAnyNumberOfRanks) {
    constexpr std::int64_t n = 29, size = 2;
    for (std::int64_t before : {1, 2, 3, 4})
        for (std::int64_t after : {1, 2, 3, 4}) {
            BatchShard old(numbered(n, size), {0, before}, {});
            for (std::int64_t steps = 0; steps < old.steps(); ++steps) {
                std::int64_t first = old.samples_after(steps);
                auto rest = uses(numbered(n, size), after, {false, false}, first);
                EXPECT_EQ(static_cast<std::int64_t>(rest.size()), n - first);
                EXPECT_EQ(rest.empty() ? first : rest.begin()->first, first) << "nothing is seen twice";
            }
        }
}

TEST(BatchShard, TheSameNumberOfRanksGoesOnWithTheSameBatches) {
    for (std::int64_t index : {0, 1, 2}) {
        BatchShard whole(numbered(23, 2), {index, 3}, {});
        for (std::int64_t steps = 0; steps < whole.steps(); ++steps) {
            BatchShard rest(numbered(23, 2), {index, 3}, {}, whole.samples_after(steps));
            ASSERT_EQ(rest.count(), whole.count() - steps);
            for (std::int64_t i = 0; i < rest.count(); ++i)
                EXPECT_EQ(rest[i], whole[steps + i]);
        }
    }
}

TEST(BatchShard, DynamicBatchesStayWhole) {
    Batches batches = Batches::from({{0, 1, 2}, {3, 4}, {5, 6, 7, 8}});
    BatchShard second(batches, {1, 2}, {});
    ASSERT_EQ(second.count(), 2);
    EXPECT_EQ(second[0], (Numbers{3, 4}));
    EXPECT_EQ(second[1], (Numbers{0, 1, 2})) << "the first again";
    EXPECT_EQ(second.tail(), 4);
    EXPECT_EQ(second.samples_after(1), 5);
    EXPECT_EQ(BatchShard(batches, {1, 2}, {false, false}).count(), 1);
    BatchShard fourth(batches, {3, 4}, {});
    EXPECT_EQ(fourth[0], (Numbers{0, 1, 2}));

    BatchShard rest(batches, {1, 2}, {}, 3);
    EXPECT_EQ(rest[0], (Numbers{5, 6, 7, 8}));
    EXPECT_THROW(BatchShard(batches, {0, 2}, {}, 4), UserError) << "not the end of a batch";
    EXPECT_THROW(BatchShard(batches, {0, 2}, {true, true}), UserError) << "nothing to split";
}

}  // namespace
}  // namespace trainyard::data
