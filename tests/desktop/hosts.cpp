// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the Hosts page with fake hosts.

#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>

#include <gtest/gtest.h>

#include "desktop/hosts/connection_table.h"
#include "desktop/hosts/connection_test_dialog.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/gpu_tile.h"
#include "desktop/hosts/host_card.h"
#include "desktop/hosts/host_details.h"
#include "desktop/hosts/host_dialog.h"
#include "desktop/hosts/host_key_dialog.h"
#include "desktop/hosts/host_problem_panel.h"
#include "desktop/hosts/host_words.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/hosts/keys_dialog.h"
#include "desktop/hosts/terminal.h"
#include "fake_hosts.h"
#include "support/child.h"
#include "support/model_check.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/settle.h"
#include "support/shown_words.h"
#include "widgets/field_row.h"
#include "widgets/inline_message.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

double thread_cpu_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class HostsTest : public testing::Test {
  protected:
    HostDetails* details() const { return test::child<HostDetails>(*page_); }
    HostsTest() : source_(std::make_unique<test::FakeHosts>()), hosts_(*source_) {
        widgets::Theme::instance().install(*qApp);
    }
    void TearDown() override { test::take_picture(page_.get()); }
    void open() {
        page_ = std::make_unique<HostsPage>(nullptr, std::move(source_));
        page_->resize(1200, 800);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
        ASSERT_TRUE(QTest::qWaitFor([this] { return list()->isLoaded() && list()->asking() == 0; }, kPatience));
    }
    HostList* list() { return page_->hosts(); }
    HostState state(const char* name) { return list()->find(QLatin1String(name))->state(); }
    bool probe(const char* name) {
        page_->choose(QLatin1String(name));
        list()->probe(QLatin1String(name));
        return QTest::qWaitFor([this] { return list()->asking() == 0; }, kPatience);
    }

    std::unique_ptr<test::FakeHosts> source_;
    test::FakeHosts& hosts_;
    std::unique_ptr<HostsPage> page_;
};

}  // namespace

TEST_F(HostsTest, WithoutHostsTheListSaysWhereTheyComeFrom) {
    open();
    ASSERT_EQ(page_->cards().size(), 1);
    EXPECT_EQ(state(kThisMachine), HostState::Ready) << "this machine must be probed without a request of the user";
    bool said = false;
    for (const QLabel* label : page_->findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text().startsWith(QStringLiteral("No hosts yet")));
    EXPECT_TRUE(said);
}

TEST_F(HostsTest, NothingIsAskedOverTheNetworkUnasked) {
    hosts_.add("gpu-a", 8);
    open();
    test::settle();
    EXPECT_EQ(state("gpu-a"), HostState::Unknown);
    EXPECT_EQ(hosts_.asked_at_once(), 0);
}

TEST_F(HostsTest, AProbeShowsWhatTheHostHas) {
    hosts_.add("gpu-a", 8, 94);
    open();
    QSignalSpy counted(page_.get(), &HostsPage::countChanged);
    page_->choose(QStringLiteral("gpu-a"));
    QTest::mouseClick(details()->probeButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return state("gpu-a") == HostState::InUse; }, kPatience));
    EXPECT_EQ(cardLine(*list()->find(QStringLiteral("gpu-a"))).toStdString(), "8 × H100 80GB HBM3  ·  NVLink");
    EXPECT_EQ(counted.last().at(0).toInt(), 1);
    EXPECT_EQ(linksLine(test::some_facts("x", 8)).toStdString(), "NVLink 18, 4 × 400 Gb/s IB");
    EXPECT_EQ(list()->find(QStringLiteral("gpu-a"))->hour.size(), 1u);
    EXPECT_FALSE(details()->problem()->isVisible());
    const auto tiles = details()->findChildren<GpuTile*>();
    ASSERT_EQ(tiles.size(), 8);
    EXPECT_TRUE(QTest::qWaitFor([&] { return tiles.last()->isVisible() && tiles.last()->height() >= 80; }, kPatience));
    EXPECT_TRUE(tiles.last()->accessibleName().contains(QStringLiteral("94 % busy")));
}

