// SPDX-License-Identifier: GPL-3.0-or-later
// The chart under mouse and keys: zoom, follow, log axis, smoothing, linked crosshair, redraw only when seen.

#include <cmath>

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include "support/settle.h"
#include "widgets/plot/chart_link.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/theme.h"

namespace trainyard::widgets {
namespace {

class Chart : public ::testing::Test {
  protected:
    Chart() : chart(QStringLiteral("Loss")) {
        for (int i = 1; i <= 1000; ++i)
            series.append({i, 1000.0 + i, 2 + 4 * std::exp(-i / 100.0)});
        chart.setCurves({{QStringLiteral("train"), &series, 1, true}});
        chart.resize(640, 320);
        chart.show();
        chart.flush();
        test::settle();
    }
    void wheel(double notches, QPoint at) {
        QWheelEvent event(at, chart.mapToGlobal(at), {}, {0, static_cast<int>(120 * notches)}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&chart, &event);
        chart.flush();
    }

    Series series;
    CurveChart chart;
};

TEST_F(Chart, FollowsTheRightEdgeUntilOneZooms) {
    EXPECT_TRUE(chart.isFollowing());
    EXPECT_GE(chart.view().x.upper, 1000);
    for (int i = 1001; i <= 2000; ++i)
        series.append({i, 1000.0 + i, 2});
    chart.dataChanged();
    chart.flush();
    EXPECT_GE(chart.view().x.upper, 2000);
    wheel(3, {320, 150});
    EXPECT_FALSE(chart.isFollowing());
    const XRange zoomed = chart.view().x;
    series.append({2500, 4000, 2});
    chart.dataChanged();
    chart.flush();
    EXPECT_EQ(chart.view().x, zoomed);
    QTest::keyClick(&chart, Qt::Key_F);
    chart.flush();
    EXPECT_TRUE(chart.isFollowing());
    EXPECT_GE(chart.view().x.upper, 2500);
}

TEST_F(Chart, TheWheelKeepsWhatIsUnderThePointer) {
    const XRange before = chart.view().x;
    const double share = (200.0 - 48) / (640 - 48 - 12);
    const double under = before.lower + share * before.size();
    wheel(2, {200, 150});
    const XRange after = chart.view().x;
    EXPECT_LT(after.size(), before.size());
    EXPECT_NEAR(after.lower + share * after.size(), under, before.size() * 0.01);
    wheel(-20, {200, 150});
    EXPECT_TRUE(chart.isFollowing()) << "zooming out beyond everything fits";
}

TEST_F(Chart, DragSelectsARangeAndADoubleClickFits) {
    QTest::mousePress(&chart, Qt::LeftButton, {}, {200, 150});
    QTest::mouseMove(&chart, {400, 152});
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, {400, 152});
    chart.flush();
    EXPECT_FALSE(chart.isFollowing());
    EXPECT_NEAR(chart.view().x.size(), 1020 * 200.0 / 580, 20);
    QTest::mouseDClick(&chart, Qt::LeftButton, {}, {300, 150});
    EXPECT_TRUE(chart.isFollowing());
}

TEST_F(Chart, ShiftDragPans) {
    wheel(4, {320, 150});
    const XRange before = chart.view().x;
    QTest::mousePress(&chart, Qt::LeftButton, Qt::ShiftModifier, {300, 150});
    QMouseEvent move(QEvent::MouseMove, QPointF(200, 150), chart.mapToGlobal(QPointF(200, 150)), Qt::NoButton,
                     Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(&chart, &move);
    QTest::mouseRelease(&chart, Qt::LeftButton, Qt::ShiftModifier, {200, 150});
    EXPECT_NEAR(chart.view().x.size(), before.size(), 1e-9);
    EXPECT_GT(chart.view().x.lower, before.lower);
}

TEST_F(Chart, KeysForLogAxisAndSmoothing) {
    QSignalSpy log(&chart, &CurveChart::logToggled);
    QTest::keyClick(&chart, Qt::Key_L);
    EXPECT_TRUE(chart.isLogY());
    EXPECT_EQ(log.count(), 1);
    chart.setSmoothing(0.9);
    QTest::keyClick(&chart, Qt::Key_S);
    EXPECT_EQ(chart.smoothing(), 0);
    QTest::keyClick(&chart, Qt::Key_S);
    EXPECT_EQ(chart.smoothing(), 0.9);
    chart.flush();
    EXPECT_GT(chart.view().y.lower, 0);
}

TEST_F(Chart, CrosshairIsLinkedAndReadsTheCurves) {
    Series other;
    for (int i = 1; i <= 1000; i += 10)
        other.append({i, 1000.0 + i, static_cast<double>(i)});
    CurveChart second(QStringLiteral("rate"));
    second.setCurves({{QStringLiteral("rate"), &other, 2, false}});
    ChartLink link;
    link.add(&chart);
    link.add(&second);
    QTest::mouseMove(&chart, {300, 150});
    ASSERT_FALSE(std::isnan(chart.view().crosshair));
    EXPECT_EQ(second.view().crosshair, chart.view().crosshair);
    EXPECT_NEAR(second.crosshair().value(0), chart.view().crosshair, 6);
    chart.setSmoothing(0.6);
    chart.flush();
    EXPECT_GE(chart.crosshair().rows().size(), 2);
    QTest::keyClick(&chart, Qt::Key_Escape);
    EXPECT_TRUE(std::isnan(second.view().crosshair));
    EXPECT_EQ(second.crosshair().value(0), 991);
    wheel(3, {320, 150});
    EXPECT_EQ(second.view().x, chart.view().x);
}

TEST_F(Chart, IsRedrawnOnlyWhenSeenAndOnceForManyChanges) {
    const int before = chart.redraws();
    for (int i = 0; i < 100; ++i)
        chart.dataChanged();
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart.redraws() > before; }));
    chart.flush();  // draws only what is due
    EXPECT_EQ(chart.redraws(), before + 1);
    chart.hide();
    chart.dataChanged();
    test::settle();
    EXPECT_EQ(chart.redraws(), before + 1);
    chart.show();
    EXPECT_TRUE(QTest::qWaitFor([&] { return chart.redraws() == before + 2; }));
}

TEST_F(Chart, NothingAndOnlyNaNAreDrawnWithoutHarm) {
    Series empty, broken;
    broken.append({1, 1, std::nan("")});
    broken.append({2, 2, std::nan("")});
    chart.setCurves({{QStringLiteral("a"), &empty, 1, true}, {QStringLiteral("b"), &broken, 2, true}});
    chart.setLogY(true);
    chart.setSmoothing(0.5);
    chart.flush();
    chart.setCrosshair(1);
    EXPECT_FALSE(chart.grab().isNull());
    EXPECT_TRUE(std::isfinite(chart.view().y.lower));
}

TEST_F(Chart, DrawsTheCurveInItsColour) {
    chart.flush();
    test::settle();
    const QImage picture = chart.grab().toImage();
    const QRgb color = Theme::instance().runColor(1).rgb();
    int found = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            found += (picture.pixel(x, y) & 0xffffff) == (color & 0xffffff);
    EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace trainyard::widgets
