// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the trash in the list of runs: its content, restoring, permanent deletion, and the retention time.
#include "run/trash.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs/runs_proxy.h"
#include "desktop/runs/trash_view.h"
#include "desktop/runs_page_test.h"
#include "fabricated_runs.h"
#include "support/child.h"
#include "support/picture.h"
#include "widgets/segmented_control.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

constexpr int kTrash = static_cast<int>(RunSegment::Trash);

class TrashTest : public test::RunsPageTest {
  protected:
    /// A deleted run; `days` ago.
    std::filesystem::path deleted(const char* name, double days) {
        const std::filesystem::path lies =
            run::move_to_trash(run::RunPaths(test::fabricate(runs_.path(), {.name = name, .step = 20, .of = 20})));
        const std::string id = lies.filename().string().substr(lies.filename().string().find("--"));
        const std::filesystem::path older =
            lies.parent_path() / (std::to_string(static_cast<long long>(wall_seconds() - days * 86400)) + id);
        std::filesystem::rename(lies, older);
        return older;
    }
    bool counts(std::size_t runs) {
        return QTest::qWaitFor([&] {
            return view()->rows().size() == runs &&
                   page_->segments()->button(kTrash)->text().endsWith(QString::number(runs));
        });
    }
    TrashView* view() const { return test::child<TrashView>(*page_); }
    QMessageBox* question() {
        QMessageBox* box = nullptr;
        EXPECT_TRUE(QTest::qWaitFor([&] {
            box = view()->findChild<QMessageBox*>();
            return box != nullptr && box->isVisible();
        }));
        return box;
    }
    static QPushButton* deleteButton(QMessageBox* box) {
        for (QAbstractButton* button : box->buttons())
            if (box->buttonRole(button) == QMessageBox::AcceptRole)
                return static_cast<QPushButton*>(button);
        return nullptr;
    }
};

}  // namespace

TEST_F(TrashTest, ADeletedRunLiesThereAndComesBack) {
    const auto folder = test::fabricate(runs_.path(), {.name = "one", .step = 20, .of = 20});
    test::fabricate(runs_.path(), {.name = "two", .step = 20, .of = 20});
    open();
    ASSERT_TRUE(counts(0));
    RunEdits::of(store_.get())->remove({QString::fromStdString(folder.string())});
    ASSERT_TRUE(counts(1));
    page_->segments()->setCurrent(kTrash);
    EXPECT_TRUE(view()->isVisible());
    EXPECT_FALSE(page_->table()->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([&] { return view()->table()->model()->rowCount() == 1; }));
    EXPECT_EQ(view()->rows().front().name, QStringLiteral("one"));
    EXPECT_GT(view()->rows().front().bytes, 1000u);
    EXPECT_EQ(page_->firstFocus(), view()->table());
    QTest::mouseClick(test::child<QPushButton>(*view(), QStringLiteral("Restore")), Qt::LeftButton);
    ASSERT_TRUE(counts(0));
    EXPECT_TRUE(std::filesystem::exists(folder / "state.json"));
    page_->segments()->setCurrent(0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<RunsProxy>(*page_)->rowCount() == 2; }));
    EXPECT_TRUE(page_->table()->isVisible());
    EXPECT_FALSE(view()->isVisible());
}

