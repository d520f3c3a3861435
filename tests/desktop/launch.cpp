// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the page of checks before a start, with a scripted job, and from the wizard with the real checks of this
// machine.

#include <functional>

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include "desktop/hosts/host_dialog.h"
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/launch/check_table.h"
#include "desktop/launch/check_view.h"
#include "desktop/launch/launch_page.h"
#include "desktop/shell/settings_page.h"
#include "desktop/wizard/hardware_page.h"
#include "fake_hosts.h"
#include "run/paths.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/says.h"
#include "support/settle.h"
#include "support/shown_words.h"
#include "widgets/inline_message.h"
#include "widgets/label.h"
#include "widgets/segmented_control.h"
#include "wizard_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class ScriptedJob : public LaunchJob {
  public:
    explicit ScriptedJob(QStringList hosts) : hosts_(std::move(hosts)) {}
    std::vector<std::pair<std::string, std::string>> checks() const override {
        std::vector<std::pair<std::string, std::string>> all{
            {"reach", "Reach and log in"}, {"data", "Data readable"}, {"port", "Rendezvous port"}};
        if (with_memory)
            all.emplace_back("memory", "Memory fits");
        return all;
    }
    QStringList hosts() const override { return hosts_; }
    void check() override {
        ++checked_times;
        if (on_check)
            on_check();
    }
    void start(bool anyway) override {
        started_anyway = anyway;
        ++started_times;
        emit started(QStringLiteral("/runs/r1"));
    }
    void cancel() override {
        if (cancelled != nullptr)
            *cancelled = true;
        QTimer::singleShot(takes_back_ms, this, [this] { emit ended(left_behind); });
    }
    void say(const char* check, const QString& host, CheckState state, const char* text = "") {
        remote::CheckResult result;
        result.check = check;
        result.host = host.toStdString();
        result.state = state;
        result.text = Message::verbatim(text);
        result.command = "true";
        emit checkChanged(result);
    }
    void pass() {
        for (const QString& host : hosts_)
            for (const auto& [check, title] : checks())
                say(check.c_str(), host, CheckState::passed, "fine");
        emit checked(true);
    }

    std::function<void()> on_check;
    bool with_memory = false;
    bool* cancelled = nullptr;
    int takes_back_ms = 0;
    QStringList left_behind;
    bool started_anyway = false;
    bool isQueued() const { return queued_; }
    int checked_times = 0;
    int started_times = 0;

  private:
    QStringList hosts_;
};

/// Takes pictures in both themes.
void take_pictures(QWidget* window, const char* light, const char* dark) {
    test::take_picture(window, light);
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
    test::take_picture(window, dark);
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Light);
}

class LaunchPageTest : public testing::Test {
  protected:
    CheckTable* checks() const { return test::child<CheckTable>(page_); }
    LaunchPageTest() {
        widgets::Theme::instance().install(*qApp);
        page_.resize(1200, 760);
        page_.show();
    }
    ScriptedJob* open(const QStringList& hosts) {
        LaunchRequest request;
        request.name = QStringLiteral("my-run");
        for (const QString& host : hosts)
            request.hosts << remote::HostShare{host.toStdString(), 2};
        request.recipe_file = QString::fromStdString((folder_.path() / "my-run.yaml").string());
        std::ofstream(request.recipe_file.toStdString()) << "name: my-run\n";
        auto* job = new ScriptedJob(hosts);
        job->cancelled = &cancelled_;
        EXPECT_TRUE(QTest::qWaitForWindowActive(&page_));
        page_.open(request, job);
        return job;
    }
    QPushButton* way(const QString& words) {
        for (auto* button : page_.findChildren<QPushButton*>())
            if (button->text().startsWith(words))
                return button;
        return nullptr;
    }

    test::TemporaryFolder folder_;
    bool cancelled_ = false;
    EngineLink engine_;
    LaunchPage page_{&engine_};
};

}  // namespace

TEST_F(LaunchPageTest, StartsByItselfWhenEverythingPasses) {
    QSignalSpy launched(&page_, &LaunchPage::launched);
    ScriptedJob* job = open({QStringLiteral("a"), QStringLiteral("b")});
    EXPECT_EQ(page_.stage(), LaunchPage::Stage::Checking);
    EXPECT_EQ(checks()->count(CheckState::waiting), 6) << "all rows stand from the first moment";
    job->say("port", QStringLiteral("a"), CheckState::warning, "odd");
    job->pass();
    EXPECT_EQ(job->started_times, 1);
    EXPECT_FALSE(job->started_anyway);
    ASSERT_EQ(launched.count(), 1);
    EXPECT_EQ(launched.first().first().toString(), QStringLiteral("/runs/r1"));
}

