// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the page of traces: opening, timeline, keyboard, selection, tables, search, and broken files.

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>

#include <QAbstractButton>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/traces/flame_graph.h"
#include "desktop/traces/profile_model.h"
#include "desktop/traces/selection_panel.h"
#include "desktop/traces/share_panel.h"
#include "desktop/traces/step_picker.h"
#include "support/child.h"
#include "support/picture.h"
#include "trace_page/fixture.h"
#include "widgets/timeline/duration_text.h"

namespace trainyard::desktop {
namespace {

TEST_F(TracesPageTest, ShowsWhatCanBeOpenedWhereThereIsNothing) {
    EXPECT_EQ(page_.trace(), nullptr);
    EXPECT_NE(page_.firstFocus(), nullptr);
    QSignalSpy runs(&page_, &TracesPage::runsRequested);
    for (QPushButton* button : page_.findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == QStringLiteral("Runs"))
            button->click();
    EXPECT_EQ(runs.count(), 1);
}

TEST_F(TracesPageTest, ListsWhatWasRecordedAndReturnsToWhatWasOpen) {
    const auto run = folder_.path() / "run" / "traces";
    std::filesystem::create_directories(run);
    for (const char* name : {"step-000010-rank-0.trace.json", "step-000010-rank-1.trace.json"})
        std::filesystem::rename(write("x.trace.json", 20), run / name);
    const auto later = run / "step-000120-rank-0.trace.json";
    std::filesystem::rename(write("x.trace.json", 30), later);
    for (const auto& entry : std::filesystem::directory_iterator(run))
        if (entry.path() != later)
            std::filesystem::last_write_time(entry.path(),
                                             std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    const auto other = write("other.trace.json", 40);
    auto* table = test::child<QTableView>(page_, QStringLiteral("Recorded profiles"));
    EXPECT_FALSE(table->isVisible()) << "nothing was recorded yet";
    page_.setRuns({{words(run.parent_path()), QStringLiteral("llama")}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->isVisible() && !page_.isListing(); }));
    const auto listed = [](QTableView* of) {
        QStringList rows;
        for (int row = 0; row < of->model()->rowCount(); ++row)
            rows << of->model()->index(row, ProfileModel::Run).data().toString() + QLatin1Char('|') +
                        of->model()->index(row, ProfileModel::Name).data().toString() + QLatin1Char('|') +
                        of->model()->index(row, ProfileModel::Ranks).data().toString();
        return rows;
    };
    EXPECT_EQ(listed(table), (QStringList{QStringLiteral("llama|step 120|1"), QStringLiteral("llama|step 10|2")}));
    EXPECT_EQ(page_.firstFocus(), table);
    test::take_picture(&page_, "list");
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Down);
    QTest::keyClick(table, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page_.trace() != nullptr && !page_.isReading(); }));
    EXPECT_EQ(page_.trace()->groups().size(), 2);
    EXPECT_FALSE(table->isVisible());
    open({words(other)});
    // Back to the list, which has the trace that was opened from elsewhere, and to the trace.
    auto* recorded = test::child<QPushButton>(page_, QStringLiteral("Recorded"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return listed(table).size() == 3; }));
    QTest::mouseClick(recorded, Qt::LeftButton);
    EXPECT_TRUE(table->isVisible());
    EXPECT_TRUE(listed(table).join(QLatin1Char(';')).contains(QStringLiteral("|other.trace.json|1")));
    QTest::mouseClick(recorded, Qt::LeftButton);
    EXPECT_TRUE(timeline()->isVisible());
    // The next start of the program.
    views_.reread();
    TracesPage again;
    again.show();
    again.activate({});
    ASSERT_TRUE(QTest::qWaitFor([&] { return again.trace() != nullptr && !again.isReading(); }));
    EXPECT_EQ(again.trace()->trace(0).slices.size(), 40u);
    // If the file was deleted before the next start, an error is reported and the list is shown.
    std::filesystem::remove(other);
    views_.reread();
    TracesPage third;
    third.show();
    third.activate({});
    third.setRuns({{words(run.parent_path()), QStringLiteral("llama")}});
    auto* its = test::child<QTableView>(third, QStringLiteral("Recorded profiles"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !third.isReading() && !third.isListing() && its->isVisible(); }));
    EXPECT_TRUE(third.findChild<widgets::InlineMessage*>()->text().contains(QStringLiteral("other.trace.json")));
    EXPECT_EQ(listed(its).size(), 2);
}

