// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the column store of a curve: extremes at every zoom level, truncation, and positions on the three horizontal
// axes.

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

TEST(Series, ExtremesEqualAPlainScan) {
    const Series series = noisy(5000);
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
        std::size_t a = random() % 5001, b = random() % 5001;
        if (a > b)
            std::swap(a, b);
        const Extremes expected = plain_extremes(a, b, [&](std::size_t i) { return series.value(i); });
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

std::vector<SeriesPoint> all_of(const Series& series) {
    std::vector<SeriesPoint> points;
    series.forEach(0, series.size(), [&](std::size_t, const SeriesPoint& point) { points.push_back(point); });
    return points;
}

/// Values that are floats, uneven steps and times from some place on.
std::vector<SeriesPoint> of_an_event_file(std::size_t count) {
    std::mt19937 random(8);
    std::vector<SeriesPoint> points;
    std::int64_t step = 0;
    double time = 1.7e9;
    for (std::size_t i = 0; i < count; ++i) {
        points.push_back({step, time, static_cast<float>(random() % 1000) / 7.0f});
        step += i < 5000 ? 10 : 1 + static_cast<std::int64_t>(random() % 3);
        time += 0.125 * static_cast<double>(random() % 8);
    }
    return points;
}

TEST(Series, ChunksOfAReadingThreadEqualPointsOneByOne) {
    const std::vector<SeriesPoint> points = of_an_event_file(20'000);
    Series grown, handed;
    std::mt19937 random(1);
    for (const SeriesPoint& point : points)
        grown.append(point);
    for (std::size_t i = 0; i < points.size();) {
        SeriesPiece piece;
        for (std::size_t left = 1 + random() % 6000; left > 0 && i < points.size(); --left)
            piece.add(points[i++]);
        piece.finish();
        handed.append(piece);
    }
    ASSERT_EQ(grown.size(), points.size());
    ASSERT_EQ(handed.size(), points.size());
    EXPECT_EQ(handed.cuts(), 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (const Series* series : {&grown, &handed}) {
            ASSERT_EQ(series->step(i), points[i].step) << i;
            ASSERT_EQ(series->value(i), points[i].value) << i;
            ASSERT_NEAR(series->wallTime(i), points[i].wall_time, 2e-6) << i;
        }
        ASSERT_EQ(handed.lowerBound(static_cast<double>(points[i].step), {}), i);
    }
    EXPECT_EQ(all_of(grown).size(), points.size());
    for (int round = 0; round < 500; ++round) {
        std::size_t a = random() % (points.size() + 1), b = random() % (points.size() + 1);
        if (a > b)
            std::swap(a, b);
        const Extremes wanted = plain_extremes(a, b, [&](std::size_t i) { return points[i].value; });
        for (const Series* series : {&grown, &handed}) {
            ASSERT_EQ(series->extremes(a, b).lowest, wanted.lowest) << a << ' ' << b;
            ASSERT_EQ(series->extremes(a, b).highest, wanted.highest) << a << ' ' << b;
        }
    }
    // Bytes per point, including the index for drawing and searching. An event file has 20 bytes of step, time and
    // value.
    EXPECT_LT(static_cast<double>(grown.bytes()) / static_cast<double>(points.size()), 13.0);
}

TEST(Series, KeepsStepsOfAnyKind) {
    const std::vector<std::int64_t> steps{std::numeric_limits<std::int64_t>::min(), -1, -1, 0, 3, 1LL << 40,
                                          std::numeric_limits<std::int64_t>::max()};
    std::vector<SeriesPoint> points;
    for (std::int64_t step : steps)
        points.push_back({step, std::nan(""), 0.1});
    const SealedChunk chunk = SeriesChunk::seal(points);
    Series series;
    series.append(chunk);
    ASSERT_EQ(series.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(series.step(i), steps[i]);
        EXPECT_EQ(series.wallTime(i), 0);
        EXPECT_EQ(series.value(i), 0.1);
    }
    const SealedChunk still = SeriesChunk::seal(std::vector<SeriesPoint>(5, {7, 3.5, 1}));
    EXPECT_EQ(still->step(4), 7);
    EXPECT_EQ(still->wallTime(4), 3.5);
}

TEST(Series, RestartsCutIntoSealedChunks) {
    for (std::int64_t from : {0, 1, 4095, 4096, 4097, 8191, 8192, 11'999, 12'000}) {
        Series series;
        SeriesPiece piece;
        for (int i = 0; i < 12'000; ++i)
            piece.add({i, static_cast<double>(i), i == 100 || i == 9000 ? std::nan("") : 0.5 * i});
        piece.finish();
        series.append(piece);
        series.dropFrom(from);
        ASSERT_EQ(series.size(), static_cast<std::size_t>(from));
        EXPECT_EQ(series.notFinite().size(), from > 9000 ? 2u : from > 100 ? 1u : 0u) << from;
        for (std::int64_t i = from; i < from + 3000; ++i)
            series.append({i, 0, -1.0});
        ASSERT_EQ(series.size(), static_cast<std::size_t>(from) + 3000);
        for (std::size_t i = 0; i < series.size(); ++i) {
            ASSERT_EQ(series.step(i), static_cast<std::int64_t>(i));
            if (i >= static_cast<std::size_t>(from)) {
                ASSERT_EQ(series.value(i), -1.0);
            }
        }
        EXPECT_EQ(series.extremes(0, series.size()).lowest, static_cast<std::size_t>(from));
    }
}

TEST(Series, EarlierStepsOfAnotherPassageOvertake) {
    Series series;
    for (int i = 0; i < 6000; ++i)
        series.append({i, 1.0 * i, 1.0});
    const int cuts = series.cuts();
    // A second writer that continued from 4000, in one piece and one by one, and a third one.
    SeriesPiece piece;
    for (int i = 4000; i < 5000; ++i)
        piece.add({i, 7000.0 + i, 2.0});
    piece.finish();
    series.append(piece);
    for (int i = 5000; i < 5003; ++i)
        series.append({i, 12000.0, 2.0});
    ASSERT_EQ(series.size(), 5003u);
    EXPECT_GT(series.cuts(), cuts);
    for (std::size_t i = 0; i < series.size(); ++i) {
        ASSERT_EQ(series.step(i), static_cast<std::int64_t>(i));
        ASSERT_EQ(series.value(i), i < 4000 ? 1.0 : 2.0);
        if (i > 0) {
            ASSERT_LE(series.wallTime(i - 1), series.wallTime(i));
        }
    }
    series.append(std::vector<SeriesPoint>{{4500, 0, 3.0}, {6001, 0, 3.0}, {3000, 0, 4.0}});
    ASSERT_EQ(series.size(), 3001u);
    EXPECT_EQ(series.value(3000), 4.0);
}

TEST(Series, LowestAboveZeroEqualsAPlainScan) {
    Series series;
    std::mt19937 random(6);
    std::normal_distribution<double> noise(0, 1);
    for (int i = 0; i < 10'000; ++i)
        series.append({i, 0, i < 5000 ? noise(random) : -1.0});
    for (int round = 0; round < 200; ++round) {
        std::size_t a = random() % 10'001, b = random() % 10'001;
        if (a > b)
            std::swap(a, b);
        double wanted = HUGE_VAL;
        for (std::size_t i = a; i < b; ++i)
            if (series.value(i) > 0)
                wanted = std::min(wanted, series.value(i));
        EXPECT_EQ(series.lowestAboveZero(a, b), wanted);
    }
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
