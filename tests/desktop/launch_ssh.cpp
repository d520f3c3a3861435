// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of launches from the window on test hosts with real sshd: from the wizard to the curve, cancelled at any
// moment, and with a host that has each of the problems that the checks detect.

#include <fstream>
#include <sstream>

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>

#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/launch/check_table.h"
#include "desktop/launch/check_view.h"
#include "desktop/launch/fetch_dialog.h"
#include "desktop/launch/launch_page.h"
#include "run/mirror.h"
#include "run/state.h"
#include "ssh_window.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/shown_words.h"
#include "widgets/inline_message.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

namespace fs = std::filesystem;

constexpr int kCopy = 180000;  // ms; the engine to a bare host

class LaunchOverSsh : public test::SshWindow {
  protected:
    CheckTable* checks() { return test::child<CheckTable>(*page()); }
    /// Writes the shell script `text` to a file on a host, to be used instead of the engine.
    std::string script(const std::string& host, const std::string& text) {
        const fs::path file = hosts_->home_of(host) / "engine.sh";
        std::ofstream(file) << "#!/bin/sh\n" << text << '\n';
        fs::permissions(file, fs::perms::all);
        return hosts_->named(host).home + "/engine.sh";
    }

    LaunchPage* page() { return window_->page<LaunchPage>(); }
    LaunchRequest request() {
        LaunchRequest all;
        all.name = QStringLiteral("far");
        all.recipe_file = QString::fromStdString(file("copy.yaml"));
        std::ofstream(file("copy.yaml")) << content(file("recipe.yaml"));
        all.words = QStringList{QStringLiteral("--cpu"), all.recipe_file};
        all.use_cpu = true;
        for (const test::TestHost& host : hosts_->all())
            all.hosts << remote::HostShare{host.name, 1};
        all.ranks = static_cast<int>(all.hosts.size());
        return all;
    }
    CheckState stateOf(const QString& check, const char* host) {
        const remote::CheckResult* result = checks()->result(check, QLatin1String(host));
        return result == nullptr ? CheckState::skipped : result->state;
    }
    /// `check@host` of all that failed.
    std::vector<std::string> failures() {
        std::vector<std::string> all;
        for (const auto& [check, title] : remote::host_checks())
            for (const test::TestHost& host : hosts_->all())
                if (stateOf(QString::fromStdString(check), host.name.c_str()) == CheckState::failed)
                    all.push_back(check + "@" + host.name);
        return all;
    }
    std::string report() { return checks()->report().toStdString(); }

    std::string programsOn(const std::string& host) {
        std::istringstream lines(hosts_->run(host, {"ps", "-eo", "args"}));
        std::string ours;
        for (std::string line; std::getline(lines, line);)
            if (line.find("bin/trainyard") != std::string::npos)
                ours += line + '\n';
        return ours;
    }
    void expectNothingLeft(const char* when) {
        for (const test::TestHost& host : hosts_->all()) {
            EXPECT_TRUE(QTest::qWaitFor([&] { return programsOn(host.name).empty(); }, 20000))
                << when << ", " << host.name << ": " << programsOn(host.name);
            const fs::path home = hosts_->home_of(host.name);
            EXPECT_TRUE(!fs::exists(home / "runs") || fs::is_empty(home / "runs")) << when << ", " << host.name;
            const fs::path incoming = home / ".cache/trainyard/store/incoming";
            EXPECT_TRUE(!fs::exists(incoming) || fs::is_empty(incoming)) << when << ", " << host.name;
        }
        const fs::path here = folder_.path() / "TRAINYARD_RUNS";
        EXPECT_TRUE(!fs::exists(here) || fs::is_empty(here)) << when;
        EXPECT_FALSE(fs::exists(file("copy.yaml"))) << when;
    }
};

}  // namespace