TEST_F(LaunchPageTest, EveryStateHasItsWord) {
    ScriptedJob* job = open({QStringLiteral("gpu-a"), QStringLiteral("gpu-b"), QStringLiteral("gpu-c")});
    job->say("reach", QStringLiteral("gpu-a"), CheckState::passed, "0.04 s");
    job->say("reach", QStringLiteral("gpu-b"), CheckState::failed, "gpu-b refused the connection at port 22");
    job->say("reach", QStringLiteral("gpu-c"), CheckState::running, "connecting");
    job->say("data", QStringLiteral("gpu-a"), CheckState::warning, "gpu-a: 3 of 14 files are empty");
    job->say("data", QStringLiteral("gpu-b"), CheckState::skipped, "waits for what failed before it");
    QStringList words;
    for (const char* host : {"gpu-a", "gpu-b", "gpu-c"})
        for (const char* check : {"reach", "data"})
            words << checks()
                         ->indexOf(QLatin1String(check), QLatin1String(host))
                         .data(Qt::AccessibleTextRole)
                         .toString()
                         .section(QStringLiteral(": "), 1, 1)
                         .section(QLatin1Char(','), 0, 0);
    EXPECT_EQ(words, (QStringList{QStringLiteral("passed"), QStringLiteral("warning"), QStringLiteral("failed"),
                                  QStringLiteral("skipped"), QStringLiteral("running"), QStringLiteral("waiting")}));
    take_pictures(&page_, "", "-dark");
}

TEST_F(LaunchPageTest, WithoutTheTickItWaitsForAPerson) {
    test::child<QCheckBox>(page_, QStringLiteral("As soon as all pass"))->setChecked(false);
    ScriptedJob* job = open({QStringLiteral("a")});
    job->pass();
    EXPECT_EQ(job->started_times, 0);
    EXPECT_NE(test::child<QPushButton>(page_, QStringLiteral("Start")), nullptr);
    page_.primaryAction();
    EXPECT_EQ(job->started_times, 1);
}

TEST_F(LaunchPageTest, ItIsQueuedInsteadOfStartedAndNothingStartsBesideALiveRunByItself) {
    page_.setBusy(QStringLiteral("gpt2-x"));
    ScriptedJob* job = open({QStringLiteral("localhost")});
    job->pass();
    EXPECT_EQ(job->started_times, 0);
    EXPECT_TRUE(page_.message()->isVisible());
    EXPECT_NE(test::child<QPushButton>(page_, QStringLiteral("Start")), nullptr);
    take_pictures(&page_, "-busy", "-busy-dark");
    QTest::mouseClick(test::child<widgets::SegmentedControl>(page_)->button(1), Qt::LeftButton);
    EXPECT_NE(test::child<QPushButton>(page_, QStringLiteral("Queue it")), nullptr);
    EXPECT_EQ(job->started_times, 0) << "choosing must not start the run";
    page_.primaryAction();
    EXPECT_EQ(job->started_times, 1);
    EXPECT_TRUE(job->isQueued());
    // The choice is remembered, and a queued run starts automatically.
    job = open({QStringLiteral("localhost")});
    EXPECT_TRUE(job->isQueued());
    job->pass();
    EXPECT_EQ(job->started_times, 1);
}