TEST_F(TracesPageTest, EveryRecordedTraceOpensAndEverySliceHasAPlace) {
    for (const char* name :
         {"real/plain", "real/shapes_memory", "real/stack", "cuda/one_gpu", "cuda/two_ranks", "real/ranks2"}) {
        SCOPED_TRACE(name);
        QStringList files;
        for (const auto& entry : std::filesystem::directory_iterator(golden() / name))
            if (entry.path().filename() != "expected.json")
                files << words(entry.path());
        files.sort();
        open(files);
        ASSERT_NE(page_.trace(), nullptr) << message().toStdString();
        const OpenedTrace& trace = *page_.trace();
        EXPECT_EQ(trace.groups().size(), files.size());
        for (int group = 0; group < trace.groups().size(); ++group) {
            std::size_t placed = 0;
            const auto& lanes = trace.groups()[group].lanes;
            for (int lane = 0; lane < lanes.size(); ++lane)
                for (int row = 0; row < lanes[lane].rows; ++row) {
                    std::int64_t end = std::numeric_limits<std::int64_t>::min();
                    for (std::int64_t i = 0; i < trace.count(group, lane, row); ++i, ++placed) {
                        const TimelinePlace place{group, lane, row, i};
                        EXPECT_GE(trace.span(place).begin, end) << "spans of a row overlap";
                        end = trace.span(place).end;
                        EXPECT_EQ(trace.place(group, trace.slice(place)), place);
                    }
                }
            EXPECT_EQ(placed, trace.trace(group).slices.size());
        }
        timeline()->grab();
        EXPECT_GT(timeline()->lastPaintMilliseconds(), 0);
    }
}

TEST_F(TracesPageTest, KeysZoomPanAndWalkThroughEverySlice) {
    open({words(write("trace.json", 500))});
    const TimeSpan whole = timeline()->view();
    EXPECT_EQ(whole.length(), page_.trace()->whole().length());
    timeline()->setFocus();
    press(Qt::Key_W);
    press(Qt::Key_W);
    EXPECT_LT(timeline()->view().length(), whole.length() / 2);
    const TimeSpan before = timeline()->view();
    press(Qt::Key_D);
    EXPECT_GT(timeline()->view().begin, before.begin);
    press(Qt::Key_A);
    EXPECT_EQ(timeline()->view().begin, before.begin);
    press(Qt::Key_0);
    EXPECT_EQ(timeline()->view(), whole);
    std::vector<std::uint32_t> walked;
    for (int i = 0; i < 500; ++i) {
        press(Qt::Key_Right);
        ASSERT_TRUE(timeline()->chosen().isValid());
        walked.push_back(page_.trace()->slice(timeline()->chosen()));
    }
    std::sort(walked.begin(), walked.end());
    EXPECT_EQ(std::unique(walked.begin(), walked.end()) - walked.begin(), 500);
    EXPECT_TRUE(timeline()->accessibleDescription().contains(QStringLiteral("rank 0")));
    EXPECT_TRUE(timeline()->accessibleDescription().startsWith(QStringLiteral("op2, 5")))
        << "the last one: 499 % 7, 1 + 499 % 9";
    press(Qt::Key_Q);
    EXPECT_EQ(timeline()->chosen().index, 499 - 7) << "the one before of the same name";
    press(Qt::Key_Return);
    ASSERT_TRUE(timeline()->selection());
    EXPECT_EQ(*timeline()->selection(), page_.trace()->span(timeline()->chosen()));
    press(Qt::Key_M);
    press(Qt::Key_E);
    press(Qt::Key_M);
    ASSERT_EQ(timeline()->marks().size(), 2);
    EXPECT_EQ(timeline()->marks()[1] - timeline()->marks()[0], 70'000);
    press(Qt::Key_P);
    EXPECT_TRUE(timeline()->pinned().contains(0));
    press(Qt::Key_V);
    EXPECT_TRUE(timeline()->folded().contains(0));
    press(Qt::Key_Escape);
    EXPECT_FALSE(timeline()->selection());
}

TEST_F(TracesPageTest, EveryPixelWithASliceIsPaintedHoweverSmallItIs) {
    // Slices of 1 ns with large gaps, next to a long slice: each must be visible in a view of one second.
    std::string more = R"({"ph":"X","cat":"cpu_op","name":"long","pid":1,"tid":2,"ts":0,"dur":1000000})";
    std::mt19937 random(7);
    std::vector<double> times;
    for (int i = 0; i < 60; ++i) {
        times.push_back(static_cast<double>(random() % 1'000'000));
        more += R"(,{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":)" + std::to_string(times.back()) +
                R"(,"dur":0.001})";
    }
    open({words(write("tiny_trace.json", 0, more))});
    const QImage picture = timeline()->viewport()->grab().toImage();
    const double wide = timeline()->viewport()->width() - TimelineView::kGutter;
    const auto& lanes = page_.trace()->groups()[0].lanes;
    ASSERT_EQ(lanes.size(), 2);
    const int line = timeline()->layoutOfLines().lineOf(0, 0, 0);
    const int y = timeline()->layoutOfLines().lines()[line].top + TimelineView::kRuler + 7;
    const QRgb empty = picture.pixel(1, timeline()->viewport()->height() - 2);
    for (const double time : times) {
        const int x = TimelineView::kGutter + static_cast<int>(time / 1e6 * wide);
        bool painted = false;
        for (int at = std::max(TimelineView::kGutter, x - 1); at <= std::min(x + 1, picture.width() - 1); ++at)
            painted |= picture.pixel(at, y) != empty;
        EXPECT_TRUE(painted) << "at " << time << " us, pixel " << x;
    }
}