TEST_F(LaunchOverSsh, FromTheWizardToTheCurveAndBack) {
    ASSERT_NO_FATAL_FAILURE(up(2, 1));
    if (IsSkipped())
        return;
    load("recipe.yaml");
    draft().answer(QStringLiteral("machine_type"), QStringLiteral("MULTI_CPU"));
    draft().setHosts({{"host1", 2}, {"host2", 1}});
    settle();
    QStringList copies;
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    QTest::mouseClick(wizard()->launchButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == page(); }, kPatience))
        << wizard()->message()->copyText().toStdString();
    EXPECT_EQ(checks()->count(CheckState::waiting), checks()->all());
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const QModelIndex cell = checks()->indexOf(QStringLiteral("engine"), QStringLiteral("host2"));
            if (const QString words = cell.data().toString(); words.startsWith(QStringLiteral("copying")))
                copies << words;
            return launched.count() == 1 || page()->stage() == LaunchPage::Stage::Checked;
        },
        kCopy));
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, kPatience)) << report();
    EXPECT_GT(copies.size(), 1) << "installing the engine on the bare host must report its progress";

    auto* run = qobject_cast<RunPage*>(window_->currentPage());
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->record()->series("train/loss").size() > 5; }, kPatience));
    ASSERT_TRUE(run->record()->state().has_value());
    EXPECT_EQ(run->record()->state()->ranks.size(), 3u);
    EXPECT_TRUE(run->record()->state()->mirror.has_value());
    test::take_picture(window_.get());
    run->record()->ask(run::StopRequest());
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->record()->stage() == RunStage::Stopped; }, kPatience))
        << run->record()->state()->message;
    for (const test::TestHost& host : hosts_->all())
        EXPECT_EQ(programsOn(host.name), "")
            << "Stopped must not be shown before all processes have ended: " << host.name;
    EXPECT_TRUE(fs::exists(run->record()->paths().logs() / "preflight.txt")) << "the report stays with the run";

    // Its checkpoint is on the other host; it is downloaded, and the wizard can resume from it.
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->record()->lastCheckpoint() > 0; }, kPatience));
    const std::string checkpoint = "checkpoint_" + std::to_string(run->record()->lastCheckpoint());
    const fs::path here = run->record()->paths().checkpoints() / checkpoint;
    EXPECT_FALSE(fs::exists(here / "model.safetensors"));
    emit test::child<RunHeader>(*run)->resumeRequested();
    // The program's own record of the copy is read first.
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->findChild<FetchDialog*>() != nullptr; }, kPatience));
    auto* fetch = window_->findChild<FetchDialog*>();
    QTest::mouseClick(fetch->cancelButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->findChild<FetchDialog*>() == nullptr; }, kPatience));
    EXPECT_FALSE(fs::exists(here / "model.safetensors"));
    EXPECT_FALSE(fs::exists(run->record()->paths().checkpoints() / ("." + checkpoint + ".part")));
    emit test::child<RunHeader>(*run)->resumeRequested();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == wizard(); }, kPatience))
        << window_->findChild<FetchDialog*>()->words()->text().toStdString();
    EXPECT_TRUE(fs::exists(here / "manifest.json") && fs::exists(here / "model.safetensors")) << here;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return draft()
                .recipeValue(QStringLiteral("checkpoint.resume_from"))
                .contains(QStringLiteral("checkpoint_"));
        },
        kPatience))
        << draft().recipeValue(QStringLiteral("checkpoint.resume_from")).toStdString();
}

TEST_F(LaunchOverSsh, APasswordIsAskedOnceAndTheCopyIsKeptCurrentWithIt) {
    ASSERT_NO_FATAL_FAILURE(up(1));
    if (IsSkipped())
        return;
    hosts_->set("host1", {"PubkeyAuthentication no"});
    open_launch(window_->context(), request());
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->findChild<SecretDialog*>() != nullptr; }, kPatience)) << report();
    auto* dialog = window_->findChild<SecretDialog*>();
    QTest::keyClicks(test::child<QLineEdit>(*dialog), QString::fromStdString(hosts_->password()));
    QTest::keyClick(test::child<QLineEdit>(*dialog), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->stage() == LaunchPage::Stage::Started; }, kPatience)) << report();
    auto* run = qobject_cast<RunPage*>(window_->currentPage());
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->record()->series("train/loss").size() > 5; }, kPatience))
        << (run->record()->state() && run->record()->state()->mirror ? run->record()->state()->mirror->message : "");
    const auto mirror = run::read_mirror(run->record()->paths());
    ASSERT_TRUE(mirror && mirror->process.pid > 1);
    for (const char* where : {"cmdline", "environ"})
        EXPECT_EQ(content("/proc/" + std::to_string(mirror->process.pid) + '/' + where).find(hosts_->password()),
                  std::string::npos)
            << where;
    run->record()->ask(run::StopRequest{.checkpoint = false});
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->record()->stage() == RunStage::Stopped; }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return programsOn("host1").empty(); }, 20000)) << programsOn("host1");
}

