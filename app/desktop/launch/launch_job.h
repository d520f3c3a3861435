// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checking a launch, then starting it, away from the GUI thread. Signals come in the GUI thread and only as long as the job lives.

#include <memory>

#include <QObject>
#include <QString>
#include <QStringList>

#include "desktop/launch/launch_request.h"
#include "remote/host_key.h"

namespace trainyard::desktop {

class EngineLink;

class LaunchJob : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    virtual std::vector<std::pair<std::string, std::string>> checks() const = 0;
    virtual QStringList hosts() const = 0;
    /// All that has not passed yet.
    virtual void check() = 0;
    virtual void start(bool anyway) = 0;
    /// To wait in the queue of its machine, or of the first one, when it is started: what is in use now need not be free. Before check().
    void setQueued(bool queued) { queued_ = queued; }
    /// Begins to take everything back; ended() when that is done. No other signal comes any more. Returns at once, as the destructor does,
    /// which takes everything back, too.
    virtual void cancel() = 0;

  signals:
    void checkChanged(const trainyard::remote::CheckResult& result);
    /// How far the engine's copy to a host is.
    void copied(const QString& host, quint64 done, quint64 total);
    void checked(bool passed);
    void started(const QString& runPath);
    void failed(const QString& words);
    /// After cancel(): nothing is left behind, but for what these sentences name.
    void ended(const QStringList& leftBehind);

  protected:
    bool queued_ = false;
};

/// This machine alone: remote::Preflight, then the engine's command line.
LaunchJob* makeLocalJob(const LaunchRequest& request, EngineLink* engine, QObject* parent);
/// Several hosts, or another one: remote::RemoteLauncher. `asker` may be null.
LaunchJob* makeRemoteJob(const LaunchRequest& request, EngineLink* engine, std::shared_ptr<remote::Asker> asker,
                         const remote::AcceptedKeys& accepted_once, QObject* parent);

}  // namespace trainyard::desktop
