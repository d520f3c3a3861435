// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the page with a real run of two ranks: it is shown, zoomed, overlaid with a finished run, sent requests, and
// killed.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>

#include <QAction>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/file.h"
#include "desktop/compare/compare_drawer.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/health_panel.h"
#include "desktop/dashboard/hosts_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/runs/runs_proxy.h"
#include "fault/real_run.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/views_folder.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::desktop {
namespace {

constexpr double kSoon = 0.25;             // s from a step to its picture
constexpr double kLongest = 10;            // s, for a single step on a busy machine
constexpr std::ptrdiff_t kSteps = 25;      // whose median is judged
constexpr std::size_t kEarlierSteps = 30;  // of the finished run

class LiveRun : public ::testing::Test {
  protected:
    void SetUp() override {
        const test::Said said = run.start({"--num_processes", "2"});
        ASSERT_EQ(said.code, 0) << said.err;
        page = std::make_unique<RunPage>(*run.paths);
        page->resize(1228, 874);
        page->show();
        ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->step() >= 5; }, kPatience));
    }
    void TearDown() override { page.reset(); }

    RunRecord* record() const { return page->record(); }
    /// Waits until the journal has an event of the kind whose text holds the words.
    bool happens(const std::string& kind, const std::string& words) const {
        return QTest::qWaitFor(
            [&] {
                for (const run::Event& event : record()->events())
                    if (event.kind == kind && event.text.text().find(words) != std::string::npos)
                        return true;
                return false;
            },
            kPatience);
    }
    std::string journal() const {
        std::string all;
        for (const run::Event& event : record()->events())
            all += event.kind + " at step " + std::to_string(event.step) + ": " + event.text.text() + "\n";
        return all;
    }
    bool reaches(RunStage stage) const {
        return QTest::qWaitFor([&] { return record()->stage() == stage; }, kPatience);
    }

    test::ViewsFolder views;
    test::RealRun run;
    std::unique_ptr<RunPage> page;
};

TEST_F(LiveRun, IsSeenAndDoesWhatItIsAskedFor) {
    // Steps appear as they come: the newest in the file is on the page soon after.
    const widgets::Series& loss = record()->series(tag::kTrainLoss);
    const std::size_t before = loss.size();
    ASSERT_TRUE(QTest::qWaitFor([&] { return loss.size() > before; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<HealthPanel>(*page)->hasData(); }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !host_figures(*record()).isEmpty(); }, kPatience));
    double phases = 0;
    for (const char* phase : {"data", "forward", "backward", "communicate", "optimizer", "other"}) {
        const widgets::Series& series = record()->series(tag::kPhase + std::string(phase));
        ASSERT_FALSE(series.empty()) << phase;
        phases += series.value(0);
    }
    const widgets::Series& times = record()->series(tag::kStepTime);
    EXPECT_NEAR(phases, times.value(0), 0.02 * times.value(0)) << "the phases are the step";
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return record()->series(tag::of_rank("rank/own_time_s", 1)).size() > 5; }, kPatience));
    // The loss of the run is the mean of the losses that the ranks report. Reduced gradients are the same on both
    // ranks.
    const auto own = [&](const char* name, int rank) { return record()->series(tag::of_rank(name, rank)).value(3); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->series(tag::of_rank("rank/loss", 0)).size() > 5; }, kPatience));
    EXPECT_NEAR((own("rank/loss", 0) + own("rank/loss", 1)) / 2, loss.value(3), 1e-4);
    EXPECT_NE(own("rank/loss", 0), own("rank/loss", 1)) << "they read other samples";
    EXPECT_EQ(own("rank/grad_norm", 0), own("rank/grad_norm", 1));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !record()->series(tag::kMfu).empty(); }, kPatience));

    // Zoomed in, it stays there while the curve grows.
    widgets::CurveChart* chart = test::child<LossPanel>(*page)->chart();
    chart->setXRange({2, 4});
    const std::size_t grown = loss.size() + 3;
    ASSERT_TRUE(QTest::qWaitFor([&] { return loss.size() >= grown; }, kPatience));
    EXPECT_EQ(chart->view().x, (widgets::XRange{2, 4}));

    QPushButton* save = test::child<RunHeader>(*page)->checkpointButton();
    ASSERT_TRUE(QTest::qWaitFor([&] { return save->isEnabled(); }, kPatience)) << "stage " << int(record()->stage());
    save->click();
    EXPECT_TRUE(happens("checkpoint", "checkpoint ")) << save->text().toStdString() << "\n" << journal();
    record()->ask(run::RateRequest{0.00025});
    EXPECT_TRUE(happens("rate", "0.00025"));
    record()->ask(run::NoteRequest{"look here", 3});
    EXPECT_TRUE(happens("note", "look here"));
    record()->ask(run::ProfileRequest{.steps = 3});
    EXPECT_TRUE(happens("profile", "profile of steps"));
    for (const run::Event& event : record()->events())
        if (event.kind == "profile") {
            const std::string trace = read_file(run.paths->root() / event.path);
            for (const char* word : {"\"traceEvents\"", "\"backward\"", "\"communicate\"", "aten::"})
                EXPECT_NE(trace.find(word), std::string::npos) << word;
        }
    test::child<RunHeader>(*page)->pauseAction()->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->isPaused(); }, kPatience));
    const std::int64_t held = record()->step();
    test::child<RunHeader>(*page)->pauseAction()->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->step() > held + 2; }, kPatience));
    // After the step under way, without a checkpoint.
    page->record()->ask(run::StopRequest{.checkpoint = false});
    ASSERT_TRUE(reaches(RunStage::Stopped));
    EXPECT_NE(record()->state()->message.text().find("an earlier checkpoint is kept"), std::string::npos)
        << record()->state()->message;
}