TEST_F(LaunchPageTest, AFailureIsExplainedWithWaysOut) {
    QSignalSpy hosts(&page_, &LaunchPage::hostsChanged);
    ScriptedJob* job = open({QStringLiteral("a"), QStringLiteral("b")});
    for (const char* check : {"reach", "port"})
        for (const char* host : {"a", "b"})
            job->say(check, QLatin1String(host), CheckState::passed);
    job->say("data", QStringLiteral("a"), CheckState::passed);
    job->say("data", QStringLiteral("b"), CheckState::failed, "/data/books is not there");
    emit job->checked(false);
    EXPECT_EQ(job->started_times, 0);
    EXPECT_EQ(checks()->done(), 6);
    EXPECT_TRUE(test::shown_words(page_).contains(QStringLiteral("Data readable on b")));
    EXPECT_NE(test::child<QLabel>(page_, QStringLiteral("/data/books is not there")), nullptr);
    take_pictures(&page_, "", "-dark");
    EXPECT_TRUE(checks()->report().contains(QStringLiteral("Data readable  b  failed: /data/books is not there")));
    // Failed checks offer ways to correct the launch.
    QPushButton* out = way(QStringLiteral("Leave b out: 2 ranks"));
    ASSERT_NE(out, nullptr);
    ASSERT_NE(way(QStringLiteral("Choose other data")), nullptr);
    QTest::mouseClick(out, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return hosts.count() == 1; }, kPatience));
    EXPECT_TRUE(cancelled_);
    EXPECT_EQ(hosts.first().first().value<QVector<remote::HostShare>>().size(), 1);
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "my-run.yaml"))
        << "the file written for this launch must be removed";
}

TEST_F(LaunchPageTest, StartAnywayStartsOrSaysThatItCannot) {
    const auto open_with_memory = [&] {
        auto* job = new ScriptedJob({QStringLiteral("a")});
        job->with_memory = true;
        LaunchRequest request;
        request.hosts << remote::HostShare{"a", 2};
        request.recipe_file = QStringLiteral("my-run.yaml");
        page_.open(request, job);
        return job;
    };
    ScriptedJob* job = open_with_memory();
    job->say("reach", QStringLiteral("a"), CheckState::passed);
    job->say("data", QStringLiteral("a"), CheckState::failed, "/data/books is not there");
    job->say("memory", QStringLiteral("a"), CheckState::failed, "needs 90 GiB");
    job->say("port", QStringLiteral("a"), CheckState::passed);
    emit job->checked(false);
    EXPECT_NE(test::child<QPushButton>(page_, QStringLiteral("Cannot be started: show why")), nullptr);
    test::child<CheckView>(page_)->setCurrentIndex(checks()->index(0, 0));
    QTest::mouseClick(test::child<QPushButton>(page_, QStringLiteral("Cannot be started: show why")), Qt::LeftButton);
    EXPECT_EQ(job->started_times, 0);
    EXPECT_NE(test::child<QLabel>(page_, QStringLiteral("/data/books is not there")), nullptr);
    EXPECT_NE(way(QStringLiteral("Choose other data")), nullptr);
    // A forecast does not prevent the start.
    job = open_with_memory();
    job->say("reach", QStringLiteral("a"), CheckState::passed);
    job->say("data", QStringLiteral("a"), CheckState::passed);
    job->say("port", QStringLiteral("a"), CheckState::passed);
    job->say("memory", QStringLiteral("a"), CheckState::failed, "needs 90 GiB");
    emit job->checked(false);
    EXPECT_NE(test::child<QPushButton>(page_, QStringLiteral("Start anyway")), nullptr);
    QTest::mouseClick(test::child<QPushButton>(page_, QStringLiteral("Start anyway")), Qt::LeftButton);
    auto* menu = test::child<QMenu>(page_);
    ASSERT_TRUE(menu->isVisible());
    menu->actions().last()->trigger();
    menu->hide();
    EXPECT_EQ(job->started_times, 1);
    EXPECT_TRUE(job->started_anyway);
}

TEST_F(LaunchPageTest, FailedChecksRunAgainByKey) {
    ScriptedJob* job = open({QStringLiteral("a")});
    job->say("port", QStringLiteral("a"), CheckState::failed, "29500 is in use");
    emit job->checked(false);
    test::child<CheckView>(page_)->setFocus();
    QTest::keyClick(test::child<CheckView>(page_), Qt::Key_R);
    EXPECT_EQ(job->checked_times, 2);
    EXPECT_EQ(page_.stage(), LaunchPage::Stage::Checking);
}

TEST_F(LaunchPageTest, EscapeLeavesNothingBehind) {
    QSignalSpy left(&page_, &LaunchPage::left);
    ScriptedJob* job = open({QStringLiteral("a")});
    job->takes_back_ms = 50;
    test::child<CheckView>(page_)->setFocus();
    QTest::keyClick(test::child<CheckView>(page_), Qt::Key_Escape);
    EXPECT_EQ(page_.stage(), LaunchPage::Stage::Cancelling) << "hosts may be slow, the window is not";
    EXPECT_EQ(left.count(), 0);
    EXPECT_FALSE(test::child<QPushButton>(page_, QStringLiteral("Cancelling…"))->isEnabled());
    ASSERT_TRUE(QTest::qWaitFor([&] { return left.count() == 1; }, kPatience));
    EXPECT_TRUE(cancelled_);
    EXPECT_FALSE(left.first().first().toString().isEmpty());
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "my-run.yaml"));
    EXPECT_EQ(page_.stage(), LaunchPage::Stage::Idle);
}

