// SPDX-License-Identifier: GPL-3.0-or-later
// How dialogs about hosts, keys, programs, checkpoints and reports look (looks_test.h).

#include <fstream>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

#include <gtest/gtest.h>

#include "desktop/checkpoints/write_dialog.h"
#include "desktop/hosts/connection_test_dialog.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/host_dialog.h"
#include "desktop/hosts/host_key_dialog.h"
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/hosts/keys_dialog.h"
#include "desktop/launch/consent_dialog.h"
#include "desktop/launch/fetch_dialog.h"
#include "desktop/launch/start_look.h"
#include "desktop/shell/consent.h"
#include "desktop/shell/report_dialog.h"
#include "fabricated_runs.h"
#include "fake_hosts.h"
#include "inspect/saved.h"
#include "looks_test.h"
#include "observe/inspect/checkpoint_list.h"
#include "run/folder_record.h"
#include "run/paths.h"
#include "support/child.h"
#include "support/patience.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/value_table.h"

using namespace trainyard;
using namespace trainyard::desktop;
using test::LooksTest;

TEST_F(LooksTest, DialogsOfHosts) {
    test::fabricate_gallery(runs());
    data_ << QStringLiteral(".*gpu-[a-e].*") << QStringLiteral("bastion.*") << QStringLiteral("me@.*")
          << QStringLiteral(".*SHA256.*") << QStringLiteral(".*known_hosts.*") << QStringLiteral("ssh-.*")
          << QStringLiteral(".*/home/me/.*") << QStringLiteral("Verification code:.*");
    open();
    auto source = std::make_unique<test::FakeHosts>();
    test::FakeHosts& hosts = *source;
    for (const char* name : {"gpu-a", "gpu-b", "gpu-c"})
        hosts.add(name, 1);
    hosts.unreachable = {"gpu-c"};
    window_->context()->setHostSource(std::move(source));
    auto* page = window_->context()->show<HostsPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->hosts()->isLoaded() && page->hosts()->asking() == 0; }, kPatience));
    {
        HostDialog added(&hosts, {}, {QStringLiteral("gpu-a")});
        lookAt(&added, "dialog-host-new");
        added.show();
        QTest::keyClicks(added.field(QStringLiteral("name")), "gpu-a");
        QTest::keyClicks(added.field(QStringLiteral("port")), "99999");
        EXPECT_FALSE(added.check());
        lookAt(&added, "dialog-host-wrong");
    }
    HostDialog known(&hosts, page->hosts()->find(QStringLiteral("gpu-b"))->known, {});
    lookAt(&known, "dialog-host-known");
    KeysDialog keys(page->hosts());
    lookAtFirst(&keys, "dialog-keys-loading");
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<QTreeWidget>(keys)->topLevelItemCount() == 1; }, kPatience));
    lookAt(&keys, "dialog-keys");
    page->hosts()->probeAll();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->hosts()->asking() == 0; }, kPatience));
    ConnectionTestDialog* reach = page->showReach();
    lookAtFirst(reach, "dialog-reach-loading");
    ASSERT_TRUE(QTest::qWaitFor([&] { return reach->findChildren<QPushButton*>().front()->isEnabled(); }, kPatience));
    lookAt(reach, "dialog-reach");
    reach->close();

    remote::HostKeyReport report{"gpu-b", "10.0.0.7", test::some_key('A'), {}, "/home/me/.ssh/known_hosts", false};
    HostKeyDialog first_contact(QStringLiteral("gpu-b"), report);
    lookAt(&first_contact, "dialog-host-key");
    remote::HostKey rsa = test::some_key('C');
    rsa.type = "ssh-rsa";
    report.recorded.push_back({"/home/me/.ssh/known_hosts", 14, rsa});
    HostKeyDialog other_type(QStringLiteral("gpu-b"), report);
    lookAt(&other_type, "dialog-host-key-other-type");

    using Kind = remote::SecretQuestion::Kind;
    remote::SecretQuestion question{.kind = Kind::password, .host = "gpu-a", .user = "me", .subject = {}, .note = {}};
    question.can_remember = true;
    SecretDialog password(question);
    lookAt(&password, "dialog-password");
    question.attempt = 2;
    SecretDialog again(question);
    lookAt(&again, "dialog-password-wrong");
    question = {
        .kind = Kind::passphrase, .host = "gpu-a", .user = "me", .subject = "/home/me/.ssh/id_ed25519", .note = {}};
    SecretDialog passphrase(question);
    lookAt(&passphrase, "dialog-passphrase");
    question = {.kind = Kind::challenge, .host = "gpu-a", .user = "me", .subject = "Verification code: ", .note = {}};
    SecretDialog challenge(question);
    lookAt(&challenge, "dialog-challenge");
}

