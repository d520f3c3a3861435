// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Compares the curve of a training on several ranks with that of one rank.

#include <string>

#include <gtest/gtest.h>

namespace trainyard::test {

/// Outcome has `losses` and `norms` of each step, and the loss of an `evaluation`. `expected` may have more steps; the
/// last ones are compared.
template <class Outcome>
void expect_same_curve(const Outcome& expected, const Outcome& got, const std::string& what) {
    ASSERT_FALSE(got.losses.empty()) << what;
    ASSERT_GE(expected.losses.size(), got.losses.size()) << what;
    const std::size_t skip = expected.losses.size() - got.losses.size();
    for (std::size_t i = 0; i < got.losses.size(); ++i) {
        EXPECT_NEAR(expected.losses[skip + i], got.losses[i], 1e-5) << what << ", step " << skip + i + 1;
        EXPECT_NEAR(expected.norms[skip + i], got.norms[i], 1e-4) << what << ", step " << skip + i + 1;
    }
    EXPECT_NEAR(expected.evaluation, got.evaluation, 1e-5) << what;
}

}  // namespace trainyard::test
