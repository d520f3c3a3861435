// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the views of histograms, distributions, pictures, texts and sweeps with mouse and keyboard.

#include <cmath>
#include <fstream>

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "support/child.h"
#include "support/temporary_folder.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/distribution_view.h"
#include "widgets/plot/histogram_view.h"
#include "widgets/plot/parallel_coordinates.h"
#include "widgets/plot/picture_view.h"
#include "widgets/plot/scatter_plot.h"
#include "widgets/plot/text_view.h"

namespace trainyard::widgets {
namespace {

std::vector<Histogram> histograms(int count) {
    std::vector<Histogram> made;
    for (int step = 0; step < count; ++step)
        made.push_back({step * 10, 100.0 + step, {0, 1, 2, 3}, {1.0, 4.0, 1.0 + step}});
    return made;
}

TEST(HistogramViews, SayTheRidgeUnderThePointerAndChooseByKeys) {
    HistogramView view(QStringLiteral("weights"));
    view.resize(500, 280);
    view.setHistograms(histograms(20), 1);
    view.show();
    EXPECT_EQ(view.ridges(), 20);
    QTest::mouseMove(&view, {200, 250});
    EXPECT_EQ(view.chosen(), 19);
    EXPECT_TRUE(view.chosenWords().contains(QStringLiteral("190"))) << view.chosenWords().toStdString();
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_EQ(view.chosen(), 18);
    QTest::keyClick(&view, Qt::Key_Home);
    EXPECT_EQ(view.chosen(), 0);
    EXPECT_FALSE(view.grab().isNull());
}

TEST(HistogramViews, DrawNoMoreRidgesThanCanBeSeen) {
    HistogramView view(QStringLiteral("weights"));
    view.setHistograms(histograms(1000), 1);
    view.resize(400, 240);
    view.show();
    EXPECT_EQ(view.ridges(), 60);
    view.setHistograms({}, 1);
    EXPECT_EQ(view.ridges(), 0);
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_FALSE(view.grab().isNull());
}

TEST(Distributions, AreNinePercentilesInAChart) {
    DistributionView view(QStringLiteral("weights"));
    view.resize(500, 260);
    view.setHistograms(histograms(50), 3);
    view.show();
    view.chart()->flush();
    ASSERT_EQ(view.chart()->curves().size(), 9);
    EXPECT_EQ(view.chart()->view().y.lower <= 0, true);
    view.chart()->setCrosshair(200);
    double before = HUGE_VAL;
    for (const ChartCrosshair::Row& row : view.chart()->crosshair().rows()) {
        EXPECT_LE(row.y, before) << row.name.toStdString();
        before = row.y;
    }
    EXPECT_FALSE(view.grab().isNull());
}

class Pictures : public ::testing::Test {
  protected:
    PictureAt add(std::int64_t step, int width, const char* format) {
        QImage image(width, 8, QImage::Format_RGB32);
        image.fill(QColor(10, 200, 30));
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        image.save(&buffer, format);
        const std::string name = (folder.path() / "events").string();
        std::ofstream file(name, std::ios::binary | std::ios::app);
        file.seekp(0, std::ios::end);
        const auto offset = static_cast<quint64>(file.tellp());
        file.write(bytes.constData(), bytes.size());
        return {step, 0, QString::fromStdString(name), offset, static_cast<quint64>(bytes.size()), width, 8};
    }
    test::TemporaryFolder folder;
};

TEST_F(Pictures, AreReadWhereTheyLieWhenTheirStepIsChosen) {
    PictureView view(QStringLiteral("samples"));
    view.resize(300, 240);
    view.show();
    EXPECT_FALSE(view.grab().isNull());
    const std::vector<PictureAt> three{add(1, 11, "PNG"), add(2, 22, "JPG"), add(3, 33, "PNG")};
    view.setPictures(three);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.image().width() == 33; }, 20'000)) << view.complaint().toStdString();
    QTest::keyClick(&view, Qt::Key_Left);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.image().width() == 22; }, 20'000));
    QTest::keyClick(&view, Qt::Key_Home);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.image().width() == 11; }, 20'000));
    EXPECT_EQ(view.image().pixelColor(3, 3), QColor(10, 200, 30));
    std::vector<PictureAt> four = three;
    four.push_back(add(4, 44, "PNG"));
    view.setPictures(four);
    EXPECT_EQ(view.current(), 0) << "a selected earlier entry must stay selected";
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.image().width() == 44; }, 20'000));
}

