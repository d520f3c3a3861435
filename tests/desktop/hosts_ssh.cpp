// SPDX-License-Identifier: GPL-3.0-or-later
// The Hosts page and the launch page against real sshd.

#include <fstream>

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/hosts/host_details.h"
#include "desktop/hosts/host_key_dialog.h"
#include "desktop/hosts/host_problem_panel.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/hosts/ssh_host_source.h"
#include "support/child.h"
#include "support/hosts.h"
#include "support/patience.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class HostsOverSsh : public testing::Test {
  protected:
    HostsOverSsh() : hosts_(2) {
        widgets::Theme::instance().install(*qApp);
        ::setenv("TRAINYARD_SSH_CONFIG", hosts_.ssh_config().c_str(), 1);
        ::unsetenv("SSH_AUTH_SOCK");
        page_ = std::make_unique<HostsPage>(nullptr, std::make_unique<SshHostSource>(memory_.path() / "hosts"));
        page_->resize(1200, 800);
        page_->show();
    }
    ~HostsOverSsh() override { ::unsetenv("TRAINYARD_SSH_CONFIG"); }
    void SetUp() override {
        ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
        ASSERT_TRUE(QTest::qWaitFor([this] { return list()->isLoaded(); }, kPatience));
        ASSERT_NE(list()->find(QStringLiteral("host1")), nullptr);
    }
    HostList* list() { return page_->hosts(); }
    HostState state(const char* name) { return list()->find(QLatin1String(name))->state(); }
    std::string why(const char* name) {
        const HostRow* row = list()->find(QLatin1String(name));
        return row->answer ? row->answer->result.problem.text() : "not asked";
    }
    bool probe(const char* name) {
        page_->choose(QLatin1String(name));
        list()->probe(QLatin1String(name));
        return QTest::qWaitFor([this, name] { return !list()->find(QLatin1String(name))->asking; }, kPatience);
    }

    test::TemporaryFolder memory_;
    test::TestHosts hosts_;
    std::unique_ptr<HostsPage> page_;
};

}  // namespace

TEST_F(HostsOverSsh, AProbeTellsWhatIsThereAndIsRemembered) {
    ASSERT_TRUE(probe("host1"));
    ASSERT_EQ(state("host1"), HostState::Ready) << why("host1");
    const HostRow* row = list()->find(QStringLiteral("host1"));
    EXPECT_GT(row->facts->cores, 0);
    EXPECT_GT(row->facts->disk_free_bytes, 0u);
    EXPECT_TRUE(row->answer->connected);
    EXPECT_FALSE(row->answer->authenticated_by.empty());
    SshHostSource again(memory_.path() / "hosts");
    const HostListing listing = again.list();
    ASSERT_TRUE(listing.last.contains("host1"));
    EXPECT_EQ(listing.last.at("host1").result.facts->cores, row->facts->cores);
}

TEST_F(HostsOverSsh, FirstContactIsConfirmedByAClick) {
    std::ofstream(hosts_.known_hosts(), std::ios::trunc).flush();
    ASSERT_TRUE(probe("host1"));
    ASSERT_EQ(state("host1"), HostState::NewKey) << why("host1");
    auto* dialog = page_->findChild<HostKeyDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->fingerprint().startsWith(QStringLiteral("SHA256:")));
    QTest::mouseClick(test::child<QPushButton>(*dialog, QStringLiteral("This time only")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return state("host1") == HostState::Ready; }, kPatience)) << why("host1");
    EXPECT_EQ(std::filesystem::file_size(hosts_.known_hosts()), 0u) << "this time only";

    ASSERT_TRUE(probe("host2"));
    ASSERT_EQ(state("host2"), HostState::NewKey) << why("host2");
    dialog = page_->showKey(QStringLiteral("host2"));
    ASSERT_NE(dialog, nullptr);
    QTest::mouseClick(test::child<QPushButton>(*dialog, QStringLiteral("Trust and remember")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return state("host2") == HostState::Ready; }, kPatience)) << why("host2");
    EXPECT_GT(std::filesystem::file_size(hosts_.known_hosts()), 0u);
}

TEST_F(HostsOverSsh, AChangedKeyStopsEverything) {
    hosts_.new_host_key("host1");
    ASSERT_TRUE(probe("host1"));
    ASSERT_EQ(state("host1"), HostState::Blocked) << why("host1");
    HostProblemPanel* panel = test::child<HostDetails>(*page_)->problem();
    ASSERT_TRUE(panel->isVisible());
    EXPECT_TRUE(panel->report().contains(QString::fromStdString(hosts_.known_hosts().string())))
        << panel->report().toStdString();
    EXPECT_TRUE(panel->report().count(QStringLiteral("SHA256:")) >= 2);
    EXPECT_EQ(page_->findChild<HostKeyDialog*>(), nullptr);
    EXPECT_EQ(hosts_.sshd_log("host1").find("Accepted"), std::string::npos);
}

TEST_F(HostsOverSsh, ADeadHostIsNamedWithinSeconds) {
    hosts_.stop_sshd("host2");
    ASSERT_TRUE(probe("host2"));
    EXPECT_EQ(state("host2"), HostState::Failed);
    EXPECT_NE(why("host2").find("host2"), std::string::npos) << why("host2");
    EXPECT_FALSE(list()->find(QStringLiteral("host2"))->answer->result.command_to_try.empty());
}

TEST_F(HostsOverSsh, AKeptConnectionThatFallsSilentCanBeLeftAtOnce) {
    ASSERT_TRUE(probe("host1"));
    ASSERT_TRUE(list()->find(QStringLiteral("host1"))->answer->connected);
    hosts_.cut("host1");
    list()->probe(QStringLiteral("host1"));
    ASSERT_FALSE(QTest::qWaitFor([this] { return !list()->find(QStringLiteral("host1"))->asking; }, 500));
    // Silence counts as a lost connection after 8 s; nobody has to wait for that.
    QElapsedTimer left;
    left.start();
    page_.reset();
    EXPECT_LT(left.elapsed(), 4000) << "ms until the page was gone";
    hosts_.mend("host1");
}
