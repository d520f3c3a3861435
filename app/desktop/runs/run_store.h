#pragma once
// The runs of this machine as the GUI thread sees them. Owns the scanner's thread; does no I/O itself.

#include <QObject>
#include <QThread>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

class RunStore : public QObject {
    Q_OBJECT
  public:
    explicit RunStore(QObject* parent = nullptr);
    ~RunStore() override;

    /// Begins to read run::runs_root().
    void start();
    void setRoot(const QString& root);
    void refresh();

    bool isLoaded() const { return loaded_; }
    const RunSummaries& runs() const { return runs_; }
    const RunSummary* find(const QString& id) const;
    int liveCount() const;

    /// Drops a request (stop, kill, checkpoint) into the run's folder, in another thread.
    void request(const QString& runPath, const QString& kind);

  signals:
    void changed();
    /// A run that was live when last seen is over: finished, stopped, failed or lost.
    void runEnded(const trainyard::desktop::RunSummary& run);
    void requestFailed(const QString& sentence);
    void scanWanted();
    void rootWanted(const QString& root);

  private:
    void take(const RunSummaries& runs);
    QThread thread_;
    RunSummaries runs_;
    bool loaded_ = false;
};

}  // namespace trainyard::desktop
