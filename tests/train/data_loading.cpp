// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the recipe's keys of data loading (data.split_batches, dispatch_batches, even_batches, join_epochs,
// num_workers): the samples of every rank are compared with lists computed by simple loops, and the trained weights
// with those of another layout.

#include <algorithm>
#include <fstream>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/inputs/byte_corpus.h"
#include "models/nn/kernels/cross_entropy.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

constexpr std::int64_t kBlock = 6, kBlocks = 23, kHeldOut = 7;

/// Block i holds 100 i, 100 i + 1, ...
class CountedBlocks final : public Corpus {
  public:
    std::int64_t training_samples() const override { return kBlocks; }
    std::int64_t validation_samples() const override { return kHeldOut; }
    void copy(bool held_out, std::int64_t index, std::span<std::int64_t> tokens,
              std::span<std::int64_t>) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            tokens[i] = (held_out ? 10'000 : 0) + 100 * index + static_cast<std::int64_t>(i);
    }
};

config::Recipe recipe_of_blocks(std::int64_t batch, std::int64_t accumulation, bool even) {
    config::Recipe made;
    made.training.batch_size = batch;
    made.training.gradient_accumulation_steps = accumulation;
    made.training.evaluate_batches = 0;
    made.training.seed = 17;
    made.data.sequence_length = kBlock;
    made.data.even_batches = even;
    made.data.join_epochs = false;
    return made;
}

/// Returns the block number of each row of a rank's part of a micro-batch. Rows without a sample are left out.
std::vector<std::int64_t> counted_rows(const Batch& batch) {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < batch.tokens.size(0); ++row) {
        const at::Tensor labels = batch.labels[row];
        if (labels.eq(models::kIgnoredLabel).all().item<bool>())
            continue;
        EXPECT_TRUE(labels.equal(batch.tokens[row]));
        rows.push_back(batch.tokens[row][0].item<std::int64_t>() / 100);
    }
    EXPECT_EQ(batch.targets, std::ssize(rows) * (kBlock - 1));
    return rows;
}

/// Accelerate's BatchSamplerShard for one micro-batch that begins at `begin` of an epoch's `order`.
std::vector<std::int64_t> rows_of_rank(const std::vector<std::int64_t>& order, std::int64_t begin, std::int64_t batch,
                                       int rank, int ranks, bool even) {
    std::vector<std::int64_t> step;
    const std::int64_t whole = batch * ranks;
    for (std::int64_t i = begin; i < std::min(begin + whole, std::ssize(order)); ++i)
        step.push_back(order[static_cast<std::size_t>(i)]);
    for (std::size_t i = 0; !step.empty() && even && ranks > 1 && std::ssize(step) < whole; ++i)
        step.push_back(order[i % static_cast<std::size_t>(std::min(whole, kBlocks))]);
    std::vector<std::int64_t> rows;
    for (std::int64_t i = rank * batch; i < std::min((rank + 1) * batch, std::ssize(step)); ++i)
        rows.push_back(step[static_cast<std::size_t>(i)]);
    return rows;
}

std::vector<std::int64_t> order_of_epoch(std::int64_t epoch) {
    inputs::Permutation permutation(kBlocks, 17, static_cast<std::uint64_t>(epoch));
    std::vector<std::int64_t> order;
    for (std::uint64_t position = 0; position < kBlocks; ++position)
        order.push_back(static_cast<std::int64_t>(permutation(position)));
    return order;
}

TEST(DataLoading, EpochsThatEndAreThoseOfAccelerate) {
    for (bool even : {true, false})
        for (int ranks : {1, 2, 3, 5})
            for (std::int64_t batch : {1, 3, 4})
                for (std::int64_t accumulation : {1, 2})
                    for (int rank = 0; rank < ranks; ++rank) {
                        const std::string what = "even " + std::to_string(even) + ", rank " + std::to_string(rank) +
                                                 " of " + std::to_string(ranks) + ", batch " + std::to_string(batch) +
                                                 ", accumulation " + std::to_string(accumulation);
                        DataLoader loader(recipe_of_blocks(batch, accumulation, even), {rank, ranks}, at::kCPU,
                                          std::make_shared<CountedBlocks>());
                        std::int64_t samples = 0, steps = 0;
                        for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
                            const std::vector<std::int64_t> order = order_of_epoch(epoch);
                            for (std::int64_t begin = 0; begin < kBlocks; ++steps) {
                                ASSERT_EQ(samples, loader.samples_of_steps(steps)) << what;
                                for (int micro = 0; micro < accumulation; ++micro, begin += batch * ranks) {
                                    const Batch got = loader.training_batch(samples, micro);
                                    ASSERT_EQ(got.tokens.size(0), batch) << what;
                                    ASSERT_EQ(counted_rows(got), rows_of_rank(order, begin, batch, rank, ranks, even))
                                        << what << ", epoch " << epoch << ", from sample " << begin;
                                }
                                samples = loader.samples_after(samples);
                            }
                            ASSERT_EQ(samples, (epoch + 1) * kBlocks) << what;
                        }
                    }
}