/// A run of others, the copy of a checkpoint from a host that does not answer, a report, and values of a chart.
TEST_F(LooksTest, DialogsOfRuns) {
    data_ << QStringLiteral(".*/bin/evil.*") << QStringLiteral(".*gpu-a.*") << QStringLiteral("/.*")
          << QStringLiteral("a-run-of-others");
    const run::RunPaths run(test::fabricate(runs(), {.name = "one"}));
    const auto folder = runs() / "a-run-of-others";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "run.yaml") << "recipe_file: /x/recipe.yaml\n"
                                          "program: {command: [/bin/evil, --now], environment: {LD_PRELOAD: /x/y.so}}\n"
                                          "launch: {num_processes: 1}\n";
    open();
    start_with_consent(window_->context(), look_at_start(folder / "run.yaml"), {}, [] {});
    auto* consent = test::child<ConsentDialog>(*window_);
    ASSERT_NE(consent, nullptr);
    lookAt(consent, "dialog-consent");
    consent->reject();

    showRun(run.root());
    auto* chart = window_->currentPage()->findChild<widgets::CurveChart*>();
    ASSERT_NE(chart, nullptr);
    widgets::ValueTable values(*chart, window_.get());
    lookAt(&values, "dialog-values");

    std::ofstream(home_.path() / "ssh_config") << "Host gpu-a\n  HostName 127.0.0.1\n  Port 1\n";
    ::setenv("TRAINYARD_SSH_CONFIG", (home_.path() / "ssh_config").c_str(), 1);
    run::record_mirror_source(run, {"gpu-a", "/data/one", "trainyard"});
    FetchDialog fetch(run, {}, {});
    lookAtFirst(&fetch, "dialog-fetch-loading");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !fetch.words()->text().endsWith(QChar(0x2026)); }, kPatience));
    lookAt(&fetch, "dialog-fetch-failing");
    ::unsetenv("TRAINYARD_SSH_CONFIG");

    ReportDialog report(QStringLiteral("one"),
                        QStringLiteral("#0  a_function_with_a_long_name() at file.cpp:12\n").repeated(40));
    lookAt(&report, "dialog-report");
}

/// Every choice of the weights that are written, and one that cannot be.
TEST_F(LooksTest, WritingACheckpoint) {
    const auto run = test::fabricate(runs(), {.name = "books", .step = 900, .of = 1000});
    std::filesystem::remove_all(run / "checkpoints");
    for (const int step : {300, 600})
        test::write_checkpoint(run / "checkpoints" / ("checkpoint_" + std::to_string(step)), step,
                               {{"model.norm.weight", {1, 2, 3, 4}}}, 3.0);
    data_ << QStringLiteral("/.*") << QStringLiteral("[a-z0-9_]+");
    WriteDialog dialog(inspect::read_checkpoint_list(run), 0, nullptr);
    lookAt(&dialog, "dialog-write");
    const auto choices = dialog.findChildren<QComboBox*>();
    for (QComboBox* box : choices)
        box->setCurrentIndex(box->count() - 1);
    lookAt(&dialog, "dialog-write-onnx");
    for (QComboBox* box : choices)
        box->setCurrentIndex(std::min(1, box->count() - 1));
    lookAt(&dialog, "dialog-write-shards");
}
