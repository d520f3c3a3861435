// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of groups in the list of runs: which group a run is in, mean and spread of a group, collapsing, edits of whole
// groups, and that the list has the same groups after a restart.

#include "desktop/runs/run_groups.h"

#include <cmath>
#include <map>
#include <tuple>

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QUndoStack>

#include "desktop/compare/compare_drawer.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs/word_popup.h"
#include "fabricated_runs.h"
#include "run/run_labels.h"
#include "runs_page_test.h"
#include "widgets/cell_delegate.h"

using namespace trainyard;
using namespace trainyard::desktop;
using run::Status;
using test::fabricate;

namespace {

QString group_of(const char* name, GroupKind kind, const QStringList& tags = {}) {
    RunSummary run;
    run.name = run.ownName = QLatin1String(name);
    run.tags = tags;
    run.phase = RunPhase::Finished;
    return groupOf(run, {kind});
}

class RunGroupsTest : public test::RunsPageTest {
  protected:
    void SetUp() override {
        test::RunsPageTest::SetUp();
        for (const auto& [name, loss, tag] : {std::tuple("lr-1", 2.0, "night"),
                                              {"lr-2", 2.2, "night"},
                                              {"lr-10", 2.4, "night"},
                                              {"wide-1", 3.0, "day"}})
            folders_[name] =
                fabricate(runs_.path(),
                          {.name = name, .step = 40, .of = 40, .start_loss = loss, .end_loss = loss, .tags = {tag}});
        folders_["other"] = fabricate(runs_.path(), {.name = "other", .status = Status::failed, .step = 10, .of = 40});
    }
    QStringList names() const {
        QStringList names;
        for (int row = 0; row < proxy()->rowCount(); ++row)
            names << proxy()->at(proxy()->index(row, 0)).name;
        return names;
    }
    QModelIndex head(const char* title, int column = RunsModel::Name) const { return cell(title, column); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        page_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
        page_->table()->setFocus();
        ASSERT_TRUE(QTest::qWaitFor([&] { return page_->table()->hasFocus(); }));
        QTest::keyClick(page_->table(), key, modifiers);
    }
    /// Chooses in the menu that the key G opens.
    void group_by(const char* words) {
        press(Qt::Key_G);
        QMenu* menu = nullptr;
        ASSERT_TRUE(QTest::qWaitFor([&] {
            menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            return menu != nullptr;
        }));
        for (QAction* action : menu->actions())
            if (action->text() == QLatin1String(words)) {
                action->trigger();
                menu->close();
                return;
            }
        ADD_FAILURE() << "no group " << words;
    }
    /// This row alone, whatever keys were pressed last.
    void select(const QModelIndex& index) {
        page_->table()->selectionModel()->setCurrentIndex(
            index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
    run::Labels written(const char* name) const { return run::labels_or_none(run::RunPaths(folders_.at(name))); }

    std::map<std::string, std::filesystem::path> folders_;
};

}  // namespace

TEST(RunGroups, EveryRunIsInTheGroupOfItsNameTagsOrSweep) {
    EXPECT_EQ(group_of("llama-2", GroupKind::Name), QStringLiteral("llama"));
    EXPECT_EQ(group_of("llama-lr3e-4", GroupKind::Name), QStringLiteral("llama"));
    EXPECT_EQ(group_of("llama", GroupKind::Name), QStringLiteral("llama"));
    EXPECT_EQ(group_of("a", GroupKind::Tags, {"b", "a"}), group_of("a", GroupKind::Tags, {"a", "b"}));
    EXPECT_EQ(group_of("a", GroupKind::Tags), QString());
    EXPECT_EQ(group_of("lr-0a1f-012", GroupKind::Sweep, {"lr"}), QStringLiteral("lr-0a1f"));
    EXPECT_EQ(group_of("lr-0a1f-012-2", GroupKind::Sweep, {"lr"}), QStringLiteral("lr-0a1f")) << "a second attempt";
    EXPECT_EQ(group_of("lr-2", GroupKind::Sweep, {"lr"}), QString());
    for (const char* key : {"name", "tags", "project", "sweep", "host", "state", "setting:optimizer.lr"})
        EXPECT_EQ(Grouping::ofKey(QLatin1String(key)).key(), QLatin1String(key));
    EXPECT_EQ(Grouping::ofKey(QStringLiteral("unknown")), Grouping());
}

TEST(RunGroups, TheSpreadIsThatOfTheFiniteValues) {
    EXPECT_EQ(spreadOf({}), std::nullopt);
    EXPECT_EQ(spreadOf({NAN, INFINITY}), std::nullopt);
    const std::optional<Spread> one = spreadOf({NAN, 4});
    ASSERT_TRUE(one);
    EXPECT_EQ(*one, (Spread{1, 4, 0, 4, 4}));
    // numpy.std([2, 4, 4, 4, 5, 5, 7, 9], ddof=1)
    const std::optional<Spread> many = spreadOf({2, 4, 4, NAN, 4, 5, 5, 7, 9});
    ASSERT_TRUE(many);
    EXPECT_EQ(many->runs, 8);
    EXPECT_DOUBLE_EQ(many->mean, 5);
    EXPECT_NEAR(many->deviation, 2.138089935299395, 1e-12);
    EXPECT_EQ(many->least, 2);
    EXPECT_EQ(many->most, 9);
    EXPECT_NEAR(spreadOf({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16})->deviation, 5.477225575051661, 1e-6);
}

TEST_F(RunGroupsTest, AGroupHasItsRunsBelowItAndTheirMeanAndSpread) {
    open();
    group_by("Beginning of the name");
    QStringList titles;
    for (int row = 0; row < proxy()->rowCount(); ++row)
        if (const RunGroup* group = proxy()->groupAt(proxy()->index(row, 0)))
            titles << group->title;
    EXPECT_EQ(titles, (QStringList{"lr", "other", "wide"}));
    EXPECT_EQ(names().mid(1, 3).contains(QStringLiteral("other")), false) << "the runs of a group are below its head";
    ASSERT_NE(proxy()->groupAt(head("lr")), nullptr);
    ASSERT_EQ(proxy()->groupAt(head("lr"))->paths.size(), 3);
    // The statistics are those of the numbers that the rows show.
    QVector<double> losses;
    for (const char* name : {"lr-1", "lr-2", "lr-10"})
        losses << *proxy()->at(cell(name)).loss;
    const auto spread = page_->model()->spread(proxy()->mapToSource(head("lr")).row(), RunsModel::Train);
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->runs, 3);
    EXPECT_DOUBLE_EQ(spread->mean, spreadOf(losses)->mean);
    EXPECT_NEAR(spread->deviation, spreadOf(losses)->deviation, 1e-12) << "in another order";
    const QString text = head("lr", RunsModel::Curve).data().toString();
    EXPECT_TRUE(text.contains(QStringLiteral("±"))) << text.toStdString();
    EXPECT_TRUE(head("lr", RunsModel::Train).data(Qt::ToolTipRole).toString().contains(QStringLiteral("3 runs")));
    EXPECT_EQ(head("lr", RunsModel::State).data().toString(), QStringLiteral("3 Finished"));
    EXPECT_EQ(head("wide", RunsModel::Curve).data().toString().contains(QStringLiteral("±")), false) << "one run";
    // A metric that was chosen as a column has them as well.
    page_->columns()->setExtra(QStringLiteral("eval/loss.best"), true);
    ASSERT_TRUE(QTest::qWaitFor([&] {
        store_->refresh();
        proxy()->regroup();
        return page_->model()->spread(proxy()->mapToSource(head("lr")).row(), RunsModel::ColumnCount).has_value();
    }));
}

TEST_F(RunGroupsTest, CollapsedGroupsHideTheirRunsAndAreThereAfterARestart) {
    open();
    group_by("Tags");
    EXPECT_EQ(proxy()->rowCount(), 8) << names().join(QLatin1Char(' ')).toStdString();
    EXPECT_EQ(names().at(6), QStringLiteral("No tags")) << "runs without a group come last";
    page_->table()->setCurrentIndex(cell("lr-2"));
    press(Qt::Key_Left);
    EXPECT_FALSE(cell("lr-1").isValid());
    EXPECT_EQ(proxy()->rowCount(), 5);
    EXPECT_EQ(page_->table()->currentIndex().row(), head("night").row()) << "the head of the group is selected";
    EXPECT_EQ(proxy()->groupAt(head("night"))->paths.size(), 3) << "collapsed runs still count";
    page_.reset();
    store_.reset();
    open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return proxy()->rowCount() == 5; }));
    page_->table()->setCurrentIndex(head("night"));
    press(Qt::Key_Return);
    EXPECT_TRUE(cell("lr-1").isValid());
    // The triangle before the title collapses, too.
    const QRect rect = page_->table()->visualRect(head("day"));
    QTest::mouseClick(page_->table()->viewport(), Qt::LeftButton, {}, widgets::swatch_area(rect, true).center());
    EXPECT_FALSE(cell("wide-1").isValid());
    group_by("No groups");
    EXPECT_EQ(proxy()->rowCount(), 5);
}

