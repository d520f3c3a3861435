// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Watches the active runs of the list and reports what the rules ask for: in the list of notifications, on the desktop,
// and as a note among the run's events. Checks every 2 s while a run is active; files are read in a worker thread.

#include <map>
#include <memory>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "alarms/run_look.h"
#include "desktop/alarms/alarm_watch.h"
#include "desktop/runs/run_summary.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class DesktopNotifier;
class RunStore;

class AlarmService : public QObject {
    Q_OBJECT
  public:
    static constexpr int kInterval = 2000;  // ms

    explicit AlarmService(RunStore* store, QObject* parent = nullptr);
    ~AlarmService() override;

    /// Rules for all runs, saved with the settings, and the rules of a single run.
    static AlarmRules rules();
    /// What is sent becomes part of alarms/targets.h, for the processes that send alarms of runs.
    static void setRules(const AlarmRules& rules);
    static AlarmRules rulesOf(const QString& runPath);
    /// Whether the end of a run is to be listed.
    static bool wantsEnd(const RunSummary& run);
    static void setRulesOf(const QString& runPath, const AlarmRules& rules);

  signals:
    /// A notice for the list. The desktop notification, if the rules ask for one, was already sent.
    void noticed(const trainyard::desktop::Notice& notice);
    void openRequested(const QString& runPath);

  private:
    struct Seen;
    void look();
    void take(const Seen& seen);
    void tell(const Notice& notice, const AlarmRules& rules);
    void ended(const RunSummary& run);

    RunStore* store_;
    DesktopNotifier* notifier_;
    AlarmWatch watch_;
    QTimer timer_;
    QElapsedTimer clock_;
    std::map<QString, std::shared_ptr<alarms::RunLook>> looks_;  ///< used by one job at a time
    widgets::Job job_;
    bool looking_ = false;
};

}  // namespace trainyard::desktop
