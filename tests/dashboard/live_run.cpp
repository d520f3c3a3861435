// The page over a real run: two ranks of the real programs, seen, zoomed, asked for things, and killed.

#include <cmath>
#include <csignal>

#include <QAction>
#include <QElapsedTimer>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

#include "base/file.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/health_panel.h"
#include "desktop/dashboard/hosts_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "fault/real_run.h"
#include "support/views_folder.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::desktop {
namespace {

constexpr int kPatience = 120'000;  // ms; the machine may be busy

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
                    if (event.kind == kind && event.text.find(words) != std::string::npos)
                        return true;
                return false;
            },
            kPatience);
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
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->healthPanel()->hasData(); }, kPatience));
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
    ASSERT_TRUE(QTest::qWaitFor([&] { return !record()->series(tag::kMfu).empty(); }, kPatience));

    // Zoomed in, it stays there while the curve grows.
    widgets::CurveChart* chart = page->lossPanel()->chart();
    chart->setXRange({2, 4});
    const std::size_t grown = loss.size() + 3;
    ASSERT_TRUE(QTest::qWaitFor([&] { return loss.size() >= grown; }, kPatience));
    EXPECT_EQ(chart->view().x, (widgets::XRange{2, 4}));

    page->header()->checkpointButton()->click();
    EXPECT_TRUE(happens("checkpoint", "checkpoint "));
    record()->ask("set", {{"lr", "0.00025"}});
    EXPECT_TRUE(happens("rate", "0.00025"));
    record()->ask("note", {{"text", "look here"}, {"step", "3"}});
    EXPECT_TRUE(happens("note", "look here"));
    record()->ask("profile", {{"steps", "3"}});
    EXPECT_TRUE(happens("profile", "profile of steps"));
    for (const run::Event& event : record()->events())
        if (event.kind == "profile") {
            const std::string trace = read_file(run.paths->root() / event.path);
            for (const char* word : {"\"traceEvents\"", "\"backward\"", "\"communicate\"", "aten::"})
                EXPECT_NE(trace.find(word), std::string::npos) << word;
        }
    page->header()->pauseAction()->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->isPaused(); }, kPatience));
    const std::int64_t held = record()->step();
    page->header()->pauseAction()->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->step() > held + 2; }, kPatience));
    // After the step under way, without a checkpoint.
    emit page->header()->stopNowRequested();
    ASSERT_TRUE(reaches(RunStage::Stopped));
    EXPECT_NE(record()->state()->message.find("an earlier checkpoint is kept"), std::string::npos)
        << record()->state()->message;
}

TEST_F(LiveRun, AKilledRankIsNamed) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->state() && record()->state()->ranks.size() == 2; }, kPatience));
    ::kill(record()->state()->ranks[1].process.pid, SIGKILL);
    ASSERT_TRUE(reaches(RunStage::Failed));
    EXPECT_TRUE(page->failurePanel()->isVisibleTo(page.get()));
    EXPECT_EQ(record()->state()->first_failure->rank, 1);
    EXPECT_EQ(record()->state()->first_failure->signal, SIGKILL);
}

}  // namespace
}  // namespace trainyard::desktop