TEST_F(TracesPageTest, ADragSelectsAndTheTablesTellWhatIsInIt) {
    open({words(write("trace.json", 700))});
    waitForSelection();
    SelectionPanel* tables = test::child<SelectionPanel>(page_);
    EXPECT_EQ(tables->shownTable(), TraceTable::Operations) << "no kernels in it";
    EXPECT_EQ(tables->model()->rowCount(), 7);
    std::uint64_t count = 0;
    for (int i = 0; i < 7; ++i)
        count += tables->model()->at(i).count;
    EXPECT_EQ(count, 700U);
    const int y = TimelineView::kRuler + 40,
              middle = TimelineView::kGutter + (timeline()->viewport()->width() - TimelineView::kGutter) / 2;
    QTest::mousePress(timeline()->viewport(), Qt::LeftButton, {}, {TimelineView::kGutter, y});
    QTest::mouseMove(timeline()->viewport(), {TimelineView::kGutter + 60, y});
    QTest::mouseMove(timeline()->viewport(), {middle, y});
    QTest::mouseRelease(timeline()->viewport(), Qt::LeftButton, {}, {middle, y});
    ASSERT_TRUE(timeline()->selection());
    waitForSelection();
    tables->showTable(TraceTable::Slices);
    EXPECT_NEAR(tables->model()->rowCount(), 350, 3);
    EXPECT_GE(tables->model()->at(0).total, tables->model()->at(1).total) << "the longest first";
    tables->view()->selectRow(0);
    EXPECT_EQ(page_.trace()->slice(timeline()->chosen()), tables->model()->at(0).slice);
    tables->showTable(TraceTable::Calls);
    EXPECT_EQ(tables->model()->rowCount(), 7);
    EXPECT_TRUE(test::child<SharePanel>(page_)->words().contains(QStringLiteral("operators of the host")));
    tables->showTable(TraceTable::Operations);
    const QString file = words(folder_.path() / "table.csv");
    page_.saveTable(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return std::filesystem::exists(file.toStdString()); }));
    std::ifstream in(file.toStdString());
    std::string head, first;
    std::getline(in, head);
    std::getline(in, first);
    EXPECT_EQ(head, "name,category,count,total_ns,self_ns,mean_ns,percent,share");
    EXPECT_EQ(first, tables->csv().split('\n').at(1).toStdString());
}

