// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the list of runs with mouse and keyboard: selection, edits and undo, columns, filters, deletion.
#include "desktop/runs/runs_page.h"

#include <algorithm>

#include <QClipboard>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>
#include <QUndoStack>

#include <gtest/gtest.h>

#include "desktop/compare/compare_drawer.h"
#include "desktop/compare/differences_panel.h"
#include "desktop/runs/columns_popup.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs/word_popup.h"
#include "desktop/runs_page_test.h"
#include "fabricated_runs.h"
#include "run/run_labels.h"
#include "run/trash.h"
#include "support/child.h"
#include "support/picture.h"
#include "support/settle.h"
#include "widgets/cell_delegate.h"
#include "widgets/plot/parallel_coordinates.h"
#include "widgets/segmented_control.h"

using namespace trainyard;
using namespace trainyard::desktop;
using run::Status;
using test::fabricate;

namespace {

class RunsPageTest : public test::RunsPageTest {
  protected:
    RunEdits* edits() const { return RunEdits::of(store_.get()); }
    void open() {
        test::RunsPageTest::open(1200);
        page_->table()->setFocus();
    }
    void close() {
        page_.reset();
        store_.reset();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        // A popup that closed leaves no window active on the offscreen platform, and shortcuts need one.
        page_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
        page_->table()->setFocus();
        ASSERT_TRUE(QTest::qWaitFor([&] { return page_->table()->hasFocus(); }));
        QTest::keyClick(page_->table(), key, modifiers);
    }
    void select(const char* name) { page_->table()->setCurrentIndex(cell(name)); }
    void click(const char* name, int x) {
        const QRect rect = page_->table()->visualRect(cell(name));
        QTest::mouseClick(page_->table()->viewport(), Qt::LeftButton, {}, QPoint(rect.left() + x, rect.center().y()));
    }
    /// Whether a message over the list has these words.
    bool says(const QString& words) const {
        const QList<QLabel*> labels = page_->findChildren<QLabel*>();
        return std::ranges::any_of(
            labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
    }
    run::Labels written(const std::filesystem::path& run) { return run::labels_or_none(run::RunPaths(run)); }
    static QPushButton* button(const QWidget& in, const char* words) {
        for (QPushButton* found : in.findChildren<QPushButton*>())
            if (found->text() == QLatin1String(words) || found->accessibleName() == QLatin1String(words) ||
                found->toolTip() == QLatin1String(words))
                return found;
        ADD_FAILURE() << "no button " << words;
        return nullptr;
    }
    template <class Popup>
    Popup* popup() {
        Popup* found = nullptr;
        EXPECT_TRUE(QTest::qWaitFor([&] {
            found = page_->findChild<Popup*>();
            return found != nullptr && found->isVisible();
        }));
        return found;
    }
};

}  // namespace

TEST_F(RunsPageTest, ATickOpensTheComparison) {
    fabricate(runs_.path(), {.name = "one", .step = 40, .of = 40, .lr = 1e-3});
    fabricate(runs_.path(), {.name = "two", .step = 40, .of = 40, .age_s = 900, .lr = 2e-3});
    open();
    EXPECT_TRUE(page_->drawer()->isHidden());
    click("one", 20);
    EXPECT_EQ(page_->model()->ticked().size(), 1);
    EXPECT_TRUE(page_->drawer()->isVisible());
    select("two");
    press(Qt::Key_Space);
    EXPECT_EQ(page_->drawer()->runs().size(), 2);
    press(Qt::Key_C);
    EXPECT_TRUE(page_->drawer()->isHidden());
    EXPECT_TRUE(page_->drawer()->runs().isEmpty()) << "a hidden drawer must not read runs";
    press(Qt::Key_C);
    EXPECT_TRUE(page_->drawer()->isVisible());
    press(Qt::Key_Space);
    click("one", 20);
    EXPECT_TRUE(page_->drawer()->isHidden());
}

/// As screen readers do.
TEST_F(RunsPageTest, ARunIsTickedThroughItsModel) {
    fabricate(runs_.path(), {.name = "one", .step = 40, .of = 40, .lr = 1e-3});
    open();
    const QModelIndex name = cell("one");
    EXPECT_TRUE(name.flags().testFlag(Qt::ItemIsUserCheckable));
    EXPECT_FALSE(cell("one", RunsModel::State).flags().testFlag(Qt::ItemIsUserCheckable));
    EXPECT_EQ(name.data(Qt::CheckStateRole).toInt(), Qt::Unchecked);
    EXPECT_TRUE(proxy()->setData(name, Qt::Checked, Qt::CheckStateRole));
    EXPECT_EQ(name.data(Qt::CheckStateRole).toInt(), Qt::Checked);
    EXPECT_EQ(page_->model()->ticked().size(), 1);
    EXPECT_TRUE(proxy()->setData(name, Qt::Unchecked, Qt::CheckStateRole));
    EXPECT_TRUE(page_->model()->ticked().isEmpty());
}

TEST_F(RunsPageTest, AClosedComparisonComesBackWithAClickOrTheNextTick) {
    for (const char* name : {"one", "two", "three"})
        fabricate(runs_.path(), {.name = name, .step = 40, .of = 40});
    open();
    click("one", 20);
    click("two", 20);
    const auto close = [this] { QTest::mouseClick(button(*page_->drawer(), "Close the comparison"), Qt::LeftButton); };
    close();
    EXPECT_TRUE(page_->drawer()->isHidden());
    EXPECT_EQ(page_->model()->ticked().size(), 2) << "closing unticks nothing";
    QTest::mouseClick(button(*page_, "Compare"), Qt::LeftButton);
    EXPECT_TRUE(page_->drawer()->isVisible());
    EXPECT_FALSE(button(*page_, "Compare")->isVisible());
    close();
    click("three", 20);
    EXPECT_TRUE(page_->drawer()->isVisible());
    EXPECT_EQ(page_->drawer()->runs().size(), 3);
}

TEST_F(RunsPageTest, WhatTheFilterHidesIsNotComparedAndALineSaysSo) {
    for (const char* name : {"one", "two", "other"})
        fabricate(runs_.path(), {.name = name, .step = 40, .of = 40});
    open();
    for (const char* name : {"one", "two", "other"})
        click(name, 20);
    ASSERT_EQ(page_->drawer()->runs().size(), 3);
    page_->filter()->setText(QStringLiteral("other"));
    EXPECT_EQ(page_->drawer()->runs().size(), 1) << "the panel compares the ticked rows of the list";
    EXPECT_EQ(page_->model()->ticked().size(), 3);
    EXPECT_TRUE(page_->drawer()->isVisible());
    const auto says = [this](const char* words) {
        const auto labels = page_->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->isVisible() && label->text().contains(QLatin1String(words));
        });
    };
    EXPECT_TRUE(says("2 selected runs are not in this list"));
    page_->filter()->setText(QStringLiteral("nothing-like-it"));
    EXPECT_TRUE(page_->drawer()->isHidden());
    QTest::mouseClick(button(*page_, "Show them"), Qt::LeftButton);
    EXPECT_EQ(page_->filter()->text(), QString());
    EXPECT_EQ(page_->drawer()->runs().size(), 3);
    EXPECT_TRUE(page_->drawer()->isVisible());
    EXPECT_FALSE(says("selected runs are not in this list"));
    page_->filter()->setText(QStringLiteral("other"));
    page_->activate(QFileInfo(page_->model()->ticked().first()).fileName());
    EXPECT_EQ(page_->drawer()->runs().size(), 1) << "a comparison that is opened is not hidden by the filter";
    EXPECT_EQ(page_->filter()->text(), QString());
}