TEST_F(Pictures, WhatCannotBeReadIsASentence) {
    PictureView view(QStringLiteral("samples"));
    PictureAt cut = add(7, 10, "PNG");
    cut.length += 1000;
    view.setPictures({cut});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.complaint().isEmpty(); }, 20'000));
    EXPECT_TRUE(view.complaint().contains(QStringLiteral("events")));
    EXPECT_TRUE(view.image().isNull());
    PictureAt huge = add(8, 10, "PNG");
    huge.length = PictureView::kMostBytes + 1;
    EXPECT_THROW(read_picture(huge), std::runtime_error);
    PictureAt wrong = add(9, 10, "PNG");
    wrong.offset += 3;
    wrong.length -= 3;
    EXPECT_THROW(read_picture(wrong), std::runtime_error);
}

TEST(PictureView, AFilmIsPlayedAndHeld) {
    // Two pictures of one pixel, red and blue, for 20 ms each: GIF89a, spelled out.
    const QByteArray gif = QByteArray::fromHex(
        "474946383961010001008000"
        "00ff00000000ff"
        "21f90400020000002c00000000010001000002024401003b");
    QByteArray film = gif.chopped(1);
    film += QByteArray::fromHex("21f90400020000002c00000000010001000002024c01003b");
    const QString path = QDir::tempPath() + QStringLiteral("/film-%1.gif").arg(QCoreApplication::applicationPid());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(film);
    file.write(gif);
    file.close();
    PictureView view(QStringLiteral("films"));
    view.resize(300, 200);
    view.show();
    const auto films = static_cast<quint64>(film.size());
    view.setPictures({{.step = 1, .file = path, .offset = 0, .length = films},
                      {.step = 2, .file = path, .offset = films, .length = static_cast<quint64>(gif.size())}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.isLoading() && !view.image().isNull(); }))
        << view.complaint().toStdString();
    EXPECT_FALSE(view.canPlay()) << "one picture does not move";
    EXPECT_FALSE(test::child<QPushButton>(view)->isVisible());
    view.setCurrent(0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.canPlay(); }));
    EXPECT_FALSE(view.isPlaying());
    auto sees = [&](Qt::GlobalColor color) {
        return QTest::qWaitFor([&] { return view.image().pixelColor(0, 0) == QColor(color); });
    };
    EXPECT_TRUE(sees(Qt::red));
    QTest::keyClick(&view, Qt::Key_Space);
    EXPECT_TRUE(view.isPlaying());
    EXPECT_TRUE(sees(Qt::blue));
    EXPECT_TRUE(sees(Qt::red)) << "playback must start again at the first picture";
    EXPECT_TRUE(sees(Qt::blue));
    QTest::mouseClick(test::child<QPushButton>(view), Qt::LeftButton);
    EXPECT_FALSE(view.isPlaying());
    const QColor held = view.image().pixelColor(0, 0);
    // Another view plays the same pictures meanwhile.
    PictureView other(QStringLiteral("other"));
    other.show();
    other.setPictures({{.step = 1, .file = path, .offset = 0, .length = films}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return other.canPlay(); }));
    QTest::keyClick(&other, Qt::Key_Space);
    for (const Qt::GlobalColor color : {Qt::red, Qt::blue, Qt::red, Qt::blue})
        EXPECT_TRUE(QTest::qWaitFor([&] { return other.image().pixelColor(0, 0) == QColor(color); }));
    EXPECT_EQ(view.image().pixelColor(0, 0), held);
    QFile::remove(path);
}

