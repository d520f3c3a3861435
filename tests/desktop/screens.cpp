// SPDX-License-Identifier: GPL-3.0-or-later
// The window on several screens: a wide one, an upright one that is narrower than the smallest window, and one with a
// scale of 1.5 (screens.json).
#include <QApplication>
#include <QScreen>
#include <QWindow>

#include <gtest/gtest.h>

#include "desktop/runs/runs_page.h"
#include "desktop/shell/side_window.h"
#include "fabricated_runs.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/settle.h"
#include "support/window_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class ScreensTest : public test::WindowFixture {
  protected:
    void SetUp() override {
        WindowFixture::SetUp();
        ASSERT_EQ(QApplication::screens().size(), 3) << "QT_QPA_PLATFORM=offscreen:configfile=screens.json";
    }
    static QScreen* screen(const char* name) {
        for (QScreen* each : QApplication::screens())
            if (each->name() == QLatin1String(name))
                return each;
        return nullptr;
    }
    static void moveTo(QWidget* window, QScreen* to) {
        window->windowHandle()->setScreen(to);
        window->move(to->availableGeometry().topLeft());
        ASSERT_TRUE(QTest::qWaitFor([&] { return window->screen() == to; }, kPatience));
    }
};

}  // namespace

TEST_F(ScreensTest, AWindowFitsTheScreenThatItIsMovedTo) {
    const auto run = test::fabricate(root(), {.name = "one", .step = 400, .of = 400});
    open();
    moveTo(window_.get(), screen("wide"));
    const QSize usual = window_->minimumSize();
    ASSERT_GT(usual.width(), screen("upright")->availableSize().width());
    SideWindow* side = window_->showSide({QStringLiteral("run"), QString::fromStdString(run.filename().string())});
    ASSERT_NE(side, nullptr);
    for (QWidget* window : {static_cast<QWidget*>(window_.get()), static_cast<QWidget*>(side)}) {
        moveTo(window, screen("upright"));
        const QSize room = screen("upright")->availableSize() - (window->frameGeometry().size() - window->size());
        window->resize(room);
        test::settle();
        EXPECT_EQ(window->size(), room);
        test::take_picture(window, window == side ? "-side" : "");
    }
    moveTo(window_.get(), screen("wide"));
    EXPECT_EQ(window_->minimumSize(), usual) << "there is room again";
    EXPECT_GE(window_->width(), usual.width());
}

TEST_F(ScreensTest, AnotherScaleShowsTheSameWindow) {
    test::fabricate(root(), {.name = "one", .step = 400, .of = 400});
    open();
    const QString title = window_->currentPage()->title();
    const QFont font = QApplication::font();
    moveTo(window_.get(), screen("fine"));
    EXPECT_DOUBLE_EQ(window_->devicePixelRatioF(), 1.5);
    window_->resize(1280, 800);
    test::settle();
    EXPECT_EQ(window_->size(), QSize(1280, 800));
    EXPECT_EQ(window_->currentPage()->title(), title);
    EXPECT_EQ(QApplication::font(), font);
    EXPECT_EQ(window_->grab().size(), QSize(1920, 1200)) << "drawn in the pixels of the screen";
    test::take_picture(window_.get());
}

/// The usual size, or that of another screen or scale, has no room on the screen.
TEST_F(ScreensTest, AWindowThatHasNoRoomIsMaximized) {
    {
        QWidget large;
        large.setGeometry(QRect(40, 40, 5'000, 3'000));
        large.show();
        Preferences().setGeometry(large.saveGeometry());
    }
    Preferences preferences;
    MainWindow window(&preferences, {});
    window.appear();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    const QSize room = window.screen()->availableSize();
    EXPECT_TRUE(window.isMaximized());
    EXPECT_EQ(window.frameGeometry().size(), room);
    window.showNormal();
    EXPECT_LE(window.width(), room.width()) << "nor is it too large when it is restored";
    EXPECT_LE(window.height(), room.height());
    window.resize(1200, 760);
    window.close();
    MainWindow again(&preferences, {});
    again.appear();
    EXPECT_FALSE(again.isMaximized());
    EXPECT_EQ(again.size(), QSize(1200, 760));
}

/// A window that was closed on a screen that is gone, or with another scale, is seen.
TEST_F(ScreensTest, AWindowOfAScreenThatIsGoneIsVisible) {
    for (const QRect& before : {QRect(9'000, 300, 1300, 800), QRect(-4'000, -2'000, 1300, 800)}) {
        {
            QWidget gone;
            gone.setGeometry(before);
            gone.show();
            Preferences().setGeometry(gone.saveGeometry());
        }
        open();
        const QRect now = window_->frameGeometry(), available = window_->screen()->availableGeometry();
        EXPECT_TRUE(available.contains(now.topLeft() + QPoint(20, 20))) << now.x() << ", " << now.y();
        EXPECT_GE(available.intersected(now).width(), std::min(now.width(), available.width()) - 20);
    }
}
