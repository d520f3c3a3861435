// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of starting the program from a shell and ending it from there: --help without a display, the error without a
// display, unknown pages, SIGTERM.

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "base/error.h"
#include "desktop/shell/options.h"

namespace trainyard::desktop {
namespace {

struct Ended {
    int code = -1;
    QString out, err;
};

Ended call(const QStringList& arguments, const QString& platform = {}) {
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QLatin1String(name));
    if (!platform.isEmpty())
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard-desktop"), arguments);
    if (!program.waitForFinished(60'000) || program.exitStatus() != QProcess::NormalExit)
        return {};
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
            QString::fromUtf8(program.readAllStandardError())};
}

TEST(Start, HelpAndVersionNeedNoDisplay) {
    const Ended help = call({QStringLiteral("--help")});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(help.out.contains(QLatin1String("checkpoints"))) << qPrintable(help.out);
    const Ended version = call({QStringLiteral("--version")});
    EXPECT_EQ(version.code, 0);
    EXPECT_TRUE(version.out.startsWith(QLatin1String("trainyard-desktop "))) << qPrintable(version.out);
}

TEST(Start, WithoutADisplayItSaysWhatToDo) {
    const Ended ended = call({});
    EXPECT_EQ(ended.code, kExitUsage);
    EXPECT_TRUE(ended.err.contains(QLatin1String("ssh -X"))) << qPrintable(ended.err);
}

TEST(Start, APageThatIsNotThereIsRefusedByName) {
    const Ended ended = call({QStringLiteral("--page"), QStringLiteral("nowhere:x")}, QStringLiteral("offscreen"));
    EXPECT_EQ(ended.code, kExitUsage);
    EXPECT_TRUE(ended.err.contains(QLatin1String("nowhere is not known"))) << qPrintable(ended.err);
    EXPECT_TRUE(ended.err.contains(QLatin1String("checkpoints"))) << qPrintable(ended.err);
}

/// As at a logout, or of a service manager: the window saves what it shows, and ends in order.
TEST(Start, SigtermEndsItAsClosingTheWindowDoes) {
    const QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    for (const char* name : {"HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
                             "XDG_DATA_HOME", "TRAINYARD_RUNS"})
        environment.insert(QLatin1String(name), home.path());
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard-desktop"), {});
    // It takes second starts from here on.
    const auto listens = [&home] {
        return !QDir(home.path()).entryList({QStringLiteral("trainyard-*.sock")}, QDir::System).isEmpty();
    };
    ASSERT_TRUE(QTest::qWaitFor(listens, 60'000)) << program.readAllStandardError().constData();
    program.terminate();
    ASSERT_TRUE(program.waitForFinished(60'000));
    EXPECT_EQ(program.exitStatus(), QProcess::NormalExit);
    EXPECT_EQ(program.exitCode(), 0) << program.readAllStandardError().constData();
    QFile state(home.filePath(QStringLiteral("trainyard/window.ini")));
    ASSERT_TRUE(state.open(QIODevice::ReadOnly)) << qPrintable(state.errorString());
    EXPECT_TRUE(state.readAll().contains("geometry"));
}

/// A window that takes a second start may be in another folder.
TEST(Start, PathsAreHandedOverWhole) {
    Options options;
    for (const char* as_is : {"", "gpu-a:runs/today", "sftp://gpu-a/runs", "file:///data/a.yaml"}) {
        options.open = QLatin1String(as_is);
        EXPECT_EQ(options.openFromHere(), options.open) << as_is;
    }
    options.open = QStringLiteral("runs/not yet");
    EXPECT_EQ(options.openFromHere(), QDir::current().filePath(options.open));
}

}  // namespace
}  // namespace trainyard::desktop
