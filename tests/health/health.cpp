// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of detecting loss spikes, NaN and infinite values, stragglers, and ranks whose weights diverge.

#include "train/loop/health.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/philox.h"
#include "support/ranks.h"
#include "support/says.h"
#include "train/loop/divergence.h"
#include "train/loop/straggler.h"

namespace trainyard::train {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A loss curve: falling, with normal noise of 2 %.
double healthy(int step) {
    const auto bits = philox(7, RandomStream::dropout, 0, 0, static_cast<std::uint64_t>(step));
    return (2 + 8 * std::exp(-step / 50.0)) * (1 + 0.02 * static_cast<double>(normal_pair(bits[0], bits[1])[0]));
}

TEST(LossSpikes, AHealthyCurveHasNone) {
    LossSpikeDetector detector;
    for (int step = 0; step < 2000; ++step)
        EXPECT_FALSE(detector.observe(healthy(step))) << "step " << step;
}

TEST(LossSpikes, OneSpikeIsSeenAndDoesNotBlindForTheNext) {
    LossSpikeDetector detector;
    std::vector<int> seen;
    for (int step = 0; step < 600; ++step) {
        const bool bad = step == 300 || step == 302 || step == 400;
        if (detector.observe(healthy(step) * (bad ? 1.5 : 1.0)))
            seen.push_back(step);
    }
    EXPECT_THAT(seen, ElementsAre(300, 302, 400));
}

TEST(LossSpikes, ANewLevelIsAcceptedAfterAWhile) {
    LossSpikeDetector detector({.settle = 5});
    int seen = 0;
    for (int step = 500; step < 700; ++step)
        seen += detector.observe(healthy(step) + (step >= 600 ? 3 : 0)).has_value() ? 1 : 0;
    EXPECT_EQ(seen, 5);
}

TEST(LossSpikes, ACurveThatStandsStill) {
    LossSpikeDetector detector;
    for (int step = 0; step < 100; ++step)
        EXPECT_FALSE(detector.observe(1.0));
    EXPECT_FALSE(detector.observe(1.01));  // less than the least rise
    EXPECT_TRUE(detector.observe(1.5));
    EXPECT_FALSE(detector.observe(0.2));  // a falling loss is not a spike
    EXPECT_THROW(LossSpikeDetector({.window = 1}), UserError);
}

TEST(HealthMonitor, GoesOnFromItsState) {
    HealthOptions options;
    options.stop_after = 4;
    HealthMonitor whole(options), first(options), second(options);
    auto loss = [](int step) {
        return step == 20 || step > 38 ? 90.0 : step > 28 && step < 32 ? std::nan("") : 3 + std::sin(step) / 10;
    };
    for (int step = 0; step < 60; ++step) {
        if (step == 30)
            second.load_state_dict(first.state_dict());
        HealthVerdict expected = whole.judge(step, loss(step), 1),
                      got = (step < 30 ? first : second).judge(step, loss(step), 1);
        EXPECT_EQ(got.action, expected.action) << step;
        EXPECT_EQ(got.problems, expected.problems) << step;
    }
    EXPECT_EQ(second.spikes(), whole.spikes());
    EXPECT_EQ(second.non_finite_steps(), 3);
    EXPECT_EQ(second.skipped_steps(), whole.skipped_steps());
    EXPECT_TRUE(second.state_dict() == whole.state_dict());
    EXPECT_GT(whole.spikes(), 1);
    EXPECT_ANY_THROW(second.load_state_dict(Tree::dict({{"spikes", 1}})));
    EXPECT_TRUE(second.state_dict() == whole.state_dict()) << "untouched";
}

TEST(HealthMonitor, ActionsCountsAndLimits) {
    HealthOptions options;
    options.on_non_finite = HealthAction::skip;
    options.on_spike = HealthAction::pause;
    options.stop_after = 3;
    HealthMonitor monitor(options);
    for (int step = 1; step <= 100; ++step)
        EXPECT_EQ(monitor.judge(step, healthy(step), 1).action, HealthAction::ignore);
    HealthVerdict verdict = monitor.judge(101, 50, 1);
    EXPECT_TRUE(verdict.spike);
    EXPECT_EQ(verdict.action, HealthAction::pause);
    EXPECT_THAT(verdict.problems, ElementsAre(says("step {}: {}", 101, StartsWith("loss 50 is"))));
    verdict = monitor.judge(102, kNan, 1, "h.3.weight on rank 1");
    EXPECT_EQ(verdict.action, HealthAction::skip);
    EXPECT_THAT(verdict.problems,
                ElementsAre(AllOf(says("the loss is not finite"), HasSubstr("h.3.weight on rank 1"))));
    EXPECT_EQ(monitor.judge(103, 2, kNan).action, HealthAction::skip);
    EXPECT_EQ(monitor.judge(104, healthy(104), 1).action,
              HealthAction::ignore);  // resets the count of consecutive bad steps
    EXPECT_EQ(monitor.judge(105, kNan, kNan).action, HealthAction::skip);
    EXPECT_EQ(monitor.judge(106, kNan, kNan).action, HealthAction::skip);
    verdict = monitor.judge(107, kNan, kNan);
    EXPECT_EQ(verdict.action, HealthAction::stop);
    EXPECT_EQ(verdict.problems.size(), 2u);
    EXPECT_EQ(monitor.spikes(), 1);
    EXPECT_EQ(monitor.non_finite_steps(), 5);
    EXPECT_EQ(monitor.skipped_steps(), 6);

    options.on_non_finite = HealthAction::ignore;
    HealthMonitor careless(options);
    for (int step = 0; step < 10; ++step)
        EXPECT_THAT(careless.judge(step, kNan, 1).problems, IsEmpty());
    EXPECT_EQ(careless.non_finite_steps(), 10);
    EXPECT_EQ(careless.skipped_steps(), 0);

    EXPECT_EQ(find_choice<HealthAction>("pause"), HealthAction::pause);
    EXPECT_STREQ(choice_name(HealthAction::warn), "warn");
    EXPECT_EQ(find_choice<HealthAction>("halt"), std::nullopt);
}

NamedTensors some_parameters() {
    return {{"wte.weight", at::ones({50, 8})},
            {"h.0.bias", at::zeros({8})},
            {"h.0.scale", at::ones({3}, at::kBFloat16)},
            {"positions", at::arange(5)},
            {"head.weight", at::ones({8, 50})}};
}

TEST(NonFinite, TheFirstParameterInTheModelsOrder) {
    NamedTensors tensors = some_parameters();
    EXPECT_FALSE(first_non_finite(tensors));
    tensors[4].second[3][7] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(first_non_finite(tensors), 4u);
    tensors[2].second[1] = kNan;
    EXPECT_EQ(first_non_finite(tensors), 2u);
    tensors.emplace_back("none", at::Tensor());
    EXPECT_EQ(first_non_finite(tensors), 2u);
}

TEST(Stragglers, SlowForLongEnough) {
    StragglerDetector detector({.factor = 1.5, .persistence = 3});
    const std::vector<double> even = {0.1, 0.11, 0.1, 0.12}, slow = {0.1, 0.1, 0.2, 0.11};
    EXPECT_THAT(detector.observe(even), IsEmpty());
    EXPECT_THAT(detector.observe(slow), IsEmpty());
    EXPECT_THAT(detector.observe(slow), IsEmpty());
    EXPECT_THAT(detector.observe(even), IsEmpty());  // in a row, or not at all
    EXPECT_THAT(detector.observe(slow), IsEmpty());
    EXPECT_THAT(detector.observe(slow), IsEmpty());
    const auto told = detector.observe(slow);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].rank, 2);
    EXPECT_DOUBLE_EQ(told[0].median, 0.1);
    EXPECT_THAT(told[0].sentence(40), says("step {}: rank {} holds up the others: {} of its own for a step, the others "
                                           "{} (median), {} rounds in a row",
                                           _, 2, _, _, _));
    EXPECT_THAT(detector.observe(slow), IsEmpty());  // reported again only after the same number of rounds
    StragglerDetector two({.persistence = 1});
    EXPECT_EQ(two.observe(std::vector{0.1, 0.2}).at(0).rank, 1);
    EXPECT_THAT(two.observe(std::vector{1e-5, 1e-4}), IsEmpty());  // below the least difference
    EXPECT_THAT(two.observe(std::vector{1.0}), IsEmpty());
}

