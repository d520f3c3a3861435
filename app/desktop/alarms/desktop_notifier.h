#pragma once
// Notifications of the desktop (org.freedesktop.Notifications, Desktop Notifications Specification 1.2) with the action "Open run".
// Nothing waits for the service; where there is none, nothing happens.

#include <QHash>
#include <QObject>

namespace trainyard::desktop {

class DesktopNotifier : public QObject {
    Q_OBJECT
  public:
    explicit DesktopNotifier(QObject* parent = nullptr);
    /// `run`: what openRequested() says when somebody clicks; empty: no action. A newer one of the same run and title takes its place.
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
