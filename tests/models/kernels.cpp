// Every kernel beside its eager oracle: LibTorch's plain operations with autograd, in double precision where the kernel is fp32.

#include <ATen/ops/allclose.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "models/kernels/attention.h"
#include "models/kernels/cross_entropy.h"
#include "models/kernels/dropout.h"
#include "models/kernels/linear.h"
#include "parallel/flat_group.h"

namespace trainyard::models {
namespace {

using parallel::FlatArena;
using parallel::Initialiser;

const Initialiser kNormal{Initialiser::Kind::normal, 0.5};

/// ||a - b|| / ||b||
double distance(const at::Tensor& a, const at::Tensor& b) {
    at::Tensor reference = b.to(at::kDouble);
    return (a.to(at::kDouble).sub(reference).norm().item<double>()) / (reference.norm().item<double>() + 1e-30);
}

at::Tensor leaf(const at::Tensor& x, at::ScalarType type) {
    at::Tensor copy = x.detach().to(type).clone();
    copy.set_requires_grad(true);
    return copy;
}

class Kernels : public ::testing::TestWithParam<at::ScalarType> {
  protected:
    Parameter weight_{"w", {6, 10}, kNormal};
    Parameter bias_{"b", {10}, kNormal};
    Parameter scale_{"s", {6}, kNormal};
    Parameter shift_{"t", {6}, kNormal};
    Parameter table_{"e", {11, 6}, kNormal};
    Parameter positions_{"p", {8, 6}, kNormal};
    FlatArena arena_{{{"g", {&weight_, &bias_, &scale_, &shift_, &table_, &positions_}}}, GetParam(), at::kCPU, false};
    double tolerance_ = GetParam() == at::kFloat ? 1e-5 : 2e-2;
    at::Tensor x_ = at::randn({3, 5, 6});

