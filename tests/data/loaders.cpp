// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of loaders whose ranks read their own batches. Ranks that do not communicate run in one thread.

#include <atomic>
#include <thread>

#include <ATen/Parallel.h>
#include <ATen/ops/add.h>
#include <ATen/ops/full.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "data/prefetcher.h"
#include "data/prepare_data_loader.h"
#include "data/rng_sync.h"
#include "data_sets.h"
#include "support/ranks.h"
#include "support/says.h"

namespace trainyard::data {
namespace {

using test::batches_of;
using test::joined;
using test::Numbers;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::Throws;
using testing::ThrowsMessage;

/// A loader of rank `index` of `count` with a sampler that does not communicate.
std::unique_ptr<Loader> loader_of(LoaderSpec spec, std::int64_t index = 0, std::int64_t count = 1) {
    PrepareOptions options;
    options.shard = {index, count};
    options.dispatch_batches = false;
    options.use_seedable_sampler = true;
    options.data_seed = 11;
    return prepare_data_loader(std::move(spec), options);
}

LoaderSpec shuffled(std::int64_t size, std::int64_t batch, int workers = 0) {
    LoaderSpec spec;
    spec.dataset = test::number_set(size);
    spec.batch_size = batch;
    spec.shuffle = true;
    spec.num_workers = workers;
    return spec;
}

LoaderSpec streamed(std::int64_t size, std::int64_t batch, int workers, bool seeks) {
    LoaderSpec spec;
    spec.stream = std::make_shared<test::NumberStream>(size, seeks);
    spec.batch_size = batch;
    spec.num_workers = workers;
    return spec;
}

TEST(PageLockedMemory, IsForAcceleratorsAlone) {
    LoaderSpec spec = shuffled(8, 2);
    EXPECT_FALSE(pins_batches(spec, at::Device(at::kCUDA, 0))) << "unless it is asked for";
    spec.pin_memory = true;
    EXPECT_TRUE(pins_batches(spec, at::Device(at::kCUDA, 0)));
    EXPECT_TRUE(pins_batches(spec, at::Device(at::kXPU, 0)));
    EXPECT_FALSE(pins_batches(spec, at::Device(at::kCPU))) << "the flag has no effect there";
}

/// Every tensor of a batch is copied once, before the batch is returned, and batches stay in order.
TEST(PageLockedMemory, HoldsEveryTensorOfABatchInOrder) {
    for (const int workers : {0, 3}) {
        std::int64_t made = 0;
        const auto source = [&]() -> std::optional<BatchJob> {
            if (made == 20)
                return std::nullopt;
            return [number = made++] {
                HostBatch batch;
                batch.batch =
                    Tree::dict({{"x", at::full({2}, number)}, {"nested", Tree::list({at::full({1}, -number)})}});
                batch.samples_after = 2 * (number + 1);
                return batch;
            };
        };
        std::atomic<int> pinned = 0;
        Prefetcher reader(source, workers, 4, [&](const at::Tensor& tensor) {
            ++pinned;
            return tensor.add(1000);
        });
        for (std::int64_t number = 0; number < 20; ++number) {
            const std::optional<HostBatch> batch = reader.next();
            ASSERT_TRUE(batch.has_value());
            EXPECT_EQ(batch->samples_after, 2 * (number + 1));
            EXPECT_EQ(batch->batch.at("x").as_tensor()[1].item<std::int64_t>(), 1000 + number);
            EXPECT_EQ(batch->batch.at("nested").items().at(0).as_tensor().item<std::int64_t>(), 1000 - number);
        }
        EXPECT_FALSE(reader.next().has_value());
        EXPECT_EQ(pinned, 40) << workers;
    }
}

/// A loader that is saved after any number of batches resumes with exactly the remaining batches, and the same later
/// epochs.
void expect_resumes(const std::function<std::unique_ptr<Loader>()>& make) {
    auto whole = make();
    std::vector<std::vector<Numbers>> epochs;
    for (int epoch = 0; epoch < 3; ++epoch)
        epochs.push_back(batches_of(*whole));
    ASSERT_GE(epochs[1].size(), 3u);
    for (std::size_t given = 0; given <= epochs[1].size(); ++given) {
        SCOPED_TRACE("saved after " + std::to_string(given) + " batches");
        auto first = make();
        batches_of(*first);
        batches_of(*first, given);
        Tree state = first->state_dict();

        auto again = make();
        again->load_state_dict(state);
        EXPECT_EQ(again->state_dict(), state) << "saved again before the next batch";
        bool over = given == epochs[1].size();
        EXPECT_EQ(again->epoch(), over ? 2 : 1);
        if (!over) {
            again->set_epoch(1);  // a loop over epochs calls it; the position must not change
            std::vector<Numbers> rest(epochs[1].begin() + static_cast<std::ptrdiff_t>(given), epochs[1].end());
            EXPECT_EQ(batches_of(*again), rest);
        }
        EXPECT_EQ(batches_of(*again), epochs[2]);
    }
}

TEST(Resume, ExactlyInTheMiddleOfAnEpochWithAndWithoutThreads) {
    for (int workers : {0, 2})
        for (std::int64_t count : {1, 3}) {
            SCOPED_TRACE(std::to_string(workers) + " workers, " + std::to_string(count) + " ranks");
            expect_resumes([&] { return loader_of(shuffled(31, 3, workers), count - 1, count); });
            for (bool seeks : {false, true})
                expect_resumes([&] { return loader_of(streamed(31, 3, workers, seeks), count - 1, count); });
            expect_resumes([&] {
                LoaderSpec spec = shuffled(31, 3, workers);
                spec.drop_last = true;
                return loader_of(spec, count - 1, count);
            });
            expect_resumes([&] {
                LoaderSpec spec = streamed(31, 1, workers, false);
                return loader_of(spec, count - 1, count);
            });
            expect_resumes([&] {
                LoaderSpec spec;
                spec.dataset = test::number_set(40);
                spec.num_workers = workers;
                spec.batch_sampler = std::make_shared<BatchSampler>();
                spec.batch_sampler->batches = [](std::int64_t epoch) {
                    std::vector<Numbers> lists;
                    for (std::int64_t i = 0; i < 10; ++i)
                        lists.push_back(Numbers(static_cast<std::size_t>(1 + i % 3), (i + epoch) % 40));
                    return lists;
                };
                return loader_of(spec, count - 1, count);
            });
            if (count == 1)
                // Without any seed except that of the process's generator, whose state is stored in checkpoints.
                expect_resumes([&] {
                    PrepareOptions options;
                    options.process_rng = seeded_generator(5);
                    LoaderSpec spec = shuffled(31, 3, workers);
                    spec.generator = seeded_generator(6);
                    return prepare_data_loader(spec, options);
                });
        }
}

TEST(Resume, OnAnotherNumberOfRanksNothingIsLostOrSeenTwice) {
    for (bool stream : {false, true})
        for (std::int64_t before : {1, 2, 3})
            for (std::int64_t after : {1, 2, 3})
                for (std::size_t given : {1u, 2u}) {
                    SCOPED_TRACE((stream ? "stream, " : "") + std::to_string(before) + " to " + std::to_string(after) +
                                 " ranks after " + std::to_string(given));
                    auto make = [&](std::int64_t index, std::int64_t count) {
                        return loader_of(stream ? streamed(36, 2, 0, false) : shuffled(36, 2), index, count);
                    };
                    Numbers seen;
                    Tree state;
                    for (std::int64_t index = 0; index < before; ++index) {
                        auto loader = make(index, before);
                        for (std::int64_t number : joined(batches_of(*loader, given)))
                            seen.push_back(number);
                        if (index == 0)
                            state = loader->state_dict();
                    }
                    std::vector<Numbers> rest;
                    std::size_t more = 0;
                    for (std::int64_t index = 0; index < after; ++index) {
                        auto loader = make(index, after);
                        loader->load_state_dict(state);
                        rest.push_back(joined(batches_of(*loader)));
                        more += rest.back().size();
                    }
                    // The last step may repeat samples from the start of the epoch if the rest is not a multiple of a
                    // step.
                    std::size_t left = 36 - seen.size(), step = 2 * static_cast<std::size_t>(after);
                    EXPECT_EQ(more, (after == 1 ? left : (left + step - 1) / step * step));
                    for (const Numbers& part : rest)
                        seen.insert(seen.end(), part.begin(), part.end());
                    std::sort(seen.begin(), seen.end());
                    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
                    EXPECT_EQ(seen.size(), 36u);
                }
}

TEST(Resume, RefusesStatesThatAreNone) {
    auto loader = loader_of(shuffled(8, 2));
    Tree good = loader->state_dict();
    for (const char* key : {"epoch", "samples", "skip", "position", "in_pass", "parts", "source"}) {
        Tree bad = Tree::dict();
        for (const Tree::Entry& entry : good.entries())
            if (to_string(entry.key) != key)
                bad.set(entry.key, entry.value);
        EXPECT_THAT([&] { loader->load_state_dict(bad); }, ThrowsMessage<UserError>(HasSubstr(key)));
    }
    Tree negative = good;
    negative.set("samples", -4);
    EXPECT_THROW(loader->load_state_dict(negative), UserError);
    EXPECT_EQ(loader->state_dict(), good);
}

TEST(Loaders, SkippingLoadsNothingThatIsSkippedAndKeepsEpochsAndMetrics) {
    for (bool stream : {false, true}) {
        auto whole = loader_of(stream ? streamed(13, 2, 0, true) : shuffled(13, 2), 1, 2);
        auto first = batches_of(*whole), second = batches_of(*whole);
        auto loader = loader_of(stream ? streamed(13, 2, 0, true) : shuffled(13, 2), 1, 2);
        loader->skip_first_batches(2);
        Tree state = loader->state_dict();
        EXPECT_EQ(batches_of(*loader), std::vector<Numbers>(first.begin() + 2, first.end()));
        EXPECT_EQ(loader->remainder(), 1);
        EXPECT_EQ(loader->epoch(), 1);
        EXPECT_EQ(batches_of(*loader), second);
        auto again = loader_of(stream ? streamed(13, 2, 0, true) : shuffled(13, 2), 1, 2);
        again->load_state_dict(state);
        EXPECT_EQ(batches_of(*again), std::vector<Numbers>(first.begin() + 2, first.end()));
        again->skip_first_batches(99);
        EXPECT_TRUE(batches_of(*again).empty());
        EXPECT_EQ(again->epoch(), 2);
    }
    std::atomic<int> loaded = 0;
    LoaderSpec spec;
    spec.dataset = std::make_shared<FunctionDataset>(100, [&](std::int64_t i) {
        ++loaded;
        return Tree(at::full({}, i, at::kLong));
    });
    spec.batch_size = 10;
    auto loader = loader_of(spec);
    loader->skip_first_batches(9);
    batches_of(*loader);
    EXPECT_EQ(loaded, 10);
}

TEST(Loaders, ThreadsKeepTheOrder) {
    LoaderSpec spec;
    spec.dataset = std::make_shared<FunctionDataset>(60, [](std::int64_t i) {
        if (i % 4 == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return Tree(at::full({}, i, at::kLong));
    });
    spec.batch_size = 2;
    auto plain = batches_of(*loader_of(spec));
    spec.num_workers = 3;
    auto loader = loader_of(spec);
    EXPECT_EQ(batches_of(*loader), plain);
    EXPECT_EQ(batches_of(*loader), plain);
}

TEST(Loaders, ThreadsKeepToOneCoreEach) {
    int before = at::get_num_threads();
    at::set_num_threads(3);
    std::atomic<int> most = 0;
    LoaderSpec spec;
    spec.dataset = std::make_shared<FunctionDataset>(20, [&](std::int64_t i) {
        most = std::max(most.load(), at::get_num_threads());
        return Tree(at::full({}, i, at::kLong));
    });
    spec.num_workers = 2;
    batches_of(*loader_of(spec));
    EXPECT_EQ(most, 1);
    EXPECT_EQ(at::get_num_threads(), 3);
    at::set_num_threads(before);
}

TEST(Loaders, ThreadsMakeNoMoreThanThePrefetchFactorAndStopWhenDropped) {
    std::atomic<int> made = 0;
    LoaderSpec spec;
    spec.dataset = std::make_shared<FunctionDataset>(1000, [&](std::int64_t i) {
        ++made;
        return Tree(at::full({}, i, at::kLong));
    });
    spec.num_workers = 2;
    spec.prefetch_factor = 3;
    auto loader = loader_of(spec);
    loader->begin();
    loader->next();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_LE(made, 2 + 2 * 3) << "two batches were consumed (one of them read ahead), six are queued";
    loader.reset();
    int then = made;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(made, then);
}

TEST(Loaders, AnErrorComesInItsTurnAndTheLoaderCanBeUsedAgain) {
    for (int workers : {0, 2})
        for (bool stream : {false, true}) {
            SCOPED_TRACE(std::to_string(workers) + (stream ? " workers, stream" : " workers"));
            std::atomic<bool> broken = true;
            auto get = [&](std::int64_t i) {
                if (i == 5 && broken)
                    throw UserError("sample 5 cannot be read");
                return Tree(at::full({}, i, at::kLong));
            };
            LoaderSpec spec;
            if (stream)
                spec.stream = std::make_shared<FunctionStream>([&](std::int64_t) -> FunctionStream::Next {
                    return [&, i = std::int64_t(0)]() mutable -> std::optional<Tree> {
                        return i == 10 ? std::nullopt : std::optional(get(i++));
                    };
                });
            else
                spec.dataset = std::make_shared<FunctionDataset>(10, get);
            spec.batch_size = 2;
            spec.num_workers = workers;
            auto loader = loader_of(spec);
            std::vector<Numbers> seen;
            EXPECT_THAT(
                [&] {
                    for (Tree& batch : *loader) {
                        EXPECT_FALSE(loader->at_end());
                        seen.push_back(test::to_numbers(batch));
                    }
                },
                ThrowsMessage<UserError>(HasSubstr("sample 5")));
            EXPECT_EQ(seen, (std::vector<Numbers>{{0, 1}, {2, 3}}));
            EXPECT_EQ(loader->next(), std::nullopt);
            EXPECT_EQ(loader->epoch(), 0);
            broken = false;
            EXPECT_EQ(joined(batches_of(*loader)).size(), 10u);
            EXPECT_EQ(loader->epoch(), 1);
        }
}

struct Recorder : LoaderObserver {
    std::vector<std::string> told;
    void pass_begins(Loader& loader) override { told.push_back("begin " + std::to_string(loader.epoch())); }
    void pass_ends(Loader& loader) override { told.push_back("end " + std::to_string(loader.epoch())); }
};

TEST(Loaders, TellTheObserverOfEveryPass) {
    Recorder recorder;
    {
        auto loader = loader_of(shuffled(4, 2));
        loader->set_observer(&recorder);
        batches_of(*loader);
        batches_of(*loader, 1);
        batches_of(*loader, 1);
    }
    EXPECT_EQ(recorder.told, (std::vector<std::string>{"begin 0", "end 1", "begin 1", "end 1", "begin 1", "end 1"}));
}

TEST(Loaders, AnEmptySetHasEmptyEpochs) {
    for (int workers : {0, 2})
        for (std::int64_t count : {1, 2}) {
            EXPECT_TRUE(batches_of(*loader_of(shuffled(0, 2, workers), 0, count)).empty());
            EXPECT_TRUE(batches_of(*loader_of(streamed(0, 2, workers, false), 0, count)).empty());
        }
}

TEST(Loaders, SamplersAndCollationOfTheUser) {
    LoaderSpec spec;
    spec.dataset = test::number_set(10);
    spec.batch_size = 2;
    spec.sampler = std::make_shared<FunctionSampler>(4, [](std::int64_t epoch) {
        return Numbers{epoch, 9 - epoch, epoch + 1, 5};
    });
    spec.collate = [](std::vector<Tree> samples) {
        Tree batch = collate(std::move(samples));
        return Tree(at::add(batch.as_tensor(), 100));
    };
    auto loader = loader_of(spec);
    EXPECT_EQ(joined(batches_of(*loader)), (Numbers{100, 109, 101, 105}));
    EXPECT_EQ(joined(batches_of(*loader)), (Numbers{101, 108, 102, 105}));
    spec.sampler = std::make_shared<FunctionSampler>(2, [](std::int64_t) { return Numbers{3, 10}; });
    EXPECT_THAT([&] { batches_of(*loader_of(spec)); },
                Throws<UserError>(says("the sampler gave index {} for a data set of {} samples", StartsWith("10"), _)));

    LoaderSpec uneven;
    uneven.dataset = test::number_set(10);
    uneven.batch_sampler = std::make_shared<BatchSampler>();
    uneven.batch_sampler->batches = [](std::int64_t) { return std::vector<Numbers>{{1}, {2, 3}}; };
    uneven.batch_sampler->batch_size = 2;
    EXPECT_THAT([&] { batches_of(*loader_of(uneven)); },
                Throws<UserError>(says("batch {} of the batch sampler has {} samples instead of {}: leave batch_size "
                                       "out where batches are of any size",
                                       StartsWith("0"), _, _)));
}

/// Parts of 5 numbers each; part p starts at 100 p.
class PartedStream : public IterableDataset {
  public:
    explicit PartedStream(Numbers parts) : parts_(std::move(parts)) {}
    void begin() override { at_ = 0; }
    std::optional<Tree> next() override {
        auto part = static_cast<std::size_t>(at_ / 5);
        if (part >= parts_.size())
            return std::nullopt;
        return Tree(at::full({}, parts_[part] * 100 + at_++ % 5, at::kLong));
    }
    std::int64_t part_count() const override { return static_cast<std::int64_t>(parts_.size()); }
    std::shared_ptr<IterableDataset> take_parts(std::int64_t count, std::int64_t index) const override {
        Numbers mine;
        for (std::int64_t part = index; part < part_count(); part += count)
            mine.push_back(parts_[static_cast<std::size_t>(part)]);
        return std::make_shared<PartedStream>(mine);
    }

  private:
    Numbers parts_;
    std::int64_t at_ = 0;
};

TEST(Loaders, RanksReadPartsOfTheirOwnWhereThereAreEnough) {
    auto make = [](std::int64_t index, std::int64_t count) {
        LoaderSpec spec;
        spec.stream = std::make_shared<PartedStream>(Numbers{0, 1, 2});
        spec.batch_size = 5;
        return loader_of(spec, index, count);
    };
    EXPECT_EQ(batches_of(*make(0, 2)), (std::vector<Numbers>{{0, 1, 2, 3, 4}, {200, 201, 202, 203, 204}}));
    EXPECT_EQ(batches_of(*make(1, 2)), (std::vector<Numbers>{{100, 101, 102, 103, 104}}));
    EXPECT_EQ(make(0, 2)->total_batch_size(), 10);
    EXPECT_EQ(batches_of(*make(3, 4))[0].size(), 5u) << "fewer parts than ranks: samples are shared out";
    auto two = make(0, 2);
    batches_of(*two, 1);
    Tree state = two->state_dict();
    EXPECT_THAT([&] { make(0, 1)->load_state_dict(state); }, ThrowsMessage<UserError>(HasSubstr("2 ranks")));
}

TEST(Prepare, SaysEverythingThatIsWrongAtOnce) {
    LoaderSpec spec;
    spec.batch_size = 0;
    spec.num_workers = -1;
    PrepareOptions options;
    options.put_on_device = false;
    options.dispatch_batches = true;
    EXPECT_THAT([&] { prepare_data_loader(spec, options); },
                ThrowsMessage<UserError>(AllOf(says("set either dataset or stream"),
                                               says("batch_size is {}: make it 1 or more", StartsWith("0")),
                                               says("num_workers must be 0 or more, prefetch_factor 1 or more"),
                                               says("dispatch_batches needs put_on_device"))));
    LoaderSpec odd = shuffled(9, 3);
    PrepareOptions split;
    split.shard = {0, 2};
    split.split_batches = true;
    EXPECT_THAT([&] { prepare_data_loader(odd, split); },
                Throws<UserError>(says("split_batches cuts every batch among {} ranks, which a batch size of {} does "
                                       "not allow: make it a multiple",
                                       _, _)));
    odd.sampler = std::make_shared<SequentialSampler>(9);
    EXPECT_THAT([&] { prepare_data_loader(odd); }, Throws<UserError>(says("shuffle and sampler exclude each other")));
}

TEST(Prepare, RanksOfOneTensorParallelGroupHaveTheSameShare) {
    test::run_ranks(4, [](std::unique_ptr<parallel::World> world) {
        int rank = world->rank();
        parallel::Mesh mesh({1, 2, 1, 1, 1, 2}, std::move(world));
        Shard shard = shard_of(mesh);
        EXPECT_EQ(shard.index, rank / 2);
        EXPECT_EQ(shard.count, 2);
        mesh.everyone().barrier("end");  // rank 0 owns the store, so it must not leave first
    });
}

TEST(Prepare, RanksTakeTheGeneratorOfRankZero) {
    test::run_ranks(2, [](std::unique_ptr<parallel::World> world) {
        std::vector<int> ranks{0, 1};
        auto everyone = world->group(ranks, "everyone");
        PrepareOptions options;
        options.shard = {world->rank(), 2};
        options.communicator = everyone.get();
        options.process_rng = seeded_generator(100 + world->rank());
        for (bool seedable : {false, true}) {
            options.use_seedable_sampler = seedable;
            auto loader = prepare_data_loader(shuffled(40, 5), options);
            for (int epoch = 0; epoch < 2; ++epoch) {
                Numbers mine = joined(batches_of(*loader));
                at::Tensor all = at::full({2, 20}, 0, at::kLong);
                at::Tensor one = at::full({20}, 0, at::kLong);
                std::copy(mine.begin(), mine.end(), one.mutable_data_ptr<std::int64_t>());
                everyone->all_gather(all, one, "test");
                Numbers seen = test::to_numbers(Tree(all));
                std::sort(seen.begin(), seen.end());
                EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end()) << "one permutation, cut in two";
            }
        }
        options.shard = {0, 1};
        options.use_seedable_sampler = false;
        auto same = prepare_data_loader(shuffled(40, 5), options);
        Numbers mine = joined(batches_of(*same));
        at::Tensor of_zero = at::full({40}, 0, at::kLong);
        std::copy(mine.begin(), mine.end(), of_zero.mutable_data_ptr<std::int64_t>());
        everyone->broadcast(of_zero, 0, "test");
        EXPECT_EQ(mine, test::to_numbers(Tree(of_zero))) << "ranks of one shard read the same";

        at::Generator process = seeded_generator(world->rank());
        synchronize_rng_states({"torch"}, {}, process, at::kCPU, *everyone);
        EXPECT_EQ(draw_seed(process), draw_seed(seeded_generator(0)));
        EXPECT_THAT([&] { synchronize_rng_states({"dice"}, {}, process, at::kCPU, *everyone); },
                    ThrowsMessage<UserError>(HasSubstr("'dice'")));
    });
}

}  // namespace
}  // namespace trainyard::data
