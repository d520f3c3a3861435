// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the health section of a run's page: machines, the slow rank, phases, remaining time, units of the metrics,
// and requests.

#include <cmath>

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "dashboard/run_page_test.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/dashboard/asks.h"
#include "desktop/dashboard/config_diff.h"
#include "desktop/dashboard/event_markers.h"
#include "desktop/dashboard/event_words.h"
#include "desktop/dashboard/events_panel.h"
#include "desktop/dashboard/health_panel.h"
#include "desktop/dashboard/hosts_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/metric_figures.h"
#include "desktop/dashboard/metric_tile.h"
#include "desktop/dashboard/ranks_model.h"
#include "desktop/dashboard/ranks_panel.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/tags.h"
#include "desktop/dashboard/tile_row.h"
#include "run/request.h"
#include "support/child.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/heat_strip.h"
#include "widgets/plot/plot_frame.h"
#include "widgets/plot/stack_chart.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

class Health : public RunPageTest {
  protected:
    RunPage* open(const test::FabricatedPlan& plan) {
        made = std::make_unique<test::FabricatedRun>(folder.path() / "runs", plan);
        return RunPageTest::open(*made);
    }
    static test::FabricatedPlan cluster() {
        test::FabricatedPlan plan;
        plan.health = true;
        plan.ranks = 8;
        plan.hosts = 2;
        plan.slow_rank = 5;
        plan.log = false;
        return plan;
    }
    std::unique_ptr<test::FabricatedRun> made;
};

TEST_F(Health, ThePicturesBelowTheLossStandInLineWithIt) {
    RunPage* shown = open(cluster());
    widgets::CurveChart* chart = test::child<LossPanel>(*shown)->chart();
    HealthPanel* health = test::child<HealthPanel>(*shown);
    const auto expectInLine = [&] {
        chart->flush();
        const int left = chart->mapTo(shown, chart->frame().area.topLeft()).x();
        EXPECT_EQ(test::child<widgets::HeatStrip>(*health)
                      ->mapTo(shown, test::child<widgets::HeatStrip>(*health)->area().topLeft())
                      .x(),
                  left);
        EXPECT_EQ(test::child<widgets::StackChart>(*health)
                      ->mapTo(shown, test::child<widgets::StackChart>(*health)->area().topLeft())
                      .x(),
                  left);
        return left;
    };
    health->showRanks(true);
    const int narrow = expectInLine();
    // Numbers with many digits need a wider axis.
    chart->setRanges({200, 900}, {123.45621, 123.45629});
    EXPECT_GT(expectInLine(), narrow + 10);
    chart->fit();
    EXPECT_EQ(expectInLine(), narrow);
}

TEST_F(Health, TheColoursOfTheCellsAreExplained) {
    RunPage* shown = open(cluster());
    HealthPanel* health = test::child<HealthPanel>(*shown);
    health->showRanks(true);
    const auto* legend = test::child<widgets::HeatLegend>(*health);
    const auto* strip = test::child<widgets::HeatStrip>(*health);
    auto* measure = test::child<QComboBox>(*health);
    ASSERT_TRUE(QTest::qWaitFor([&] { return legend->isVisible(); }, kPatience));
    EXPECT_EQ(strip->legend().low, QStringLiteral("0.9 ×"));
    EXPECT_EQ(strip->legend().high, QStringLiteral("1.3 ×"));
    EXPECT_NE(strip->legend().colors.first(), strip->legend().colors.last());
    measure->setCurrentText(QStringLiteral("Memory"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return strip->legend().high.endsWith(QStringLiteral("iB")); }, kPatience))
        << strip->legend().high.toStdString();
    measure->setCurrentText(QStringLiteral("Weights"));
    EXPECT_FALSE(legend->isVisible()) << "they agree or not";
    health->showRanks(false);
    EXPECT_FALSE(legend->isVisible());
}

TEST_F(Health, TheSlowRankIsNamedInWordsWithItsHost) {
    RunPage* shown = open(cluster());
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !test::child<HealthPanel>(*shown)->warning()->text().isEmpty(); }, kPatience));
    EXPECT_EQ(test::child<HealthPanel>(*shown)->warning()->text().toStdString(),
              "rank 5 on gpu-b was 1.30 × slower, steps 1,643–1,842");
    EXPECT_EQ(test::child<widgets::HeatStrip>(*test::child<HealthPanel>(*shown))->rows().size(), 8);
    EXPECT_EQ(test::child<widgets::HeatStrip>(*test::child<HealthPanel>(*shown))->rows().at(5).group,
              QStringLiteral("gpu-b"));
}

