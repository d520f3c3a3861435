// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Desktop notifications (org.freedesktop.Notifications, Desktop Notifications Specification 1.2) with the action "Open
// run". Calls do not block. Without a notification service they have no effect.

#include <QHash>
#include <QObject>

namespace trainyard::desktop {

class DesktopNotifier : public QObject {
    Q_OBJECT
  public:
    explicit DesktopNotifier(QObject* parent = nullptr);
    /// `run`: the argument of openRequested() when the user clicks the notification; empty: no action. Replaces an
    /// earlier notification with the same run and title.
    void show(const QString& title, const QString& text, const QString& run, bool urgent);

  signals:
    void openRequested(const QString& run);

  private slots:
    void acted(uint id, const QString& action);
    void closed(uint id, uint reason);

  private:
    bool connectOnce();
    QHash<uint, QString> runs_;  ///< by the service's number
    bool connected_ = false;
};

}  // namespace trainyard::desktop
