// bench_dashboard [--json]: is the dashboard fast enough? Prints one line a figure; exit 0 when all could be measured.
//   replot.*, smoothing.*, hover.*, pan.*, live.*, endless.*   pictures of charts (P1 to P6): replot.cpp
//   latency     from a step in the event file to the chart with it, the page open (P9)
//   stall       longest time the event loop of the window was held while 20 updates a second come (P16)
//   busy        share of a core that the GUI thread uses meanwhile (P5)

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include "bench/dashboard/replot.h"
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
using bench::spin;
using bench::thread_seconds;

namespace {

constexpr int kRounds = 15;

std::vector<Figure> live() {
    const test::TemporaryFolder folder;
    test::FabricatedPlan plan;
    plan.done = 100'000;
    plan.steps = 200'000;
    plan.checkpoint_every = 5000;
    plan.evaluate_every = 1000;
    plan.health = true;
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
    std::vector<Figure> figures = bench::replots();
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
