// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/dashboard/replot.h"

#include <cmath>
#include <ctime>
#include <memory>
#include <random>
#include <utility>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QGridLayout>
#include <QMouseEvent>
#include <QTimer>

#include "widgets/plot/chart_link.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::bench {

namespace {

using widgets::CurveChart;
using widgets::Series;
using widgets::XRange;

constexpr int kRounds = 15;

Series noisy(int count, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.3);
    std::vector<widgets::SeriesPoint> points;
    points.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const double x = static_cast<double>(i) / count;
        points.push_back({i, static_cast<double>(i), static_cast<float>(3 / (1 + 10 * x) + noise(random))});
    }
    Series series;
    series.append(points);
    return series;
}

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

/// One complete repaint: data reduction, replot, painting.
double picture(CurveChart& chart) {
    QElapsedTimer clock;
    clock.start();
    chart.dataChanged();
    chart.flush();
    chart.repaint();
    return milliseconds(clock);
}

Figure figure(const char* id, const char* what, double target, const char* unit = "ms") {
    return {id, what, unit, {}, {}, target, true};
}

void move_to(CurveChart& chart, const QPointF& at, Qt::MouseButtons buttons) {
    QMouseEvent event(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, buttons,
                      buttons ? Qt::ShiftModifier : Qt::NoModifier);
    QApplication::sendEvent(&chart, &event);
}

