// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms against figures worked out by hand.

#include "widgets/plot/histogram.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace trainyard::widgets {
namespace {

Histogram histogram(std::vector<double> limits, std::vector<double> counts) {
    return {1, 1, std::move(limits), std::move(counts)};
}

TEST(Rebinned, SpreadsABinOverThoseItCovers) {
    const Histogram one = histogram({0, 1, 3}, {4, 6});
    EXPECT_EQ(rebinned(one, 0, 4, 4), (std::vector<double>{4, 3, 3, 0}));
    EXPECT_EQ(rebinned(one, 0, 4, 2), (std::vector<double>{7, 3}));
    const std::vector<double> fine = rebinned(one, 0, 3, 30);
    EXPECT_NEAR(std::accumulate(fine.begin(), fine.end(), 0.0), one.total(), 1e-9);
    EXPECT_NEAR(fine[3], 0.4, 1e-9);
    EXPECT_NEAR(fine[20], 0.3, 1e-9);
}

TEST(Rebinned, AnInfiniteEndEndsWithThePictureAndAPointHasItsBin) {
    EXPECT_EQ(rebinned(histogram({-HUGE_VAL, 0, HUGE_VAL}, {2, 4}), -2, 2, 4), (std::vector<double>{1, 1, 2, 2}));
    EXPECT_EQ(rebinned(histogram({1, 1}, {5}), 0, 2, 2), (std::vector<double>{0, 5}));
    EXPECT_EQ(rebinned(histogram({}, {}), 0, 1, 2), (std::vector<double>{0, 0}));
    EXPECT_EQ(rebinned(histogram({0, 1}, {3}), 1, 1, 2), (std::vector<double>{0, 0}));
}

TEST(Percentiles, LieLinearlyWithinTheBin) {
    // 100 values evenly over [0, 1): each percentile is its own share.
    const auto even = percentiles(histogram({0, 1}, {100}));
    for (std::size_t i = 0; i < even.size(); ++i)
        EXPECT_NEAR(even[i], kBasisPoints[i] / 10000.0, 1e-12);
}

TEST(Percentiles, ByHand) {
    // Cumulative shares: 10 % up to 1, 60 % up to 2, 100 % up to 4.
    const auto found = percentiles(histogram({0, 1, 2, 4}, {1, 5, 4}));
    EXPECT_DOUBLE_EQ(found[0], 0);
    EXPECT_NEAR(found[1], 0.668, 1e-12);  // 6.68 of the first 10 %
    EXPECT_NEAR(found[2], 1 + (15.87 - 10) / 50, 1e-12);
    EXPECT_NEAR(found[4], 1 + 40.0 / 50, 1e-12);  // the median
    EXPECT_NEAR(found[5], 2 + 2 * (69.15 - 60) / 40, 1e-12);
    EXPECT_DOUBLE_EQ(found[8], 4);
}

TEST(Percentiles, EmptyBinsAreJumpedOver) {
    const auto found = percentiles(histogram({0, 1, 2, 3, 4}, {0, 5, 0, 5}));
    EXPECT_NEAR(found[0], 0, 1e-12);  // TensorBoard: before any count a bin begins at the first limit
    EXPECT_NEAR(found[4], 3, 1e-12);  // half lies below 2, the other half begins at 3
    EXPECT_NEAR(found[8], 4, 1e-12);
}

TEST(Percentiles, InfiniteLimitsAndNothing) {
    const auto found = percentiles(histogram({-1.7e308, 0, 1, 1.7e308}, {0, 10, 0}));
    for (double value : found)
        EXPECT_TRUE(value >= 0 && value <= 1) << value;
    for (double value : percentiles(histogram({0, 1}, {0})))
        EXPECT_TRUE(std::isnan(value));
}

TEST(HistogramRange, HoldsWhatHasCounts) {
    double lower = 0, upper = 0;
    ASSERT_TRUE(
        histogram_range({histogram({-1.7e308, -2, 0, 5, 9}, {1, 1, 1, 0}), histogram({1, 6}, {1})}, lower, upper));
    EXPECT_EQ(lower, -2);
    EXPECT_EQ(upper, 6);
    EXPECT_FALSE(histogram_range({histogram({0, 1}, {0})}, lower, upper));
    ASSERT_TRUE(histogram_range({histogram({3, 3}, {1})}, lower, upper));
    EXPECT_LT(lower, upper);
}

}  // namespace
}  // namespace trainyard::widgets
