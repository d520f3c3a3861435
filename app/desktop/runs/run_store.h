// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The runs of this machine as the GUI thread sees them. Does no I/O itself. What is written on a run
// (labels) shows at once and is in the file a moment later.

#include <cstdint>
#include <functional>
#include <memory>

#include <QElapsedTimer>
#include <QHash>
#include <QObject>

#include "desktop/runs/run_summary.h"
#include "desktop/sources/read_pool.h"
#include "run/request_body.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class RunScanner;

class RunStore : public QObject {
    Q_OBJECT
  public:
    explicit RunStore(QObject* parent = nullptr);
    ~RunStore() override;

    /// Begins to read run::runs_root().
    void start();
    void setRoot(const QString& root);
    /// More folders of runs, and folders of other programs' logs, which are one row each.
    void setMore(const QStringList& roots, const QStringList& imported);
    void refresh();

    /// The folders of runs that are watched, the runs folder first.
    QStringList roots() const;
    bool isLoaded() const { return loaded_; }
    /// Which folders of runs cannot be read at present; empty: none. Their runs are those that were read last.
    const QString& unreadableFolders() const { return unreadable_; }
    const RunSummaries& runs() const { return runs_; }
    const RunSummary* find(const QString& id) const;
    const RunSummary* findPath(const QString& path) const;
    int liveCount() const;

    /// Drops a request into the run's folder, in another thread. A run gets its requests in their order.
    void request(const QString& runPath, const run::RequestBody& request);
    /// Another place in the queue of its machine, from 1; shows at once.
    void moveInQueue(const QString& runPath, int place);
    /// How many runs wait in that queue.
    int queueLength(const QString& queue) const;
    void setLabels(const QString& runPath, const run::Labels& labels);
    /// Moves runs that are over to the trash: trashed() says where to, requestFailed() what could not be.
    void moveToTrash(const QStringList& runPaths);
    void restore(const QStringList& trashed);

  signals:
    void changed();
    /// A run that was live when last seen is over: finished, stopped, failed or lost.
    void runEnded(const trainyard::desktop::RunSummary& run);
    void requestFailed(const QString& sentence);
    void trashed(const QStringList& paths, const QStringList& where);
    void restored();
    void rootsChanged();

  private:
    void take(const RunSummaries& runs);
    void keep(RunSummaries runs);
    void ask(const std::function<void(RunScanner&)>& wish);

    struct Written {
        run::Labels labels;
        int ticket = 0;
    };
    std::shared_ptr<RunScanner> scanner_;
    PooledWork scanning_;
    RunSummaries runs_;
    QHash<QString, int> rows_;         ///< by id
    QHash<QString, int> path_rows_;    ///< by path
    QHash<QString, Written> written_;  ///< by path, until the scanner has them in the file
    int tickets_ = 0;
    widgets::Job requests_;
    QHash<QString, int> moved_;  ///< places in queues by path, until their waiters have written them
    QElapsedTimer moved_at_;
    QStringList more_, imported_;
    QString unreadable_;
    bool loaded_ = false;
};

}  // namespace trainyard::desktop