TEST_F(LaunchPageTest, TheEndOfACancelledLaunchLeavesTheNextOneAlone) {
    QSignalSpy left(&page_, &LaunchPage::left);
    ScriptedJob* first = open({QStringLiteral("a")});
    first->takes_back_ms = 200;
    QTest::mouseClick(test::child<QPushButton>(page_, QStringLiteral("Cancel")), Qt::LeftButton);
    ASSERT_EQ(page_.stage(), LaunchPage::Stage::Cancelling);
    // Goes back, and launches again before the first launch has removed all its files.
    LaunchRequest again;
    again.name = QStringLiteral("again");
    again.hosts << remote::HostShare{"b", 1};
    again.recipe_file = QString::fromStdString((folder_.path() / "again.yaml").string());
    std::ofstream(again.recipe_file.toStdString()) << "name: again\n";
    page_.open(again, new ScriptedJob({QStringLiteral("b")}));
    const LaunchPage::Stage stage = page_.stage();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !std::filesystem::exists(folder_.path() / "my-run.yaml"); }, kPatience))
        << "the files of the first launch must be removed";
    test::settle();
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "again.yaml"));
    EXPECT_EQ(page_.stage(), stage);
    EXPECT_EQ(left.count(), 0);
}

TEST_F(LaunchPageTest, WhatCouldNotBeTakenBackIsNamed) {
    QSignalSpy left(&page_, &LaunchPage::left);
    ScriptedJob* job = open({QStringLiteral("a")});
    job->left_behind = {QStringLiteral("a could not be cleaned up")};
    QTest::mouseClick(test::child<QPushButton>(page_, QStringLiteral("Cancel")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return left.count() == 1; }, kPatience));
    EXPECT_TRUE(left.first().first().toString().contains(QStringLiteral("a could not be cleaned up")));
    EXPECT_FALSE(left.first().first().toString().contains(QStringLiteral("nothing is left")));
}

TEST_F(LaunchPageTest, ManyHostsAreASummaryAndThoseThatFail) {
    QStringList hosts;
    for (int i = 0; i < 64; ++i)
        hosts << QStringLiteral("node-%1").arg(i);
    ScriptedJob* job = open(hosts);
    EXPECT_EQ(checks()->columnCount(), 2);
    for (const QString& host : hosts)
        job->say("reach", host, host == QLatin1String("node-7") ? CheckState::failed : CheckState::passed);
    ASSERT_EQ(checks()->columnCount(), 3);
    EXPECT_EQ(checks()->headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("node-7"));
    take_pictures(&page_, "", "-dark");
    EXPECT_EQ(checks()->index(0, 1).data().toString(), QStringLiteral("passed on 63 of 64"));
}

using LaunchTest = test::WizardFixture;

TEST_F(LaunchTest, MissingDataIsFoundBeforeAnythingStarts) {
    open(cpu());
    fakeEngine("echo '{\"run_id\":\"r1\",\"path\":\"/runs/r1\"}'");
    ::setenv("TRAINYARD_WORKER", "/bin/true", 1);
    LaunchRequest request;
    request.name = QStringLiteral("x");
    request.recipe_file = QString::fromStdString(file("x.yaml"));
    request.words = QStringList{request.recipe_file};
    std::ofstream(request.recipe_file.toStdString())
        << "name: x\nmodel: {n_layer: 2, n_head: 2, n_embd: 32, n_positions: 32}\n"
        << "data: {path: /nowhere/at/all, sequence_length: 32}\ntraining: {steps: 4, batch_size: 2}\n";
    open_launch(window_->context(), request);
    LaunchPage* page = window_->page<LaunchPage>();
    EXPECT_EQ(window_->currentPage(), page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->stage() == LaunchPage::Stage::Checked; }, kPatience));
    EXPECT_EQ(test::child<CheckTable>(*page)->count(CheckState::failed), 1)
        << test::child<CheckTable>(*page)->report().toStdString();
    EXPECT_EQ(test::child<CheckTable>(*page)->result(QStringLiteral("data"), QStringLiteral("localhost"))->state,
              CheckState::failed);
    EXPECT_TRUE(test::shown_words(*page).contains(QStringLiteral("/nowhere/at/all")))
        << test::shown_words(*page).toStdString();
    EXPECT_TRUE(arguments().empty()) << "nothing was started";
    test::take_picture(window_.get());
    ::unsetenv("TRAINYARD_WORKER");
}

