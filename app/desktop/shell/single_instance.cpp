// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/single_instance.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QTimer>
#include <QUrl>

#include "base/environment_names.h"
#include "desktop/shell/view_state.h"

namespace trainyard::desktop {

namespace {
const QByteArray kTaken = QByteArrayLiteral("taken\n");
constexpr const char* kToken = "XDG_ACTIVATION_TOKEN";
}  // namespace

SingleInstance::SingleInstance(QObject* parent) : QObject(parent) {}

SingleInstance::~SingleInstance() = default;

QString SingleInstance::socketFile() {
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    if (runtime.isEmpty() || !QFileInfo(runtime).isDir())
        return {};
    const QByteArray profile = (stateFolder() + QLatin1Char('\n') + qEnvironmentVariable(kEnvRuns)).toUtf8();
    const QByteArray hash = QCryptographicHash::hash(profile, QCryptographicHash::Sha256).toHex().left(16);
    return QStringLiteral("%1/trainyard-%2.sock").arg(runtime, QString::fromLatin1(hash));
}

bool SingleInstance::handOver(const QString& words, const QString& theme, const QString& command) {
    const QString file = socketFile();
    if (file.isEmpty() || !QFileInfo::exists(file))
        return false;
    QLocalSocket socket;
    socket.connectToServer(file);
    if (!socket.waitForConnected(kPatience))
        return false;
    // Percent encoding protects line breaks and blanks in names, which separate lines and words.
    socket.write(QUrl::toPercentEncoding(words) + ' ' + QUrl::toPercentEncoding(theme) + ' ' +
                 QUrl::toPercentEncoding(command) + ' ' + QUrl::toPercentEncoding(qEnvironmentVariable(kToken)) + '\n');
    QByteArray answer;
    while (!answer.endsWith('\n') && socket.waitForReadyRead(kPatience))
        answer += socket.readAll();
    return answer == kTaken;
}

bool SingleInstance::listen() {
    const QString file = socketFile();
    if (file.isEmpty())
        return false;
    server_ = std::make_unique<QLocalServer>();
    server_->setSocketOptions(QLocalServer::UserAccessOption);
    connect(server_.get(), &QLocalServer::newConnection, this, &SingleInstance::take);
    if (server_->listen(file))
        return true;
    // No process answered at this socket (handOver() tried), so it belongs to a window that was killed.
    QLocalServer::removeServer(file);
    return server_->listen(file);
}

void SingleInstance::take() {
    while (QLocalSocket* socket = server_->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        // A client that sends nothing is disconnected after this time.
        QTimer::singleShot(kPatience * 4, socket, &QLocalSocket::abort);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (socket->bytesAvailable() > kLongestWords) {
                socket->abort();
                return;
            }
            if (!socket->canReadLine())
                return;
            const QList<QByteArray> parts = socket->readLine().chopped(1).split(' ');
            socket->write(kTaken);
            socket->flush();
            socket->disconnectFromServer();
            // A Wayland compositor raises a window for the token of the program that was started. Qt reads it there.
            if (const QByteArray token = QByteArray::fromPercentEncoding(parts.value(3)); !token.isEmpty())
                qputenv(kToken, token);
            emit opened(QUrl::fromPercentEncoding(parts[0]), QUrl::fromPercentEncoding(parts.value(1)),
                        QUrl::fromPercentEncoding(parts.value(2)));
        });
    }
}

}  // namespace trainyard::desktop
