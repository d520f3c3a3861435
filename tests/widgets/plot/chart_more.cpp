// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the chart with mouse and keyboard: many curves, pins, zoom boxes and their history, notes, and the legend.

#include <cmath>

#include <QAction>
#include <QImage>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include "support/settle.h"
#include "widgets/plot/chart_legend.h"
#include "widgets/plot/chart_link.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/plot_canvas.h"
#include "widgets/plot/text_box.h"
#include "widgets/theme.h"

namespace trainyard::widgets {
namespace {

class Charts : public ::testing::Test {
  protected:
    Charts() : chart(QStringLiteral("Loss")) {
        for (int i = 1; i <= 1000; ++i) {
            low.append({i, 1000.0 + i, 1 + 0.001 * i});
            high.append({i, 5000.0 + 2 * i, i == 400 ? 90 : 4.0});
        }
        chart.setCurves({{QStringLiteral("low"), &low, 1, false}, {QStringLiteral("high"), &high, 2, false}});
        chart.resize(640, 320);
        chart.show();
        chart.flush();
    }
    QPoint at(double x, double y) const { return chart.frame().pixelOf({x, y}).toPoint(); }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys) {
        QTest::mousePress(&chart, Qt::LeftButton, keys, from);
        QMouseEvent move(QEvent::MouseMove, to, chart.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, keys);
        QApplication::sendEvent(&chart, &move);
        QTest::mouseRelease(&chart, Qt::LeftButton, keys, to);
        chart.flush();
    }
    int pixelsOf(const QColor& color) {
        const QImage picture = chart.grab().toImage();
        int found = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                found += (picture.pixel(x, y) & 0xffffff) == (color.rgb() & 0xffffff);
        return found;
    }
    Series low, high;
    CurveChart chart;
};

TEST_F(Charts, CtrlDragChoosesABoxAndBackspaceGoesBack) {
    drag(at(200, 40), at(600, 10), Qt::ControlModifier);
    EXPECT_TRUE(chart.isYChosen());
    EXPECT_NEAR(chart.view().x.lower, 200, 3);
    EXPECT_NEAR(chart.view().y.upper, 40, 1);
    EXPECT_NEAR(chart.view().y.lower, 10, 1);
    const XRange box = chart.view().x;
    drag({200, 100}, {300, 100}, Qt::NoModifier);
    EXPECT_FALSE(chart.isYChosen());
    QTest::keyClick(&chart, Qt::Key_Backspace);
    chart.flush();
    EXPECT_EQ(chart.view().x, box);
    EXPECT_TRUE(chart.isYChosen());
    QTest::keyClick(&chart, Qt::Key_Backspace);
    chart.flush();
    EXPECT_TRUE(chart.isFollowing());
    QTest::keyClick(&chart, Qt::Key_Backspace, Qt::ShiftModifier);
    chart.flush();
    EXPECT_EQ(chart.view().x, box);
    QTest::keyClick(&chart, Qt::Key_Z, Qt::ControlModifier);
    chart.flush();
    EXPECT_TRUE(chart.isFollowing());
}

TEST_F(Charts, ARangeThatALogAxisCannotShowIsFittedOnTheWayBack) {
    chart.setXRange({-10, 500});
    chart.flush();
    drag({200, 100}, {300, 100}, Qt::NoModifier);
    const XRange zoomed = chart.view().x;
    QTest::keyClick(&chart, Qt::Key_L, Qt::ShiftModifier);
    chart.back();
    chart.flush();
    EXPECT_EQ(chart.view().x, zoomed);
    chart.back();
    chart.flush();
    EXPECT_TRUE(chart.isFollowing());
    EXPECT_NEAR(chart.view().x.lower, 1, 1e-9);
}

TEST_F(Charts, AnotherUnitForgetsTheZooms) {
    drag({200, 100}, {300, 100}, Qt::NoModifier);
    EXPECT_TRUE(chart.canGoBack());
    chart.setUnit(XUnit::Wall);
    EXPECT_FALSE(chart.canGoBack());
    EXPECT_TRUE(chart.isFollowing());
}

TEST_F(Charts, AStepOutsideALogAxisIsShown) {
    chart.setLogX(true);
    chart.setXRange({10, 100});
    chart.flush();
    QTest::keyClick(&chart, Qt::Key_G);
    auto* field = chart.findChild<QLineEdit*>();
    ASSERT_NE(field, nullptr);
    field->setText(QStringLiteral("500"));
    QTest::keyClick(field, Qt::Key_Return);
    chart.flush();
    EXPECT_EQ(chart.view().crosshair, 500);
    EXPECT_NEAR(chart.view().x.lower, 500 / std::sqrt(10), 1e-6);
    EXPECT_NEAR(chart.view().x.upper, 500 * std::sqrt(10), 1e-6);
}

TEST_F(Charts, OneValueBetweenGapsIsADot) {
    for (const bool gap : {true, false}) {
        Series lonely;
        for (int i = 1; i <= 9; ++i)
            lonely.append({i, 1000.0 + i, i == 5 && !gap ? 2.0 : kNoNumber});
        chart.setCurves({{QStringLiteral("lonely"), &lonely, 3, false}});
        chart.flush();
        // Its middle; the edge of so small a dot is blended with the background.
        EXPECT_EQ(pixelsOf(Theme::instance().runColor(3)) > 0, !gap);
        chart.setCurves({});
    }
}

TEST_F(Charts, PansUpwardsOnceThePointerMovedFar) {
    chart.setXRange({300, 600});
    chart.flush();
    const XRange before = chart.view().y;
    drag({300, 150}, {250, 155}, Qt::ShiftModifier);
    EXPECT_FALSE(chart.isYChosen());
    EXPECT_GT(chart.view().x.lower, 300);
    drag({300, 150}, {300, 200}, Qt::ShiftModifier);
    EXPECT_TRUE(chart.isYChosen());
    EXPECT_GT(chart.view().y.upper, before.upper);
    EXPECT_NEAR(chart.view().y.size(), before.size(), before.size() * 0.2);
}

TEST_F(Charts, TheWheelOverTheNumbersZoomsThem) {
    const QPointF where(20, 150);
    QWheelEvent wheel(where, chart.mapToGlobal(where), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    const XRange x = chart.view().x, y = chart.view().y;
    QApplication::sendEvent(&chart, &wheel);
    chart.flush();
    EXPECT_EQ(chart.view().x, x);
    EXPECT_LT(chart.view().y.size(), y.size());
}

TEST_F(Charts, TwoPinsAreMeasured) {
    QSignalSpy pinned(&chart, &CurveChart::pinsChanged);
    QTest::mouseClick(&chart, Qt::LeftButton, Qt::ControlModifier, at(100, 20));
    QTest::mouseClick(&chart, Qt::LeftButton, Qt::ControlModifier, at(500, 20));
    ASSERT_EQ(chart.pins().size(), 2);
    EXPECT_EQ(pinned.count(), 2);
    const ChartCrosshair::Measure measure = chart.crosshair().measure();
    EXPECT_TRUE(measure.distance.contains(QStringLiteral("steps"))) << measure.distance.toStdString();
    ASSERT_EQ(measure.rows.size(), 2);
    EXPECT_TRUE(measure.rows[0].value.startsWith(QStringLiteral("+0.")));
    QTest::mouseClick(&chart, Qt::LeftButton, Qt::ControlModifier, at(800, 20));
    EXPECT_EQ(chart.pins().size(), 2) << "a third takes the place of the first";
    EXPECT_GT(chart.pins()[0], 400);
    chart.setCrosshair(std::nan(""));
    QTest::keyClick(&chart, Qt::Key_Escape);
    EXPECT_TRUE(chart.pins().isEmpty());
    QTest::mouseMove(&chart, at(300, 20));
    QTest::keyClick(&chart, Qt::Key_M);
    ASSERT_EQ(chart.pins().size(), 1);
    EXPECT_NEAR(chart.pins()[0], 300, 3);
}

TEST_F(Charts, OutliersAreLeftOutAndCounted) {
    EXPECT_GT(chart.view().y.upper, 90);
    chart.setOutliersClipped(true);
    chart.flush();
    EXPECT_LT(chart.view().y.upper, 10);
    ASSERT_EQ(chart.remarks().size(), 1);
    EXPECT_TRUE(chart.remarks()[0].startsWith(QStringLiteral("1 ")));
    EXPECT_TRUE(chart.accessibleDescription().contains(chart.remarks()[0]));
    chart.setOutliersClipped(false);
    chart.flush();
    EXPECT_TRUE(chart.remarks().isEmpty());
}

TEST_F(Charts, ALogAxisSaysWhatItCannotHold) {
    Series mixed;
    for (int i = -5; i <= 100; ++i)
        mixed.append({i, 0, i % 10 == 0 ? 0.0 : 2.0});
    chart.setCurves({{QStringLiteral("mixed"), &mixed, 1, false}});
    QTest::keyClick(&chart, Qt::Key_L);
    chart.flush();
    ASSERT_EQ(chart.remarks().size(), 1);
    EXPECT_TRUE(chart.remarks()[0].startsWith(QStringLiteral("11 "))) << chart.remarks()[0].toStdString();
    QTest::keyClick(&chart, Qt::Key_L, Qt::ShiftModifier);
    EXPECT_TRUE(chart.isLogX());
    chart.flush();
    ASSERT_EQ(chart.remarks().size(), 2);
    EXPECT_TRUE(chart.remarks()[1].startsWith(QStringLiteral("6 "))) << chart.remarks()[1].toStdString();
    EXPECT_GE(chart.view().x.lower, 1);
    EXPECT_FALSE(chart.grab().isNull());
}

TEST_F(Charts, TheCurveUnderThePointerIsFound) {
    QSignalSpy hovered(&chart, &CurveChart::hoveredCurveChanged);
    QTest::mouseMove(&chart, at(700, 4));
    EXPECT_EQ(chart.hoveredCurve(), 1);
    QTest::mouseMove(&chart, at(700, 1.7));
    EXPECT_EQ(chart.hoveredCurve(), 0);
    QTest::mouseMove(&chart, at(700, 50));
    EXPECT_EQ(chart.hoveredCurve(), -1);
    EXPECT_EQ(hovered.count(), 3);
}

TEST_F(Charts, RowsTellTheDifferenceOfACurveThatIsMeasured) {
    QVector<Curve> curves = chart.curves();
    curves[1].measured = curves[0].series;
    chart.setCurves(curves);
    chart.setCrosshair(500);
    const QVector<ChartCrosshair::Row> rows = chart.crosshair().rows();
    ASSERT_EQ(rows.size(), 2);
    EXPECT_FALSE(rows[0].name.contains(QStringLiteral("Δ")));
    EXPECT_TRUE(rows[1].name.contains(QStringLiteral("Δ −2.500"))) << rows[1].name.toStdString();
}

TEST_F(Charts, AValueOfASparseCurveIsAtItsOwnStep) {
    Series sparse;
    for (int step = 400; step <= 2000; step += 400)
        sparse.append({step, 0, 3.0});
    QVector<Curve> curves = chart.curves();
    curves[1] = {QStringLiteral("val"), &sparse, 4, false};
    chart.setCurves(curves);
    chart.flush();
    chart.setCrosshair(500);
    const QVector<ChartCrosshair::Row> rows = chart.crosshair().rows();
    ASSERT_EQ(rows.size(), 2);
    EXPECT_DOUBLE_EQ(rows[0].x, 500);
    EXPECT_DOUBLE_EQ(rows[1].x, 400) << "the dot is where the value was measured";
    EXPECT_EQ(rows[1].name, QStringLiteral("val (at step 400)"));
    chart.setCrosshair(400);
    EXPECT_EQ(chart.crosshair().rows()[1].name, QStringLiteral("val"));
}

TEST_F(Charts, OfFiveHundredCurvesTheNearestAreWritten) {
    std::vector<Series> many(500);
    QVector<Curve> curves;
    for (std::size_t i = 0; i < many.size(); ++i) {
        for (int step = 0; step < 50; ++step)
            many[i].append({step, 0, static_cast<double>(i)});
        curves.append({QStringLiteral("run %1").arg(i), &many[i], static_cast<int>(i) + 1, false});
    }
    chart.setCurves(curves);
    chart.flush();
    QTest::mouseMove(&chart, at(25, 250));
    int rest = 0;
    const QVector<ChartCrosshair::Row> rows = chart.crosshair().rows(10, &rest);
    ASSERT_EQ(rows.size(), 10);
    EXPECT_EQ(rest, 490);
    double before = HUGE_VAL;
    for (const ChartCrosshair::Row& row : rows) {
        EXPECT_NEAR(row.y, 250, 8);
        EXPECT_LT(row.y, before);
        before = row.y;
    }
    EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("492")));
}