TEST_F(RunGroupsTest, AnEditOfAGroupIsOneOfAllItsRunsAndIsTakenBackAtOnce) {
    open();
    group_by("Tags");
    auto* edits = RunEdits::of(store_.get());
    page_->table()->setCurrentIndex(head("night"));
    press(Qt::Key_T);
    WordPopup* popup = nullptr;
    ASSERT_TRUE(QTest::qWaitFor([&] { return (popup = page_->findChild<WordPopup*>()) != nullptr; }));
    test::child<QLineEdit>(*popup)->setText(QStringLiteral("+kept"));
    QTest::keyClick(test::child<QLineEdit>(*popup), Qt::Key_Return);
    for (const char* name : {"lr-1", "lr-2", "lr-10"})
        EXPECT_TRUE(QTest::qWaitFor([&] { return written(name).tags.size() == 2; })) << name;
    EXPECT_EQ(written("wide-1").tags.size(), 1u);
    EXPECT_EQ(edits->stack()->count(), 1) << "one step for all of them";
    press(Qt::Key_Z, Qt::ControlModifier);
    for (const char* name : {"lr-1", "lr-2", "lr-10"})
        EXPECT_TRUE(QTest::qWaitFor([&] { return written(name).tags.size() == 1; })) << name;
    // All rows at once: each run once, although its group is selected, too.
    press(Qt::Key_A, Qt::ControlModifier);
    EXPECT_EQ(page_->chosen().size(), 5);
    // Ticks: all runs of the group, and none again.
    select(head("night"));
    press(Qt::Key_Space);
    EXPECT_EQ(page_->drawer()->runs().size(), 3);
    press(Qt::Key_Space);
    EXPECT_TRUE(page_->model()->ticked().isEmpty());
    // Deleted and restored as one.
    select(head("night"));
    press(Qt::Key_Delete);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !std::filesystem::exists(folders_["lr-1"]); }));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !head("night").isValid(); }));
    press(Qt::Key_Z, Qt::ControlModifier);
    for (const char* name : {"lr-1", "lr-2", "lr-10"})
        EXPECT_TRUE(QTest::qWaitFor([&] { return std::filesystem::exists(folders_[name]); })) << name;
    ASSERT_TRUE(QTest::qWaitFor([&] { return head("night").isValid(); }));
}