TEST_F(HostsTest, FiftyHostsAreAskedSideBySideAndTheWindowStaysAwake) {
    for (int i = 0; i < 50; ++i)
        hosts_.add("node-" + std::to_string(i), i % 3 == 0 ? 0 : 8).seconds = i % 10 == 9 ? 2 : 0.3;
    open();
    QTest::mouseClick(test::child<QPushButton>(*page_, QStringLiteral("Probe all")), Qt::LeftButton);
    // The processor time of the window between two iterations of the event loop, so that other load of the machine is
    // not counted. The limit is 50 ms (bench_hosts), and higher for debug builds.
    double longest = 0;
    int turns = 0;
    double before = thread_cpu_seconds();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const double now = thread_cpu_seconds();
            longest = std::max(longest, 1000 * (now - std::exchange(before, now)));
            ++turns;
            return list()->asking() == 0;
        },
        60000));
    EXPECT_GT(turns, 20);
    EXPECT_GT(hosts_.asked_at_once(), 10);
    EXPECT_LT(longest, 200) << "ms of work without a turn of the event loop";
    EXPECT_EQ(list()->connected(), 50);
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_->cards().size() == 1 + 33; }, kPatience));
    // If other hosts have GPUs, those without one are folded, and a click shows them.
    QTest::mouseClick(page_->foldedButton(), Qt::LeftButton);
    EXPECT_EQ(page_->cards().size(), 51);
}

TEST_F(HostsTest, ANewKeyIsShownAndTrustedByAClickOnly) {
    hosts_.add("gpu-b", 1).trusted = false;
    open();
    ASSERT_TRUE(probe("gpu-b"));
    EXPECT_EQ(state("gpu-b"), HostState::NewKey);
    auto* dialog = page_->findChild<HostKeyDialog*>();
    ASSERT_NE(dialog, nullptr) << "the dialog must open automatically";
    EXPECT_EQ(dialog->fingerprint().toStdString(), test::some_key('A').fingerprint());
    test::take_picture(dialog, "-dialog");
    // Enter is Cancel.
    QTest::keyClick(dialog, Qt::Key_Return);
    test::settle();
    EXPECT_TRUE(hosts_.trusted.empty());
    EXPECT_EQ(state("gpu-b"), HostState::NewKey);

    dialog = page_->showKey(QStringLiteral("gpu-b"));
    ASSERT_NE(dialog, nullptr);
    QTest::mouseClick(test::child<QPushButton>(*dialog, QStringLiteral("Trust and remember")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return state("gpu-b") == HostState::Ready; }, kPatience));
    EXPECT_EQ(hosts_.trusted, std::set<std::string>{"gpu-b"});
}

TEST_F(HostsTest, AKeyTakenOnceIsNotWritten) {
    hosts_.add("gpu-b", 1).trusted = false;
    open();
    ASSERT_TRUE(probe("gpu-b"));
    auto* dialog = page_->findChild<HostKeyDialog*>();
    ASSERT_NE(dialog, nullptr);
    QTest::mouseClick(test::child<QPushButton>(*dialog, QStringLiteral("This time only")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return state("gpu-b") == HostState::Ready; }, kPatience));
    EXPECT_TRUE(hosts_.trusted.empty());
}

TEST_F(HostsTest, OnlyTheKeyThatWasShownIsTrusted) {
    test::FakeHosts::Host& host = hosts_.add("gpu-b", 1);
    host.trusted = false;
    open();
    ASSERT_TRUE(probe("gpu-b"));
    auto* dialog = page_->findChild<HostKeyDialog*>();
    ASSERT_NE(dialog, nullptr);
    // While the dialog is open, the host is probed again and shows another key.
    host.key = test::some_key('B');
    list()->probe(QStringLiteral("gpu-b"), true);
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
            return list()->asking() == 0 &&
                   list()->find(QStringLiteral("gpu-b"))->answer->key->offered == test::some_key('B');
        },
        kPatience));
    QSignalSpy complaint(list(), &HostList::complaint);
    QTest::mouseClick(test::child<QPushButton>(*dialog, QStringLiteral("Trust and remember")), Qt::LeftButton);
    ASSERT_EQ(complaint.size(), 1);
    EXPECT_TRUE(
        complaint.first().first().toString().contains(QStringLiteral("no key was trusted"), Qt::CaseInsensitive));
    EXPECT_EQ(list()->asking(), 0);
    EXPECT_TRUE(hosts_.trusted.empty());
    EXPECT_EQ(state("gpu-b"), HostState::NewKey);
}

TEST_F(HostsTest, APasswordIsOverwrittenWhenItsQuestionIsOver) {
    auto dialog = std::make_unique<SecretDialog>(remote::SecretQuestion{});
    QTest::keyClicks(test::child<QLineEdit>(*dialog), QStringLiteral("hunter2"));
    const QString shared = test::child<QLineEdit>(*dialog)->text();  // the same memory as the field's
    EXPECT_EQ(dialog->answer().secret.view(), "hunter2");
    dialog.reset();
    EXPECT_EQ(shared, QString(7, QChar(0)));
}

