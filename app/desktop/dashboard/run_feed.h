#pragma once
// Follows one run directory in a thread of its own: state.json, events.jsonl, metrics/, logs/, and the way of the requests this
// window dropped. Woken by inotify, and by a timer where inotify is silent. Hands over batches in the thread of the object, at most
// one every 50 ms; while the window does not keep up, it reads no further.

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>

#include <QObject>

#include "base/file.h"
#include "desktop/dashboard/run_batch.h"
#include "run/paths.h"
#include "run/request.h"

namespace trainyard::desktop {

class RunFeed : public QObject {
    Q_OBJECT
  public:
    explicit RunFeed(run::RunPaths run, QObject* parent = nullptr);
    ~RunFeed() override;  ///< ends the thread; waits for what it is just reading

    void start();
    /// Drops a request and watches for the answer: see RunBatch::requests.
    void ask(run::Request request);

  signals:
    void batch(const trainyard::desktop::RunBatchPtr& batch);

  private:
    struct Reader;
    void loop();
    void wait(int milliseconds);

    run::RunPaths run_;
    std::atomic<bool> stopping_{false};
    std::atomic<int> in_flight_{0};
    std::mutex mutex_;
    std::deque<run::Request> asked_;
    FileDescriptor wake_;
    FileDescriptor inotify_;
    std::thread thread_;
};

}  // namespace trainyard::desktop