TEST_F(RunsPageTest, RowsStayUnderThePointerUntilItLeaves) {
    fabricate(runs_.path(), {.name = "one", .step = 40, .of = 40, .age_s = 600});
    fabricate(runs_.path(), {.name = "two", .step = 40, .of = 40, .age_s = 900});
    open();
    page_->table()->setFocus();
    const auto top_of = [this](const char* name) { return page_->table()->visualRect(cell(name)).top(); };
    const auto move_over = [this](const char* name) {
        QWidget* viewport = page_->table()->viewport();
        const QPointF at = page_->table()->visualRect(cell(name)).center();
        QMouseEvent move(QEvent::MouseMove, at, viewport->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(viewport, &move);
    };
    const int first = top_of("one"), second = top_of("two");
    // Messages are painted over the list.
    page_->filter()->setText(QStringLiteral("step>>1"));
    EXPECT_EQ(top_of("one"), first);
    page_->filter()->setText(QStringLiteral("stp>1"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_->filter()->property("invalid").toBool(); }));
    EXPECT_EQ(proxy()->rowCount(), 2) << "the list stays as it was";
    page_->filter()->clear();
    select("one");
    press(Qt::Key_A);
    ASSERT_EQ(proxy()->rowCount(), 1);
    EXPECT_TRUE(says(QStringLiteral("1 archived")));
    EXPECT_EQ(top_of("two"), first);
    press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_EQ(proxy()->rowCount(), 2);

    // New runs and another order wait.
    move_over("two");
    page_->table()->setAttribute(Qt::WA_UnderMouse);
    fabricate(runs_.path(), {.name = "three", .step = 40, .of = 40, .age_s = 1});
    store_->refresh();
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_->model()->rowCount() == 3; }));
    EXPECT_EQ(proxy()->rowCount(), 2);
    EXPECT_EQ(top_of("one"), first);
    EXPECT_EQ(top_of("two"), second);
    QPushButton* update = button(*page_, "Update the list");
    ASSERT_TRUE(QTest::qWaitFor([&] { return update->isVisible(); }));
    QTest::mouseClick(update, Qt::LeftButton);
    EXPECT_EQ(proxy()->rowCount(), 3);
    EXPECT_GT(top_of("one"), first);
    EXPECT_FALSE(update->isVisible());

    // They come when the pointer leaves.
    move_over("two");
    page_->table()->setAttribute(Qt::WA_UnderMouse);
    fabricate(runs_.path(), {.name = "four", .step = 40, .of = 40, .age_s = 0});
    store_->refresh();
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_->model()->rowCount() == 4; }));
    EXPECT_EQ(proxy()->rowCount(), 3);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(page_->table(), &leave);
    EXPECT_EQ(proxy()->rowCount(), 4);
}

