// SPDX-License-Identifier: GPL-3.0-or-later
// What the program does to the computer around it: the lock against sleep, the tray and the task bar on a private bus,
// the types of files in the desktop entry, reports of crashes, newer versions.
#include <atomic>
#include <csignal>
#include <fstream>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusUnixFileDescriptor>
#include <QDBusVariant>
#include <QDBusVirtualObject>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTest>
#include <QXmlStreamReader>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "desktop/shell/action_collection.h"
#include "desktop/shell/crash_reports.h"
#include "desktop/shell/open_target.h"
#include "desktop/shell/report_dialog.h"
#include "desktop/shell/settings_page.h"
#include "desktop/shell/start_notes.h"
#include "desktop/shell/view_state.h"
#include "fabricated_runs.h"
#include "run/state.h"
#include "support/child.h"
#include "support/fake_service.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/settle.h"
#include "support/window_fixture.h"
#include "widgets/field_row.h"
#include "widgets/inline_message.h"

using namespace trainyard;
using namespace trainyard::desktop;
using run::Status;

namespace {

/// A D-Bus daemon for this test alone.
class PrivateBus {
  public:
    PrivateBus() {
        daemon_.start(QStringLiteral("dbus-daemon"),
                      {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address")});
        if (daemon_.waitForStarted() && daemon_.waitForReadyRead())
            address_ = QString::fromLatin1(daemon_.readLine()).trimmed();
    }
    ~PrivateBus() {
        daemon_.kill();
        daemon_.waitForFinished();
    }
    PrivateBus(const PrivateBus&) = delete;
    PrivateBus& operator=(const PrivateBus&) = delete;
    const QString& address() const { return address_; }

  private:
    QProcess daemon_;
    QString address_;
};

/// systemd-logind as far as a lock goes: the lock is the write end of a pipe.
class Login : public QDBusVirtualObject {
  public:
    explicit Login(const QString& bus) : connection_(QDBusConnection::connectToBus(bus, QStringLiteral("login"))) {
        connection_.registerVirtualObject(QStringLiteral("/org/freedesktop/login1"), this);
        connection_.registerService(QStringLiteral("org.freedesktop.login1"));
    }
    ~Login() override { QDBusConnection::disconnectFromBus(QStringLiteral("login")); }
    QString introspect(const QString&) const override { return {}; }
    bool handleMessage(const QDBusMessage& message, const QDBusConnection& connection) override {
        if (message.member() != QLatin1String("Inhibit"))
            return false;
        asked_ << message.arguments();
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
            return false;
        reader_ = ends[0];
        const QDBusUnixFileDescriptor lock(ends[1]);
        ::close(ends[1]);
        return connection.send(message.createReply(QVariant::fromValue(lock)));
    }
    const QList<QVariantList>& asked() const { return asked_; }
    /// The other end was closed.
    bool isReleased() const {
        char byte = 0;
        return reader_ >= 0 && ::read(reader_, &byte, 1) == 0;
    }

  private:
    QDBusConnection connection_;
    QList<QVariantList> asked_;
    int reader_ = -1;
};

/// The tray of a desktop: takes the icon of the program.
class TrayHost : public QDBusVirtualObject {
    Q_OBJECT
  public:
    explicit TrayHost(const QString& bus) : connection_(QDBusConnection::connectToBus(bus, QStringLiteral("tray"))) {
        connection_.registerVirtualObject(QStringLiteral("/StatusNotifierWatcher"), this);
        connection_.registerService(QStringLiteral("org.kde.StatusNotifierWatcher"));
        connection_.connect({}, {}, QStringLiteral("com.canonical.Unity.LauncherEntry"), QStringLiteral("Update"), this,
                            SLOT(updateTaskbar(QString, QVariantMap)));
    }
    ~TrayHost() override { QDBusConnection::disconnectFromBus(QStringLiteral("tray")); }
    QString introspect(const QString&) const override {
        return QStringLiteral(
            "<interface name=\"org.kde.StatusNotifierWatcher\">"
            "<property name=\"IsStatusNotifierHostRegistered\" type=\"b\" access=\"read\"/>"
            "<method name=\"RegisterStatusNotifierItem\"><arg type=\"s\" direction=\"in\"/></method>"
            "</interface>");
    }
    bool handleMessage(const QDBusMessage& message, const QDBusConnection& connection) override {
        if (message.member() == QLatin1String("Get"))
            return connection.send(message.createReply(QVariant::fromValue(QDBusVariant(QVariant::fromValue(true)))));
        if (message.member() != QLatin1String("RegisterStatusNotifierItem"))
            return false;
        item_ = message.service();
        return connection.send(message.createReply());
    }
    /// The bus name of the program; empty until its icon is there.
    const QString& item() const { return item_; }
    QDBusMessage call(const QString& path, const QString& interface, const QString& method,
                      const QVariantList& arguments) {
        QDBusMessage message = QDBusMessage::createMethodCall(item_, path, interface, method);
        message.setArguments(arguments);
        return connection_.call(message, QDBus::Block, 5000);
    }
    /// Entries of a menu of the icon: number and text.
    QList<std::pair<int, QString>> entries(int menu) {
        const QDBusMessage reply = call(QStringLiteral("/MenuBar"), QStringLiteral("com.canonical.dbusmenu"),
                                        QStringLiteral("GetLayout"), {menu, 1, QStringList()});
        QList<std::pair<int, QString>> found;
        if (reply.arguments().size() < 2)
            return found;
        const auto layout = reply.arguments()[1].value<QDBusArgument>();
        int id = 0;
        QVariantMap properties;
        layout.beginStructure();
        layout >> id >> properties;
        layout.beginArray();
        while (!layout.atEnd()) {
            QDBusVariant entry;
            layout >> entry;
            const auto one = entry.variant().value<QDBusArgument>();
            QVariantMap of_one;
            one.beginStructure();
            one >> id >> of_one;
            found.append({id, of_one.value(QStringLiteral("label")).toString()});
        }
        return found;
    }
    /// Updates of the task bar, the newest last: the desktop entry, its number and its progress.
    struct Update {
        QString entry;
        qlonglong count = 0;
        double progress = 0;
        bool is_visible = false;  ///< number and progress
    };
    const QList<Update>& updates() const { return updates_; }
    /// Waits for an entry whose text starts like this. Returns its number, or -1.
    int entry(const QString& start, int menu = 0) {
        int found = -1;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                for (const auto& [id, text] : entries(menu))
                    if (text.startsWith(start))
                        found = id;
                return found >= 0;
            },
            10'000))
            << start.toStdString();
        return found;
    }
    void choose(int entry) {
        call(QStringLiteral("/MenuBar"), QStringLiteral("com.canonical.dbusmenu"), QStringLiteral("Event"),
             {entry, QStringLiteral("clicked"), QVariant::fromValue(QDBusVariant(QVariant(QString()))), 0u});
    }

  private slots:
    void updateTaskbar(const QString& entry, const QVariantMap& values) {
        const auto shown = [&](const char* value) {
            return values.value(QLatin1String(value) + QStringLiteral("-visible")).toBool();
        };
        EXPECT_EQ(shown("count"), shown("progress"));
        updates_ << Update{entry, values.value(QStringLiteral("count")).toLongLong(),
                           values.value(QStringLiteral("progress")).toDouble(), shown("count")};
    }

  private:
    QDBusConnection connection_;
    QString item_;
    QList<Update> updates_;
};

const QString kListOfRuns = QStringLiteral("QTableView#Runs");

/// The real program with a private bus on a virtual display. A test controls it by support/hands while the tray
/// answers.
class TrayProgram {
  public:
    TrayProgram(const QString& bus, const std::filesystem::path& runs, bool closes_to_tray) {
        std::filesystem::create_directories(home_.path() / "trainyard");
        std::ofstream(home_.path() / "trainyard" / "desktop.ini")
            << "[appearance]\nclose_to_tray=" << (closes_to_tray ? "true" : "false") << "\n";
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"), bus);
        environment.insert(QStringLiteral("TRAINYARD_RUNS"), QString::fromStdString(runs.string()));
        for (const char* folder : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            environment.insert(QLatin1String(folder), QString::fromStdString(home_.path().string()));
        environment.insert(QStringLiteral("QT_PLUGIN_PATH"), QStringLiteral(TRAINYARD_HANDS_FOLDER));
        environment.insert(QStringLiteral("QT_QPA_GENERIC_PLUGINS"), QStringLiteral("hands"));
        environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
        environment.remove(QStringLiteral("XDG_RUNTIME_DIR"));
        process_.setProcessEnvironment(environment);
    }
    ~TrayProgram() {
        process_.closeWriteChannel();  // which ends a program that is left
        if (!waitForEnd()) {
            process_.kill();
            process_.waitForFinished();
        }
    }
    TrayProgram(const TrayProgram&) = delete;
    TrayProgram& operator=(const TrayProgram&) = delete;

    bool start() {
        process_.start(QStringLiteral("xvfb-run"),
                       {QStringLiteral("-a"),
                        QCoreApplication::applicationDirPath() + QStringLiteral("/../bin/trainyard-desktop")});
        return process_.waitForStarted();
    }
    /// Handles events meanwhile: the program calls the tray.
    QJsonValue ask(const QJsonArray& words) {
        process_.write(QJsonDocument(words).toJson(QJsonDocument::Compact) + '\n');
        if (!QTest::qWaitFor([this] { return process_.canReadLine(); }, kPatience))
            return QJsonValue::Undefined;
        return QJsonDocument::fromJson(process_.readLine()).array().first();
    }
    bool until(const QJsonArray& words, const QJsonValue& value) {
        return QTest::qWaitFor([&] { return ask(words) == value; }, kPatience);
    }
    bool waitForEnd() {
        return QTest::qWaitFor([this] { return process_.state() == QProcess::NotRunning; }, 20'000);
    }
    int exitCode() const { return process_.exitCode(); }
    std::string errors() { return process_.readAllStandardError().toStdString(); }

  private:
    test::TemporaryFolder home_;
    QProcess process_;
};

class MannersTest : public test::WindowFixture {
  protected:
    /// In both themes, where TRAINYARD_TEST_PICTURES names a folder.
    static void takePictures(QWidget* of, const char* name) {
        for (const auto theme : {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark}) {
            widgets::Theme::instance().setChoice(theme);
            test::take_picture(
                of, (std::string("-") + name + (theme == widgets::ThemeChoice::Light ? "-light" : "-dark")).c_str());
        }
    }
    ReportDialog* report() const {
        ReportDialog* found = nullptr;
        const auto shown = [&] {
            for (ReportDialog* dialog : window_->findChildren<ReportDialog*>())
                if (dialog->isVisible())
                    found = dialog;
            return found != nullptr;
        };
        return QTest::qWaitFor(shown) ? found : nullptr;
    }
    widgets::FieldRow* settingsRow(const char* label) const {
        for (auto* row : window_->currentPage()->findChildren<widgets::FieldRow*>())
            if (row->label() == QLatin1String(label))
                return row;
        return nullptr;
    }
    /// Whether the process has set a handler for the signal.
    static bool handles(qint64 process, int signal) {
        std::ifstream status("/proc/" + std::to_string(process) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("SigCgt:"))
                return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
        return false;
    }

  protected:
};

}  // namespace

TEST_F(MannersTest, TheComputerStaysAwakeWhileALocalRunTrains) {
    const PrivateBus bus;
    ASSERT_FALSE(bus.address().isEmpty()) << "dbus-daemon";
    ::setenv("DBUS_SYSTEM_BUS_ADDRESS", qPrintable(bus.address()), 1);
    Login login(bus.address());
    const auto ended = test::fabricate(folder_.path(), {.name = "ended", .status = Status::finished});
    open();
    EXPECT_TRUE(login.asked().isEmpty()) << "nothing trains";
    const auto run = test::fabricate(folder_.path(), {.name = "one", .status = Status::running});
    ASSERT_TRUE(QTest::qWaitFor([&] { return login.asked().size() == 1; }, 10'000));
    EXPECT_EQ(login.asked().front().value(0), QStringLiteral("sleep:idle"));
    EXPECT_EQ(login.asked().front().value(3), QStringLiteral("block"));
    EXPECT_FALSE(login.isReleased());
    // The setting acts at once.
    window_->open({QLatin1String(SettingsPage::kKey), {}});
    QCheckBox* setting = nullptr;
    for (auto* row : window_->currentPage()->findChildren<widgets::FieldRow*>())
        if (row->label() == QLatin1String("Sleep of this computer"))
            setting = qobject_cast<QCheckBox*>(row->editor());
    ASSERT_NE(setting, nullptr);
    EXPECT_TRUE(setting->isChecked());
    setting->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return login.isReleased(); }));
    setting->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return login.asked().size() == 2; }));
    std::filesystem::remove_all(run);
    EXPECT_TRUE(QTest::qWaitFor([&] { return login.isReleased(); }, 10'000)) << "the run is over";
    window_.reset();
    ::unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
}

TEST_F(MannersTest, TheDesktopEntryNamesFilesThatTheProgramOpens) {
    std::ifstream entry(TRAINYARD_SOURCE_DIR "/packaging/trainyard.desktop");
    QStringList types;
    for (std::string line; std::getline(entry, line);)
        if (line.starts_with("MimeType="))
            types = QString::fromStdString(line.substr(9)).split(QLatin1Char(';'), Qt::SkipEmptyParts);
    ASSERT_GE(types.size(), 4);
    EXPECT_FALSE(types.join(QLatin1Char(' ')).contains(QStringLiteral("yaml"))) << "not every YAML file is ours";
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/packaging/trainyard-mime.xml"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    QMap<QString, QString> globs;
    QString type;
    for (QXmlStreamReader xml(&file); !xml.atEnd();)
        if (xml.readNextStartElement() || xml.isStartElement()) {
            if (xml.name() == QLatin1String("mime-type"))
                type = xml.attributes().value(QLatin1String("type")).toString();
            if (xml.name() == QLatin1String("glob"))
                globs.insert(type, xml.attributes().value(QLatin1String("pattern")).toString());
        }
    const QMap<QString, std::pair<QString, OpenTarget::Kind>> kinds{
        {QStringLiteral("application/x-tfevents"),
         {QStringLiteral("events.out.tfevents.1.host"), OpenTarget::Kind::Logs}},
        {QStringLiteral("application/x-safetensors"),
         {QStringLiteral("model.safetensors"), OpenTarget::Kind::Checkpoint}},
        {QStringLiteral("application/x-pytorch-trace"),
         {QStringLiteral("rank0.pt.trace.json"), OpenTarget::Kind::Trace}},
        {QStringLiteral("application/x-wandb"), {QStringLiteral("run-abc.wandb"), OpenTarget::Kind::Logs}}};
    for (const QString& one : types) {
        if (one == QLatin1String("inode/directory"))
            continue;
        ASSERT_TRUE(kinds.contains(one)) << one.toStdString();
        const auto& [name, kind] = kinds[one];
        const QString pattern = QRegularExpression::wildcardToRegularExpression(globs.value(one));
        EXPECT_TRUE(QRegularExpression(pattern).match(name).hasMatch()) << one.toStdString();
        const std::filesystem::path path = folder_.path() / name.toStdString();
        const std::string empty_weights("\x02\0\0\0\0\0\0\0{}", 10);
        std::ofstream(path) << (kind == OpenTarget::Kind::Trace        ? "{\"traceEvents\": []}"
                                : kind == OpenTarget::Kind::Checkpoint ? empty_weights
                                                                       : std::string());
        EXPECT_EQ(look_at(QString::fromStdString(path.string())).kind, kind) << name.toStdString();
    }
}

TEST_F(MannersTest, ClosingTheWindowEndsTheProgramUnlessItStaysInTheTray) {
    test::fabricate(folder_.path(), {.name = "ended", .status = Status::finished});
    for (const bool stays : {false, true}) {
        SCOPED_TRACE(stays);
        const PrivateBus bus;
        ASSERT_FALSE(bus.address().isEmpty()) << "dbus-daemon";
        TrayHost tray(bus.address());
        TrayProgram program(bus.address(), folder_.path(), stays);
        ASSERT_TRUE(program.start());
        ASSERT_TRUE(QTest::qWaitFor([&] { return !tray.item().isEmpty(); }, 30'000)) << program.errors();
        ASSERT_TRUE(program.until({QStringLiteral("seen"), kListOfRuns}, true)) << program.errors();
        EXPECT_EQ(program.ask({QStringLiteral("close"), kListOfRuns}), true);
        if (!stays) {
            EXPECT_TRUE(program.waitForEnd()) << "the icon in the tray must not keep a program without a window";
            continue;
        }
        ASSERT_TRUE(program.until({QStringLiteral("seen"), kListOfRuns}, false)) << "hidden";
        tray.choose(tray.entry(QStringLiteral("Open Trainyard")));
        ASSERT_TRUE(program.until({QStringLiteral("seen"), kListOfRuns}, true)) << "shown again";
        EXPECT_EQ(program.ask({QStringLiteral("close"), kListOfRuns}), true);
        ASSERT_TRUE(program.until({QStringLiteral("seen"), kListOfRuns}, false));
        tray.choose(tray.entry(QStringLiteral("Quit")));
        EXPECT_TRUE(program.waitForEnd()) << "a hidden window does not keep the program";
    }
}

TEST_F(MannersTest, TheTrayListsActiveRunsAndEndsTheProgram) {
    const PrivateBus bus;
    ASSERT_FALSE(bus.address().isEmpty()) << "dbus-daemon";
    TrayHost tray(bus.address());
    test::fabricate(folder_.path(), {.name = "llama", .status = Status::running, .step = 250, .of = 1000});
    test::fabricate(folder_.path(), {.name = "ended", .status = Status::finished});
    TrayProgram program(bus.address(), folder_.path(), true);
    ASSERT_TRUE(program.start()) << "xvfb-run";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !tray.item().isEmpty(); }, 30'000)) << program.errors();
    const int run = tray.entry(QStringLiteral("llama"));
    for (const auto& [id, text] : tray.entries(0)) {
        EXPECT_FALSE(text.startsWith(QStringLiteral("ended"))) << "only active runs";
        if (id == run) {
            EXPECT_TRUE(text.contains(QStringLiteral("25\u00A0%"))) << text.toStdString();
        }
    }
    EXPECT_GE(tray.entry(QStringLiteral("Stop"), run), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !tray.updates().isEmpty(); }, 10'000)) << "the task bar";
    EXPECT_EQ(tray.updates().last().entry, QStringLiteral("application://trainyard.desktop"));
    EXPECT_EQ(tray.updates().last().count, 1);
    EXPECT_NEAR(tray.updates().last().progress, 0.25, 0.001);
    EXPECT_TRUE(tray.updates().last().is_visible);
    // A second active run counts in both.
    test::fabricate(folder_.path(), {.name = "second", .status = Status::running, .step = 750, .of = 1000});
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            const auto& last = tray.updates().last();
            return last.count == 2 && std::abs(last.progress - 0.5) < 0.001;
        },
        10'000));
    tray.choose(tray.entry(QStringLiteral("Quit")));
    EXPECT_TRUE(program.waitForEnd());
    EXPECT_EQ(program.exitCode(), 0);
    EXPECT_FALSE(tray.updates().last().is_visible) << "a program that ended has no progress";
}

TEST_F(MannersTest, ACrashIsOfferedAtTheNextStartAndNothingIsSent) {
    QDir crashes(stateFolder() + QStringLiteral("/crashes"));
    crashes.removeRecursively();
    const std::filesystem::path secret = folder_.path() / "secret-project";
    {
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HF_TOKEN"), QStringLiteral("hf_secret"));
        program.setProcessEnvironment(environment);
        program.start(QCoreApplication::applicationDirPath() + QStringLiteral("/../bin/trainyard-desktop"),
                      {QString::fromStdString(secret.string())});
        ASSERT_TRUE(program.waitForStarted());
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return handles(program.processId(), SIGSEGV) || program.state() == QProcess::NotRunning; },
            kPatience));
        ::kill(static_cast<pid_t>(program.processId()), SIGSEGV);
        ASSERT_TRUE(program.waitForFinished());
        EXPECT_EQ(program.exitStatus(), QProcess::CrashExit) << "it still dies of the signal";
    }
    ASSERT_EQ(crashes.entryList(QDir::Files).size(), 1);
    // The folders of modules, which may have the user's name, are in the file alone.
    std::ofstream(crashes.filePath(crashes.entryList(QDir::Files).first()).toStdString(), std::ios::app)
        << "/home/the-account/my programs/libfoo.so(+0x12) [0x1234]\nthe-account/libbar.so(+0x1)[0x2]\n\x1b[31mred\n";

    open();
    widgets::InlineMessage* note = window_->notes()->crashNote();
    ASSERT_TRUE(QTest::qWaitFor([&] { return note->isVisible(); }));
    EXPECT_TRUE(note->title().startsWith(QStringLiteral("Trainyard ended unexpectedly on")))
        << note->title().toStdString();
    takePictures(window_.get(), "note");
    test::child<QPushButton>(*note, QStringLiteral("Show the report…"))->click();
    ReportDialog* dialog = report();
    ASSERT_NE(dialog, nullptr);
    takePictures(dialog, "report");
    const QString text = dialog->text()->toPlainText();
    for (const char* part :
         {"Trainyard: ", "Qt: ", "System: ", "Signal: SIGSEGV", "Calls, newest first:", "libfoo.so(+0x12)"})
        EXPECT_TRUE(text.contains(QLatin1String(part))) << part << " in " << text.toStdString();
    for (const char* part : {"hf_secret", "secret-project", "the-account", "/home", "\x1b"})
        EXPECT_FALSE(text.contains(QLatin1String(part))) << part << " in " << text.toStdString();
    test::child<QPushButton>(*dialog, QStringLiteral("Copy"))->click();
    EXPECT_EQ(QApplication::clipboard()->text(), text);
    dialog->close();
    EXPECT_FALSE(note->isVisible());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !unseen_crash(); }));

    // The next start says nothing, and Report a problem still has it.
    open();
    ASSERT_TRUE(window_->runCommand(QStringLiteral("window.report_problem")));
    dialog = report();
    ASSERT_NE(dialog, nullptr);
    EXPECT_FALSE(window_->notes()->crashNote()->isVisible());
    EXPECT_TRUE(dialog->text()->toPlainText().contains(QStringLiteral("Last crash: ")));
    EXPECT_TRUE(dialog->text()->toPlainText().contains(QStringLiteral("Signal: SIGSEGV")));
    EXPECT_TRUE(dialog->text()->toPlainText().contains(QStringLiteral("Engine: ")));
    dialog->close();
    crashes.removeRecursively();
}

