// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/gradient_norm.h"

#include <cmath>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>

#include <gtest/gtest.h>

namespace trainyard::train {
namespace {

TEST(GradientNorm, IsExactOverMillionsOfElements) {
    // One large element at the start makes every later square fall below half a unit in the last place of a naive fp32
    // sum.
    for (std::int64_t size : {std::int64_t{1}, std::int64_t{4095}, std::int64_t{4096}, std::int64_t{12'345'678}}) {
        at::Tensor flat = at::full({size}, 1e-4f);
        flat[0].fill_(1.0f);
        double value = 1e-4f;
        double wanted = std::sqrt(1.0 + static_cast<double>(size - 1) * value * value);
        EXPECT_NEAR(gradient_norm(flat), wanted, 1e-5 * wanted) << size;
    }
    at::Tensor rising = at::arange(1, 10'000'001, at::kFloat);
    double n = 1e7;
    double wanted = std::sqrt(n * (n + 1) * (2 * n + 1) / 6);
    EXPECT_NEAR(gradient_norm(rising), wanted, 1e-6 * wanted);
}

TEST(GradientNorm, ShowsWhatIsNotFinite) {
    at::Tensor flat = at::full({10'000}, 1.0f);
    flat[5000].fill_(NAN);
    EXPECT_FALSE(std::isfinite(gradient_norm(flat)));
    flat[5000].fill_(INFINITY);
    EXPECT_FALSE(std::isfinite(gradient_norm(flat)));
}

}  // namespace
}  // namespace trainyard::train
