// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/sleep_inhibitor.h"

#include <utility>

#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

#include "desktop/runs/run_scanner.h"

namespace trainyard::desktop {

namespace {
constexpr int kInhibitTime = 3000;  // ms
constexpr uint kPortalSuspend = 4;  // flag of org.freedesktop.portal.Inhibit
const QString kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
}  // namespace

bool trains_here(const RunSummary& run) {
    switch (run.phase) {
        case RunPhase::Preparing:
        case RunPhase::Starting:
        case RunPhase::Running:
        case RunPhase::Stalled:
        case RunPhase::Stopping:
            return run.hosts.contains(RunScanner::thisMachine());
        default:
            return false;
    }
}

SleepInhibitor::SleepInhibitor(QObject* parent)
    : QObject(parent), name_(QStringLiteral("trainyard-sleep-%1").arg(reinterpret_cast<quintptr>(this))) {}

SleepInhibitor::~SleepInhibitor() {
    release();
    QDBusConnection::disconnectFromBus(name_);
}

void SleepInhibitor::setActive(bool active) {
    if (std::exchange(active_, active) == active)
        return;
    if (!active)
        return release();
    QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SystemBus, name_);
    if (!bus.isConnected())
        return askPortal();
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
        QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("Inhibit"));
    call << QStringLiteral("sleep:idle") << QStringLiteral("Trainyard") << tr("A run is training")
         << QStringLiteral("block");
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, kInhibitTime), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *watcher;
        if (!active_)
            return;  // a lock that came too late is released with the reply
        if (reply.isError())
            askPortal();
        else
            lock_ = reply.value();
    });
}

void SleepInhibitor::askPortal() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    QDBusMessage call =
        QDBusMessage::createMethodCall(kPortal, QStringLiteral("/org/freedesktop/portal/desktop"),
                                       QStringLiteral("org.freedesktop.portal.Inhibit"), QStringLiteral("Inhibit"));
    call << QString() << kPortalSuspend << QVariantMap{{QStringLiteral("reason"), tr("A run is training")}};
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, kInhibitTime), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusObjectPath> reply = *watcher;
        if (reply.isError())
            return;
        portal_request_ = reply.value().path();
        if (!active_)
            release();
    });
}

void SleepInhibitor::release() {
    lock_ = {};
    if (const QString request = std::exchange(portal_request_, {}); !request.isEmpty())
        QDBusConnection::sessionBus().send(QDBusMessage::createMethodCall(
            kPortal, request, QStringLiteral("org.freedesktop.portal.Request"), QStringLiteral("Close")));
}

}  // namespace trainyard::desktop
