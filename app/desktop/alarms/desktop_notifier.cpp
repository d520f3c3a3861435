// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/desktop_notifier.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

namespace trainyard::desktop {

namespace {
const QString kService = QStringLiteral("org.freedesktop.Notifications");
const QString kServicePath = QStringLiteral("/org/freedesktop/Notifications");
constexpr int kCallTime = 3000;  // ms
constexpr int kLongest = 1000;   // characters
}  // namespace

DesktopNotifier::DesktopNotifier(QObject* parent) : QObject(parent) {}

bool DesktopNotifier::connectOnce() {
    if (connected_)
        return true;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return false;
    bus.connect(kService, kServicePath, kService, QStringLiteral("ActionInvoked"), this, SLOT(acted(uint, QString)));
    bus.connect(kService, kServicePath, kService, QStringLiteral("NotificationClosed"), this, SLOT(closed(uint, uint)));
    return connected_ = true;
}

void DesktopNotifier::show(const QString& title, const QString& text, const QString& run, bool urgent) {
    if (!connectOnce())
        return;
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kServicePath, kService, QStringLiteral("Notify"));
    QStringList actions;
    if (!run.isEmpty())
        actions << QStringLiteral("default") << tr("Open run") << QStringLiteral("open") << tr("Open run");
    QVariantMap hints{{QStringLiteral("desktop-entry"), QStringLiteral("trainyard")},
                      {QStringLiteral("urgency"), QVariant::fromValue(static_cast<uchar>(urgent ? 2 : 1))}};
    // The text is markup where the service knows any. Both may have what a program printed, of any length.
    call << QStringLiteral("Trainyard") << 0u << QStringLiteral("trainyard") << title.left(kLongest)
         << text.left(kLongest).toHtmlEscaped() << actions << hints << -1;
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call, kCallTime), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, run] {
        watcher->deleteLater();
        const QDBusPendingReply<uint> reply = *watcher;
        if (!reply.isError() && !run.isEmpty())
            runs_.insert(reply.value(), run);
    });
}

void DesktopNotifier::acted(uint id, const QString&) {
    if (const QString run = runs_.take(id); !run.isEmpty())
        emit openRequested(run);
}

void DesktopNotifier::closed(uint id, uint) {
    runs_.remove(id);
}

}  // namespace trainyard::desktop