TEST_F(Health, RanksThatTakeEquallyLongAreNotNamed) {
    test::FabricatedPlan plan = cluster();
    plan.slow_rank = -1;
    RunPage* shown = open(plan);
    test::child<HealthPanel>(*shown)->refresh();
    EXPECT_TRUE(test::child<HealthPanel>(*shown)->warning()->text().isEmpty())
        << test::child<HealthPanel>(*shown)->warning()->text().toStdString();
}

TEST_F(Health, MachinesShowTheirNewestFigures) {
    RunPage* shown = open(cluster());
    const QVector<HostFigures> hosts = host_figures(*shown->record());
    ASSERT_EQ(hosts.size(), 2);
    EXPECT_EQ(hosts[0].host, QStringLiteral("gpu-a"));
    EXPECT_EQ(hosts[0].gpus, 2);
    EXPECT_NEAR(*hosts[0].gpu_memory, 61.3 / 80, 1e-6);
    EXPECT_NEAR(*hosts[0].memory, 98.0 / 256, 1e-6);
    EXPECT_NEAR(*hosts[1].power_w, 1312, 0.1);
    EXPECT_NEAR(*hosts[1].temperature_c, 71, 0.1);
    EXPECT_TRUE(test::child<HostsPanel>(*shown)->isVisibleTo(shown));
    EXPECT_TRUE(test::child<HostsPanel>(*shown)->accessibleDescription().contains(QStringLiteral("gpu-b: GPU 9")));
}

TEST_F(Health, TheStripTellsValuesAgainstTheMedianAndLeadsToTheLog) {
    widgets::Series series[3];
    for (int row = 0; row < 3; ++row)
        for (int step = 0; step < 100; ++step)
            series[row].append({step, 1.0 * step, row == 1 && step == 50 ? 3.0 : 1.0});
    widgets::HeatStrip strip(QStringLiteral("strip"));
    strip.resize(463, 62);
    strip.setRows({{QStringLiteral("rank 0"), QStringLiteral("a"), &series[0]},
                   {QStringLiteral("rank 1"), QStringLiteral("a"), &series[1]},
                   {QStringLiteral("rank 2"), QStringLiteral("b"), &series[2]}});
    strip.setView({}, {0, 100});
    strip.show();
    std::optional<widgets::HeatStrip::Cell> spike;
    for (int x = 0; x < strip.width(); ++x)
        if (auto cell = strip.cellAt({x, 30}); cell && cell->value > 2)
            spike = cell;
    ASSERT_TRUE(spike) << "one step of a hundred does not vanish";
    EXPECT_EQ(spike->row, 1);
    EXPECT_EQ(spike->median, 1);
    EXPECT_TRUE(strip.describe(*spike).startsWith(QStringLiteral("rank 1 on a, step 5")))
        << strip.describe(*spike).toStdString();
    EXPECT_TRUE(strip.describe(*spike).endsWith(QStringLiteral("3.00 × the median")));
    QSignalSpy chosen(&strip, &widgets::HeatStrip::rowActivated);
    QTest::mouseClick(&strip, Qt::LeftButton, Qt::NoModifier, {200, 30});
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toInt(), 1);
    QTest::keyClick(&strip, Qt::Key_Down);
    QTest::keyClick(&strip, Qt::Key_Return);
    EXPECT_EQ(chosen.last()[0].toInt(), 2);
}

TEST_F(Health, ManyRanksFoldIntoTheirHosts) {
    std::vector<widgets::Series> series(80);
    QVector<widgets::HeatRow> rows;
    for (int row = 0; row < 80; ++row) {
        for (int step = 0; step < 10; ++step)
            series[static_cast<std::size_t>(row)].append({step, 1.0 * step, 1.0 + row % 40});
        rows.push_back({QStringLiteral("rank"), row < 40 ? QStringLiteral("a") : QStringLiteral("b"),
                        &series[static_cast<std::size_t>(row)]});
    }
    widgets::HeatStrip strip(QStringLiteral("strip"));
    strip.resize(463, 60);
    strip.setRows(rows);
    strip.setView({}, {0, 10});
    EXPECT_EQ(strip.lines(), 2);
    const auto cell = strip.cellAt({200, 6});
    ASSERT_TRUE(cell);
    EXPECT_EQ(cell->lowest, 1);
    EXPECT_EQ(cell->middle, 20);
    EXPECT_EQ(cell->highest, 40);
    strip.toggleGroup(QStringLiteral("b"));
    EXPECT_EQ(strip.lines(), 41);
}

