// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the page of traces: comparing steps and ranks, the calls of a selection, the schedule of a pipeline, and
// saving.

#include <filesystem>
#include <tuple>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/traces/flame_graph.h"
#include "desktop/traces/rank_pair_dialog.h"
#include "desktop/traces/selection_panel.h"
#include "desktop/traces/share_panel.h"
#include "desktop/traces/step_picker.h"
#include "support/child.h"
#include "trace_page/fixture.h"

namespace trainyard::desktop {
namespace {

TEST_F(TracesPageTest, StepsAreChosenAndRanksAreOrderedPinnedAndCompared) {
    open({words(golden() / "real/ranks2/rank0.json.gz"), words(golden() / "real/ranks2/rank1.json.gz")});
    ASSERT_NE(page_.trace(), nullptr);
    ASSERT_EQ(page_.trace()->groups().size(), 2);
    ASSERT_FALSE(test::child<StepPicker>(page_)->steps().isEmpty());
    timeline()->setFocus();
    press(Qt::Key_BracketRight);
    const StepPicker::Step first = test::child<StepPicker>(page_)->steps().front();
    ASSERT_TRUE(timeline()->selection());
    EXPECT_EQ(*timeline()->selection(), first.range);
    press(Qt::Key_BracketRight);
    EXPECT_EQ(*timeline()->selection(), test::child<StepPicker>(page_)->steps().at(1).range);
    waitForSelection();
    EXPECT_FALSE(test::child<SharePanel>(page_)->words().isEmpty());
    auto* order = page_.findChild<QComboBox*>();
    EXPECT_TRUE(order->isVisible());
    order->setCurrentIndex(1);
    EXPECT_EQ(timeline()->layoutOfLines().lines().front().group, page_.trace()->slowestFirst().front());
    timeline()->togglePin(1);
    EXPECT_EQ(timeline()->layoutOfLines().lines().front().group, 1);
    page_.compareWith(words(golden() / "real/plain/trace.json"));
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return test::child<SelectionPanel>(page_)->shownTable() == TraceTable::Compared; }));
    EXPECT_GT(test::child<SelectionPanel>(page_)->model()->rowCount(), 0);
}

