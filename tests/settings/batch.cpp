// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/batch.h"

#include <gtest/gtest.h>

#include "support/says.h"

namespace trainyard::settings {
namespace {

TEST(Batch, EffectiveBatchAndStepsOfAnEpoch) {
    EXPECT_EQ(facts({.batch_per_rank = 8, .ranks = 4, .accumulation = 2}).effective_batch, 64);
    EXPECT_EQ(
        facts({.batch_per_rank = 8, .ranks = 4, .accumulation = 2, .samples_per_epoch = 640}).optimizer_steps_per_epoch,
        10);
    EXPECT_EQ(
        facts({.batch_per_rank = 8, .ranks = 4, .accumulation = 2, .samples_per_epoch = 641}).optimizer_steps_per_epoch,
        11);
    EXPECT_EQ(facts({.batch_per_rank = 8}).optimizer_steps_per_epoch, 0);
    EXPECT_EQ(facts({.batch_per_rank = 0, .ranks = -3, .accumulation = 0}).effective_batch, 1);
    EXPECT_GT(facts({.batch_per_rank = INT64_MAX, .ranks = INT64_MAX, .accumulation = INT64_MAX}).effective_batch, 0);
}

TEST(Batch, OneRankInsteadOfEightKeepsTheEffectiveBatch) {
    BatchSetup eight{.batch_per_rank = 16, .ranks = 8, .accumulation = 1, .learning_rate = 3e-4};
    std::vector<BatchChoice> choices = choices_on(eight, 1, LearningRateRule::linear);
    ASSERT_FALSE(choices.empty());
    EXPECT_EQ(choices[0].setup.batch_per_rank, 16);
    EXPECT_EQ(choices[0].setup.accumulation, 8);
    EXPECT_DOUBLE_EQ(choices[0].setup.learning_rate, 3e-4);
    EXPECT_THAT(choices[0].why, test::says_only("same effective batch with accumulation {}", 8));
    // The last one leaves batch and accumulation alone: an eighth of the batch, an eighth of the rate.
    EXPECT_EQ(facts(choices.back().setup).effective_batch, 16);
    EXPECT_DOUBLE_EQ(choices.back().setup.learning_rate, 3e-4 / 8);
}

TEST(Batch, MoreRanksScaleTheRateByTheRule) {
    BatchSetup one{.batch_per_rank = 4, .ranks = 1, .accumulation = 1, .learning_rate = 1e-3};
    EXPECT_DOUBLE_EQ(choices_on(one, 16, LearningRateRule::linear).back().setup.learning_rate, 16e-3);
    EXPECT_DOUBLE_EQ(choices_on(one, 16, LearningRateRule::square_root).back().setup.learning_rate, 4e-3);
    EXPECT_DOUBLE_EQ(choices_on(one, 16, LearningRateRule::keep).back().setup.learning_rate, 1e-3);
    // 4 samples cannot be shared by 16 ranks: no choice keeps the batch.
    EXPECT_EQ(choices_on(one, 16, LearningRateRule::linear).size(), 1u);
}

TEST(Batch, EveryChoiceThatSaysSoKeepsTheEffectiveBatch) {
    for (std::int64_t batch : {1, 3, 8, 12, 64})
        for (std::int64_t ranks : {1, 2, 6, 8})
            for (std::int64_t accumulation : {1, 2, 5})
                for (std::int64_t others : {1, 2, 3, 4, 5, 7, 16}) {
                    BatchSetup setup{batch, ranks, accumulation, 0.1, 0};
                    for (const BatchChoice& choice : choices_on(setup, others, LearningRateRule::linear)) {
                        EXPECT_EQ(choice.setup.ranks, others);
                        EXPECT_GE(choice.setup.accumulation, 1);
                        bool same = facts(choice.setup).effective_batch == facts(setup).effective_batch;
                        EXPECT_EQ(choice.why.text().starts_with("same") || choice.why == "nothing changes", same)
                            << choice.why;
                        EXPECT_DOUBLE_EQ(choice.setup.learning_rate,
                                         0.1 * static_cast<double>(facts(choice.setup).effective_batch) /
                                             static_cast<double>(facts(setup).effective_batch));
                    }
                }
}

}  // namespace
}  // namespace trainyard::settings
