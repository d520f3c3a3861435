// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of their own: a run, a page of logs, the comparison. The page moves, with its reader; nothing is read twice.
#include <QApplication>
#include <QLineEdit>
#include <QPointer>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/compare/compare_drawer.h"
#include "desktop/curves/log_page.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/side_window.h"
#include "fabricated_runs.h"
#include "run/trash.h"
#include "support/accessibility_checks.h"
#include "support/picture.h"
#include "support/window_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;
using run::Status;

namespace {

class SideWindowTest : public test::WindowFixture {
  protected:
    void SetUp() override {
        WindowFixture::SetUp();
        one_ = test::fabricate(folder_.path(), {.name = "one", .step = 400, .of = 400});
        two_ = test::fabricate(folder_.path(), {.name = "two", .step = 400, .of = 400, .age_s = 900});
    }
    static QString id(const std::filesystem::path& run) { return QString::fromStdString(run.filename().string()); }
    static QString key(const std::filesystem::path& run) { return QStringLiteral("run:") + id(run); }
    void press(QWidget* window, Qt::Key key, Qt::KeyboardModifiers modifiers) {
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window));
        QTest::keyClick(window, key, modifiers);
    }

    std::filesystem::path one_, two_;
};

}  // namespace

TEST_F(SideWindowTest, ARunMovesToItsWindowAndBackWithItsRecord) {
    open();
    window_->context()->openRun(id(one_));
    QPointer<RunPage> page = qobject_cast<RunPage*>(window_->currentPage());
    ASSERT_NE(page, nullptr);
    RunRecord* record = page->record();
    press(window_.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    SideWindow* side = window_->side(Location::parse(key(one_)));
    ASSERT_NE(side, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowActive(side));
    EXPECT_EQ(side->page(), page);
    EXPECT_EQ(page->window(), side);
    for (const QString& fault : test::jumping_focus(side))
        ADD_FAILURE() << fault.toStdString();
    EXPECT_EQ(window_->currentPage(), window_->page<RunsPage>());
    ASSERT_TRUE(QTest::qWaitFor([&] { return record->hasSteps() && side->windowTitle().startsWith("one"); }));
    EXPECT_TRUE(page->isVisible());
    test::take_picture(side, "");
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
    test::take_picture(side, "-dark");
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Light);

    // Its keys work in it, and so do those of the program.
    press(side, Qt::Key_F, Qt::ControlModifier);
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    ASSERT_NE(field, nullptr) << "find in the log";
    EXPECT_EQ(field->window(), side);
    press(side, Qt::Key_1, Qt::ControlModifier);
    EXPECT_TRUE(QTest::qWaitForWindowActive(window_.get())) << "places are in the main window";

    // Shown where it is, not a second time.
    window_->context()->openRun(id(one_));
    EXPECT_TRUE(QTest::qWaitForWindowActive(side));
    EXPECT_EQ(window_->currentPage(), window_->page<RunsPage>());
    press(side, Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(window_->side(Location::parse(key(one_))), nullptr);
    ASSERT_NE(page, nullptr);
    window_->context()->openRun(id(one_));
    EXPECT_EQ(window_->currentPage(), page);
    EXPECT_EQ(page->record(), record);
    EXPECT_EQ(page->window(), window_.get());
}

TEST_F(SideWindowTest, ADeletedRunTakesItsWindowWithIt) {
    open();
    QPointer<SideWindow> side = window_->showSide(Location::parse(key(one_)));
    QPointer<SideWindow> other = window_->showSide(Location::parse(key(two_)));
    ASSERT_TRUE(side != nullptr && other != nullptr);
    run::move_to_trash(run::RunPaths(one_));
    ASSERT_TRUE(QTest::qWaitFor([&] { return side == nullptr; }));
    EXPECT_EQ(window_->side(Location::parse(key(one_))), nullptr);
    EXPECT_TRUE(other != nullptr && other->isVisible());
}

TEST_F(SideWindowTest, WindowsAndTheirPlacesAreThereAgainOnTheNextStart) {
    open();
    SideWindow* side = window_->showSide(Location::parse(key(two_)));
    side->resize(760, 610);
    const QString logs = QString::fromStdString((one_ / "metrics").string());
    ASSERT_NE(window_->showSide(Location{QStringLiteral("logs"), logs}), nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return side->size() == QSize(760, 610); }));
    window_->close();
    window_.reset();
    open();
    window_->returnToLast();
    side = window_->side(Location::parse(key(two_)));
    ASSERT_NE(side, nullptr);
    EXPECT_EQ(side->size(), QSize(760, 610));
    ASSERT_TRUE(QTest::qWaitFor([&] { return side->windowTitle().startsWith(QStringLiteral("two")); }));
    SideWindow* log_window = window_->side(Location{QStringLiteral("logs"), logs});
    ASSERT_NE(log_window, nullptr);
    EXPECT_NE(qobject_cast<LogPage*>(log_window->page()), nullptr);
    log_window->close();
    window_->close();
    window_.reset();
    open();
    window_->returnToLast();
    EXPECT_NE(window_->side(Location::parse(key(two_))), nullptr);
    EXPECT_EQ(window_->side(Location{QStringLiteral("logs"), logs}), nullptr) << "it was closed by a person";
}

TEST_F(SideWindowTest, TheComparisonFollowsTheTicksInItsWindow) {
    open();
    RunsPage* runs = window_->page<RunsPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == runs; }));
    runs->model()->tick({QString::fromStdString(one_.string())}, true);
    EXPECT_TRUE(runs->drawer()->isVisible());
    press(window_.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    SideWindow* side = window_->side({QStringLiteral("compare"), {}});
    ASSERT_NE(side, nullptr);
    EXPECT_EQ(runs->drawer()->window(), side);
    EXPECT_EQ(runs->drawer()->runs().size(), 1);
    runs->model()->tick({QString::fromStdString(two_.string())}, true);
    EXPECT_EQ(runs->drawer()->runs().size(), 2);
    side->close();
    EXPECT_EQ(runs->drawer()->window(), window_.get());
    EXPECT_TRUE(runs->drawer()->isVisible());
    EXPECT_EQ(runs->drawer()->runs().size(), 2);
}