TEST_F(Health, PhasesAddUpToTheStep) {
    test::FabricatedPlan plan = cluster();
    plan.log = false;
    RunPage* shown = open(plan);
    test::child<HealthPanel>(*shown)->showRanks(false);
    widgets::StackChart* phases = test::child<widgets::StackChart>(*test::child<HealthPanel>(*shown));
    phases->resize(600, 90);
    phases->setView({}, {0, 1842});
    double sum = 0;
    for (const double value : phases->shown())
        sum += std::isfinite(value) ? value : 0;
    EXPECT_NEAR(sum, 0.24, 0.02);
    ASSERT_FALSE(phases->legend().isEmpty());
    EXPECT_TRUE(phases->legend().first().startsWith(QStringLiteral("backward"))) << phases->legend()[0].toStdString();
}

TEST_F(Health, EvaluationsAndSavesAreTicksBesideThePhasesWhoseSharesAddUp) {
    test::FabricatedPlan plan;
    plan.health = true;
    plan.log = false;
    RunPage* shown = open(plan);
    // As the engine writes them: with a step, and with their duration.
    for (const std::int64_t step : {600, 1200, 1800})
        made->metrics().add_scalars(step, wall_seconds(), {{"phase/evaluate", 4.8}});
    made->metrics().add_scalars(1200, wall_seconds(), {{"phase/save", 0.041}});
    made->metrics().flush();
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown->record()->series("phase/evaluate").size() == 3; }, kPatience));
    test::child<HealthPanel>(*shown)->showRanks(false);
    widgets::StackChart* phases = test::child<widgets::StackChart>(*test::child<HealthPanel>(*shown));
    phases->resize(900, 110);
    phases->setView({}, {0, 1842});
    phases->dataChanged();

    int percents = 0;
    for (const QString& words : phases->legend())
        if (words.endsWith(QLatin1Char('%')))
            percents += words.simplified().section(QLatin1Char(' '), -2, -2).toInt();
    EXPECT_EQ(percents, 100) << phases->legend().join(QStringLiteral(", ")).toStdString();
    EXPECT_TRUE(phases->legend().contains(QStringLiteral("evaluate 3 × 4.80 s")))
        << phases->legend().join(QStringLiteral(", ")).toStdString();
    EXPECT_TRUE(phases->legend().contains(QStringLiteral("save 1 × 41.0 ms")));

    // The axis is that of a step, in one unit, and every word of it has room.
    const std::vector<widgets::AxisTick> axis = phases->axisTicks();
    ASSERT_GE(axis.size(), 2u);
    EXPECT_EQ(axis.front().text, QStringLiteral("0 ms"));
    EXPECT_LT(axis.back().text.toDouble(), 300);
    EXPECT_DOUBLE_EQ(axis.back().at, axis.back().text.toDouble() / 1000);
    for (const widgets::AxisTick& tick : axis)
        EXPECT_LE(QFontMetrics(widgets::Theme::instance().mono(11)).horizontalAdvance(tick.text), 44)
            << tick.text.toStdString();

    // An evaluation is shown only in the column of its step.
    phases->setCrosshair(900);
    for (const QString& words : phases->legend())
        EXPECT_FALSE(words.startsWith(QStringLiteral("evaluate"))) << words.toStdString();
    const QImage picture = phases->grab().toImage();
    const QColor evaluate = widgets::Theme::instance().runColor(5);
    int ticks = 0, columns = 0;
    for (int x = 50; x < 887; ++x) {
        bool tick = false;
        for (int y = 0; y < 12; ++y)
            tick = tick || picture.pixelColor(x, y) == evaluate;
        for (int y = 14; y < 85; ++y)
            columns += picture.pixelColor(x, y) == evaluate;
        ticks += tick;
    }
    EXPECT_EQ(ticks, 9) << "three ticks, three pixels wide";
    EXPECT_EQ(columns, 0) << "an evaluation must not be shown as a part of a step";
}

TEST_F(Health, AShareAboveThePeakIsNotTold) {
    RunPage* shown = open(cluster());
    EXPECT_EQ(metric_figure(*shown->record(), tag::kMfu).unit, QStringLiteral("%"));
    // A busy machine may measure a peak that is far too low.
    for (std::int64_t step = 1843; step <= 2042; ++step)
        made->metrics().add_scalars(step, wall_seconds(), {{"train/mfu", 2.74}});
    made->metrics().flush();
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown->record()->series(tag::kMfu).size() == 2042; }, kPatience));
    const MetricFigure mfu = metric_figure(*shown->record(), tag::kMfu);
    EXPECT_EQ(mfu.value, QStringLiteral("–"));
    EXPECT_TRUE(mfu.unit.isEmpty());
    EXPECT_EQ(mfu.note, QStringLiteral("peak unknown"));
    EXPECT_TRUE(mfu.more.contains(QStringLiteral("busy"))) << mfu.more.toStdString();
    EXPECT_FALSE(mfu.more.contains(QStringLiteral("274")));
}