TEST_F(LaunchTest, AnotherFolderForRunsIsChosenWhereTheCheckFailed) {
    // As in a terminal: the environment names the folder.
    ::setenv("TRAINYARD_RUNS", file("text.txt").c_str(), 1);
    open(cpu());
    fakeEngine("echo '{\"run_id\":\"r1\",\"path\":\"/runs/r1\"}'");
    LaunchRequest request;
    request.name = QStringLiteral("x");
    request.program = QStringList{QStringLiteral("/bin/true")};
    request.words = QStringList{QStringLiteral("--no_python"), QStringLiteral("/bin/true")};
    open_launch(window_->context(), request);
    LaunchPage* page = window_->page<LaunchPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->stage() == LaunchPage::Stage::Checked; }, kPatience));
    EXPECT_NE(test::child<QPushButton>(*page, QStringLiteral("Cannot be started: show why")), nullptr);
    QPushButton* out = nullptr;
    for (auto* way : page->findChildren<QPushButton*>())
        out = way->text().startsWith(QStringLiteral("Choose another folder for runs")) ? way : out;
    ASSERT_NE(out, nullptr) << test::shown_words(*page).toStdString();
    QTest::mouseClick(out, Qt::LeftButton);
    SettingsPage* settings = window_->page<SettingsPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == settings; }, kPatience));
    auto* field = qobject_cast<QLineEdit*>(settings->firstFocus());
    ASSERT_NE(field, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return field->hasFocus(); }, kPatience));
    EXPECT_FALSE(field->isReadOnly());
    press(Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, QString::fromStdString(file("elsewhere")));
    press(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return run::runs_root() == folder_.path() / "elsewhere"; }, kPatience));
    // Back to the checks, which look at the new folder and start.
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    press(Qt::Key_Left, Qt::AltModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == page; }, kPatience));
    test::child<CheckView>(*page)->setFocus();
    press(Qt::Key_R);
    EXPECT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, kPatience))
        << test::child<CheckTable>(*page)->report().toStdString();
}

TEST_F(LaunchTest, AScriptGoesThroughTheSamePage) {
    open(cpu());
    fakeEngine("echo '{\"run_id\":\"r2\",\"path\":\"/runs/r2\"}'");
    std::ofstream(file("train.sh")) << "#!/bin/sh\nexit 0\n";
    std::filesystem::permissions(file("train.sh"), std::filesystem::perms::owner_all);
    draft().setPurpose(Purpose::Script);
    draft().setScript(
        {ScriptChoice::Kind::Program, QString::fromStdString(file("train.sh")), QStringLiteral("--lr 1")});
    settle();
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    QTest::mouseClick(wizard()->launchButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, kPatience))
        << test::child<CheckTable>(*window_->page<LaunchPage>())->report().toStdString();
    const std::vector<std::string> words = arguments();
    ASSERT_GE(words.size(), 5u);
    EXPECT_EQ((std::vector<std::string>(words.end() - 4, words.end())),
              (std::vector<std::string>{"--no_python", file("train.sh"), "--lr", "1"}));
    // Escape does not lead back to checks that are done.
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() != window_->page<LaunchPage>(); }, kPatience));
    press(Qt::Key_Escape);
    EXPECT_NE(window_->currentPage(), window_->page<LaunchPage>());
    EXPECT_NE(window_->currentPage(), window_->page<WizardPage>());
}

