// SIGKILL the window and find the same view again.

#include <csignal>
#include <fstream>

#include <QLineEdit>
#include <QProcess>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/curves/card_grid.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/log_page.h"
#include "desktop/curves/panel_bar.h"
#include "desktop/main_window.h"
#include "desktop/preferences.h"
#include "desktop/view_state.h"
#include "support/temporary_folder.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

TEST(Returns, AKilledWindowComesBackWhereItWas) {
    const test::TemporaryFolder home;
    std::ofstream file(home.path() / "metrics.csv");
    file << "step,loss,accuracy\n";
    for (int i = 0; i < 200; ++i)
        file << i << ',' << 1.0 / (i + 1) << ',' << 1 - 1.0 / (i + 1) << '\n';
    file.close();

    QProcess window;
    window.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    window.start(QStringLiteral(TRAINYARD_TEST_WINDOW), {QString::fromStdString(home.path().string())});
    ASSERT_TRUE(window.waitForStarted(10000));
    ASSERT_TRUE(window.waitForReadyRead(60000)) << "the window did not come to its view";
    const QList<QByteArray> words = window.readLine().trimmed().split(' ');
    ASSERT_EQ(words.size(), 2);
    const widgets::XRange zoom{words[0].toDouble(), words[1].toDouble()};
    ASSERT_GT(zoom.size(), 0);
    ASSERT_LT(zoom.size(), 199);
    ASSERT_EQ(::kill(static_cast<pid_t>(window.processId()), SIGKILL), 0);
    window.waitForFinished(10000);

    widgets::Theme::instance().install(*qApp);
    Preferences preferences;
    MainWindow again(&preferences, {});
    again.show();
    again.begin();
    again.returnToLast();
    LogPage* page = nullptr;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            page = qobject_cast<LogPage*>(again.currentPage());
            return page != nullptr && page->panel()->grid()->card(QStringLiteral("s:loss")) != nullptr;
        },
        30000));
    ASSERT_TRUE(page->panel()->axis()->link()->range().has_value());
    EXPECT_EQ(*page->panel()->axis()->link()->range(), zoom);
    EXPECT_EQ(page->panel()->panelLayout().pins.size(), 1);
    EXPECT_EQ(page->panel()->bar()->field()->text(), QStringLiteral("o"));
}