TEST_F(RunsPageTest, EveryEditIsTakenBackAndDoneAgain) {
    const auto folder = fabricate(runs_.path(), {.name = "one", .step = 10, .of = 10});
    open();
    const QSignalSpy opened(page_.get(), &RunsPage::runActivated);
    select("one");
    press(Qt::Key_F2);
    test::settle();
    auto* editor = page_->table()->findChild<QLineEdit*>();
    ASSERT_NE(editor, nullptr);
    editor->setText(QStringLiteral("better"));
    emit page_->model()->dataChanged(page_->model()->index(0, 0),
                                     page_->model()->index(0, page_->model()->columnCount() - 1));
    EXPECT_EQ(editor->text(), QStringLiteral("better")) << "an update of an active run must not reset the editor";
    QTest::keyClick(editor, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return written(folder).name == "better"; }));
    EXPECT_TRUE(cell("better").isValid());
    EXPECT_EQ(opened.count(), 0) << "the key that ends the editor must not open the run";
    EXPECT_TRUE(QTest::qWaitFor([this] { return page_->table()->hasFocus(); }));

    select("better");
    page_->table()->setFocus();
    press(Qt::Key_T);
    auto* tags = popup<WordPopup>();
    test::child<QLineEdit>(*tags)->setText(QStringLiteral("sweep, night"));
    QTest::keyClick(test::child<QLineEdit>(*tags), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return written(folder).tags.size() == 2; }));
    edits()->setNote(page_->chosen(), QStringLiteral("a note"));
    edits()->setColor(page_->chosen(), 7);
    EXPECT_EQ(proxy()->at(cell("better")).number, 7);
    page_->table()->setFocus();
    press(Qt::Key_B);
    EXPECT_TRUE(proxy()->at(cell("better")).baseline);
    press(Qt::Key_A);
    ASSERT_TRUE(QTest::qWaitFor([&] { return written(folder).archived; }));
    EXPECT_EQ(proxy()->rowCount(), 0);
    EXPECT_EQ(edits()->stack()->count(), 6);

    const run::Labels all = written(folder);
    // A popup that closed leaves no window active on the offscreen platform.
    page_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
    page_->table()->setFocus();
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(page_->table(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(edits()->stack()->index(), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return written(folder) == run::Labels{}; }));
    EXPECT_TRUE(cell("one").isValid());
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(page_->table(), Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(edits()->stack()->index(), 6);
    ASSERT_TRUE(QTest::qWaitFor([&] { return written(folder) == all; }));
}