TEST_F(LiveRun, AStepIsSeenWithinAQuarterOfASecond) {
    const widgets::Series& loss = record()->series(tag::kTrainLoss);
    widgets::CurveChart* chart = test::child<LossPanel>(*page)->chart();
    std::vector<double> delays;  // from the clock of the rank that wrote it
    std::size_t seen = loss.size();
    QObject::connect(chart, &widgets::CurveChart::redrawn, chart, [&] {
        for (; seen < loss.size(); ++seen)
            delays.push_back(wall_seconds() - loss.wallTime(seen));
    });
    // Others may keep the machine busy for a while.
    double median = 0;
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            if (std::ssize(delays) < kSteps)
                return false;
            std::vector<double> last(delays.end() - kSteps, delays.end());
            std::nth_element(last.begin(), last.begin() + kSteps / 2, last.end());
            median = last[kSteps / 2];
            return median <= kSoon;
        },
        kPatience))
        << median << " s, " << delays.size() << " steps";
    ASSERT_FALSE(delays.empty());
    EXPECT_LT(*std::max_element(delays.begin(), delays.end()), kLongest);
}

/// A finished run next to the active one.
class LiveRunBesideAnother : public LiveRun {
  protected:
    void SetUp() override {
        const std::filesystem::path recipe = run.root() / "earlier.yaml";
        std::ofstream(recipe) << "name: earlier\nmodel: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 16}\n"
                                 "data: {path: text.txt, sequence_length: 16}\ntraining: {steps: "
                              << kEarlierSteps << ", batch_size: 2}\n";
        const test::Said said = test::trainyard({"launch", "--cpu", "-q", recipe.string()});
        ASSERT_EQ(said.code, 0) << said.err;
        LiveRun::SetUp();
    }
};

TEST_F(LiveRunBesideAnother, IsLaidOverItAndComparedWithItInTheList) {
    widgets::CurveChart* chart = test::child<LossPanel>(*page)->chart();
    Overlays* overlays = test::child<LossPanel>(*page)->overlays();
    ASSERT_TRUE(QTest::qWaitFor([&] { return overlays->offered().size() == 1; }, kPatience));
    EXPECT_EQ(overlays->offered().front().name, QStringLiteral("earlier"));
    const auto own = chart->curves().size();
    overlays->toggle(overlays->offered().front().folder);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return chart->curves().size() > own && chart->curves().last().series->size() == kEarlierSteps; },
        kPatience));
    // The curve of the active run continues to grow below the overlay.
    const widgets::Series& loss = record()->series(tag::kTrainLoss);
    const std::size_t grown = std::max(loss.size() + 3, kEarlierSteps);
    ASSERT_TRUE(QTest::qWaitFor([&] { return loss.size() >= grown; }, kPatience));
    ASSERT_EQ(loss.step(10), chart->curves().last().series->step(10));
    const double theirs = chart->curves().last().series->value(10);
    overlays->setDifference(true);
    ASSERT_EQ(chart->curves().size(), 1);
    EXPECT_EQ(chart->curves().first().series->size(), kEarlierSteps) << "the steps that both have";
    EXPECT_DOUBLE_EQ(chart->curves().first().series->value(10), loss.value(10) - theirs);

    // Both ticked in the list.
    RunStore store;
    RunsPage list(&store);
    list.resize(1440, 900);
    list.show();
    store.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<RunsProxy>(list)->rowCount() == 2; }, kPatience));
    for (int row = 0; row < 2; ++row) {
        list.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&list));
        list.table()->setFocus();
        list.table()->setCurrentIndex(test::child<RunsProxy>(list)->index(row, RunsModel::Name));
        QTest::keyClick(list.table(), Qt::Key_Space);
    }
    ASSERT_EQ(list.model()->ticked().size(), 2);
    CompareDrawer* drawer = list.drawer();
    const auto pointsOf = [&](const char* name) -> std::size_t {
        for (const widgets::Curve& curve : test::child<widgets::CurveChart>(*drawer)->curves())
            if (curve.name == QLatin1String(name))
                return curve.series->size();
        return 0;
    };
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return pointsOf("earlier") == kEarlierSteps && pointsOf("fault") > 0; }, kPatience));
    const std::size_t compared = pointsOf("fault");
    EXPECT_TRUE(QTest::qWaitFor([&] { return pointsOf("fault") > compared; }, kPatience)) << "it grows there too";
    EXPECT_EQ(pointsOf("earlier"), kEarlierSteps);
}

TEST_F(LiveRun, AKilledRankIsNamed) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->state() && record()->state()->ranks.size() == 2; }, kPatience));
    ::kill(record()->state()->ranks[1].process.pid, SIGKILL);
    ASSERT_TRUE(reaches(RunStage::Failed));
    EXPECT_TRUE(test::child<FailurePanel>(*page)->isVisibleTo(page.get()));
    EXPECT_EQ(record()->state()->first_failure->rank, 1);
    EXPECT_EQ(record()->state()->first_failure->signal, SIGKILL);
}

}  // namespace
}  // namespace trainyard::desktop
