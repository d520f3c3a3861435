// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of starting the program from a shell: --help without a display, the error without a display, and unknown pages.

#include <QProcess>

#include <gtest/gtest.h>

#include "base/error.h"

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

}  // namespace
}  // namespace trainyard::desktop
