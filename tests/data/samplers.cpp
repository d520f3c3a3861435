// SPDX-License-Identifier: GPL-3.0-or-later
// Samplers: numbers that torch draws (most are in golden.data_sharding), and their states.

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "data/rng_sync.h"
#include "data/sampler.h"
#include "data_sets.h"

namespace trainyard::data {
namespace {

using test::Numbers;

TEST(Samplers, WeightedOnesDrawAsTorchDoes) {
    // torch 2.11: torch.manual_seed(5), WeightedRandomSampler([0.1, 0.9, 0.4, 0.7, 3.0, 0.6], 5), two passes; then
    // without replacement from torch.Generator().manual_seed(9).
    at::Generator process = seeded_generator(5);
    WeightedRandomSampler with(at::tensor({0.1, 0.9, 0.4, 0.7, 3.0, 0.6}), 5);
    EXPECT_EQ(with.begin_epoch(process).to_vector(), (Numbers{4, 3, 3, 3, 3}));
    EXPECT_EQ(with.begin_epoch(process).to_vector(), (Numbers{4, 4, 4, 4, 4}));
    WeightedRandomSampler without(at::tensor({0.9, 0.4, 0.05, 0.2, 0.3, 0.1}), 5, false, seeded_generator(9));
    EXPECT_EQ(without.begin_epoch(process).to_vector(), (Numbers{4, 0, 3, 1, 2}));
    EXPECT_EQ(without.begin_epoch(process).to_vector(), (Numbers{0, 1, 4, 2, 5}));
}

/// A state taken within a pass gives the order of that pass again; a state taken at its end gives the next one.
template <class Make>
void expect_resumes(Make make) {
    at::Generator process = seeded_generator(1);
    auto first = make();
    first.begin_epoch(process);
    Numbers second = first.begin_epoch(process).to_vector();
    Tree within = first.state(false), over = first.state(true);
    at::Tensor process_state = generator_state(process);
    Numbers third = first.begin_epoch(process).to_vector();
    ASSERT_NE(second, third);

    auto again = make();
    at::Generator other = seeded_generator(77);
    again.load_state_dict(within);
    EXPECT_EQ(again.state(false), within) << "saved again before the pass began";
    EXPECT_EQ(again.begin_epoch(other).to_vector(), second);
    set_generator_state(other, process_state);  // as a checkpoint does
    EXPECT_EQ(again.begin_epoch(other).to_vector(), third);

    auto next = make();
    next.load_state_dict(over);
    set_generator_state(other, process_state);
    EXPECT_EQ(next.begin_epoch(other).to_vector(), third);
}

TEST(Samplers, GoOnFromTheirStates) {
    expect_resumes([] { return RandomSampler(20); });
    expect_resumes([] { return RandomSampler(20, {false, 33, seeded_generator(3)}); });
    expect_resumes([] { return RandomSampler(20, {true, 70, {}}); });
    expect_resumes([] { return SeedableRandomSampler(20, 4); });
    expect_resumes([] { return WeightedRandomSampler(at::arange(1, 9, at::kDouble), 20); });
    expect_resumes([] { return WeightedRandomSampler(at::arange(1, 9, at::kDouble), 20, true, seeded_generator(8)); });
}

TEST(Samplers, OfOneRankGoOnWithTheCommonGeneratorOfTwo) {
    at::Generator process = seeded_generator(1);
    RandomSampler alone(12);
    Numbers order = alone.begin_epoch(process).to_vector();
    RandomSampler shared(12, {false, {}, seeded_generator(5)});
    shared.load_state_dict(alone.state(false));
    EXPECT_EQ(shared.begin_epoch(process).to_vector(), order);

    RandomSampler back(12);
    Numbers two = shared.begin_epoch(process).to_vector();
    back.load_state_dict(shared.state(false));
    EXPECT_EQ(back.begin_epoch(process).to_vector(), two);
    EXPECT_EQ(back.begin_epoch(process).to_vector(), shared.begin_epoch(process).to_vector());
}

TEST(Samplers, RefuseWhatCannotBe) {
    EXPECT_THROW(RandomSampler(4, {false, 0, {}}), UserError);
    EXPECT_THROW(SeedableRandomSampler(4, 1, {false, -3, {}}), UserError);
    EXPECT_THROW(WeightedRandomSampler(at::tensor({0.0, 0.0}), 1), UserError);
    EXPECT_THROW(WeightedRandomSampler(at::tensor({0.5, -0.1}), 1), UserError);
    EXPECT_THROW(WeightedRandomSampler(at::tensor({0.5, 0.0}), 2, false), UserError);
    RandomSampler sampler(4, {false, {}, seeded_generator(2)});
    Tree before = sampler.state(true);
    EXPECT_THROW(sampler.load_state_dict(Tree::dict({{"generator", at::full({7}, 1, at::kByte)}})), UserError);
    EXPECT_THROW(sampler.load_state_dict(Tree::dict({{"generator", at::full({5056}, 255, at::kByte)}})), UserError);
    EXPECT_EQ(sampler.state(true), before);
    EXPECT_TRUE(RandomSampler(0).begin_epoch(seeded_generator(1)).to_vector().empty());
}

}  // namespace
}  // namespace trainyard::data
