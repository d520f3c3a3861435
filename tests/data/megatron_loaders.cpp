// SPDX-License-Identifier: GPL-3.0-or-later
// Loaders of Megatron-LM's indexed sets: their parts, the ranks that have them, and endless passes.

#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/megatron_loaders.h>

#include "base/error.h"
#include "data_sets.h"
#include "distributed/parallel/collectives.h"
#include "formats/tables/megatron_gpt.h"
#include "support/megatron_writer.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::data {
namespace {

using test::Numbers;
using test::says;

constexpr std::int64_t kSequences = 100, kTokens = 9;  // of a sequence

/// A set in which every token names its sequence.
class IndexedSet : public testing::Test {
  protected:
    IndexedSet() {
        test::MegatronWriter writer(prefix, formats::ElementType::u16);
        for (std::int64_t sequence = 0; sequence < kSequences; ++sequence) {
            writer.add_sequence(std::vector<std::int64_t>(kTokens, sequence));
            writer.end_document();
        }
        writer.finish();
    }
    MegatronLoaderSpec spec() const {
        return {.data_path = {prefix.string()}, .splits_string = "80,20,0", .seq_length = 8, .micro_batch_size = 4};
    }

    test::TemporaryFolder folder;
    std::filesystem::path prefix = folder.path() / "set";
};

Numbers tokens_of(const Tree& batch) {
    return test::to_numbers(Tree(batch.at("input_ids").as_tensor().flatten()));
}

TEST_F(IndexedSet, OnlyTheFirstRankOfATensorParallelGroupReads) {
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
        const int rank = world->rank();
        parallel::Mesh mesh({1, 1, 1, 1, 1, 2}, std::move(world));
        const MegatronLoaders loaders = megatron_loaders(spec(), mesh);
        EXPECT_EQ(loaders.training != nullptr, rank == 0);
        EXPECT_EQ(loaders.validation != nullptr, rank == 0);
        EXPECT_EQ(loaders.test, nullptr) << "its share is 0";
        const std::int64_t pass = rank == 0 ? *loaders.training->loader().length() : 0;
        Numbers first;
        for (int step = 0; step < 60; ++step) {  // the loop of the reference: an empty batch on the other ranks
            Tree batch = loaders.training ? loaders.training->next() : Tree();
            batch = parallel::broadcast_object(mesh.group({parallel::Dimension::tp}), batch, 0);
            ASSERT_EQ(batch.at("input_ids").as_tensor().sizes(), (at::IntArrayRef{4, 9}));
            for (const std::int64_t token : tokens_of(batch))
                EXPECT_LT(token, 80) << "a sequence of another part";
            if (step == 0)
                first = tokens_of(batch);
            if (rank == 0 && step == pass) {
                EXPECT_EQ(tokens_of(batch), first) << "the next pass";
            }
        }
        if (rank == 0) {
            EXPECT_LT(pass, 60);
            for (const std::int64_t token : tokens_of(loaders.validation->next()))
                EXPECT_GE(token, 80);
        }
        mesh.everyone().barrier("end");
    });
}

TEST_F(IndexedSet, DataRanksReadDifferentSamples) {
    std::vector<Numbers> seen(4);
    test::run_ranks(4, [&](std::unique_ptr<parallel::World> world) {
        const int rank = world->rank();
        parallel::Mesh mesh({1, 2, 1, 1, 1, 2}, std::move(world));
        const MegatronLoaders loaders = megatron_loaders(spec(), mesh);
        EXPECT_EQ(loaders.training != nullptr, rank % 2 == 0);
        if (loaders.training)
            seen[static_cast<std::size_t>(rank)] = tokens_of(loaders.training->next());
        mesh.everyone().barrier("end");
    });
    EXPECT_FALSE(seen[0].empty());
    EXPECT_NE(seen[0], seen[2]);
    EXPECT_TRUE(seen[1].empty() && seen[3].empty());
}

TEST_F(IndexedSet, ContinuesWhereItsStateSays) {
    test::run_ranks(1, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh({1, 1, 1, 1, 1, 1}, std::move(world));
        const MegatronLoaders one = megatron_loaders(spec(), mesh), two = megatron_loaders(spec(), mesh);
        for (int step = 0; step < 30; ++step)
            one.training->next();
        two.training->load_state_dict(one.training->state_dict());
        for (int step = 0; step < 30; ++step)
            EXPECT_EQ(tokens_of(two.training->next()), tokens_of(one.training->next()));
    });
}

TEST_F(IndexedSet, SetsAreMixedByTheirWeights) {
    const std::filesystem::path other = folder.path() / "other";
    test::MegatronWriter writer(other, formats::ElementType::u16);
    for (std::int64_t sequence = 0; sequence < kSequences; ++sequence)
        writer.add_sequence(std::vector<std::int64_t>(kTokens, 1000));
    writer.end_document();
    writer.finish();
    test::run_ranks(1, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh({1, 1, 1, 1, 1, 1}, std::move(world));
        MegatronLoaderSpec mixed = spec();
        const auto share_of_other = [&] {
            const MegatronLoaders loaders = megatron_loaders(mixed, mesh);
            std::int64_t found = 0, all = 0;
            for (int step = 0; step < 50; ++step)
                for (const std::int64_t token : tokens_of(loaders.training->next())) {
                    found += token == 1000 ? 1 : 0;
                    ++all;
                }
            return static_cast<double>(found) / static_cast<double>(all);
        };
        mixed.samples = {200, 0, 0};
        mixed.data_path = {"3", prefix.string(), "1", other.string()};
        EXPECT_NEAR(share_of_other(), 0.25, 0.01);
        mixed.data_path = {prefix.string(), other.string()};
        EXPECT_NEAR(share_of_other(), 0.5, 0.01);
        mixed.samples = {};
        EXPECT_NEAR(share_of_other(), 0.5, 0.06) << "of one epoch of both";
    });
}

TEST_F(IndexedSet, WhatCannotBeIsSaidAtOnce) {
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
        const bool reads = world->rank() == 0;
        parallel::Mesh mesh({1, 1, 1, 1, 1, 2}, std::move(world));
        MegatronLoaderSpec wrong{.data_path = {}, .splits_string = "a", .micro_batch_size = 0};
        EXPECT_THAT(
            [&] { megatron_loaders(wrong, mesh); },
            testing::Throws<UserError>(testing::AllOf(
                says("data_path names no indexed set"), says("seq_length is {}: give the tokens of a sample", 0),
                says("micro_batch_size is {}: make it 1 or more", 0),
                says("splits_string: {}",
                     says("'{}' does not split data: give up to three numbers for training, validation and test, "
                          "e.g. 969,30,1",
                          "a")))));
        MegatronLoaderSpec small = spec();
        small.splits_string = "98,2,0";
        small.micro_batch_size = 8;
        if (reads) {
            EXPECT_THAT([&] { megatron_loaders(small, mesh); },
                        testing::Throws<UserError>(
                            says("the {} part of the indexed data has {}, and a batch of {} on each of {} needs more: "
                                 "change splits_string, or give samples",
                                 "validation", "2 samples", 8, "1 rank")));
        }
        small.samples = {0, 16, 0};
        EXPECT_EQ(megatron_loaders(small, mesh).validation != nullptr, reads);
        mesh.everyone().barrier("end");
    });
}

}  // namespace
}  // namespace trainyard::data