TEST(Texts, ShowMarkdownAndFetchNothing) {
    test::TemporaryFolder folder;
    const QString secret = QString::fromStdString((folder.path() / "secret.png").string());
    QImage picture(80, 60, QImage::Format_RGB32);
    picture.fill(QColor(3, 250, 7));  // nothing else has this colour
    ASSERT_TRUE(picture.save(secret));
    TextView view(QStringLiteral("notes"));
    view.resize(400, 200);
    view.setTexts({{1, QStringLiteral("# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<b>raw</b>"), false},
                   {2, QStringLiteral("![x](%1) end").arg(secret), true}});
    view.show();
    EXPECT_EQ(view.current(), 1);
    EXPECT_TRUE(view.shownText().contains(QStringLiteral("end")));
    const QImage seen = view.grab().toImage();
    for (int y = 0; y < seen.height(); ++y)
        for (int x = 0; x < seen.width(); ++x)
            ASSERT_NE(seen.pixel(x, y) & 0xffffff, 0x03fa07u) << "a picture the text refers to was read";
    view.setCurrent(0);
    EXPECT_TRUE(view.shownText().contains(QStringLiteral("Title")));
    EXPECT_FALSE(view.shownText().contains(QStringLiteral("# Title")));
    EXPECT_TRUE(view.shownText().contains(QStringLiteral("<b>raw</b>"))) << "HTML stays text";
    EXPECT_FALSE(view.grab().isNull());
}

Sweep sweep() {
    QVector<SweepRun> runs;
    QVector<QStringList> values;
    for (int i = 0; i < 10; ++i) {
        runs.append({QString::number(i), QStringLiteral("run %1").arg(i), i + 1, {}});
        values.append({QString::number(std::pow(10, -5 + 0.3 * i), 'g', 6),
                       i % 2 ? QStringLiteral("sgd") : QStringLiteral("adam"),
                       i == 9 ? QString() : QString::number(3 - 0.1 * i)});
    }
    return sweep_of({QStringLiteral("lr"), QStringLiteral("optimizer"), QStringLiteral("loss")}, runs, values);
}

TEST(Scatter, HoverNamesClickAndBoxSelect) {
    ScatterPlot plot(QStringLiteral("sweep"));
    plot.resize(500, 320);
    plot.setSweep(sweep());
    plot.setAxes(0, 2, 1);
    plot.show();
    EXPECT_EQ(plot.leftOut(), 1);
    QTest::mouseMove(&plot, plot.positionOf(4).toPoint());
    EXPECT_EQ(plot.hovered(), QStringLiteral("4"));
    QSignalSpy selected(&plot, &ScatterPlot::selectionChanged);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.positionOf(4).toPoint());
    EXPECT_EQ(plot.selected(), QSet<QString>{QStringLiteral("4")});
    QTest::mouseClick(&plot, Qt::LeftButton, Qt::ControlModifier, plot.positionOf(2).toPoint());
    EXPECT_EQ(plot.selected().size(), 2);
    const QPoint from = plot.positionOf(5).toPoint() + QPoint(-8, -8), to = plot.positionOf(8).toPoint() + QPoint(8, 8);
    QTest::mousePress(&plot, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, plot.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&plot, &move);
    EXPECT_FALSE(plot.grab().isNull());
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
    EXPECT_EQ(plot.selected().size(), 4);
    EXPECT_EQ(selected.count(), 3);
    const double before = plot.positionOf(5).x();
    QTest::keyClick(&plot, Qt::Key_L, Qt::ShiftModifier);
    EXPECT_NE(plot.positionOf(5).x(), before);
    QTest::keyClick(&plot, Qt::Key_Escape);
    EXPECT_TRUE(plot.selected().isEmpty());
    QSignalSpy opened(&plot, &ScatterPlot::activated);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Return);
    EXPECT_EQ(opened.count(), 1);
}

