// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of drawing curves, as values and as pixels: no spike is lost, and points outside of the chart are counted.

#include <cmath>
#include <random>

#include <QDateTime>
#include <QImage>

#include <gtest/gtest.h>

#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/curve_lines.h"
#include "widgets/plot/plot_frame.h"
#include "widgets/plot/span_raster.h"
#include "widgets/plot/sweep.h"
#include "widgets/plot/zoom_history.h"

namespace trainyard::widgets {
namespace {

constexpr int kDrawnSpike = 654'321;

class Lines : public ::testing::Test {
  protected:
    Lines() {
        std::mt19937 random(5);
        std::normal_distribution<double> noise(0, 0.01);
        std::vector<SeriesPoint> points;
        for (int i = 1; i <= 1'000'000; ++i)
            points.push_back({i, static_cast<double>(i), i == kDrawnSpike ? 9.0 : 1 + noise(random)});
        series.append(points);
        curve = {QStringLiteral("loss"), &series, 1, true};
        view.y = {0, 10};
    }
    static double highest(const std::vector<QPointF>& points) {
        double high = -HUGE_VAL;
        for (const QPointF& point : points)
            if (point.y() > high)
                high = point.y();
        return high;
    }
    Series series;
    Curve curve;
    ChartView view;
    TrendColumn trend;
};

TEST_F(Lines, ASpikeIsSeenAtEveryZoomOnBothKindsOfAxis) {
    for (bool log : {false, true})
        for (double half = 600'000; half > 3; half /= 3) {
            view.log_x = log;
            view.x = {std::max(1.0, kDrawnSpike - half), kDrawnSpike + half};
            for (int columns : {80, 1140, 3840})
                EXPECT_EQ(highest(lines_of(curve, trend, view, columns, false).raw), 9.0)
                    << half << ' ' << columns << ' ' << log;
        }
}

TEST_F(Lines, TheBandHoldsTheSpikeToo) {
    view.smoothing = 0.9;
    while (!trend.follow(series, Trend::Average, 0.9, 100)) {
    }
    view.x = {0, 1'000'000};
    const CurveLines lines = lines_of(curve, trend, view, 1140, true);
    EXPECT_EQ(highest(lines.band.upper), 9.0);
    EXPECT_FALSE(lines.trend.empty());
    EXPECT_TRUE(lines.dense);
    EXPECT_LE(lines.raw.size(), 2 * 1140 + 2u);
}

TEST_F(Lines, TheBestValueSoFarIsALineOfSteps) {
    Series few;
    for (const auto& [step, value] : {std::pair(0, 5.0), {10, 3.0}, {20, 4.0}, {30, 1.0}})
        few.append({step, 0, value});
    const Curve other{QStringLiteral("x"), &few, 1, false};
    view.trend = Trend::Lowest;
    view.x = {0, 30};
    while (!trend.follow(few, Trend::Lowest, 0, 100)) {
    }
    EXPECT_EQ(lines_of(other, trend, view, 1000, false).trend,
              (std::vector<QPointF>{{0, 5}, {10, 5}, {10, 3}, {20, 3}, {30, 3}, {30, 1}}));
}

TEST_F(Lines, PointsOnALogAxisAscendAndAreOncePerPlace) {
    view.log_x = true;
    view.x = {1, 1'000'000};
    const std::vector<QPointF> raw = lines_of(curve, trend, view, 800, false).raw;
    ASSERT_GT(raw.size(), 800u);
    for (std::size_t i = 1; i < raw.size(); ++i)
        ASSERT_GE(raw[i].x(), raw[i - 1].x());
    EXPECT_LT(raw.size(), 4000u);
}

TEST_F(Lines, WhatALogAxisCannotHoldIsAGap) {
    Series mixed;
    for (int i = 0; i < 10; ++i)
        mixed.append({i, 0, i % 3 == 0 ? -1.0 : 1.0});
    Curve other{QStringLiteral("x"), &mixed, 1, false};
    view.log_y = true;
    view.x = {0, 9};
    const std::vector<QPointF> raw = lines_of(other, trend, view, 100, false).raw;
    ASSERT_EQ(raw.size(), 10u);
    EXPECT_TRUE(std::isnan(raw[0].y()));
    EXPECT_EQ(raw[1].y(), 1);
}

TEST_F(Lines, ARestartIsABreak) {
    Series few;
    for (int i = 1; i <= 10; ++i)
        few.append({i, static_cast<double>(i * i), 1});
    Curve restarted{QStringLiteral("x"), &few, 1, false};
    restarted.breaks = {6};
    for (XUnit unit : {XUnit::Step, XUnit::Time}) {
        view.scale.unit = unit;
        view.x = {0, 101};
        const std::vector<QPointF> raw = lines_of(restarted, trend, view, 1000, false).raw;
        ASSERT_EQ(raw.size(), 11u);
        EXPECT_TRUE(std::isnan(raw[5].y()));
        EXPECT_EQ(raw[5].x(), unit == XUnit::Step ? 5.5 : 30.5);
    }
    // In a curve of a million points the break must still be three pixels wide.
    curve.breaks = {500'000};
    view.scale.unit = XUnit::Step;
    view.x = {0, 1'000'000};
    int gaps = 0;
    double before = 0, after = 0;
    const std::vector<QPointF> raw = lines_of(curve, trend, view, 1000, false).raw;
    for (std::size_t i = 1; i + 1 < raw.size(); ++i)
        if (std::isnan(raw[i].y())) {
            ++gaps;
            before = raw[i - 1].x();
            after = raw[i + 1].x();
        }
    EXPECT_EQ(gaps, 1);
    EXPECT_GE(after - before, 2000);
    EXPECT_LE(after - before, 6000);
}

TEST_F(Lines, NoLineLeadsThroughAPauseOnAnAxisOfTime) {
    // Ten points a second apart, and a pause of a minute after the fifth.
    Series few;
    for (int i = 1; i <= 10; ++i)
        few.append({i, i + (i > 5 ? 60.0 : 0.0), 1});
    const Curve paused{QStringLiteral("x"), &few, 1, false};
    view.scale.idle = std::make_shared<const IdleTimes>(IdleTimes{{5.1, 65.2}});
    const auto gaps = [&] {
        const std::vector<QPointF> raw = lines_of(paused, trend, view, 1000, false).raw;
        return std::count_if(raw.begin(), raw.end(), [](const QPointF& point) { return std::isnan(point.y()); });
    };
    view.x = {0, 80};
    for (const XUnit unit : {XUnit::Time, XUnit::Wall}) {
        view.scale.unit = unit;
        view.scale.idle_left_out = false;
        EXPECT_EQ(gaps(), 1) << static_cast<int>(unit);
    }
    // Left out of the time, the pause is no longer than a step; by steps it is nowhere.
    view.scale.unit = XUnit::Time;
    view.scale.idle_left_out = true;
    EXPECT_EQ(gaps(), 0);
    EXPECT_NEAR(few.x(9, view.scale) - few.x(0, view.scale), 9, 0.2);
    view.scale.unit = XUnit::Step;
    EXPECT_EQ(gaps(), 0);
}

TEST_F(Lines, CountsWhatLiesBeyond) {
    EXPECT_EQ(count_above(series, 0, series.size(), 2, 1000), 1u);
    EXPECT_EQ(count_above(series, 0, kDrawnSpike - 1, 2, 1000), 0u);
    EXPECT_EQ(count_below(series, 0, series.size(), 0, 1000), 0u);
    EXPECT_EQ(count_above(series, 0, series.size(), 0, 1000), 1000u) << "stops at the limit";
    Series few;
    for (double value : {1.0, -1.0, std::nan(""), 5.0, HUGE_VAL, -2.0})
        few.append({static_cast<std::int64_t>(few.size()), 0, value});
    EXPECT_EQ(count_above(few, 0, few.size(), 0, 100), 2u);
    EXPECT_EQ(count_below(few, 0, few.size(), 0, 100), 2u);
}

TEST_F(Lines, TheUsualRangeLeavesTheSpikeOut) {
    view.x = {0, 1'000'000};
    double lower = 0, upper = 0;
    ASSERT_TRUE(usual_range({curve}, view, lower, upper));
    EXPECT_GT(lower, 0.9);
    EXPECT_LT(upper, 1.1);
    view.x = {-10, -5};
    EXPECT_FALSE(usual_range({curve}, view, lower, upper));
}

QImage blank() {
    QImage image(40, 100, QImage::Format_RGB32);
    image.fill(Qt::black);
    return image;
}

TEST(Spans, ALineFillsEachColumnItCrosses) {
    QImage image = blank();
    SpanRaster raster(image, image.rect());
    raster.addLine({{0.5, 10.5}, {10.5, 90.5}, {10.7, 5.5}}, qRgb(255, 0, 0));
    for (int y = 6; y <= 90; ++y)
        EXPECT_EQ(image.pixel(10, y), qRgb(255, 0, 0)) << y;
    for (int x = 0; x <= 10; ++x) {
        int count = 0;
        for (int y = 0; y < 100; ++y)
            count += image.pixel(x, y) == qRgb(255, 0, 0);
        EXPECT_GT(count, 0) << x;
    }
    EXPECT_EQ(image.pixel(11, 50), qRgb(0, 0, 0));
}

TEST(Spans, WhatWasLaidFirstStaysInFrontAndNothingLeavesTheArea) {
    QImage image = blank();
    SpanRaster raster(image, QRect(5, 10, 30, 80));
    raster.addLine({{-5, 40}, {50, 40}}, qRgb(255, 0, 0));
    raster.addLine({{10, -1e9}, {10, 1e9}}, qRgb(0, 255, 0));
    raster.addBand({{0, 60}, {29, 60}}, {{0, 20}, {29, 20}}, qRgb(0, 0, 255));
    EXPECT_EQ(image.pixel(15, 50), qRgb(255, 0, 0));
    EXPECT_EQ(image.pixel(15, 10), qRgb(0, 255, 0));
    EXPECT_EQ(image.pixel(20, 60), qRgb(0, 0, 255));
    EXPECT_EQ(image.pixel(4, 50), qRgb(0, 0, 0));
    EXPECT_EQ(image.pixel(15, 9), qRgb(0, 0, 0));
    EXPECT_EQ(image.pixel(15, 90), qRgb(0, 0, 0));
    EXPECT_EQ(image.pixel(35, 50), qRgb(0, 0, 0));
}

TEST(Spans, GapsStayEmptyAndDashesHideNothing) {
    QImage image = blank();
    SpanRaster raster(image, image.rect());
    raster.addLine({{0, 50}, {10, 50}, {15, std::nan("")}, {20, 50}, {39.5, 50}}, qRgb(255, 0, 0), 1, Qt::DashLine,
                   qRgb(60, 0, 0));
    EXPECT_EQ(image.pixel(15, 50), qRgb(0, 0, 0));
    int dashes = 0, between = 0;
    for (int x = 0; x < 40; ++x) {
        dashes += image.pixel(x, 50) == qRgb(255, 0, 0);
        between += image.pixel(x, 50) == qRgb(60, 0, 0);
    }
    EXPECT_GT(dashes, between);
    EXPECT_GT(between, 5);
}

TEST(Frame, PixelsAndValuesAreInverse) {
    PlotFrame frame{QRect(48, 26, 600, 300), {1, 1000}, {0.1, 10}, true, true};
    for (double x : {1.0, 31.6, 1000.0})
        EXPECT_NEAR(frame.xAt(frame.pixelOfX(x)), x, x * 1e-9);
    EXPECT_NEAR(frame.pixelOfY(1), frame.area.bottom() - 150, 1e-9);
    frame.log_x = frame.log_y = false;
    EXPECT_NEAR(frame.yAt(frame.pixelOfY(3)), 3, 1e-9);
}

TEST(History, GoesBackAndForwardAndTakesAMovementAsOne) {
    ZoomHistory history;
    ZoomHistory::Place at{{0, 100}, {0, 1}, true, false}, to;
    EXPECT_FALSE(history.back(at, to));
    history.leave(at, false);
    at.x = {10, 20};
    history.leave(at, true);
    at.x = {11, 19};
    history.leave(at, true);
    at.x = {12, 18};
    ASSERT_TRUE(history.back(at, to));
    EXPECT_EQ(to.x.lower, 10);
    ASSERT_TRUE(history.forward(to, to));
    EXPECT_EQ(to.x.lower, 12);
    ASSERT_TRUE(history.back(to, to));
    ASSERT_TRUE(history.back(to, to));
    EXPECT_TRUE(to.following);
    EXPECT_FALSE(history.hasBack());
}

TEST(WallTicks, StandAtFullHoursDaysAndMonths) {
    const double noon = static_cast<double>(QDateTime(QDate(2026, 11, 21), QTime(12, 7)).toSecsSinceEpoch());
    for (double span : {3600.0 * 5, 86400.0 * 9, 86400.0 * 300}) {
        const TickMarks marks = wall_ticks(noon, noon + span, 6);
        ASSERT_GE(marks.at.size(), 2u) << span;
        ASSERT_LE(marks.at.size(), 14u) << span;
        for (double at : marks.at) {
            const QDateTime time = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(at));
            EXPECT_EQ(time.time().minute(), 0);
            if (span > 86400 * 5) {
                EXPECT_EQ(time.time().hour(), 0);
            }
            if (span > 86400 * 100) {
                EXPECT_EQ(time.date().day(), 1);
            }
        }
    }
    EXPECT_TRUE(wall_ticks(5, 5, 4).at.empty());
}

TEST(Sweeps, ColumnsAreNumbersOrWords) {
    const QVector<SweepRun> runs{{"a", "a", 1, {}}, {"b", "b", 2, {}}, {"c", "c", 3, {}}};
    const Sweep sweep = sweep_of({"lr", "optimizer", "loss"}, runs,
                                 {{"1e-5", "sgd", "2.5"}, {"1e-2", "adam", ""}, {"1e-3", "sgd", "2.25"}});
    EXPECT_TRUE(sweep.axes[0].log);
    EXPECT_TRUE(sweep.axes[1].isWords());
    EXPECT_EQ(sweep.axes[1].words, (QStringList{"adam", "sgd"})) << "in alphabetical order, not in that of the runs";
    EXPECT_FALSE(sweep.axes[2].log);
    EXPECT_EQ(sweep.runs[1].values[1], 0);
    EXPECT_TRUE(std::isnan(sweep.runs[1].values[2]));
    const Sweep sizes = sweep_of({"size"}, runs, {{"16"}, {"auto"}, {"8"}});
    EXPECT_EQ(sizes.axes[0].words, (QStringList{"8", "16", "auto"}));
    const XRange range = sweep_range(sweep, 0);
    EXPECT_LT(range.lower, 1e-5);
    EXPECT_NEAR(*sweep_place(sweep.axes[0], {1e-5, 1e-1}, 1e-3), 0.5, 1e-9);
    EXPECT_FALSE(sweep_place(sweep.axes[0], {1e-5, 1e-1}, -1));
}

}  // namespace
}  // namespace trainyard::widgets
