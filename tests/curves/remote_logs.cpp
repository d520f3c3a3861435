// A folder of logs on a real host, shown while it grows, while the host is silent, and afterwards.

#include "desktop/curves/remote_logs.h"

#include <fstream>

#include <QTest>

#include <gtest/gtest.h>

#include "desktop/curves/card_grid.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/log_page.h"
#include "support/hosts.h"
#include "widgets/inline_message.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

TEST(RemoteLogs, AFolderOfAHostGrowsOnTheScreen) {
    test::TestHosts hosts(1);
    ::setenv("TRAINYARD_SSH_CONFIG", hosts.ssh_config().c_str(), 1);
    ::unsetenv("SSH_AUTH_SOCK");
    widgets::Theme::instance().install(*qApp);
    const std::filesystem::path file = hosts.home_of("host1") / "runs" / "metrics.csv";
    std::filesystem::create_directories(file.parent_path());
    auto grow = [&file, step = 0](int rows) mutable {
        std::ofstream out(file, std::ios::app);
        if (step == 0)
            out << "step,loss\n";
        for (int i = 0; i < rows; ++i, ++step)
            out << step << ',' << 1.0 / (step + 1) << '\n';
    };
    grow(20);

    LogPage page(QStringLiteral("host1:runs"));
    page.resize(1228, 860);
    page.show();
    auto points = [&page]() -> std::size_t {
        auto* card = qobject_cast<CurveCard*>(page.panel()->grid()->card(QStringLiteral("s:loss")));
        return card == nullptr || card->chart()->curves().isEmpty() ? 0
                                                                    : card->chart()->curves().first().series->size();
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return points() == 20; }, 30000)) << page.remote()->words().toStdString();
    EXPECT_EQ(page.remote()->state(), RemoteLogs::State::Following);
    grow(10);
    EXPECT_TRUE(QTest::qWaitFor([&] { return points() == 30; }, 30000));

    hosts.stop_sshd("host1");
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.strip()->isVisible(); }, 30000));
    EXPECT_EQ(page.remote()->state(), RemoteLogs::State::Silent);
    EXPECT_EQ(points(), 30u) << "what is there stays";
    grow(10);
    hosts.start_sshd("host1");
    page.refresh();
    EXPECT_TRUE(QTest::qWaitFor([&] { return points() == 40; }, 60000));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !page.strip()->isVisible(); }, 30000));
}