TEST(Stragglers, OwnTimeIsWhatCounts) {
    test::run_ranks(2, [](std::unique_ptr<parallel::World> world) {
        const auto all = world->group(std::vector<int>{0, 1}, "all");
        StragglerWatch watch(*all, {.every = 2, .persistence = 2});
        std::vector<Straggler> told;
        // Both take 1 s for a step; rank 0 waits for most of it.
        for (int step = 0; step < 4; ++step)
            for (const Straggler& one : watch.step(1.0, world->rank() == 0 ? 0.8 : 0.0))
                told.push_back(one);
        ASSERT_EQ(told.size(), 1u);
        EXPECT_EQ(told[0].rank, 1);
        EXPECT_DOUBLE_EQ(told[0].seconds, 1.0);
        EXPECT_NEAR(watch.seconds_of_ranks().at(0), 0.2, 1e-12);
    });
}

TEST(Divergence, HashesSeeEveryBit) {
    const NamedTensors tensors = some_parameters();
    const auto before = hash_tensors(tensors);
    EXPECT_EQ(before, hash_tensors(some_parameters()));
    tensors[0].second[49][7] = std::nextafter(1.0f, 2.0f);
    auto after = hash_tensors(tensors);
    EXPECT_NE(before[0], after[0]);
    EXPECT_EQ(before[4], after[4]);
    // 0 and -0 are equal numbers, not equal bits; exchanged elements; another shape; another dtype of the same bits.
    EXPECT_NE(hash_tensors({{"", at::zeros({3})}}), hash_tensors({{"", -at::zeros({3})}}));
    EXPECT_NE(hash_tensors({{"", at::arange(3, at::kFloat)}}), hash_tensors({{"", at::arange(3, at::kFloat).flip(0)}}));
    EXPECT_NE(hash_tensors({{"", at::ones({2, 3})}}), hash_tensors({{"", at::ones({3, 2})}}));
    EXPECT_NE(hash_tensors({{"", at::zeros({2})}}), hash_tensors({{"", at::zeros({2}, at::kInt)}}));
    EXPECT_EQ(hash_tensors({{"", at::arange(6, at::kFloat).view({2, 3}).t()}}),
              hash_tensors({{"", at::arange(6, at::kFloat).view({2, 3}).t().contiguous()}}));
    EXPECT_EQ(hash_tensors({{"", at::zeros({0})}}).size(), 1u);
    // Longer than a chunk, chunks exchanged.
    const at::Tensor longer = at::zeros({(1 << 21) + 5});
    longer[0] = 1;
    const at::Tensor exchanged = at::zeros({(1 << 21) + 5});
    exchanged[1 << 20] = 1;
    EXPECT_NE(hash_tensors({{"", longer}}), hash_tensors({{"", exchanged}}));
}