TEST_F(TracesPageTest, SharesAreOfTheStepAndContainersAreNoOperations) {
    // One step of 100 us with an op of 46 us, half of it in a nested op, and the other entries that profilers record.
    const auto event = [](const char* category, const char* name, int begin, int duration) {
        return std::string(R"({"ph":"X","cat":")") + category + R"(","name":")" + name + R"(","pid":1,"tid":1,"ts":)" +
               std::to_string(begin) + R"(,"dur":)" + std::to_string(duration) + "}";
    };
    open({words(write("step_trace.json", 0,
                      event("Trace", "PyTorch Profiler (0)", 0, 400) + "," +
                          event("user_annotation", "ProfilerStep#1", 100, 100) + "," +
                          event("phase", "forward", 110, 80) + "," + event("cpu_op", "aten::linear", 120, 46) + "," +
                          event("cpu_op", "aten::addmm", 130, 23)))});
    waitForSelection();
    SelectionPanel* tables = test::child<SelectionPanel>(page_);
    ASSERT_EQ(tables->shownTable(), TraceTable::Operations);
    QMap<QString, TraceRow> rows;
    for (int row = 0; row < tables->model()->rowCount(); ++row)
        rows.insert(tables->model()->at(row).name, tables->model()->at(row));
    EXPECT_EQ(rows.keys(), (QStringList{QStringLiteral("aten::addmm"), QStringLiteral("aten::linear")}));
    EXPECT_EQ(rows[QStringLiteral("aten::linear")].total, 46'000);
    EXPECT_EQ(rows[QStringLiteral("aten::linear")].self, 23'000);
    EXPECT_NEAR(rows[QStringLiteral("aten::linear")].share, 0.23, 1e-6) << "of the step, not of the rows";
    EXPECT_NEAR(rows[QStringLiteral("aten::addmm")].share, 0.23, 1e-6);
}

TEST_F(TracesPageTest, ARowOfATableLeadsToAllItsSlices) {
    open({words(write("trace.json", 70))});
    waitForSelection();
    test::child<SelectionPanel>(page_)->view()->selectRow(0);
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_.hits().size() == 10; }));
    EXPECT_EQ(page_.hit(), 0);
    QTest::keyClick(test::child<SelectionPanel>(page_)->view(), Qt::Key_Return);
    EXPECT_EQ(page_.hit(), 1);
    EXPECT_EQ(page_.trace()->slice(timeline()->chosen()), page_.hits()[1].slice);
}

// Rows of two traces have the same name: the second row is not the next slice of the first.
TEST_F(TracesPageTest, ARowOfAnotherTraceLeadsToItsOwnSlices) {
    for (const int slices : {10, 5}) {
        open({words(write("trace-" + std::to_string(slices) + ".json", 7 * slices))});
        waitForSelection();
        auto* panel = test::child<SelectionPanel>(page_);
        const auto* model = qobject_cast<const TraceTableModel*>(panel->view()->model());
        ASSERT_NE(model, nullptr);
        ASSERT_GT(model->rowCount(), 0);
        emit panel->rowActivated(model->at(0));
        ASSERT_TRUE(QTest::qWaitFor([&] { return page_.hits().size() == static_cast<std::size_t>(slices); }));
        EXPECT_EQ(page_.hit(), 0);
    }
}

TEST_F(TracesPageTest, ALongNameOfAFileLeavesRoomForTheButtons) {
    const std::string name = std::string(200, 'x') + ".json";
    open({words(write(name.c_str(), 3))});
    EXPECT_EQ(page_.title(), QStringLiteral("Traces of ") + QString::fromStdString(name));
    EXPECT_LT(page_.minimumSizeHint().width(), 1000);
    EXPECT_NE(test::child<QLabel>(page_, page_.title().left(24) + QChar(0x2026) + page_.title().right(24)), nullptr);
}