TEST_F(LaunchTest, HostsAreTickedWithTheirRanks) {
    open(cpu());
    test::FakeHosts hosts;
    hosts.add("gpu-a", 8);
    hosts.add("gpu-b", 8).known.stored.max_gpus = 4;
    hosts.add("old", 8).known.stored.use = false;
    HostListing listing = hosts.list();
    for (const char* name : {"gpu-a", "gpu-b"}) {
        HostAnswer answer;
        answer.result.facts = test::some_facts(name, 8);
        listing.last[name] = answer;
    }
    wizard()->setListing(listing);
    wizard()->showStep(Step::Hardware);
    auto* page = qobject_cast<HardwarePage*>(wizard()->page(Step::Hardware));
    ASSERT_NE(page, nullptr);
    EXPECT_EQ(page->line(QStringLiteral("old")).tick, nullptr) << "not to be used";
    EXPECT_TRUE(page->line(QStringLiteral("localhost")).tick->isChecked());
    page->line(QStringLiteral("gpu-a")).tick->click();
    page->line(QStringLiteral("gpu-b")).tick->click();
    page->line(QStringLiteral("localhost")).tick->click();
    EXPECT_EQ(draft().hosts(), (QVector<remote::HostShare>{{"gpu-a", 8}, {"gpu-b", 4}}));
    EXPECT_EQ(draft().ranks(), 12);
    page->line(QStringLiteral("gpu-a")).ranks->setValue(2);
    EXPECT_EQ(draft().ranks(), 6);
    EXPECT_TRUE(draft().commandWords(QStringLiteral("r.yaml")).contains(QStringLiteral("gpu-a:2,gpu-b:4")));
    settle();
    test::take_picture(window_.get());
    const QByteArray stored = draft().store();
    test::child<QPushButton>(*wizard(), QStringLiteral("Undo"))->click();
    EXPECT_EQ(draft().ranks(), 12) << "a tick is undone like everything else";
    ASSERT_TRUE(draft().restore(stored));
    EXPECT_EQ(draft().ranks(), 6);
    settle();
}

TEST_F(LaunchTest, AHostThatIsAddedAppearsOnTheOpenHardwarePageAndIsProbed) {
    auto source = std::make_unique<test::FakeHosts>();
    source->add("gpu-a", 8);
    machine_ = cpu();
    preferences_ = std::make_unique<Preferences>();
    window_ = std::make_unique<MainWindow>(preferences_.get(), Options{});
    window_->context()->setMachine(machine_);
    window_->context()->setHostSource(std::move(source));
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
    window_->open({QStringLiteral("new"), {}});
    settle();
    wizard()->showStep(Step::Hardware);
    auto* page = qobject_cast<HardwarePage*>(wizard()->page(Step::Hardware));
    // As a user does: the button of the page, the dialog, and back.
    emit page->hostsRequested();
    HostsPage* hosts = window_->page<HostsPage>();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return window_->currentPage() == hosts && hosts->hosts()->isLoaded(); }, kPatience));
    HostDialog* dialog = hosts->editHost({});
    QTest::keyClicks(dialog->field(QStringLiteral("name")), "gpu-d");
    QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->line(QStringLiteral("gpu-d")).tick != nullptr; }, kPatience));
    ASSERT_NE(page->line(QStringLiteral("gpu-a")).tick, nullptr);
    window_->open({QStringLiteral("new"), {}});
    EXPECT_TRUE(page->line(QStringLiteral("gpu-d")).tick->isVisible());
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return !page->line(QStringLiteral("gpu-d")).facts->fullText().contains(QStringLiteral("not asked")); },
        kPatience))
        << page->line(QStringLiteral("gpu-d")).facts->fullText().toStdString();
    // Forgotten, it goes from the page, too.
    hosts->hosts()->forget(QStringLiteral("gpu-d"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return page->line(QStringLiteral("gpu-d")).tick == nullptr; }, kPatience));
}

TEST_F(LaunchTest, TheButtonEndsItsLaunchingEvenIfAFileIsSavedMeanwhile) {
    open(cpu());
    goodRecipe();
    fakeEngine("echo '{\"run_id\":\"r1\",\"path\":\"/runs/r1\"}'");
    const QString words = wizard()->launchButton()->text();
    QTest::mouseClick(wizard()->launchButton(), Qt::LeftButton);
    EXPECT_EQ(wizard()->launchButton()->text(), QStringLiteral("Launching…"));
    // Before the answer of the launch is there, another file is asked for.
    wizard()->save(QString::fromStdString(file("saved.yaml")));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return wizard()->launchButton()->text() == words && wizard()->launchButton()->isEnabled(); }, kPatience))
        << wizard()->launchButton()->text().toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return std::filesystem::exists(file("saved.yaml")); }, kPatience));
    EXPECT_EQ(window_->currentPage(), window_->page<LaunchPage>());
}