TEST(Divergence, NamesTheRankAndTheFirstParameter) {
    test::run_ranks(3, [](std::unique_ptr<parallel::World> world) {
        const auto all = world->group(std::vector<int>{0, 1, 2}, "all");
        NamedTensors tensors = some_parameters();
        DivergenceWatch watch(*all, 5);
        EXPECT_FALSE(watch.step(5, tensors));
        if (world->rank() == 1) {
            tensors[2].second[0] = 2;
            tensors[4].second[0][0] = 2;
        }
        EXPECT_FALSE(watch.step(6, tensors));  // not a step to look at
        const auto found = watch.step(10, tensors);
        ASSERT_TRUE(found);
        EXPECT_THAT(found->ranks, ElementsAre(1));
        EXPECT_EQ(found->parameter, "h.0.scale");
        EXPECT_EQ(found->parameters, 2);
        EXPECT_THAT(found->sentence(10), says("step {}: the parameters of rank {} differ from those of the others, "
                                              "first in {} ({}): their training is no longer the same",
                                              _, 1, "h.0.scale", "2 parameters"));
        if (world->rank() == 2)
            tensors.pop_back();
        EXPECT_THAT(find_divergence(tensors, *all).value().parameter, says_only("the number of parameters"));
    });
}

}  // namespace
}  // namespace trainyard::train
