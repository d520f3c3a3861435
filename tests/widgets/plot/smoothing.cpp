// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing against numbers worked out by hand and against the formula of TensorBoard.

#include "widgets/plot/smoothing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace trainyard::widgets {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> all_of(const SmoothedColumn& column) {
    std::vector<double> values;
    for (std::size_t i = 0; i < column.size(); ++i)
        values.push_back(column.value(i));
    return values;
}

/// As the column keeps them.
std::vector<double> as_floats(std::vector<double> values) {
    for (double& value : values)
        value = static_cast<float>(value);
    return values;
}

TEST(Smoothing, EqualsNumbersWorkedOutByHand) {
    // w = 0.6: last = 0.4*1 = 0.4, / (1-0.6) = 1; 0.24+1.2 = 1.44, / 0.64 = 2.25; 0.864+0.8 = 1.664, / 0.784 = 2.12244897...
    const std::vector<double> found = smoothed({1, 3, 2}, 0.6);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_NEAR(found[0], 1.0, 1e-15);
    EXPECT_NEAR(found[1], 2.25, 1e-15);
    EXPECT_NEAR(found[2], 1.664 / 0.784, 1e-15);
}

TEST(Smoothing, ValuesThatAreNotFinitePassThroughAndDoNotCount) {
    const std::vector<double> found = smoothed({kNan, 1, HUGE_VAL, 3, kNan, 2}, 0.6);
    EXPECT_TRUE(std::isnan(found[0]));
    EXPECT_NEAR(found[1], 1.0, 1e-15);
    EXPECT_EQ(found[2], HUGE_VAL);
    EXPECT_NEAR(found[3], 2.25, 1e-15);
    EXPECT_TRUE(std::isnan(found[4]));
    EXPECT_NEAR(found[5], 1.664 / 0.784, 1e-15);
}

TEST(Smoothing, WeightZeroAndConstantsLeaveTheValues) {
    EXPECT_EQ(smoothed({3, 1, 2}, 0), (std::vector<double>{3, 1, 2}));
    EXPECT_EQ(smoothed({0.1, 0.1, 0.1, 0.1}, 0.97), (std::vector<double>{0.1, 0.1, 0.1, 0.1}));
}

TEST(Smoothing, EqualsThePlainFormulaToTheLastDigitOverALongColumn) {
    std::mt19937 random(9);
    std::normal_distribution<double> noise(2.5, 0.3);
    std::vector<double> values;
    for (int i = 0; i < 20'000; ++i)
        values.push_back(noise(random));
    for (double weight : {0.1, 0.6, 0.9, 0.99, 0.999}) {
        const std::vector<double> found = smoothed(values, weight);
        double last = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            last = last * weight + (1 - weight) * values[i];
            ASSERT_EQ(found[i], last / (1 - std::pow(weight, static_cast<double>(i + 1)))) << weight << ' ' << i;
        }
    }
}

TEST(Smoothing, FollowsASeriesThatGrowsAndIsCut) {
    Series series;
    SmoothedColumn column;
    std::vector<double> values;
    std::mt19937 random(2);
    for (int i = 0; i < 3000; ++i) {
        values.push_back(static_cast<double>(random() % 1000));
        series.append({i, 0, values.back()});
        if (i % 7 == 0)
            column.follow(series, 0.9);
    }
    column.follow(series, 0.9);
    EXPECT_EQ(all_of(column), as_floats(smoothed(values, 0.9)));
    series.dropFrom(1000);
    values.resize(1000);
    column.follow(series, 0.9);
    EXPECT_EQ(all_of(column), as_floats(smoothed(values, 0.9)));
    column.follow(series, 0.5);
    EXPECT_EQ(all_of(column), as_floats(smoothed(values, 0.5)));
    series.clear();
    column.follow(series, 0.5);
    EXPECT_EQ(column.size(), 0u);
}

TEST(Smoothing, ExtremesOfALongColumnEqualAPlainScan) {
    Series series;
    std::mt19937 random(4);
    std::normal_distribution<double> noise(0, 1);
    for (int i = 0; i < 10'000; ++i)
        series.append({i, 0, i % 97 == 0 ? kNan : noise(random)});
    SmoothedColumn column;
    column.follow(series, 0.5);
    ASSERT_EQ(column.size(), 10'000u);
    for (int round = 0; round < 300; ++round) {
        std::size_t a = random() % 10'001, b = random() % 10'001;
        if (a > b)
            std::swap(a, b);
        const Extremes wanted = plain_extremes(a, b, [&](std::size_t i) { return column.value(i); });
        const Extremes found = column.extremes(a, b);
        ASSERT_EQ(found.found, wanted.found);
        double positive = HUGE_VAL;
        for (std::size_t i = a; i < b; ++i)
            if (column.value(i) > 0)
                positive = std::min(positive, column.value(i));
        ASSERT_EQ(column.lowestAboveZero(a, b), positive);
        if (wanted.found) {
            ASSERT_EQ(found.lowest, wanted.lowest);
            ASSERT_EQ(found.highest, wanted.highest);
        }
    }
}

}  // namespace
}  // namespace trainyard::widgets