TEST_F(Health, FiguresHaveTheirWordsAndTilesCanBeChosen) {
    RunPage* shown = open(cluster());
    const MetricFigure mfu = metric_figure(*shown->record(), tag::kMfu);
    EXPECT_NEAR(mfu.value.toDouble(), 46.8, 0.5);
    EXPECT_EQ(mfu.note.toStdString(), "of 142\u00a0GFLOP/s");
    EXPECT_FALSE(mfu.more.isEmpty());
    EXPECT_EQ(metric_figure(*shown->record(), tag::kMemory).note.toStdString(), "est. 39.0 MiB");
    QStringList tags = test::child<TileRow>(*shown)->chosen();
    tags[0] = QLatin1String(tag::kLearningRate);
    test::child<TileRow>(*shown)->choose(tags);
    EXPECT_EQ(test::child<TileRow>(*shown)->tile(tag::kTrainLoss), nullptr);
    EXPECT_FALSE(test::child<TileRow>(*shown)->tile(tag::kLearningRate)->value().isEmpty());
    QSignalSpy opened(test::child<TileRow>(*shown), &TileRow::chartRequested);
    QTest::mouseClick(test::child<TileRow>(*shown)->tile(tag::kMfu), Qt::LeftButton);
    ASSERT_EQ(opened.count(), 1);
    EXPECT_NE(test::child<CurvesPanel>(*shown), nullptr);
}

TEST_F(Health, AStoppedRunShowsNoExitCodeAndNoLoadOfItsMachines) {
    test::FabricatedPlan plan = cluster();
    RunPage* shown = open(plan);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<HostsPanel>(*shown)->isVisible(); }, kPatience));
    made->state().status = run::Status::stopped;
    made->state().ended = wall_seconds();
    for (run::RankState& rank : made->state().ranks) {
        rank.state = "finished";
        rank.exit_code = 75;
    }
    made->writeState();
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown->record()->stage() == RunStage::Stopped; }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !test::child<HostsPanel>(*shown)->isVisible(); }, kPatience));
    int stopped = 0;
    const RanksModel* ranks = test::child<RanksModel>(*shown->findChild<RanksPanel*>());
    for (int row = 0; row < ranks->rowCount(); ++row) {
        const QString words = ranks->index(row, RanksModel::State).data().toString();
        stopped += ranks->rank(row) != nullptr && words == QStringLiteral("stopped");
        EXPECT_FALSE(words.contains(QStringLiteral("75"))) << words.toStdString();
    }
    EXPECT_EQ(stopped, 8);
}

TEST(EventWords, AreThoseOfAPersonNotOfTheJournal) {
    const EventWords set = event_words({0, 12, "request", -1, "set asked from the desktop", {}, 0});
    EXPECT_EQ(set.title, QStringLiteral("New learning rate requested"));
    EXPECT_EQ(set.more, QStringLiteral("from the desktop"));
    const EventWords saved =
        event_words({0, 300, "checkpoint", -1, "checkpoint 300, 10.0 MB in 34 ms, training paused for 2 ms", {}, 1e7});
    EXPECT_EQ(saved.title, QStringLiteral("Checkpoint 300"));
    EXPECT_EQ(saved.more, QStringLiteral("10.0 MB in 34 ms, training paused for 2 ms"));
}

TEST(EventWords, AFailureIsListedOnce) {
    const auto event = [](const char* kind, int rank, const char* text) {
        run::Event made;
        made.kind = kind;
        made.rank = rank;
        made.text = Message::verbatim(text);
        return made;
    };
    // As the supervisor writes them when a rank is killed: the last event has the same text as the failure.
    std::vector<run::Event> events{event("phase", -1, "connecting 2 ranks"),
                                   event("failure", 1, "rank 1 on vm was killed by signal 9 (SIGKILL) at step 18"),
                                   event("phase", -1, "rank 1 on vm was killed by signal 9 (SIGKILL) at step 18")};
    EventsModel model;
    model.follow(events);
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.eventAt(0).kind, "failure");
    events.push_back(event("phase", -1, "stopped at step 20 of 40"));
    model.follow(events);
    EXPECT_EQ(model.rowCount(), 3);
}

run::Event event_at(const char* kind, std::int64_t step, double value = 0) {
    run::Event event;
    event.kind = kind;
    event.step = step;
    event.value = value;
    event.text = "something happened";
    return event;
}

