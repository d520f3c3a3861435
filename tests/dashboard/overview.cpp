// What the overview of a run shows beside its curves: other runs laid over it, layouts, keys; and every figure of the page against
// numbers worked out by hand.

#include <cmath>

#include <QLabel>
#include <QMenu>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "dashboard/fabricated_run.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/named_layouts.h"
#include "desktop/dashboard/config_diff.h"
#include "desktop/dashboard/events_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/run_view.h"
#include "desktop/dashboard/tags.h"
#include "desktop/dashboard/tile_row.h"
#include "desktop/view_state.h"
#include "support/temporary_folder.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::desktop {
namespace {

using widgets::XUnit;

constexpr int kPatience = 10'000;  // ms

class Overview : public ::testing::Test {
  protected:
    Overview() { ViewState::instance().setFolder(QString::fromStdString((folder.path() / "state").string())); }

    RunPage* open(const test::FabricatedRun& run) {
        page = std::make_unique<RunPage>(run.paths());
        page->resize(1228, 874);
        page->show();
        EXPECT_TRUE(
            QTest::qWaitFor([&] { return page->record()->isCaughtUp() && page->record()->state(); }, kPatience));
        return page.get();
    }
    widgets::CurveChart* chart() const { return page->lossPanel()->chart(); }
    Overlays* overlays() const { return page->lossPanel()->overlays(); }
    bool waitForOffers(std::size_t count) const {
        return QTest::qWaitFor([&] { return overlays()->offered().size() == count; }, kPatience);
    }

    test::TemporaryFolder folder;
    std::unique_ptr<RunPage> page;
};

test::FabricatedPlan earlier_run() {
    test::FabricatedPlan plan;
    plan.name = "baseline";
    plan.status = run::Status::finished;
    plan.done = plan.steps = 600;
    plan.step_seconds = 0.5;
    plan.slowness = 1.5;
    plan.end = wall_seconds() - 9000;
    return plan;
}

TEST_F(Overview, AnotherRunIsLaidOverWithItsDifferenceAndTheConfigurationFollows) {
    const test::FabricatedRun other(folder.path() / "runs", earlier_run());
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    EXPECT_EQ(overlays()->offered().front().name, QStringLiteral("baseline"));
    const QString path = QString::fromStdString(other.paths().root().string());
    overlays()->toggle(path);
    ASSERT_EQ(chart()->curves().size(), 3);
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart()->curves()[2].series->size() == 600; }, kPatience));
    const widgets::Curve& curve = chart()->curves()[2];
    EXPECT_EQ(curve.name, QStringLiteral("baseline"));
    EXPECT_EQ(curve.dash, Qt::DashLine);
    EXPECT_NE(curve.color, color::kTrain);
    EXPECT_NE(curve.color, color::kValidation);
    EXPECT_EQ(page->configDiff()->chosen(), path);

    // The table tells this run less the other one.
    page->lossPanel()->setSmoothing(0);
    chart()->setCrosshair(100);
    chart()->flush();
    const widgets::Series& mine = page->record()->series(tag::kTrainLoss);
    const double difference = mine.value(99) - curve.series->value(99);
    ASSERT_LT(difference, 0);
    const auto rows = chart()->rowsAtCrosshair();
    ASSERT_EQ(rows.size(), 3);
    EXPECT_EQ(rows[2].name, QStringLiteral("baseline (Δ %1)").arg(chart()->valueText(difference)));

    // A − B at the steps that both have, on a linear axis; and back.
    overlays()->setDifference(true);
    ASSERT_EQ(chart()->curves().size(), 1);
    const widgets::Series& less = *chart()->curves()[0].series;
    EXPECT_EQ(less.size(), 600u);
    EXPECT_DOUBLE_EQ(less.value(99), difference);
    EXPECT_FALSE(chart()->isLogY());
    overlays()->setDifference(false);
    EXPECT_TRUE(chart()->isLogY());
    overlays()->toggle(path);
    EXPECT_EQ(chart()->curves().size(), 2);
}

TEST_F(Overview, AlignedAtResumeTheFirstPointsLieOnEachOther) {
    const test::FabricatedRun other(folder.path() / "runs", earlier_run());
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    overlays()->toggle(QString::fromStdString(other.paths().root().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart()->curves()[2].series->size() == 600; }, kPatience));
    page->setUnit(XUnit::Time);
    page->lossPanel()->setUnit(XUnit::Time);
    const auto first = [&](int number) {
        const widgets::Curve& curve = chart()->curves()[number];
        return curve.series->x(0, widgets::scale_of(curve, chart()->view()));
    };
    // Both began 0.9 s before the first step began: step times of 0.24 and 0.5 s.
    EXPECT_NEAR(first(0), 0.9 + 0.24, 0.01);
    EXPECT_NEAR(first(2), 0.9 + 0.5, 0.01);
    overlays()->setAtResume(true);
    EXPECT_NEAR(first(2), first(0), 1e-6);
}

