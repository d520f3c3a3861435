// SPDX-License-Identifier: GPL-3.0-or-later
// What the program does to the computer around it: the lock against sleep on a private bus, the types of files in the
// desktop entry.
#include <fstream>

#include <QApplication>
#include <QCheckBox>
#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusUnixFileDescriptor>
#include <QDBusVariant>
#include <QDBusVirtualObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "desktop/main_window.h"
#include "desktop/open_target.h"
#include "desktop/preferences.h"
#include "desktop/runs/run_store.h"
#include "desktop/settings_page.h"
#include "fabricated_runs.h"
#include "run/state.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/field_row.h"
#include "widgets/theme.h"

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
  public:
    explicit TrayHost(const QString& bus) : connection_(QDBusConnection::connectToBus(bus, QStringLiteral("tray"))) {
        connection_.registerVirtualObject(QStringLiteral("/StatusNotifierWatcher"), this);
        connection_.registerService(QStringLiteral("org.kde.StatusNotifierWatcher"));
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
    void choose(int entry) {
        call(QStringLiteral("/MenuBar"), QStringLiteral("com.canonical.dbusmenu"), QStringLiteral("Event"),
             {entry, QStringLiteral("clicked"), QVariant::fromValue(QDBusVariant(QVariant(QString()))), 0u});
    }

  private:
    QDBusConnection connection_;
    QString item_;
};

class MannersTest : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", folder_.path().c_str(), 1);
        widgets::Theme::instance().install(*qApp);
    }
    void open() {
        preferences_ = std::make_unique<Preferences>();
        window_ = std::make_unique<MainWindow>(preferences_.get(), Options{});
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
        window_->begin();
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->store()->isLoaded(); }));
    }
    test::ViewsFolder views_;
    test::TemporaryFolder folder_;
    std::unique_ptr<Preferences> preferences_;
    std::unique_ptr<MainWindow> window_;
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

TEST_F(MannersTest, TheTrayListsActiveRunsAndEndsTheProgram) {
    const PrivateBus bus;
    ASSERT_FALSE(bus.address().isEmpty()) << "dbus-daemon";
    TrayHost tray(bus.address());
    test::fabricate(folder_.path(), {.name = "llama", .status = Status::running});
    test::fabricate(folder_.path(), {.name = "ended", .status = Status::finished});
    const test::TemporaryFolder home;
    std::filesystem::create_directories(home.path() / "trainyard");
    std::ofstream(home.path() / "trainyard" / "desktop.ini") << "[appearance]\nclose_to_tray=true\n";
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"), bus.address());
    environment.insert(QStringLiteral("TRAINYARD_RUNS"), QString::fromStdString(folder_.path().string()));
    for (const char* folder : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        environment.insert(QLatin1String(folder), QString::fromStdString(home.path().string()));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    environment.remove(QStringLiteral("XDG_RUNTIME_DIR"));
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral("xvfb-run"), {QStringLiteral("-a"), QCoreApplication::applicationDirPath() +
                                                                         QStringLiteral("/../bin/trainyard-desktop")});
    ASSERT_TRUE(program.waitForStarted()) << "xvfb-run";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !tray.item().isEmpty(); }, 30'000))
        << program.readAllStandardError().toStdString();
    const auto entry = [&](int menu, const QString& start) {
        int found = -1;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                for (const auto& [id, text] : tray.entries(menu))
                    if (text.startsWith(start))
                        found = id;
                return found >= 0;
            },
            10'000))
            << start.toStdString();
        return found;
    };
    const int run = entry(0, QStringLiteral("llama"));
    for (const auto& [id, text] : tray.entries(0)) {
        EXPECT_FALSE(text.startsWith(QStringLiteral("ended"))) << "only active runs";
        if (id == run) {
            EXPECT_TRUE(text.contains(QStringLiteral("%"))) << text.toStdString();
        }
    }
    EXPECT_GE(entry(run, QStringLiteral("Stop")), 0);
    tray.choose(entry(0, QStringLiteral("Quit")));
    // The program asks the tray while it ends, so the events of the tray must be handled.
    EXPECT_TRUE(QTest::qWaitFor([&] { return program.state() == QProcess::NotRunning; }, 20'000));
    EXPECT_EQ(program.exitCode(), 0);
    if (program.state() != QProcess::NotRunning) {
        program.kill();
        program.waitForFinished();
    }
}
