// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keeps this computer from suspending while a run trains on it: an inhibitor lock of systemd-logind, or of the desktop
// portal where logind does not answer. Without either nothing happens. The lock ends with the program.

#include <QDBusConnection>
#include <QDBusUnixFileDescriptor>
#include <QObject>

namespace trainyard::desktop {

struct RunSummary;

/// Whether the run trains on this computer now.
bool trains_here(const RunSummary& run);

class SleepInhibitor : public QObject {
    Q_OBJECT
  public:
    explicit SleepInhibitor(QObject* parent = nullptr);
    ~SleepInhibitor() override;
    /// Requests or releases the lock. Does not wait for the answer.
    void setActive(bool active);
    bool isActive() const { return active_; }

  private:
    void askPortal();
    void release();

    QString name_;  ///< of its connections
    bool active_ = false;
    QDBusUnixFileDescriptor lock_;
    QString portal_request_;  ///< object path
};

}  // namespace trainyard::desktop
