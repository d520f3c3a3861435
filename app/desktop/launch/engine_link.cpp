// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/engine_link.h"

#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QStandardPaths>

#include "base/error.h"
#include "desktop/text/qt_text.h"
#include "remote/launch_checks.h"

namespace trainyard::desktop {

namespace {
constexpr int kLeaveMs = 3000;

/// The problems for which the engine started nothing, one a line.
QString problems_of(const QByteArray& output) {
    QStringList lines;
    try {
        for (const remote::LaunchProblem& problem : remote::parse_check_answer(output.toStdString()).problems)
            lines << qtSentence(problem.text);
    } catch (const UserError&) {  // it ended before it could print any
    }
    return lines.join(QLatin1Char('\n'));
}
}  // namespace

EngineLink::EngineLink(QObject* parent) : QObject(parent) {}

EngineLink::~EngineLink() {
    for (QProcess* process : findChildren<QProcess*>()) {
        process->disconnect(this);
        if (process->state() != QProcess::NotRunning)
            process->waitForFinished(kLeaveMs);
    }
}

void EngineLink::locate(const QString& given) {
    QStringList looked;
    QString found;
    const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/trainyard");
    for (const QString& file : {given, beside, QStandardPaths::findExecutable(QStringLiteral("trainyard"))}) {
        if (file.isEmpty())
            continue;
        if (QFileInfo(file).isExecutable()) {
            found = file;
            break;
        }
        looked << QDir::toNativeSeparators(file);
    }
    program_ = found;
    version_.clear();
    looked_ = looked;
    is_silent_ = false;
    if (found.isEmpty()) {
        is_missing_ = true;
        emit changed();
        return;
    }
    auto* process = new QProcess(this);
    auto finish = [this, process](const QString& version) {
        version_ = version;
        is_missing_ = false;
        is_silent_ = version.isEmpty();
        process->deleteLater();
        emit changed();
    };
    connect(process, &QProcess::finished, this, [process, finish](int code, QProcess::ExitStatus status) {
        const QString line = QString::fromUtf8(process->readAllStandardOutput()).section(QLatin1Char('\n'), 0, 0);
        finish(status == QProcess::NormalExit && code == 0 ? line.section(QLatin1Char(' '), -1).trimmed() : QString());
    });
    connect(process, &QProcess::errorOccurred, this, [finish](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish({});
    });
    process->start(found, {QStringLiteral("--version")}, QIODevice::ReadOnly);
}

QString EngineLink::problem() const {
    if (is_missing_)
        return tr("The engine was not found: %1 do not exist. Choose the program.")
            .arg(QLocale().createSeparatedList(looked_ + QStringList(tr("trainyard in PATH"))));
    return is_silent_
               ? tr("%1 does not answer with its version: choose another program, or build it again.").arg(program_)
               : QString();
}

QString EngineLink::parseAnswer(const QByteArray& output) {
    QString path;
    for (const QByteArray& line : output.split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        if (object.contains(QLatin1String("path")))
            path = object.value(QLatin1String("path")).toString();
    }
    if (path.isEmpty())  // pretty-printed over several lines
        path = QJsonDocument::fromJson(output).object().value(QLatin1String("path")).toString();
    return path;
}

void EngineLink::start(const QStringList& words, Done done) {
    call(QStringList{QStringLiteral("launch"), QStringLiteral("--detach"), QStringLiteral("--json")} + words,
         std::move(done));
}

void EngineLink::sweep(const QStringList& words, Done done) {
    call(QStringList{QStringLiteral("sweep")} + words, std::move(done));
}

void EngineLink::call(const QStringList& arguments, Done done) {
    if (program_.isEmpty()) {
        done({}, problem().isEmpty() ? tr("The engine was not found: choose the program in the settings.") : problem());
        return;
    }
    auto* process = new QProcess(this);
    // The detached supervisor must not hold our pipes or terminal: input is closed, output ends with the launch.
    process->setStandardInputFile(QProcess::nullDevice());
    connect(process, &QProcess::finished, this, [process, done](int code, QProcess::ExitStatus status) {
        const QByteArray answer = process->readAllStandardOutput();
        const QString path = parseAnswer(answer);
        QString error = problems_of(answer);
        if (error.isEmpty())
            error = qtSentence(Message::verbatim(process->readAllStandardError().trimmed().toStdString()));
        process->deleteLater();
        if (status == QProcess::NormalExit && code == 0 && !path.isEmpty()) {
            done(path, {});
            return;
        }
        if (error.isEmpty())
            error = tr("The engine ended with code %1 and without a message.").arg(code);
        done({}, error);
    });
    connect(process, &QProcess::errorOccurred, this, [this, process, done](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        const QString reason = process->errorString();
        process->deleteLater();
        done({}, tr("%1 could not be started: %2").arg(program_, reason));
    });
    process->start(program_, arguments, QIODevice::ReadOnly);
}

QString EngineLink::sampleRecipe() {
    if (const QString given = qEnvironmentVariable("TRAINYARD_SAMPLE"); !given.isEmpty())
        return QFileInfo(given).isFile() ? given : QString();
    const QString installed =
        QCoreApplication::applicationDirPath() + QStringLiteral("/../share/trainyard/samples/sample.yaml");
    const QString built = QStringLiteral(TRAINYARD_RESOURCES_DIR "/samples/sample.yaml");
    for (const QString& file : {installed, built})
        if (QFileInfo(file).isFile())
            return QDir::cleanPath(file);
    return {};
}

}  // namespace trainyard::desktop