TEST_F(Health, EveryKindOfEventHasWordsAndAMarker) {
    std::vector<run::Event> events;
    for (const char* kind :
         {"checkpoint", "restart", "nan", "spike", "oom", "straggler", "rate", "profile", "warning", "failure", "note"})
        events.push_back(event_at(kind, 7));
    EventMarkers markers;
    markers.follow(events);
    ASSERT_EQ(markers.markers().size(), static_cast<qsizetype>(events.size()));
    for (const widgets::Marker& marker : markers.markers()) {
        const std::string& kind = events[static_cast<std::size_t>(marker.id)].kind;
        EXPECT_FALSE(marker.text.isEmpty()) << kind;
        EXPECT_FALSE(marker.icon.isEmpty()) << kind;
    }
    EXPECT_FALSE(markers.best());
}

TEST_F(Health, TheBestEvaluationOrTheReportedCheckpointIsMarked) {
    std::vector<run::Event> events;
    EventMarkers markers;
    // One at a time, as they come.
    const auto add = [&](run::Event event) {
        events.push_back(std::move(event));
        markers.follow(events);
    };
    add(event_at("evaluation", 100, 3.0));
    EXPECT_EQ(markers.best()->step, 100);
    add(event_at("evaluation", 200, 2.5));
    add(event_at("evaluation", 300, 2.7));
    EXPECT_EQ(markers.best()->step, 200);
    EXPECT_EQ(markers.best()->text, QStringLiteral("Best validation loss 2.500 · step 200"));
    // A run that keeps its best checkpoints says which one that is, by whatever curve.
    for (const std::int64_t step : {40, 60}) {
        run::Event event = event_at("best", step);
        event.text = Message("checkpoint {} is the best so far: train/loss 2.5", step);
        add(std::move(event));
    }
    add(event_at("evaluation", 400, 1.0));
    EXPECT_EQ(markers.best()->step, 60);
    EXPECT_EQ(markers.best()->icon, QStringLiteral("star-on"));
    EXPECT_TRUE(markers.best()->text.contains(QStringLiteral("Checkpoint 60 is the best so far: train/loss 2.5")));
}

TEST_F(Health, OnlyTheNewestEventsAreMarked) {
    std::vector<run::Event> events(5, event_at("note", 1));
    EventMarkers markers;
    markers.follow(events);
    events.resize(events.size() + EventMarkers::kMost - 1, event_at("note", 2));
    markers.follow(events);
    const QVector<widgets::Marker> shown = markers.markers();
    ASSERT_EQ(shown.size(), static_cast<qsizetype>(EventMarkers::kMost));
    EXPECT_EQ(shown.first().id, 4);
    EXPECT_EQ(shown.last().id, static_cast<int>(events.size()) - 1);
}

TEST_F(Health, WhatIsTypedIsChecked) {
    QString problem;
    EXPECT_DOUBLE_EQ(*learning_rate(QStringLiteral("3e-4"), problem), 3e-4);
    for (const char* bad : {"0", "-1", "fast", "nan", "1e9"})
        EXPECT_FALSE(learning_rate(QString::fromLatin1(bad), problem)) << bad;
}

TEST_F(Health, OfAStopThereAreThreeKindsAndProfileIsARequest) {
    RunPage* shown = open({});
    shown->record()->ask(run::StopRequest{.checkpoint = false});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run::pending_requests(made->paths()).empty(); }, kPatience));
    const run::Request stop = run::pending_requests(made->paths()).front();
    EXPECT_EQ(stop.kind, "stop");
    EXPECT_EQ(stop.values.at("checkpoint"), "false");
    EXPECT_TRUE(test::child<RunHeader>(*shown)->profileButton()->isVisibleTo(shown));
    EXPECT_TRUE(test::child<QAction>(*shown, QStringLiteral("Change the learning rate…"))->isEnabled());
}

TEST_F(Health, TheConfigurationIsComparedWithTheNewestEarlierRunOfTheName) {
    const ConfigDifferences differences =
        compare_keys({{"created", "1"}, {"optimizer.lr", "0.0003"}, {"training.steps", "100"}, {"seed", "1"}},
                     {{"created", "2"}, {"optimizer.lr", "0.0006"}, {"training.steps", "100"}});
    EXPECT_EQ(differences.equal, 1);
    ASSERT_EQ(differences.keys.size(), 2u);
    EXPECT_EQ(differences.keys[0], (KeyDifference{"optimizer.lr", "0.0003", "0.0006"}));
    EXPECT_EQ(differences.keys[1], (KeyDifference{"seed", "1", ""}));
}

}  // namespace
}  // namespace trainyard::desktop
