// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a run shows the newest evaluation of a classification, and the newer one when it comes.

#include <QAbstractButton>
#include <QHelpEvent>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/file.h"
#include "dashboard/run_page_test.h"
#include "desktop/dashboard/classes_panel.h"
#include "desktop/dashboard/metric_figures.h"
#include "desktop/dashboard/tile_row.h"
#include "run/class_report.h"
#include "support/child.h"
#include "support/model_check.h"
#include "support/says.h"
#include "widgets/inline_message.h"
#include "widgets/local_text.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

run::ClassReport report_at(std::int64_t step, std::int64_t right) {
    run::ClassReport report;
    report.step = step;
    report.classes = {"cat", "dog", "cow"};
    report.counts = {{0, 0, right}, {0, 1, 10 - right}, {1, 1, 4}, {2, 0, 6}};
    report.worst = {{7, "a <b>cow</b>\nin the rain", 2, 0, 0.01, 4.6}, {3, "", 0, 1, 0.2, 1.6}};
    return report;
}

TEST_F(RunPageTest, TheNewestEvaluationOfClassesIsShown) {
    widgets::Theme::instance().install(*qApp);
    const test::FabricatedRun run(folder.path() / "runs", {.name = "classes"});
    run::write_class_report(run.paths(), report_at(100, 7));
    open(run);
    auto* panel = test::child<ClassesPanel>(*page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel->isVisible(); }, kPatience));
    auto* matrix = test::child<ConfusionMatrix>(*panel);
    EXPECT_EQ(matrix->count(0, 0), 7);
    EXPECT_EQ(matrix->count(2, 0), 6);
    EXPECT_EQ(matrix->words(0, 1), ConfusionMatrix::tr("%1, found as %2: %3 (%4 of the class)")
                                       .arg(QStringLiteral("cat"), QStringLiteral("dog"), QStringLiteral("3"),
                                            widgets::percent_text(0.3, 1)));
    // Every cell is where the pointer finds it.
    for (int y = 0; y < matrix->height(); y += 7)
        for (int x = 0; x < matrix->width(); x += 7)
            if (const auto [label, found] = matrix->cellAt({x, y}); label >= 0) {
                EXPECT_TRUE(label < 3 && found >= 0 && found < 3);
            }
    EXPECT_EQ(matrix->cellAt({matrix->width() - 2, matrix->height() - 2}), std::pair(2, 2));

    test::check_model<ClassTable>(*test::child<ClassTable>(*panel));
    test::check_model<WorstTable>(*test::child<WorstTable>(*panel));
    const auto table = [&](int part) {
        panel->show(part);
        return qobject_cast<QTableView*>(test::child<QStackedWidget>(*panel)->currentWidget())->model();
    };
    const auto cell = [](const QAbstractItemModel* model, int row, int column) {
        return model->index(row, column).data().toString();
    };
    const QAbstractItemModel* classes = table(1);
    ASSERT_EQ(classes->rowCount(), 3);
    EXPECT_EQ(test::read_all(*classes), 15);
    EXPECT_EQ(cell(classes, 0, 0), QStringLiteral("cat"));
    EXPECT_EQ(cell(classes, 0, 2).left(3), QLocale().toString(0.7, 'f', 1)) << "recall";
    EXPECT_EQ(cell(classes, 2, 4), QStringLiteral("6"));
    const QAbstractItemModel* worst = table(2);
    ASSERT_EQ(worst->rowCount(), 2);
    EXPECT_EQ(cell(worst, 0, 0), QStringLiteral("a <b>cow</b> in the rain"));
    EXPECT_EQ(cell(worst, 0, 2), QStringLiteral("cat"));
    EXPECT_EQ(cell(worst, 1, 0), WorstTable::tr("held-out sample %1").arg(3));

    // A newer one replaces it; an unreadable one is a message, and the last good one stays.
    run::write_class_report(run.paths(), report_at(200, 9));
    ASSERT_TRUE(QTest::qWaitFor([&] { return matrix->count(0, 0) == 9; }, kPatience));
    write_file_atomically(run::class_reports(run.paths()) / "step-000300.json", "{");
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            return page->warning()->isVisibleTo(page.get()) &&
                   page->warning()->copyText().contains(QStringLiteral("step-000300.json"));
        },
        kPatience));
    EXPECT_EQ(matrix->count(0, 0), 9);
}

TEST_F(RunPageTest, MetricsOfEvaluationsHaveTilesBesideTheLoss) {
    widgets::Theme::instance().install(*qApp);
    test::FabricatedRun run(folder.path() / "runs", {.name = "tiles"});
    run.metrics().add_scalars(
        1800, wall_seconds(),
        {{"eval/accuracy", 0.875}, {"eval/loss_average", 2}, {"eval/f1", 0.5}, {"eval/recall", 0.1}});
    run.metrics().flush();
    open(run);
    auto* tiles = test::child<TileRow>(*page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return tiles->tile("eval/f1") != nullptr; }, kPatience));
    EXPECT_EQ(tiles->chosen().size(), 7) << "no more tiles than without them";
    EXPECT_EQ(tiles->chosen().mid(1, 3),
              (QStringList{QStringLiteral("eval/loss"), QStringLiteral("eval/accuracy"), QStringLiteral("eval/f1")}));
    const MetricFigure figure = metric_figure(*page->record(), "eval/accuracy");
    EXPECT_TRUE(figure.value.startsWith(QLocale().toString(0.875, 'f', 3))) << figure.value.toStdString();
}

TEST_F(RunPageTest, RunsWithoutClassesHaveNoSuchPanel) {
    widgets::Theme::instance().install(*qApp);
    const test::FabricatedRun run(folder.path() / "runs", {.name = "plain"});
    open(run);
    EXPECT_FALSE(test::child<ClassesPanel>(*page)->isVisibleTo(page.get()));
}

}  // namespace
}  // namespace trainyard::desktop
