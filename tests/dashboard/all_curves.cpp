// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the page with all curves of a run, which replaces the overview: opening it by key, header and tile; markers,
// notes and new points on it; and restoring it.

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QLineEdit>
#include <QListView>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include "dashboard/fabricated_run.h"
#include "desktop/curves/card_grid.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/dashboard/events_model.h"
#include "desktop/dashboard/events_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/metric_tile.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "desktop/dashboard/tile_row.h"
#include "run/request.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::desktop {
namespace {

class AllCurves : public ::testing::Test {
  protected:
    LossPanel* overview() const { return test::child<LossPanel>(*page_); }
    void open() {
        page_.reset();
        page_ = std::make_unique<RunPage>(run_.paths());
        page_->resize(1228, 874);
        page_->show();
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return page_->record()->isCaughtUp() && page_->record()->state(); }, kPatience));
    }
    CurvesPanel* panel() const { return test::child<CurvesPanel>(*page_); }
    /// Waits for the chart of a tag, and returns it.
    widgets::CurveChart* chart(const QString& tag) const {
        CurveCard* found = nullptr;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                found = qobject_cast<CurveCard*>(test::child<CardGrid>(*panel())->card(QStringLiteral("s:") + tag));
                return found != nullptr && !found->chart()->curves().isEmpty();
            },
            kPatience))
            << tag.toStdString();
        return found == nullptr ? nullptr : found->chart();
    }
    /// Zooms with the mouse wheel, and returns the visible range.
    static widgets::XRange zoom(widgets::CurveChart* chart, int turns) {
        chart->setFocus();
        const QPointF at(chart->width() / 2.0, chart->height() / 2.0);
        for (int i = 0; i < turns; ++i) {
            QWheelEvent wheel(at, chart->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                              false);
            QApplication::sendEvent(chart, &wheel);
        }
        return chart->view().x;
    }
    void press(Qt::Key key) {
        page_->setFocus();
        QTest::keyClick(page_.get(), key);
    }

    test::ViewsFolder views_;
    test::TemporaryFolder folder_;
    test::FabricatedRun run_{folder_.path(), {}};
    std::unique_ptr<RunPage> page_;
};

TEST_F(AllCurves, StandInThePlaceOfTheOverviewAndGrow) {
    open();
    EXPECT_EQ(panel(), nullptr) << "created only on request";
    press(Qt::Key_T);
    ASSERT_NE(panel(), nullptr);
    EXPECT_TRUE(panel()->isVisible());
    EXPECT_FALSE(overview()->isVisible());
    widgets::CurveChart* loss = chart(QStringLiteral("train/loss"));
    ASSERT_NE(loss, nullptr);
    EXPECT_EQ(loss->curves().first().series->size(), 1842u);
    run_.addSteps(10);
    EXPECT_TRUE(QTest::qWaitFor([&] { return loss->curves().first().series->size() == 1852; }, kPatience));

    press(Qt::Key_T);
    EXPECT_FALSE(panel()->isVisible());
    EXPECT_TRUE(overview()->isVisible());
    emit test::child<RunHeader>(*page_)->curvesRequested();
    EXPECT_TRUE(panel()->isVisible());
    emit test::child<RunHeader>(*page_)->curvesRequested();
    EXPECT_FALSE(panel()->isVisible());
    QTest::mouseClick(test::child<TileRow>(*page_)->tile(tag::kGradientNorm), Qt::LeftButton);
    EXPECT_TRUE(panel()->isVisible());
    EXPECT_NE(chart(QString::fromLatin1(tag::kGradientNorm)), nullptr) << "the card of the tile is in sight";

    page_->find();
    EXPECT_TRUE(QTest::qWaitFor([&] { return qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr; }));
}

TEST_F(AllCurves, MarkersLeadToTheEventsAndNotesStandAtTheStep) {
    open();
    page_->showCurves(true, QStringLiteral("train/loss"));
    widgets::CurveChart* loss = chart(QStringLiteral("train/loss"));
    ASSERT_NE(loss, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !loss->markers().isEmpty(); }, kPatience));
    // The markers are those of the overview.
    EXPECT_EQ(loss->markers().size(), overview()->chart()->markers().size());
    const widgets::Marker& marker = loss->markers().first();
    emit loss->markerActivated(marker.id);
    const QModelIndex chosen = test::child<EventsPanel>(*page_)->findChild<QListView*>()->currentIndex();
    ASSERT_TRUE(chosen.isValid());
    EXPECT_EQ(test::child<EventsModel>(*page_)->eventAt(chosen.row()).step, marker.step);

    // N at the crosshair asks for the words of a note and drops it as a request.
    loss->setCrosshair(600);
    QTimer::singleShot(0, page_.get(), [] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        QTest::keyClicks(dialog->findChild<QLineEdit*>(), QStringLiteral("look here"));
        dialog->accept();
    });
    loss->setFocus();
    QTest::keyClick(loss, Qt::Key_N);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run::pending_requests(run_.paths()).empty(); }, kPatience));
    const auto requests = run::pending_requests(run_.paths());
    EXPECT_EQ(requests.front().kind, "note");
    EXPECT_EQ(requests.front().values.at("text"), "look here");
    EXPECT_EQ(requests.front().values.at("step"), "600");
}

TEST_F(AllCurves, AreFoundAgainWithTheirZoomAndThatOfTheOverview) {
    open();
    overview()->chart()->flush();
    const widgets::XRange wide = zoom(overview()->chart(), 3);
    page_->showCurves(true);
    widgets::CurveChart* loss = chart(QStringLiteral("train/loss"));
    ASSERT_NE(loss, nullptr);
    loss->flush();
    const widgets::XRange card = zoom(loss, 6);
    ASSERT_LT(card.size(), wide.size());
    views_.reread();
    open();
    ASSERT_NE(panel(), nullptr);
    EXPECT_TRUE(panel()->isVisible());
    loss = chart(QStringLiteral("train/loss"));
    ASSERT_NE(loss, nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] { return loss->view().x == card; }, kPatience));
    press(Qt::Key_T);
    EXPECT_TRUE(QTest::qWaitFor([&] { return overview()->chart()->view().x == wide; }, kPatience));
    views_.reread();
    open();
    EXPECT_TRUE(overview()->isVisible());
    EXPECT_EQ(panel(), nullptr);
}

}  // namespace
}  // namespace trainyard::desktop
