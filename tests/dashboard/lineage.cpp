// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of a run that was resumed from a checkpoint of another run: both are shown as one curve, and training can be
// resumed from any checkpoint of all its ancestors.

#include <fstream>

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_lineage.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::desktop {
namespace {

constexpr double kStep = 0.1;  // seconds

class Lineage : public ::testing::Test {
  protected:
    /// Steps first..done of 2000, with the folders of its checkpoints; ends `before` seconds ago.
    std::unique_ptr<test::FabricatedRun> make(const char* name, std::int64_t first, std::int64_t done,
                                              const std::string& resume_from, double before, run::Status status) {
        test::FabricatedPlan plan;
        plan.name = name;
        plan.steps = 2000;
        plan.first = first;
        plan.done = done;
        plan.step_seconds = kStep;
        plan.status = status;
        plan.end = wall_seconds() - before;
        plan.resume_from = resume_from;
        plan.seed = static_cast<std::uint32_t>(first);
        plan.log = false;
        plan.spike_at = 0;
        auto made = std::make_unique<test::FabricatedRun>(folder.path() / "runs", plan);
        for (std::int64_t step = (first + 299) / 300 * 300; step <= done; step += 300)
            std::filesystem::create_directories(checkpoint(*made, step));
        return made;
    }
    static std::filesystem::path checkpoint(const test::FabricatedRun& run, std::int64_t step) {
        return run.paths().checkpoints() / ("checkpoint_" + std::to_string(step));
    }
    std::unique_ptr<RunPage> open(const test::FabricatedRun& run) {
        auto page = std::make_unique<RunPage>(run.paths());
        page->resize(1228, 874);
        page->show();
        EXPECT_TRUE(QTest::qWaitFor(
            [&] { return page->record()->isCaughtUp() && page->record()->state() && page->record()->facts(); },
            kPatience));
        return page;
    }
    static std::vector<widgets::SeriesPoint> points(const RunPage& page, const char* tag) {
        const widgets::Series& series = page.record()->series(tag);
        std::vector<widgets::SeriesPoint> all;
        series.forEach(0, series.size(), [&](std::size_t, const widgets::SeriesPoint& point) { all.push_back(point); });
        return all;
    }

    test::ViewsFolder views;
    test::TemporaryFolder folder;
};

TEST_F(Lineage, AResumedRunIsOneCurveWithItsParent) {
    const auto parent = make("parent", 1, 1100, {}, 3600, run::Status::stopped);
    const auto child = make("child", 901, 1500, checkpoint(*parent, 900).string(), 0, run::Status::running);
    const auto alone = open(*parent);
    const auto page = open(*child);

    // Every point of the parent up to the seam, then every point of the child.
    for (const char* name : {tag::kTrainLoss, tag::kValidationLoss, tag::kLearningRate}) {
        const auto before = points(*alone, name), all = points(*page, name);
        std::size_t at = 0;
        for (; at < before.size() && before[at].step <= 900; ++at) {
            ASSERT_LT(at, all.size()) << name;
            ASSERT_EQ(all[at].step, before[at].step) << name;
            ASSERT_EQ(all[at].value, before[at].value) << name << " at step " << before[at].step;
        }
        ASSERT_GT(at, 0u) << name;
        ASSERT_GT(all.size(), at) << name;
        EXPECT_GT(all[at].step, 900) << name << ": steps of the parent after the checkpoint must not be shown";
        EXPECT_EQ(all.back().step, 1500) << name;
    }
    EXPECT_EQ(points(*page, tag::kTrainLoss).size(), 1500u);

    // Time is counted from the start of the parent, and the hour between the two runs is idle time.
    test::child<LossPanel>(*page)->setUnit(widgets::XUnit::Time);
    const widgets::XScale scale = page->record()->scale(widgets::XUnit::Time);
    EXPECT_NEAR(page->record()->series(tag::kTrainLoss).x(0, scale), 1.2, 0.5);
    ASSERT_TRUE(page->record()->wasIdle());
    page->record()->setActiveTime(true);
    EXPECT_LT(page->record()->series(tag::kTrainLoss).x(1499, page->record()->scale(widgets::XUnit::Time)), 300);

    // The events of the parent, and a mark at the step of the resume.
    int evaluations = 0, later = 0, marks = 0;
    for (const run::Event& event : page->record()->events()) {
        evaluations += event.kind == "evaluation" && event.step <= 900;
        later += event.kind != "resume" && event.step > 900 && event.time < wall_seconds() - 3500;
        marks += event.kind == "resume" && event.step == 900;
    }
    EXPECT_EQ(evaluations, 2) << "at 400 and 800";
    EXPECT_EQ(later, 0);
    EXPECT_EQ(marks, 1);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::child<LossPanel>(*page)->chart()->curves()[0].breaks == QVector<std::int64_t>{901}; },
        kPatience));
    bool marked = false;
    for (const widgets::Marker& marker : test::child<LossPanel>(*page)->chart()->markers())
        marked = marked || marker.text.startsWith(QStringLiteral("Resumed from checkpoint 900"));
    EXPECT_TRUE(marked);
}

