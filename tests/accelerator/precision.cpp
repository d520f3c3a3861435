// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of autocast scopes, of the capabilities of devices, of outputs in fp32, of averages of weights compared with
// their closed forms, and of torch's optimizers with our interface.
#include "train/loop/precision.h"

#include <cmath>

#include <ATen/autocast_mode.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/says.h"
#include "train/loop/weight_average.h"

namespace trainyard {
namespace {

at::ScalarType product_dtype() {
    const at::Tensor ones = at::ones({2, 2});
    return at::matmul(ones, ones).scalar_type();
}

TEST(Precision, NamesAndWhatIsNone) {
    EXPECT_EQ(parse_precision("bf16"), Precision::bf16);
    EXPECT_EQ(parse_precision("no"), Precision::no);
    EXPECT_EQ(parse_precision("fp8"), Precision::fp8);
    try {
        parse_precision("half");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), test::says_only("mixed_precision is '{}': choose no, fp16, bf16 or fp8", "half"));
    }
}

TEST(Precision, ScopesCastAndNest) {
    EXPECT_EQ(product_dtype(), at::kFloat);
    {
        const AutocastScope outer(Precision::bf16, at::kCPU);
        EXPECT_EQ(product_dtype(), at::kBFloat16);
        {
            const AutocastScope fp32(Precision::bf16, at::kCPU, {.enabled = false});
            EXPECT_EQ(product_dtype(), at::kFloat);
            const AutocastScope again(Precision::fp16, at::kCPU);
            EXPECT_EQ(product_dtype(), at::kHalf);
        }
        EXPECT_EQ(product_dtype(), at::kBFloat16);
        {
            const AutocastScope nothing(Precision::no, at::kCPU);  // as in Accelerate
            EXPECT_EQ(product_dtype(), at::kBFloat16);
        }
    }
    EXPECT_EQ(product_dtype(), at::kFloat);
    try {
        const AutocastScope scope(Precision::fp16, at::kCPU);
        throw 1;
    } catch (int) {
    }
    EXPECT_EQ(product_dtype(), at::kFloat);
}

TEST(Precision, CacheSwitch) {
    EXPECT_TRUE(at::autocast::is_autocast_cache_enabled());
    {
        const AutocastScope scope(Precision::bf16, at::kCPU, {.enabled = true, .cache_enabled = false});
        EXPECT_FALSE(at::autocast::is_autocast_cache_enabled());
        // Without the cache a weight that changes inside the scope is cast again.
        at::Tensor weight = at::ones({2, 2}).set_requires_grad(true);
        const at::Tensor ones = at::ones({2, 2});
        EXPECT_EQ(at::matmul(ones, weight)[0][0].item<float>(), 2.0F);
        weight.detach().fill_(3.0);
        EXPECT_EQ(at::matmul(ones, weight)[0][0].item<float>(), 6.0F);
    }
    EXPECT_TRUE(at::autocast::is_autocast_cache_enabled());
}

TEST(Precision, WorksOnTheCpu) {
    EXPECT_EQ(why_unavailable(Precision::fp16, at::Device(at::kCPU)), "");
    EXPECT_EQ(why_unavailable(Precision::bf16, at::Device(at::kCPU)), "");
    // A device that this LibTorch has no kernels for says so, with a way out.
    const std::string why = why_unavailable(Precision::bf16, at::Device(at::kMPS));
    EXPECT_THAT(why, test::says("mixed_precision {} does not work on {} ({}): choose no or {}", "bf16",
                                testing::StartsWith("mps"), testing::_, testing::_))
        << why;
    EXPECT_THAT(why, test::says("mixed_precision {} does not work on {} ({}): choose no or {}", testing::_, testing::_,
                                testing::_, testing::StartsWith("fp16")))
        << why;
    EXPECT_THROW(require_available(Precision::bf16, at::Device(at::kMPS)), UserError);
}

TEST(Precision, Tf32Switch) {
    const bool before = tf32();
    set_tf32(true);
    EXPECT_TRUE(tf32());
    set_tf32(false);
    EXPECT_FALSE(tf32());
    set_tf32(before);
}

struct Output {
    at::Tensor logits;
    int count = 0;
};
Output to_fp32(Output output) {
    output.logits = trainyard::to_fp32(output.logits);
    return output;
}
struct Opaque {
    at::Tensor tensor;
};

TEST(Precision, OutputsBecomeFp32) {
    const at::Tensor low = at::ones({2}, at::kBFloat16), whole = at::ones({2}, at::kLong),
                     wide = at::ones({2}, at::kDouble);
    EXPECT_EQ(outputs_to_fp32(low).scalar_type(), at::kFloat);
    EXPECT_EQ(outputs_to_fp32(whole).scalar_type(), at::kLong);
    EXPECT_EQ(outputs_to_fp32(wide).scalar_type(), at::kDouble);
    EXPECT_FALSE(outputs_to_fp32(at::Tensor()).defined());
    const auto [a, b] = outputs_to_fp32(std::tuple(low, 3));
    EXPECT_EQ(a.scalar_type(), at::kFloat);
    EXPECT_EQ(b, 3);
    EXPECT_EQ(outputs_to_fp32(std::vector<at::Tensor>{low, whole}).at(0).scalar_type(), at::kFloat);
    EXPECT_EQ(outputs_to_fp32(std::optional(low))->scalar_type(), at::kFloat);
    EXPECT_EQ(outputs_to_fp32(std::pair(1.5, low)).second.scalar_type(), at::kFloat);
    const Tree tree = outputs_to_fp32(Tree::dict({{"logits", low}, {"ids", Tree::tuple({whole, "text"})}}));
    EXPECT_EQ(tree.at("logits").as_tensor().scalar_type(), at::kFloat);
    EXPECT_EQ(tree.at("ids").items().at(0).as_tensor().scalar_type(), at::kLong);
    EXPECT_TRUE(tree.at("ids").is_tuple());
    // Custom types: with an overload of outputs_to_fp32, or unchanged without one.
    EXPECT_EQ(outputs_to_fp32(Output{low, 1}).logits.scalar_type(), at::kFloat);
    EXPECT_EQ(outputs_to_fp32(Opaque{low}).tensor.scalar_type(), at::kBFloat16);
    EXPECT_EQ(outputs_to_fp32(2.5), 2.5);
    EXPECT_EQ(outputs_to_fp32(std::string("text")), "text");
}

