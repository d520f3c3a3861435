// SPDX-License-Identifier: GPL-3.0-or-later
// Curves computed from curves: against the definition, and growing step by step against all at once.

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "widgets/plot/derived_series.h"
#include "widgets/plot/trend_column.h"

namespace trainyard::widgets {
namespace {

Series series(const std::vector<double>& values, std::int64_t first = 1, std::int64_t stride = 1) {
    Series series;
    for (std::size_t i = 0; i < values.size(); ++i)
        series.append({first + static_cast<std::int64_t>(i) * stride, 100.0 + static_cast<double>(i), values[i]});
    return series;
}

std::vector<double> values_of(const Series& series) {
    std::vector<double> values;
    for (std::size_t i = 0; i < series.size(); ++i)
        values.push_back(series.value(i));
    return values;
}

TEST(Median, IsThatOfTheNeighboursAndOfFewerAtTheEnds) {
    MedianSeries median;
    const Series source = series({5, 1, 9, 2, 8, 3});
    EXPECT_TRUE(median.follow(source, 3));
    EXPECT_EQ(values_of(median.series()), (std::vector<double>{5, 5, 2, 8, 3, 3}));
    EXPECT_EQ(median.series().step(4), 5);
}

TEST(Median, ASpikeLeavesNoTraceAndNaNPassesThrough) {
    MedianSeries median;
    median.follow(series({1, 1, 1, 100, 1, std::nan(""), 1, 1, 1}), 5);
    const std::vector<double> values = values_of(median.series());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i == 5) {
            EXPECT_TRUE(std::isnan(values[i]));
        } else {
            EXPECT_EQ(values[i], 1) << i;
        }
}

TEST(Median, GrowingGivesTheSameAsAllAtOnce) {
    std::mt19937 random(3);
    std::normal_distribution<double> noise;
    Series grown;
    MedianSeries followed;
    for (int i = 0; i < 3000; ++i) {
        grown.append({i, static_cast<double>(i), noise(random)});
        if (i % 37 == 0)
            while (!followed.follow(grown, 21, 100)) {
            }
    }
    while (!followed.follow(grown, 21, 100)) {
    }
    MedianSeries whole;
    ASSERT_TRUE(whole.follow(grown, 21));
    EXPECT_EQ(values_of(followed.series()), values_of(whole.series()));
    // The run went back: what is gone from the source is gone here.
    grown.append({1000, 5000, 7});
    while (!followed.follow(grown, 21, 100)) {
    }
    EXPECT_EQ(followed.series().size(), grown.size());
}

TEST(Median, ItsSpanMatchesTheAgeOfTheAverage) {
    EXPECT_EQ(median_span(0), 1);
    EXPECT_EQ(median_span(0.9), 19);
    EXPECT_EQ(median_span(0.999), 401);
    EXPECT_EQ(median_span(0.6) % 2, 1);
}

TEST(Best, IsTheLowestSoFar) {
    Series source = series({std::nan(""), 5, 7, 3, 4, 2});
    BestSeries best;
    best.follow(source, true);
    EXPECT_EQ(values_of(best.series()), (std::vector<double>{5, 5, 3, 3, 2}));
    EXPECT_EQ(best.skipped(), 1u);
    source.append({100, 200, 1});
    best.follow(source, true);
    EXPECT_EQ(best.series().value(5), 1);
    best.follow(source, false);
    EXPECT_EQ(values_of(best.series()), (std::vector<double>{5, 7, 7, 7, 7, 7}));
}

TEST(Difference, IsTakenAtSharedStepsOnly) {
    Series a = series({10, 20, 30, 40, 50, 60}, 1, 1);
    Series b = series({1, 2, 3}, 2, 2);
    DifferenceSeries difference;
    difference.follow(a, b);
    EXPECT_EQ(values_of(difference.series()), (std::vector<double>{19, 38, 57}));
    EXPECT_EQ(difference.series().step(1), 4);
    EXPECT_EQ(difference.series().wallTime(0), a.wallTime(1));
    a.append({8, 300, 80});
    difference.follow(a, b);
    EXPECT_EQ(difference.series().size(), 3u);
    b.append({8, 300, 4});
    difference.follow(a, b);
    ASSERT_EQ(difference.series().size(), 4u);
    EXPECT_EQ(difference.series().value(3), 76);
    b.append({4, 400, 100});
    difference.follow(a, b);
    EXPECT_EQ(values_of(difference.series()), (std::vector<double>{19, -60}));
}

TEST(Group, MeanAndBandAtTheStepsOfAllThatReachSoFar) {
    const Series a = series({1, 2, 3, 4}, 1), b = series({3, 4, 5}, 1), c = series({5, 7}, 1, 2);
    const GroupSeries group = group_of({&a, &b, &c});
    EXPECT_EQ(values_of(group.mean), (std::vector<double>{3, 5, 4}));
    EXPECT_EQ(values_of(group.lowest), (std::vector<double>{1, 3, 4}));
    EXPECT_EQ(values_of(group.highest), (std::vector<double>{5, 7, 4}));
    EXPECT_EQ(group.mean.step(1), 3);
    EXPECT_TRUE(group_of({}).mean.empty());
}

TEST(Trend, IsComputedAPieceAtATimeAndSaysHowFar) {
    Series source;
    std::vector<SeriesPoint> points;
    for (int i = 0; i < 200'000; ++i)
        points.push_back({i, static_cast<double>(i), static_cast<double>(i % 7)});
    source.append(points);
    for (Trend trend : {Trend::Average, Trend::Median, Trend::Lowest, Trend::Highest}) {
        TrendColumn column;
        EXPECT_FALSE(column.follow(source, trend, 0.9, 0));
        EXPECT_GT(column.done(source), 0);
        EXPECT_LT(column.done(source), 1);
        EXPECT_FALSE(column.valueAt(source, source.size() - 1));
        while (!column.follow(source, trend, 0.9, 0)) {
        }
        EXPECT_EQ(column.done(source), 1);
        ASSERT_TRUE(column.valueAt(source, source.size() - 1));
        if (trend == Trend::Lowest) {
            EXPECT_EQ(column.valueAt(source, source.size() - 1), 0);
        }
        if (trend == Trend::Median) {
            EXPECT_NEAR(*column.valueAt(source, 100'000), 3, 1);
        }
    }
}

}  // namespace
}  // namespace trainyard::widgets