TEST_F(TrashTest, ForEverAsksWithTheSizeAndTheVerb) {
    test::fabricate(runs_.path(), {.name = "stays"});
    const auto first = deleted("first", 1), second = deleted("second", 2);
    open();
    page_->segments()->setCurrent(kTrash);
    ASSERT_TRUE(counts(2));
    EXPECT_EQ(view()->rows().front().name, QStringLiteral("first")) << "the newest first";
    test::take_picture(page_.get(), "");
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
    test::take_picture(page_.get(), "-dark");
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Light);
    view()->table()->setCurrentIndex(view()->table()->model()->index(1, 0));
    QTest::mouseClick(test::child<QPushButton>(*view(), QStringLiteral("Delete permanently…")), Qt::LeftButton);
    QMessageBox* box = question();
    EXPECT_TRUE(box->text().contains(QStringLiteral("second")));
    EXPECT_TRUE(deleteButton(box)->text().startsWith(QStringLiteral("Delete ")))
        << qPrintable(deleteButton(box)->text());
    EXPECT_TRUE(deleteButton(box)->text().endsWith(QLatin1Char('B')));
    const QAbstractButton* cancel = box->button(QMessageBox::Cancel);
    EXPECT_GT(deleteButton(box)->x(), cancel->x()) << "Cancel must come first, as in our other dialogs";
    EXPECT_TRUE(cancel->icon().isNull() && deleteButton(box)->icon().isNull());
    box->reject();
    EXPECT_TRUE(std::filesystem::exists(second));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view()->findChild<QMessageBox*>() == nullptr; }));
    QTest::mouseClick(test::child<QPushButton>(*view(), QStringLiteral("Delete permanently…")), Qt::LeftButton);
    QTest::mouseClick(deleteButton(question()), Qt::LeftButton);
    ASSERT_TRUE(counts(1));
    EXPECT_FALSE(std::filesystem::exists(second));
    EXPECT_TRUE(std::filesystem::exists(first));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view()->findChild<QMessageBox*>() == nullptr; }));
    QTest::mouseClick(test::child<QPushButton>(*view(), QStringLiteral("Empty the trash…")), Qt::LeftButton);
    QTest::mouseClick(deleteButton(question()), Qt::LeftButton);
    ASSERT_TRUE(counts(0));
    EXPECT_FALSE(test::child<QPushButton>(*view(), QStringLiteral("Restore"))->isEnabled() ||
                 test::child<QPushButton>(*view(), QStringLiteral("Empty the trash…"))->isEnabled());
    EXPECT_EQ(run::list_trash(runs_.path()).size(), 0u);
}

TEST_F(TrashTest, ARightClickOffersWhatTheButtonsDo) {
    test::fabricate(runs_.path(), {.name = "stays"});
    const auto first = deleted("first", 1), second = deleted("second", 2);
    open();
    page_->segments()->setCurrent(kTrash);
    ASSERT_TRUE(counts(2));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view()->table()->model()->rowCount() == 2; }));
    // As a user does: the right mouse button selects the row and opens the menu there.
    const auto choose = [&](int row, const char* words) {
        const QPoint at = view()->table()->visualRect(view()->table()->model()->index(row, 0)).center();
        QTest::mouseClick(view()->table()->viewport(), Qt::RightButton, {}, at);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, view()->table()->viewport()->mapToGlobal(at));
        bool found = false;
        QTimer::singleShot(0, this->view(), [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            ASSERT_NE(menu, nullptr);
            for (QAction* action : menu->actions())
                if (action->text() == QString::fromUtf8(words)) {
                    found = true;
                    menu->setActiveAction(action);
                }
            QTest::keyClick(menu, found ? Qt::Key_Return : Qt::Key_Escape);
        });
        QApplication::sendEvent(view()->table()->viewport(), &event);
        EXPECT_TRUE(QTest::qWaitFor([&] { return found; })) << words;
    };
    choose(1, "Copy path");
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), second.string());
    choose(1, "Delete permanently…");
    QMessageBox* box = question();
    EXPECT_TRUE(box->text().contains(QStringLiteral("second")));
    box->reject();
    ASSERT_TRUE(QTest::qWaitFor([&] { return view()->findChild<QMessageBox*>() == nullptr; }));
    choose(0, "Restore");
    ASSERT_TRUE(counts(1));
    EXPECT_FALSE(std::filesystem::exists(first));
    EXPECT_TRUE(std::filesystem::exists(second));
}

TEST_F(TrashTest, WhatIsOldGoesAtTheNextStartAndTheAgeIsASetting) {
    test::fabricate(runs_.path(), {.name = "stays"});
    deleted("old", 31);
    deleted("young", 29);
    open();
    ASSERT_TRUE(counts(1));
    EXPECT_EQ(view()->rows().front().name, QStringLiteral("young"));
    EXPECT_EQ(test::child<QSpinBox>(*view())->value(), 30);
    test::child<QSpinBox>(*view())->setValue(0);
    EXPECT_EQ(TrashView::keptDays(), 0);
    page_.reset();
    store_.reset();
    deleted("ancient", 1000);
    open();
    ASSERT_TRUE(counts(2));
    test::child<QSpinBox>(*view())->setValue(7);
    EXPECT_EQ(run::list_trash(runs_.path()).size(), 2u) << "a change of the setting deletes nothing now";
    page_.reset();
    store_.reset();
    open();
    ASSERT_TRUE(counts(0));
}
