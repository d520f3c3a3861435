// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of the bundled loop: whichever is asked for comes, read ahead or not, in any order.

#include "train/data_loader.h"

#include <set>

#include <ATen/ops/equal.h>

#include <gtest/gtest.h>

#include "models/nn/kernels/cross_entropy.h"

namespace trainyard::train {
namespace {

constexpr std::int64_t kLength = 5, kSamples = 23;

/// Sample i holds the numbers 100 i, 100 i + 1, ...; with labels every third sample counts only the first ones.
class Numbers final : public Corpus {
  public:
    explicit Numbers(bool labels) : labels_(labels) {}
    std::int64_t training_samples() const override { return kSamples; }
    std::int64_t validation_samples() const override { return 7; }
    bool has_labels() const override { return labels_; }
    void copy(bool held_out, std::int64_t index, std::span<std::int64_t> tokens,
              std::span<std::int64_t> labels) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            tokens[i] = (held_out ? 1'000'000 : 0) + 100 * index + static_cast<std::int64_t>(i);
        for (std::size_t i = 0; i < labels.size(); ++i)
            labels[i] = index % 3 == 0 && i > 2 ? models::kIgnoredLabel : tokens[i];
    }

  private:
    bool labels_;
};

config::Recipe recipe() {
    config::Recipe made;
    made.training.batch_size = 3;
    made.training.gradient_accumulation_steps = 2;
    made.training.evaluate_batches = 0;
    made.training.seed = 11;
    made.data.sequence_length = kLength;
    return made;
}

std::unique_ptr<DataLoader> loader(data::Shard shard = {}, bool labels = false) {
    return std::make_unique<DataLoader>(recipe(), shard, at::Device(at::kCPU), std::make_shared<Numbers>(labels));
}

TEST(DataLoader, WhatIsReadAheadIsWhatIsAskedFor) {
    auto in_order = loader();
    for (std::int64_t samples = 0; samples < 60; samples += in_order->samples_per_step())
        for (int micro = 0; micro < 2; ++micro) {
            Batch batch = in_order->training_batch(samples, micro), alone = loader()->training_batch(samples, micro);
            EXPECT_TRUE(at::equal(batch.tokens, alone.tokens)) << samples << " " << micro;
            EXPECT_EQ(batch.first_sample, 3 * micro);
            EXPECT_EQ(batch.targets, 3 * (kLength - 1));
            EXPECT_TRUE(batch.labels.is_same(batch.tokens));
        }
    for (std::int64_t samples : {30, 0, 6, 6, 12})
        EXPECT_TRUE(
            at::equal(in_order->training_batch(samples, 1).tokens, loader()->training_batch(samples, 1).tokens));
}

TEST(DataLoader, ABatchStaysAsItIsWhileOthersAreRead) {
    auto reader = loader();
    at::Tensor first = reader->training_batch(0, 0).tokens, copy = first.clone();
    for (std::int64_t samples = 6; samples < 60; samples += 6)
        reader->training_batch(samples, 0);
    EXPECT_TRUE(at::equal(first, copy));
}

TEST(DataLoader, RanksAndEpochsSeeEverySampleOnce) {
    std::multiset<std::int64_t> seen;
    auto one = loader({0, 2}), other = loader({1, 2});
    // A step of both has 12 samples, so that 23 steps are 12 epochs.
    for (std::int64_t samples = 0; samples < 12 * kSamples; samples += 12)
        for (int micro = 0; micro < 2; ++micro)
            for (DataLoader* rank : {one.get(), other.get()}) {
                at::Tensor tokens = rank->training_batch(samples, micro).tokens;
                for (std::int64_t row = 0; row < 3; ++row)
                    seen.insert(tokens[row][0].item<std::int64_t>() / 100);
            }
    for (std::int64_t sample = 0; sample < kSamples; ++sample)
        EXPECT_EQ(seen.count(sample), 12u) << sample;
}

TEST(DataLoader, LabelsThatDoNotCountAreNotTargets) {
    auto reader = loader({}, true);
    std::int64_t targets = 0;
    for (std::int64_t index = 0;; ++index) {
        Batch batch = reader->evaluation_batch(index);
        if (!batch.tokens.defined())
            break;
        EXPECT_FALSE(batch.labels.is_same(batch.tokens));
        targets += batch.targets;
    }
    EXPECT_EQ(targets, 4 * 4 + 3 * 2);  // of the seven, 0, 3 and 6 count two
}

}  // namespace
}  // namespace trainyard::train
