// SPDX-License-Identifier: GPL-3.0-or-later
// bench_runs [--json] [--runs N] [--tags N] [--trials N]: responsiveness with a project of 1,000 runs with 100 tags
// each (P8). One line per figure:
//   runs.cold     from the start to a painted list with every name and state, without a cache
//   runs.metrics  the same until settings, metrics and curve of every run are loaded
//   runs.warm     the same in the next start, from the cache
//   runs.filter   from entering a filter on a setting, a metric and a tag to the painted list
//   runs.sort     from a click on the column of a metric to the painted list
//   runs.scroll   one page down, painted
//   runs.compare  from ten checked runs to ten painted curves of 1,000 points
//   runs.memory   of the process while ten runs are compared
// The page of sweeps with a sweep of 1,000 trials (--trials N):
//   sweeps.show      from an empty page to painted table, curve and importance
//   sweeps.sort      sorted by the value, painted
//   sweeps.scroll    one page down, painted
//   sweeps.parallel  parallel coordinates painted again

#include <cstdio>
#include <cstring>
#include <fstream>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>

#include <fmt/format.h>

#include "bench/engine/figure.h"
#include "desktop/compare/compare_drawer.h"
#include "desktop/compare/compare_sources.h"
#include "desktop/fabricated_runs.h"
#include "desktop/fabricated_sweep.h"
#include "desktop/launch/engine_link.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/sweeps/sweeps_page.h"
#include "desktop/sweeps/trials_model.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/parallel_coordinates.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;
using bench::Figure;

namespace {

constexpr int kRounds = 5;
constexpr int kUsualTags = 6;  ///< in every fabricated run

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

/// Waits until `ready` is true, in an event loop that sleeps in between.
template <typename Ready>
void wait(Ready ready) {
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (ready())
            loop.quit();
    });
    look.start(5);
    if (!ready())
        loop.exec();
}

double resident_mb() {
    std::ifstream status("/proc/self/status");
    std::string word;
    double kb = 0;
    while (status >> word)
        if (word == "VmRSS:")
            status >> kb;
    return kb / 1024;
}

struct Open {
    RunStore store;
    RunsPage page{&store};
    Open() {
        page.resize(1228, 874);
        page.show();
    }
    bool isRead() const {
        for (const RunSummary& run : store.runs())
            if (!run.metrics || !run.config || run.spark.isEmpty())
                return false;
        return true;
    }
};

/// Figures of the page of sweeps.
std::vector<Figure> measure_sweeps(const std::filesystem::path& runs, int trials) {
    test::fabricate_sweep(runs, "large-0a1b", trials, trials);
    const std::string size = fmt::format("{} trials", trials);
    Figure show{"sweeps.show", size + ", page painted", "ms", {}, {}, 1000, true};
    Figure sorted{"sweeps.sort", size + ", sorted by value", "ms", {}, {}, 100, true};
    Figure scroll{"sweeps.scroll", "a page down", "ms", {}, {}, 16, true};
    Figure parallel{"sweeps.parallel", size + ", parallel coordinates", "ms", {}, {}, 60, true};
    for (int round = 0; round < kRounds; ++round) {
        EngineLink engine;
        SweepsPage page(&engine);
        page.resize(1228, 874);
        QElapsedTimer clock;
        clock.start();
        page.show();
        wait([&] { return page.trials()->rowCount() == trials; });
        page.chart()->flush();
        page.repaint();
        show.values.push_back(milliseconds(clock));
        clock.restart();
        page.table()->sortByColumn(TrialsModel::Value, Qt::AscendingOrder);
        page.table()->viewport()->repaint();
        sorted.values.push_back(milliseconds(clock));
        for (int i = 0; i < 8; ++i) {
            clock.restart();
            QScrollBar* bar = page.table()->verticalScrollBar();
            bar->setValue(bar->value() + bar->pageStep());
            page.table()->viewport()->repaint();
            scroll.values.push_back(milliseconds(clock));
        }
        test::child<widgets::SegmentedControl>(page)->setCurrent(1);
        QApplication::processEvents();
        clock.restart();
        page.parallel()->repaint();
        parallel.values.push_back(milliseconds(clock));
    }
    return {show, sorted, scroll, parallel};
}