TEST_F(Charts, EachCurveHasItsOwnScale) {
    XScale other;
    other.start = 5000;
    QVector<Curve> curves = chart.curves();
    curves[1].scale = other;
    chart.setCurves(curves);
    XScale scale;
    scale.start = 1000;
    chart.setScale(scale);
    chart.setUnit(XUnit::Time);
    chart.flush();
    EXPECT_NEAR(chart.view().x.lower, 1, 1e-9);
    EXPECT_NEAR(chart.view().x.upper, 2000, 45);
    chart.setCrosshair(1000);
    EXPECT_NEAR(chart.crosshair().value(0), 2, 1e-6);
    chart.setUnit(XUnit::Wall);
    chart.flush();
    EXPECT_NEAR(chart.view().x.lower, 1001, 1e-9);
    EXPECT_NEAR(chart.view().x.upper, 7000, 130);
}

TEST_F(Charts, HiddenCurvesAreNeitherDrawnNorMeasured) {
    chart.setCurveVisible(1, false);
    chart.flush();
    EXPECT_LT(chart.view().y.upper, 5);
    EXPECT_EQ(pixelsOf(Theme::instance().runColor(2)), 0);
    chart.setCrosshair(100);
    EXPECT_EQ(chart.crosshair().rows().size(), 1);
    chart.isolate(1);
    EXPECT_FALSE(chart.curves()[0].visible);
    chart.isolate(1);
    EXPECT_TRUE(chart.curves()[0].visible);
}

