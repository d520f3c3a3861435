// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the desktop environment says about light and dark: org.freedesktop.portal.Settings, key
// org.freedesktop.appearance/color-scheme (xdg-desktop-portal documentation). Qt 6.4 does not tell it itself.
// Asynchronous; without a bus or a portal it stays silent.

#include <QDBusVariant>
#include <QObject>

namespace trainyard::widgets {

class ColorSchemePortal : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    void start();

  signals:
    /// 0 no preference, 1 dark, 2 light
    void schemeChanged(int scheme);

  private slots:
    void settingChanged(const QString& space, const QString& key, const QDBusVariant& value);
};

}  // namespace trainyard::widgets