TEST_F(RunsPageTest, DeletedRunsComeBackAndLiveOnesStay) {
    const auto over = fabricate(runs_.path(), {.name = "over", .step = 10, .of = 10});
    fabricate(runs_.path(), {.name = "live", .status = Status::running, .step = 10, .of = 100, .age_s = 20});
    open();
    QSignalSpy failed(store_.get(), &RunStore::requestFailed);
    select("live");
    press(Qt::Key_Delete);
    ASSERT_EQ(failed.count(), 1);
    EXPECT_TRUE(failed.first().first().toString().contains(QStringLiteral("Stop it before")));
    select("over");
    page_->model()->setTicked({QString::fromStdString(over.string())});
    press(Qt::Key_Delete);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store_->runs().size() == 1; }));
    EXPECT_FALSE(std::filesystem::exists(over));
    EXPECT_TRUE(page_->model()->ticked().isEmpty());
    EXPECT_EQ(run::list_trash(runs_.path()).size(), 1u);
    QTest::keyClick(page_->table(), Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store_->runs().size() == 2; }));
    EXPECT_TRUE(std::filesystem::exists(over));
    EXPECT_EQ(page_->model()->ticked(), QStringList{QString::fromStdString(over.string())})
        << "it was ticked when it was deleted";
    QTest::keyClick(page_->table(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store_->runs().size() == 1; }));
}

TEST_F(RunsPageTest, ARunThatVanishesIsNoLongerTicked) {
    const auto folder = fabricate(runs_.path(), {.name = "one", .step = 10, .of = 10});
    fabricate(runs_.path(), {.name = "two", .step = 10, .of = 10, .age_s = 900});
    const auto torn = fabricate(runs_.path(), {.name = "torn", .step = 10, .of = 10, .age_s = 1200});
    std::filesystem::permissions(run::RunPaths(torn).state(), std::filesystem::perms::none);
    std::filesystem::permissions(run::RunPaths(torn).metrics(), std::filesystem::perms::none);
    open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return store_->runs().size() == 3; }));
    page_->model()->setTicked(
        {QString::fromStdString(folder.string()), store_->runs().at(1).path, QString::fromStdString(torn.string())});
    EXPECT_EQ(page_->drawer()->runs().size(), 3);
    std::filesystem::remove_all(folder);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page_->model()->ticked().size() == 2; }));
    EXPECT_EQ(page_->drawer()->runs().size(), 2);
    std::filesystem::permissions(run::RunPaths(torn).metrics(), std::filesystem::perms::owner_all);
}

TEST_F(RunsPageTest, AnySettingAndMetricMayBeAColumn) {
    fabricate(runs_.path(), {.name = "one", .step = 40, .of = 40, .lr = 1e-3});
    fabricate(runs_.path(), {.name = "two", .step = 40, .of = 40, .age_s = 900, .lr = 5e-4});
    open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return store_->runs().first().metrics && store_->runs().last().metrics; }));
    const KnownNames known = knownNames(store_->runs());
    EXPECT_TRUE(known.keys.mid(0, known.differing).contains(QStringLiteral("optimizer.lr")));
    EXPECT_TRUE(known.keys.mid(known.differing).contains(QStringLiteral("optimizer.weight_decay")));
    page_->columns()->setExtra(QStringLiteral("optimizer.lr"), true);
    page_->columns()->setExtra(QStringLiteral("eval/loss.best"), true);
    const int lr = page_->model()->columnOf(QStringLiteral("optimizer.lr"));
    EXPECT_EQ(cell("two", lr).data().toString().toDouble(), 5e-4);
    EXPECT_FALSE(cell("two", page_->model()->columnOf(QStringLiteral("eval/loss.best"))).data().toString().isEmpty());
    page_->table()->sortByColumn(lr, Qt::AscendingOrder);
    EXPECT_EQ(cell("two").row(), 0);
    page_->columns()->setShown(RunsModel::Hosts, false);
    EXPECT_TRUE(page_->table()->isColumnHidden(RunsModel::Hosts));

    ColumnsPopup popup({{RunsModel::Note, QStringLiteral("Note"), false}}, known, page_->model()->extraColumns(),
                       nullptr);
    QSignalSpy toggled(&popup, &ColumnsPopup::extraToggled);
    test::child<QLineEdit>(popup)->setText(QStringLiteral("weight_decay"));
    auto* tree = test::child<QTreeWidget>(popup);
    int seen = 0;
    for (int i = 0; i < tree->topLevelItemCount(); ++i)
        for (int j = 0; j < tree->topLevelItem(i)->childCount(); ++j)
            if (!tree->topLevelItem(i)->isHidden() && !tree->topLevelItem(i)->child(j)->isHidden()) {
                ++seen;
                tree->topLevelItem(i)->child(j)->setCheckState(0, Qt::Checked);
            }
    EXPECT_EQ(seen, 1);
    ASSERT_EQ(toggled.count(), 1);
    EXPECT_EQ(toggled.first().first().toString(), QStringLiteral("optimizer.weight_decay"));
}