TEST_F(Charts, TheLegendHidesAndIsolates) {
    ChartLegend legend(&chart);
    legend.resize(400, legend.heightForWidth(400));
    legend.show();
    QTest::mouseClick(&legend, Qt::LeftButton, {}, {20, 10});
    EXPECT_FALSE(chart.curves()[0].visible);
    QTest::mouseClick(&legend, Qt::LeftButton, {}, {20, 10});
    EXPECT_TRUE(chart.curves()[0].visible);
    QTest::mouseClick(&legend, Qt::LeftButton, Qt::ControlModifier, {20, 10});
    EXPECT_FALSE(chart.curves()[1].visible);
    QTest::keyClick(&legend, Qt::Key_Return);
    EXPECT_TRUE(chart.curves()[1].visible);
    QTest::keyClick(&legend, Qt::Key_Right);
    QTest::keyClick(&legend, Qt::Key_Space);
    EXPECT_FALSE(chart.curves()[1].visible);
    EXPECT_TRUE(legend.accessibleDescription().contains(QStringLiteral("high")));
    QTest::mouseMove(&legend, {21, 11});
    EXPECT_EQ(chart.hoveredCurve(), 0);
    EXPECT_FALSE(legend.grab().isNull());
}

TEST_F(Charts, FromRightToLeftWordsAreMirroredAndTimeIsNot) {
    const QImage before = chart.grab().toImage();
    chart.setLayoutDirection(Qt::RightToLeft);
    chart.dataChanged();
    chart.flush();
    EXPECT_EQ(chart.grab().toImage(), before);  // axes, numbers and curves
    EXPECT_LT(at(100, 2).x(), at(900, 2).x());

    // In a right-to-left layout the box is on the other side of the crosshair, with swatches at its right and numbers
    // at its left.
    TextBox box;
    box.left = QStringLiteral("step 500");
    box.rows.append({Qt::red, QStringLiteral("low"), QStringLiteral("1.5"), false});
    const QRectF inside(0, 0, 600, 300);
    EXPECT_GT(box.beside({300, 20}, inside, Qt::LeftToRight).x(), 300);
    EXPECT_LT(box.beside({300, 20}, inside, Qt::RightToLeft).x() + box.size().width(), 300);
    EXPECT_GT(box.beside({10, 20}, inside, Qt::RightToLeft).x(), 10);
    const auto swatch = [&](Qt::LayoutDirection direction) {
        QImage image(box.size().toSize() + QSize(2, 2), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setLayoutDirection(direction);
        box.paint(painter, {0, 0}, screen_look());
        for (int x = 0; x < image.width(); ++x)
            for (int y = 0; y < image.height(); ++y)
                if (image.pixelColor(x, y) == QColor(Qt::red))
                    return static_cast<double>(x) / image.width();
        return -1.0;
    };
    EXPECT_GT(swatch(Qt::LeftToRight), 0);
    EXPECT_LT(swatch(Qt::LeftToRight), 0.3);
    EXPECT_GT(swatch(Qt::RightToLeft), 0.7);
}

TEST_F(Charts, TheLegendBeginsAtTheRightFromRightToLeft) {
    ChartLegend legend(&chart);
    legend.setLayoutDirection(Qt::RightToLeft);
    legend.resize(400, legend.heightForWidth(400));
    legend.show();
    const QImage picture = legend.grab().toImage();
    const QRgb first = Theme::instance().runColor(1).rgb();
    int found = 0;
    for (int x = 0; x < picture.width(); ++x)
        for (int y = 0; y < picture.height(); ++y)
            if (picture.pixel(x, y) == first) {
                EXPECT_GT(x, 375);
                ++found;
            }
    EXPECT_GT(found, 20);
    QTest::mouseClick(&legend, Qt::LeftButton, {}, {380, 10});
    EXPECT_FALSE(chart.curves()[0].visible);
    EXPECT_TRUE(chart.curves()[1].visible);
    QTest::keyClick(&legend, Qt::Key_Left);  // the next one
    QTest::keyClick(&legend, Qt::Key_Space);
    EXPECT_FALSE(chart.curves()[1].visible);
}

TEST_F(Charts, ThePlotKnowsRangesAndTheNearestCurve) {
    // The functions of QCPAbstractPlottable that QCustomPlot calls.
    auto* canvas = chart.findChild<PlotCanvas*>();
    ASSERT_TRUE(canvas);
    ASSERT_EQ(canvas->plottableCount(), 1);
    const QCPAbstractPlottable* curves = canvas->plottable(0);
    bool is_found = false;
    EXPECT_EQ(curves->getKeyRange(is_found), QCPRange(1, 1000));
    EXPECT_TRUE(is_found);
    EXPECT_EQ(curves->getValueRange(is_found, QCP::sdBoth, QCPRange(500, 1000)), QCPRange(1.5, 4));
    QVariant nearest;
    EXPECT_NEAR(curves->selectTest(canvas->frame().pixelOf({700, 1.7}) + QPointF(0, 5), false, &nearest), 5, 1);
    EXPECT_EQ(nearest.toInt(), 0);
    EXPECT_EQ(curves->selectTest(canvas->frame().pixelOf({700, 50}), false), -1);
    chart.setCurveVisible(0, false);
    EXPECT_EQ(curves->getValueRange(is_found, QCP::sdBoth, QCPRange(500, 1000)), QCPRange(4, 4));
    // Long numbers make room for themselves.
    const int left = chart.frame().area.left();
    chart.setCurveVisible(0, true);
    chart.setRanges({1, 1000}, {1.00001, 1.00002});
    chart.flush();
    EXPECT_GT(chart.frame().area.left(), left);
}

TEST_F(Charts, GoesToAStep) {
    chart.setXRange({1, 100});
    chart.flush();
    chart.activateWindow();
    QTest::keyClick(&chart, Qt::Key_G);
    auto* field = chart.findChild<QLineEdit*>();
    ASSERT_TRUE(field);
    QTest::keyClicks(field, QStringLiteral("0.5k"));
    QTest::keyClick(field, Qt::Key_Return);
    chart.flush();
    EXPECT_EQ(chart.view().crosshair, 500);
    EXPECT_LT(chart.view().x.lower, 500);
    EXPECT_GT(chart.view().x.upper, 500);
}

TEST_F(Charts, AsksForANoteOnlyWhereNotesAreOffered) {
    QSignalSpy asked(&chart, &CurveChart::noteRequested);
    QTest::mouseMove(&chart, at(250, 20));
    QTest::keyClick(&chart, Qt::Key_N);
    EXPECT_EQ(asked.count(), 0);
    chart.setNotesOffered(true);
    QTest::keyClick(&chart, Qt::Key_N);
    ASSERT_EQ(asked.count(), 1);
    EXPECT_NEAR(asked[0][0].toDouble(), 250, 3);
}

TEST_F(Charts, TheMenuTellsAndSwitches) {
    const auto action = [&](const QString& name) {
        for (QAction* one : chart.menuActions())
            if (one->objectName() == name)
                return one;
        return static_cast<QAction*>(nullptr);
    };
    EXPECT_FALSE(action(QStringLiteral("log_y"))->isChecked());
    action(QStringLiteral("log_y"))->trigger();
    EXPECT_TRUE(chart.isLogY());
    EXPECT_TRUE(action(QStringLiteral("log_y"))->isChecked());
    EXPECT_TRUE(action(QStringLiteral("plain"))->isChecked());
    action(QStringLiteral("trend1"))->trigger();
    EXPECT_EQ(chart.view().trend, Trend::Median);
    EXPECT_GT(chart.smoothing(), 0);
    EXPECT_FALSE(action(QStringLiteral("back"))->isEnabled());
}

TEST_F(Charts, BestSoFarIsDrawnForEveryCurve) {
    chart.setTrend(Trend::Lowest);
    chart.flush();
    chart.setCrosshair(1000);
    const QVector<ChartCrosshair::Row> rows = chart.crosshair().rows();
    EXPECT_NEAR(rows[0].y, 1.001, 1e-6);
    EXPECT_TRUE(rows[0].name.contains(QStringLiteral("best")));
}

TEST_F(Charts, ALateChartTakesWhatTheOthersShow) {
    ChartLink link;
    link.add(&chart);
    drag({200, 100}, {300, 100}, Qt::NoModifier);
    QTest::mouseClick(&chart, Qt::LeftButton, Qt::ControlModifier, {250, 150});
    {
        CurveChart late(QStringLiteral("rate"));
        late.setCurves({{QStringLiteral("rate"), &low, 1, false}});
        late.resize(300, 200);
        link.add(&late);
        EXPECT_EQ(late.view().x, chart.view().x);
        EXPECT_EQ(late.pins(), chart.pins());
        late.flush();
        EXPECT_EQ(late.view().x, chart.view().x);
    }
    chart.fit();
    EXPECT_FALSE(link.range()) << "the link outlives a chart";
}

TEST_F(Charts, WhatIsScrolledAwayIsNotDrawn) {
    QScrollArea area;
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    std::vector<CurveChart*> charts;
    for (int i = 0; i < 30; ++i) {
        charts.push_back(new CurveChart(QString::number(i)));
        charts.back()->setFixedHeight(150);
        charts.back()->setCurves({{QStringLiteral("x"), &low, 1, false}});
        column->addWidget(charts.back());
    }
    area.setWidget(page);
    area.setWidgetResizable(true);
    area.resize(400, 320);
    area.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return charts[0]->redraws() > 0; }));
    test::settle();
    EXPECT_EQ(charts[20]->redraws(), 0);
    area.verticalScrollBar()->setValue(area.verticalScrollBar()->maximum());
    EXPECT_TRUE(QTest::qWaitFor([&] { return charts[29]->redraws() > 0; }));
    const int first = charts[0]->redraws(), last = charts[29]->redraws();
    for (CurveChart* one : charts)
        one->dataChanged();
    ASSERT_TRUE(QTest::qWaitFor([&] { return charts[29]->redraws() > last; }));
    EXPECT_EQ(charts[0]->redraws(), first);
}

