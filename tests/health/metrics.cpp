// Metrics over ranks: the value is that of the data set on 1, 2 and 3 ranks, repeated samples left out.

#include "train/loop/metrics.h"

#include <cmath>
#include <map>
#include <mutex>

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/philox.h"
#include "support/ranks.h"

namespace trainyard::train {
namespace {

constexpr std::int64_t kSamples = 23, kClasses = 4, kBatch = 3;

struct Samples {
    at::Tensor scores = at::empty({kSamples, kClasses});
    at::Tensor labels = at::empty({kSamples}, at::kLong);
    at::Tensor truths = at::empty({kSamples});
    Samples() {
        for (std::int64_t i = 0; i < kSamples; ++i) {
            const auto bits = philox(3, RandomStream::dropout, 0, 1, static_cast<std::uint64_t>(i));
            for (std::int64_t c = 0; c < kClasses; ++c)
                scores[i][c] = uniform(bits[static_cast<std::size_t>(c)]);
            labels[i] = static_cast<std::int64_t>(bits[0] % kClasses);
            truths[i] = uniform(bits[1]);
        }
    }
};

/// A loader of the numbers of samples, as even batches deal them: batch b goes to rank b mod size, the end is filled from the beginning.
class EvenLoader final : public data::Loader {
  public:
    EvenLoader(int rank, int size) : rank_(rank), size_(size) {}
    void begin() override { step_ = 0; }
    std::optional<Tree> next() override {
        if (step_ == steps())
            return std::nullopt;
        const at::Tensor numbers = at::empty({kBatch}, at::kLong);
        for (std::int64_t i = 0; i < kBatch; ++i)
            numbers[i] = ((step_ * size_ + rank_) * kBatch + i) % kSamples;
        ++step_;
        return Tree(numbers);
    }
    bool at_end() const override { return step_ == steps(); }
    std::int64_t remainder() const override { return kSamples % (size_ * kBatch); }
    std::optional<std::int64_t> length() const override { return steps(); }
    std::int64_t total_batch_size() const override { return size_ * kBatch; }
    std::optional<std::int64_t> dataset_length() const override { return kSamples; }
    std::int64_t epoch() const override { return 0; }
    void set_epoch(std::int64_t) override {}
    void skip_first_batches(std::int64_t) override {}
    void set_observer(data::LoaderObserver*) override {}
    Tree state_dict() const override { return {}; }
    void load_state_dict(const Tree&) override {}

