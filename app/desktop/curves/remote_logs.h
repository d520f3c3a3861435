#pragma once
// Logs of another machine: keeps a copy of them below $XDG_CACHE_HOME/trainyard/remote in a thread of its own (remote/log_mirror.h), for
// a LogTree to read. A host that does not answer is asked again after 1, 2, 4 ... 60 s. GUI thread.

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <QObject>

#include "desktop/open_target.h"

namespace trainyard::remote {
class Cancel;
}

namespace trainyard::desktop {

class RemoteLogs : public QObject {
    Q_OBJECT
  public:
    enum class State { Connecting, Copying, Following, Partial, Silent };

    explicit RemoteLogs(RemotePlace place, QObject* parent = nullptr);
    ~RemoteLogs() override;  ///< hangs up; waits for the thread, which notices at once

    void start();
    /// Connects now instead of later.
    void retry();
    const QString& host() const { return place_.host; }
    /// The local copy; stays the same for the same place.
    const QString& folder() const { return folder_; }
    State state() const { return state_; }
    /// One or several sentences: why it is silent, what is not copied.
    const QString& words() const { return words_; }
    QString stateWords() const;

  signals:
    void changed();

  private:
    void loop();
    void tell(State state, const QString& words, double share);
    bool wait(double seconds);  ///< false: it is over

    RemotePlace place_;
    QString folder_;
    QString root_;
    State state_ = State::Connecting;
    QString words_;
    double share_ = 0;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable woken_;
    std::atomic<bool> stopping_{false};
    bool now_ = false;
    std::shared_ptr<remote::Cancel> cancel_;
};

}  // namespace trainyard::desktop