TEST_F(TracesPageTest, TheSearchGoesThroughWhatItFindsAndTellsWhatIsWrong) {
    open({words(write("trace.json", 90))});
    auto* field = page_.findChild<QLineEdit*>();
    page_.find();
    EXPECT_TRUE(field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("op3 dur>4us"));
    QTest::keyClick(field, Qt::Key_Return);
    std::size_t fitting = 0;
    for (int i = 0; i < 90; ++i)
        fitting += i % 7 == 3 && 1 + i % 9 > 4 ? 1 : 0;
    ASSERT_TRUE(QTest::qWaitFor([&] { return page_.hits().size() == fitting; }));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(page_.hit(), 1);
    field->clear();
    QTest::keyClicks(field, QStringLiteral("dur>5"));
    QTest::keyClick(field, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] {
        for (const QLabel* label : page_.findChildren<QLabel*>())
            if (label->toolTip().contains(QStringLiteral("dur>5ms")))
                return true;
        return false;
    }));
    EXPECT_TRUE(page_.hits().empty());
}

TEST_F(TracesPageTest, WhatIsDamagedIsSaidAndTheRestIsShown) {
    open({words(golden() / "malformed/cut_in_event.json")});
    ASSERT_NE(page_.trace(), nullptr);
    EXPECT_GT(page_.trace()->trace(0).slices.size(), 0U);
    EXPECT_TRUE(message().contains(QStringLiteral("line"))) << message().toStdString();
    open({words(golden() / "malformed/not_json.json")});
    EXPECT_EQ(page_.trace(), nullptr);
    EXPECT_TRUE(message().contains(QStringLiteral("not_json.json"))) << message().toStdString();
    open({words(golden() / "malformed/empty_file.json")});
    EXPECT_EQ(page_.trace(), nullptr);
    EXPECT_FALSE(message().isEmpty());
    open({words(folder_.path())});
    EXPECT_TRUE(message().contains(QStringLiteral("no trace"), Qt::CaseInsensitive)) << message().toStdString();
    for (const auto& entry : std::filesystem::directory_iterator(golden() / "malformed")) {
        SCOPED_TRACE(entry.path().string());
        open({words(entry.path())});
        EXPECT_TRUE(page_.trace() != nullptr || !message().isEmpty());
        timeline()->grab();
        timeline()->setFocus();
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_W, Qt::Key_F, Qt::Key_S, Qt::Key_Down, Qt::Key_E, Qt::Key_0})
            press(key);
    }
}

TEST_F(TracesPageTest, ATraceThatGoesAwayWhileItIsShownStaysInSight) {
    const auto file = write("trace.json", 50);
    open({words(file)});
    std::filesystem::remove(file);
    timeline()->setFocus();
    press(Qt::Key_Right);
    EXPECT_TRUE(timeline()->chosen().isValid());
    const auto* table = test::child<QTableView>(page_, QStringLiteral("The chosen slice"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() >= 6; }));
    page_.refresh();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !page_.isReading(); }));
    EXPECT_TRUE(message().contains(QStringLiteral("trace.json"))) << message().toStdString();
}

TEST_F(TracesPageTest, WhatLiesOnAHostIsBroughtFirstAndThatCanBeEnded) {
    const auto file = write("far_trace.json", 40);
    std::atomic<bool> waits{false}, ended{false};
    page_.setFetch([&](const QStringList& paths, TraceReading& reading, const widgets::Cancelled&) -> FetchedTraces {
        EXPECT_EQ(paths, QStringList{QStringLiteral("gpu-a:runs/x")});
        reading.files = 1;
        reading.file = 1;
        reading.all_bytes = 1'000'000;
        reading.bytes = 400'000;
        if (!waits.exchange(true)) {
            // Simulates a connection that hangs until the reading is cancelled.
            std::promise<void> end;
            reading.onStop([&end] { end.set_value(); });
            end.get_future().wait();
            ended = true;
            throw std::runtime_error("the copy was ended");
        }
        return {{words(file)}, nullptr};
    });
    page_.activate(QStringLiteral("gpu-a:runs/x"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return waits.load(); }));
    auto* bar = page_.findChild<QProgressBar*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return bar->isVisible() && bar->value() == 400; }));
    for (QPushButton* button : page_.findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == QStringLiteral("Cancel"))
            button->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return ended.load() && !page_.isReading(); }));
    EXPECT_TRUE(message().contains(QStringLiteral("the copy was ended"), Qt::CaseInsensitive))
        << message().toStdString();
    page_.activate(QStringLiteral("gpu-a:runs/x"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page_.trace() != nullptr && !page_.isReading(); }));
    EXPECT_EQ(page_.trace()->trace(0).slices.size(), 40U);
}