TEST(DataLoading, AnyPlaceOfAnEpochCanBeGoneTo) {
    const config::Recipe recipe = recipe_of_blocks(2, 2, false);
    DataLoader jumps(recipe, {1, 2}, at::kCPU, std::make_shared<CountedBlocks>());
    for (std::int64_t samples : {16, 8, 23, 24, 0, 23 + 16, 5})
        for (int micro : {1, 0}) {
            DataLoader alone(recipe, {1, 2}, at::kCPU, std::make_shared<CountedBlocks>());
            const Batch a = jumps.training_batch(samples, micro), b = alone.training_batch(samples, micro);
            EXPECT_TRUE(a.tokens.equal(b.tokens) && a.labels.equal(b.labels)) << samples << " " << micro;
            EXPECT_EQ(a.targets, b.targets);
        }
}

class DataLoadingTraining : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    config::Recipe recipe_;

    struct Trained {
        std::map<std::string, at::Tensor> weights;
        std::vector<double> losses;
        std::vector<std::int64_t> samples;
        double evaluation = 0;
    };

    void SetUp() override {
        std::mt19937 random(3);
        std::ofstream text(folder_.path() / "text.txt");
        for (int i = 0; i < 16 * 23 + 16 * 5; ++i)
            text << static_cast<char>('a' + random() % 26);
        text.close();
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = recipe_.model.n_positions = 16;
        recipe_.data.validation_fraction = 0.2;
        recipe_.model.n_embd = 16;
        recipe_.model.n_layer = 1;
        recipe_.model.n_head = 2;
        recipe_.model.resid_pdrop = 0.1;  // its random numbers belong to samples, wherever they are
        recipe_.training.steps = 9;
        recipe_.training.batch_size = 4;
        recipe_.training.evaluate_batches = 0;
        recipe_.training.max_grad_norm = 0.5;
        recipe_.optimizer.lr = 3e-3;
    }

    /// `data_of`: the recipe that rank has, where ranks' differ.
    Trained train(const config::Recipe& recipe, int ranks, std::int64_t steps = 9,
                  const std::filesystem::path& save = {},
                  const std::function<void(config::Recipe&, int)>& change = {}) const {
        Trained trained;
        auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            config::Recipe own = config::on_ranks(recipe, ranks);
            if (change)
                change(own, mesh.rank());
            Trainer trainer(own, mesh, at::kCPU);
            trainer.start();
            Trained mine;
            while (trainer.position().step < steps) {
                mine.losses.push_back(trainer.step().loss);
                mine.samples.push_back(trainer.position().samples);
            }
            mine.evaluation = trainer.evaluate().value().loss;
            for (const auto& [name, weight] : trainer.weights())
                mine.weights[name] = weight.clone();
            if (!save.empty())
                trainer.save(save);
            if (mesh.rank() == 0)
                trained = mine;
        };
        if (ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(ranks, body);
        return trained;
    }

    static void expect_same(const Trained& a, const Trained& b, double tolerance, const std::string& what) {
        ASSERT_EQ(a.losses.size(), b.losses.size()) << what;
        for (std::size_t i = 0; i < a.losses.size(); ++i)
            EXPECT_NEAR(a.losses[i], b.losses[i], tolerance) << what << ", step " << i;
        EXPECT_EQ(a.samples, b.samples) << what;
        EXPECT_NEAR(a.evaluation, b.evaluation, tolerance) << what;
        ASSERT_EQ(a.weights.size(), b.weights.size()) << what;
        for (const auto& [name, weight] : a.weights) {
            const at::Tensor& other = b.weights.at(name);
            if (tolerance == 0)
                EXPECT_TRUE(weight.equal(other)) << what << ": every bit of " << name;
            else
                EXPECT_TRUE(weight.allclose(other, tolerance, tolerance)) << what << ": " << name;
        }
    }
};

TEST_F(DataLoadingTraining, UnevenBatchesTrainAsOneRankDoes) {
    recipe_.data.even_batches = false;
    recipe_.training.batch_size = 8;
    const Trained one = train(recipe_, 1);
    const std::int64_t blocks = one.samples[2];  // 8, 16, the rest of the epoch
    ASSERT_TRUE(blocks > 16 && blocks < 24) << blocks;
    EXPECT_EQ(one.samples[3], blocks + 8);
    for (int ranks : {2, 4})
        for (std::int64_t accumulation : {1, 2}) {
            config::Recipe recipe = recipe_;
            recipe.training.batch_size = 8 / ranks / accumulation;
            recipe.training.gradient_accumulation_steps = accumulation;
            expect_same(one, train(recipe, ranks), 1e-5,
                        std::to_string(ranks) + " ranks, accumulation " + std::to_string(accumulation));
        }
}

TEST_F(DataLoadingTraining, UnevenBatchesUnderZero) {
    recipe_.data.even_batches = false;
    recipe_.training.batch_size = 2;
    recipe_.training.gradient_accumulation_steps = 2;
    const Trained replicated = train(recipe_, 2);
    for (std::int64_t stage : {1, 2}) {
        recipe_.parallel.zero_stage = stage;
        expect_same(replicated, train(recipe_, 2), stage == 1 ? 0 : 1e-5, "stage " + std::to_string(stage));
    }
}