// --- averages of weights ------------------------------------------------------------------------------------------------------------------------

double first(const NamedTensors& tensors) {
    return tensors.at(0).second.reshape({-1})[0].item<double>();
}

TEST(WeightAverage, ExponentialClosedForm) {
    at::Tensor weight = at::full({3}, 2.0, at::kDouble);
    train::WeightAverage ema({{"w", weight}}, train::exponential(0.9));
    EXPECT_DOUBLE_EQ(first(ema.averages()), 2.0);
    double expected = std::pow(0.9, 10) * 2.0;
    for (int k = 1; k <= 10; ++k) {
        weight.fill_(k * k);
        ema.update();
        expected += 0.1 * std::pow(0.9, 10 - k) * k * k;
    }
    EXPECT_NEAR(first(ema.averages()), expected, 1e-12);
    EXPECT_EQ(ema.averaged(), 10);
}

TEST(WeightAverage, WarmUpForgetsTheStart) {
    at::Tensor weight = at::full({1}, 0.0, at::kDouble);
    train::WeightAverage ema({{"w", weight}}, train::exponential(0.999, true));
    double expected = 0;
    for (int n = 1; n <= 20; ++n) {
        weight.fill_(n);
        ema.update();
        const double decay = std::min(0.999, (1.0 + n) / (10.0 + n));
        expected = decay * expected + (1 - decay) * n;
        EXPECT_DOUBLE_EQ(ema.decay_at(n), decay);
    }
    EXPECT_NEAR(first(ema.averages()), expected, 1e-12);
}

TEST(WeightAverage, UniformWithStartAndStride) {
    at::Tensor weight = at::full({1}, 0.0, at::kDouble);
    train::WeightAverage swa({{"w", weight}}, train::uniform(4, 2));
    double sum = 0, count = 0;
    for (int k = 1; k <= 11; ++k) {
        weight.fill_(1.0 / k);
        swa.update();
        if (k <= 4) {
            EXPECT_DOUBLE_EQ(first(swa.averages()), 1.0 / k);  // not begun: the weights themselves
        }
        if (k > 4 && (k - 4) % 2 == 0) {
            sum += 1.0 / k;
            ++count;
        }
        if (count > 0) {
            EXPECT_NEAR(first(swa.averages()), sum / count, 1e-14) << k;
        }
    }
    EXPECT_EQ(swa.averaged(), 3);
    EXPECT_EQ(swa.calls(), 11);
}

TEST(WeightAverage, SwapInAndBackIsExact) {
    at::Tensor weight = at::full({2}, 1.0, at::kBFloat16), buffer = at::full({1}, 7, at::kLong);
    train::WeightAverage ema({{"w", weight}}, train::exponential(0.5), {{"b", buffer}});
    for (int k = 1; k <= 3; ++k) {
        weight.fill_(1.0 + k / 128.0);
        buffer.fill_(k);
        ema.update();
    }
    const at::Tensor plain = weight.clone();
    const double average = first(ema.averages());
    {
        const auto swapped = ema.swap_in();
        EXPECT_DOUBLE_EQ(weight[0].item<double>(), average);
        EXPECT_EQ(buffer.item<std::int64_t>(), 3);
        EXPECT_THROW(ema.update(), std::logic_error);
    }
    EXPECT_TRUE(at::equal(weight, plain));
    // The average itself is fp32 and loses nothing by the exchange.
    EXPECT_EQ(ema.state_dict().at("average").at("w").as_tensor().scalar_type(), at::kFloat);
    const double exact = 0.125 + 0.125 * (1 + 1 / 128.0) + 0.25 * (1 + 2 / 128.0) + 0.5 * (1 + 3 / 128.0);
    EXPECT_NEAR(ema.state_dict().at("average").at("w").as_tensor()[0].item<double>(), exact, 1e-7);
    ema.copy_to_model();
    EXPECT_NEAR(weight[0].item<double>(), exact, 1.0 / 256);
}

TEST(WeightAverage, StateGoesOn) {
    at::Tensor a = at::full({1}, 0.0, at::kDouble), b = at::full({1}, 0.0, at::kDouble);
    train::WeightAverage whole({{"w", a}}, train::uniform(2)), half({{"w", b}}, train::uniform(2));
    for (int k = 1; k <= 5; ++k) {
        a.fill_(k);
        whole.update();
    }
    Tree state;
    for (int k = 1; k <= 3; ++k) {
        b.fill_(k);
        half.update();
    }
    train::WeightAverage other({{"w", b}}, train::uniform(2));
    other.load_state_dict(half.state_dict());
    for (int k = 4; k <= 5; ++k) {
        b.fill_(k);
        other.update();
    }
    EXPECT_TRUE(other.state_dict() == whole.state_dict());
    EXPECT_THROW(train::WeightAverage({{"w", a}}, {.decay = 1.5, .update_every = 0}), UserError);
    EXPECT_THROW(other.load_state_dict(Tree::dict({{"calls", 1}})), UserError);
}

}  // namespace
}  // namespace trainyard
