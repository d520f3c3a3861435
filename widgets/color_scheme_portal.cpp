// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/color_scheme_portal.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace trainyard::widgets {

namespace {
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kSpace = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

/// Read wraps its answer in two variants, SettingChanged in one.
uint unwrapped(QVariant value) {
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value.toUInt();
}
}  // namespace

void ColorSchemePortal::start() {
    // Connecting to a bus that is not there logs a warning and costs time: only with an address.
    if (!qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS"))
        return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    call << kSpace << kKey;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (!reply.isError())
            emit schemeChanged(static_cast<int>(unwrapped(reply.value().variant())));
        done->deleteLater();
    });
}

void ColorSchemePortal::settingChanged(const QString& space, const QString& key, const QDBusVariant& value) {
    if (space == kSpace && key == kKey)
        emit schemeChanged(static_cast<int>(unwrapped(value.variant())));
}

}  // namespace trainyard::widgets