TEST_F(LaunchOverSsh, CalledOffAtAnyMomentItLeavesNothing) {
    ASSERT_NO_FATAL_FAILURE(up(2, 1));
    if (IsSkipped())
        return;
    QSignalSpy left(page(), &LaunchPage::left);
    const auto stage = [this](LaunchPage::Stage wanted) { return page()->stage() == wanted; };
    const std::vector<std::pair<const char*, std::function<bool()>>> moments{
        {"at once", [] { return true; }},
        {"while it connects", [&] { return stateOf(QStringLiteral("reach"), "host1") == CheckState::passed; }},
        {"while the engine is copied",
         [&] {
             return checks()
                 ->indexOf(QStringLiteral("engine"), QStringLiteral("host2"))
                 .data()
                 .toString()
                 .startsWith(QStringLiteral("copying"));
         }},
        {"while it starts", [&] { return stage(LaunchPage::Stage::Starting); }},
        {"when it has almost started",
         [&] {
             const fs::path runs = hosts_->home_of("host1") / "runs";
             return stage(LaunchPage::Stage::Starting) && fs::exists(runs) && !fs::is_empty(runs);
         }},
    };
    int called_off = 0;
    for (const auto& [when, reached] : moments) {
        open_launch(window_->context(), request());
        ASSERT_TRUE(QTest::qWaitFor([&] { return reached() || stage(LaunchPage::Stage::Started); }, kCopy))
            << when << '\n'
            << report();
        if (stage(LaunchPage::Stage::Started)) {
            // Too late: it runs, and is ended like any run.
            auto* run = qobject_cast<RunPage*>(window_->currentPage());
            ASSERT_NE(run, nullptr);
            ASSERT_TRUE(QTest::qWaitFor([&] { return run->record()->isLive(); }, kPatience));
            run->record()->ask(run::StopRequest{.checkpoint = false});
            ASSERT_TRUE(QTest::qWaitFor([&] { return run->record()->stage() == RunStage::Stopped; }, kPatience));
            ASSERT_TRUE(QTest::qWaitFor(
                [&] {
                    const auto mirror = run::read_mirror(run->record()->paths());
                    return mirror && mirror->complete;
                },
                kPatience));
            fs::remove_all(run->record()->paths().root());
            hosts_->run("host1", {"rm", "-rf", hosts_->named("host1").home + "/runs"});
            fs::remove(file("copy.yaml"));
            continue;
        }
        const int before = static_cast<int>(left.count());
        QTest::mouseClick(test::child<QPushButton>(*page(), QStringLiteral("Cancel")), Qt::LeftButton);
        EXPECT_TRUE(stage(LaunchPage::Stage::Cancelling)) << when << ": the window does not wait for the hosts";
        ASSERT_TRUE(QTest::qWaitFor([&] { return left.count() > before; }, kPatience)) << when;
        EXPECT_TRUE(left.last().first().toString().startsWith(QStringLiteral("Nothing was started"))) << when;
        ++called_off;
        expectNothingLeft(when);
    }
    EXPECT_GE(called_off, 3);
}