TEST_F(TracesPageTest, TwoRanksAreComparedInTheSelectedRange) {
    open({words(golden() / "real/ranks2/rank0.json.gz"), words(golden() / "real/ranks2/rank1.json.gz")});
    ASSERT_NE(page_.trace(), nullptr);
    ASSERT_EQ(page_.trace()->groups().size(), 2);
    timeline()->select(test::child<StepPicker>(page_)->steps().at(1).range);
    waitForSelection();
    // Uses the menu, the dialog and its button, as a user does.
    for (QAction* action : page_.findChildren<QAction*>())
        if (action->text() == QStringLiteral("Compare two ranks…"))
            action->trigger();
    auto* dialog = qobject_cast<RankPairDialog*>(QApplication::activeModalWidget());
    ASSERT_NE(dialog, nullptr) << "it is open, and does not block";
    EXPECT_NE(dialog->before(), dialog->after());
    dialog->findChild<QComboBox*>(QStringLiteral("before"))->setCurrentIndex(0);
    dialog->findChild<QComboBox*>(QStringLiteral("after"))->setCurrentIndex(0);
    QAbstractButton* go = dialog->findChild<QDialogButtonBox*>()->buttons().front();
    EXPECT_FALSE(go->isEnabled()) << "a rank cannot be compared with itself";
    dialog->findChild<QComboBox*>(QStringLiteral("after"))->setCurrentIndex(1);
    EXPECT_TRUE(go->isEnabled());
    go->click();
    SelectionPanel* tables = test::child<SelectionPanel>(page_);
    ASSERT_TRUE(QTest::qWaitFor([&] { return tables->shownTable() == TraceTable::Compared; }, 10'000));
    ASSERT_GT(tables->model()->rowCount(), 0);
    // The same figures as the tables of each rank alone.
    const traces::RankSet& set = page_.trace()->set();
    const TimeSpan range = *timeline()->selection();
    const auto before = traces::summarise(traces::only_rank(set, 0), {range.begin, range.end});
    const TraceRow row = tables->model()->at(0);
    bool found = false;
    for (const auto& list : {before.kernels, before.operations})
        for (const traces::NameRow& one : list)
            if (one.name == row.name.toStdString() && one.category == row.category.toStdString()) {
                found = true;
                EXPECT_NEAR(row.count_before, static_cast<double>(one.count), 1e-6);
            }
    EXPECT_TRUE(found || row.count_before == 0 || row.category == QStringLiteral("collective"));
    double largest = std::abs(row.after - row.before);
    for (int i = 1; i < tables->model()->rowCount(); ++i) {
        const TraceRow& next = tables->model()->at(i);
        EXPECT_LE(std::abs(next.after - next.before), largest + 1e-6) << "the largest difference first";
        largest = std::abs(next.after - next.before);
    }
}

TEST_F(TracesPageTest, TheCallsOfASelectionAreAFlameGraph) {
    // outer (100 us) calls inner twice (30 us each), inner calls leaf (10 us); `other` (50 us) is a separate root.
    std::string more;
    const auto add = [&](const char* name, int begin, int took) {
        more += std::string(more.empty() ? "" : ",") + R"({"ph":"X","cat":"cpu_op","name":")" + name +
                R"(","pid":1,"tid":1,"ts":)" + std::to_string(begin) + R"(,"dur":)" + std::to_string(took) + "}";
    };
    add("outer", 0, 100);
    add("inner", 10, 30);
    add("leaf", 15, 10);
    add("inner", 50, 30);
    add("other", 200, 50);
    open({words(write("flame_trace.json", 0, more))});
    waitForSelection();
    SelectionPanel* tables = test::child<SelectionPanel>(page_);
    tables->showTable(TraceTable::Flame);
    FlameGraph* flame = tables->flame();
    ASSERT_TRUE(flame->isVisible());
    ASSERT_EQ(flame->count(), 4) << "the two calls of inner are one";
    const double wide = flame->viewport()->width();
    EXPECT_NEAR(flame->rectOf(0).width(), wide * 100 / 150, 1) << "outer";
    EXPECT_NEAR(flame->rectOf(1).width(), wide * 60 / 150, 1) << "inner";
    EXPECT_NEAR(flame->rectOf(2).width(), wide * 10 / 150, 1) << "leaf";
    EXPECT_NEAR(flame->rectOf(3).left(), wide * 100 / 150, 1) << "other must be at the right of outer";
    EXPECT_GT(flame->rectOf(1).top(), flame->rectOf(0).top());
    QTest::mouseClick(flame->viewport(), Qt::LeftButton, {}, flame->rectOf(1).center().toPoint());
    EXPECT_EQ(flame->chosen(), 1);
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_.hits().size() == 2; })) << "all slices of this name";
    flame->setFocus();
    QTest::keyClick(flame, Qt::Key_Down);
    EXPECT_EQ(flame->chosen(), 2);
    EXPECT_TRUE(flame->accessibleDescription().startsWith(QStringLiteral("leaf, 1 calls, 10")))
        << flame->accessibleDescription().toStdString();
    QTest::keyClick(flame, Qt::Key_Up);
    QTest::keyClick(flame, Qt::Key_Return);
    EXPECT_EQ(flame->root(), 1);
    EXPECT_NEAR(flame->rectOf(1).width(), wide, 1);
    EXPECT_TRUE(flame->rectOf(3).isEmpty());
    QTest::keyClick(flame, Qt::Key_Backspace);
    EXPECT_EQ(flame->root(), 0);
    QTest::keyClick(flame, Qt::Key_Backspace);
    EXPECT_EQ(flame->root(), -1);
    const QString file = words(folder_.path() / "flame.png");
    page_.savePicture(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFileInfo::exists(file); }));
    EXPECT_EQ(QImage(file).width(), flame->picture().width());
}

TEST_F(TracesPageTest, ASelectionIsSavedAsATraceThatOpensAgain) {
    open({words(golden() / "real/ranks2/rank0.json.gz"), words(golden() / "real/ranks2/rank1.json.gz")});
    ASSERT_NE(page_.trace(), nullptr);
    const TimeSpan step = test::child<StepPicker>(page_)->steps().at(1).range;
    timeline()->select(step);
    waitForSelection();
    QSignalSpy said(&page_, &TracesPage::said);
    const QString file = words(folder_.path() / "part.trace.json");
    page_.saveSelection(file);
    const auto told = [&] {
        for (const auto& one : said)
            if (one.front().toString().contains(QStringLiteral("slices saved to")))
                return true;
        return false;
    };
    ASSERT_TRUE(QTest::qWaitFor(told, 20'000)) << message().toStdString();
    std::uint64_t inside = 0;
    for (int group = 0; group < 2; ++group)
        for (const traces::Slice& slice : page_.trace()->trace(group).slices) {
            const std::int64_t by = page_.trace()->offset(group);
            inside += slice.begin + by < step.end && slice.end() + by >= step.begin ? 1 : 0;
        }
    open({words(folder_.path() / "part.trace-rank-0.json"), words(folder_.path() / "part.trace-rank-1.json")});
    ASSERT_NE(page_.trace(), nullptr) << message().toStdString();
    std::uint64_t found = 0;
    for (int group = 0; group < 2; ++group) {
        found += page_.trace()->trace(group).slices.size();
        EXPECT_EQ(page_.trace()->trace(group).reading.unplaced(), 0U);
        EXPECT_EQ(page_.trace()->set().ranks[static_cast<std::size_t>(group)].rank, group);
    }
    EXPECT_EQ(found, inside);
    // A selection without slices is not written, and a message says why.
    timeline()->select(TimeSpan{page_.trace()->whole().end + 1000, page_.trace()->whole().end + 2000});
    page_.saveSelection(words(folder_.path() / "nothing.json"));
    ASSERT_TRUE(QTest::qWaitFor(
        [this] { return message().contains(QStringLiteral("no slice in this range"), Qt::CaseInsensitive); }));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "nothing.json"));
}