TEST_F(RunsPageTest, TheSameListStandsThereAgain) {
    fabricate(runs_.path(), {.name = "one", .step = 40, .of = 40, .lr = 1e-3});
    fabricate(runs_.path(), {.name = "two", .step = 40, .of = 40, .age_s = 900, .lr = 5e-4});
    open();
    page_->columns()->setExtra(QStringLiteral("optimizer.lr"), true);
    page_->table()->sortByColumn(RunsModel::Train, Qt::AscendingOrder);
    page_->columns()->setShown(RunsModel::Note, true);
    page_->filter()->setText(QStringLiteral("lr>1e-4"));
    test::child<SavedFilters>(*page_)->save(QStringLiteral("large steps"));
    // The filter needs the settings of the runs, which are read in the background.
    ASSERT_TRUE(QTest::qWaitFor([&] { return cell("one").isValid() && cell("two").isValid(); }));
    click("one", 20);
    click("two", 20);
    ASSERT_EQ(page_->model()->ticked().size(), 2);
    page_->drawer()->show(CompareDrawer::Show::Differences);
    const QStringList ticked = page_->model()->ticked();
    close();
    views_.reread();
    open();
    EXPECT_TRUE(QTest::qWaitFor([&] { return page_->drawer()->isVisible(); }));  // when the runs are read
    EXPECT_EQ(page_->model()->ticked(), ticked);
    EXPECT_EQ(page_->drawer()->shown(), CompareDrawer::Show::Differences);
    EXPECT_EQ(page_->filter()->text(), QStringLiteral("lr>1e-4"));
    EXPECT_EQ(page_->model()->extraColumns(), QStringList{QStringLiteral("optimizer.lr")});
    EXPECT_EQ(proxy()->sortColumn(), static_cast<int>(RunsModel::Train));
    EXPECT_FALSE(page_->table()->isColumnHidden(RunsModel::Note));
    bool there = false;
    for (QPushButton* button : page_->findChildren<QPushButton*>())
        there = there || (button->text() == QStringLiteral("large steps") && button->isChecked());
    EXPECT_TRUE(there);
}

TEST_F(RunsPageTest, RowsGoOutWithAllTheirDigits) {
    fabricate(runs_.path(), {.name = "one", .step = 40, .of = 40, .lr = 1e-3, .tags = {"a"}, .note = "two, \"words\""});
    fabricate(runs_.path(), {.name = "two", .step = 40, .of = 40, .age_s = 900});
    open();
    page_->columns()->setShown(RunsModel::Note, true);
    page_->columns()->setExtra(QStringLiteral("optimizer.lr"), true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store_->runs().first().config != nullptr; }));
    page_->table()->selectAll();
    press(Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    ASSERT_EQ(lines.size(), 3);
    const QStringList heads = lines[0].split(QLatin1Char('\t'));
    ASSERT_EQ(heads.size(), lines[1].count(QLatin1Char('\t')) + 1);
    const QStringList first = lines[1].split(QLatin1Char('\t'));
    const auto of = [&](const char* key) { return first.value(static_cast<int>(heads.indexOf(QLatin1String(key)))); };
    EXPECT_EQ(of("name"), QStringLiteral("one"));
    EXPECT_EQ(of("loss").toDouble(), *store_->runs().first().loss) << "must not be the rounded text";
    EXPECT_EQ(of("optimizer.lr").toDouble(), 1e-3);
    EXPECT_EQ(of("step"), QStringLiteral("40"));
    EXPECT_TRUE(QDateTime::fromString(of("started"), Qt::ISODate).isValid()) << of("started").toStdString();
    EXPECT_FALSE(heads.contains(QStringLiteral("curve")));

    page_->filter()->setText(QStringLiteral("one"));
    const QString file = QString::fromStdString((runs_.path() / "list.csv").string());
    page_->saveTable(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return says(QStringLiteral("Saved to %1.").arg(file)); }));
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    const QByteArray text = written.readAll();
    EXPECT_EQ(text.count('\n'), 2) << "only rows that match the filter";
    EXPECT_TRUE(text.contains("\"two, \"\"words\"\"\""));
    page_->saveTable(file + QStringLiteral("/x"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return says(QStringLiteral("was not written")); }));
}