TEST_F(LaunchOverSsh, ABrokenHostFailsExactlyItsCheck) {
    ASSERT_NO_FATAL_FAILURE(up(2));
    if (IsSkipped())
        return;
    test::child<QCheckBox>(*page(), QStringLiteral("As soon as all pass"))->setChecked(false);
    const std::string home = hosts_->named("host2").home, engine = TRAINYARD_BIN_DIR "/trainyard";
    const auto root = [this](const char* host, std::vector<std::string> words) { hosts_->run(host, words, true); };
    struct Way {
        const char* what;
        std::vector<std::string> failing;
        std::function<void()> breaks, mends;
        std::vector<std::string> says;  ///< parts of the message or its suggested fix
        std::function<void(LaunchRequest&)> asks = {};
    };
    const std::vector<Way> ways{
        {"nothing", {}, [] {}, [] {}, {}},
        {"a closed port",
         {"reach@host2"},
         [&] { hosts_->stop_sshd("host2"); },
         [&] { hosts_->start_sshd("host2"); },
         {"host2"}},
        {"a key that is not accepted",
         {"reach@host2"},
         [&] {
             hosts_->set("host2", {"AuthorizedKeysFile none", "PasswordAuthentication no"});
         },
         [&] { hosts_->set("host2", {}); },
         {"host2", "key"}},
        {"an engine of another version",
         {"engine@host2"},
         [&] {
             engines({{"host2", script("host2",
                                       "if [ \"$1\" = probe ]; then sed -u 's/\"trainyard\":\"[^\"]*\"/"
                                       "\"trainyard\":\"0.0.9\"/' | exec " +
                                           engine + " \"$@\"; fi\nexec " + engine + " \"$@\"")}});
         },
         [&] { engines({}); },
         {"0.0.9", "same version"}},
        {"no engine where it should be",
         {"engine@host2"},
         [&] {
             engines({{"host2", "/nowhere/trainyard"}});
         },
         [&] { engines({}); },
         {"host2", "/nowhere/trainyard"}},
        {"a clock that is ten minutes ahead",
         {"clock@host2"},
         [&] {
             engines({{"host2", script("host2", engine + R"( "$@" | while IFS= read -r line; do
    case $line in *'"time":'*)
        rest=${line#*'"time":'}
        time=${rest%%[!0-9.]*}
        line=${line%%'"time":'*}'"time":'$((${time%%.*} + 600)).0${rest#"$time"};;
    esac
    printf '%s\n' "$line"
done)")}});
         },
         [&] { engines({}); },
         {"host2", "s ahead of", "time server"}},
        {"too little memory",
         {"memory@host2"},
         [&] {
             std::ofstream(hosts_->home_of("host2") / "meminfo")
                 << "MemTotal: 20000 kB\nMemAvailable: 10000 kB\nSwapTotal: 0 kB\n";
             root("host2", {"mount", "--bind", home + "/meminfo", "/proc/meminfo"});
         },
         [&] {
             root("host2", {"umount", "/proc/meminfo"});
         },
         {"machine has", "micro-batch"}},
        {"a full disk",
         {"disk@host2"},
         [&] {
             hosts_->run("host2", {"mkdir", "-p", home + "/runs"});
             root("host2", {"mount", "-t", "tmpfs", "-o", "size=1m,mode=777", "tmpfs", home + "/runs"});
         },
         [&] {
             root("host2", {"umount", home + "/runs"});
         },
         {"full", "make room"}},
        {"data that are not there",
         {"data@host2"},
         [&] {
             hosts_->run("host2", {"mv", home + "/text.txt", home + "/away"});
         },
         [&] {
             hosts_->run("host2", {"mv", home + "/away", home + "/text.txt"});
         },
         {"data.path", "text.txt"}},
        {"a folder for runs that cannot be written",
         {"output@host2"},
         [&] {
             hosts_->run("host2", {"mkdir", "-p", home + "/runs"});
             hosts_->run("host2", {"chmod", "555", home + "/runs"});
         },
         [&] {
             hosts_->run("host2", {"chmod", "755", home + "/runs"});
         },
         {"cannot be written"}},
        {"a port that is taken",
         {"port@host1"},
         [&] { hosts_->set("host1", {"Port 29876"}); },
         [&] { hosts_->set("host1", {}); },
         {"29876", "in use"},
         [](LaunchRequest& asked) { asked.words.prepend(QStringLiteral("--main_process_port=29876")); }},
        {"hosts that do not reach each other",
         {"network@host1", "network@host2"},
         [&] {
             root("host2", {"ip", "route", "add", "unreachable", hosts_->named("host1").address});
         },
         [&] {
             root("host2", {"ip", "route", "del", "unreachable", hosts_->named("host1").address});
         },
         {"does not reach", "open the ports"}},
        {"another host key than the one that was accepted",
         {"host_key@host2"},
         [&] { hosts_->new_host_key("host2"); },
         [] {},
         {"host2", "key"}},
    };
    for (const Way& way : ways) {
        way.breaks();
        LaunchRequest asked = request();
        if (way.asks)
            way.asks(asked);
        open_launch(window_->context(), asked);
        ASSERT_TRUE(QTest::qWaitFor([&] { return page()->stage() == LaunchPage::Stage::Checked; }, kPatience))
            << way.what;
        if (way.what == std::string("too little memory") || way.failing.empty())
            test::take_picture(window_.get(), way.failing.empty() ? "-passed" : "-failed");
        EXPECT_EQ(failures(), way.failing) << way.what << '\n' << report();
        EXPECT_FALSE(page()->message()->isVisible()) << way.what << ": " << page()->message()->copyText().toStdString();
        if (!way.failing.empty()) {
            // The texts that a user reads: title, message and suggested fix.
            const std::string& at = way.failing.front();
            const remote::CheckResult* cell = checks()->result(QString::fromStdString(at.substr(0, at.find('@'))),
                                                               QString::fromStdString(at.substr(at.find('@') + 1)));
            ASSERT_NE(cell, nullptr);
            const std::string words = test::shown_words(*page()).toStdString() + '\n' + cell->mend.text();
            for (const std::string& part : way.says)
                EXPECT_NE(words.find(part), std::string::npos) << way.what << ": " << part << " in\n" << words;
            EXPECT_NE(words.find("What you can do"), std::string::npos) << way.what;
        }
        QSignalSpy left(page(), &LaunchPage::left);
        QTest::mouseClick(test::child<QPushButton>(*page(), QStringLiteral("Cancel")), Qt::LeftButton);
        ASSERT_TRUE(QTest::qWaitFor([&] { return left.count() == 1; }, kPatience)) << way.what;
        way.mends();
    }
    for (const test::TestHost& host : hosts_->all())
        EXPECT_TRUE(QTest::qWaitFor([&] { return programsOn(host.name).empty(); }, 20000)) << programsOn(host.name);
}
