// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/window/log.h"

#include <algorithm>
#include <random>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QScrollBar>
#include <QTimer>

#include "widgets/plot/log_view.h"

namespace trainyard::bench {

namespace {

using widgets::LogBlock;

constexpr int kBatch = 2000;    // lines
constexpr int kPerSecond = 50;  // batches: 100,000 lines a second
constexpr int kMillion = 500;   // batches
constexpr int kJumps = 60;

std::vector<std::shared_ptr<const LogBlock>> batches(int count) {
    std::vector<std::shared_ptr<const LogBlock>> made;
    for (int i = 0; i < count; ++i) {
        auto block = std::make_shared<LogBlock>();
        for (int k = 0; k < kBatch; ++k)
            block->add(
                k % 4,
                k % 500 == 0
                    ? "08:41:07.114 WARN  \x1b[33mrank 3 waited 1.2 s in an all-reduce of 64 MiB\x1b[0m at step 18420"
                    : "08:41:07.114 INFO  step 18420/40000 loss 2.4893 lr 2.97e-04 grad norm 0.412 739,114 tokens/s");
        made.push_back(std::move(block));
    }
    return made;
}

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

}  // namespace

std::vector<Figure> log_figures() {
    widgets::LogView view(QStringLiteral("log"));
    view.resize(1200, 700);
    view.show();
    const auto blocks = batches(kMillion);
    Figure intake{
        "log.longest", "longest hold of the event loop while 100,000 lines/s come, to 1 M lines", "ms", {}, {}, 16,
        true};
    double longest = 0;
    QElapsedTimer since;
    QTimer beat;
    QObject::connect(&beat, &QTimer::timeout, [&] {
        if (since.isValid())
            longest = std::max(longest, milliseconds(since));
        since.start();
    });
    beat.start(0);
    std::size_t next = 0;
    QEventLoop loop;
    QTimer feed;
    feed.setTimerType(Qt::PreciseTimer);
    QObject::connect(&feed, &QTimer::timeout, [&] {
        view.log()->append(blocks[next++]);
        if (next % 100 == 0) {
            intake.values.push_back(longest);
            longest = 0;
        }
        if (next == blocks.size())
            loop.quit();
    });
    feed.start(1000 / kPerSecond);
    loop.exec();
    feed.stop();

    Figure jump{"log.jump", "from anywhere to anywhere in 1 M lines, painted", "ms", {}, {}, 5, true};
    std::mt19937 random(1);
    for (int i = 0; i < kJumps; ++i) {
        QElapsedTimer clock;
        clock.start();
        view.goToRow(static_cast<int>(random() % static_cast<unsigned>(view.log()->rowCount())));
        view.viewport()->repaint();
        jump.values.push_back(milliseconds(clock));
    }

    Figure search{"log.search", "an expression looked for in 1 M lines, all counted", "s", {}, {}, 2, true};
    Figure held{"log.search.longest", "longest hold of the event loop meanwhile", "ms", {}, {}, 16, true};
    for (int i = 0; i < 3; ++i) {
        view.log()->setSearch({});
        longest = 0;
        QElapsedTimer clock;
        clock.start();
        view.log()->setSearch(widgets::LogPattern(QStringLiteral("/waited [0-9.]+ s\\b/")));
        while (view.log()->isFiltering())
            QApplication::processEvents();
        search.values.push_back(milliseconds(clock) * 1e-3);
        held.values.push_back(longest);
    }
    return {intake, jump, search, held};
}

}  // namespace trainyard::bench
