// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes of one rank, flat arenas.

#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/mesh.h"

namespace trainyard::parallel {
namespace {

TEST(Mesh, OneRankIsAMeshOfOnes) {
    Mesh mesh(replicas(1), World::connect({}, "cpu"));
    EXPECT_EQ(mesh.describe(), "1 rank");
    EXPECT_EQ(mesh.data().size(), 1);
    EXPECT_EQ(mesh.coordinate(Dimension::tp), 0);
}

TEST(Mesh, RefusesAProductThatIsNotTheWorld) {
    try {
        Mesh mesh({2, 3, 1, 1, 1, 1}, World::connect({}, "cpu"));
        FAIL();
    } catch (const UserError& error) {
        EXPECT_STREQ(error.what(),
                     "the mesh (pp 2 × dp_replicate 3) needs 6 ranks instead of 1: make the product of its sizes 1");
    }
}

class Arena : public ::testing::Test {
  protected:
    Parameter matrix_{"a.weight", {3, 5}, {Initialiser::Kind::normal, 0.5}};
    Parameter bias_{"a.bias", {5}, {Initialiser::Kind::ones, 0}};
    Parameter second_{"b.weight", {7, 2}, {Initialiser::Kind::normal, 0.5}};
    FlatArena make(bool decay_all, at::ScalarType compute = at::kFloat) {
        return FlatArena({{"a", {&bias_, &matrix_}}, {"b", {&second_}}}, compute, at::kCPU, decay_all);
    }
};

TEST_F(Arena, LaysOutDecayedBeforePlainAlignedTo64Bytes) {
    FlatArena arena = make(false);
    ASSERT_EQ(arena.groups().size(), 2u);
    EXPECT_EQ(arena.groups()[0].decayed(), (Range{0, 16}));
    EXPECT_EQ(arena.groups()[0].plain(), (Range{16, 32}));
    EXPECT_EQ(arena.groups()[1].range(), (Range{32, 48}));
    EXPECT_EQ(arena.groups()[0].parameters()[0], &matrix_);
    EXPECT_EQ(arena.parameter_count(), 15 + 5 + 14);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bias_.value().data_ptr()) % 64, 0u);
    EXPECT_EQ(make(true).groups()[0].plain().size(), 0);
}

TEST_F(Arena, ValuesAndGradientsAreViews) {
    FlatArena arena = make(false);
    arena.initialise(7);
    EXPECT_TRUE(at::equal(arena.view(arena.values(), second_), second_.value()));
    EXPECT_EQ(bias_.value().sum().item<float>(), 5.0f);
    matrix_.add_gradient(at::ones({3, 5}));
    EXPECT_EQ(arena.gradients().sum().item<float>(), 15.0f);
}

TEST_F(Arena, TheFirstContributionOverwritesTheOthersAdd) {
    FlatArena arena = make(false);
    arena.gradients().fill_(99);
    arena.forget_gradients();
    matrix_.add_matmul(at::ones({3, 4}), at::ones({4, 5}));
    matrix_.add_matmul(at::ones({3, 4}), at::ones({4, 5}));
    bias_.add_row_sum(at::ones({6, 5}));
    bias_.add_gradient(at::ones({5}));
    EXPECT_TRUE(at::equal(matrix_.gradient(), at::ones({3, 5}).mul(8)));
    EXPECT_TRUE(at::equal(bias_.gradient(), at::ones({5}).mul(7)));
    arena.groups()[1].settle_gradients();
    EXPECT_EQ(second_.gradient().abs().sum().item<float>(), 0.0f) << "an unused parameter has a gradient of zeros";
}

TEST_F(Arena, StartDependsOnTheSeedTheNameAndTheElementOnly) {
    FlatArena first = make(false);
    first.initialise(7);
    const at::Tensor kept = second_.value().clone(), matrix = matrix_.value().clone();
    EXPECT_FALSE(at::equal(kept.view(-1).narrow(0, 0, 14), matrix.view(-1).narrow(0, 0, 14))) << "names differ";
    {
        FlatArena all_decay = make(true);
        all_decay.initialise(7);
        EXPECT_TRUE(at::equal(kept, second_.value()));
        EXPECT_TRUE(at::equal(matrix, matrix_.value()));
    }
    {  // another order, other neighbours, hence other places and paddings
        Parameter more("0.weight", {33}, {Initialiser::Kind::normal, 0.5});
        FlatArena turned({{"b", {&second_, &more}}, {"a", {&matrix_, &bias_}}}, at::kFloat, at::kCPU, false);
        turned.initialise(7);
        EXPECT_TRUE(at::equal(kept, second_.value()));
        EXPECT_TRUE(at::equal(matrix, matrix_.value()));
    }
    {  // a longer tensor of the name begins with the same numbers
        Parameter longer("b.weight", {9, 2}, {Initialiser::Kind::normal, 0.5});
        FlatArena alone({{"b", {&longer}}}, at::kFloat, at::kCPU, false);
        alone.initialise(7);
        EXPECT_TRUE(at::equal(kept, longer.value().narrow(0, 0, 7)));
        alone.initialise(8);
        EXPECT_FALSE(at::equal(kept, longer.value().narrow(0, 0, 7)));
    }
    {
        Parameter renamed("c.weight", {7, 2}, {Initialiser::Kind::normal, 0.5});
        FlatArena alone({{"b", {&renamed}}}, at::kFloat, at::kCPU, false);
        alone.initialise(7);
        EXPECT_FALSE(at::equal(kept, renamed.value()));
    }
}

TEST_F(Arena, DrawsNormalNumbers) {
    Parameter large("large.weight", {300, 500}, {Initialiser::Kind::normal, 0.02});
    FlatArena arena({{"g", {&large}}}, at::kFloat, at::kCPU, false);
    arena.initialise(3);
    const at::Tensor numbers = large.value().to(at::kDouble).div(0.02);
    EXPECT_NEAR(numbers.mean().item<double>(), 0, 0.01);
    EXPECT_NEAR(numbers.pow(2).mean().item<double>(), 1, 0.02);
    EXPECT_NEAR(numbers.pow(4).mean().item<double>(), 3, 0.1);
}

TEST_F(Arena, KeepsACopyInTheComputeType) {
    FlatArena arena = make(false, at::kBFloat16);
    arena.initialise(7);
    EXPECT_EQ(matrix_.compute().scalar_type(), at::kBFloat16);
    EXPECT_TRUE(at::equal(matrix_.compute().detach(), matrix_.value().to(at::kBFloat16)));
    matrix_.add_matmul(at::ones({3, 4}, at::kBFloat16), at::ones({4, 5}, at::kBFloat16));
    EXPECT_EQ(matrix_.gradient().sum().item<float>(), 60.0f) << "gradients stay fp32";
}

}  // namespace
}  // namespace trainyard::parallel