TEST_F(HostsTest, AKeyOfAnotherTypeIsNoFirstContact) {
    remote::HostKeyReport report{"gpu-b", "10.0.0.7", test::some_key('A'), {}, "/home/me/.ssh/known_hosts", false};
    remote::HostKey rsa = test::some_key('C');
    rsa.type = "ssh-rsa";
    report.recorded.push_back({"/home/me/.ssh/known_hosts", 14, rsa});
    HostKeyDialog dialog(QStringLiteral("gpu-b"), report);
    EXPECT_EQ(dialog.windowTitle().toStdString(), "gpu-b shows a key of another type");
    QString words;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        words += label->text() + QLatin1Char('\n');
    EXPECT_TRUE(words.contains(QStringLiteral("by its RSA key (line 14 of /home/me/.ssh/known_hosts)")))
        << words.toStdString();
    EXPECT_FALSE(words.contains(QStringLiteral("have not been connected")));
    test::take_picture(&dialog, "-other-type");
}

TEST_F(HostsTest, AChangedKeyHasNoWayOn) {
    test::FakeHosts::Host& host = hosts_.add("lab-03", 1);
    host.recorded.push_back({"/home/me/.ssh/known_hosts", 14, test::some_key('C')});
    open();
    ASSERT_TRUE(probe("lab-03"));
    EXPECT_EQ(state("lab-03"), HostState::Blocked);
    EXPECT_EQ(page_->findChild<HostKeyDialog*>(), nullptr);
    EXPECT_EQ(page_->showKey(QStringLiteral("lab-03")), nullptr);
    HostProblemPanel* panel = details()->problem();
    ASSERT_TRUE(panel->isVisible());
    EXPECT_EQ(panel->title().toStdString(), "lab-03 shows a different host key");
    const QString report = panel->report();
    EXPECT_TRUE(report.contains(QString::fromStdString(test::some_key('A').fingerprint()))) << report.toStdString();
    EXPECT_TRUE(report.contains(QString::fromStdString(test::some_key('C').fingerprint())));
    EXPECT_TRUE(report.contains(QStringLiteral("line 14 of /home/me/.ssh/known_hosts")));
    EXPECT_NE(test::child<QPushButton>(*panel, QStringLiteral("Keep blocked")), nullptr);
    const remote::HostKeyReport shown = *list()->find(QStringLiteral("lab-03"))->answer->key;
    list()->trust(QStringLiteral("lab-03"), shown);
    list()->acceptOnce(QStringLiteral("lab-03"), shown);
    test::settle();
    EXPECT_EQ(state("lab-03"), HostState::Blocked);
    EXPECT_TRUE(hosts_.trusted.empty());
}

TEST_F(HostsTest, WhatIsWrongNamesTheLayerAndTheCommand) {
    test::FakeHosts::Host& host = hosts_.add("far", 0);
    host.cause = "timed_out";
    host.problem = "bastion did not answer within 5 s: is it switched on, and is this network the right one?";
    host.command = "ssh -v bastion";
    test::FakeHosts::Host& late = hosts_.add("late", 0);
    late.facts.clock_offset_s = 7.5;
    late.facts.disk_free_bytes = 1'000'000;
    open();
    ASSERT_TRUE(probe("far"));
    EXPECT_EQ(state("far"), HostState::Failed);
    EXPECT_EQ(details()->problem()->title().toStdString(), "far: No answer");
    EXPECT_TRUE(details()->problem()->report().contains(QStringLiteral("ssh -v bastion")));
    ASSERT_TRUE(probe("late"));
    EXPECT_EQ(state("late"), HostState::Ready);
    const QVector<Diagnosis> found = diagnose(*list()->find(QStringLiteral("late")));
    ASSERT_EQ(found.size(), 2);
    EXPECT_TRUE(found[0].title.contains(QStringLiteral("+7.50 s"))) << found[0].title.toStdString();
    EXPECT_FALSE(found[0].error);
    EXPECT_TRUE(found[1].text.contains(QStringLiteral("1.0 MB"))) << found[1].text.toStdString();
}

TEST_F(HostsTest, AProbeIsCalledOff) {
    hosts_.add("slow", 0).seconds = 60;
    open();
    page_->choose(QStringLiteral("slow"));
    QTest::mouseClick(details()->probeButton(), Qt::LeftButton);
    EXPECT_EQ(details()->probeButton()->text(), QStringLiteral("Cancel"));
    QTest::mouseClick(details()->probeButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return list()->asking() == 0; }, kPatience));
    EXPECT_EQ(state("slow"), HostState::Unknown);
    // Closing the window does not wait for a host, either.
    list()->probe(QStringLiteral("slow"));
    QElapsedTimer closing;
    closing.start();
    page_.reset();
    EXPECT_LT(closing.elapsed(), 5000);
}