TEST_F(DataLoadingTraining, UnevenBatchesGoOnInTheMiddleOfAnEpochOnOtherRanks) {
    recipe_.data.even_batches = false;
    const Trained whole = train(recipe_, 2);
    const auto place = folder_.path() / "checkpoints";
    train(recipe_, 2, 4, place);
    config::Recipe rest = recipe_;
    rest.checkpoint.resume_from = place.string();
    const Trained same = train(rest, 2);
    rest.training.batch_size = 8;
    const Trained other = train(rest, 1);
    for (const auto& [name, weight] : whole.weights) {
        EXPECT_TRUE(weight.equal(same.weights.at(name))) << name;
        EXPECT_TRUE(weight.allclose(other.weights.at(name), 1e-5, 1e-5)) << name;
    }
}

TEST_F(DataLoadingTraining, WhoReadsAndAheadOfWhatDoesNotMatter) {
    for (bool joined : {true, false}) {
        recipe_.data.join_epochs = joined;
        recipe_.training.gradient_accumulation_steps = 2;
        const Trained expected = train(recipe_, 2);
        for (std::int64_t workers : {0, 1, 3}) {
            config::Recipe recipe = recipe_;
            recipe.data.num_workers = workers;
            recipe.data.prefetch_factor = 1 + workers;
            expect_same(expected, train(recipe, 2), 0, std::to_string(workers) + " workers");
        }
    }
}

TEST_F(DataLoadingTraining, DispatchedBatchesAreThoseThatRanksReadThemselves) {
    recipe_.training.gradient_accumulation_steps = 2;
    for (int ranks : {1, 2, 3}) {
        const Trained expected = train(recipe_, ranks);
        config::Recipe recipe = recipe_;
        recipe.data.dispatch_batches = true;
        // The other ranks have no data at all.
        const Trained dispatched = train(recipe, ranks, 9, {}, [](config::Recipe& own, int rank) {
            if (rank > 0)
                own.data.paths = {"/there/is/none"};
        });
        expect_same(expected, dispatched, 0, std::to_string(ranks) + " ranks");
    }
}

TEST_F(DataLoadingTraining, DispatchedLabelsOfDocuments) {
    std::ofstream lines(folder_.path() / "lines.txt");
    for (int i = 0; i < 60; ++i)
        lines << std::string(static_cast<std::size_t>(3 + i % 11), static_cast<char>('a' + i % 26)) << '\n';
    lines.close();
    recipe_.data.paths = {(folder_.path() / "lines.txt").string()};
    recipe_.data.format = config::DataFormat::text;
    recipe_.data.pack = false;
    const Trained expected = train(recipe_, 2);
    recipe_.data.dispatch_batches = true;
    expect_same(expected, train(recipe_, 2), 0, "dispatched");
}

TEST_F(DataLoadingTraining, SplitBatchesShareTheBatchOfAllRanks) {
    for (bool dispatch : {false, true}) {
        recipe_.data.dispatch_batches = dispatch;
        recipe_.data.split_batches = false;
        recipe_.training.batch_size = 2;
        const Trained expected = train(recipe_, 2);
        recipe_.data.split_batches = true;
        recipe_.training.batch_size = 4;
        expect_same(expected, train(recipe_, 2), 0, dispatch ? "dispatched" : "read by each");
        EXPECT_EQ(recipe_.tokens_per_step(2), 4 * 16);
    }
    recipe_.training.batch_size = 5;
    try {
        config::on_ranks(recipe_, 2);
        FAIL() << "an odd batch was split among 2 ranks";
    } catch (const InvalidInput& error) {
        ASSERT_EQ(error.problems().size(), 1u);
        EXPECT_EQ(error.problems()[0].key, "training.batch_size");
        EXPECT_NE(error.problems()[0].message.text().find("2 ranks"), std::string::npos) << error.what();
    }
}

TEST_F(DataLoadingTraining, PipelinesTakePartWithoutSamples) {
    recipe_.data.even_batches = false;
    recipe_.model.n_layer = 2;
    recipe_.training.batch_size = 4;
    recipe_.training.gradient_accumulation_steps = 2;
    const Trained expected = train(recipe_, 1);
    config::Recipe staged = recipe_;
    staged.parallel.pp_size = 2;
    std::map<std::string, at::Tensor> weights;
    std::mutex mutex;
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::pipelines(2, 2), std::move(world));
        Trainer trainer(staged, mesh, at::kCPU);
        trainer.start();
        while (trainer.position().step < 9)
            trainer.step();
        std::lock_guard lock(mutex);
        for (const auto& [name, weight] : trainer.weights())
            weights[name] = weight.clone();
    });
    ASSERT_EQ(weights.size(), expected.weights.size());
    for (const auto& [name, weight] : expected.weights)
        EXPECT_TRUE(weight.allclose(weights.at(name), 1e-5, 1e-5)) << name;
}

}  // namespace
}  // namespace trainyard::train
