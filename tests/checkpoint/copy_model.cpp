// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/parallel_copy.h"

namespace trainyard::checkpoint {
namespace {

using ::testing::HasSubstr;

TEST(CopyModel, TakesWrappersTiesAndOtherTypes) {
    at::Tensor embedding = at::zeros({3, 2}), bias = at::zeros({2}, at::kDouble);
    NamedTensors model{{"wte", embedding}, {"bias", bias}, {"lm_head", embedding}};
    NamedTensors stored{{"module.wte", at::full({3, 2}, 7.0)}, {"module.bias", at::full({2}, 0.5, at::kHalf)}};
    copy_model(stored, model, "x");
    EXPECT_EQ(embedding.sum().item<float>(), 42);
    EXPECT_EQ(bias.sum().item<double>(), 1);
}

TEST(CopyModel, TellsAllProblemsAndChangesNothing) {
    at::Tensor a = at::zeros({3}), b = at::zeros({2}), c = at::zeros({1});
    NamedTensors stored{{"a", at::full({3}, 1.0)}, {"b", at::full({5}, 1.0)}, {"d", at::full({1}, 1.0)}};
    try {
        copy_model(stored, {{"a", a}, {"b", b}, {"c", c}}, "the file");
        FAIL() << "copied";
    } catch (const UserError& error) {
        EXPECT_THAT(
            error.what(),
            HasSubstr(
                "the file does not fit this model: 'b' has shape [5] instead of [2]; 'c' is missing; 'd' is not part"));
    }
    EXPECT_EQ(a.sum().item<float>(), 0);
    copy_model(stored, {{"a", a}}, "the file", false);
    EXPECT_EQ(a.sum().item<float>(), 3);
}

TEST(CopyModel, LargeCopiesAreExactAtAnyAlignment) {
    at::Tensor from = at::arange(10'000'019, at::kInt);
    at::Tensor to = at::zeros({10'000'020}, at::kInt);
    copy_tensors({{to.narrow(0, 1, 10'000'019), from}});
    EXPECT_EQ(to[0].item<int>(), 0);
    EXPECT_TRUE(to.narrow(0, 1, 10'000'019).equal(from));
}

}  // namespace
}  // namespace trainyard::checkpoint
