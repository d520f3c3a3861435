// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the slices of a sharded arena that each rank owns, of gradient buffers, and of the collectives of sharding
// through shared memory and over sockets.

#include <functional>
#include <map>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/parallel/flat_group.h"
#include "parallel/over_ranks.h"
#include "support/sent_bytes.h"

namespace trainyard::parallel {
namespace {

using test::over_ranks;

TEST(ShardingTable, HasTheStagesOfZero) {
    EXPECT_FALSE(sharding_of_stage(0).any());
    EXPECT_TRUE(sharding_of_stage(1).optimizer && !sharding_of_stage(1).gradients);
    EXPECT_TRUE(sharding_of_stage(2).optimizer && sharding_of_stage(2).gradients && !sharding_of_stage(2).values);
    EXPECT_TRUE(sharding_of_stage(3).optimizer && sharding_of_stage(3).gradients && sharding_of_stage(3).values);
    for (int stage : {-1, 4})
        EXPECT_THROW(sharding_of_stage(stage), UserError);
}

struct ThreeGroups {
    Parameter matrix{"a.weight", {7, 5}, {Initialiser::Kind::normal, 0.5}};
    Parameter bias{"a.bias", {5}, {Initialiser::Kind::ones, 0}};
    Parameter frozen{"b.frozen", {9}, {Initialiser::Kind::ones, 0}};
    Parameter second{"b.weight", {33, 2}, {Initialiser::Kind::normal, 0.5}};
    Parameter third{"c.weight", {4, 40}, {Initialiser::Kind::normal, 0.5}};
    ThreeGroups() { frozen.freeze(); }
    std::vector<Parameter*> all() { return {&matrix, &bias, &frozen, &second, &third}; }
    FlatArena arena(std::int64_t stage, int rank, int ranks, std::int64_t bucket_bytes) {
        ArenaOptions options;
        options.sharding = sharding_of_stage(stage);
        options.rank = rank;
        options.ranks = ranks;
        options.bucket_bytes = bucket_bytes;
        return FlatArena({{"a", {&matrix, &bias}}, {"b", {&frozen, &second}}, {"c", {&third}}}, at::kFloat, at::kCPU,
                         false, options);
    }
};

TEST(ShardedArena, EveryElementHasOneOwner) {
    for (std::int64_t stage : {0, 1, 2, 3})
        for (int ranks : {1, 2, 3, 4, 7})
            for (std::int64_t bucket_bytes : {1, 300, 1 << 20}) {
                std::map<std::string, at::Tensor> owners;
                for (int rank = 0; rank < ranks; ++rank) {
                    ThreeGroups groups;
                    FlatArena arena = groups.arena(stage, rank, ranks, bucket_bytes);
                    arena.initialise(5);
                    const bool sharded = stage > 0 && ranks > 1;
                    EXPECT_EQ(arena.sharding().any(), sharded);
                    at::Tensor state = arena.new_state();
                    EXPECT_EQ(state.numel(), arena.owned_elements());
                    EXPECT_EQ(arena.gradients().numel(),
                              sharded && stage >= 2 ? arena.owned_elements() : arena.trainable_elements());
                    std::int64_t end = arena.trainable_elements();
                    for (const ArenaBucket& bucket : arena.buckets()) {
                        EXPECT_EQ(bucket.range.end, end);
                        end = bucket.range.begin;
                        EXPECT_EQ(bucket.owned.size() * (sharded ? ranks : 1), bucket.range.size());
                        EXPECT_EQ(bucket.owned.begin % 16, 0) << "a cache line";
                    }
                    EXPECT_EQ(end, 0);
                    // State that is written through the owned slices must be readable through the parameters.
                    for (const OwnedSlice& own : arena.owned())
                        state.narrow(0, own.state, own.range.size())
                            .copy_(arena.values().narrow(0, own.value, own.range.size()));
                    for (Parameter* parameter : groups.all()) {
                        if (!parameter->trains())
                            continue;
                        const Range part = arena.owned_of(*parameter);
                        EXPECT_TRUE(arena.state_view(state, *parameter).equal(arena.owned_value(*parameter)));
                        if (arena.value_rooms() == nullptr) {
                            EXPECT_TRUE(arena.owned_value(*parameter)
                                            .equal(parameter->value().view(-1).narrow(0, part.begin, part.size())));
                        }
                        EXPECT_EQ(arena.owned_gradient(*parameter).numel(), part.size());
                        at::Tensor& count = owners[parameter->name()];
                        if (!count.defined())
                            count = at::zeros({parameter->numel()});
                        if (part.size() > 0 && (sharded || rank == 0))
                            count.narrow(0, part.begin, part.size()).add_(1);
                    }
                }
                for (const auto& [name, count] : owners)
                    EXPECT_TRUE(count.eq(1).all().item<bool>()) << name << " of " << ranks << " ranks";
            }
}

TEST(ShardedArena, GradientsHaveRoomsFromTheFirstContributionUntilTheyAreReleased) {
    ThreeGroups groups;
    FlatArena arena = groups.arena(2, 0, 2, 1);
    ASSERT_NE(arena.gradient_buffers(), nullptr);
    EXPECT_EQ(arena.gradient_buffers()->bytes(), 0);
    groups.matrix.add_gradient(at::ones({7, 5}));
    groups.matrix.add_gradient(at::ones({7, 5}));
    const std::int64_t bytes = arena.gradient_buffers()->bytes();
    EXPECT_EQ(bytes, arena.buckets().back().range.size() * 4);
    groups.bias.settle_gradient();
    EXPECT_EQ(arena.gradient_buffers()->bytes(), bytes) << "one buffer for the bucket";
    EXPECT_EQ(arena.gradient_buffers()->allocate(arena.buckets().size() - 1).sum().item<float>(), 70)
        << "padding and unused elements must be zero";
    arena.gradient_buffers()->release(arena.buckets().size() - 1);
    EXPECT_EQ(arena.gradient_buffers()->bytes(), 0);
    EXPECT_EQ(arena.gradient_buffers()->most_bytes(), bytes);
    groups.matrix.add_gradient(at::ones({7, 5}));
    EXPECT_EQ(groups.matrix.gradient().sum().item<float>(), 35) << "a first contribution again";
}

TEST(SharedReduceScatter, GivesTheBitsOfAllReduce) {
    for (int ranks : {2, 3})
        over_ranks(ranks, [&](Communicator& communicator) {
            // Sizes from less than a cache line to more than all slots of the shared region.
            for (std::int64_t each : {1, 5, 16, 1000, 262'144, 400'001, 2'500'000})
                for (at::ScalarType type : {at::kFloat, at::kBFloat16, at::kLong}) {
                    if (each > 400'001 && type != at::kFloat)
                        continue;  // how tensors are cut into slots does not depend on the type
                    at::Tensor in =
                        at::arange(each * ranks).mul(0.37).add(communicator.rank() * 11.3).sin().mul(1000).to(type);
                    at::Tensor sums = in.clone();
                    communicator.all_reduce(sums, "all").wait();
                    const at::Tensor expected = sums.narrow(0, communicator.rank() * each, each);
                    at::Tensor out = at::zeros({each}, in.options());
                    communicator.reduce_scatter(out, in, "share").wait();
                    EXPECT_TRUE(out.equal(expected)) << each << " " << type;
                    // In place, several under way.
                    at::Tensor other = in.clone(), last = in.clone();
                    Pending first = communicator.reduce_scatter(other.narrow(0, communicator.rank() * each, each),
                                                                other, "in place");
                    Pending second = communicator.reduce_scatter(last.narrow(0, communicator.rank() * each, each), last,
                                                                 "in place, too");
                    first.wait();
                    second.wait();
                    EXPECT_TRUE(other.narrow(0, communicator.rank() * each, each).equal(expected)) << each;
                    EXPECT_TRUE(last.narrow(0, communicator.rank() * each, each).equal(expected)) << each;
                    // And back.
                    at::Tensor whole = at::zeros({each * ranks}, in.options());
                    whole.narrow(0, communicator.rank() * each, each).copy_(expected);
                    communicator.all_gather(whole, whole.narrow(0, communicator.rank() * each, each), "back");
                    EXPECT_TRUE(whole.equal(sums)) << each;
                }
            at::Tensor mean = at::empty({2}), in = at::ones({2 * ranks}).mul(communicator.rank());
            communicator.reduce_scatter(mean, in, "mean", ReduceOp::average).wait();
            EXPECT_EQ(mean.sum().item<float>(), static_cast<float>(ranks - 1));
        });
}

TEST(RingsOfSockets, ReduceAndGather) {
    for (const int ranks : {2, 3, 4})
        over_ranks(
            ranks,
            [&](Communicator& communicator) {
                const int rank = communicator.rank();
                for (const std::int64_t each : {1, 5, 1000, 400'001})
                    for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min, ReduceOp::average}) {
                        // Whole numbers: every order of the ranks gives the same sums.
                        const auto values_of = [&](int other) {
                            return at::arange(each * ranks).mul(7).add(other * 13).remainder(101).to(at::kFloat);
                        };
                        at::Tensor expected = values_of(0);
                        for (int other = 1; other < ranks; ++other)
                            expected = op == ReduceOp::max   ? at::maximum(expected, values_of(other))
                                       : op == ReduceOp::min ? at::minimum(expected, values_of(other))
                                                             : expected.add(values_of(other));
                        if (op == ReduceOp::average)
                            expected.div_(ranks);
                        const at::Tensor own = expected.narrow(0, rank * each, each);
                        const at::Tensor in = values_of(rank), other = in.clone(), out = at::zeros({each});
                        Pending first = communicator.reduce_scatter(out, in, "share", op);
                        Pending second =
                            communicator.reduce_scatter(other.narrow(0, rank * each, each), other, "in place", op);
                        const at::Tensor whole = at::zeros({each * ranks});
                        Pending third = communicator.all_gather_async(whole, own.contiguous(), "back");
                        third.wait();
                        first.wait();
                        second.wait();
                        EXPECT_TRUE(out.equal(own)) << ranks << " ranks, " << each << ", " << to_string(op);
                        EXPECT_TRUE(other.narrow(0, rank * each, each).equal(own)) << each;
                        EXPECT_TRUE(whole.equal(expected)) << each;
                        EXPECT_TRUE(in.equal(values_of(rank))) << "the source stays";
                    }
            },
            false);
}

TEST(RingsOfSockets, SendEveryElementOnceToEveryOtherRank) {
    constexpr std::int64_t kEach = 1 << 20;
    for (const int ranks : {2, 3})
        over_ranks(
            ranks,
            [&](Communicator& communicator) {
                const at::Tensor whole = at::ones({kEach * ranks}), part = at::ones({kEach});
                const auto sent_by_all = [&](const std::function<void()>& collective) {
                    communicator.barrier("before");
                    const test::SentBytes before = test::sent_bytes();
                    communicator.barrier("all have looked");
                    collective();
                    communicator.barrier("after");
                    const std::uint64_t sent = test::sent_since(before);
                    communicator.barrier("all have looked again");
                    return static_cast<double>(sent);
                };
                const double expected = static_cast<double>((ranks - 1) * whole.nbytes());  // ranks are threads
                EXPECT_NEAR(sent_by_all([&] { communicator.reduce_scatter(part, whole, "scatter").wait(); }), expected,
                            expected / 10);
                EXPECT_NEAR(sent_by_all([&] { communicator.all_gather(whole, part, "gather"); }), expected,
                            expected / 10);
            },
            false);
}

}  // namespace
}  // namespace trainyard::parallel
