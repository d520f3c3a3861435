#pragma once
// Watches the live runs of the list and says what people want to be told: in the list of notifications, on the desktop, as a note among the
// run's events. Looks every 2 s while a run lives; files are read in a thread.

#include <map>
#include <memory>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "desktop/alarms/alarm_watch.h"
#include "desktop/alarms/run_look.h"
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

    /// Rules for all runs, kept with the settings; and what is different for one.
    static AlarmRules rules();
    static void setRules(const AlarmRules& rules);
    static AlarmRules rulesOf(const QString& runPath);
    /// Whether the end of a run is to be listed.
    static bool wantsEnd(const RunSummary& run);
    static void setRulesOf(const QString& runPath, const AlarmRules& rules);

  signals:
    /// To be listed; the desktop was told already where that is wanted.
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
    std::map<QString, std::shared_ptr<RunLook>> looks_;  ///< used by one job at a time
    widgets::Job job_;
    bool looking_ = false;
};

}  // namespace trainyard::desktop
