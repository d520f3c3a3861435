// SPDX-License-Identifier: GPL-3.0-or-later
// Loaders whose rank 0 reads for all ranks.

#include <atomic>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "data/prepare_data_loader.h"
#include "data/rng_sync.h"
#include "data_sets.h"
#include "support/ranks.h"

namespace trainyard::data {
namespace {

using test::batches_of;
using test::Numbers;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Runs `body(options)` on `size` ranks with options for dispatching loaders.
void on_ranks(int size, const std::function<void(PrepareOptions)>& body) {
    test::run_ranks(size, [&](std::unique_ptr<parallel::World> world) {
        std::vector<int> ranks;
        for (int rank = 0; rank < size; ++rank)
            ranks.push_back(rank);
        auto everyone = world->group(ranks, "everyone");
        PrepareOptions options;
        options.shard = {world->rank(), size};
        options.communicator = everyone.get();
        options.dispatch_batches = true;
        options.use_seedable_sampler = true;
        options.data_seed = 3;
        options.process_rng = seeded_generator(0);
        body(options);
    });
}

LoaderSpec numbers(std::int64_t size, std::int64_t batch) {
    LoaderSpec spec;
    spec.dataset = test::number_set(size);
    spec.batch_size = batch;
    return spec;
}

/// Sample i is a row of i + 1 numbers i; a batch is padded to its longest row.
LoaderSpec ragged(std::int64_t size, std::int64_t batch) {
    LoaderSpec spec;
    spec.dataset = std::make_shared<FunctionDataset>(size, [](std::int64_t i) {
        return Tree::dict({{"row", at::full({i + 1}, i, at::kLong)}, {"name", std::to_string(i)}});
    });
    spec.batch_size = batch;
    spec.collate = [](std::vector<Tree> samples) {
        Tree::List names;
        at::Tensor rows = at::full(
            {static_cast<std::int64_t>(samples.size()), samples.back().at("row").as_tensor().size(0)}, -1, at::kLong);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            at::Tensor row = samples[i].at("row").as_tensor();
            rows[static_cast<std::int64_t>(i)].narrow(0, 0, row.size(0)).copy_(row);
            names.push_back(samples[i].at("name"));
        }
        return Tree::dict({{"row", rows}, {"name", Tree::list(names)}});
    };
    return spec;
}

TEST(Dispatch, OnlyRankZeroReads) {
    std::array<std::atomic<int>, 2> read{};
    on_ranks(2, [&](PrepareOptions options) {
        auto rank = static_cast<std::size_t>(options.shard.index);
        LoaderSpec spec;
        spec.dataset = std::make_shared<FunctionDataset>(8, [&read, rank](std::int64_t i) {
            ++read[rank];
            return Tree(at::full({}, i, at::kLong));
        });
        spec.batch_size = 2;
        auto loader = prepare_data_loader(spec, options);
        EXPECT_EQ(batches_of(*loader).size(), 2u);
    });
    EXPECT_EQ(read[0], 8);
    EXPECT_EQ(read[1], 0);
}

TEST(Dispatch, BatchesOfUnequalShapesGoToTheirRanks) {
    on_ranks(2, [](PrepareOptions options) {
        auto loader = prepare_data_loader(ragged(10, 2), options);
        std::vector<Numbers> shapes;
        std::vector<std::string> names;
        for (Tree& batch : *loader) {
            shapes.push_back(batch.at("row").as_tensor().sizes().vec());
            names.push_back(batch.at("name").items()[0].as_text());
            EXPECT_EQ(batch.at("row").as_tensor()[0][0].item<std::int64_t>(), std::stoll(names.back()));
        }
        // 5 batches on 2 ranks: the last step has one batch, which is divided into rows.
        bool first = options.shard.index == 0;
        EXPECT_EQ(shapes, (first ? std::vector<Numbers>{{2, 2}, {2, 6}, {1, 10}}
                                 : std::vector<Numbers>{{2, 4}, {2, 8}, {1, 10}}));
        EXPECT_EQ(loader->remainder(), 2);
        EXPECT_EQ(names.back(), options.shard.index == 0 ? "8" : "9");
    });
}

TEST(Dispatch, UnequalShapesInTheLastStepStayWhole) {
    on_ranks(3, [](PrepareOptions options) {
        auto loader = prepare_data_loader(ragged(5, 1), options);
        std::vector<std::string> names;
        for (Tree& batch : *loader)
            names.push_back(batch.at("name").items()[0].as_text());
        // The second step has batches 3 and 4 of different widths; the rank without a batch gets the first of them
        // again.
        std::vector<std::vector<std::string>> expected{{"0", "3"}, {"1", "4"}, {"2", "3"}};
        EXPECT_EQ(names, expected[static_cast<std::size_t>(options.shard.index)]);
        EXPECT_EQ(loader->remainder(), 2);
    });
}

TEST(Dispatch, ASliceFunctionOfTheUser) {
    on_ranks(2, [](PrepareOptions options) {
        options.slice = [](const Tree& global, std::int64_t begin, std::int64_t end, Shard shard) {
            // Rows with a stride of the number of shards instead of neighbouring rows.
            at::Tensor rows = global.as_tensor();
            EXPECT_EQ(end - begin, rows.size(0) / shard.count);
            return Tree(rows.slice(0, shard.index, std::nullopt, shard.count).contiguous());
        };
        auto loader = prepare_data_loader(numbers(8, 2), options);
        auto expected =
            options.shard.index == 0 ? std::vector<Numbers>{{0, 2}, {4, 6}} : std::vector<Numbers>{{1, 3}, {5, 7}};
        EXPECT_EQ(batches_of(*loader), expected);
    });
}

TEST(Dispatch, RanksOfOneShareGetTheSameRows) {
    on_ranks(4, [](PrepareOptions options) {
        std::int64_t rank = options.shard.index;
        options.shard = {rank / 2, 2};
        auto loader = prepare_data_loader(numbers(9, 2), options);
        EXPECT_EQ(loader->total_batch_size(), 4);
        auto expected =
            rank < 2 ? std::vector<Numbers>{{0, 1}, {4, 5}, {8}} : std::vector<Numbers>{{2, 3}, {6, 7}, {0}};
        EXPECT_EQ(batches_of(*loader), expected);
    });
}

TEST(Dispatch, AnErrorOfRankZeroReachesAllAndNobodyWaits) {
    on_ranks(3, [](PrepareOptions options) {
        LoaderSpec spec;
        spec.stream = std::make_shared<FunctionStream>([](std::int64_t) -> FunctionStream::Next {
            return [i = std::int64_t(0)]() mutable -> std::optional<Tree> {
                if (i == 7)
                    throw UserError("line 8 cannot be read");
                return Tree(at::full({}, i++, at::kLong));
            };
        });
        spec.batch_size = 2;
        auto loader = prepare_data_loader(spec, options);
        std::size_t seen = 0;
        EXPECT_THAT(
            [&] {
                for (Tree& batch : *loader)
                    seen += static_cast<std::size_t>(batch.as_tensor().size(0));
            },
            ThrowsMessage<UserError>(HasSubstr("line 8")));
        EXPECT_EQ(seen, 2u);
    });
}

TEST(Dispatch, GoesOnInTheMiddleOfAnEpochAndOnAnotherNumberOfRanks) {
    for (bool stream : {false, true})
        for (int workers : {0, 2}) {
            auto make = [&](const PrepareOptions& options) {
                LoaderSpec spec;
                if (stream)
                    spec.stream = std::make_shared<test::NumberStream>(17);
                else
                    spec.dataset = test::number_set(17);
                spec.shuffle = !stream;
                spec.batch_size = 2;
                spec.num_workers = workers;
                return prepare_data_loader(spec, options);
            };
            std::array<std::vector<Numbers>, 2> first, second;
            std::array<Tree, 2> states;
            on_ranks(2, [&](PrepareOptions options) {
                auto rank = static_cast<std::size_t>(options.shard.index);
                auto loader = make(options);
                first[rank] = batches_of(*loader);
                second[rank] = batches_of(*loader);
                auto again = make(options);
                batches_of(*again, 2);
                states[rank] = again->state_dict();
            });
            ASSERT_EQ(first[0].size(), 5u);
            on_ranks(2, [&](PrepareOptions options) {
                auto rank = static_cast<std::size_t>(options.shard.index);
                auto loader = make(options);
                loader->load_state_dict(states[0]);
                EXPECT_EQ(batches_of(*loader), std::vector<Numbers>(first[rank].begin() + 2, first[rank].end()));
                EXPECT_EQ(loader->remainder(), 1);
                EXPECT_EQ(batches_of(*loader), second[rank]);
            });
            on_ranks(1, [&](PrepareOptions options) {
                auto loader = make(options);
                loader->load_state_dict(states[0]);
                Numbers rest = test::joined(batches_of(*loader)), seen = rest;
                for (std::size_t rank : {0u, 1u})
                    for (std::size_t step : {0u, 1u})
                        seen.insert(seen.end(), first[rank][step].begin(), first[rank][step].end());
                std::sort(seen.begin(), seen.end());
                EXPECT_EQ(seen, test::to_numbers(Tree(at::arange(17, at::kLong)))) << "17 samples, once each";
            });
        }
}

}  // namespace
}  // namespace trainyard::data