TEST_F(RunsPageTest, RangesOfASweepFilterTheList) {
    for (int i = 0; i < 8; ++i)
        fabricate(runs_.path(),
                  {.name = "s" + std::to_string(i), .step = 30, .of = 30, .age_s = 60.0 * i, .lr = 1e-3 * (i + 1)});
    open();
    ASSERT_TRUE(QTest::qWaitFor([&] {
        return std::all_of(store_->runs().begin(), store_->runs().end(),
                           [](const RunSummary& run) { return run.config && run.metrics; });
    }));
    QStringList paths;
    for (const RunSummary& run : store_->runs().mid(0, 7))
        paths << run.path;
    page_->model()->setTicked(paths);
    page_->drawer()->show(CompareDrawer::Show::Sweep);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::child<widgets::ParallelCoordinates>(*page_->drawer())->sweep().axes.size() == 2; }));
    test::child<widgets::ParallelCoordinates>(*page_->drawer())->setBrush(0, widgets::XRange{0.6, 1});
    test::child<DifferencesPanel>(*page_->drawer())->setPage(3);
    test::take_picture(page_.get());
    const auto inside = test::child<widgets::ParallelCoordinates>(*page_->drawer())->kept().size();
    ASSERT_GT(inside, 0);
    ASSERT_LT(inside, 7);
    EXPECT_EQ(proxy()->rowCount(), inside);
    QPushButton* all = nullptr;
    for (QPushButton* button : page_->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Show all"))
            all = button;
    ASSERT_NE(all, nullptr);
    EXPECT_TRUE(all->isVisible());
    QTest::mouseClick(all, Qt::LeftButton);
    EXPECT_EQ(proxy()->rowCount(), 8);
    EXPECT_FALSE(all->isVisible());
    emit page_->drawer()->pointed({paths[1]});
    EXPECT_EQ(page_->chosen(), QStringList{paths[1]});
    test::child<widgets::ParallelCoordinates>(*page_->drawer())->setBrush(0, widgets::XRange{0.6, 1});
    page_->model()->setTicked({});
    EXPECT_EQ(proxy()->rowCount(), 8) << "no comparison, no ranges";
}

TEST_F(RunsPageTest, WhatIsMissingIsReplacedOrForgotten) {
    fabricate(runs_.path(), {.name = "here"});
    test::TemporaryFolder other;
    const auto moved = fabricate(other.path() / "moved", {.name = "there"});
    const QString gone = QString::fromStdString((other.path() / "gone").string());
    const QString logs = QString::fromStdString((other.path() / "logs").string());
    ViewState::instance().set(QStringLiteral("place/runs"), QStringLiteral("watched"), QJsonArray{gone});
    open();
    page_->setImported({logs});
    ASSERT_TRUE(QTest::qWaitFor([&] { return cell("gone").isValid() && cell("logs").isValid(); }));
    EXPECT_EQ(proxy()->at(cell("gone")).phase, RunPhase::Missing);
    test::take_picture(page_.get());
    QSignalSpy opened(page_.get(), &RunsPage::importedActivated), replaced(page_.get(), &RunsPage::importedReplaced);
    select("gone");
    press(Qt::Key_Return);
    EXPECT_EQ(opened.count(), 0);
    auto* menu = popup<QMenu>();
    ASSERT_NE(menu, nullptr);
    EXPECT_TRUE(menu->actions().first()->text().startsWith(QStringLiteral("Locate")));
    menu->close();
    page_->replaceFolder(gone, QString::fromStdString((other.path() / "moved").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !cell("gone").isValid() && cell("there").isValid(); }));
    page_->replaceFolder(logs, {});
    ASSERT_EQ(replaced.count(), 1);
    EXPECT_EQ(replaced.last().at(0).toString(), logs);
    edits()->setArchived({logs}, true);
    EXPECT_FALSE(edits()->stack()->canUndo()) << "nothing is written where nothing is";
}

TEST_F(RunsPageTest, ALogOfSomebodyElseOpensByItsFolder) {
    fabricate(runs_.path(), {.name = "one", .step = 10, .of = 10});
    test::TemporaryFolder logs;
    open();
    page_->setImported({QString::fromStdString(logs.path().string())});
    ASSERT_TRUE(QTest::qWaitFor([&] { return store_->runs().size() == 2; }));
    QSignalSpy opened(page_.get(), &RunsPage::importedActivated);
    select(logs.path().filename().c_str());
    press(Qt::Key_Return);
    ASSERT_EQ(opened.count(), 1);
    press(Qt::Key_A);
    press(Qt::Key_Delete);
    EXPECT_EQ(edits()->stack()->count(), 0) << "folders of other users must not be changed";
}