TEST_F(HostsTest, AHostIsAddedChangedAndForgotten) {
    hosts_.add("gpu-a", 1);
    open();
    HostDialog* dialog = page_->editHost({});
    dialog->field(QStringLiteral("name"))->setFocus();
    QTest::keyClicks(dialog->field(QStringLiteral("name")), "gpu-a");
    QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
    EXPECT_FALSE(dialog->row(QStringLiteral("name"))->problem().isEmpty()) << "that name is taken";
    dialog->field(QStringLiteral("name"))->clear();
    QTest::keyClicks(dialog->field(QStringLiteral("name")), "gpu_c");
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return dialog->row(QStringLiteral("name"))->problem().contains(QStringLiteral("gpu-c")); }, kPatience))
        << dialog->row(QStringLiteral("name"))->problem().toStdString();
    dialog->field(QStringLiteral("name"))->clear();
    QTest::keyClicks(dialog->field(QStringLiteral("name")), "gpu-c");
    QTest::keyClicks(dialog->field(QStringLiteral("port")), "99999");
    EXPECT_FALSE(dialog->check());
    EXPECT_FALSE(dialog->row(QStringLiteral("port"))->problem().isEmpty());
    test::take_picture(dialog, "-dialog");
    dialog->field(QStringLiteral("port"))->clear();
    QTest::keyClicks(dialog->field(QStringLiteral("port")), "2222");
    QTest::keyClicks(dialog->field(QStringLiteral("address")), "10.0.0.9");
    QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_->chosen() == QLatin1String("gpu-c"); }, kPatience));
    EXPECT_EQ(list()->find(QStringLiteral("gpu-c"))->known.stored.port, 2222);

    page_->forget(QStringLiteral("gpu-c"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return list()->find(QStringLiteral("gpu-c")) == nullptr; }, kPatience));
    EXPECT_EQ(page_->chosen(), QLatin1String(kThisMachine));
    QPushButton* undo = nullptr;
    for (QPushButton* button : page_->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Undo"))
            undo = button;
    ASSERT_NE(undo, nullptr);
    QTest::mouseClick(undo, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return list()->find(QStringLiteral("gpu-c")) != nullptr; }, kPatience));
    EXPECT_EQ(list()->find(QStringLiteral("gpu-c"))->known.stored.address, "10.0.0.9");
}

TEST_F(HostsTest, KeysMoveChooseAndAsk) {
    hosts_.add("one", 1);
    hosts_.add("two", 1);
    open();
    page_->firstFocus()->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    EXPECT_EQ(page_->chosen(), QStringLiteral("one"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_P);
    ASSERT_TRUE(QTest::qWaitFor([this] { return state("one") == HostState::Ready; }, kPatience));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down, Qt::AltModifier);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !hosts_.moved.empty(); }, kPatience));
    EXPECT_EQ(hosts_.moved, (std::vector<std::string>{"two", "one"}));
    EXPECT_EQ(page_->cards().last()->name(), QStringLiteral("one"));
    for (const HostCard* card : page_->cards())
        EXPECT_FALSE(card->accessibleName().isEmpty());
}

TEST_F(HostsTest, PProbesWhileAButtonHasTheFocus) {
    hosts_.add("one", 1);
    open();
    page_->choose(QStringLiteral("one"));
    QPushButton* button = nullptr;
    for (QPushButton* each : page_->findChildren<QPushButton*>())
        if (each->isVisible() && each->text() == QStringLiteral("Add host"))
            button = each;
    ASSERT_NE(button, nullptr);
    button->setFocus();
    QTest::keyClick(button, Qt::Key_P);
    ASSERT_TRUE(QTest::qWaitFor([this] { return state("one") == HostState::Ready; }, kPatience));
}

TEST_F(HostsTest, AHostThatIsAddedIsProbedAndTold) {
    open();
    QSignalSpy listed(list(), &HostList::listed);
    HostDialog* dialog = page_->editHost({});
    QTest::keyClicks(dialog->field(QStringLiteral("name")), "gpu-d");
    QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return listed.count() > 0 && page_->chosen() == QLatin1String("gpu-d"); }, kPatience));
    EXPECT_EQ(qvariant_cast<HostListing>(listed.last().first()).hosts.size(), 1u);
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return list()->find(QStringLiteral("gpu-d"))->answer.has_value(); }, kPatience))
        << "must be shown without a request";
}

