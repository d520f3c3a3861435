// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/crash_reports.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QScreen>
#include <QSysInfo>

#include "base/error.h"
#include "base/failure_trace.h"
#include "base/file.h"
#include "desktop/shell/view_state.h"
#include "desktop/text/translate.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

namespace {

constexpr qint64 kMostReportBytes = 256 << 10;
const QString kSeen = QStringLiteral("last.seen");

QDir crash_folder() {
    return QDir(stateFolder() + QStringLiteral("/crashes"));
}

/// Reads a report. Its modules lose their folders, and characters that are not text are dropped.
CrashReport read_report(const QFileInfo& info) {
    CrashReport report{info.filePath(), info.lastModified(), {}};
    QFile file(info.filePath());
    if (!file.open(QIODevice::ReadOnly))
        return report;
    static const QRegularExpression folders(QStringLiteral("^.*/(?=[^/]*\\[0x[0-9a-f]+\\]$)"));
    QStringList lines = QString::fromUtf8(file.read(kMostReportBytes)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (QString& line : lines) {
        line.remove(folders);
        line.removeIf([](QChar letter) { return !letter.isPrint(); });
    }
    report.text = lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
    return report;
}

/// The newest report whose name matches.
std::optional<CrashReport> newest(const QStringList& names) {
    const QFileInfoList files = crash_folder().entryInfoList(names, QDir::Files | QDir::NoSymLinks, QDir::Time);
    return files.isEmpty() ? std::nullopt : std::optional(read_report(files.first()));
}

}  // namespace

QString program_facts() {
    QStringList lines{QStringLiteral("Trainyard: %1").arg(QLatin1String(TRAINYARD_VERSION)),
                      QStringLiteral("Qt: %1, %2").arg(QLatin1String(qVersion()), QGuiApplication::platformName()),
                      QStringLiteral("System: %1, %2 %3, %4")
                          .arg(QSysInfo::prettyProductName(), QSysInfo::kernelType(), QSysInfo::kernelVersion(),
                               QSysInfo::currentCpuArchitecture()),
                      QStringLiteral("Desktop: %1, %2")
                          .arg(qEnvironmentVariable("XDG_CURRENT_DESKTOP", QStringLiteral("unknown")),
                               qEnvironmentVariable("XDG_SESSION_TYPE", QStringLiteral("unknown"))),
                      QStringLiteral("Language: %1").arg(QLocale().name()),
                      QStringLiteral("Theme: %1")
                          .arg(widgets::Theme::instance().isDark() ? QStringLiteral("dark") : QStringLiteral("light"))};
    for (const QScreen* screen : QGuiApplication::screens())
        lines << QStringLiteral("Screen: %1x%2, scale %3")
                     .arg(screen->size().width())
                     .arg(screen->size().height())
                     .arg(screen->devicePixelRatio());
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void record_crashes() {
    const std::filesystem::path folder = QFile::encodeName(crash_folder().path()).toStdString();
    try {
        make_private_folder(folder);
    } catch (const UserError&) {
        return;  // a state folder that cannot be written: there is no report then
    }
    const std::string name = std::to_string(QCoreApplication::applicationPid()) + "-" +
                             std::to_string(QDateTime::currentSecsSinceEpoch()) + ".txt";
    install_crash_file(folder / name, program_facts().toStdString());
}

std::optional<CrashReport> unseen_crash() {
    return newest({QStringLiteral("*.txt")});
}

void mark_crash_seen(const CrashReport& report) {
    QDir folder = crash_folder();
    folder.remove(kSeen);
    QFile::rename(report.file, folder.filePath(kSeen));
    for (const QFileInfo& older : folder.entryInfoList({QStringLiteral("*.txt")}, QDir::Files))
        if (older.lastModified() <= report.time)
            folder.remove(older.fileName());
}

QString problem_report(const QString& engine_version) {
    QString text =
        program_facts() +
        QStringLiteral("Engine: %1\n").arg(engine_version.isEmpty() ? QStringLiteral("not found") : engine_version);
    if (const auto crash = newest({QStringLiteral("*.txt"), kSeen}))
        text += QStringLiteral("\nLast crash: %1\n%2").arg(crash->time.toUTC().toString(Qt::ISODate), crash->text);
    return text;
}

}  // namespace trainyard::desktop
