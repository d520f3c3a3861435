// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of logs on a real host, shown while it grows, while the host is silent, and afterwards.

#include "desktop/curves/remote_logs.h"

#include <fstream>

#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/curves/card_grid.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/log_page.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/host_key_dialog.h"
#include "support/child.h"
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
        auto* card = qobject_cast<CurveCard*>(test::child<CardGrid>(page)->card(QStringLiteral("s:loss")));
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

TEST(RemoteLogs, APersonIsAskedForTheKeyAndThePassword) {
    test::TestHosts hosts(2);
    ::setenv("TRAINYARD_SSH_CONFIG", hosts.ssh_config().c_str(), 1);
    ::unsetenv("SSH_AUTH_SOCK");
    widgets::Theme::instance().install(*qApp);
    const std::filesystem::path file = hosts.home_of("host1") / "asked" / "metrics.csv";
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "step,loss\n0,2\n1,1\n";
    const std::filesystem::path known = hosts.known_hosts();
    std::filesystem::rename(known, known.string() + ".kept");
    std::ofstream(known).close();
    const auto follows = [](LogPage& page) {
        return QTest::qWaitFor([&] { return page.remote()->state() == RemoteLogs::State::Following; }, 30000);
    };
    auto show = [](LogPage& page) {
        page.resize(1228, 860);
        page.show();
        return QTest::qWaitForWindowActive(&page);
    };
    {
        LogPage page(QStringLiteral("host1:asked"));
        ASSERT_TRUE(show(page));
        HostKeyDialog* dialog = nullptr;
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return (dialog = page.findChild<HostKeyDialog*>()) != nullptr && dialog->isVisible(); }, 30000));
        EXPECT_EQ(page.remote()->state(), RemoteLogs::State::Blocked);
        EXPECT_TRUE(test::child<QPushButton>(page, QStringLiteral("Compare the key…"))->isVisibleTo(&page));
        EXPECT_EQ(std::filesystem::file_size(known), 0u) << "nothing is trusted unasked";
        test::child<QPushButton>(*dialog, QStringLiteral("Cancel"))->click();
        ASSERT_TRUE(QTest::qWaitFor([&] { return page.findChild<HostKeyDialog*>() == nullptr; }));
        test::child<QPushButton>(page, QStringLiteral("Compare the key…"))->click();
        dialog = page.findChild<HostKeyDialog*>();
        ASSERT_NE(dialog, nullptr);
        test::child<QPushButton>(*dialog, QStringLiteral("Trust and remember"))->click();
        EXPECT_TRUE(follows(page)) << page.remote()->words().toStdString();
        EXPECT_GT(std::filesystem::file_size(known), 0u);
    }
    // Accounts with passwords of our own need machines of our own.
    if (!hosts.namespaces())
        return;
    hosts.set("host1", {"PasswordAuthentication yes", "AuthenticationMethods password"});
    LogPage page(QStringLiteral("host1:asked"));
    ASSERT_TRUE(show(page));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.asker()->dialog() != nullptr; }, 30000));
    page.asker()->dialog()->reject();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.remote()->state() == RemoteLogs::State::Blocked; }, 30000));
    {
        // Meanwhile a host that does not answer is tried several times.
        hosts.stop_sshd("host2");
        LogPage silent(QStringLiteral("host2:asked"));
        silent.show();
        ASSERT_TRUE(QTest::qWaitFor([&] { return silent.remote()->words().contains(QStringLiteral(" 4 s.")); }, 30000))
            << silent.remote()->words().toStdString();
    }
    EXPECT_EQ(page.asker()->dialog(), nullptr) << "who does not want to answer is not asked again";
    test::child<QPushButton>(page, QStringLiteral("Try again"))->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.asker()->dialog() != nullptr; }, 30000));
    QTest::keyClicks(test::child<QLineEdit>(*page.asker()->dialog()), QString::fromStdString(hosts.password()));
    page.asker()->dialog()->accept();
    EXPECT_TRUE(follows(page)) << page.remote()->words().toStdString();
    // The connection is lost: the same password serves again.
    hosts.stop_sshd("host1");
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.remote()->state() == RemoteLogs::State::Silent; }, 30000));
    hosts.start_sshd("host1");
    page.refresh();
    EXPECT_TRUE(follows(page)) << page.remote()->words().toStdString();
    EXPECT_EQ(page.asker()->dialog(), nullptr);
}