TEST_F(Charts, ColoursFollowTheThemeLive) {
    Theme& theme = Theme::instance();
    theme.setChoice(ThemeChoice::Light);
    chart.dataChanged();
    chart.flush();
    EXPECT_GT(pixelsOf(theme.color(Token::BgPanel)), 10'000);
    const QColor light = theme.color(Token::BgPanel);
    theme.setChoice(ThemeChoice::Dark);
    EXPECT_TRUE(QTest::qWaitFor([&] { return pixelsOf(light) == 0; }));
    EXPECT_GT(pixelsOf(theme.runColor(1)), 50);
    theme.setChoice(ThemeChoice::System);
}

TEST_F(Charts, ASpikeAmongManyPointsIsOnTheScreenAtEveryZoom) {
    Series noisy;
    std::vector<SeriesPoint> points;
    for (int i = 0; i < 100'000; ++i)
        points.push_back({i, 0, i == 61'803 ? 10.0 : 1 + 0.1 * (i * 7919 % 13)});
    noisy.append(points);
    for (Qt::PenStyle dash : {Qt::SolidLine, Qt::DashLine, Qt::DotLine}) {
        Curve curve{QStringLiteral("noisy"), &noisy, 1, false};
        curve.dash = dash;
        chart.setCurves({curve});
        for (double half : {50'000.0, 9'000.0, 700.0, 40.0}) {
            chart.setRanges({61'803 - half, 61'803 + half * 1.1}, {0, 10});
            chart.flush();
            const QImage picture = chart.grab().toImage();
            const QPoint spike = at(61'803, 6);
            const QRgb panel = Theme::instance().color(Token::BgPanel).rgb();
            const auto away = [panel](QRgb pixel) {
                return std::abs(qRed(pixel) - qRed(panel)) + std::abs(qGreen(pixel) - qGreen(panel)) +
                       std::abs(qBlue(pixel) - qBlue(panel));
            };
            bool seen = false;
            for (int x = spike.x() - 5; x <= spike.x() + 5; ++x)
                for (int y = spike.y() - 6; y <= spike.y() + 6; ++y)
                    seen = seen || away(picture.pixel(x, y)) > 100;  // a line of the grid is not
            EXPECT_TRUE(seen) << half << ' ' << dash;
        }
        chart.fit();
    }
}

TEST_F(Charts, SwitchingCurvesForNewOnesKeepsNothingOfTheOld) {
    chart.setSmoothing(0.9);
    for (int round = 0; round < 5; ++round) {
        auto other = std::make_unique<Series>();
        for (int i = 0; i < 100; ++i)
            other->append({i, 0, static_cast<double>(round)});
        chart.setCurves({{QStringLiteral("other"), other.get(), 3, true}});
        chart.flush();
        QTest::mouseMove(&chart, {200 + round, 150});
        EXPECT_FALSE(chart.grab().isNull());
        chart.setCurves({});
        chart.flush();
    }
    EXPECT_FALSE(chart.grab().isNull());
    EXPECT_TRUE(chart.crosshair().rows().isEmpty());
}

}  // namespace
}  // namespace trainyard::widgets