TEST_F(TracesPageTest, OpensAtTheStepAndTheRankThatARunAsksFor) {
    const auto folder = golden() / "real/ranks2";
    page_.activate(TracesPage::subjectOf(words(folder / "rank1.json.gz"), 3, 1));
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_.trace() != nullptr && !page_.isReading(); }, 20'000));
    EXPECT_EQ(page_.trace()->groups().size(), 2) << "the traces of all ranks must be opened";
    ASSERT_FALSE(test::child<StepPicker>(page_)->steps().isEmpty());
    const auto step = test::child<StepPicker>(page_)->steps().back();
    page_.activate(TracesPage::subjectOf(words(folder / "rank1.json.gz"), step.number, 1));
    ASSERT_TRUE(timeline()->selection());
    EXPECT_EQ(*timeline()->selection(), step.range);
    EXPECT_EQ(timeline()->layoutOfLines().lines().front().group, 1) << "the rank stands first";
    page_.activate(TracesPage::subjectOf(words(folder / "rank1.json.gz"), 12'345, -1));
    EXPECT_TRUE(message().contains(QStringLiteral("12345 is not in this trace"))) << message().toStdString();
}

TEST_F(TracesPageTest, ThePlanOfAPipelineIsPaintedOverWhatWasMeasured) {
    std::string more =
        R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":1000})";
    const std::vector<std::tuple<const char*, int, int>> actions{
        {"0F0", 100, 100}, {"0SEND_F0", 200, 50}, {"0F1", 600, 100}, {"0B0", 800, 100}};
    for (const auto& [name, begin, took] : actions)
        more += std::string(R"(,{"ph":"X","cat":"action","name":")") + name + R"(","pid":1,"tid":2,"ts":)" +
                std::to_string(begin) + R"(,"dur":)" + std::to_string(took) + "}";
    open({words(write("pipeline_trace.json", 0, more))});
    ASSERT_EQ(page_.trace()->schedule().steps.size(), 1U);
    waitForSelection();
    EXPECT_TRUE(test::child<SharePanel>(page_)->words().contains(QStringLiteral("Pipeline bubble")))
        << test::child<SharePanel>(page_)->words().toStdString();
    int lane = -1;
    for (int i = 0; i < page_.trace()->groups()[0].lanes.size(); ++i)
        if (!page_.trace()->plan(0, i, 0).empty())
            lane = i;
    ASSERT_GE(lane, 0);
    const auto plan = page_.trace()->plan(0, lane, 0);
    ASSERT_EQ(plan.size(), 3U);
    EXPECT_EQ(plan[1], (TimeSpan{200'000, 300'000})) << "planned directly after the first action";
    const auto picture = [&] { return timeline()->viewport()->grab().toImage(); };
    const QImage with = picture();
    QAction* shown = nullptr;
    for (QAction* action : page_.findChildren<QAction*>())
        if (action->text() == QStringLiteral("The schedule without waits, as outlines"))
            shown = action;
    ASSERT_NE(shown, nullptr);
    EXPECT_TRUE(shown->isChecked());
    shown->trigger();
    const QImage without = picture();
    // The pictures differ on the line of the actions only, where the second forward was planned but nothing was
    // measured.
    const TimelineLine& line = timeline()->layoutOfLines().lines()[timeline()->layoutOfLines().lineOf(0, lane, 0)];
    const double wide = timeline()->viewport()->width() - TimelineView::kGutter;
    const int x = TimelineView::kGutter + static_cast<int>(wide * 250 / 1000), y = line.top + TimelineView::kRuler;
    bool differs = false;
    for (int at = y; at < y + line.height; ++at)
        differs |= with.pixel(x, at) != without.pixel(x, at);
    EXPECT_TRUE(differs);
    for (int at = y + line.height; at < with.height(); ++at)
        EXPECT_EQ(with.pixel(x, at), without.pixel(x, at)) << at;
}

TEST_F(TracesPageTest, ARunWithoutStagesHasNoBubbleAndNoPlan) {
    std::string more =
        R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":1000})";
    for (const auto& [name, begin] : {std::pair("0F0", 100), {"0B0", 300}, {"0F1", 600}, {"0B1", 800}})
        more += std::string(R"(,{"ph":"X","cat":"action","name":")") + name + R"(","pid":1,"tid":2,"ts":)" +
                std::to_string(begin) + R"(,"dur":100})";
    open({words(write("whole_trace.json", 0, more))});
    waitForSelection();
    EXPECT_FALSE(test::child<SharePanel>(page_)->words().contains(QStringLiteral("Pipeline bubble")))
        << test::child<SharePanel>(page_)->words().toStdString();
    for (int lane = 0; lane < page_.trace()->groups()[0].lanes.size(); ++lane)
        EXPECT_TRUE(page_.trace()->plan(0, lane, 0).empty()) << lane;
}

}  // namespace
}  // namespace trainyard::desktop
