// SPDX-License-Identifier: GPL-3.0-or-later
// What a plot is given to draw: bounded in number, and no spike lost at any zoom.

#include "widgets/plot/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace trainyard::widgets {
namespace {

constexpr std::size_t kPoints = 300'000;
constexpr std::size_t kSpike = 123'457;
constexpr int kColumns = 1200;

Series with_spike() {
    std::mt19937 random(5);
    std::normal_distribution<double> noise(2.5, 0.3);
    std::vector<SeriesPoint> points;
    for (std::size_t i = 0; i < kPoints; ++i)
        points.push_back({static_cast<std::int64_t>(i), static_cast<double>(i), noise(random)});
    points[kSpike].value = 77;
    Series series;
    series.append(points);
    return series;
}

double highest(const std::vector<QPointF>& points) {
    double high = -HUGE_VAL;
    for (const QPointF& point : points)
        if (std::isfinite(point.y()))
            high = std::max(high, point.y());
    return high;
}

TEST(Reduction, KeepsTheSpikeAtEveryZoom) {
    const Series series = with_spike();
    for (double width = kPoints; width > 4; width /= 1.7)
        for (double place : {0.0, 0.3, 0.5, 0.99}) {
            const double lower = static_cast<double>(kSpike) - width * place;
            const XRange range{lower, lower + width};
            const std::vector<QPointF> points = reduced(raw(series), XScale{}, range, kColumns);
            EXPECT_EQ(highest(points), 77) << width << ' ' << place;
            EXPECT_LE(points.size(), 2u * kColumns + 2) << width;
        }
}

TEST(Reduction, GivesFewPointsAsTheyAreAndOneBeyondEachEnd) {
    const Series series = with_spike();
    const std::vector<QPointF> points = reduced(raw(series), XScale{}, {1000, 1010}, kColumns);
    ASSERT_EQ(points.size(), 13u);
    EXPECT_EQ(points.front().x(), 999);
    EXPECT_EQ(points.back().x(), 1011);
    EXPECT_EQ(points[1].y(), series.value(1000));
}

TEST(Reduction, IsInOrderAndWithinTheValues) {
    const Series series = with_spike();
    const std::vector<QPointF> points = reduced(raw(series), XScale{}, {-5000, 290'000.5}, 640);
    EXPECT_TRUE(
        std::is_sorted(points.begin(), points.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
    for (const QPointF& point : points)
        ASSERT_EQ(point.y(), series.value(static_cast<std::size_t>(point.x())));
}

TEST(Reduction, AColumnWithoutFiniteValuesIsAGap) {
    std::vector<SeriesPoint> points;
    for (int i = 0; i < 10'000; ++i)
        points.push_back({i, 0, i >= 4000 && i < 6000 ? std::numeric_limits<double>::quiet_NaN() : 1.0});
    Series series;
    series.append(points);
    const std::vector<QPointF> drawn = reduced(raw(series), XScale{}, {0, 9999}, 100);
    EXPECT_TRUE(std::any_of(drawn.begin(), drawn.end(), [](const QPointF& point) { return std::isnan(point.y()); }));
    EXPECT_TRUE(std::none_of(drawn.begin(), drawn.end(), [](const QPointF& point) {
        return std::isfinite(point.y()) && point.x() >= 4000 && point.x() < 6000;
    }));
}

TEST(Reduction, BandHoldsTheExtremesOfItsColumns) {
    const Series series = with_spike();
    const Band edges = band(series, XScale{}, {0, static_cast<double>(kPoints - 1)}, 400);
    ASSERT_EQ(edges.lower.size(), edges.upper.size());
    ASSERT_EQ(edges.lower.size(), 400u);
    EXPECT_EQ(highest(edges.upper), 77);
    for (std::size_t i = 0; i < edges.lower.size(); ++i)
        ASSERT_LE(edges.lower[i].y(), edges.upper[i].y());
}

TEST(Reduction, RangeOfValuesLooksAtTheVisiblePartAndAboveZeroOnALogAxis) {
    Series series;
    for (int i = 0; i < 100; ++i)
        series.append({i, 0, i == 50 ? -3.0 : i == 60 ? 0.25 : 1.0 + i});
    double low = 0, high = 0;
    ASSERT_TRUE(value_range(raw(series), XScale{}, {40, 70}, false, low, high));
    EXPECT_EQ(low, -3.0);
    EXPECT_EQ(high, 71.0);
    ASSERT_TRUE(value_range(raw(series), XScale{}, {40, 70}, true, low, high));
    EXPECT_EQ(low, 0.25);
    EXPECT_FALSE(value_range(raw(series), XScale{}, {50, 50.5}, true, low, high));
    EXPECT_FALSE(value_range(raw(series), XScale{}, {500, 600}, false, low, high));
}

TEST(Reduction, EmptySeriesAndEmptyRangesGiveNothing) {
    const Series none;
    EXPECT_TRUE(reduced(raw(none), XScale{}, {0, 1}, 100).empty());
    const Series series = with_spike();
    EXPECT_TRUE(reduced(raw(series), XScale{}, {5, 5}, 100).empty());
    EXPECT_TRUE(reduced(raw(series), XScale{}, {0, 10}, 0).empty());
    EXPECT_TRUE(band(none, XScale{}, {0, 1}, 100).lower.empty());
}

}  // namespace
}  // namespace trainyard::widgets