TEST(Parallel, BrushesKeepRunsAndAxesMove) {
    ParallelCoordinates plot(QStringLiteral("sweep"));
    plot.resize(700, 320);
    plot.setSweep(sweep());
    plot.show();
    EXPECT_EQ(plot.kept().size(), 10);
    QSignalSpy kept(&plot, &ParallelCoordinates::keptChanged);
    // The lower half of the third axis: losses in the better half, and the run without a loss is out.
    const int x = 700 - 70;
    QTest::mousePress(&plot, Qt::LeftButton, {}, {x, 300});
    QMouseEvent move(QEvent::MouseMove, QPointF(x, 170), plot.mapToGlobal(QPointF(x, 170)), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&plot, &move);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, {x, 170});
    ASSERT_TRUE(plot.brush(2));
    EXPECT_LT(plot.brush(2)->lower, 0.05);
    EXPECT_NEAR(plot.brush(2)->upper, 0.5, 0.06);
    EXPECT_GE(kept.count(), 1);
    EXPECT_TRUE(plot.kept().contains(QStringLiteral("8")));
    EXPECT_FALSE(plot.kept().contains(QStringLiteral("0")));
    EXPECT_FALSE(plot.kept().contains(QStringLiteral("9")));
    EXPECT_FALSE(plot.grab().isNull());
    // A name dragged to the left changes the order; the brush stays with its column.
    QTest::mousePress(&plot, Qt::LeftButton, {}, {x, 16});
    QMouseEvent left(QEvent::MouseMove, QPointF(80, 16), plot.mapToGlobal(QPointF(80, 16)), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&plot, &left);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, {80, 16});
    EXPECT_EQ(plot.order(), (QVector<int>{2, 0, 1}));
    EXPECT_TRUE(plot.brush(2));
    plot.setSweep(sweep());
    EXPECT_EQ(plot.order(), (QVector<int>{2, 0, 1})) << "the selection must survive new values";
    EXPECT_TRUE(plot.brush(2));
    QTest::mouseClick(&plot, Qt::LeftButton, {}, {70, 60});
    EXPECT_FALSE(plot.brush(2)) << "a click clears";
    EXPECT_EQ(plot.kept().size(), 10);
}

TEST(Parallel, NamesDoNotOverlapAndNewAxesComeInTheirPlaces) {
    ParallelCoordinates plot(QStringLiteral("sweep"));
    plot.show();
    const auto set = [&plot](const QStringList& names) {
        const QVector<SweepRun> runs{{"a", "a", 1, {}}, {"b", "b", 2, {}}};
        plot.setSweep(sweep_of(names, runs, {QStringList(names.size(), "1"), QStringList(names.size(), "2")}));
    };
    // The settings of the runs are read after the first picture.
    set({"lowest train/loss"});
    set({"weight_decay", "lowest train/loss"});
    set({"learning_rate_of_the_optimizer", "warmup_steps", "weight_decay", "lowest train/loss"});
    EXPECT_EQ(plot.order(), (QVector<int>{0, 1, 2, 3}));
    for (const int width : {240, 320, 480, 640, 1200}) {
        plot.resize(width, 200);
        const QVector<QRectF> names = plot.nameAreas();
        ASSERT_EQ(names.size(), 4);
        for (int i = 0; i < names.size(); ++i) {
            EXPECT_TRUE(QRectF(plot.rect()).contains(names[i])) << width << " px, name " << i;
            for (int k = 0; k < i; ++k)
                EXPECT_FALSE(names[i].intersects(names[k])) << width << " px, names " << k << " and " << i;
        }
    }
    EXPECT_FALSE(plot.grab().isNull());
}

TEST(Parallel, NothingIsDrawnWithoutHarm) {
    ParallelCoordinates plot(QStringLiteral("sweep"));
    plot.resize(300, 200);
    plot.show();
    QTest::keyClick(&plot, Qt::Key_Up);
    EXPECT_FALSE(plot.grab().isNull());
    ScatterPlot scatter(QStringLiteral("sweep"));
    scatter.show();
    QTest::mouseMove(&scatter, {20, 20});
    QTest::keyClick(&scatter, Qt::Key_L);
    EXPECT_FALSE(scatter.grab().isNull());
}

}  // namespace
}  // namespace trainyard::widgets
