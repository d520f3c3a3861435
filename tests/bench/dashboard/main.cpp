// SPDX-License-Identifier: GPL-3.0-or-later
// bench_dashboard [--json] [PART...]: speed of the dashboard. Runs all parts if none is named. Prints one line per
// figure; exits with 0 if all could be measured.
//   single, many, page, updates, endless   drawing charts (P1 to P6): replot.cpp
//   live, ssh:
//   latency.*   from a step in the event file to the repainted chart with the page open, here and over SSH (P9): latency.cpp
//   stall       longest time for which the window's event loop is blocked at 20 updates per second (P16)
//   busy        CPU use of the GUI thread meanwhile, as a share of a core (P5)

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <thread>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include "bench/dashboard/latency.h"
#include "bench/dashboard/replot.h"
#include "bench/engine/figure.h"
#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/theme.h"

using namespace trainyard;
using bench::Figure;
using bench::spin;
using bench::thread_seconds;

namespace {

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

    Figure latency = bench::step_latency("latency.step", "event file to chart, 100,000 points open (P9)", 250, run,
                                         loss, *test::child<desktop::LossPanel>(page)->chart());

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

        // Repeated without the heartbeat, whose polling would count as work.
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
        // An event loop that sleeps: processEvents() with a time limit would poll and measure itself.
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
    return bench::main_of(
        "bench_dashboard",
        [](int count, char** words) {
            bool json = false;
            std::set<std::string> parts;
            for (int i = 1; i < count; ++i)
                if (std::strcmp(words[i], "--json") == 0)
                    json = true;
                else
                    parts.insert(words[i]);
            if (parts.empty())
                parts = {"single", "many", "page", "updates", "endless", "live", "ssh"};
            std::vector<Figure> figures;
            const auto measure = [&](const char* part, auto&& all) {
                if (parts.erase(part) > 0)
                    for (Figure& figure : all())
                        figures.push_back(std::move(figure));
            };
            if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
                qputenv("QT_QPA_PLATFORM", "offscreen");
            QApplication application(count, words);
            widgets::Theme::instance().install(application);
            for (const char* part : {"single", "many", "page", "updates", "endless"})
                measure(part, [&] { return bench::replots(part); });
            measure("live", live);
            measure("ssh", bench::over_ssh);
            if (!parts.empty()) {
                std::fprintf(
                    stderr,
                    "usage: bench_dashboard [--json] [single] [many] [page] [updates] [endless] [live] [ssh]\n");
                return 2;
            }
            bench::print(figures, json);
            return 0;
        },
        argc, argv);
}