    void SetUp() override { arena_.initialise(3); }
};

TEST_P(Kernels, LinearEqualsTheFormula) {
    at::Tensor x = leaf(x_, at::kFloat), y = linear(x, weight_, bias_);
    EXPECT_EQ(y.scalar_type(), GetParam());
    at::Tensor dy = at::randn(y.sizes());
    y.backward(dy.to(y.scalar_type()));
    at::Tensor xd = leaf(x_, at::kDouble), wd = leaf(weight_.value(), at::kDouble),
               bd = leaf(bias_.value(), at::kDouble);
    at::Tensor yd = at::matmul(xd, wd).add(bd);
    yd.backward(dy.to(at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), tolerance_);
    EXPECT_LT(distance(x.grad(), xd.grad()), tolerance_);
    EXPECT_LT(distance(weight_.gradient(), wd.grad()), tolerance_);
    EXPECT_LT(distance(bias_.gradient(), bd.grad()), tolerance_);
}

TEST_P(Kernels, LayerNormEqualsTheFormula) {
    at::Tensor x = leaf(x_, at::kFloat), y = layer_norm(x, scale_, shift_, 1e-5);
    at::Tensor dy = at::randn(y.sizes());
    y.backward(dy);
    at::Tensor xd = leaf(x_, at::kDouble), sd = leaf(scale_.value(), at::kDouble),
               td = leaf(shift_.value(), at::kDouble);
    at::Tensor yd = at::layer_norm(xd, {6}, sd, td, 1e-5);
    yd.backward(dy.to(at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), 1e-5);
    EXPECT_LT(distance(x.grad(), xd.grad()), 1e-5);
    EXPECT_LT(distance(scale_.gradient(), sd.grad()), 1e-5);
    EXPECT_LT(distance(shift_.gradient(), td.grad()), 1e-5);
}

TEST_P(Kernels, GeluEqualsTheFormula) {
    at::Tensor wide = at::randn({4, 1001}).mul(4);
    wide.select(0, 0).mul_(10);
    at::Tensor x = leaf(wide.to(GetParam()), GetParam()), y = gelu_tanh(x);
    at::Tensor dy = at::randn(y.sizes()).to(GetParam());
    y.backward(dy);
    at::Tensor xd = leaf(x, at::kDouble), yd = at::gelu(xd, "tanh");
    yd.backward(dy.to(at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), tolerance_);
    EXPECT_LT(distance(x.grad(), xd.grad()), tolerance_);
}

TEST_P(Kernels, EmbeddingAddsUpRepeatedTokens) {
    at::Tensor tokens = at::randint(0, 11, {3, 5}, at::kLong);
    at::Tensor y = embed(tokens, table_, positions_);
    at::Tensor dy = at::randn(y.sizes());
    y.backward(dy);
    at::Tensor td = leaf(table_.value(), at::kDouble), pd = leaf(positions_.value(), at::kDouble);
    at::Tensor yd = at::embedding(td, tokens).add(pd.narrow(0, 0, 5));
    yd.backward(dy.to(at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), 1e-6);
    EXPECT_LT(distance(table_.gradient(), td.grad()), 1e-6);
    EXPECT_LT(distance(positions_.gradient(), pd.grad()), 1e-6);
}

TEST_P(Kernels, LossEqualsCrossEntropyOfShiftedLabels) {
    at::Tensor labels = at::randint(0, 11, {3, 5}, at::kLong);
    labels[1][3] = kIgnoredLabel;
    double scale = 0.25;
    at::Tensor sum = at::zeros({}, at::kDouble);
    at::Tensor x = leaf(x_, at::kFloat);
    at::Tensor loss = next_token_loss(x, table_, labels, scale, sum);
    loss.backward();
    at::Tensor xd = leaf(x_, at::kDouble), td = leaf(table_.value(), at::kDouble);
    at::Tensor logits = at::matmul(xd, td.t()).narrow(1, 0, 4).reshape({-1, 11});
    at::Tensor expected = at::cross_entropy_loss(logits, labels.narrow(1, 1, 4).reshape({-1}), {}, 2, kIgnoredLabel);
    expected.mul(scale).backward();
    EXPECT_NEAR(sum.item<double>(), expected.item<double>(), tolerance_ * 20);
    EXPECT_NEAR(loss.item<double>(), scale * expected.item<double>(), tolerance_ * 10);
    EXPECT_LT(distance(x.grad(), xd.grad()), tolerance_);
    EXPECT_LT(distance(table_.gradient(), td.grad()), tolerance_);
}

INSTANTIATE_TEST_SUITE_P(Types, Kernels, ::testing::Values(at::kFloat, at::kBFloat16));

struct AttentionShape {
    std::int64_t batch, seq, heads, head_width;
};

class Attention : public ::testing::TestWithParam<AttentionShape> {};

TEST_P(Attention, EqualsThePlainFormula) {
    auto [batch, seq, heads, head_width] = GetParam();
    at::Tensor packed = at::randn({batch, seq, 3 * heads * head_width});
    at::Tensor x = leaf(packed, at::kFloat), y = causal_attention(x, heads);
    at::Tensor dy = at::randn(y.sizes());
    y.backward(dy);
    at::Tensor xd = leaf(packed, at::kDouble), yd = causal_attention_plain(xd, heads, {}, 0.0);
    yd.backward(dy.to(at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), 1e-5);
    EXPECT_LT(distance(x.grad(), xd.grad()), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Attention,
                         ::testing::Values(AttentionShape{3, 5, 2, 4}, AttentionShape{2, 64, 4, 32},
                                           AttentionShape{1, 100, 3, 16}, AttentionShape{2, 256, 2, 64},
                                           AttentionShape{1, 1, 1, 8}, AttentionShape{1, 300, 1, 24}));

TEST(Attention, KeepsTheTypeInBfloat16) {
    at::Tensor packed = at::randn({2, 40, 3 * 32}).to(at::kBFloat16);
    at::Tensor x = leaf(packed, at::kBFloat16), y = causal_attention(x, 2);
    y.backward(at::ones(y.sizes(), at::kBFloat16));
    EXPECT_EQ(y.scalar_type(), at::kBFloat16);
    at::Tensor xd = leaf(packed, at::kDouble), yd = causal_attention_plain(xd, 2, {}, 0.0);
    yd.backward(at::ones(yd.sizes(), at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), 2e-2);
    EXPECT_LT(distance(x.grad(), xd.grad()), 3e-2);
}

TEST(Dropout, IsTheSameOnEveryLayout) {
    at::Tensor x = at::ones({4, 7, 9});
    DropoutKey key{5, 11, 2, 0};
    at::Tensor whole = counter_dropout(x, key, 0.3);
    DropoutKey second = key;
    second.first_sample = 2;
    EXPECT_TRUE(at::equal(whole.narrow(0, 2, 2), counter_dropout(x.narrow(0, 2, 2), second, 0.3)));
    EXPECT_NEAR(whole.eq(0).to(at::kFloat).mean().item<float>(), 0.3, 0.1);
    EXPECT_NEAR(whole.mean().item<float>(), 1.0, 0.15);
    EXPECT_FALSE(at::equal(whole, counter_dropout(x, {5, 12, 2, 0}, 0.3))) << "another step draws other numbers";
    EXPECT_TRUE(at::equal(x, counter_dropout(x, key, 0.0)));
}

}  // namespace
}  // namespace trainyard::models
