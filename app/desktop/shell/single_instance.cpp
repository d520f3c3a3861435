// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/single_instance.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QLocalServer>
#include <QLocalSocket>
#include <QLockFile>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTimer>
#include <QUrl>

#include "base/environment_names.h"
#include "desktop/shell/view_state.h"

namespace trainyard::desktop {

namespace {

const QByteArray kTaken = QByteArrayLiteral("taken\n");
constexpr int kPause = 20;  ///< ms
constexpr const char* kToken = "XDG_ACTIVATION_TOKEN";

/// The display that windows of this process appear on.
QString display() {
    const QString wayland = qEnvironmentVariable("WAYLAND_DISPLAY");
    static const QRegularExpression screen(QStringLiteral("\\.[0-9]+$"));  // `:0` and `:0.0` are one display
    return !wayland.isEmpty() ? wayland : qEnvironmentVariable("DISPLAY").remove(screen);
}

/// Connects to the window that listens at `file`. Returns false if no process does.
bool is_connected(QLocalSocket& socket, const QString& file) {
    socket.connectToServer(file);
    return socket.waitForConnected(SingleInstance::kPatience) ||
           (socket.error() != QLocalSocket::ServerNotFoundError &&
            socket.error() != QLocalSocket::ConnectionRefusedError);
}

SingleInstance::Role hand_over(QLocalSocket& socket, const SingleInstance::Words& words) {
    // Percent encoding protects line breaks and blanks in names, which separate lines and words.
    socket.write(QUrl::toPercentEncoding(words.open) + ' ' + QUrl::toPercentEncoding(words.theme) + ' ' +
                 QUrl::toPercentEncoding(words.command) + ' ' + QUrl::toPercentEncoding(qEnvironmentVariable(kToken)) +
                 '\n');
    QByteArray answer;
    while (!answer.endsWith('\n') && socket.waitForReadyRead(SingleInstance::kPatience))
        answer += socket.readAll();
    return answer == kTaken ? SingleInstance::Role::Second : SingleInstance::Role::Unanswered;
}

}  // namespace

SingleInstance::SingleInstance(QObject* parent) : QObject(parent) {}

SingleInstance::~SingleInstance() = default;

QString SingleInstance::socketFile() {
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    if (runtime.isEmpty())
        return {};
    const QByteArray profile =
        QStringList{stateFolder(), qEnvironmentVariable(kEnvRuns), display()}.join(QLatin1Char('\n')).toUtf8();
    const QByteArray hash = QCryptographicHash::hash(profile, QCryptographicHash::Sha256).toHex().left(16);
    return QStringLiteral("%1/trainyard-%2.sock").arg(runtime, QString::fromLatin1(hash));
}

SingleInstance::Role SingleInstance::begin(const Words& words) {
    const QString file = socketFile();
    if (file.isEmpty())
        return Role::Unanswered;
    // Of several starts, the first one that has the lock listens; the others find it then. QLockFile doubles its pauses,
    // so that of many starts one could miss its turn.
    QLockFile lock(file + QStringLiteral(".lock"));
    QLocalSocket socket;
    const QDeadlineTimer patience(kPatience);
    while (!lock.isLocked()) {
        if (is_connected(socket, file))
            return hand_over(socket, words);
        if (patience.hasExpired())
            return Role::Unanswered;
        lock.tryLock(kPause);
    }
    if (is_connected(socket, file)) {
        lock.unlock();
        return hand_over(socket, words);
    }
    return listen(file) ? Role::First : Role::Unanswered;
}

QString SingleInstance::unansweredText() {
    return tr("Another window of Trainyard does not answer. This one was opened beside it.");
}

bool SingleInstance::listen(const QString& file) {
    QLocalServer::removeServer(file);  // of a window that was killed: no process listens there
    server_ = std::make_unique<QLocalServer>();
    server_->setSocketOptions(QLocalServer::UserAccessOption);
    connect(server_.get(), &QLocalServer::newConnection, this, &SingleInstance::take);
    return server_->listen(file);
}

void SingleInstance::take() {
    while (QLocalSocket* socket = server_->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        // A client that sends nothing is disconnected after this time.
        QTimer::singleShot(kPatience, socket, &QLocalSocket::abort);
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
            emit opened({QUrl::fromPercentEncoding(parts[0]), QUrl::fromPercentEncoding(parts.value(1)),
                         QUrl::fromPercentEncoding(parts.value(2))});
        });
    }
}

}  // namespace trainyard::desktop