  private:
    std::int64_t steps() const { return (kSamples + size_ * kBatch - 1) / (size_ * kBatch); }
    int rank_, size_;
    std::int64_t step_ = 0;
};

NamedValues evaluated(int rank, int size, parallel::Communicator* communicator) {
    const Samples samples;
    EvenLoader loader(rank, size);
    Mean mean("loss"), weighted("weighted");
    Perplexity perplexity;
    Accuracy best, top2(2);
    ConfusionMatrix confusion(kClasses), averaged(kClasses, "weighted");
    RegressionError error;
    for (Tree& batch : static_cast<data::Loader&>(loader)) {
        const std::int64_t rows = own_rows(loader, rank, kBatch);
        const at::Tensor numbers = batch.as_tensor().narrow(0, 0, rows);
        const at::Tensor scores = samples.scores.index_select(0, numbers),
                         labels = samples.labels.index_select(0, numbers);
        const at::Tensor truths = samples.truths.index_select(0, numbers);
        mean.update(truths);
        weighted.update(truths, labels);
        for (std::int64_t i = 0; i < rows; ++i)
            perplexity.update(truths[i].item<double>(), labels[i].item<double>());
        best.update(scores, labels);
        top2.update(scores, labels);
        confusion.update(scores, labels);
        averaged.update(scores, labels);
        error.update(scores.select(1, 0), truths);
    }
    const std::vector<Metric*> all = {&mean, &weighted, &perplexity, &best, &top2, &confusion, &averaged, &error};
    reduce(all, communicator);
    NamedValues values;
    for (const Metric* metric : all)
        for (const auto& value : metric->values())
            values.push_back(value);
    for (std::int64_t target = 0; target < kClasses; ++target)
        for (std::int64_t prediction = 0; prediction < kClasses; ++prediction)
            values.emplace_back("count", confusion.count(target, prediction));
    return values;
}

TEST(Metrics, TheValueIsThatOfTheDataSetOnAnyNumberOfRanks) {
    const NamedValues alone = evaluated(0, 1, nullptr);
    ASSERT_EQ(alone.size(), 3u + 2 + 4 + 4 + 3 + kClasses * kClasses);
    for (int size : {2, 3})
        test::run_ranks(size, [&](std::unique_ptr<parallel::World> world) {
            std::vector<int> ranks;
            for (int rank = 0; rank < size; ++rank)
                ranks.push_back(rank);
            const auto together = evaluated(world->rank(), size, world->group(ranks, "all").get());
            ASSERT_EQ(together.size(), alone.size());
            for (std::size_t i = 0; i < alone.size(); ++i)
                EXPECT_NEAR(together[i].second, alone[i].second, 1e-12) << alone[i].first << " on " << size << " ranks";
        });
    double counted = 0, right = 0;
    for (std::size_t i = alone.size() - kClasses * kClasses; i < alone.size(); ++i)
        counted += alone[i].second;
    for (std::int64_t c = 0; c < kClasses; ++c)
        right += alone[alone.size() - kClasses * kClasses + static_cast<std::size_t>(c * kClasses + c)].second;
    EXPECT_EQ(counted, kSamples);
    EXPECT_NEAR(alone[3].second, right / counted, 1e-12);
}

double named(const NamedValues& values, const std::string& name) {
    for (const auto& [key, value] : values)
        if (key == name)
            return value;
    ADD_FAILURE() << "no " << name;
    return 0;
}

TEST(Metrics, HandMadeNumbers) {
    Mean mean;
    mean.update(2.0, 3);
    mean.update(at::tensor({1.0, 5.0}), at::tensor({1.0, 0.0}));
    EXPECT_DOUBLE_EQ(mean.value(), 7.0 / 4);
    mean.update(std::nan(""), 0);  // nothing counted
    EXPECT_DOUBLE_EQ(mean.value(), 7.0 / 4);
    mean.reset();
    EXPECT_TRUE(std::isnan(mean.value()));

    Perplexity perplexity;
    perplexity.update(std::log(4.0), 10);
    EXPECT_NEAR(perplexity.value(), 4.0, 1e-12);

    // Targets 0 0 1 2 2 (one ignored), predictions 0 1 1 2 0.
    const at::Tensor targets = at::tensor({0, 0, 1, 2, 2, -100}), predictions = at::tensor({0, 1, 1, 2, 0, 2});
    Accuracy accuracy;
    accuracy.update(predictions, targets);
    EXPECT_DOUBLE_EQ(accuracy.value(), 3.0 / 5);
    ConfusionMatrix matrix(3);
    matrix.update(predictions, targets);
    EXPECT_EQ(matrix.count(2, 0), 1);
    EXPECT_DOUBLE_EQ(matrix.precision(0), 0.5);
    EXPECT_DOUBLE_EQ(matrix.recall(1), 1.0);
    EXPECT_DOUBLE_EQ(matrix.f1(2), 2.0 / 3);
    // As scikit-learn: precision (1/2 + 1/2 + 1) / 3, recall (1/2 + 1 + 1/2) / 3.
    EXPECT_NEAR(named(matrix.values(), "precision"), 2.0 / 3, 1e-12);
    EXPECT_NEAR(named(matrix.values(), "recall"), 2.0 / 3, 1e-12);
    EXPECT_NEAR(named(matrix.values(), "f1"), (0.5 + 2.0 / 3 + 2.0 / 3) / 3, 1e-12);
    ConfusionMatrix micro(3, "micro");
    micro.update(predictions, targets);
    EXPECT_DOUBLE_EQ(named(micro.values(), "f1"), 3.0 / 5);
    ConfusionMatrix binary(2, "binary");
    binary.update(at::tensor({1, 1, 0, 1}), at::tensor({1, 0, 1, 1}));
    EXPECT_NEAR(named(binary.values(), "precision"), 2.0 / 3, 1e-12);
    EXPECT_NEAR(named(binary.values(), "recall"), 2.0 / 3, 1e-12);

    RegressionError error;
    error.update(at::tensor({1.0, 2.0}), at::tensor({0.0, 4.0}));
    EXPECT_DOUBLE_EQ(named(error.values(), "mse"), 2.5);
    EXPECT_DOUBLE_EQ(named(error.values(), "mae"), 1.5);

    // Equal scores: the first class is the higher one, in the best one and among the best two.
    Accuracy first, two(2);
    const at::Tensor equal = at::tensor({1.0, 1.0, 1.0, 1.0, 1.0, 1.0}).view({2, 3});
    first.update(equal, at::tensor({0, 1}));
    two.update(equal, at::tensor({1, 2}));
    EXPECT_DOUBLE_EQ(first.value(), 0.5);
    EXPECT_DOUBLE_EQ(two.value(), 0.5);
}

TEST(Metrics, WhatCannotBeCountedIsRefusedAndChangesNothing) {
    ConfusionMatrix matrix(2);
    EXPECT_THROW(matrix.update(at::tensor({0, 1}), at::tensor({0, 2})), UserError);
    EXPECT_EQ(matrix.count(0, 0), 0);
    EXPECT_THROW(Accuracy(2).update(at::tensor({0, 1}), at::tensor({0, 1})), UserError);
    EXPECT_THROW(Accuracy().update(at::empty({2, 3}), at::empty({3}, at::kLong)), UserError);
    EXPECT_THROW(RegressionError().update(at::empty({2}), at::empty({3})), UserError);
    EXPECT_THROW(ConfusionMatrix(1), UserError);
    EXPECT_THROW(ConfusionMatrix(3, "binary"), UserError);
    EXPECT_THROW(ConfusionMatrix(3, "mean"), UserError);
}

}  // namespace
}  // namespace trainyard::train