TEST_F(Overview, AlignedAtResumeTheStepFromWhichItWentOnLiesOnTheFirstPoint) {
    const test::FabricatedRun other(folder.path() / "runs", earlier_run());
    test::FabricatedPlan plan;
    plan.first = 301;
    plan.done = 500;
    const test::FabricatedRun run(folder.path() / "runs", plan);
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    overlays()->toggle(QString::fromStdString(other.paths().root().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart()->curves()[2].series->size() == 600; }, kPatience));
    page->lossPanel()->setUnit(XUnit::Time);
    overlays()->setAtResume(true);
    const widgets::Curve& theirs = chart()->curves()[2];
    const widgets::Curve& mine = chart()->curves()[0];
    ASSERT_EQ(mine.series->step(0), 301);
    ASSERT_EQ(theirs.series->step(300), 301);
    EXPECT_NEAR(theirs.series->x(300, widgets::scale_of(theirs, chart()->view())),
                mine.series->x(0, widgets::scale_of(mine, chart()->view())), 1e-6);
}

TEST_F(Overview, OverlaysAndLayoutAreThereAgain) {
    const test::FabricatedRun other(folder.path() / "runs", earlier_run());
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    overlays()->toggle(QString::fromStdString(other.paths().root().string()));
    chart()->setBands(false);
    page->lossPanel()->setSmoothing(0.5);
    page.reset();
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    EXPECT_EQ(chart()->curves().size(), 3);
    EXPECT_FALSE(chart()->hasBands());
    EXPECT_DOUBLE_EQ(chart()->smoothing(), 0.5);
}

TEST_F(Overview, ALayoutGetsANameAndIsResetAndShownAgain) {
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    RunView* view = page->view();
    const QStringList usual = page->tiles()->chosen();
    page->tiles()->choose({QStringLiteral("train/lr"), QStringLiteral("train/loss")});
    page->lossPanel()->setLogY(false);
    page->lossPanel()->setUnit(XUnit::Tokens);
    view->layouts()->save(QStringLiteral("mine"));
    view->reset();
    EXPECT_EQ(page->tiles()->chosen(), usual);
    EXPECT_TRUE(chart()->isLogY());
    EXPECT_EQ(page->lossPanel()->unit(), XUnit::Step);
    QMenu menu;
    view->layouts()->fill(&menu);
    ASSERT_EQ(menu.actions().first()->text(), QStringLiteral("mine"));
    menu.actions().first()->trigger();
    EXPECT_EQ(page->tiles()->chosen(), (QStringList{QStringLiteral("train/lr"), QStringLiteral("train/loss")}));
    EXPECT_FALSE(chart()->isLogY());
    EXPECT_EQ(page->lossPanel()->unit(), XUnit::Tokens);
}

TEST_F(Overview, KeysGoThroughEventsOpenTilesAndSwitchBands) {
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    page->setFocus();
    const EventsModel* events = page->eventsPanel()->model();
    ASSERT_TRUE(QTest::qWaitFor([&] { return events->rowCount() > 5; }, kPatience));
    QTest::keyClick(page.get(), Qt::Key_BracketLeft);
    EXPECT_DOUBLE_EQ(chart()->view().crosshair, static_cast<double>(events->event(0).step));
    QTest::keyClick(page.get(), Qt::Key_BracketLeft);
    EXPECT_DOUBLE_EQ(chart()->view().crosshair, static_cast<double>(events->event(1).step));
    QTest::keyClick(page.get(), Qt::Key_BracketRight);
    EXPECT_DOUBLE_EQ(chart()->view().crosshair, static_cast<double>(events->event(0).step));
    EXPECT_TRUE(chart()->hasBands());
    QTest::keyClick(page.get(), Qt::Key_B);
    EXPECT_FALSE(chart()->hasBands());
    QTest::keyClick(page.get(), Qt::Key_O);
    EXPECT_TRUE(page->lossPanel()->overlayMenu()->isVisible());
    page->lossPanel()->overlayMenu()->hide();
    EXPECT_EQ(page->curvesPanel(), nullptr);
    QTest::keyClick(page.get(), Qt::Key_6);
    ASSERT_NE(page->curvesPanel(), nullptr) << "the gradient norm opens as a chart";
    EXPECT_TRUE(page->curvesPanel()->isVisible());
}

}  // namespace
}  // namespace trainyard::desktop
