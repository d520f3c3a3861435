// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks send under ZeRO++: the error of block codes, the bytes, sums of 4-bit gradients, 8-bit values in rooms and
// second copies of shares.

#include "distributed/parallel/block_codes.h"

#include <cmath>
#include <limits>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>
#include <trainyard/comm_hook.h>

#include "distributed/parallel/flat_group.h"
#include "parallel/over_ranks.h"

namespace trainyard::parallel {
namespace {

using test::over_ranks;

at::Tensor coded(const at::Tensor& values, CodeBits bits) {
    const at::Tensor bytes = at::empty({coded_bytes(values.numel(), bits)}, at::kByte);
    encode(values, bits, bytes);
    return decode(bytes, values.numel(), bits);
}

at::Tensor normal(std::int64_t elements, std::uint64_t seed) {
    return at::randn({elements}, at::detail::createCPUGenerator(seed));
}

/// Half of the scale of every element's block: what a code can be off by, besides the rounding of fp32.
at::Tensor bound_of(const at::Tensor& values, double largest_code) {
    at::Tensor bound = at::empty_like(values);
    for (std::int64_t begin = 0; begin < values.numel(); begin += kCodeBlock) {
        const at::Tensor block = values.narrow(0, begin, std::min(kCodeBlock, values.numel() - begin));
        bound.narrow(0, begin, block.numel())
            .fill_(block.abs().max().div(2 * largest_code).item<double>() * (1 + 1e-5));
    }
    return bound;
}

TEST(BlockCodes, AreWithinHalfAScaleOfTheirBlock) {
    for (const auto& [bits, largest] : {std::pair(CodeBits::eight, 127.0), {CodeBits::four, 7.0}})
        for (const std::int64_t elements : {1, 3, 16, 127, 128, 129, 1000, 4096}) {
            at::Tensor values = normal(elements, 7);
            values[elements / 2] = 100;  // a large element makes the codes of its own block coarse, and of no other
            const at::Tensor back = coded(values, bits), error = back.sub(values).abs();
            EXPECT_TRUE(error.le(bound_of(values, largest)).all().item<bool>()) << elements;
            EXPECT_TRUE(coded(back, bits).sub(back).abs().le(back.abs().mul(1e-5)).all().item<bool>())
                << "codes of decoded values are the same";
            EXPECT_EQ(coded_bytes(elements, bits),
                      (elements * static_cast<int>(bits) + 31) / 32 * 4 + (elements + kCodeBlock - 1) / kCodeBlock * 4);
        }
    EXPECT_TRUE(coded(at::zeros({200}), CodeBits::four).equal(at::zeros({200})));
    EXPECT_EQ(coded_bytes(0, CodeBits::eight), 0);
}

TEST(BlockCodes, WhatIsNotFiniteStaysSo) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        for (const CodeBits bits : {CodeBits::eight, CodeBits::four}) {
            at::Tensor values = normal(400, 3);
            values[200] = bad;
            const at::Tensor back = coded(values, bits);
            EXPECT_FALSE(back.narrow(0, 128, 128).isfinite().any().item<bool>()) << "its block";
            EXPECT_TRUE(back.narrow(0, 0, 128).isfinite().all().item<bool>());
            EXPECT_TRUE(back.narrow(0, 256, 144).isfinite().all().item<bool>());
        }
}

TEST(GradientCodes, SumsAreWithinTheBoundOfTheOtherRanks) {
    for (const int ranks : {2, 3, 4})
        for (const std::int64_t share : {16, 400})
            over_ranks(ranks, [&](Communicator& shards) {
                const std::shared_ptr<CommHook> hook = reduce_scatter_hook(nullptr, true);
                const auto gradient = [&](int rank) {
                    return normal(ranks * share, static_cast<std::uint64_t>(rank) + 1);
                };
                const auto own = [&](const at::Tensor& all) { return all.narrow(0, shards.rank() * share, share); };
                at::Tensor exact = at::zeros({share}, at::kDouble), bound = at::zeros({share});
                for (int rank = 0; rank < ranks; ++rank) {
                    exact.add_(own(gradient(rank)));
                    if (rank != shards.rank())
                        bound.add_(bound_of(own(gradient(rank)), 7));
                }
                Bucket bucket;
                bucket.slice = gradient(shards.rank());
                bucket.owned = at::full({share}, 2.0F);
                for (const bool accumulate : {false, true}) {
                    bucket.accumulate = accumulate;
                    const std::uint64_t before = shards.stats().operations(CollectiveKind::all_to_all).bytes;
                    const std::unique_ptr<BucketReduction> reduction = hook->start(bucket, shards);
                    while (reduction->advance()) {
                    }
                    const at::Tensor expected = accumulate ? exact.mul(2) : exact;
                    const at::Tensor error = bucket.owned.to(at::kDouble).sub(expected).abs();
                    EXPECT_TRUE(error.le(bound.mul(accumulate ? 2 : 1).add(1e-5)).all().item<bool>())
                        << error.max().item<double>();
                    EXPECT_GT(error.max().item<double>(), 1e-3) << "4 bits";
                    EXPECT_EQ(shards.stats().operations(CollectiveKind::all_to_all).bytes - before,
                              static_cast<std::uint64_t>(ranks * coded_bytes(share, CodeBits::four)));
                }
                EXPECT_EQ(shards.stats().operations(CollectiveKind::reduce_scatter).bytes, 0U);
            });
}

/// Two units, with a matrix each whose elements end inside of shares.
struct CodedArena {
    Parameter first{"a.weight", {37, 29}, {Initialiser::Kind::normal, 0.5}};
    Parameter bias{"a.bias", {29}, {Initialiser::Kind::normal, 2}};
    Parameter second{"b.weight", {50, 11}, {Initialiser::Kind::normal, 0.1}};
    Parameter frozen{"b.frozen", {9, 9}, {Initialiser::Kind::normal, 1}};
    std::optional<FlatArena> arena;
    CodedArena(std::int64_t stage, int rank, int ranks, at::ScalarType type, const ZeroPlusPlus& plus) {
        frozen.freeze();
        ArenaOptions options;
        options.sharding = sharding_of_stage(stage);
        options.sharding.plus = plus;
        options.rank = rank;
        options.ranks = ranks;
        arena.emplace(std::vector<GroupRequest>{{"a", {&first, &bias}}, {"b", {&second, &frozen}}}, type, at::kCPU,
                      false, options);
        arena->initialise(11);
    }
    std::vector<Parameter*> all() { return {&first, &bias, &second, &frozen}; }
};

TEST(ValueCodes, RoomsHaveDecodedMatricesAndExactVectors) {
    for (const int ranks : {2, 3, 4})
        for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
            over_ranks(ranks, [&](Communicator& shards) {
                CodedArena whole(0, 0, 1, type, {}), coded(3, shards.rank(), ranks, type, {.quantized_weights = true});
                ValueRooms& rooms = *coded.arena->value_rooms();
                for (std::size_t room = 0; room < rooms.count(); ++room)
                    rooms.start(room, shards);
                for (std::size_t room = 0; room < rooms.count(); ++room)
                    rooms.finish(room);
                for (std::size_t i = 0; i < whole.all().size(); ++i) {
                    const Parameter &expected = *whole.all()[i], &got = *coded.all()[i];
                    const at::Tensor exact = expected.value().to(at::kDouble),
                                     error = got.value().to(at::kDouble).sub(exact).abs();
                    const double largest = exact.abs().max().item<double>();
                    const double rounding = type == at::kFloat ? 1e-6 : largest / 256;
                    if (expected.shape().size() < 2) {
                        EXPECT_TRUE(got.value().equal(expected.value())) << got.name();
                        EXPECT_TRUE(got.compute().equal(expected.compute())) << got.name();
                    } else {
                        EXPECT_LE(error.max().item<double>(), largest / 254 + rounding) << got.name();
                        EXPECT_GT(error.max().item<double>(), 0) << got.name();
                    }
                }
            });
}

TEST(SecondCopies, AreGatheredOverTheirRanksUntilTheMastersChange) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
        for (const bool quantized : {false, true})
            test::run_ranks(4, [&](std::unique_ptr<World> world) {
                std::vector<int> all{0, 1, 2, 3}, block{world->rank() / 2 * 2, world->rank() / 2 * 2 + 1};
                const auto shards = world->group(all, "data"), secondary = world->group(block, "secondary");
                const ZeroPlusPlus plus{.secondary_ranks = 2, .quantized_weights = quantized};
                CodedArena plain(3, world->rank(), 4, type, {.quantized_weights = quantized}),
                    copied(3, world->rank(), 4, type, plus);
                ValueRooms &expected = *plain.arena->value_rooms(), &got = *copied.arena->value_rooms();
                got.keep_second_copies(*secondary);
                const auto gathers = [](Communicator& ranks) {
                    return ranks.stats().operations(CollectiveKind::all_gather);
                };
                for (int change = 0; change < 2; ++change)
                    for (int time = 0; time < 3; ++time)
                        for (std::size_t room = 0; room < got.count(); ++room) {
                            if (time == 0 && room == 0 && change > 0) {
                                plain.arena->initialise(12);
                                copied.arena->initialise(12);
                                got.note_change();
                            }
                            expected.start(room, *shards);
                            expected.finish(room);
                            const auto before = gathers(*shards), before_of_copy = gathers(*secondary);
                            got.start(room, *shards);
                            got.finish(room);
                            const std::uint64_t sent = gathers(*shards).bytes - before.bytes,
                                                of_copy = gathers(*secondary).bytes - before_of_copy.bytes;
                            EXPECT_EQ(sent > 0, time == 0) << "the first gather after a change is over all ranks";
                            EXPECT_EQ(of_copy > 0, time > 0);
                            for (std::size_t i = 0; i < plain.all().size(); ++i)
                                if (got.room_of(*copied.all()[i]) == room) {
                                    EXPECT_TRUE(copied.all()[i]->compute().equal(plain.all()[i]->compute()));
                                    EXPECT_TRUE(copied.all()[i]->value().equal(plain.all()[i]->value()));
                                }
                            expected.close(room);
                            got.close(room);
                        }
            });
}

}  // namespace
}  // namespace trainyard::parallel
