// bench_dashboard [--json]: is the dashboard fast enough? Prints one line a figure; exit 0 when all could be measured.
//   replot.*    a picture of one curve of a million noisy points at 1200x700, all of it and while zooming (P1)
//   smoothing   from moving the slider to the new picture, 100,000 points (P4)
//   latency     from a step in the event file to the chart with it, the page open (P9)
//   stall       longest time the event loop of the window was held while 20 updates a second come (P16)
//   busy        share of a core that the GUI thread uses meanwhile (P5)

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <thread>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include "bench/engine/figure.h"
#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "support/temporary_folder.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/theme.h"

using namespace trainyard;
using bench::Figure;

namespace {

constexpr int kRounds = 15;

void spin(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds)
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
}

double thread_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

widgets::Series noisy(int count) {
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 0.3);
    std::vector<widgets::SeriesPoint> points;
    for (int i = 0; i < count; ++i) {
        const double x = static_cast<double>(i) / count;
        points.push_back({i, static_cast<double>(i), 3 / (1 + 10 * x) + noise(random)});
    }
    widgets::Series series;
    series.append(points);
    return series;
}

/// Milliseconds of one full picture: reduction, replot, painting.
double picture(widgets::CurveChart& chart) {
    QElapsedTimer clock;
    clock.start();
    chart.dataChanged();
    chart.flush();
    chart.repaint();
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

std::vector<Figure> replots() {
    const widgets::Series million = noisy(1'000'000);
    const widgets::Series hundred = noisy(100'000);
    widgets::CurveChart chart(QStringLiteral("bench"));
    chart.resize(1200, 700);
    chart.setCurves({{QStringLiteral("loss"), &million, 1, true}});
    chart.show();
    spin(100);
    Figure raw{"replot.raw", "1 M points, raw line, 1200x700", "ms", {}, {}, 10, true};
    for (int i = 0; i < kRounds; ++i)
        raw.values.push_back(picture(chart));
    chart.setSmoothing(0.9);
    picture(chart);
    Figure banded{"replot.banded", "1 M points, band + raw + smoothed", "ms", {}, {}, 16, true};
    for (int i = 0; i < kRounds; ++i)
        banded.values.push_back(picture(chart));
    Figure zoom{"replot.zoom", "the same while zooming in 10 % a frame", "ms", {}, {}, 16, true};
    widgets::XRange range{0, 1e6};
    for (int i = 0; i < kRounds; ++i) {
        range = {range.lower + range.size() * 0.06, range.upper - range.size() * 0.04};
        chart.setXRange(range);
        zoom.values.push_back(picture(chart));
    }
    chart.setCurves({{QStringLiteral("loss"), &hundred, 1, true}});
    chart.fit();
    picture(chart);
    Figure slider{"smoothing.100k", "slider to new picture, 100,000 points", "ms", {}, {}, 16, true};
    for (int i = 0; i < kRounds; ++i) {
        QElapsedTimer clock;
        clock.start();
        chart.setSmoothing(0.5 + 0.03 * i);
        chart.flush();
        chart.repaint();
        slider.values.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    }
    return {raw, banded, zoom, slider};
}

std::vector<Figure> live() {
    const test::TemporaryFolder folder;
    test::FabricatedPlan plan;
    plan.done = 100'000;
    plan.steps = 200'000;
    plan.checkpoint_every = 5000;
    plan.evaluate_every = 1000;
    test::FabricatedRun run(folder.path(), plan);
    desktop::RunPage page(run.paths());
    page.resize(1228, 874);
    page.show();
    while (!page.record()->isCaughtUp())
        spin(20);
    spin(1000);
    const widgets::Series& loss = page.record()->series(desktop::tag::kTrainLoss);
    widgets::CurveChart* chart = page.lossPanel()->chart();

    Figure latency{"latency.step", "event file to chart, 100,000 points open", "ms", {}, {}, 250, true};
    for (int i = 0; i < kRounds; ++i) {
        spin(130 + 17 * i);
        const std::size_t before = loss.size();
        QElapsedTimer clock;
        clock.start();
        run.addStep();
        int drawn = -1;
        while (loss.size() == before || drawn < 0 || chart->redraws() == drawn) {
            QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 2);
            if (loss.size() > before && drawn < 0)
                drawn = chart->redraws();
        }
        latency.values.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    }

    Figure stall{"stall.longest", "longest hold of the event loop, 20 updates/s, 2 s each", "ms", {}, {}, 50, true};
    Figure busy{"busy.gui", "GUI thread, 20 updates/s", "% of a core", {}, {}, 40, true};
    for (int round = 0; round < 5; ++round) {
        double longest = 0;
        QElapsedTimer since;
        QTimer beat;
        QObject::connect(&beat, &QTimer::timeout, [&] {
            if (since.isValid())
                longest = std::max(longest, static_cast<double>(since.nsecsElapsed()) * 1e-6);
            since.start();
        });
        beat.start(0);
        std::atomic<bool> done{false};
        std::thread writer([&] {
            for (int i = 0; i < 40; ++i) {
                run.addStep(i % 4 == 0);
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            }
            done = true;
        });
        while (!done)
            QApplication::processEvents(QEventLoop::AllEvents, 5);
        writer.join();
        stall.values.push_back(longest);
        beat.stop();

        // Again without the beat, whose spinning would count as work.
        std::atomic<bool> ended{false};
        std::thread second([&] {
            for (int i = 0; i < 40; ++i) {
                run.addStep(i % 4 == 0);
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            }
            ended = true;
        });
        QElapsedTimer clock;
        clock.start();
        const double used = thread_seconds();
        // An event loop that sleeps: processEvents() with a time limit would spin and measure itself.
        QEventLoop loop;
        QTimer look;
        QObject::connect(&look, &QTimer::timeout, &loop, [&] {
            if (ended)
                loop.quit();
        });
        look.start(50);
        loop.exec();
        busy.values.push_back(100 * (thread_seconds() - used) / (static_cast<double>(clock.nsecsElapsed()) * 1e-9));
        second.join();
    }
    return {latency, stall, busy};
}

}  // namespace

int main(int argc, char** argv) {
    const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
    if (argc > 1 && !json) {
        std::fprintf(stderr, "usage: bench_dashboard [--json]\n");
        return 2;
    }
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    widgets::Theme::instance().install(application);
    std::vector<Figure> figures = replots();
    for (Figure& figure : live())
        figures.push_back(std::move(figure));
    if (json) {
        std::fputs(bench::to_json(figures).c_str(), stdout);
    } else {
        for (const Figure& figure : figures)
            std::printf("%s\n", bench::to_line(figure).c_str());
    }
    return 0;
}