TEST_F(HostsTest, SecretsAreAskedOneAfterTheOther) {
    open();
    DialogAsker* asker = page_->asker();
    remote::SecretQuestion of_a, of_b;
    of_a.host = "a";
    of_a.user = "me";
    of_b.host = "b";
    of_b.attempt = 2;
    std::optional<remote::SecretAnswer> first, second;
    std::thread one([&] { first = asker->ask(of_a); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return asker->dialog() != nullptr; }, kPatience));
    std::thread two([&] { second = asker->ask(of_b); });
    QTest::keyClicks(test::child<QLineEdit>(*asker->dialog()), "geheim");
    EXPECT_EQ(test::child<QLineEdit>(*asker->dialog())->echoMode(), QLineEdit::Password);
    test::take_picture(asker->dialog(), "-dialog");
    QTest::keyClick(test::child<QLineEdit>(*asker->dialog()), Qt::Key_Return);
    one.join();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->secret.view(), "geheim");
    EXPECT_FALSE(first->remember);
    ASSERT_TRUE(QTest::qWaitFor([&] { return asker->dialog() != nullptr && asker->dialog()->isVisible(); }, kPatience));
    asker->dismiss(QStringLiteral("b"));
    two.join();
    EXPECT_FALSE(second.has_value());
}

TEST_F(HostsTest, WhoReachesWhomIsATable) {
    hosts_.add("gpu-a", 1);
    hosts_.add("gpu-b", 1);
    hosts_.add("lab", 1);
    hosts_.unreachable = {"lab"};
    open();
    page_->hosts()->probeAll();
    ASSERT_TRUE(QTest::qWaitFor([this] { return list()->asking() == 0; }, kPatience));
    ConnectionTestDialog* dialog = page_->showReach();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::child<QPushButton>(*dialog, QStringLiteral("Ask again"))->isEnabled(); }, kPatience));
    auto* table = qobject_cast<ConnectionTable*>(test::child<QTableView>(*dialog)->model());
    test::check_model<ConnectionTable>(*table);
    EXPECT_EQ(test::read_all(*table), 16);
    EXPECT_EQ(table->text().count(QLatin1Char('\n')), 11);
    test::child<QPushButton>(*dialog, QStringLiteral("Ask again"))->click();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::child<QPushButton>(*dialog, QStringLiteral("Ask again"))->isEnabled(); }, kPatience));
    ASSERT_EQ(table->rowCount(), 4) << "this machine and those that are connected";
    const auto tip = [table](int row, int column) {
        return table->index(row, column).data(Qt::ToolTipRole).toString();
    };
    EXPECT_TRUE(tip(1, 2).contains(QStringLiteral("gpu-a reaches gpu-b at 10.0.0.1")));
    EXPECT_TRUE(tip(1, 3).contains(QStringLiteral("does not reach lab")));
    EXPECT_TRUE(test::shown_words(*dialog).contains(QStringLiteral("6 of 12 connections work")))
        << test::shown_words(*dialog).toStdString();
    test::take_picture(dialog, "-dialog");
}

TEST_F(HostsTest, TheDialogOfKeysSaysWhatOpensWhat) {
    open();
    KeysDialog dialog(list());
    dialog.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<QTreeWidget>(dialog)->topLevelItemCount() == 1; }, kPatience));
    test::take_picture(&dialog, "-dialog");
    EXPECT_EQ(test::child<QTreeWidget>(dialog)->topLevelItem(0)->text(3), QStringLiteral("gpu-a"));
    EXPECT_TRUE(test::shown_words(dialog).contains(QStringLiteral("/run/agent")));
}

TEST(Terminal, TakesTheCommandAsWordsOfItsOwn) {
    const QByteArray before = qgetenv("PATH");
    qunsetenv("TERMINAL");
    qputenv("PATH", "/nowhere");
    EXPECT_TRUE(terminal_command({QStringLiteral("ssh")}).program.isEmpty());
    EXPECT_FALSE(open_terminal({QStringLiteral("ssh")}).isEmpty());
    qputenv("PATH", before);
    qputenv("TERMINAL", "/bin/echo");
    const TerminalCommand command =
        terminal_command({QStringLiteral("ssh"), QStringLiteral("--"), QStringLiteral("a b; rm")});
    EXPECT_EQ(command.program, QStringLiteral("/bin/echo"));
    EXPECT_EQ(command.arguments.last(), QStringLiteral("a b; rm"));
    qunsetenv("TERMINAL");
}