TEST_F(Lineage, OfThreeRunsEachCountsUpToItsSeam) {
    const auto first = make("first", 1, 1000, {}, 7200, run::Status::stopped);
    const auto second = make("second", 901, 1300, checkpoint(*first, 900).string(), 3600, run::Status::stopped);
    // Back to before the second run's own beginning: nothing of the second is left.
    const auto third = make("third", 601, 700, checkpoint(*first, 600).string(), 60, run::Status::stopped);
    const auto fourth = make("fourth", 1201, 1400, second->paths().root().string(), 0, run::Status::running);
    const auto back = open(*third);
    EXPECT_EQ(points(*back, tag::kTrainLoss).size(), 700u);
    const auto all = open(*fourth);
    const auto loss = points(*all, tag::kTrainLoss);
    ASSERT_EQ(loss.size(), 1400u) << "a folder of a run stands for its newest checkpoint";
    for (std::size_t i = 0; i < loss.size(); ++i)
        ASSERT_EQ(loss[i].step, static_cast<std::int64_t>(i) + 1);
    const auto of_second = open(*second);
    EXPECT_EQ(loss[1000].value, points(*of_second, tag::kTrainLoss)[1000].value);
}

TEST_F(Lineage, BeforeItsFirstStepItStandsWhereItGoesOn) {
    const auto parent = make("parent", 1, 1100, {}, 3600, run::Status::stopped);
    const auto child = make("child", 901, 900, checkpoint(*parent, 900).string(), 0, run::Status::starting);
    const auto page = open(*child);
    EXPECT_FALSE(page->record()->hasSteps());
    EXPECT_EQ(page->record()->step(), 900);
    child->addStep();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->hasSteps(); }, kPatience));
    EXPECT_EQ(page->record()->series(tag::kTrainLoss).size(), 901u);
}

TEST_F(Lineage, AnyCheckpointOfTheLineCanBeGoneOnFrom) {
    const auto parent = make("parent", 1, 1100, {}, 3600, run::Status::stopped);
    const auto child = make("child", 901, 1500, checkpoint(*parent, 900).string(), 0, run::Status::stopped);
    std::ofstream(checkpoint(*parent, 300) / "keep") << "";
    const auto page = open(*child);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->checkpoints().size() == 5; }, kPatience));
    test::child<RunHeader>(*page)->refresh(wall_seconds());
    QMenu* menu = test::child<QMenu>(*page, QStringLiteral("Resume from another checkpoint"));
    ASSERT_TRUE(menu->menuAction()->isVisible());
    emit menu->aboutToShow();
    QStringList words;
    for (const QAction* action : menu->actions())
        words << action->text();
    ASSERT_EQ(words.size(), 5) << words.join(QStringLiteral(" | ")).toStdString();
    EXPECT_TRUE(words[0].startsWith(QStringLiteral("Step 1,500  ·  newest"))) << words[0].toStdString();
    EXPECT_TRUE(words[4].startsWith(QStringLiteral("Step 300  ·  pinned"))) << words[4].toStdString();
    // Evaluated at 1200 with the lowest loss of the steps that have a checkpoint.
    EXPECT_TRUE(words[1].startsWith(QStringLiteral("Step 1,200  ·  best"))) << words[1].toStdString();
    QSignalSpy resumed(page.get(), &RunPage::resumeRequested);
    menu->actions()[4]->trigger();
    ASSERT_EQ(resumed.count(), 1);
    EXPECT_EQ(resumed.first().at(1).toString().toStdString(), checkpoint(*parent, 300).string());
    EXPECT_EQ(resumed.first().at(0).toString().toStdString(), child->paths().spec().string());
    test::child<RunHeader>(*page)->resumeHereAction()->trigger();
    EXPECT_EQ(resumed.last().at(1).toString().toStdString(), child->paths().root().string());
}

TEST_F(Lineage, WithoutACheckpointOfItsOwnTheRunGoesOnFromThatOfItsParent) {
    const auto parent = make("parent", 1, 1100, {}, 3600, run::Status::stopped);
    const auto child = make("child", 901, 950, checkpoint(*parent, 900).string(), 0, run::Status::stopped);
    const auto page = open(*child);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->lastCheckpoint() == 900; }, kPatience));
    test::child<RunHeader>(*page)->refresh(wall_seconds());
    QSignalSpy resumed(page.get(), &RunPage::resumeRequested);
    test::child<RunHeader>(*page)->resumeHereAction()->trigger();
    ASSERT_EQ(resumed.count(), 1);
    EXPECT_EQ(resumed.first().at(1).toString().toStdString(), checkpoint(*parent, 900).string());
}

}  // namespace
}  // namespace trainyard::desktop