TEST_F(RunGroupsTest, FilterAndExportKnowRunsAlone) {
    open();
    group_by("Tags");
    page_->filter()->setText(QStringLiteral("lr-1"));
    EXPECT_EQ(names(), (QStringList{"night", "lr-10", "lr-1"})) << names().join(QLatin1Char(' ')).toStdString();
    const QString file = QString::fromStdString((runs_.path() / "list.csv").string());
    page_->saveTable(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(file); }));
    QFile saved(file);
    ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
    EXPECT_EQ(saved.readAll().count('\n'), 3) << "titles and two runs";
}

TEST_F(RunGroupsTest, AThousandRunsAreGroupedWithinTheBudgetOfTheFilter) {
    RunSummaries runs;
    for (int i = 0; i < 1000; ++i) {
        RunSummary run;
        run.id = run.path = QStringLiteral("/runs/%1").arg(i);
        run.name = run.ownName = QStringLiteral("family%1-%2").arg(i % 40).arg(i / 40);
        run.phase = RunPhase::Finished;
        run.loss = i;
        runs << run;
    }
    RunsModel model;
    RunsProxy proxy(&model);
    model.setRuns(runs);
    QElapsedTimer clock;
    clock.start();
    proxy.setGrouping({GroupKind::Name});
    EXPECT_EQ(proxy.rowCount(), 1040);
    EXPECT_LT(clock.elapsed(), 1000) << "100 ms on an idle machine";
    EXPECT_EQ(proxy.at(proxy.index(0, 0)).name, QStringLiteral("family0"));
    EXPECT_EQ(proxy.groupAt(proxy.index(26, 0))->key, QStringLiteral("family1")) << "titles are sorted by number";
}