TEST_F(TracesPageTest, EveryRowOfWhereTheTimeWentCanBeReached) {
    open({words(golden() / "real/ranks2/rank0.json.gz"), words(golden() / "real/ranks2/rank1.json.gz")});
    waitForSelection();
    auto* around = page_.findChild<QScrollArea*>();
    ASSERT_TRUE(around != nullptr && around->isAncestorOf(test::child<SharePanel>(page_)));
    QScrollBar* bar = around->verticalScrollBar();
    for (const QSize& size : {QSize(1250, 836), QSize(1000, 600), QSize(1600, 1400)}) {
        page_.resize(size);
        const auto room = [&] { return around->viewport()->height() + bar->maximum(); };
        EXPECT_TRUE(QTest::qWaitFor([&] {
            return around->widget()->width() == around->viewport()->width() &&
                   room() >= test::child<SharePanel>(page_)->heightForWidth(test::child<SharePanel>(page_)->width());
        })) << size.height()
            << ": rows of " << test::child<SharePanel>(page_)->width() << " pixels in " << around->viewport()->width()
            << ", room for " << room();
    }
    // The height of the panel is that of its content: it can be scrolled to the last row, and the last row is painted.
    page_.resize(1000, 600);
    ASSERT_TRUE(QTest::qWaitFor([&] { return bar->maximum() > 0; }));
    EXPECT_EQ(around->focusPolicy(), Qt::StrongFocus);
    around->setFocus(Qt::TabFocusReason);
    QTest::keyClick(around, Qt::Key_PageDown);
    QTest::keyClick(around, Qt::Key_PageDown);
    EXPECT_EQ(bar->value(), bar->maximum());
    const int height = test::child<SharePanel>(page_)->heightForWidth(test::child<SharePanel>(page_)->width());
    const QRect last(0, height - 20, test::child<SharePanel>(page_)->width(), 18);
    EXPECT_TRUE(around->viewport()->rect().contains(
        QRect(test::child<SharePanel>(page_)->mapTo(around->viewport(), last.topLeft()), last.size())));
    const QImage row = test::child<SharePanel>(page_)->grab(last).toImage();
    int inked = 0;
    for (int y = 0; y < row.height(); ++y)
        for (int x = 0; x < row.width(); ++x)
            inked += row.pixel(x, y) != row.pixel(0, 0) ? 1 : 0;
    EXPECT_GT(inked, 50);
}

TEST_F(TracesPageTest, ARunIsASubject) {
    const auto run = folder_.path() / "run";
    std::filesystem::create_directories(run / "traces");
    std::filesystem::copy(golden() / "real/ranks2/rank0.json.gz", run / "traces" / "step-000001-rank-0.trace.json.gz");
    std::filesystem::copy(golden() / "real/ranks2/rank1.json.gz", run / "traces" / "step-000001-rank-1.trace.json.gz");
    page_.setFolderOf(
        [&](const QString& subject) { return subject == QStringLiteral("mine") ? words(run) : QString(); });
    page_.activate(QStringLiteral("mine"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !page_.isReading(); }));
    ASSERT_NE(page_.trace(), nullptr) << message().toStdString();
    EXPECT_EQ(page_.trace()->groups().size(), 2);
    EXPECT_EQ(page_.title(), QStringLiteral("Traces of run"));
}

TEST(DurationText, SaysAllSizesShortly) {
    const QString space = QChar(QChar::Nbsp);
    EXPECT_EQ(widgets::nanosecond_words(0), QStringLiteral("0") + space + QStringLiteral("ns"));
    EXPECT_EQ(widgets::nanosecond_words(812), QStringLiteral("812") + space + QStringLiteral("ns"));
    EXPECT_EQ(widgets::nanosecond_words(1'875), QStringLiteral("1.875") + space + QStringLiteral("µs"));
    EXPECT_EQ(widgets::nanosecond_words(318'000'000), QStringLiteral("318") + space + QStringLiteral("ms"));
    EXPECT_EQ(widgets::nanosecond_words(1'380'000'000), QStringLiteral("1.38") + space + QStringLiteral("s"));
}

}  // namespace
}  // namespace trainyard::desktop