/// P1, P4: one curve.
void single(std::vector<Figure>& figures) {
    const Series million = noisy(1'000'000);
    const Series hundred = noisy(100'000);
    CurveChart chart(QStringLiteral("bench"));
    chart.resize(1200, 700);
    chart.setCurves({{QStringLiteral("loss"), &million, 1, true}});
    chart.show();
    spin(100);
    Figure raw = figure("replot.1M", "1 M points, raw line, 1200x700 (P1)", 10);
    for (int i = 0; i < kRounds; ++i)
        raw.values.push_back(picture(chart));
    chart.setSmoothing(0.9);
    do
        picture(chart);
    while (!chart.remarks().isEmpty());  // a long trend is computed over several repaints
    Figure banded = figure("replot.banded", "1 M points, band + raw + smoothed", 16);
    for (int i = 0; i < kRounds; ++i)
        banded.values.push_back(picture(chart));
    Figure zoom = figure("replot.zoom", "the same while zooming in 10 % a frame", 16);
    XRange range{0, 1e6};
    for (int i = 0; i < kRounds; ++i) {
        range = {range.lower + range.size() * 0.06, range.upper - range.size() * 0.04};
        chart.setXRange(range);
        zoom.values.push_back(picture(chart));
    }
    chart.setSmoothing(0);
    chart.setCurves({{QStringLiteral("loss"), &hundred, 1, true}});
    chart.fit();
    Figure small = figure("replot.100k", "100,000 points, raw line, 1200x700 (P1)", 5);
    for (int i = 0; i < kRounds; ++i)
        small.values.push_back(picture(chart));
    Figure slider = figure("smoothing.100k", "slider to new picture, 100,000 points (P4)", 16);
    for (int i = 0; i < kRounds; ++i) {
        QElapsedTimer clock;
        clock.start();
        chart.setSmoothing(0.5 + 0.03 * i);
        chart.flush();
        chart.repaint();
        slider.values.push_back(milliseconds(clock));
    }
    figures.insert(figures.end(), {raw, banded, zoom, small, slider});
}

/// P2: 500 curves.
void many(std::vector<Figure>& figures) {
    std::vector<Series> series;
    series.reserve(500);
    QVector<widgets::Curve> curves;
    for (int i = 0; i < 500; ++i) {
        series.push_back(noisy(1000, static_cast<unsigned>(i)));
        curves.append({QStringLiteral("run %1").arg(i), &series.back(), i + 1, false});
    }
    CurveChart chart(QStringLiteral("bench"));
    chart.resize(1200, 700);
    chart.setCurves(curves);
    chart.show();
    spin(100);
    Figure all = figure("replot.500", "500 curves of 1,000 points (P2)", 60);
    for (int i = 0; i < kRounds; ++i)
        all.values.push_back(picture(chart));
    Figure hover = figure("hover.500", "pointer over them: crosshair, table, thick curve (P2)", 16);
    for (int i = 0; i < 3 * kRounds; ++i) {
        QElapsedTimer clock;
        clock.start();
        move_to(chart, {200.0 + 17 * i, 300.0 + 3 * i}, Qt::NoButton);
        chart.repaint();
        hover.values.push_back(milliseconds(clock));
    }
    Figure pan = figure("pan.500", "dragging them from the kept picture (P2)", 16);
    chart.setXRange({100, 900});
    chart.flush();
    chart.repaint();
    QMouseEvent press(QEvent::MouseButtonPress, QPointF(600, 300), chart.mapToGlobal(QPointF(600, 300)), Qt::LeftButton,
                      Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(&chart, &press);
    for (int i = 0; i < 2 * kRounds; ++i) {
        const double used = thread_seconds();
        // An event loop that sleeps: processEvents() with a time limit would poll and measure itself.
        QEventLoop loop;
        QObject::connect(&chart, &CurveChart::redrawn, &loop, &QEventLoop::quit);
        move_to(chart, {600.0 - 5 * i, 300}, Qt::LeftButton);
        loop.exec();
        chart.repaint();
        pan.values.push_back((thread_seconds() - used) * 1000);  // without the pause between two repaints
    }
    figures.insert(figures.end(), {all, hover, pan});
}

/// P3: a page of small charts.
void page(std::vector<Figure>& figures) {
    std::vector<Series> series;
    series.reserve(100);
    QWidget window;
    auto* grid = new QGridLayout(&window);
    grid->setSpacing(4);
    std::vector<CurveChart*> charts;
    for (int i = 0; i < 100; ++i) {
        series.push_back(noisy(1000, static_cast<unsigned>(i)));
        auto* chart = new CurveChart(QStringLiteral("tag %1").arg(i));
        chart->setDense(true);
        chart->setCurves({{QStringLiteral("tag %1").arg(i), &series.back(), i + 1, false}});
        grid->addWidget(chart, i / 10, i % 10);
        charts.push_back(chart);
    }
    window.resize(1920, 1200);
    window.show();
    spin(300);
    Figure all = figure("replot.page", "100 charts of 1,000 points at once (P3)", 50);
    for (int i = 0; i < kRounds; ++i) {
        QElapsedTimer clock;
        clock.start();
        for (CurveChart* chart : charts) {
            chart->dataChanged();
            chart->flush();
        }
        all.values.push_back(milliseconds(clock));
    }
    figures.push_back(all);
}

/// P5: live charts.
void live_charts(std::vector<Figure>& figures) {
    static constexpr int kPoints = 100'000;
    std::vector<Series> series;
    series.reserve(48);
    QWidget window;
    auto* grid = new QGridLayout(&window);
    std::vector<CurveChart*> charts;
    widgets::ChartLink link;
    for (int i = 0; i < 12; ++i) {
        QVector<widgets::Curve> curves;
        for (int k = 0; k < 4; ++k) {
            series.push_back(noisy(kPoints, static_cast<unsigned>(4 * i + k)));
            curves.append({QStringLiteral("run %1").arg(k), &series.back(), k + 1, true});
        }
        auto* chart = new CurveChart(QStringLiteral("tag %1").arg(i));
        chart->setCurves(curves);
        chart->setSmoothing(0.9);
        grid->addWidget(chart, i / 3, i % 3);
        link.add(chart);
        charts.push_back(chart);
    }
    window.resize(1440, 900);
    window.show();
    spin(1500);
    Figure busy = figure("live.busy", "12 charts x 4 curves x 100,000 points, 20 updates/s (P5)", 40, "% of a core");
    for (int round = 0; round < 5; ++round) {
        QEventLoop loop;
        QTimer update;
        int updates = 0;
        std::int64_t step = kPoints + 40 * round;
        QObject::connect(&update, &QTimer::timeout, &loop, [&] {
            for (Series& one : series)
                one.append({step, static_cast<double>(step), 0.5});
            ++step;
            for (CurveChart* chart : charts)
                chart->dataChanged();
            if (++updates == 40)
                loop.quit();
        });
        QElapsedTimer clock;
        clock.start();
        const double used = thread_seconds();
        update.start(50);
        loop.exec();
        busy.values.push_back(100 * (thread_seconds() - used) / (milliseconds(clock) * 1e-3));
    }
    figures.push_back(busy);
}

/// P6: a hundred million points, 4K wide.
void endless(std::vector<Figure>& figures) {
    static constexpr std::int64_t kPoints = 100'000'000;
    Series series;
    std::vector<widgets::SeriesPoint> chunk;
    std::mt19937 random(7);
    std::vector<float> noise(65536);
    std::normal_distribution<float> normal(0, 0.3F);
    for (float& value : noise)
        value = normal(random);
    for (std::int64_t i = 0; i < kPoints; ++i) {
        const double x = static_cast<double>(i) / static_cast<double>(kPoints);
        chunk.push_back(
            {i, static_cast<double>(i), static_cast<float>(3 / (1 + 10 * x)) + noise[random() % noise.size()]});
        if (chunk.size() == widgets::SeriesChunk::kMost || i + 1 == kPoints) {
            series.append(widgets::SeriesChunk::seal(chunk));
            chunk.clear();
        }
    }
    CurveChart chart(QStringLiteral("bench"));
    chart.resize(3840, 2000);
    chart.setCurves({{QStringLiteral("loss"), &series, 1, true}});
    chart.show();
    spin(100);
    Figure open = figure("endless.open", "100 M points, 3840x2000, all of them (P6)", 16);
    for (int i = 0; i < kRounds; ++i)
        open.values.push_back(picture(chart));
    Figure zoom = figure("endless.zoom", "the same while zooming and panning (P6)", 16);
    XRange range{0, static_cast<double>(kPoints)};
    for (int i = 0; i < 2 * kRounds; ++i) {
        range = i < kRounds ? XRange{range.lower + range.size() * 0.06, range.upper - range.size() * 0.04}
                            : XRange{range.lower + range.size() * 0.03, range.upper + range.size() * 0.03};
        chart.setXRange(range);
        zoom.values.push_back(picture(chart));
    }
    figures.insert(figures.end(), {open, zoom});
}

}  // namespace

double thread_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void spin(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds)
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
}

std::vector<Figure> replots(const std::string& part) {
    std::vector<Figure> figures;
    for (const auto& [name, measure] : std::initializer_list<std::pair<const char*, void (*)(std::vector<Figure>&)>>{
             {"single", single}, {"many", many}, {"page", page}, {"updates", live_charts}, {"endless", endless}})
        if (part == name)
            measure(figures);
    return figures;
}

}  // namespace trainyard::bench
