// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Compares the curve of a training on several ranks with that of one rank.

#include <cstddef>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace trainyard::test {

/// Whether a checkpoint of the layout number `first` of `layouts` is continued on the layout number `second`: on itself
/// and on the next one. All pairs: TRAINYARD_ALL_PAIRS, in the label layouts.
inline bool is_continued(std::size_t first, std::size_t second, std::size_t layouts) {
    return second == first || second == (first + 1) % layouts || std::getenv("TRAINYARD_ALL_PAIRS") != nullptr;
}

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