TEST_F(MannersTest, ANewerVersionIsLookedForOnlyIfTheUserWantsIt) {
    std::atomic<int> kind = 0;
    test::FakeService service([&](const test::FakeService::Request&) -> test::FakeService::Answer {
        if (kind == 1)
            return {.status = 302, .body = {}, .headers = "Location: http://127.0.0.1:1/\r\n"};
        if (kind == 2)
            return {.body = std::string(1 << 20, 'x')};
        return {.body = R"({"tag_name": "v99.1.0", "html_url": "https://example.org/releases/99.1.0"})"};
    });
    open();
    EXPECT_FALSE(window_->notes()->versionNote()->isVisible());
    EXPECT_TRUE(service.requests().empty());
    window_->open({QLatin1String(SettingsPage::kKey), {}});
    widgets::FieldRow* row = settingsRow("Address to ask");
    ASSERT_NE(row, nullptr);
    auto* address = qobject_cast<QLineEdit*>(row->editor());
    auto* wanted = qobject_cast<QCheckBox*>(settingsRow("Check")->editor());
    ASSERT_NE(address, nullptr);
    ASSERT_NE(wanted, nullptr);
    EXPECT_FALSE(wanted->isChecked());
    wanted->click();
    EXPECT_TRUE(row->problem().startsWith(QStringLiteral("Write the address"))) << row->problem().toStdString();
    test::settle();
    for (QWidget* at = row; at != nullptr; at = at->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(at))
            scroll->ensureWidgetVisible(row);
    takePictures(window_.get(), "settings");
    auto* ask = test::child<QPushButton>(*row, QStringLiteral("Ask now"));
    const auto ask_at = [&](const QString& text) {
        address->setText(text);
        ask->click();
    };
    ask_at(QStringLiteral("http://example.org/latest"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return row->problem().contains(QStringLiteral("is not an https address")); }))
        << row->problem().toStdString();
    const QString local = QString::fromStdString(service.address() + "/latest");
    for (const auto& [answer, problem] : {std::pair(1, "status 302"), {2, "larger than 64 KiB"}}) {
        kind = answer;
        ask_at(local);
        EXPECT_TRUE(QTest::qWaitFor([&] { return row->problem().contains(QLatin1String(problem)); }, 10'000))
            << row->problem().toStdString();
    }
    kind = 0;
    ask_at(local);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            for (const QLabel* label : window_->currentPage()->findChildren<QLabel*>())
                if (label->text() == QStringLiteral("Trainyard 99.1.0 is available."))
                    return label->isVisible();
            return false;
        },
        10'000));
    EXPECT_EQ(row->problem(), QString());
    for (const auto& request : service.requests()) {
        EXPECT_EQ(request.method, "GET");
        EXPECT_EQ(request.path, "/latest") << "without a version or an identifier";
        EXPECT_EQ(request.body, "");
        EXPECT_FALSE(request.headers.contains("cookie"));
        EXPECT_EQ(request.headers.at("user-agent"), "trainyard");
    }
    const std::size_t before = service.requests().size();

    // The next start asks once, and the one after it not within a day.
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->notes()->versionNote()->isVisible(); }, 10'000));
    EXPECT_EQ(window_->notes()->versionNote()->title(), QStringLiteral("Trainyard 99.1.0 is available"));
    takePictures(window_.get(), "version");
    EXPECT_EQ(service.requests().size(), before + 1);
    open();
    EXPECT_EQ(service.requests().size(), before + 1);
    // Off again: never asked.
    preferences_->setLooksForVersions(false);
    preferences_->setVersionAskedAt(0);
    open();
    EXPECT_EQ(service.requests().size(), before + 1);
    preferences_->setVersionAddress({});
}

#include "manners.moc"
