// The column store: extremes at every zoom, cutting off, places on the three horizontal axes.

#include "widgets/plot/series.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace trainyard::widgets {
namespace {

Series noisy(std::size_t count, std::uint32_t seed = 3) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(2.5, 0.3);
    std::vector<SeriesPoint> points;
    for (std::size_t i = 0; i < count; ++i)
        points.push_back({static_cast<std::int64_t>(i), 100.0 + 0.1 * static_cast<double>(i), noise(random)});
    Series series;
    series.append(points);
    return series;
}

Extremes plain_extremes(const Series& series, std::size_t first, std::size_t last) {
    Extremes found;
    for (std::size_t i = first; i < last; ++i) {
        if (!std::isfinite(series.value(i)))
            continue;
        if (!found.found)
            found = {i, i, true};
        if (series.value(i) < series.value(found.lowest))
            found.lowest = i;
        if (series.value(i) > series.value(found.highest))
            found.highest = i;
    }
    return found;
}

TEST(Series, ExtremesEqualAPlainScan) {
    const Series series = noisy(5000);
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
        std::size_t a = random() % 5001, b = random() % 5001;
        if (a > b)
            std::swap(a, b);
        const Extremes expected = plain_extremes(series, a, b);
        const Extremes found = series.extremes(a, b);
        ASSERT_EQ(found.found, expected.found);
        if (found.found) {
            EXPECT_EQ(series.value(found.lowest), series.value(expected.lowest)) << a << ' ' << b;
            EXPECT_EQ(series.value(found.highest), series.value(expected.highest)) << a << ' ' << b;
        }
    }
}

TEST(Series, GrowingOneByOneEqualsGrowingAtOnce) {
    const Series whole = noisy(1000);
    Series grown;
    for (std::size_t i = 0; i < whole.size(); ++i)
        grown.append({whole.step(i), whole.wallTime(i), whole.value(i)});
    for (std::size_t first = 0; first < 1000; first += 37)
        for (std::size_t last = first + 1; last <= 1000; last += 91) {
            EXPECT_EQ(whole.extremes(first, last).lowest, grown.extremes(first, last).lowest);
            EXPECT_EQ(whole.extremes(first, last).highest, grown.extremes(first, last).highest);
        }
}

TEST(Series, ValuesThatAreNotFiniteAreMarkedAndTakeNoPart) {
    Series series;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < 40; ++i)
        series.append({i, static_cast<double>(i), i % 10 == 3 ? nan : i == 25 ? HUGE_VAL : 1.0 + i});
    ASSERT_EQ(series.notFinite(), (std::vector<std::uint32_t>{3, 13, 23, 25, 33}));
    const Extremes found = series.extremes(0, 40);
    EXPECT_EQ(found.lowest, 0u);
    EXPECT_EQ(found.highest, 39u);
    EXPECT_FALSE(series.extremes(3, 4).found);
    EXPECT_FALSE(series.extremes(5, 5).found);
}

TEST(Series, AStepThatGoesBackDropsWhatItOvertakes) {
    Series series = noisy(200);
    const int cuts = series.cuts();
    series.append({150, 500, 9.0});
    EXPECT_EQ(series.size(), 151u);
    EXPECT_EQ(series.step(150), 150);
    EXPECT_GT(series.cuts(), cuts);
    EXPECT_EQ(series.extremes(0, series.size()).highest, 150u);
    series.dropFrom(0);
    EXPECT_TRUE(series.empty());
    EXPECT_FALSE(series.extremes(0, 0).found);
}

TEST(Series, FindsPlacesByStepTimeAndTokens) {
    const Series series = noisy(100);
    const XScale steps;
    const XScale time{XUnit::Time, 100.0, 1};
    const XScale tokens{XUnit::Tokens, 0, 512};
    EXPECT_EQ(series.lowerBound(10.5, steps), 11u);
    EXPECT_EQ(series.lowerBound(1.0, time), 10u);
    EXPECT_EQ(series.lowerBound(512 * 7.0, tokens), 7u);
    EXPECT_EQ(series.nearest(10.4, steps), 10u);
    EXPECT_EQ(series.nearest(-5, steps), 0u);
    EXPECT_EQ(series.nearest(1e9, steps), 99u);
    EXPECT_DOUBLE_EQ(series.x(10, time), 1.0);
    EXPECT_DOUBLE_EQ(series.x(10, tokens), 5120.0);
}

}  // namespace
}  // namespace trainyard::widgets
