// SPDX-License-Identifier: GPL-3.0-or-later
// Queued runs in the list: their order, Alt+Up and Alt+Down, dragging, and the way back. Waiters are this process, which answers in their
// place; real ones are in e2e.runs.
#include "run/queue.h"

#include <QDragEnterEvent>
#include <QDragMoveEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QTableView>
#include <QTest>
#include <QUndoStack>
#include <QUrl>

#include <gtest/gtest.h>

#include "base/process.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs_page_test.h"
#include "fabricated_runs.h"
#include "run/request.h"
#include "support/drag.h"
#include "support/picture.h"

using namespace trainyard;
using namespace trainyard::desktop;
using run::Status;

namespace {

class QueueTest : public test::RunsPageTest {
  protected:
    void SetUp() override {
        RunsPageTest::SetUp();
        live_ = test::fabricate(runs_.path(), {.name = "gpt2-x", .status = Status::running, .step = 300});
        for (const char* name : {"a", "b", "c"}) {
            const run::RunPaths run(test::fabricate(
                runs_.path(), {.name = name, .status = Status::queued, .step = 0, .age_s = 60, .metrics = false}));
            set(run, [](run::RunState& state) {
                state.ranks.clear();
                state.supervisor_host = host_name();
            });
            run::enter_queue(run);
            waiting_.push_back(run);
        }
        answer();
        open();
        page_->table()->setFocus();
    }
    void set(const run::RunPaths& run, const std::function<void(run::RunState&)>& change) {
        run::RunState state = run::read_state(run).value();
        change(state);
        run::write_state(run, state, false);
    }
    /// What the waiters do: requests are taken, places and sentences written.
    void answer() {
        for (const run::RunPaths& run : waiting_)
            for (run::Request& request : run::pending_requests(run)) {
                ASSERT_EQ(request.kind, "move");
                run::move_in_queue(run, std::stoi(request.values.at("place")));
                request.outcome = "done";
                run::finish_request(run, request);
            }
        int place = 0;
        for (const run::RunPaths& run : run::queued_runs(runs_.path())) {
            ++place;
            set(run, [&](run::RunState& state) {
                state.queue_place = place;
                state.message = place > 1 ? Message("waits for gpt2-x on {}, {} before it", host_name(), place - 1)
                                          : Message("waits for gpt2-x on {}", host_name());
            });
        }
    }
    QString order() const {
        QStringList names;
        for (int row = 0; row < proxy()->rowCount(); ++row)
            names << proxy()->at(proxy()->index(row, 0)).name;
        return names.join(QLatin1Char(' '));
    }
    QString queue() const {
        QStringList names;
        for (const run::RunPaths& run : run::queued_runs(runs_.path()))
            names << QString::fromStdString(run::read_state(run)->name);
        return names.join(QLatin1Char(' '));
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
        page_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
        page_->table()->setFocus();
        QTest::keyClick(page_->table(), key, modifiers);
    }
    /// The files say the order, and the list still shows it when all has been read again.
    void expectSettled(const char* wanted) {
        EXPECT_EQ(order(), QStringLiteral("gpt2-x ") + QLatin1String(wanted));
        ASSERT_TRUE(QTest::qWaitFor([&] {
            answer();
            return queue() == QLatin1String(wanted);
        })) << qPrintable(queue());
        ASSERT_TRUE(QTest::qWaitFor([&] {
            const RunSummary& last = proxy()->at(proxy()->index(3, 0));
            return last.message.endsWith(QStringLiteral(", 2 before it"));
        }));
        EXPECT_EQ(order(), QStringLiteral("gpt2-x ") + QLatin1String(wanted));
    }
    /// The place in the viewport just above the row of `below`, or below the row of `above`.
    void drop(const char* moved, const QPoint& at) {
        std::unique_ptr<QMimeData> data(proxy()->mimeData({cell(moved)}));
        ASSERT_NE(data, nullptr);
        QWidget* viewport = page_->table()->viewport();
        QDragEnterEvent enter(at, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(viewport, &enter);
        QDragMoveEvent move(at, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(viewport, &move);
        QDropEvent drop(at, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(viewport, &drop);
    }
    QPoint edge(const char* name, bool top) const {
        const QRect rect = page_->table()->visualRect(cell(name));
        return {rect.left() + 60, top ? rect.top() + 1 : rect.bottom() - 1};
    }

    std::filesystem::path live_;
    std::vector<run::RunPaths> waiting_;
};

}  // namespace

TEST_F(QueueTest, ThoseThatWaitStandInTheirOrderWhateverIsSortedBy) {
    EXPECT_EQ(order(), QStringLiteral("gpt2-x a b c"));
    page_->table()->sortByColumn(RunsModel::Name, Qt::DescendingOrder);
    EXPECT_EQ(order(), QStringLiteral("gpt2-x a b c"));
    page_->table()->sortByColumn(RunsModel::Started, Qt::AscendingOrder);
    EXPECT_EQ(order(), QStringLiteral("gpt2-x a b c"));
    const RunSummary& second = proxy()->at(cell("b"));
    EXPECT_EQ(second.queuePlace, 2);
    EXPECT_TRUE(cell("b")
                    .siblingAtColumn(RunsModel::State)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .startsWith(QStringLiteral("Waits for gpt2-x on ")));
    EXPECT_EQ(store_->liveCount(), 4) << "the number in the rail counts those that wait";
    test::take_picture(page_.get(), "");
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
    test::take_picture(page_.get(), "-dark");
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Light);
}

TEST_F(QueueTest, AltAndArrowsMoveARunAndControlZTakesItBack) {
    page_->table()->setCurrentIndex(cell("c"));
    press(Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(order(), QStringLiteral("gpt2-x a c b"));
    press(Qt::Key_Up, Qt::AltModifier);
    expectSettled("c a b");
    press(Qt::Key_Up, Qt::AltModifier);
    expectSettled("c a b");
    press(Qt::Key_Z, Qt::ControlModifier);
    expectSettled("a c b");
    press(Qt::Key_Z, Qt::ControlModifier);
    expectSettled("a b c");
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    expectSettled("a c b");
    page_->table()->setCurrentIndex(cell("a"));
    press(Qt::Key_Down, Qt::AltModifier);
    expectSettled("c a b");
    page_->table()->setCurrentIndex(cell("gpt2-x"));
    press(Qt::Key_Down, Qt::AltModifier);
    expectSettled("c a b");
}

TEST_F(QueueTest, ARowIsDraggedToAnotherPlaceOfItsQueueAndNowhereElse) {
    EXPECT_FALSE(proxy()->flags(cell("gpt2-x")) & Qt::ItemIsDragEnabled);
    EXPECT_TRUE(proxy()->flags(cell("b")) & Qt::ItemIsDragEnabled);
    std::unique_ptr<QMimeData> data(proxy()->mimeData({cell("c")}));
    EXPECT_FALSE(proxy()->canDropMimeData(data.get(), Qt::MoveAction, 0, 0, {})) << "in front of what runs";
    EXPECT_TRUE(proxy()->canDropMimeData(data.get(), Qt::MoveAction, 1, 0, {}));
    drop("c", edge("a", true));
    expectSettled("c a b");
    drop("c", edge("b", false));
    expectSettled("a b c");
    drop("a", edge("c", true));
    expectSettled("b a c");
    drop("c", edge("gpt2-x", true));
    expectSettled("b a c");
    press(Qt::Key_Z, Qt::ControlModifier);
    expectSettled("a b c");
}

TEST_F(QueueTest, ARunIsDraggedOutAsItsFolderUnlessItMovesInItsQueue) {
    QTableView* table = page_->table();
    const QMimeData* data = test::drag_from(table->viewport(), table->visualRect(cell("gpt2-x")).center());
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(data->urls(), QList<QUrl>{QUrl::fromLocalFile(QString::fromStdString(live_.string()))});
    EXPECT_EQ(data->text(), QString::fromStdString(live_.string()));
    EXPECT_EQ(test::drag_from(table->viewport(), QPoint(5, table->viewport()->height() - 3)), nullptr)
        << "no row there";
    EXPECT_TRUE(std::filesystem::exists(live_));
}