int measure(int argc, char** argv) {
    bool json = false;
    int trials = 1000;
    int runs = 1000;
    int tags = 100;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0)
            json = true;
        else if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
            runs = std::atoi(argv[++i]);
        else if (std::strcmp(argv[i], "--tags") == 0 && i + 1 < argc)
            tags = std::atoi(argv[++i]);
        else if (std::strcmp(argv[i], "--trials") == 0 && i + 1 < argc)
            trials = std::atoi(argv[++i]);
    }
    const test::TemporaryFolder home;
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        ::setenv(name, (home.path() / name).c_str(), 1);
    ::setenv("TRAINYARD_RUNS", (home.path() / "runs").c_str(), 1);
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QApplication application(argc, argv);
    widgets::Theme::instance().install(application);
    for (int i = 0; i < runs; ++i)
        test::fabricate(home.path() / "runs", {.name = fmt::format("run-{:04}", i),
                                               .step = i < 10 ? 1000 : 40,
                                               .of = i < 10 ? 1000 : 40,
                                               .age_s = 60.0 * (i + 1),
                                               .end_loss = 1.5 + 0.001 * i,
                                               .lr = 1e-4 * (1 + i % 20),
                                               .tags = {i % 2 == 0 ? "even" : "odd"},
                                               .more_metrics = tags - kUsualTags});

    const std::string size = fmt::format("{} runs x {} tags", runs, tags);
    Figure cold{"runs.cold", size + ", list painted", "ms", {}, {}, 2000, true};
    Figure metrics{"runs.metrics", size + ", all metrics read", "ms", {}, {}, {}, true};
    Figure warm{"runs.warm", size + ", all metrics, from the cache", "ms", {}, {}, 2000, true};
    Figure filter{"runs.filter", "a filter over setting, metric, tag", "ms", {}, {}, 100, true};
    Figure sorted{"runs.sort", "sorted by a metric", "ms", {}, {}, 100, true};
    Figure scroll{"runs.scroll", "a page down", "ms", {}, {}, 16, true};
    Figure compare{"runs.compare", "ten ticks, ten curves painted", "ms", {}, {}, 1000, true};
    Figure memory{"runs.memory", "resident, ten runs compared", "MB", {}, {}, 150, true};
    auto start = [&](Figure& list, Figure& all) {
        QElapsedTimer clock;
        clock.start();
        Open open;
        open.store.start();
        wait([&] { return open.store.isLoaded() && open.page.table()->model()->rowCount() == runs; });
        open.page.repaint();
        list.values.push_back(milliseconds(clock));
        wait([&] { return open.isRead(); });
        open.page.repaint();
        all.values.push_back(milliseconds(clock));
    };
    start(cold, metrics);  // there is no cache only once
    Figure unused;
    for (int i = 0; i < 3; ++i)
        start(unused, warm);

    Open open;
    open.store.start();
    wait([&] { return open.store.isLoaded() && open.isRead(); });
    for (int i = 0; i < kRounds; ++i) {
        QElapsedTimer clock;
        clock.start();
        open.page.filter()->setText(QStringLiteral("tag:even lr>5e-4 eval/loss.best<%1").arg(2.2 + 0.1 * i));
        open.page.repaint();
        filter.values.push_back(milliseconds(clock));
        open.page.filter()->clear();
        open.page.repaint();
        clock.restart();
        open.page.table()->sortByColumn(RunsModel::Validation, i % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
        open.page.repaint();
        sorted.values.push_back(milliseconds(clock));
    }
    QScrollBar* bar = open.page.table()->verticalScrollBar();
    for (int i = 0; i < 40; ++i) {
        QElapsedTimer clock;
        clock.start();
        bar->setValue(bar->value() + bar->pageStep());
        open.page.table()->viewport()->repaint();
        scroll.values.push_back(milliseconds(clock));
    }
    QStringList ticked;
    for (int i = 0; i < std::min(10, runs); ++i)
        ticked << open.store.runs().at(i).path;
    QElapsedTimer clock;
    clock.start();
    open.page.model()->setTicked(ticked);
    CompareDrawer* drawer = open.page.drawer();
    wait([&] {
        for (const CurveSource* source : test::child<CompareSources>(*drawer)->all())
            if (!source->isCaughtUp())
                return false;
        return test::child<widgets::CurveChart>(*drawer)->curves().size() == ticked.size();
    });
    test::child<widgets::CurveChart>(*drawer)->flush();
    open.page.repaint();
    compare.values.push_back(milliseconds(clock));
    memory.values.push_back(resident_mb());
    std::vector<Figure> all{cold, metrics, warm, filter, sorted, scroll, compare, memory};
    for (Figure& figure : measure_sweeps(home.path() / "runs", trials))
        all.push_back(std::move(figure));
    bench::print(all, json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of("bench_runs", measure, argc, argv);
}
